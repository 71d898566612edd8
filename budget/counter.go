package budget

import (
	"errors"
	"unicode/utf8"
)

// Counter counts the tokens of one line of output, its newline included.
//
// Every counter of this package reads invalid UTF-8 as U+FFFD, one for each maximal subpart of an ill-formed sequence, as
// the WHATWG decoder does (Unicode 3.9, "U+FFFD Substitution of Maximal Subparts"). Count keeps nothing of line. A Counter
// is for one goroutine.
type Counter interface {
	Count(line []byte) int
}

// Counters returns the names that NewCounter knows, the default first.
func Counters() []string {
	return []string{"chars", "o200k_base", "cl100k_base"}
}

// NewCounter returns the counter with this name:
//
//   - chars: code points / 4, rounded up. Exact by definition, an estimate of what a model counts: low, for JSON and for
//     terminal output.
//   - o200k_base, cl100k_base: the tokens of OpenAI's encodings of these names, special tokens counted as the text that
//     spells them; never fewer, and exact except where Count of these counters says so. The vocabulary is part of the
//     program; it is unpacked here, which takes a tenth of a second and some 30 MB.
//
// The error lists the names there are, and does not repeat the one given.
func NewCounter(name string) (Counter, error) {
	switch name {
	case "chars":
		return charCounter{}, nil
	case "o200k_base":
		return newBPECounter("o200k_base.tiktoken", o200kPattern)
	case "cl100k_base":
		return newBPECounter("cl100k_base.tiktoken", cl100kPattern)
	}
	return nil, errors.New("unknown tokenizer: choose chars, o200k_base or cl100k_base")
}

// charCounter counts a token for every four code points begun.
type charCounter struct{}

func (charCounter) Count(line []byte) int {
	return (codePoints(line) + 3) / 4
}

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

// decodeRune returns the first code point of text and its length in bytes. An ill-formed sequence is U+FFFD with the length
// of its maximal subpart, where utf8.DecodeRune takes each byte for one. The second bytes that may follow a first are those
// of table 3-7 of the Unicode standard.
func decodeRune(text []byte) (r rune, size int) {
	r, size = utf8.DecodeRune(text)
	if r != utf8.RuneError || size != 1 {
		return r, size
	}
	low, high, want := byte(0x80), byte(0xBF), 0
	switch first := text[0]; {
	case 0xC2 <= first && first <= 0xDF:
		want = 2
	case 0xE0 <= first && first <= 0xEF:
		want = 3
		if first == 0xE0 {
			low = 0xA0
		} else if first == 0xED {
			high = 0x9F
		}
	case 0xF0 <= first && first <= 0xF4:
		want = 4
		if first == 0xF0 {
			low = 0x90
		} else if first == 0xF4 {
			high = 0x8F
		}
	}
	for size < min(want, len(text)) && low <= text[size] && text[size] <= high {
		size++
		low, high = 0x80, 0xBF
	}
	return utf8.RuneError, size
}
