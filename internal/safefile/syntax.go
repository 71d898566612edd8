package safefile

import "fmt"

// Syntax is how a file is nested.
type Syntax uint8

// The forms of files.
const (
	Plain Syntax = iota // not at all, or the parser has a limit of its own
	JSON                // with or without comments
	TOML
)

// MostDepth is how deep JSON and TOML may be nested. No parser needs much memory for so many levels.
const MostDepth = 512

// longQuotes is how many quotes a long string of TOML begins and ends with.
const longQuotes = 3

var errDeep = fmt.Errorf("nested deeper than %d levels", MostDepth)

// scanner follows the brackets of JSON or TOML. It implements io.Writer; its error says which limit is passed.
type scanner struct {
	limit  Limit
	depth  int
	values int // brackets that open, and commas
	state  state
	quote  byte // of the string
	run    int  // quotes of it that follow each other
	last   byte
}

// state is what a scanner is within.
type state uint8

const (
	atTop    state = iota
	atQuotes       // one or more quotes that begin a string
	inString
	inLong // a string of TOML with three quotes
	inLine // a comment to the end of the line
	inBlock
)

// Write implements io.Writer.
func (s *scanner) Write(b []byte) (int, error) {
	if s.limit.Syntax == Plain {
		return len(b), nil
	}
	for _, c := range b {
		s.next(c)
		switch {
		case s.depth > MostDepth:
			return 0, errDeep
		case s.limit.Values > 0 && s.values > s.limit.Values:
			return 0, fmt.Errorf("more than %d values", s.limit.Values)
		}
	}
	return len(b), nil
}

func (s *scanner) next(c byte) {
	before := s.last
	s.last = c
	switch s.state {
	case atQuotes:
		switch {
		case c == s.quote && s.run == longQuotes-1:
			s.state, s.run = inLong, 0
			return
		case c == s.quote:
			s.run++
			return
		case s.run == longQuotes-1: // an empty string has ended
			s.state = atTop
		default:
			s.state = inString
		}
		s.last = 0
		s.next(c)
	case inString, inLong:
		s.inside(c, before)
	case inLine:
		if c == '\n' {
			s.state = atTop
		}
	case inBlock:
		if c == '/' && before == '*' {
			s.state, s.last = atTop, 0
		}
	default:
		s.outside(c, before)
	}
}

// inside goes on in a string.
func (s *scanner) inside(c, before byte) {
	isEscape := before == '\\' && s.quote == '"'
	switch {
	case isEscape:
		s.last, s.run = 0, 0 // a backslash that was escaped escapes nothing
	case c != s.quote && s.run >= longQuotes:
		s.state, s.last = atTop, 0
		s.next(c)
		return
	case c != s.quote:
		s.run = 0
	case s.state == inString:
		s.state = atTop
	default:
		if s.run++; s.run == longQuotes+2 { // the string may end in two of its own
			s.state = atTop
		}
	}
	if s.state == inString && c == '\n' && s.limit.Syntax == TOML { // it has not ended where it had to
		s.state = atTop
	}
}

// outside goes on between strings and comments.
func (s *scanner) outside(c, before byte) {
	isJSON := s.limit.Syntax == JSON
	switch {
	case c == '"' || c == '\'' && !isJSON:
		s.quote, s.run, s.state, s.last = c, 1, inString, 0
		if !isJSON {
			s.state = atQuotes
		}
	case c == '[' || c == '{':
		s.depth++
		s.values++
	case c == ']' || c == '}':
		s.depth = max(0, s.depth-1)
	case c == ',':
		s.values++
	case c == '#' && !isJSON, c == '/' && before == '/' && isJSON:
		s.state = inLine
	case c == '*' && before == '/' && isJSON:
		s.state, s.last = inBlock, 0
	}
}
