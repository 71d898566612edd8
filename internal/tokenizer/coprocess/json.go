package coprocess

import (
	"unicode/utf16"
	"unicode/utf8"
)

// appendString appends text as a JSON string, and the line feed that ends a question.
func appendString(dst, text []byte) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, text)
	return append(dst, '"', '\n')
}

// appendEscaped appends text, valid UTF-8, as it stands in a JSON string of ASCII, so that no
// program has to know the encoding of its standard input.
func appendEscaped(dst, text []byte) []byte {
	for len(text) > 0 {
		switch b := text[0]; {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b == '\n':
			dst = append(dst, '\\', 'n')
		case b == '\t':
			dst = append(dst, '\\', 't')
		case b < ' ' || b == 0x7F:
			dst = appendUnit(dst, rune(b))
		case b < utf8.RuneSelf:
			dst = append(dst, b)
		default:
			r, size := utf8.DecodeRune(text)
			if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
				dst = appendUnit(appendUnit(dst, high), low)
			} else {
				dst = appendUnit(dst, r)
			}
			text = text[size:]
			continue
		}
		text = text[1:]
	}
	return dst
}

func appendUnit(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}
