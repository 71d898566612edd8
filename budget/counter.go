package budget

import "unicode/utf8"

// Counter counts the tokens of one line of output, its newline included.
//
// Every counter of this package reads invalid UTF-8 as U+FFFD, one for each maximal subpart of an ill-formed sequence, as
// the WHATWG decoder does (Unicode 3.9, "U+FFFD Substitution of Maximal Subparts"). Count keeps nothing of line. A Counter
// is for one goroutine.
type Counter interface {
	Count(line []byte) int
	// Bounds returns the fewest and the most tokens that lines of valid UTF-8 of so many bytes in all can be. It costs nothing.
	Bounds(bytes int) (least, most int)
}

// longestToken is how many bytes a token has at the most, in any encoding here.
const longestToken = 128

// NewCounter returns the counter of this name, an encoding or a model:
//
//   - chars: code points / 4, rounded up. Exact by definition, an estimate of what a model counts: low, for JSON and for
//     terminal output.
//   - o200k_base, cl100k_base: the tokens of OpenAI's encodings of these names, exactly, special tokens counted as the text
//     that spells them.
//   - p50k_base, p50k_edit, r50k_base: the same for those of older models, by tiktoken-go. The vocabulary is part of the
//     program; it is unpacked here, which takes a tenth of a second and some 10 MB.
//
// The error lists the names there are, and does not repeat the one given.
func NewCounter(name string) (Counter, error) {
	encoding, err := Encoding(name)
	if err != nil {
		return nil, err
	}
	switch encoding {
	case "chars":
		return charCounter{}, nil
	case "o200k_base":
		return newO200k()
	case "cl100k_base":
		return newCL100k()
	case "r50k_base":
		return newReferenceCounter("r50k_base.tiktoken", olderPattern)
	}
	return newReferenceCounter("p50k_base.tiktoken", olderPattern) // p50k_edit has other special tokens only
}

// charCounter counts a token for every four code points begun.
type charCounter struct{}

func (charCounter) Count(line []byte) int {
	return (codePoints(line) + 3) / 4
}

// Bounds implements Counter: a code point has one to four bytes.
func (charCounter) Bounds(bytes int) (least, most int) { return (bytes + 15) / 16, bytes }

func codePoints(text []byte) int {
	n := 0
	if utf8.Valid(text) {
		for _, b := range text { // utf8.RuneCount copies what is not ASCII
			if utf8.RuneStart(b) {
				n++
			}
		}
		return n
	}
	for len(text) > 0 {
		_, size := decodeRune(text)
		text = text[size:]
		n++
	}
	return n
}
