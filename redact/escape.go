package redact

import (
	"bytes"
	"strings"
)

// maxRaw is how long one character may be written: \u0040 with each of its bytes
// escaped once more in the same way.
const maxRaw = 36

// escape is a character that was written in another way than it reads.
type escape struct {
	pos     int // where it stands in the text
	read    uint8
	written uint8
	raw     [maxRaw]byte
}

// maxBackslashes is how many may begin a nested escape: a string in a string in
// a string in a string.
const maxBackslashes = 8

// nested is the begin of an escape that the text itself holds: \u0040 or \/ in
// a line, and the same with its backslashes doubled, once per string it is in.
// JSON's own escapes are already read where it comes from a string.
type nested struct {
	units       [maxBackslashes + len("u0040")]unit
	size        int // of units
	backslashes int // how many of them come first
	raw         [maxRaw]byte
	written     int // of raw
}

// unit is a byte and how many bytes it is written in.
type unit struct{ read, written uint8 }

// takes says whether the escape may go on with c, which is written in so many bytes.
func (n *nested) takes(c byte, written int) bool {
	switch {
	case n.written+written > maxRaw:
		return false
	case n.size > n.backslashes:
		return hexadecimal.has(c)
	case c == '\\':
		return n.backslashes < maxBackslashes
	}
	return n.backslashes > 0 && (c == 'u' || c == '/')
}

func (n *nested) add(c byte, raw []byte) {
	n.units[n.size] = unit{c, uint8(len(raw))}
	n.size++
	if c == '\\' {
		n.backslashes++
	}
	n.written += copy(n.raw[n.written:], raw)
}

// character writes what the escape reads as, once it is whole; until then it
// returns 0. What JSON cannot hold bare, and a quote, reads as the short escape:
// it ends neither the line nor the string that it stands in.
func (n *nested) character(read *[4]byte) int {
	tail := n.units[n.backslashes:n.size]
	switch {
	case len(tail) == 1 && tail[0].read == '/':
		read[0] = '/'
		return 1
	case len(tail) < len("u0040"):
		return 0
	}
	var hex [4]byte
	for i := range hex {
		hex[i] = tail[i+1].read
	}
	size := decodeUnicode(read, hex[:])
	if size > 1 {
		return size
	}
	const bare, short = "\n\r\t\b\f\\\"'`", "nrtbf\\\"'`"
	if i := strings.IndexByte(bare, read[0]); i >= 0 {
		read[0], read[1] = '\\', short[i]
		return 2
	}
	return 1
}

// stage takes src in, and passes on only what there is no room for.
func (t *Text) stage(dst, src []byte) []byte {
	if t.rules.passAll {
		return append(dst, src...)
	}
	for len(src) > 0 {
		if t.nested.size > 0 || src[0] == '\\' {
			dst = t.stageUnit(dst, src[0], src[:1])
			src = src[1:]
			continue
		}
		n := bytes.IndexByte(src, '\\')
		if n < 0 {
			n = len(src)
		}
		dst = t.put(dst, src[:n])
		src = src[n:]
	}
	return dst
}

// stageEscape is stage for one character that reads as the bytes of read, at
// most 4, and is written as raw, at most maxRaw bytes.
func (t *Text) stageEscape(dst, read, raw []byte) []byte {
	if t.rules.passAll {
		return append(dst, raw...)
	}
	if len(read) == 1 && (t.nested.size > 0 || read[0] == '\\') {
		return t.stageUnit(dst, read[0], raw)
	}
	return t.putEscape(t.endNested(dst), read, raw)
}

// stageUnit takes in a byte that may be of a nested escape.
func (t *Text) stageUnit(dst []byte, c byte, raw []byte) []byte {
	n := &t.nested
	if !n.takes(c, len(raw)) {
		dst = t.endNested(dst)
		if !n.takes(c, len(raw)) {
			return t.putUnit(dst, c, raw)
		}
	}
	n.add(c, raw)
	var read [4]byte
	if size := n.character(&read); size > 0 {
		dst = t.putEscape(dst, read[:size], n.raw[:n.written])
		*n = nested{}
	}
	return dst
}

// endNested takes in the begin of an escape that did not become one.
func (t *Text) endNested(dst []byte) []byte {
	n := &t.nested
	if n.size == 0 {
		return dst
	}
	raw := n.raw[:n.written]
	for _, u := range n.units[:n.size] {
		dst = t.putUnit(dst, u.read, raw[:u.written])
		raw = raw[u.written:]
	}
	*n = nested{}
	return dst
}

func (t *Text) putUnit(dst []byte, c byte, raw []byte) []byte {
	if len(raw) == 1 {
		return t.put(dst, raw)
	}
	return t.putEscape(dst, []byte{c}, raw)
}

// put takes in bytes that read as they are written.
func (t *Text) put(dst, src []byte) []byte {
	for len(src) > 0 {
		t.compact()
		n := copy(t.buf[len(t.buf):cap(t.buf)], src)
		t.buf = t.buf[:len(t.buf)+n]
		src = src[n:]
		if len(t.buf) == cap(t.buf) {
			dst = t.advance(dst, false)
		}
	}
	return dst
}

func (t *Text) putEscape(dst, read, raw []byte) []byte {
	if len(t.escapes) == cap(t.escapes) || len(t.buf)+len(read) > cap(t.buf) {
		dst = t.advance(dst, false)
		t.compact()
	}
	e := escape{pos: len(t.buf), read: uint8(len(read)), written: uint8(len(raw))}
	copy(e.raw[:], raw)
	t.escapes = append(t.escapes, e)
	t.buf = append(t.buf, read...)
	return dst
}

// characterEnd returns at, or the end of the escaped character that at is in, and
// the escapes beyond.
func characterEnd(escapes []escape, at int) (int, []escape) {
	for len(escapes) > 0 && escapes[0].pos < at {
		at = max(at, escapes[0].pos+int(escapes[0].read))
		escapes = escapes[1:]
	}
	return at, escapes
}

// decodeUnicode writes the character of four hexadecimal digits as UTF-8. Half a
// surrogate pair is written as the character it stands for is read by every
// rule: as three bytes outside ASCII.
func decodeUnicode(read *[4]byte, hex []byte) int {
	r := 0
	for _, c := range hex {
		v := int(lowerByte(c)) - '0'
		if v > 9 {
			v -= 'a' - '0' - 10
		}
		r = r<<4 | v
	}
	switch {
	case r < 0x80:
		read[0] = byte(r)
		return 1
	case r < 0x800:
		read[0], read[1] = 0xc0|byte(r>>6), 0x80|byte(r&0x3f)
		return 2
	}
	read[0], read[1], read[2] = 0xe0|byte(r>>12), 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f)
	return 3
}

// holdsEscape says whether line has what may be a nested escape.
func holdsEscape(line []byte) bool {
	for {
		i := bytes.IndexByte(line, '\\')
		if i < 0 || i+1 == len(line) {
			return false
		}
		if c := line[i+1]; c == 'u' || c == '/' {
			return true
		}
		line = line[i+1:]
	}
}
