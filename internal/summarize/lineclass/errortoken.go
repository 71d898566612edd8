package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// isInToken reports whether an error word is a part of a path, of a run of base64, of a tag or of an
// option of a command, or the value of an option. Such a word reports no error:
// ./scripts/invoke_fails.txtar, #failure=3, --fail-fast, -Werror, --level error.
func isInToken(text []byte, start, end int) bool {
	from, to := start, end
	for from > 0 && !endsToken(text[from-1]) {
		from--
	}
	for to < len(text) && !endsToken(text[to]) {
		to++
	}
	token := text[from:to]
	if len(token) == end-start {
		return isValueOfOption(text[:from])
	}
	return isInPath(token, start-from, end-from) ||
		token[0] == '#' && ascii.IsLetter(token[1]) ||
		token[0] == '-' && isInOption(token, start-from) || isValueOfOption(text[:from])
}

// endsToken reports whether a character stands between two tokens of a line.
func endsToken(c byte) bool {
	return ascii.IsBlank(c) || bytes.IndexByte([]byte("\"'`()[]{}<>,;|\\\n"), c) >= 0
}

// isInPath reports whether an error word in a token is a part of a path or of a URL. What follows a
// colon after a path is none.
func isInPath(token []byte, start, end int) bool {
	slash := bytes.IndexByte(token, '/')
	if slash < 0 || slash > start && slash > end {
		return false
	}
	if colon := bytes.LastIndexByte(token[:start], ':'); colon >= 0 &&
		!bytes.HasPrefix(token[colon:], []byte("://")) && colon > slash {
		return false // x.go:error
	}
	isRooted := slash == 0 || token[0] == '.' || token[0] == '~' || slash > 0 && token[slash-1] == ':'
	isAlternative := bytes.Count(token, []byte{'/'}) == 1 && slash > 0 && !isRooted &&
		ascii.LeadingDigits(token[:slash]) == slash
	switch {
	case isAlternative: // 3/errors
		return false
	case slash == end && !isRooted:
		return bytes.Count(token, []byte{'/'}) > 1 // a folder, not errors/minute
	case end < len(token) && token[end] == ':' && !isRooted:
		return false // tests/error: bad
	case start > 0 && token[start-1] == '/' && end == len(token):
		return isRooted || bytes.Count(token, []byte{'/'}) > 1 // not a/error
	}
	return slash < start
}

// isInOption reports whether the error word at a place in a token that begins with a dash is a part
// of the name of an option, or the value after that: -Werror, --fail-fast, --level=error.
func isInOption(token []byte, start int) bool {
	name := bytes.TrimLeft(token, "-")
	dashes := len(token) - len(name)
	if dashes > 2 || len(name) == 0 || !ascii.IsLetter(name[0]) || token[len(token)-1] == '-' {
		return false
	}
	return dashes == 2 || start > 1 || bytes.IndexByte(name, '-') > 0 // -error alone may be a dash and a word
}

// isValueOfOption reports whether a text ends with an option that takes the next word: "--level
// error".
func isValueOfOption(before []byte) bool {
	text := bytes.TrimRight(before, " \"'")
	if len(text) == len(before) {
		return false
	}
	option := text[bytes.LastIndexAny(text, " \t")+1:]
	return len(option) > 3 && option[0] == '-' && option[1] == '-' && ascii.IsLetter(option[2]) &&
		ascii.IsAlphanumeric(option[len(option)-1])
}
