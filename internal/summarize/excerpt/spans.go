package excerpt

import (
	"bytes"
	"strconv"
	"unicode"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Bounds of spans.
const (
	mostSpans   = 4096 // whose length is known
	deepestSpan = 64   // of those that are open
	leastOfSpan = 5    // units: shorter ones are seen at a glance
)

// spans measures the declarations of a source by their indentation. A declaration ends with the sign that closes its
// body, or before the next unit that is indented no deeper.
type spans struct {
	open []openSpan
	head openSpan // the last line that declares a function if a bracket follows it
	last int      // the last unit that was not blank
	of   map[int]length
}

type openSpan struct{ n, depth int }

// length is how many units a declaration has, itself included.
type length struct {
	units   int
	isExact bool // a sign closes it
}

// String returns a length as a page shows it: "29", or "~29" if no sign closes the declaration.
func (l length) String() string {
	if l.isExact {
		return strconv.Itoa(l.units)
	}
	return "~" + strconv.Itoa(l.units)
}

// see takes in a unit without the number that it brings, and reports whether it declares something.
func (s *spans) see(n int, unit []byte) (declares bool) {
	text := bytes.TrimLeft(unit, " \t")
	if len(text) == 0 {
		return false
	}
	depth := len(unit) - len(text)
	if depth == 0 && isAside(text) {
		return false
	}
	for len(s.open) > 0 {
		top := s.open[len(s.open)-1]
		if depth > top.depth || depth == top.depth && goesOn(text) {
			break
		}
		s.open = s.open[:len(s.open)-1]
		if depth == top.depth && closes(text) {
			s.close(top, n, true)
		} else {
			s.close(top, s.last, false)
		}
	}
	text = bytes.TrimRight(text, " \t\r")
	switch {
	case isDeclaration(text):
		s.openAt(n, depth)
		declares = true
	case len(text) == 1 && text[0] == '{' && s.head.depth == depth && s.head.n == s.last:
		s.openAt(s.head.n, depth)
	}
	if s.last = n; text[len(text)-1] == ')' && declaresFunction(text) {
		s.head = openSpan{n, depth}
	}
	return declares
}

// openAt opens the span of the declaration in unit n.
func (s *spans) openAt(n, depth int) {
	if len(s.open) < deepestSpan {
		s.open = append(s.open, openSpan{n, depth})
	}
}

func (s *spans) close(of openSpan, last int, isExact bool) {
	units := last - of.n + 1
	if units < leastOfSpan || len(s.of) == mostSpans {
		return
	}
	if s.of == nil {
		s.of = make(map[int]length)
	}
	s.of[of.n] = length{units, isExact}
}

// isAside reports whether a line that is not indented may stand within a body: a directive of the preprocessor of C, or
// a label.
func isAside(text []byte) bool {
	if text[0] == '#' {
		return len(text) > 1 && ascii.IsLetter(text[1])
	}
	name, isLabel := bytes.CutSuffix(bytes.TrimRight(text, " \t\r"), []byte{':'})
	return isLabel && ascii.LeadingLetters(name) > 0 && !statements[string(name)] && !bytes.ContainsFunc(name, isNoName)
}

func isNoName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// closes reports whether a line begins with what closes a body.
func closes(text []byte) bool {
	return text[0] == '}' || bytes.Equal(bytes.TrimRight(text, " \t\r;"), []byte("end"))
}

// goesOn reports whether a line with the indentation of a declaration still belongs to it: it ends the arguments, or
// opens the body.
func goesOn(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r")
	switch text[0] {
	case ')', ']':
		return bytes.IndexByte([]byte("{:(["), text[len(text)-1]) >= 0
	case '{':
		return len(text) == 1
	}
	return false
}
