package turn

import "github.com/kfw-dev/kfw/internal/jsonx"

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
	return jsonx.AppendString(appendName(dst, name), text)
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
		dst = jsonx.AppendString(dst, text)
	}
	return append(dst, ']')
}
