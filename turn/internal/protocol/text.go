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

// Halves joins characters that were cut: between their UTF-16 halves, or between their bytes. What is no character is
// U+FFFD, and counted. The zero value is ready for a text.
type Halves struct {
	rest string // the first part of a character
	Lost int    // how many U+FFFD stand for what is no character
}

// Join returns the next part of the text, which is UTF-8. The first part of a character at its end is kept for the
// next part.
func (h *Halves) Join(part string) string {
	if h.rest == "" && utf8.ValidString(part) {
		return part
	}
	part, h.rest = h.rest+part, ""
	out := make([]byte, 0, len(part)+utf8.UTFMax)
	for len(part) > 0 {
		r, size := utf8.DecodeRuneInString(part)
		first := half(part)
		switch {
		case r != utf8.RuneError || size > 1:
			out = append(out, part[:size]...)
		case !utf8.FullRuneInString(part), isHigh(first) && mayBeginHalf(part[halfSize:]):
			h.rest = strings.Clone(part)
			return string(out)
		case isHigh(first) && isLow(half(part[halfSize:])):
			out = utf8.AppendRune(out, utf16.DecodeRune(first, half(part[halfSize:])))
			size = 2 * halfSize
		default:
			out = utf8.AppendRune(out, utf8.RuneError)
			h.Lost++
			if first != 0 {
				size = halfSize
			}
		}
		part = part[size:]
	}
	return string(out)
}

// halfSize is how many bytes half a pair has.
const halfSize = 3

// mayBeginHalf reports whether the second half of a pair may follow, as far as text goes.
func mayBeginHalf(text string) bool {
	return text == "" || len(text) < halfSize && text[0] == jsonx.SurrogateByte && (len(text) == 1 || text[1] >= 0xB0)
}

// End ends the text: it returns what stands for a character whose rest did not come.
func (h *Halves) End() string {
	lost := (len(h.rest) + halfSize - 1) / halfSize
	h.rest = ""
	h.Lost += lost
	return strings.Repeat(string(utf8.RuneError), lost)
}

// Joined returns a text that comes in one piece.
func Joined(text string) string {
	var h Halves
	return h.Join(text) + h.End()
}
