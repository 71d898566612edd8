package lines

import (
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// tuples reads the rows of an INSERT of SQL: the names of its columns say what its values are. It
// reads a statement over any number of lines, byte by byte, and remembers at most
// structure.MaxColumns names. The zero value reads nothing.
type tuples struct {
	state   tuplesState
	columns []structure.Column
	at      int                 // in the text: what comes before was read
	size    int                 // bytes since the last sign of progress
	word    [names.MaxName]byte // the name or the keyword that is being read, in lower case only if a keyword
	length  int                 // of word
	depth   int                 // of parentheses that are open in a row
	isBare  bool                // a SELECT gives the row, which has no parentheses
	number  int                 // of the cell
	part    cellPart
	quote   byte // around the literal that is being read
	from    int  // where the literal or the word begins
	isLong  bool // the literal is too long to be held
}

type tuplesState uint8

const (
	noTuples     tuplesState = iota
	beforeNames              // between INTO and the list of columns
	inNames                  // in the list of columns
	beforeValues             // between the list and VALUES
	betweenRows
	inRow
)

// cellPart is where in a cell of a row the text stands.
type cellPart uint8

const (
	cellBegin   cellPart = iota
	cellWord             // a number, a keyword, the name of a function
	cellLiteral          // within quotes
	cellEscape           // within quotes, after a backslash
	cellQuote            // at a quote that ends the literal, unless another follows
	cellRest
)

// longestGap is how many bytes may stand between two parts of a statement.
const longestGap = 256

// is reports whether a statement is being read.
func (s *tuples) is() bool { return s.state != noTuples }

// end forgets the statement.
func (s *tuples) end() { *s = tuples{columns: s.columns[:0]} }

// begin begins to read a statement after its INTO.
func (s *tuples) begin(at int) {
	s.end()
	s.state, s.at = beforeNames, at
}

// columnHere returns the column of the cell if it is a sensitive one, or nil.
func (s *tuples) columnHere() *structure.Column {
	if s.number >= len(s.columns) || !s.columns[s.number].IsSensitive {
		return nil
	}
	return &s.columns[s.number]
}

// ReadTuples reads the statement up to a place of the text, and returns the start of a value that
// is not known to its end. isEnd says that the line or the text ends there.
func (l *State) ReadTuples(to int, isEnd bool) int {
	s := &l.tuples
	if !s.is() {
		return len(l.in.Buf)
	}
	begin := l.in.Begin
	if l.row.isBegun { // which may be at a bracket before that
		begin = min(begin, max(l.row.line, 0))
	}
	if s.at = max(s.at, begin); s.part != cellBegin && s.from < 0 {
		s.from = s.at
	}
	for ; s.at < to && s.is(); s.at++ {
		c := l.in.Buf[s.at]
		if s.size++; s.size > longestGap && s.state != inRow {
			s.end()
			break
		}
		switch s.state {
		case beforeNames:
			s.readTable(c)
		case inNames:
			s.readColumn(c, l.names)
		case beforeValues:
			s.readKeyword(c)
		case betweenRows:
			s.readGap(c)
		case inRow:
			l.readCell(c)
		}
	}
	switch {
	case isEnd:
		l.endLineOfTuples()
		return len(l.in.Buf)
	case s.state != inRow || s.columnHere() == nil || s.part == cellBegin || s.part == cellRest || s.isLong:
		return len(l.in.Buf)
	}
	return s.from
}

// readTable reads the name of the table up to the list of columns.
func (s *tuples) readTable(c byte) {
	switch {
	case c == '(':
		s.state, s.size = inNames, 0
	case c == ';' || c == '\'' || c == ')':
		s.end()
	}
}

// readColumn reads on in the list of columns.
func (s *tuples) readColumn(c byte, names *names.NameCache) {
	switch {
	case c == ',' || c == ')':
		col := structure.Column{}
		if p, _ := names.Of(s.word[:s.length]); p != nil && s.length > 0 {
			col.Phrase, col.IsSensitive = *p, true
		}
		if len(s.columns) < structure.MaxColumns {
			s.columns = append(s.columns, col)
		}
		if s.length, s.size = 0, 0; c == ',' {
			return
		}
		if s.state = beforeValues; !structure.HasSensitive(s.columns) {
			s.end()
		}
	case (lex.NameOfKey | lex.High | lex.Wide | lex.Dollar).Has(c):
		if s.length < len(s.word) {
			s.word[s.length] = c
			s.length++
		}
	case !(lex.Whitespace | lex.Quote | lex.Backslash).Has(c) && c != '[' && c != ']':
		s.end()
	}
}

// readKeyword reads what stands between the list of columns and the rows.
func (s *tuples) readKeyword(c byte) {
	if lex.Letters.Has(c) {
		if s.length < len(s.word) {
			s.word[s.length] = lex.LowerByte(c)
			s.length++
		}
		return
	}
	keyword := string(s.word[:s.length])
	s.length = 0
	switch {
	case keyword == "values":
		s.state, s.size = betweenRows, 0
		s.readGap(c)
	case keyword == "select":
		s.beginRow(0)
	case c == '(' || c == ';' || c == '\'':
		s.end()
	}
}

// readGap reads what stands between two rows.
func (s *tuples) readGap(c byte) {
	switch {
	case c == '(':
		s.beginRow(1)
	case c != ',' && !(lex.Whitespace | lex.Backslash).Has(c):
		s.end()
	}
}

func (s *tuples) beginRow(depth int) {
	s.state, s.depth, s.isBare = inRow, depth, depth == 0
	s.number, s.part, s.isLong = 0, cellBegin, false
}

// readCell reads on in a row.
func (l *State) readCell(c byte) {
	s := &l.tuples
	switch s.part {
	case cellLiteral, cellEscape:
		switch {
		case s.part == cellEscape:
			s.part = cellLiteral
		case c == '\\':
			s.part = cellEscape
		case c == s.quote:
			s.part = cellQuote
		}
		if s.at-s.from == names.MaxValue && !s.isLong && s.part != cellQuote {
			l.takeLongLiteral()
		}
		return
	case cellQuote:
		if c == s.quote {
			s.part = cellLiteral
			return
		}
		l.takeLiteral(s.at-1, true)
		s.part = cellRest
	case cellWord:
		switch {
		case c == '\'' || c == '(': // N'...', crypt('...')
			s.part = cellBegin
		case (lex.Whitespace | lex.Comma).Has(c) || c == ')' || c == ';' || c == ':':
			l.takeLiteral(s.at, false)
			s.part = cellRest
		case s.at-s.from >= names.MaxValue:
			s.part = cellRest
		}
	}
	switch {
	case c == '(':
		s.depth++
	case c == ')':
		if s.depth--; s.depth <= 0 {
			s.endRow()
		}
	case c == ';':
		s.end()
	case c == ',' && (s.depth == 1 || s.depth == 0):
		s.number++
		s.part, s.isLong = cellBegin, false
	case s.part != cellBegin || lex.Whitespace.Has(c):
	case lex.Quote.Has(c):
		s.part, s.quote, s.from, s.isLong = cellLiteral, c, s.at+1, false
	default:
		s.part, s.from = cellWord, s.at
	}
}

func (s *tuples) endRow() {
	if s.isBare {
		s.end()
		return
	}
	s.state, s.size = betweenRows, 0
}

// takeLiteral takes the value of the cell, which ends before a place of the text. Without quotes
// only a number is a value.
func (l *State) takeLiteral(end int, isQuoted bool) {
	s := &l.tuples
	c := s.columnHere()
	if c == nil || s.isLong || s.from >= end || !isQuoted && !(lex.Digits|lex.Dash).Has(l.in.Buf[s.from]) {
		return
	}
	if c.IsIn(l.in.Buf[s.from:end], isQuoted, l.around) {
		l.matches.Reason = names.Reason{How: match.InColumn, Name: c.Words}
		l.matches.Add(names.Span{Start: s.from, End: end, Rule: c.Rule})
	}
}

// takeLongLiteral takes a value that is too long to be held until its end.
func (l *State) takeLongLiteral() {
	s := &l.tuples
	c := s.columnHere()
	if c == nil || !c.IsIn(l.in.Buf[s.from:s.at+1], true, l.around) {
		return
	}
	s.isLong = true
	l.matches.Reason = names.Reason{How: match.InColumn, Name: c.Words}
	l.matches.Add(names.Span{Start: s.from, End: s.at + 1, Rule: c.Rule})
	l.matches.Growths = append(l.matches.Growths,
		match.Growth{Class: lex.Everything &^ (lex.Quote | lex.Newline), Rule: c.Rule, From: s.at + 1, Pos: s.at + 1})
}

// endLineOfTuples takes the part of a value that a line ends in.
func (l *State) endLineOfTuples() {
	s := &l.tuples
	if s.state == beforeValues {
		s.readKeyword('\n')
	}
	if s.state != inRow {
		return
	}
	switch s.part {
	case cellQuote:
		l.takeLiteral(s.at-1, true)
		s.part = cellRest
	case cellWord:
		l.takeLiteral(s.at, false)
		s.part = cellRest
	case cellLiteral, cellEscape:
		l.takeLiteral(s.at, true)
	}
	s.from = -1
}

// move goes on in a text that lost its first bytes.
func (s *tuples) move(by int) {
	s.at -= by
	s.from -= by
}

// nextLine goes on in a line of its own.
func (s *tuples) nextLine() { s.at, s.from, s.isLong = 0, -1, false }
