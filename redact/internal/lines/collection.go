package lines

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// collection reads a flow collection of YAML (YAML 1.2, 7.4) that is the value of a sensitive name:
// a map in braces, a list in brackets. Its scalars are judged as those of a block below the name
// are; brackets, keys and what describes the value stay. It reads over any number of lines, byte by
// byte, and remembers of each open bracket what under does. What is no YAML ends it. The zero value
// reads nothing.
type collection struct {
	structure.Under // where in the brackets the text stands
	names.Carry     // the name, and what counts of its value
	// isGuarded: it begins on the line of its name, as an object in a program does. A word without
	// quotes and digits is a name there, and a call ends the collection.
	isGuarded bool
	opening   names.Awaited
	at        int // in the text: what comes before was read
	more      int // brackets that are open in more than under holds
	part      flowPart
	quote     byte // around the scalar
	from, to  int  // the scalar, without quotes
	isQuoted  bool
	isFolded  bool // the scalar began on an earlier line, and no byte of it was read on this one
	isLong    bool // it is too long to be held, and was judged
	isTaken   bool // and is no longer held, but taken
	taken     int  // up to here
	isPair    bool // a key was read of the current entry of a list
	isNamed   bool // the last key is a sensitive name itself
	isJSON    bool // the last key is in double quotes: a marker in place of a number is, too
	isApart   bool // the byte before is a blank or begins a line
	isAfter   bool // a plain scalar ended with the last line that has something
	isBroken  bool // it ended with a byte that is no YAML
}

// flowPart is where between the signs of a collection the text stands.
type flowPart uint8

const (
	flowGap     flowPart = iota // between a sign and a scalar
	flowPlain                   // in a scalar without quotes
	flowQuoted                  // within quotes
	flowEscape                  // within quotes, after a backslash
	flowQuote                   // at a quote that ends the scalar, unless it is doubled
	flowEnded                   // after a scalar in quotes
	flowTag                     // in a tag or an anchor
	flowComment                 // in a comment
)

// reads reports whether a collection is open.
func (s *collection) reads() bool { return s.Depth > 0 }

// end forgets the collection.
func (s *collection) end() { *s = collection{opening: s.opening, at: s.at} }

// fail forgets the collection, which is none.
func (s *collection) fail() {
	s.end()
	s.isBroken = true
}

// expect says that a collection begins at a place of the text, unless that is within one.
func (s *collection) expect(o names.Awaited) {
	if !s.opening.Is || s.opening.At >= o.At {
		s.opening = o
	}
}

// begin begins the collection that was expected at a bracket.
func (s *collection) begin(isArray bool) {
	o := s.opening
	*s = collection{Carry: o.Carry, at: o.At, isGuarded: o.IsGuarded}
	s.Under.Phrase = o.Carry.Phrase
	s.open(isArray)
}

// inScalar reports whether the text is in a scalar that may have to be taken, or at its end.
func (s *collection) inScalar() bool { return s.part >= flowPlain && s.part <= flowEnded }

// held returns the start of what is not decided, of which limit is the end.
func (s *collection) held(limit int) int {
	switch {
	case !s.reads() && !s.opening.Is:
		return limit
	case !s.reads():
		return min(limit, s.opening.At)
	case s.inScalar() && !s.isLong && !s.isFolded:
		return min(limit, s.from, s.at)
	}
	return min(limit, s.at)
}

// goesOn reports whether a match that what was read ends in may go on.
func (s *collection) goesOn() bool { return s.isTaken && s.inScalar() }

// move goes on in a text that lost its first bytes.
func (s *collection) move(by int) {
	s.at -= by
	s.from -= by
	s.to -= by
	s.taken -= by
	s.opening.At -= by
}

// nextLine goes on in a line of its own.
func (s *collection) nextLine() {
	s.at, s.opening = 0, names.Awaited{}
}

// readCollection reads the collection up to a place of the text. isEnd says that the text or the
// line ends there.
func (l *State) readCollection(to int, isEnd bool) {
	s := &l.collection
	if !s.reads() && !s.opening.Is {
		return
	}
	begin := l.in.Begin
	if l.row.isBegun { // which may be at a bracket before that
		begin = min(begin, max(l.row.line, 0))
	}
	for s.at = max(s.at, begin); s.at < to; s.at++ {
		if !s.reads() {
			if !s.opening.Is || s.opening.At >= to {
				s.at = to
				return
			}
			s.at = max(s.at, s.opening.At)
		}
		c := l.in.Buf[s.at]
		if c == ':' && s.at+1 == len(l.in.Buf) && !isEnd && s.part != flowQuoted && s.part != flowComment {
			break // what follows tells whether it ends a key
		}
		if s.reads() {
			l.readFlow(c)
		}
		if s.opening.Is && s.opening.At <= s.at {
			if s.opening.At == s.at && !s.reads() {
				s.begin(c == '[')
			}
			s.opening = names.Awaited{}
		}
		if s.isBroken {
			s.isBroken, l.row.isOfCollection = false, false
		}
		if s.at+1-s.from == names.MaxValue && s.inScalar() && !s.isLong && !s.isFolded {
			l.takeLongScalar()
		}
	}
	if s.reads() && isEnd && s.at == len(l.in.Buf) {
		l.endLineOfCollection()
	}
	l.takeMore()
}

