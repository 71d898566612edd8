package jsonx

import "github.com/tidwall/gjson"

// Valid reports whether text is one JSON value, and nested no deeper than maxDepth. It needs stack
// for each level. Strings need be no UTF-8.
func Valid(text string, maxDepth int) bool {
	at := skipValue(text, skipSpace(text, 0), maxDepth)
	return at >= 0 && skipSpace(text, at) == len(text)
}

// skipSpace returns where the first byte at or after at is that is no white space.
func skipSpace(s string, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\n' || s[at] == '\t' || s[at] == '\r') {
		at++
	}
	return at
}

// skipValue returns where the value at at ends, or -1 if there is none.
func skipValue(s string, at, depth int) int {
	if at >= len(s) {
		return -1
	}
	switch s[at] {
	case '"':
		return skipString(s, at+1)
	case '{':
		return skipMembers(s, at+1, '}', depth-1)
	case '[':
		return skipMembers(s, at+1, ']', depth-1)
	case 't':
		return skipLiteral(s, at, "true")
	case 'f':
		return skipLiteral(s, at, "false")
	case 'n':
		return skipLiteral(s, at, "null")
	}
	return skipNumber(s, at)
}

func skipLiteral(s string, at int, literal string) int {
	end := at + len(literal)
	if end > len(s) || s[at:end] != literal {
		return -1
	}
	return end
}

// skipMembers skips an object or an array, which ends with that byte, from after its beginning.
func skipMembers(s string, at int, end byte, depth int) int {
	if depth < 0 {
		return -1
	}
	at = skipSpace(s, at)
	if at < len(s) && s[at] == end {
		return at + 1
	}
	for {
		if end == '}' {
			if at >= len(s) || s[at] != '"' {
				return -1
			}
			if at = skipString(s, at+1); at < 0 {
				return -1
			}
			at = skipSpace(s, at)
			if at >= len(s) || s[at] != ':' {
				return -1
			}
			at = skipSpace(s, at+1)
		}
		if at = skipValue(s, at, depth); at < 0 {
			return -1
		}
		at = skipSpace(s, at)
		if at >= len(s) {
			return -1
		}
		switch s[at] {
		case end:
			return at + 1
		case ',':
			at = skipSpace(s, at+1)
		default:
			return -1
		}
	}
}

// skipString skips a string from after its first quote.
func skipString(s string, at int) int {
	const digits = 4
	for {
		at += PlainRun(s[at:])
		switch {
		case at+1 < len(s) && s[at] == '\\' && shortEscapes[s[at+1]] != 0:
			at += 2
		case at+1+digits < len(s) && s[at] == '\\' && s[at+1] == 'u':
			for _, c := range []byte(s[at+2 : at+2+digits]) {
				if !isHex(c) {
					return -1
				}
			}
			at += 2 + digits
		case at < len(s) && s[at] == '"':
			return at + 1
		default:
			return -1
		}
	}
}

func skipNumber(s string, at int) int {
	digits := func() bool {
		from := at
		for at < len(s) && s[at] >= '0' && s[at] <= '9' {
			at++
		}
		return at > from
	}
	if s[at] == '-' {
		at++
	}
	switch {
	case at < len(s) && s[at] == '0':
		at++
	case !digits():
		return -1
	}
	if at < len(s) && s[at] == '.' {
		at++
		if !digits() {
			return -1
		}
	}
	if at < len(s) && (s[at] == 'e' || s[at] == 'E') {
		at++
		if at < len(s) && (s[at] == '+' || s[at] == '-') {
			at++
		}
		if !digits() {
			return -1
		}
	}
	return at
}

// deepestObject is how deep the values in a string may be nested for it to be a container: gjson
// takes stack for each level.
const deepestObject = 64

// IsObject says whether a text is a JSON object that is not empty, with no white space around it,
// and not nested too deeply to be told as one.
func IsObject(text []byte) bool {
	return len(text) >= len(`{"":1}`) && text[0] == '{' && IsContainer(text)
}

// IsContainer says whether a text is a JSON object or array, with no white space around it, and not
// nested too deeply to be told as one.
func IsContainer(text []byte) bool {
	if len(text) < len("{}") || text[0] != '{' && text[0] != '[' || text[len(text)-1] != text[0]+('}'-'{') {
		return false
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end, _ := EndOfString(text, i)
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
