package split

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Where a text and a JSON string can be cut, and how long their pieces are.

func spaces(b []byte) int {
	for i, x := range b {
		if !isSpace(x) {
			return i
		}
	}
	return len(b)
}

// IsString reports whether b is one whole JSON string, or begins and ends as one does.
func IsString(b []byte) bool {
	if len(b) == 0 || b[0] != '"' {
		return false
	}
	end, _ := jsonx.EndOfString(b, 0)
	return end == len(b) && endsQuoted(b)
}

// wholeRunes is the length of the longest beginning of b that does not end within a character.
func wholeRunes(b []byte) int {
	for n := len(b); n > len(b)-utf8.UTFMax && n > 0; n-- {
		if utf8.RuneStart(b[n-1]) {
			if utf8.FullRune(b[n-1:]) {
				return len(b)
			}
			return n - 1
		}
	}
	return len(b)
}

// wholeEscapes is the length of the longest beginning of b, which stands in a JSON string, that ends neither within a
// character nor within an escape nor between the halves of a surrogate pair.
func wholeEscapes(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\\')
		if n < 0 {
			return wholeRunes(b)
		}
		i += n
		size := 2
		if i+1 < len(b) && b[i+1] == 'u' {
			size = 6
			if i+3 < len(b) && b[i+2]|0x20 == 'd' && bytes.IndexByte([]byte("89abAB"), b[i+3]) >= 0 &&
				mayBeLow(b[min(i+6, len(b)):]) {
				size = 12
			}
		}
		if i+size > len(b) {
			return i
		}
		i += size
	}
}

// mayBeLow says whether b begins with the escape of the second half of a surrogate pair, as far as it goes.
func mayBeLow(b []byte) bool {
	for i, any := range []string{`\`, "u", "dD", "cdefCDEF"} {
		if i < len(b) && strings.IndexByte(any, b[i]) < 0 {
			return false
		}
	}
	return true
}