// readFlow reads the next byte.
func (l *State) readFlow(c byte) {
	s := &l.collection
	isApart := s.isApart
	s.isApart = lex.Whitespace.Has(c)
	if c == '\n' {
		l.endLineOfCollection()
		return
	}
	switch s.part {
	case flowEscape:
		s.part = flowQuoted
		return
	case flowQuoted:
		if s.isFolded && !lex.Whitespace.Has(c) {
			s.from, s.isFolded = s.at, false
		}
		switch {
		case c == s.quote:
			s.part, s.to = flowQuote, s.at
		case c == '\\' && c != s.quote && s.quote == '"':
			s.part = flowEscape
		}
		return
	case flowQuote:
		if c == '\'' && s.quote == c {
			s.part = flowQuoted
			return
		}
		s.part = flowEnded
	case flowComment:
		return
	case flowTag:
		if !lex.Whitespace.Has(c) && !isFlowSign(c) {
			return
		}
		s.part = flowGap
	}
	switch {
	case s.part == flowPlain && !isFlowSign(c) && !(c == '#' && isApart) && !l.endsKey(c):
		if !lex.Whitespace.Has(c) {
			s.to = s.at + 1
		}
		return
	case lex.Whitespace.Has(c):
		return
	}
	if s.inScalar() {
		if l.endsKey(c) {
			l.endFlowKey()
			return
		}
		l.endScalar()
	}
	if s.reads() {
		l.readFlowSign(c)
	}
}

// isFlowSign reports whether c ends a plain scalar of a collection, whatever follows.
func isFlowSign(c byte) bool { return bytes.IndexByte([]byte(",[]{}"), c) >= 0 }

// endsKey reports whether c, which is read, is the colon after a key.
func (l *State) endsKey(c byte) bool {
	s := &l.collection
	if c != ':' {
		return false
	}
	next := s.at + 1
	return s.part == flowEnded || next == len(l.in.Buf) || (lex.Whitespace | lex.Quote).Has(l.in.Buf[next]) ||
		isFlowSign(l.in.Buf[next])
}

// readFlowSign reads a byte that is no blank and stands between two scalars.
func (l *State) readFlowSign(c byte) {
	s := &l.collection
	isAfter := s.isAfter
	s.isAfter = false
	isOpen := s.Next == lex.PartValue
	switch {
	case c == '#':
		s.part, s.isAfter = flowComment, isAfter
	case c == '{' || c == '[':
		if !isOpen {
			s.fail()
			return
		}
		s.open(c == '[')
	case c == '}' || c == ']':
		if s.more == 0 && s.IsArray() != (c == ']') {
			s.fail()
			return
		}
		s.shut()
	case c == ',':
		if s.Next == lex.PartKey || s.Next == lex.PartValue && s.inList() && !s.isPair {
			s.fail()
			return
		}
		s.Next = s.first()
		s.IsAbout, s.IsEntry, s.isNamed, s.isPair = false, false, false, false
	case s.Next == lex.PartColon && c == ':':
		s.Next = lex.PartValue
	case s.Next == lex.PartComma && isAfter && !s.isGuarded:
		s.Next = lex.PartValue // the scalar goes on
		fallthrough
	case isOpen || s.Next == lex.PartKey:
		s.beginScalar(c)
	default:
		s.fail()
	}
}

// first returns what begins an entry.
func (s *collection) first() lex.ValuePart {
	if s.inList() {
		return lex.PartValue
	}
	return lex.PartKey
}

// inList reports whether the innermost bracket is [, or one of more than under holds.
func (s *collection) inList() bool { return s.more > 0 || s.IsArray() }

// open takes in a bracket.
func (s *collection) open(isArray bool) {
	if s.isPair = false; s.IsFull() {
		s.more++
		s.Next = lex.PartValue
		return
	}
	var p *names.Phrase
	if s.isNamed {
		p = &s.Under.Phrase
	}
	s.Under.Open(p, isArray)
	s.isNamed = false
}

// shut takes in a closing bracket.
func (s *collection) shut() {
	s.isNamed, s.isPair = false, false
	if s.more > 0 {
		s.more--
		s.Next = lex.PartComma
		return
	}
	if s.Under.Close(); !s.reads() {
		s.end()
	}
}

// beginScalar begins to read a scalar, a tag or an anchor with its first byte.
func (s *collection) beginScalar(c byte) {
	switch {
	case c == '!' || c == '&':
		s.part = flowTag
		return
	case lex.Quote.Has(c):
		s.part, s.quote, s.from, s.isQuoted = flowQuoted, c, s.at+1, true
	default:
		s.part, s.from, s.isQuoted = flowPlain, s.at, false
	}
	s.to, s.isLong, s.isTaken, s.isFolded = s.at+1, false, false, false
}

