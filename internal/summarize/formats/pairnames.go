package formats

import (
	"bytes"
	"math/bits"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// nameLen is the length of the name of a pair at the start of text: letters, digits and a few signs, of which an
// underscore alone may come first.
func nameLen(text []byte) (n int) {
	if len(text) == 0 || !ascii.IsLetter(text[0]) && text[0] != '_' {
		return 0
	}
	for n = 1; n < len(text) && inName[text[n]]; n++ {
	}
	return n
}

// inName says which bytes may be in the name of a pair.
var inName = func() (t [256]bool) {
	for c := range t {
		t[c] = ascii.IsAlphanumeric(byte(c)) || bytes.IndexByte([]byte("_.-/@"), byte(c)) >= 0
	}
	return t
}()

// valueLen is the length of the value at the start of text, with its quotes. What follows is no blank if it is none.
func valueLen(text []byte) (n int) {
	if len(text) > 0 && text[0] == '"' {
		for n = 1; n < len(text) && text[n] != '"'; n++ {
			if text[n] == '\\' {
				n++
			}
		}
		if n >= len(text) {
			return 0
		}
		return n + 1
	}
	for ; n+8 <= len(text); n += 8 {
		b := ascii.EightAt(text, n)
		if found := ascii.ZeroBytes(b^' '*ascii.EachByte) | ascii.ZeroBytes(b^'"'*ascii.EachByte); found != 0 {
			return n + bits.TrailingZeros64(found)/8
		}
	}
	for n < len(text) && text[n] != ' ' && text[n] != '"' {
		n++
	}
	return n
}
