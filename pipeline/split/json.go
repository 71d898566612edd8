package split

import "github.com/kfw-dev/kfw/internal/jsonx"

// maxDepth is how deep containers are followed. What is nested deeper is opaque: brackets and strings are told apart
// and nothing else, and it is shown as a string.
const maxDepth = 512

// scanner follows the grammar of JSON (RFC 8259) byte by byte, in memory that does not depend on what it reads. The
// containers up to floor are open for good: what stands in them is reported member by member, what is deeper is part of
// a member. Its zero value stands before the first of a sequence of values.
type scanner struct {
	jsonx.Structure
	scalar   jsonx.Scalar
	inScalar bool // the rest of scalar comes next
	inside   bool // a value at the floor is under way
	resumes  bool // after a broken line: anything may come that can stand in the container at the floor

	opaque   int // brackets open below maxDepth
	inQuotes bool
	inEscape bool
	deep     bool // there was something below maxDepth

	hasMember bool // a member was complete, or its name, since this was set to false
	floor     int
	member    [maxDepth + 1]int64 // by depth: where the member under way begins, white space and key included
	reason    string              // of broken
}

// wrongAt says what must come at a place.
var wrongAt = [...]string{
	jsonx.NextTop: aValue, jsonx.NextFirst: aValue, jsonx.NextElement: aValue, jsonx.NextMember: aValue,
	jsonx.NextFirstName: "an object key must come here", jsonx.NextName: "an object key must come here",
	jsonx.NextColon:   "a colon must come here",
	jsonx.NextInArray: "a comma or the end must come here", jsonx.NextInObject: "a comma or the end must come here",
	jsonx.NextEnd: aValue,
}

const aValue = "a value must come here"

type event uint8

const (
	more     event = iota // all was read
	begins                // a value at the floor begins with the next byte; in an object, one that can't stand there
	ends                  // the value at the floor ended before the next byte
	keyBegin              // a key at the floor begins with the next byte
	keyEnd                // it ended before the next byte
	closes                // the container at the floor was closed
	broken                // the next byte can't stand here
)

// scan reads b, which stands at offset at, up to the next event and returns how many bytes come before it.
func (s *scanner) scan(b []byte, at int64) (int, event) {
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case s.inScalar:
		case s.opaque > 0:
			n, reason := s.skipOpaque(b[i:])
			i += n
			switch {
			case reason != "":
				return s.fail(i, reason)
			case s.opaque == 0 && s.done():
				return i, ends
			}
			continue
		case isSpace(c):
			i++
			continue
		default:
			if s.Depth == s.floor && !s.inside {
				if ev := s.atFloor(c); ev != more {
					return i, ev
				}
			}
			if reason := s.structure(c, at+int64(i)); reason != "" {
				return s.fail(i, reason)
			}
			i++
			switch {
			case s.inScalar:
			case s.Depth > s.floor || s.opaque > 0 || s.Depth == s.floor && !s.inside:
				continue
			case s.Depth < s.floor:
				return i, closes
			default:
				s.inside = false
				return i, ends
			}
		}
		isKey := s.inKey()
		n, ended, reason := s.scalar.Feed(b[i:])
		i += n
		switch {
		case reason != "":
			return s.fail(i, reason)
		case !ended:
			return i, more
		case !s.done():
		case isKey:
			return i, keyEnd
		default:
			return i, ends
		}
	}
	return len(b), more
}

func (s *scanner) fail(i int, reason string) (int, event) {
	s.reason = reason
	return i, broken
}

// skipOpaque reads on in a value below maxDepth, and returns how many bytes belong to it.
func (s *scanner) skipOpaque(b []byte) (n int, reason string) {
	for ; n < len(b) && s.opaque > 0; n++ {
		if s.inQuotes && !s.inEscape {
			if n += jsonx.PlainRun(b[n:]); n == len(b) {
				break
			}
		}
		c := b[n]
		switch {
		case s.inEscape:
			s.inEscape = false
		case s.inQuotes && c < ' ':
			return n, "control character in a string"
		case s.inQuotes:
			s.inQuotes, s.inEscape = c != '"', c == '\\'
		case c == '"':
			s.inQuotes = true
		case c == '[', c == '{':
			s.opaque++
		case c == ']', c == '}':
			s.opaque--
		}
	}
	return n, ""
}

// inKey reports whether the string under way is an object key.
func (s *scanner) inKey() bool { return s.inScalar && s.Next == jsonx.NextColon }

// done notes the end of a key, or of a value that is not a container, and reports whether it stood at the floor.
func (s *scanner) done() bool {
	s.inScalar = false
	if s.Depth == s.floor {
		s.inside = false
		return true
	}
	return false
}

// atFloor reports what c begins, at the floor and between values.
func (s *scanner) atFloor(c byte) event {
	isSign := c == ',' || c == ']' || c == '}'
	switch {
	case s.Next == jsonx.NextEnd && !isSign && c != ':': // values may follow each other at the top
		s.Next = jsonx.NextTop
	case s.resumes && !isSign && s.IsObject(s.Depth):
		if c == '{' || c == '[' {
			return begins
		}
		s.Next, s.resumes = jsonx.NextName, false
	case s.resumes && !isSign:
		s.Next, s.resumes = jsonx.NextElement, false
	}
	switch {
	case s.Next.IsName() && c == '"':
		return keyBegin
	case s.Next.IsValue() && (s.Next != jsonx.NextFirst || c != ']'):
		return begins
	}
	return more
}

// begin tells the scanner that the value, or the key, that it reported is to be read.
func (s *scanner) begin(c byte, at int64) string {
	s.inside = !s.Next.IsName()
	return s.structure(c, at)
}

// structure takes a byte that is neither white space nor part of a scalar; it returns why that can't stand here.
func (s *scanner) structure(c byte, at int64) string {
	if s.Depth == maxDepth && (c == '{' || c == '[') && s.Next.IsValue() {
		s.opaque, s.deep = 1, true
		c = '"' // what is opaque is no more than a scalar
	}
	if place := s.Next; !s.Take(c) {
		return wrongAt[place]
	}
	s.resumes = false
	switch c {
	case ',':
		s.hasMember = true
		s.member[s.Depth] = at + 1
	case ':':
		s.hasMember = true
	case '{', '[':
		s.member[s.Depth] = at + 1
	case '}', ']':
	default:
		if s.opaque > 0 {
			break
		}
		if !s.scalar.Begin(c) {
			return aValue
		}
		s.inScalar = true
	}
	return ""
}

// resume goes on at the floor after a broken line.
func (s *scanner) resume() {
	s.inScalar, s.inside, s.opaque, s.inQuotes, s.inEscape = false, false, 0, false, false
	s.resumes = s.floor > 0
	if s.Leave(s.floor); !s.resumes {
		s.Next = jsonx.NextTop
	}
}

// finish tells at the end of the input whether the value under way ends with it (a number does), and why not.
func (s *scanner) finish() (ended bool, reason string) {
	if s.inside && s.Depth == s.floor && s.inScalar && s.scalar.Ends() {
		ended = s.done()
	}
	if s.inside || s.Depth > 0 || s.inKey() {
		return ended, "the input ends within a value"
	}
	return ended, ""
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}
