package lines

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// mostWords is how many words a name in the header of a table has at most.
const mostWords = 4

// maxFirst is how long a word is that the lines of a list of a program begin with, in bytes.
const maxFirst = 16

// table holds the columns of a table whose names are sensitive, for the rows after its header. The
// zero value is no table.
type table struct {
	first [maxFirst]byte // the word that the header begins with, if it is as short
	// between cells: a comma, a semicolon, a tab or a bar; a blank for columns that blanks make
	separator byte
	columns   []structure.Column
	pair      pairColumns
	isLoose   bool // a list of a program may look so, too
	open      int  // 1 more than the number of the cell whose quotes the last line left open; 0: it left none
	openLines int  // in a row
	isDump    bool // COPY gives the rows: each has all cells, up to a line \.
}

// pairColumns are the columns of a table whose rows are pairs of a name and a value. The zero value
// is none.
type pairColumns struct {
	is          bool
	name, value int // numbers of the columns
}

// Indent is the blanks before a line, which are not in its text.
type Indent struct {
	width int // characters
	tabs  int // of them
}

// is says whether there is a table.
func (t *table) is() bool { return t.separator != 0 }

// end forgets the table.
func (t *table) end() { *t = table{columns: t.columns[:0]} }

// readHeader reads the header of a table whose cells have sensitive values.
func (t *table) readHeader(line []byte, indent Indent, names *names.NameCache) (isHeader bool) {
	t.end()
	line = bytes.TrimRight(line, "\r")
	if len(line) > structure.MaxHeader {
		return false
	}
	if t.readCopy(line, names) {
		return true
	}
	if structure.HeaderSigns.Run(line, 0, len(line)) < len(line) { // as of nearly all lines
		return false
	}
	for _, separator := range []byte("\t|;, ") {
		if separator != ' ' && bytes.IndexByte(line, separator) < 0 {
			continue
		}
		if t.readNames(line, separator, indent, names) {
			t.separator = separator
			t.first = firstWord(line)
			// As the headers of ps and kubectl.
			isShouted := lex.ClassOf(line)&(lex.Lower|lex.HexLower|lex.Punctuation|lex.Underscore) == 0
			t.isLoose = separator != '|' && (indent.width > 0 || bytes.IndexByte(line, ' ') >= 0 && !isShouted)
			return true
		}
		t.end()
	}
	return false
}

func (t *table) readNames(line []byte, separator byte, indent Indent, sensitive *names.NameCache) bool {
	if separator == '\t' {
		t.columns = append(t.columns, make([]structure.Column, min(indent.tabs, structure.MaxColumns))...)
	}
	named, isSensitive, isApart, isEmpty := 0, false, false, false
	hasName, hasValue, isOfKeys := false, false, false
	for from, to := range cells(line, separator) {
		cell := line[from:to]
		name := bytes.Trim(cell, " \t")
		isApart = isApart || (separator == ',' || separator == ';') && bytes.HasPrefix(cell, []byte{' '})
		if len(name) > 1 && name[0] == '"' && name[len(name)-1] == '"' {
			name = name[1 : len(name)-1]
		}
		at := indent.width + characters(line[:from])
		c := structure.Column{From: at, To: at + characters(cell)}
		if len(name) > 0 {
			words := bytes.Count(name, []byte{' '}) + 1
			if !structure.IsColumnName(name) || words > mostWords || isApart && words > 1 ||
				separator == ' ' && (beginsWithNumber(name) || name[0] == '-' || names.IsTypeName(name)) {
				return false
			}
			named++
			if p, _ := sensitive.Of(name); p != nil && bytes.IndexByte(name, '/') < 0 {
				c.Phrase, c.IsSensitive, isSensitive = *p, true, true
			}
			switch structure.PairColumnOf(name) {
			case names.PairName:
				isOfKeys = isOfKeys || names.PartOf(name) == names.KeyName
				if !hasName {
					t.pair.name, hasName = len(t.columns), true
				}
			case names.PairValue:
				t.pair.value, hasValue = len(t.columns), true
			}
		}
		// tabs that bring words below each other, of a list in a program
		if isEmpty && (separator == '\t' || separator == '|' && len(name) > 0 && line[0] != '|') {
			return false
		}
		isEmpty = len(name) == 0 && from > 0
		if len(t.columns) < structure.MaxColumns {
			t.columns = append(t.columns, c)
		}
	}
	if isApart && isEmpty { // a, b, c, of a list in a program
		return false
	}
	if isOfKeys && hasValue && t.pair.value < structure.MaxColumns {
		if p, _ := sensitive.Of([]byte(names.AccountKey)); p != nil {
			c := &t.columns[t.pair.value]
			c.Phrase, c.IsSensitive, isSensitive = *p, true, true
		}
	}
	t.pair.is = hasName && hasValue && t.pair.name < t.pair.value && t.pair.value < structure.MaxColumns
	return named > 1 && (isSensitive || t.pair.is)
}

