package summarize

import (
	"bytes"
	"math/bits"

	"github.com/kfw-dev/kfw/summarize/ascii"
)

// kind is the type of a JSON value.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
	kinds = iota
)

func (k kind) String() string {
	return [kinds]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

func kindOf(first byte) kind {
	switch first {
	case '"':
		return kindString
	case '{':
		return kindObject
	case '[':
		return kindArray
	case 't', 'f':
		return kindBool
	case 'n':
		return kindNull
	}
	return kindNumber
}

// cursor walks a valid JSON value (RFC 8259) once, from left to right, without
// copying. On anything else it ends early; it never reads out of bounds.
type cursor struct {
	src       []byte
	at        int
	isEscaped bool // the string that was passed last has escapes
}

// kind returns the type of the value that starts here.
func (c *cursor) kind() kind {
	c.skipSpace()
	if c.at >= len(c.src) {
		return kindNull
	}
	return kindOf(c.src[c.at])
}

// enter steps into the object or array that starts here.
func (c *cursor) enter() { c.at++ }

// member steps to the value of the next member and returns its name, without
// quotes and with its escapes. Past the last one it steps out of the object.
func (c *cursor) member() (name []byte, ok bool) {
	if !c.next('}') {
		return nil, false
	}
	if c.src[c.at] != '"' {
		c.at = len(c.src)
		return nil, false
	}
	start := c.at + 1
	c.passString()
	name = c.src[start:max(start, c.at-1)]
	c.skipSpace()
	if c.at >= len(c.src) || c.src[c.at] != ':' {
		c.at = len(c.src)
		return nil, false
	}
	c.at++
	return name, true
}

// passName steps to the value of the next member if its name is that, given with its quotes and the colon after it.
func (c *cursor) passName(name []byte) bool {
	at := c.at
	for at < len(c.src) && (c.src[at] == ',' || c.src[at] == ' ') {
		at++
	}
	if !bytes.HasPrefix(c.src[min(at, len(c.src)):], name) {
		return false
	}
	c.at = at + len(name)
	return true
}

// element steps to the next element. Past the last one it steps out of the
// array.
func (c *cursor) element() bool { return c.next(']') }

// entry steps to the next member of an object, or element of an array.
func (c *cursor) entry(isObject bool) (name []byte, ok bool) {
	if isObject {
		return c.member()
	}
	return nil, c.element()
}

func (c *cursor) next(closing byte) bool {
	c.skipSpace()
	if c.at < len(c.src) && c.src[c.at] == ',' {
		c.at++
		c.skipSpace()
	}
	if c.at >= len(c.src) {
		return false
	}
	if c.src[c.at] == closing {
		c.at++
		return false
	}
	if c.src[c.at] == ']' || c.src[c.at] == '}' {
		c.at = len(c.src)
		return false
	}
	return true
}

// isEmpty says whether the object or array that starts here has nothing in it.
func (c *cursor) isEmpty() bool {
	inner := cursor{src: c.src, at: c.at + 1}
	inner.skipSpace()
	return inner.at >= len(inner.src) || inner.src[inner.at] == ']' || inner.src[inner.at] == '}'
}

// take returns the value that starts here as it is written and steps past it;
// never nothing, whatever the input.
func (c *cursor) take() []byte { return c.takeOf(c.kind()) }

// takeOf is take for a value of a kind that is known, without white space before it.
func (c *cursor) takeOf(k kind) []byte {
	start := min(c.at, len(c.src))
	switch k {
	case kindString:
		c.passString()
	case kindArray, kindObject:
		c.at = endOfContainer(c.src, c.at)
	default:
		c.at = endOfLiteral(c.src, start)
	}
	if c.at == start {
		c.at = len(c.src)
		return []byte("null")
	}
	return c.src[start:c.at]
}

func (c *cursor) passString() { c.at, c.isEscaped = endOfString(c.src, c.at) }

func (c *cursor) skipSpace() {
	for c.at < len(c.src) && c.src[c.at] <= ' ' {
		c.at++
	}
}

// endOfString returns the index after the string whose opening quote is at i, and whether it has escapes.
func endOfString(src []byte, i int) (end int, isEscaped bool) {
	for i++; i < len(src); {
		if i+8 <= len(src) {
			b := ascii.EightAt(src, i)
			found := ascii.ZeroBytes(b^'"'*ascii.EachByte) | ascii.ZeroBytes(b^'\\'*ascii.EachByte)
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
		}
		switch src[i] {
		case '"':
			return i + 1, isEscaped
		case '\\':
			isEscaped = true
			i++
		}
		i++
	}
	return len(src), isEscaped
}

func endOfContainer(src []byte, i int) int {
	for depth := 0; i < len(src); {
		switch src[i] {
		case '"':
			i, _ = endOfString(src, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(src)
}

func endOfLiteral(src []byte, i int) int {
	for i < len(src) {
		switch src[i] {
		case ',', '}', ']', ' ', '\t', '\n', '\r', ':', '"', '{', '[':
			return i
		}
		i++
	}
	return i
}
