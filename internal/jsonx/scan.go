package jsonx

import (
	"math/bits"
	"strconv"
)

// maxDepth is how deep arrays and objects may be nested, as in encoding/json.
const maxDepth = 10_000

// A SyntaxError says why a text is not JSON. It quotes nothing of the text.
type SyntaxError struct {
	Reason string
	Offset int64 // bytes before the place
}

// Error implements error. It counts bytes from 1.
func (e *SyntaxError) Error() string {
	return "not JSON: " + e.Reason + " at byte " + strconv.FormatInt(e.Offset+1, 10)
}

// state is what a scanner expects next.
type state uint8

const (
	atValue     state = iota
	atFirst           // a value, or the end of the array
	atName            // a name
	atFirstName       // a name, or the end of the object
	atColon           //
	atNext            // a comma, or the end of the array or object
	inScalar          // a string, a number or a literal
	atEnd             // the value has ended
)

// scanner checks one JSON value, however it is cut. It needs no more memory for a larger value, and a bit for each
// level of nesting.
type scanner struct {
	isLine   bool // a line feed is no white space
	state    state
	isName   bool // the current string is a name
	scalar   Scalar
	depth    int
	maxDepth int
	objects  []uint64 // bit d says that level d is an object
}

// start prepares the scanner for a value that is nested so deep already.
func (s *scanner) start(depth int) {
	s.state, s.depth, s.maxDepth = atValue, 0, maxDepth-depth
}

// feed looks at b, the next bytes of the value, and returns how many of them belong to it. A number ends where a byte
// follows that is none of it: that is not counted.
func (s *scanner) feed(b []byte) (n int, reason string) {
	for n < len(b) && s.state != atEnd {
		if s.state == inScalar {
			size, ends, reason := s.scalar.Feed(b[n:])
			n += size
			if s.isLine && reason != "" && b[n] == '\n' {
				reason = "the line ends within a value"
				if s.scalar.IsString() {
					reason = "the line ends within a string"
				}
			}
			if reason != "" {
				return n, reason
			}
			if ends {
				s.endScalar()
			}
			continue
		}
		c := b[n]
		if isSpace(c, s.isLine) {
			n++
			continue
		}
		if c == '\n' {
			return n, "the line ends within a value"
		}
		if reason := s.structure(c); reason != "" {
			return n, reason
		}
		n++
	}
	return n, ""
}

// finish says that no byte follows, and returns whether the value is whole.
func (s *scanner) finish() bool {
	if s.depth == 0 && s.state == inScalar && s.scalar.Ends() {
		s.state = atEnd
	}
	return s.state == atEnd
}

// structure takes a byte outside of strings, literals and numbers.
func (s *scanner) structure(c byte) (reason string) {
	switch s.state {
	case atFirst, atFirstName:
		if c == ']' && s.state == atFirst || c == '}' && s.state == atFirstName {
			s.leave()
			return ""
		}
		if s.state == atFirst {
			return s.value(c)
		}
		return s.name(c)
	case atName:
		return s.name(c)
	case atColon:
		if c != ':' {
			return "no colon after a name"
		}
		s.state = atValue
		return ""
	case atNext:
		isObject := s.inObject()
		switch {
		case c == ',' && isObject:
			s.state = atName
		case c == ',':
			s.state = atValue
		case c == '}' && isObject, c == ']' && !isObject:
			s.leave()
		default:
			return "no comma after a value"
		}
		return ""
	}
	return s.value(c)
}

func (s *scanner) name(c byte) (reason string) {
	if c != '"' {
		return "a name that is no string"
	}
	s.scalar.Begin(c)
	s.state, s.isName = inScalar, true
	return ""
}

// value takes the first byte of a value.
func (s *scanner) value(c byte) (reason string) {
	if c == '{' || c == '[' {
		return s.enter(c == '{')
	}
	if !s.scalar.Begin(c) {
		return "not a value"
	}
	s.state, s.isName = inScalar, false
	return ""
}

func (s *scanner) endScalar() {
	if s.isName {
		s.state = atColon
		return
	}
	s.endValue()
}

func (s *scanner) enter(isObject bool) (reason string) {
	if s.depth == s.maxDepth {
		return "nested too deep"
	}
	if s.depth/64 == len(s.objects) {
		s.objects = append(s.objects, 0)
	}
	word, bit := s.depth/64, uint64(1)<<(s.depth%64)
	s.depth++
	if isObject {
		s.objects[word] |= bit
		s.state = atFirstName
	} else {
		s.objects[word] &^= bit
		s.state = atFirst
	}
	return ""
}

func (s *scanner) leave() {
	s.depth--
	s.endValue()
}

func (s *scanner) inObject() bool {
	d := s.depth - 1
	return s.objects[d/64]&(1<<(d%64)) != 0
}

func (s *scanner) endValue() {
	s.state = atNext
	if s.depth == 0 {
		s.state = atEnd
	}
}

func isSpace(c byte, isLine bool) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' && !isLine
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// word returns eight bytes as a number, the first one lowest.
func word[T []byte | string](b T) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// PlainRun returns how many bytes at the start of b stand for themselves in a JSON string: neither quotes, backslashes
// nor control characters.
func PlainRun[T []byte | string](b T) (n int) {
	for ; n+8 <= len(b); n += 8 {
		x := word(b[n : n+8])
		quotes, slashes := x^'"'*eachByte, x^'\\'*eachByte
		special := (x-' '*eachByte)&^x | (quotes-eachByte)&^quotes | (slashes-eachByte)&^slashes
		if special &= highBits; special != 0 {
			return n + bits.TrailingZeros64(special)/8 // of the lowest one no other byte has taken
		}
	}
	for n < len(b) && b[n] >= ' ' && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}