// firstWord returns the first word of a line if the line may begin a command's list: the word is in
// a cell of several words, or contains a sign. Otherwise, and for a long word, it returns nothing,
// because a row may begin with the name of its column.
func firstWord(line []byte) (word [maxFirst]byte) {
	end := lex.NonSpace.Run(line, 0, maxFirst+1)
	isOne := end+1 >= len(line) || line[end] != ' ' || !lex.Word.Has(line[end+1])
	if end > 0 && end <= maxFirst && end < len(line) && (lex.Letters.Has(line[0]) || line[0] == '#') &&
		!(isOne && lex.Word.Within(line[:end])) {
		copy(word[:], line[:end])
	}
	return word
}

// begins takes the next byte of a row that begins with a word, and reports whether that is the word that the header
// begins with: both are lines of a list, and no table.
func (t *table) begins(r *row, c byte) bool {
	switch {
	case t.first[0] == 0 || r.firstSize > maxFirst:
		return false
	case lex.Blank.Has(c) && r.firstSize > 0:
		is := r.first == t.first
		r.firstSize = maxFirst + 1
		return is
	case r.firstSize < maxFirst:
		r.first[r.firstSize] = c
	}
	r.firstSize++
	return false
}

// goesOn reports whether a line has words where the header of columns by blanks has some: it is a row as the header is
// one, of a list of names in columns or of the help of a program.
func (t *table) goesOn(line []byte) bool {
	if t.separator != ' ' {
		return false
	}
	line = bytes.TrimRight(line, "\r")
	same, from := 0, lex.Blank.Run(line, 0, len(line))
	for first, last := range cells(line[from:], ' ') {
		at := characters(line[:from+first])
		for i := range t.columns {
			if c := &t.columns[i]; c.From == at && last > first {
				same++
			}
		}
	}
	return same > 1
}

// beginsWithNumber reports whether a name has several words and the first is a number: between blanks that is a cell of
// a row, as "2025 .netrc" of ls.
func beginsWithNumber(name []byte) bool {
	digits := lex.Digits.Run(name, 0, len(name))
	return digits > 0 && digits < len(name) && name[digits] == ' '
}

// readCopy reads the line with which PostgreSQL's dumps begin the rows of a table (pg_dump, COPY).
func (t *table) readCopy(line []byte, names *names.NameCache) bool {
	const keyword = "copy "
	if len(line) < len(keyword) || !lex.EqualFold(line[:len(keyword)], keyword) {
		return false
	}
	open, end := bytes.IndexByte(line, '('), bytes.IndexByte(line, ')')
	if open < 0 || end < open {
		return false
	}
	rest := bytes.ToLower(bytes.TrimSpace(line[end+1:]))
	options, isCopy := bytes.CutPrefix(rest, []byte("from stdin"))
	if !isCopy {
		return false
	}
	for name := range bytes.SplitSeq(line[open+1:end], []byte{','}) {
		c := structure.Column{}
		if p, _ := names.Of(bytes.TrimSpace(name)); p != nil {
			c.Phrase, c.IsSensitive = *p, true
		}
		if len(t.columns) == structure.MaxColumns {
			break
		}
		t.columns = append(t.columns, c)
	}
	t.separator, t.isDump = '\t', true
	if bytes.Contains(options, []byte("csv")) {
		t.separator = ','
	}
	if _, after, has := bytes.Cut(options, []byte("delimiter")); has {
		if _, after, has = bytes.Cut(after, []byte{'\''}); has && len(after) > 1 && after[1] == '\'' {
			t.separator = after[0]
		}
	}
	if structure.HasSensitive(t.columns) {
		return true
	}
	t.end()
	return false
}

