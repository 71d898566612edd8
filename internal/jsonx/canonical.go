package jsonx

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// AppendCanonicalString appends text as a JSON string (RFC 8259, 7): only what must be escaped is.
// What is not valid UTF-8 becomes U+FFFD.
func AppendCanonicalString[T []byte | string](dst []byte, text T) []byte {
	dst = append(dst, '"')
	dst = AppendCanonicalText(dst, []byte(text))
	return append(dst, '"')
}

// AppendCanonicalText appends text as the inside of a JSON string.
func AppendCanonicalText(dst, text []byte) []byte {
	from := 0
	for i := 0; i < len(text); {
		if i+8 <= len(text) && isPlain(ascii.EightAt(text, i)) {
			i += 8
			continue
		}
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size <= 1 {
				dst = append(dst, text[from:i]...)
				dst = append(dst, "\uFFFD"...)
				from = i + size
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			dst = append(dst, text[from:i]...)
			dst = appendCanonicalByte(dst, c)
			from = i + 1
		}
		i++
	}
	return append(dst, text[from:]...)
}

// isPlain says whether eight bytes are ASCII that stands for itself in a JSON string.
func isPlain(bytes uint64) bool {
	quotes, slashes := bytes^'"'*ascii.EachByte, bytes^'\\'*ascii.EachByte
	// Of the bytes that more is taken from than they are, the lowest gets its highest bit; who had
	// it keeps it in one of the three.
	return ((bytes-' '*ascii.EachByte)|(quotes-ascii.EachByte)|(slashes-ascii.EachByte))&(0x80*ascii.EachByte) == 0
}

func appendCanonicalByte(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c >= ' ':
		return append(dst, c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\t':
		return append(dst, '\\', 't')
	case c == '\r':
		return append(dst, '\\', 'r')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// AppendCanonical appends the inside of a JSON string with each escape in its
// one shortest form, so that equal strings are equal bytes. A lone surrogate
// stays an escape.
func AppendCanonical(dst, inside []byte) []byte {
	for {
		slash := bytes.IndexByte(inside, '\\')
		if slash < 0 || slash+1 >= len(inside) {
			return append(dst, inside...)
		}
		dst = append(dst, inside[:slash]...)
		escape := inside[slash+1]
		inside = inside[slash+2:]
		switch escape {
		case 'u':
			unit, ok := hexUnit(inside)
			if !ok {
				dst = append(dst, '\\', 'u')
				continue
			}
			inside = inside[4:]
			if utf16.IsSurrogate(rune(unit)) {
				if len(inside) >= 6 && inside[0] == '\\' && inside[1] == 'u' {
					low, ok := hexUnit(inside[2:])
					if r := utf16.DecodeRune(rune(unit), rune(low)); ok && r != utf8.RuneError {
						dst = utf8.AppendRune(dst, r)
						inside = inside[6:]
						continue
					}
				}
				dst = append(dst, '\\', 'u')
				for shift := 12; shift >= 0; shift -= 4 {
					dst = append(dst, "0123456789abcdef"[unit>>shift&15])
				}
			} else if unit < utf8.RuneSelf {
				dst = appendCanonicalByte(dst, byte(unit))
			} else {
				dst = utf8.AppendRune(dst, rune(unit))
			}
		case '/':
			dst = append(dst, '/')
		case 'b':
			dst = appendCanonicalByte(dst, '\b')
		case 'f':
			dst = appendCanonicalByte(dst, '\f')
		default:
			dst = append(dst, '\\', escape)
		}
	}
}

func hexUnit(b []byte) (unit uint16, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		unit = unit<<4 | uint16(c)
	}
	return unit, true
}
