package jsonx

import (
	"bytes"
	"math/bits"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of values: scalars, then Array and Object.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
	Kinds = iota // how many there are
)

// String returns the name that JSON Schema has for a kind: "null", "boolean", "number", "string",
// "array" or "object".
func (k Kind) String() string {
	return [Kinds]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// KindOf returns the kind of the value that begins with a byte, which is valid JSON.
func KindOf(first byte) Kind {
	switch first {
	case '"':
		return String
	case '{':
		return Object
	case '[':
		return Array
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Cursor walks a valid JSON value (RFC 8259) once, from left to right, without
// copying. On anything else it ends early; it never reads out of bounds.
type Cursor struct {
	Source    []byte
	At        int
	IsEscaped bool // the string that was passed last has escapes
}

// Kind returns the type of the value that starts here.
func (c *Cursor) Kind() Kind {
	c.SkipSpace()
	if c.At >= len(c.Source) {
		return Null
	}
	return KindOf(c.Source[c.At])
}

// Enter steps into the object or array that starts here.
func (c *Cursor) Enter() { c.At++ }

// Member steps to the value of the next member and returns its name, without
// quotes and with its escapes. Past the last one it steps out of the object.
func (c *Cursor) Member() (name []byte, ok bool) {
	if !c.next('}') {
		return nil, false
	}
	if c.Source[c.At] != '"' {
		c.At = len(c.Source)
		return nil, false
	}
	start := c.At + 1
	c.passString()
	name = c.Source[start:max(start, c.At-1)]
	c.SkipSpace()
	if c.At >= len(c.Source) || c.Source[c.At] != ':' {
		c.At = len(c.Source)
		return nil, false
	}
	c.At++
	return name, true
}

// PassName steps to the value of the next member if its name is that, given with its quotes and the
// colon after it.
func (c *Cursor) PassName(name []byte) bool {
	at := c.At
	for at < len(c.Source) && (c.Source[at] == ',' || c.Source[at] == ' ') {
		at++
	}
	if !bytes.HasPrefix(c.Source[min(at, len(c.Source)):], name) {
		return false
	}
	c.At = at + len(name)
	return true
}

// Element steps to the next element. Past the last one it steps out of the
// array.
func (c *Cursor) Element() bool { return c.next(']') }

// Entry steps to the next member of an object, or element of an array.
func (c *Cursor) Entry(isObject bool) (name []byte, ok bool) {
	if isObject {
		return c.Member()
	}
	return nil, c.Element()
}

func (c *Cursor) next(closing byte) bool {
	c.SkipSpace()
	if c.At < len(c.Source) && c.Source[c.At] == ',' {
		c.At++
		c.SkipSpace()
	}
	if c.At >= len(c.Source) {
		return false
	}
	if c.Source[c.At] == closing {
		c.At++
		return false
	}
	if c.Source[c.At] == ']' || c.Source[c.At] == '}' {
		c.At = len(c.Source)
		return false
	}
	return true
}

// IsEmpty says whether the object or array that starts here has nothing in it.
func (c *Cursor) IsEmpty() bool {
	inner := Cursor{Source: c.Source, At: c.At + 1}
	inner.SkipSpace()
	return inner.At >= len(inner.Source) || inner.Source[inner.At] == ']' || inner.Source[inner.At] == '}'
}

// Take returns the value that starts here as it is written and steps past it;
// never nothing, whatever the input.
func (c *Cursor) Take() []byte { return c.TakeOf(c.Kind()) }

// TakeOf is take for a value of a kind that is known, without white space before it.
func (c *Cursor) TakeOf(k Kind) []byte {
	start := min(c.At, len(c.Source))
	switch k {
	case String:
		c.passString()
	case Array, Object:
		c.At = endOfContainer(c.Source, c.At)
	default:
		c.At = endOfLiteral(c.Source, start)
	}
	if c.At == start {
		c.At = len(c.Source)
		return []byte("null")
	}
	return c.Source[start:c.At]
}

func (c *Cursor) passString() { c.At, c.IsEscaped = EndOfString(c.Source, c.At) }

// SkipSpace steps past white space.
func (c *Cursor) SkipSpace() {
	for c.At < len(c.Source) && c.Source[c.At] <= ' ' {
		c.At++
	}
}

// EndOfString returns the index after the string whose opening quote is at i, and whether it has
// escapes.
func EndOfString[T []byte | string](src T, i int) (end int, isEscaped bool) {
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

// EndOfValue returns the index after the value that begins at i.
func EndOfValue[T []byte | string](src T, i int) int {
	switch src[i] {
	case '"':
		i, _ = EndOfString(src, i)
		return i
	case '[', '{':
		return endOfContainer(src, i)
	}
	return endOfLiteral(src, i)
}

func endOfContainer[T []byte | string](src T, i int) int {
	for depth := 0; i < len(src); {
		switch src[i] {
		case '"':
			i, _ = EndOfString(src, i)
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

func endOfLiteral[T []byte | string](src T, i int) int {
	for i < len(src) {
		switch src[i] {
		case ',', '}', ']', ' ', '\t', '\n', '\r', ':', '"', '{', '[':
			return i
		}
		i++
	}
	return i
}

// AppendMinified appends the JSON value without the white space around its
// tokens.
func AppendMinified(dst, value []byte) []byte {
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			end, _ := EndOfString(value, i)
			dst = append(dst, value[i:end]...)
			i = end
		case c <= ' ':
			i++
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// Inside returns a JSON string without its quotes.
func Inside(value []byte) []byte { return value[1:max(1, len(value)-1)] }
