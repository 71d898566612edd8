package jsonx

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Ellipsis stands for what was cut off.
const Ellipsis = "…"

// CutInside returns the longest prefix of at most limit bytes of the inside of
// a JSON string that splits neither a character nor an escape, nor a pair of
// escaped surrogates.
func CutInside(inside []byte, limit int) []byte {
	if len(inside) <= limit {
		return inside
	}
	end := 0
	for i := 0; i < len(inside); {
		size := 1
		switch c := inside[i]; {
		case c == '\\' && i+1 < len(inside) && inside[i+1] == 'u':
			size = 6
			if unit, ok := hexUnit(inside[min(i+2, len(inside)):]); ok && utf16.IsSurrogate(rune(unit)) &&
				i+7 < len(inside) && inside[i+6] == '\\' && inside[i+7] == 'u' {
				size = 12
			}
		case c == '\\':
			size = 2
		case c >= utf8.RuneSelf:
			_, size = utf8.DecodeRune(inside[i:])
		}
		i += size
		if i > limit {
			break
		}
		end = i
	}
	return inside[:end]
}

// WholeCharacters returns the longest prefix of at most limit bytes of text
// that splits no character.
func WholeCharacters(text []byte, limit int) []byte {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