// endFlowKey takes in the scalar as a key.
func (l *State) endFlowKey() {
	s := &l.collection
	l.takeMore()
	s.part, s.isTaken = flowGap, false
	if s.Next == lex.PartComma || s.Next == lex.PartColon || s.Next == lex.PartValue && (!s.inList() || s.isPair) {
		s.fail()
		return
	}
	s.Next, s.isPair = lex.PartValue, true
	s.isJSON = s.isQuoted && s.quote == '"'
	to := max(0, s.to)
	key := l.in.Buf[max(0, s.from, to-names.MaxName):to]
	if len(key) > 0 && key[0] == '\\' { // JSON in a string within
		s.fail()
		return
	}
	p, _ := l.names.Of(key)
	s.isNamed = p != nil
	s.IsAbout = !s.isNamed && s.Describes(key, l.names)
	s.IsEntry = !s.OfSecret && names.PartOf(key) == names.PairName
}

// endScalar takes in the scalar as a value, or as a key that has none.
func (l *State) endScalar() {
	s := &l.collection
	if !s.isLong {
		l.takeScalar(s.to)
	}
	l.takeMore()
	isCall := s.isGuarded && !s.isQuoted && !s.isLong && bytes.IndexByte(l.in.Buf[s.from:s.to], '(') >= 0
	s.part, s.isTaken = flowGap, false
	switch {
	case isCall:
		s.fail()
	case s.Next == lex.PartKey:
		s.Next = lex.PartColon
	default:
		s.Next = lex.PartComma
	}
}

// endLineOfCollection takes the part of a scalar that a line ends in.
func (l *State) endLineOfCollection() {
	s := &l.collection
	s.isApart = true
	switch s.part {
	case flowQuoted, flowEscape:
		if !s.isFolded && !s.isLong {
			l.takeScalar(s.at)
		}
		l.takeMore()
		s.part, s.isFolded, s.isLong, s.isTaken = flowQuoted, true, false, false
		return
	case flowPlain:
		l.endScalar()
		s.isAfter = s.Next == lex.PartComma
	case flowQuote, flowEnded:
		l.endScalar()
	case flowComment, flowTag:
		s.part = flowGap
	}
	if s.Next == lex.PartColon { // a key that stands alone on its line is a word of a text
		s.fail()
	}
}

// takeScalar takes the scalar up to a place of the text if it is a secret, and reports whether it
// is.
func (l *State) takeScalar(end int) bool {
	s := &l.collection
	if s.Next != lex.PartValue || !s.Holds() || s.IsAbout || s.IsEntry || s.from >= end {
		return false
	}
	v := l.in.Buf[s.from:end]
	isMarker := s.from > 0 && l.in.Buf[s.from-1] == '[' &&
		(names.Window{Text: l.in.Buf, End: true, Around: l.around}).Marker(s.from-1) == end+1
	switch {
	case isMarker, !s.isQuoted && v[0] == '*', s.isGuarded && !s.isQuoted && !isFlowValue(v), !s.MayBe(v),
		!s.IsIn(v, s.isQuoted, l.around):
		return false
	}
	x := names.Span{Start: s.from, End: end, Rule: s.Rule}
	if !s.isQuoted && (l.yaml.is || s.isJSON) {
		if x.Quotes = 1; l.in.InString && s.isJSON {
			x.Quotes = 2
		}
	}
	l.matches.Reason = names.Reason{How: match.CarriedReasons[s.How], Name: s.Words}
	l.matches.Add(x)
	return true
}

// isFlowValue reports whether v, without quotes on the line of a name, is a value rather than an
// expression of a program: it has a digit, and no signs if it has blanks.
func isFlowValue(v []byte) bool {
	return candidate.HasDigit(v) &&
		(lex.BareValue.Within(v) || (lex.Word | lex.Dash | lex.Dot | lex.Blank | lex.High | lex.Wide).Within(v))
}

// takeLongScalar takes a scalar that is too long to be held until its end.
func (l *State) takeLongScalar() {
	s := &l.collection
	end := s.scalarEnd()
	s.isLong, s.isTaken, s.taken = true, l.takeScalar(end), end
}

// takeMore takes what was read of a long scalar.
func (l *State) takeMore() {
	s := &l.collection
	end := s.scalarEnd()
	if s.isTaken && s.inScalar() && end > s.taken {
		l.matches.Reason = names.Reason{How: match.CarriedReasons[s.How], Name: s.Words}
		l.matches.Add(names.Span{Start: s.taken - 1, End: end, Rule: s.Rule})
		s.taken = end
	}
}

// scalarEnd returns the end of what was read of the scalar.
func (s *collection) scalarEnd() int {
	if s.part == flowQuote || s.part == flowEnded {
		return s.to
	}
	return s.at
}
