package turn

import (
	"unicode/utf8"
)

// field is a member of an object whose value is a text.
type field struct{ name, text string }

// appendObject appends an object of texts. Members without a text are left out.
func appendObject(dst []byte, fields ...field) []byte {
	dst = append(dst, '{')
	for _, f := range fields {
		if f.text != "" {
			dst = appendText(dst, f.name, f.text)
		}
	}
	return append(dst, '}')
}

// appendName appends the name of a member, and the comma before it if it is not the first.
func appendName(dst []byte, name string) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' && dst[n-1] != '[' {
		dst = append(dst, ',')
	}
	dst = append(dst, '"')
	dst = append(dst, name...)
	return append(dst, '"', ':')
}

func appendText(dst []byte, name, text string) []byte {
	return appendString(appendName(dst, name), text)
}

// appendNonEmpty appends a member if it has a text.
func appendNonEmpty(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	return appendText(dst, name, text)
}

// appendOrNull appends a member: a text, or null if there is none.
func appendOrNull(dst []byte, name, text string) []byte {
	if text == "" {
		return append(appendName(dst, name), "null"...)
	}
	return appendText(dst, name, text)
}

// appendFlag appends a member that is true, or nothing.
func appendFlag(dst []byte, name string, set bool) []byte {
	if !set {
		return dst
	}
	return append(appendName(dst, name), "true"...)
}

func appendBool(dst []byte, name string, set bool) []byte {
	dst = appendName(dst, name)
	if set {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

func appendRaw(dst []byte, name, json string) []byte { return append(appendName(dst, name), json...) }

func appendStrings(dst []byte, name string, texts []string) []byte {
	dst = append(appendName(dst, name), '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, text)
	}
	return append(dst, ']')
}

// appendString appends a string of JSON. What is no UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, s[from:i]...), "\ufffd"...)
				from = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}
