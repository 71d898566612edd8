package protocol

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
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

// argument returns arguments as text: what a string holds, or the JSON of another value.
func argument(of gjson.Result) string {
	switch of.Type {
	case gjson.Null:
		return ""
	case gjson.String:
		return Text(of)
	}
	return of.Raw
}

// unescaped is the text that the inside of a JSON string stands for. The JSON is valid.
func unescaped(inside string) string {
	return string(jsonx.AppendUnescapedHalves(make([]byte, 0, len(inside)), inside))
}

func isHigh(r rune) bool { return r >= 0xD800 && r < 0xDC00 }
func isLow(r rune) bool  { return r >= 0xDC00 && r < 0xE000 }

// half returns the half of a surrogate pair that s begins with, or 0.
func half(s string) rune {
	if len(s) < 3 || s[0] != jsonx.SurrogateByte || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
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
	if h.first == 0 && strings.IndexByte(part, jsonx.SurrogateByte) < 0 || part == "" {
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
			next := strings.IndexByte(part[1:], jsonx.SurrogateByte) + 1
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
