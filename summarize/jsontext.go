package summarize

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/summarize/ascii"
)

const ellipsis = "…"

// appendMinified appends the JSON value without the white space around its
// tokens.
func appendMinified(dst, value []byte) []byte {
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			end, _ := endOfString(value, i)
			dst = append(dst, value[i:end]...)
			i = end
		case c <= ' ':
			i++
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// deepestObject is how deep the values in a string may be nested for it to be a container: gjson takes stack for each level.
const deepestObject = 64

// isObject says whether a text is a JSON object that is not empty, with no white space around it, and not nested too deeply to be
// told as one.
func isObject(text []byte) bool {
	return len(text) >= len(`{"":1}`) && text[0] == '{' && IsContainer(text)
}

// IsContainer says whether a text is a JSON object or array, with no white space around it, and not nested too deeply to be told
// as one.
func IsContainer(text []byte) bool {
	if len(text) < len("{}") || text[0] != '{' && text[0] != '[' || text[len(text)-1] != text[0]+('}'-'{') {
		return false
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end, _ := endOfString(text, i)
			i = end - 1
		case '{', '[':
			if depth++; depth > deepestObject {
				return false
			}
		case '}', ']':
			depth--
		}
	}
	return gjson.ValidBytes(text)
}

// AppendString appends text as a JSON string (RFC 8259, 7): only what must be escaped is. What is not valid UTF-8 becomes
// U+FFFD.
func AppendString[T []byte | string](dst []byte, text T) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, []byte(text))
	return append(dst, '"')
}

// appendEscaped appends text as the inside of a JSON string.
func appendEscaped(dst, text []byte) []byte {
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
			dst = appendEscapedByte(dst, c)
			from = i + 1
		}
		i++
	}
	return append(dst, text[from:]...)
}

// isPlain says whether eight bytes are ASCII that stands for itself in a JSON string.
func isPlain(bytes uint64) bool {
	quotes, slashes := bytes^'"'*ascii.EachByte, bytes^'\\'*ascii.EachByte
	// Of the bytes that more is taken from than they are, the lowest gets its highest bit; who had it keeps it in one of the three.
	return ((bytes-' '*ascii.EachByte)|(quotes-ascii.EachByte)|(slashes-ascii.EachByte))&(0x80*ascii.EachByte) == 0
}

func appendEscapedByte(dst []byte, c byte) []byte {
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

// appendUnescaped appends the inside of a JSON string, or of what is quoted like one, as the text that it is. Escapes of
// surrogates, and those that JSON has not, stay.
func appendUnescaped(dst, inside []byte) []byte {
	const escapes, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	for {
		slash := bytes.IndexByte(inside, '\\')
		if slash < 0 || slash+1 == len(inside) {
			return append(dst, inside...)
		}
		dst = append(dst, inside[:slash]...)
		escape := inside[slash+1]
		at := bytes.IndexByte([]byte(escapes), escape)
		unit, isUnit := uint16(0), false
		if escape == 'u' {
			unit, isUnit = hexUnit(inside[slash+2:])
		}
		switch {
		case at >= 0:
			dst = append(dst, meanings[at])
		case isUnit && !utf16.IsSurrogate(rune(unit)):
			dst = utf8.AppendRune(dst, rune(unit))
			inside = inside[4:]
		default:
			dst = append(dst, '\\', escape)
		}
		inside = inside[slash+2:]
	}
}

// unescapedLen is how many bytes appendUnescaped appends.
func unescapedLen(inside []byte) (n int) {
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
		} else if bytes.IndexByte([]byte(`"\/bfnrt`), escape[1]) >= 0 {
			n++
		} else {
			n += len(escape)
		}
		inside = inside[slash+len(escape):]
	}
}

// appendCanonical appends the inside of a JSON string with each escape in its
// one shortest form, so that equal strings are equal bytes. A lone surrogate
// stays an escape.
func appendCanonical(dst, inside []byte) []byte {
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
				dst = appendEscapedByte(dst, byte(unit))
			} else {
				dst = utf8.AppendRune(dst, rune(unit))
			}
		case '/':
			dst = append(dst, '/')
		case 'b':
			dst = appendEscapedByte(dst, '\b')
		case 'f':
			dst = appendEscapedByte(dst, '\f')
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

// cutInside returns the longest prefix of at most limit bytes of the inside of
// a JSON string that splits neither a character nor an escape, nor a pair of
// escaped surrogates.
func cutInside(inside []byte, limit int) []byte {
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

// wholeWords returns the longest prefix of at most limit bytes of text that splits no word, if that is more than half of it; no character
// else.
func wholeWords(text []byte, limit int) []byte {
	if len(text) <= limit {
		return text
	}
	if end := bytes.LastIndexByte(text[:limit+1], ' '); end > limit/2 {
		return text[:end]
	}
	return wholeCharacters(text, limit)
}

// wholeCharacters returns the longest prefix of at most limit bytes of text
// that splits no character.
func wholeCharacters(text []byte, limit int) []byte {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
