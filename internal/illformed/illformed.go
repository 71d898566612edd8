// Package illformed measures invalid UTF-8 as decoders do, which write U+FFFD in its place.
package illformed

import "unicode/utf8"

// Len returns the number of bytes at the start of text that one U+FFFD replaces: 1 to 3, the maximal subpart of an
// ill-formed sequence (The Unicode Standard, 3.9, "U+FFFD Substitution of Maximal Subparts"; the second bytes that may
// follow a first are those of its table 3-7). It returns 0 if text is empty or begins with a character.
func Len(text []byte) int {
	if r, n := utf8.DecodeRune(text); r != utf8.RuneError || n != 1 {
		return 0
	}
	low, high, want := byte(0x80), byte(0xBF), 1
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
	size := 1
	for size < min(want, len(text)) && low <= text[size] && text[size] <= high {
		size++
		low, high = 0x80, 0xBF
	}
	return size
}
