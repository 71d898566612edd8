package split

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// path is where the value under way stands: its containers from the outermost to the innermost, and the member in each.
type path struct {
	text   []byte // in gjson syntax
	joints []int  // by container: the length of the text above it
	index  []int  // by container: members that have ended
	key    []byte // scratch
}

// reset returns an empty path that uses the same memory.
func (p path) reset() path { return path{p.text[:0], p.joints[:0], p.index[:0], p.key} }

// enter goes into a container.
func (p *path) enter() {
	p.joints = append(p.joints, len(p.text))
	p.index = append(p.index, 0)
}

// leave goes out of the innermost container.
func (p *path) leave() {
	last := len(p.joints) - 1
	p.text = p.text[:p.joints[last]]
	p.joints, p.index = p.joints[:last], p.index[:last]
}

// endMember ends a member of the innermost container, if there is one.
func (p *path) endMember() {
	if last := len(p.joints) - 1; last >= 0 {
		p.text = p.text[:p.joints[last]]
		p.index[last]++
	}
}

// addIndex begins an element of the innermost container, an array.
func (p *path) addIndex() {
	p.beginMember()
	p.text = strconv.AppendInt(p.text, int64(p.index[len(p.index)-1]), 10)
}

// MaxPath is how long a path, and maxKey how long a key in it, may be in bytes. A longer one is cut and ends in '…'.
const (
	MaxPath = 256
	maxKey  = 128
)

// addKey begins a member of the innermost container, an object, with a key in quotes.
func (p *path) addKey(quoted []byte) {
	key, whole := bytes.CutSuffix(quoted[1:], []byte{'"'})
	long := len(key) > maxKey || !whole
	if long {
		key = key[:wholeEscapes(key[:min(len(key), maxKey)])]
	}
	if bytes.IndexByte(key, '\\') >= 0 || !utf8.Valid(key) {
		p.key = AppendUnescaped(p.key[:0], key)
		key = p.key
	}
	p.beginMember()
	p.text = AppendPathKey(p.text, key)
	if long {
		p.text = append(p.text, "…"...)
	}
}

// beginMember begins the last component of the path anew.
func (p *path) beginMember() {
	p.text = p.text[:p.joints[len(p.joints)-1]]
	if len(p.text) > MaxPath {
		p.text = append(p.text[:wholeRunes(p.text[:MaxPath])], "…"...)
	}
	if len(p.text) > 0 {
		p.text = append(p.text, '.')
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
		r, size, _ = jsonx.DecodeEscape(s)
	}
	return r, size
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
