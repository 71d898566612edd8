package budget

import "unicode/utf8"

// decodeRune returns the first code point of text and its length in bytes. An ill-formed sequence is U+FFFD with the
// length of its maximal subpart, where utf8.DecodeRune takes each byte for one. The second bytes that may follow a
// first are those of table 3-7 of the Unicode standard.
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

// Repairer makes valid UTF-8 of a text that comes in parts, with U+FFFD for every maximal subpart of an ill-formed
// sequence.
type Repairer struct {
	begun [utf8.UTFMax]byte // of a code point that the last part ended in
	n     int
}

// mostRepaired is how many bytes may come of one.
const mostRepaired = len("\uFFFD")

// Append appends what is sure of the text with the next part.
func (r *Repairer) Append(dst, part []byte) []byte {
	for r.n > 0 && len(part) > 0 {
		r.begun[r.n] = part[0]
		r.n++
		if !utf8.FullRune(r.begun[:r.n]) {
			part = part[1:]
			continue
		}
		code, size := decodeRune(r.begun[:r.n])
		dst = utf8.AppendRune(dst, code)
		if size == r.n {
			part = part[1:] // else it is the beginning of what follows
		}
		r.n = 0
	}
	whole := len(part)
	for back := 1; back < utf8.UTFMax && back <= len(part); back++ {
		if at := len(part) - back; utf8.RuneStart(part[at]) {
			if !utf8.FullRune(part[at:]) {
				whole = at
			}
			break
		}
	}
	if r.n == 0 {
		r.n = copy(r.begun[:], part[whole:])
	}
	part = part[:whole]
	if utf8.Valid(part) {
		return append(dst, part...)
	}
	for len(part) > 0 {
		code, size := decodeRune(part)
		dst = utf8.AppendRune(dst, code)
		part = part[size:]
	}
	return dst
}

// Flush appends what is left when the text has ended.
func (r *Repairer) Flush(dst []byte) []byte {
	if r.n > 0 {
		dst = utf8.AppendRune(dst, utf8.RuneError) // a beginning is one maximal subpart
		r.n = 0
	}
	return dst
}
