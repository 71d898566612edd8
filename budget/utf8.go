package budget

import (
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/illformed"
)

// decodeRune returns the first code point of text and its length in bytes. An ill-formed sequence is U+FFFD with the
// length of its maximal subpart, where utf8.DecodeRune takes each byte for one.
func decodeRune(text []byte) (r rune, size int) {
	r, size = utf8.DecodeRune(text)
	return r, max(size, illformed.Len(text))
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
