package budget

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/budget/internal/pairs"
)

// Counter counts the tokens of one line of output, its newline included.
//
// Every counter of this package reads invalid UTF-8 as U+FFFD, one for each maximal subpart of an ill-formed
// sequence, as the WHATWG decoder does (Unicode 3.9, "U+FFFD Substitution of Maximal Subparts"). Count keeps nothing
// of line. A Counter is for one goroutine.
type Counter interface {
	Count(line []byte) int
	// Bounds returns the fewest and the most tokens that lines of valid UTF-8 of so many bytes in
	// all can be: 0 and 0 for no bytes, and at most Unbounded. It costs nothing.
	Bounds(bytes int) (least, most int)
}

// longestToken is how many bytes a token has at the most, in any encoding here.
const longestToken = 128

// Encodings returns the names that NewCounter and NewTally know, the default first.
func Encodings() []string {
	return []string{"chars", "o200k_base", "cl100k_base", "p50k_base", "p50k_edit", "r50k_base"}
}

// NewCounter returns the counter of this name:
//
//   - chars: code points / 4, rounded up. Exact by definition, an estimate of what a model counts: low, for JSON and for
//     terminal output.
//   - o200k_base, cl100k_base, p50k_base, p50k_edit, r50k_base: the tokens of OpenAI's encodings of these names,
//     exactly, special tokens counted as the text that spells them.
//
// The error lists the names there are, and does not repeat the one given.
func NewCounter(name string) (Counter, error) {
	switch name {
	case "chars":
		return charCounter{}, nil
	case "o200k_base":
		return newExactCounter(pairs.O200k(), o200kTable, caseAware)
	case "cl100k_base":
		return newExactCounter(pairs.CL100k(), cl100kTable, caseBlind)
	case "p50k_base", "p50k_edit": // which differ in special tokens only
		return newExactCounter(pairs.P50k(), p50kTable, older)
	case "r50k_base":
		return newExactCounter(pairs.R50k(), p50kTable, older)
	}
	return nil, errors.New("unknown tokenizer: choose " + strings.Join(Encodings(), ", "))
}

// charCounter counts a token for every four code points begun.
type charCounter struct{}

func (charCounter) Count(line []byte) int {
	return (codePoints(line) + 3) / 4
}

// Bounds implements Counter: a code point has one to four bytes.
func (charCounter) Bounds(bytes int) (least, most int) { return (bytes + 15) / 16, bytes }

func codePoints(text []byte) int {
	if utf8.Valid(text) {
		return len(text) - continuations(text)
	}
	n := 0
	for len(text) > 0 {
		_, size := decodeRune(text)
		text = text[size:]
		n++
	}
	return n
}

// continuations counts the bytes that are not the first of a character in UTF-8: 10xxxxxx. It looks at eight at once,
// and, unlike utf8.RuneCount, copies no text that is not ASCII.
func continuations(text []byte) (n int) {
	const highs = 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		eight := binary.LittleEndian.Uint64(text)
		n += bits.OnesCount64(eight &^ (eight << 1) & highs)
	}
	for _, b := range text {
		if !utf8.RuneStart(b) {
			n++
		}
	}
	return n
}
