package lex

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// JSONLines is where a line of JSON stands in a value that goes over lines of text, as the answer of
// a server does after its headers. A line that is no JSON ends it.
type JSONLines struct {
	Depth  int  // brackets that are open
	within bool // some were at the start of the line
	last   byte // of the line
}

// Read takes in a byte of punctuation, or the first one of another token.
func (l *JSONLines) Read(c byte) {
	switch c {
	case '{', '[':
		l.Depth++
	case '}', ']':
		l.Depth = max(0, l.Depth-1)
	}
	l.last = c
}

// End takes in the end of a line, and reports whether the value ends with it. One that begins and
// ends on the same line is whole, whatever is in it, unless its depth counts.
func (l *JSONLines) End(isCounted bool) bool {
	if !l.within && !isCounted && (l.last == '}' || l.last == ']') {
		l.Depth = 0
	}
	l.GoOn()
	return !l.within
}

// GoOn takes in the end of a line within a token.
func (l *JSONLines) GoOn() { l.within = l.Depth > 0 }

// Broken returns where a value goes on after a line that is no JSON in it. Its depth is 0 if it does
// not: a value has to have begun on an earlier line.
func (l *JSONLines) Broken() JSONLines {
	if !l.within {
		return JSONLines{}
	}
	return *l
}

// ReadLine takes in a line, and reports whether it is a sequence of JSON's tokens.
func (l *JSONLines) ReadLine(line []byte) bool {
	for i := 0; i < len(line); {
		c := line[i]
		end := i + 1
		switch {
		case c == '"':
			if end = stringEnd(line, i+1); end < 0 {
				return false
			}
		case Whitespace.Has(c):
			i++
			continue
		case !Scalars.Has(c):
			if c != ',' && c != ':' && c != '{' && c != '}' && c != '[' && c != ']' {
				return false
			}
		default:
			end = Scalars.Run(line, i, len(line))
			if end < len(line) && !EndsToken(line[end]) || !IsLiteral(line[i:end]) &&
				(line[max(0, i-1)] == '{' || !jsonx.IsNumber(line[i:end])) {
				return false
			}
		}
		l.Read(c)
		i = end
	}
	return true
}

// stringEnd returns where a string ends, with its quote, that begins at a place of the line; -1 if it
// does not end on it.
func stringEnd(line []byte, at int) int {
	for from := at; ; {
		size := bytes.IndexByte(line[from:], '"')
		if size < 0 {
			return -1
		}
		quote := from + size
		if Backslash.RunBack(line[at:quote], quote-at, quote-at)%2 == (quote-at)%2 {
			return quote + 1
		}
		from = quote + 1
	}
}

// EndsOnLine reports whether a value that begins on a line of text, which is whole, is known to end
// on it.
func EndsOnLine(body []byte) bool {
	switch body[0] {
	case '{', '[':
		last := body[Whitespace.RunBack(body, len(body), len(body))-1]
		return last == '}' || last == ']'
	default:
		return body[0] != ','
	}
}
