package protocol

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Text returns the text of a string, or nothing if of is null or something else. Half a surrogate
// pair, which a producer leaves that cuts a text between UTF-16 units, stays as the three bytes
// that it would have in UTF-8: see [Halves].
func Text(of gjson.Result) string {
	if of.Type != gjson.String {
		return ""
	}
	if strings.Contains(of.Raw, `\u`) {
		return unescaped(of.Raw[1 : len(of.Raw)-1])
	}
	return of.Str
}

// unescaped is the text that the inside of a JSON string stands for. The JSON is valid.
func unescaped(inside string) string {
	out := make([]byte, 0, len(inside))
	for {
		n := strings.IndexByte(inside, '\\')
		if n < 0 {
			return string(append(out, inside...))
		}
		out = append(out, inside[:n]...)
		size := 2
		switch c := inside[n+1]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			var r rune
			r, size = escapedRune(inside[n:])
			out = appendRune(out, r)
		default:
			out = append(out, c)
		}
		inside = inside[n+size:]
	}
}

// escapedRune returns the character of a \u escape, and how long it is. Half a pair is itself.
func escapedRune(s string) (r rune, size int) {
	const one, two = 6, 12 // bytes
	r = hexRune(s[2:one])
	if isHigh(r) && len(s) >= two && s[one] == '\\' && s[one+1] == 'u' {
		if pair := utf16.DecodeRune(r, hexRune(s[one+2:two])); pair != utf8.RuneError {
			return pair, two
		}
	}
	return r, one
}

func hexRune(digits string) (r rune) {
	for i := range len(digits) {
		c := digits[i]
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

func isHigh(r rune) bool { return r >= 0xD800 && r < 0xDC00 }
func isLow(r rune) bool  { return r >= 0xDC00 && r < 0xE000 }

// surrogateByte begins the three bytes of half a surrogate pair.
const surrogateByte = 0xED

// appendRune is utf8.AppendRune that also writes half a surrogate pair.
func appendRune(dst []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(dst, surrogateByte, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// half returns the half of a surrogate pair that s begins with, or 0.
func half(s string) rune {
	if len(s) < 3 || s[0] != surrogateByte || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F)
}

// Halves joins characters that were cut between their UTF-16 halves. The zero value is ready for a
// text.
type Halves struct{ first rune }

// Join returns the next part of the text. The first half of a pair at its end is kept for the next
// part; a half without the other one becomes U+FFFD.
func (h *Halves) Join(part string) string {
	if h.first == 0 && strings.IndexByte(part, surrogateByte) < 0 || part == "" {
		return part
	}
	out := make([]byte, 0, len(part)+utf8.UTFMax)
	for len(part) > 0 {
		r := half(part)
		switch {
		case h.first != 0 && isLow(r):
			out = utf8.AppendRune(out, utf16.DecodeRune(h.first, r))
			h.first = 0
			part = part[3:]
			continue
		case h.first != 0:
			out = utf8.AppendRune(out, utf8.RuneError)
			h.first = 0
		}
		switch {
		case isHigh(r):
			h.first = r
			part = part[3:]
		case r != 0:
			out = utf8.AppendRune(out, utf8.RuneError)
			part = part[3:]
		default:
			next := strings.IndexByte(part[1:], surrogateByte) + 1
			if next == 0 {
				next = len(part)
			}
			out = append(out, part[:next]...)
			part = part[next:]
		}
	}
	return string(out)
}

// End ends the text: it returns what stands for a half whose other one did not come.
func (h *Halves) End() string {
	if h.first == 0 {
		return ""
	}
	h.first = 0
	return string(utf8.RuneError)
}

// Joined returns a text that comes in one piece.
func Joined(text string) string {
	var h Halves
	return h.Join(text) + h.End()
}