// cells yields where the cells of a header begin and end. A separator in quotes is not looked for:
// no name has one.
func cells(line []byte, separator byte) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		from := 0
		for from <= len(line) {
			to, next := len(line), len(line)+1
			switch {
			case separator != ' ':
				if size := bytes.IndexByte(line[from:], separator); size >= 0 {
					to, next = from+size, from+size+1
				}
			default:
				if size := bytes.Index(line[from:], []byte("  ")); size >= 0 {
					to = from + size
					next = to + lex.Blank.Run(line, to, len(line)) - to
				}
			}
			if !yield(from, to) {
				return
			}
			from = next
		}
	}
}

// characters returns how many characters of UTF-8 begin in b.
func characters(b []byte) (n int) {
	for _, c := range b {
		if c&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// row is where a text is in a line, and in the cells of that if it is a row of the table.
type row struct {
	isBegun     bool
	indent      Indent
	line        int  // where the line begins
	at          int  // read up to here
	hasCells    bool // it is a row of the table
	hasValue    bool // it may have the value that is carried
	hasArgument bool // it may have an argument of a command line
	hasPrefix   bool // its text may begin after something that was not looked for yet
	isOther     bool // it is of another program than the lines that what was said is of
	hasVersion  bool // it is known of which version of a diff it is
	// isOfCollection: it begins within a collection of YAML that goes on as such.
	isOfCollection bool
	width          int // characters of the line up to here
	cell           cellState
	from           int              // where the cell begins, in its quotes if it has some
	to             int              // where it ends in its quotes
	place          int              // where it begins, in characters from the begin of the line
	number         int              // of the cell
	isWhole        bool             // the cell began on an earlier line, and this one has its quotes open or closes them
	isDone         bool             // the cell is too long to be read on
	isIn           bool             // a cell was in its column
	first          [maxFirst]byte   // the begin of the word that the row begins with
	firstSize      int              // bytes of that; more than maxFirst: all of it was read, or it is longer
	paired         structure.Column // the column that the name of the pair makes of its value
}

// cellState is where in a cell a text is.
type cellState uint8

const (
	beforeCell cellState = iota // nothing but blanks so far
	inCell                      // which is in no quotes
	withinQuotes
	afterQuotes // or at one of two that stand for one
)

// move follows a text that lost its first bytes.
func (r *row) move(by int) {
	r.line -= by
	r.at -= by
	r.from -= by
	r.to -= by
}

// readCells reads the cells of a row up to a place, which is the end of the line if isLast. It
// reports false if it has to wait for more.
func (l *State) readCells(to int, isLast bool) bool {
	r := &l.row
	for ; r.at < to; r.at++ {
		c := l.in.Buf[r.at]
		if l.table.begins(r, c) {
			l.table.end()
			r.hasCells = false
			return true
		}
		isEnd, isDecided := l.endsCell(c, isLast)
		if !isDecided {
			return false
		}
		switch {
		case isEnd:
			l.endCell(r.at)
			r.number++
			r.cell, r.isDone, r.isWhole = beforeCell, false, false
			r.from = r.at + 1
		case r.cell == beforeCell && lex.Blank.Has(c):
			r.from = r.at + 1
		case r.cell == beforeCell:
			r.cell, r.from, r.place = inCell, r.at, r.width
			if c == '"' && l.table.separator != '|' && l.table.separator != ' ' {
				r.cell = withinQuotes
				r.from++
			}
		case r.cell == withinQuotes && c == '"':
			r.cell, r.to = afterQuotes, r.at
		case r.cell == afterQuotes && c == '"':
			r.cell = withinQuotes
		}
		if c&0xc0 != 0x80 {
			r.width++
		}
		if r.at+1-r.from == names.MaxValue && !r.isDone {
			l.longCell()
		}
	}
	return true
}

// keepOpenCell keeps that the row which ends has a cell in quotes that goes on in the next line, as CSV has it.
func (l *State) keepOpenCell() {
	const most = 64 // lines: of more, a quote is missing
	t := &l.table
	if t.open = 0; l.row.cell != withinQuotes || t.openLines == most || t.separator == '\t' {
		t.openLines = 0
		return
	}
	t.open = l.row.number + 1
	t.openLines++
}

// goOnInCell begins a row in the cell that the last line left open.
func (l *State) goOnInCell() {
	if r := &l.row; l.table.open > 0 {
		r.number, r.cell, r.isWhole = l.table.open-1, withinQuotes, true
	}
}

// endsCell says whether c, which stands where the row is read, ends a cell. Of columns that blanks
// make two of them do.
func (l *State) endsCell(c byte, end bool) (isEnd, isDecided bool) {
	r := &l.row
	switch {
	case l.table.separator != ' ':
		return c == l.table.separator && r.cell != withinQuotes, true
	case r.cell != inCell || !lex.Blank.Has(c):
		return false, true
	case r.at+1 == l.in.Scanned:
		return false, end
	}
	return c == '\t' || lex.Blank.Has(l.in.Buf[r.at+1]), true
}

// columnOf returns the column of a cell if it is a sensitive one, or nil.
func (l *State) columnOf(number int) *structure.Column {
	switch {
	case number >= len(l.table.columns):
		return nil
	case l.table.columns[number].IsSensitive:
		return &l.table.columns[number]
	case l.table.pair.is && l.table.pair.value == number && l.row.paired.IsSensitive:
		return &l.row.paired
	}
	return nil
}

// columnAt returns the number of the column in which a cell stands, or -1: one whose name begins
// where the cell does, or ends there.
func (l *State) columnAt(from, to int) int {
	for i := range l.table.columns {
		if c := &l.table.columns[i]; c.From == from || c.To == to {
			return i
		}
	}
	return -1
}

// numberHere returns the number of the column of the cell that was read, or -1.
func (l *State) numberHere() int {
	r := &l.row
	if l.table.separator != ' ' {
		return r.number
	}
	n := l.columnAt(r.place, r.width)
	r.isIn = r.isIn || n >= 0
	return n
}

// columnHere returns the column of the cell that was read, if that is a sensitive one, or nil.
func (l *State) columnHere() *structure.Column {
	n := l.numberHere()
	if n < 0 {
		return nil
	}
	return l.columnOf(n)
}

// readPairName takes in the name of the pair that the row is.
func (l *State) readPairName(cell []byte) {
	r := &l.row
	cell = bytes.Trim(cell, " \t\r`*")
	if p, _ := l.names.Of(cell); p != nil && len(cell) <= names.MaxName && lex.NameOfKey.Within(cell) {
		r.paired = structure.Column{Phrase: *p, IsSensitive: true}
	}
}

// endCell ends a cell before at, and takes its value.
func (l *State) endCell(at int) {
	r := &l.row
	if r.cell == beforeCell || r.isDone {
		return
	}
	if r.cell == afterQuotes {
		at = r.to
	}
	n := l.numberHere()
	if l.table.pair.is && n == l.table.pair.name {
		l.readPairName(l.in.Buf[r.from:at])
	}
	if n < 0 {
		return
	}
	c := l.columnOf(n)
	if c == nil {
		return
	}
	value := bytes.TrimRight(l.in.Buf[r.from:at], " \t\r")
	if last := len(value) - 1; l.table.separator == '|' && last > 1 && value[0] == '`' &&
		bytes.IndexByte(value[1:], '`') == last-1 { // of Markdown
		value = value[1:last]
		r.from++
	}
	if r.isWhole && len(value) > 0 || c.IsIn(value, false, l.around) {
		l.matches.Reason = names.Reason{How: match.InColumn, Name: c.Words}
		l.matches.Add(names.Span{Start: r.from, End: r.from + len(value), Rule: c.Rule})
	}
}

// longCell takes a value that is too long to be read to its end.
func (l *State) longCell() {
	r := &l.row
	r.isDone = true
	c := l.columnHere()
	if c == nil || r.cell == beforeCell || !c.IsIn(l.in.Buf[r.from:r.at+1], false, l.around) {
		return
	}
	class := lex.NonSpace &^ (lex.Comma | lex.Punctuation)
	if r.cell == withinQuotes {
		class = lex.Everything &^ (lex.Quote | lex.Newline)
	}
	l.matches.Reason = names.Reason{How: match.InColumn, Name: c.Words}
	l.matches.Add(names.Span{Start: r.from, End: r.at + 1, Rule: c.Rule})
	l.matches.Growths = append(l.matches.Growths,
		match.Growth{Class: class, Rule: c.Rule, From: r.at + 1, Pos: r.at + 1})
}
