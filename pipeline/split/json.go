package split

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// maxDepth is how deep containers are followed. What is nested deeper is opaque: brackets and strings are told apart
// and nothing else, and it is shown as a string.
const maxDepth = 512

// scanner follows the grammar of JSON (RFC 8259) byte by byte, in memory that does not depend on what it reads. The
// containers up to floor are open for good: what stands in them is reported member by member, what is deeper is part of
// a member. Its zero value stands before the first of a sequence of values.
type scanner struct {
	state  state
	scalar jsonx.Scalar // of inScalar
	key    bool         // the string under way is an object key
	inside bool         // a value at the floor is under way
	depth  int          // containers that are open, at most maxDepth
	opaque int          // brackets open below maxDepth
	deep   bool         // there was something below maxDepth

	hasMember bool // a member was complete, or its name, since this was set to false
	floor     int
	object    [maxDepth + 1]bool  // by depth: an object, not an array
	member    [maxDepth + 1]int64 // by depth: where the member under way begins, white space and key included
	reason    string              // of broken
}

type state uint8

const (
	inValue   state = iota // a value must come
	inFirst                // or the end of an array
	inMembers              // a key, or the end of an object
	inKey                  // a key must come
	inColon
	inAfter  // a comma, or the end of a container
	inResume // after a broken line: anything that can stand in the container at the floor
	inScalar
	inOpaque
	inOpaqueString
	inOpaqueEscape
)

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
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch s.state {
		case inScalar:
			n, ended, reason := s.scalar.Feed(b[i:])
			i += n
			switch {
			case reason != "":
				return s.fail(i, reason)
			case !ended:
				return i, more
			case s.key:
				s.key, s.state = false, inColon
				if s.depth == s.floor {
					return i, keyEnd
				}
			case s.done():
				return i, ends
			}
			i--
		case inValue, inFirst, inMembers, inKey, inColon, inAfter, inResume:
			if isSpace(c) {
				continue
			}
			if s.depth == s.floor && !s.inside {
				if ev := s.atFloor(c); ev != more {
					return i, ev
				}
			}
			if reason := s.structure(c, at+int64(i)); reason != "" {
				return s.fail(i, reason)
			}
			if s.depth < s.floor {
				return i + 1, closes
			}
			if s.inside && s.depth == s.floor && s.state == inAfter {
				s.inside = false
				return i + 1, ends
			}
		case inOpaque:
			n := bytes.IndexAny(b[i:], "\"[]{}")
			if n < 0 {
				return len(b), more
			}
			i += n
			switch b[i] {
			case '"':
				s.state = inOpaqueString
			case '[', '{':
				s.opaque++
			default:
				if s.opaque--; s.opaque == 0 && s.done() {
					return i + 1, ends
				}
			}
		case inOpaqueString:
			n := jsonx.PlainRun(b[i:])
			if i += n; i == len(b) {
				return i, more
			}
			switch b[i] {
			case '\\':
				s.state = inOpaqueEscape
			case '"':
				s.state = inOpaque
			default:
				return s.fail(i, "control character in a string")
			}
		case inOpaqueEscape:
			s.state = inOpaqueString
		}
	}
	return len(b), more
}

func (s *scanner) fail(i int, reason string) (int, event) {
	s.reason = reason
	return i, broken
}

// done notes the end of a value that is not a container and reports whether it stood at the floor.
func (s *scanner) done() bool {
	s.state = inAfter
	if s.depth == s.floor {
		s.inside = false
		return true
	}
	return false
}

// atFloor reports what c begins, at the floor and between values.
func (s *scanner) atFloor(c byte) event {
	switch s.state {
	case inAfter:
		if s.depth > 0 || c == ',' || c == ':' || c == ']' || c == '}' {
			return more
		}
		s.state = inValue // values may follow each other at the top
		return begins
	case inValue:
		return begins
	case inFirst:
		if c != ']' {
			return begins
		}
	case inMembers, inKey:
		if c == '"' {
			return keyBegin
		}
	case inResume:
		switch {
		case c == ',' || c == ']' || c == '}':
		case s.object[s.depth] && (c == '{' || c == '['):
			return begins
		case s.object[s.depth]:
			s.state = inKey
			if c == '"' {
				return keyBegin
			}
		default:
			s.state = inValue
			return begins
		}
	}
	return more
}

// begin tells the scanner that the value, or the key, that it reported is to be read.
func (s *scanner) begin(c byte, at int64) string {
	if s.state == inKey || s.state == inMembers {
		s.beginKey()
		return ""
	}
	s.inside = true
	return s.value(c, at)
}

// structure takes a byte that is neither white space nor part of a scalar; it returns why that can't stand here.
func (s *scanner) structure(c byte, at int64) string {
	switch s.state {
	case inValue:
		return s.value(c, at)
	case inFirst:
		if c == ']' {
			s.pop()
			return ""
		}
		return s.value(c, at)
	case inMembers, inKey:
		switch {
		case c == '"':
			s.beginKey()
		case c == '}' && s.state == inMembers:
			s.pop()
		default:
			return "an object key must come here"
		}
	case inColon:
		if c != ':' {
			return "a colon must come here"
		}
		s.state, s.hasMember = inValue, true
	case inAfter, inResume:
		switch {
		case s.depth == 0:
			return "a value must come here"
		case c == ',':
			s.hasMember = true
			s.member[s.depth] = at + 1
			if s.state = inValue; s.object[s.depth] {
				s.state = inKey
			}
		case c == '}' && s.object[s.depth], c == ']' && !s.object[s.depth]:
			s.pop()
		default:
			return "a comma or the end must come here"
		}
	}
	return ""
}

func (s *scanner) beginKey() {
	s.scalar.Begin('"')
	s.state, s.key = inScalar, true
}

func (s *scanner) value(c byte, at int64) string {
	switch {
	case c != '{' && c != '[':
		if !s.scalar.Begin(c) {
			return "a value must come here"
		}
		s.state = inScalar
	case s.depth == maxDepth:
		s.state, s.opaque, s.deep = inOpaque, 1, true
	default:
		s.push(c == '{', at)
	}
	return ""
}

func (s *scanner) push(object bool, at int64) {
	s.depth++
	s.object[s.depth] = object
	s.member[s.depth] = at + 1
	if s.state = inFirst; object {
		s.state = inMembers
	}
}

func (s *scanner) pop() {
	s.depth--
	s.state = inAfter
}

// finish tells at the end of the input whether the value under way ends with it (a number does), and why not.
func (s *scanner) finish() (ended bool, reason string) {
	if s.inside && s.depth == s.floor && s.state == inScalar && s.scalar.Ends() {
		s.done()
		ended = true
	}
	if s.inside || s.depth > 0 || s.key {
		return ended, "the input ends within a value"
	}
	return ended, ""
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}
