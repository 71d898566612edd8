package jsonx

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescapedKnown appends the inside of a string in double quotes, with the escapes of JSON undone. Escapes of
// surrogates, and those that JSON does not have, stay.
func AppendUnescapedKnown(dst, inside []byte) []byte {
	for {
		slash := bytes.IndexByte(inside, '\\')
		if slash < 0 || slash+1 == len(inside) {
			return append(dst, inside...)
		}
		dst = append(dst, inside[:slash]...)
		escape := inside[slash+1]
		unit, isUnit := uint16(0), false
		if escape == 'u' {
			unit, isUnit = hexUnit(inside[slash+2:])
		}
		switch {
		case shortEscapes[escape] != 0:
			dst = append(dst, shortEscapes[escape])
		case isUnit && !utf16.IsSurrogate(rune(unit)):
			dst = utf8.AppendRune(dst, rune(unit))
			inside = inside[4:]
		default:
			dst = append(dst, '\\', escape)
		}
		inside = inside[slash+2:]
	}
}

// UnescapedKnownLen is how many bytes AppendUnescapedKnown appends.
func UnescapedKnownLen(inside []byte) (n int) {
	for {
		slash := bytes.IndexByte(inside, '\\')
		if slash < 0 || slash+1 == len(inside) {
			return n + len(inside)
		}
		n += slash
		escape := inside[slash : slash+len(`\n`)]
		if unit, isUnit := hexUnit(inside[slash+2:]); escape[1] == 'u' && isUnit && !utf16.IsSurrogate(rune(unit)) {
			escape = inside[slash : slash+len(`\u001f`)]
			n += utf8.RuneLen(rune(unit))
		} else if shortEscapes[escape[1]] != 0 {
			n++
		} else {
			n += len(escape)
		}
		inside = inside[slash+len(escape):]
	}
}
