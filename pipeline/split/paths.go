package split

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// enter begins the members of a container.
func (c *chunker) enter() {
	c.json.floor++
	c.joints = append(c.joints, len(c.path))
	c.index = append(c.index, 0)
}

// leave ends a member.
func (c *chunker) leave() {
	if level := c.json.floor - 1; level >= 0 {
		c.path = c.path[:c.joints[level]]
		c.index[level]++
	}
}

// nameMember puts the index of an element on the path; a key is put there by namePath.
func (c *chunker) nameMember() {
	level := c.json.floor - 1
	if level < 0 || c.json.object[c.json.floor] {
		return
	}
	c.component()
	c.path = strconv.AppendInt(c.path, int64(c.index[level]), 10)
}

// maxPath is how long a path, and maxKey how long a key in it, may be in bytes; what is longer is cut and ends in '…'.
const (
	MaxPath = 256
	maxKey  = 128
)

// namePath puts a quoted key on the path.
func (c *chunker) namePath(quoted []byte) {
	name, whole := bytes.CutSuffix(quoted[1:], []byte{'"'})
	long := len(name) > maxKey || !whole
	if long {
		name = name[:wholeEscapes(name[:min(len(name), maxKey)])]
	}
	if bytes.IndexByte(name, '\\') >= 0 || !utf8.Valid(name) {
		c.name = AppendUnescaped(c.name[:0], name)
		name = c.name
	}
	c.component()
	c.path = AppendPathKey(c.path, name)
	if long {
		c.path = append(c.path, "…"...)
	}
}

// AppendUnescaped appends what stands in a JSON string, with U+FFFD for what is not Unicode.
func AppendUnescaped(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := nextRune(s)
		dst = utf8.AppendRune(dst, r)
		s = s[n:]
	}
	return dst
}

// nextRune returns the character that s, which stands in a JSON string, begins with, and how many bytes of s it is.
func nextRune(s []byte) (r rune, size int) {
	if r, size = utf8.DecodeRune(s); r == '\\' {
		r, size = unescape(s)
	}
	if !utf8.ValidRune(r) { // half of a pair
		r = utf8.RuneError
	}
	return r, size
}

// unescape returns the character of the escape that s begins with, and its length.
func unescape(s []byte) (rune, int) {
	if len(s) < 2 {
		return utf8.RuneError, len(s)
	}
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		first := hexadecimal(s[2:])
		if !utf16.IsSurrogate(first) || len(s) < 12 || s[6] != '\\' || s[7] != 'u' {
			return first, min(6, len(s))
		}
		if r := utf16.DecodeRune(first, hexadecimal(s[8:])); r != utf8.RuneError {
			return r, 12
		}
		return utf8.RuneError, 6
	}
	return rune(s[1]), 2
}

// hexadecimal is the value of the four digits that s begins with.
func hexadecimal(s []byte) (value rune) {
	for _, c := range s[:min(4, len(s))] {
		value <<= 4
		switch {
		case c <= '9':
			value |= rune(c - '0')
		default:
			value |= rune(c|0x20-'a') + 10
		}
	}
	return value
}

// component begins the last component of the path anew.
func (c *chunker) component() {
	level := c.json.floor - 1
	c.path = c.path[:c.joints[level]]
	if len(c.path) > MaxPath {
		c.path = append(c.path[:wholeRunes(c.path[:MaxPath])], "…"...)
	}
	if len(c.path) > 0 {
		c.path = append(c.path, '.')
	}
}

// AppendPathKey appends a key as one component of a path.
func AppendPathKey[S []byte | string](dst []byte, key S) []byte {
	for i := range len(key) {
		if !pathSafe(key[i]) {
			dst = append(dst, '\\')
		}
		dst = append(dst, key[i])
	}
	return dst
}

// pathSafe reports whether gjson takes b as part of a key without a backslash.
func pathSafe(b byte) bool { return strings.IndexByte(`.*?|\#@!{}[]()"`, b) < 0 }
