// Package hidden makes text visible that is not shown where people read along, so that what a model
// is given is what they see: characters that turn the direction of text, that have no width, and
// tags, in which whole sentences can be hidden.
//
// The characters are those of Unicode Technical Standard 39 and Unicode Technical Report 36 that
// have no use in the text of a tool: see Is. One that has a use, such as a joiner in an emoji or in
// Persian, stays.
package hidden

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Show appends text to dst with U+ and the number of each hidden character, in brackets, in its
// place, and returns how many there were. What stands before text and after it is unknown; a byte
// order mark at the start is none, if isStart.
//
// In JSON, which has them as escapes too, \u202e becomes [U+202E] within a string.
func Show(dst, text []byte, isStart, isJSON bool) (_ []byte, count int) {
	from := 0
	for at := next(text, 0, isJSON); at < len(text); at = next(text, at, isJSON) {
		r, size := decode(text, at, isJSON)
		if size == 0 {
			at++
			continue
		}
		isMark := r == 0xfeff && at == 0 && isStart
		if !isMark && isHidden(text, at, at+size, r, isJSON) {
			dst = append(dst, text[from:at]...)
			dst = fmt.Appendf(dst, "[U+%04X]", r)
			from = at + size
			count++
		}
		at += size
	}
	return append(dst, text[from:]...), count
}

// Has reports whether a text may have hidden characters. It is cheap: most have none of the bytes
// that they begin with.
func Has(text []byte, isJSON bool) bool { return next(text, 0, isJSON) < len(text) }

// next returns where in a text a hidden character may begin, at or after a place; its length if
// nowhere. It searches a window at a time, so that a text full of such places is not read to its
// end from each of them.
func next(text []byte, at int, isJSON bool) int {
	const window = 256 // bytes
	for ; at < len(text); at += window {
		end := min(at+window, len(text))
		if first := firstIn(text, at, end, isJSON); first < end {
			return first
		}
	}
	return len(text)
}

// firstIn is next in text[at:end]; end if there is nothing.
func firstIn(text []byte, at, end int, isJSON bool) int {
	for _, lead := range [...]byte{0xe2, 0xef, 0xf3} { // of U+2000 to U+2FFF, U+F000 to U+FFFF, U+E0000 to U+FFFFF
		if n := bytes.IndexByte(text[at:end], lead); n >= 0 {
			end = at + n
		}
	}
	if !isJSON {
		return end
	}
	for ; at < end; at++ {
		n := bytes.IndexByte(text[at:end], '\\')
		if n < 0 {
			break
		}
		if at += n; at+1 < len(text) && text[at+1] == 'u' && isEscape(text[:at]) {
			return at
		}
	}
	return end
}

// isEscape reports whether a backslash after a text begins an escape, and is not the second half of
// one.
func isEscape(before []byte) bool {
	return (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 0
}

// decode returns the character at a place of a text and its length in bytes; 0 bytes if there is
// none.
func decode(text []byte, at int, isJSON bool) (r rune, size int) {
	if text[at] != '\\' || !isJSON {
		r, size = utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return 0, 0
		}
		return r, size
	}
	high, ok := unit(text[at:])
	if !ok {
		return 0, 0
	}
	const escape = len(`\uffff`)
	if high < 0xd800 || high > 0xdbff {
		return high, escape
	}
	low, ok := unit(text[at+escape:])
	if !ok || low < 0xdc00 || low > 0xdfff {
		return 0, 0
	}
	return 0x10000 + (high-0xd800)<<10 + low - 0xdc00, 2 * escape
}

// unit returns the code unit of an escape of JSON that a text begins with.
func unit(text []byte) (r rune, ok bool) {
	if len(text) < len(`\uffff`) || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if '0' <= c && c <= '9' {
			digit = int(c - '0')
		}
		if digit < 0 {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}

// isHidden reports whether the character r, which stands in a text from a place to another one, is
// hidden there.
func isHidden(text []byte, from, to int, r rune, isJSON bool) bool {
	switch {
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // embeddings, overrides and isolates
		r == 0x200b, r >= 0x2060 && r <= 0x2064, r == 0xfeff, // without a width
		r >= 0xe0100 && r <= 0xe01ef: // variation selectors that most fonts do not have
		return true
	case r >= 0xe0000 && r <= 0xe007f:
		return !isInFlag(text[:from])
	case isSelector(r):
		before, _ := utf8.DecodeLastRune(text[:from])
		after, _ := following(text, to, isJSON)
		return isSelector(before) || isSelector(after)
	case r == 0x200c, r == 0x200d, r == 0x200e, r == 0x200f: // ZWNJ, ZWJ, LRM, RLM
		before, _ := utf8.DecodeLastRune(text[:from])
		after, _ := following(text, to, isJSON)
		return !usesJoiners(before) && !usesJoiners(after)
	}
	return false
}

func following(text []byte, at int, isJSON bool) (r rune, size int) {
	if at >= len(text) {
		return 0, 0
	}
	return decode(text, at, isJSON)
}

// isSelector reports whether a character is one of the variation selectors VS1 to VS16.
func isSelector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f }

// isInFlag reports whether a text ends in a black flag and tags, as the flags of England, Scotland
// and Wales do.
func isInFlag(before []byte) bool {
	const longest = 8 // tags of one flag
	for range longest {
		r, size := utf8.DecodeLastRune(before)
		switch {
		case r == 0x1f3f4:
			return true
		case r < 0xe0020 || r > 0xe007f:
			return false
		}
		before = before[:len(before)-size]
	}
	return false
}

// joining are the scripts whose letters join, or are written from the right, and so have a use for
// joiners and marks of direction.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Mongolian, unicode.Adlam,
	unicode.Hanifi_Rohingya, unicode.Mandaic, unicode.Manichaean, unicode.Samaritan, unicode.Phags_Pa,
	unicode.Devanagari,
	unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// usesJoiners reports whether a character is an emoji, or of a script that joins or runs right to
// left.
func usesJoiners(r rune) bool {
	switch {
	case r < 0xa9:
		return false
	case r == 0xa9, r == 0xae, r >= 0x203c && r <= 0x3299 && unicode.Is(unicode.So, r), r >= 0x1f000 && r <= 0x1faff,
		r == 0xfe0f:
		return true
	}
	return unicode.In(r, joining...)
}
