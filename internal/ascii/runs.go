package ascii

import (
	"math/bits"
	"unsafe"
)

// TrimBlanks returns line without the blanks it begins with.
func TrimBlanks(line []byte) []byte { return line[PastBlanks(line, 0):] }

// LentString views b as a string for the time of one call.
func LentString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// LeadingDigitsOf returns how many of eight bytes, the lowest first, are digits before the first that is none.
func LeadingDigitsOf(bytes uint64) int {
	return bits.TrailingZeros64(OthersThanDigits(bytes)) / 8
}

// LeadingHexOf does the same for hexadecimal digits, and says whether there are digits and letters among them.
func LeadingHexOf(bytes uint64) (n int, hasDigit, hasLetter bool) {
	digits := OthersThanDigits(bytes) ^ 0x80*EachByte
	lower := bytes&(0x7f*EachByte) | 0x20*EachByte
	apart := lower ^ 0x60*EachByte // 1 to 6 for letters
	letters := (apart + (0x7f)*EachByte) &^ (apart + (0x7f-6)*EachByte) &^ bytes & (0x80 * EachByte)
	others := (digits | letters) ^ 0x80*EachByte
	end := others & -others // all above are past the end
	return bits.TrailingZeros64(others) / 8, digits&(end-1) != 0, letters&(end-1) != 0
}

// LeadingLetters returns how many letters b begins with.
func LeadingLetters(b []byte) (n int) {
	for n < len(b) && IsLetter(b[n]) {
		n++
	}
	return n
}

// PastBlanks returns the index of the first byte of line that is no blank, at the given index or after it.
func PastBlanks(line []byte, at int) int {
	for at < len(line) && IsBlank(line[at]) {
		at++
	}
	return at
}

// ZeroBytes returns the highest bit of each byte that is 0, and perhaps of others above the lowest of those.
func ZeroBytes(bytes uint64) uint64 {
	return (bytes - EachByte) &^ bytes & (0x80 * EachByte)
}

// Set is a set of ASCII characters. Its methods do what those of package bytes do with a cutset, which make such a set
// at each call.
type Set [256]bool

// SetOf returns the set of the characters of a text, all of which are ASCII.
func SetOf(characters string) *Set {
	var s Set
	for i := range len(characters) {
		s[characters[i]] = true
	}
	return &s
}

// TrimLeft returns b without what it begins with of the set.
func (s *Set) TrimLeft(b []byte) []byte {
	for len(b) > 0 && s[b[0]] {
		b = b[1:]
	}
	return b
}

// TrimRight returns b without what it ends with of the set.
func (s *Set) TrimRight(b []byte) []byte {
	for len(b) > 0 && s[b[len(b)-1]] {
		b = b[:len(b)-1]
	}
	return b
}

// Trim returns b without what it begins and ends with of the set.
func (s *Set) Trim(b []byte) []byte { return s.TrimRight(s.TrimLeft(b)) }
