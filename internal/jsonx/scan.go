package jsonx

import (
	"math/bits"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
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

// scanner checks one JSON value, however it is cut.
type scanner struct {
	Structure
	scalar   Scalar
	inScalar bool // the rest of scalar comes next
	isLine   bool // a line feed is no white space
	maxDepth int
}

// start prepares the scanner for a value that is nested so deep already.
func (s *scanner) start(depth int) {
	s.Next, s.Depth, s.inScalar, s.maxDepth = NextTop, 0, false, maxDepth-depth
}

// wrongAt says why a byte can't stand at a place.
var wrongAt = [NextEnd + 1]string{
	NextTop: "not a value", NextFirst: "not a value", NextElement: "not a value", NextMember: "not a value",
	NextFirstName: "a name that is no string", NextName: "a name that is no string", NextColon: "no colon after a name",
	NextInArray: "no comma after a value", NextInObject: "no comma after a value",
}

// feed looks at b, the next bytes of the value, and returns how many of them belong to it. A number ends where a byte
// follows that is none of it: that is not counted.
func (s *scanner) feed(b []byte) (n int, reason string) {
	if s.inScalar {
		size, ends, reason := s.scalar.Feed(b)
		if n = size; !ends {
			return n, s.inLine(b[n:], reason)
		}
		s.inScalar = false
	}
	for n < len(b) && s.Next != NextEnd {
		c := b[n]
		is := signOf[c]
		next := grammar[s.Next&15][is&15]
		if next == 0 {
			if is != space || c == '\n' && s.isLine {
				return n, s.inLine(b[n:], wrongAt[s.Next])
			}
			for n++; n < len(b) && b[n] == ' '; n++ {
			}
			continue
		}
		if next > leave && s.Depth == s.maxDepth {
			return n, "nested too deep"
		}
		if s.Next = next; next > NextEnd {
			s.bracket()
		}
		n++
		if is == quote {
			if n += PlainRun(b[n:]); n < len(b) && b[n] == '"' { // as most strings do
				n++
				continue
			}
		}
		if is == quote || is == anyOther {
			if !s.scalar.Begin(c) {
				return n - 1, wrongAt[NextTop]
			}
			size, ends, reason := s.scalar.Feed(b[n:])
			if n += size; !ends {
				s.inScalar = true
				return n, s.inLine(b[n:], reason)
			}
		}
	}
	return n, ""
}

// inLine returns the reason why rest can't stand here, or that the line ends.
func (s *scanner) inLine(rest []byte, reason string) string {
	switch {
	case reason == "" || rest[0] != '\n' || !s.isLine:
		return reason
	case s.inScalar && s.scalar.IsString():
		return "the line ends within a string"
	}
	return "the line ends within a value"
}

// ended reports whether the value is whole.
func (s *scanner) ended() bool { return s.Next == NextEnd && !s.inScalar }

// finish says that no byte follows, and returns whether the value is whole.
func (s *scanner) finish() bool {
	s.inScalar = s.inScalar && !s.scalar.Ends()
	return s.ended()
}

func isSpace(c byte, isLine bool) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' && !isLine
}

// PlainRun returns how many bytes at the start of b stand for themselves in a JSON string: neither quotes, backslashes
// nor control characters.
func PlainRun[T []byte | string](b T) (n int) {
	for ; n+8 <= len(b); n += 8 {
		x := ascii.EightAt(b, n)
		quotes, slashes := x^'"'*ascii.EachByte, x^'\\'*ascii.EachByte
		special := (x-' '*ascii.EachByte)&^x | (quotes-ascii.EachByte)&^quotes | (slashes-ascii.EachByte)&^slashes
		if special &= 0x80 * ascii.EachByte; special != 0 {
			return n + bits.TrailingZeros64(special)/8 // of the lowest one no other byte has taken
		}
	}
	for n < len(b) && b[n] >= ' ' && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}
