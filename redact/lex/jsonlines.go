package lex

// JSONLines is where a line of JSON stands in a value that goes over lines of text, as the answer of
// a server does after its headers. A line begins one with an object, or a [ that is alone on it or
// has an object after it. A line that is no JSON ends it.
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
// ends on the same line is whole, whatever is in it.
func (l *JSONLines) End() bool {
	if !l.within && (l.last == '}' || l.last == ']') {
		l.Depth = 0
	}
	l.within = l.Depth > 0
	return !l.within
}

// ReadLine takes in a line of JSON's tokens without escapes of quotes, and reports whether the value
// goes on after it.
func (l *JSONLines) ReadLine(line []byte) bool {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			for i++; i < len(line) && line[i] != '"'; i++ {
			}
			l.last = c
		case !Whitespace.Has(c):
			l.Read(c)
		}
	}
	return !l.End()
}

// MayBeginJSON reports whether a line of text that is whole may begin a value that goes on after it.
func MayBeginJSON(body []byte) bool {
	if len(body) == 0 || body[0] != '{' && body[0] != '[' {
		return false
	}
	end := len(body)
	for Whitespace.Has(body[end-1]) {
		end--
	}
	if body[0] == '{' {
		return body[end-1] != '}' && body[end-1] != ']'
	}
	next := Whitespace.Run(body, 1, len(body))
	return next == len(body) || body[next] == '{'
}
