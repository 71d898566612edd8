package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/structure"
)

const (
	// maxHeader is how long the header of a table is, in bytes.
	maxHeader = lex.LookBehind
	// mostWords is how many words it has.
	mostWords = 4
	// headerSigns are the kinds of signs that a header has.
	headerSigns = lex.Word | lex.Dash | lex.Dot | lex.Slash | lex.High | lex.Wide | lex.Blank | lex.Comma | lex.Quote | lex.Punctuation
)

// table is what the header of a table says of the lines after it. The zero value is no table.
type table struct {
	separator byte // between cells: a comma, a semicolon, a tab or a bar; a blank for columns that blanks make
	columns   []structure.Column
	pair      pairColumns
	isDump    bool // COPY gives the rows: each has all cells, up to a line \.
}

// pairColumns are the columns of a table whose rows are pairs of a name and a value. The zero value is none.
type pairColumns struct {
	is          bool
	name, value int // numbers of the columns
}

// indent is the blanks before a line, which are not in its text.
type indent struct{ width, tabs int }

// is says whether there is a table.
func (t *table) is() bool { return t.separator != 0 }

// end forgets the table.
func (t *table) end() { *t = table{columns: t.columns[:0]} }

// readHeader reads the header of a table whose cells have sensitive values.
func (t *table) readHeader(line []byte, indent indent, names *names.NameCache) (isHeader bool) {
	t.end()
	line = bytes.TrimRight(line, "\r")
	if len(line) > maxHeader {
		return false
	}
	if t.readCopy(line, names) {
		return true
	}
	if headerSigns.Run(line, 0, len(line)) < len(line) { // as of nearly all lines
		return false
	}
	for _, separator := range []byte("\t|;, ") {
		if separator != ' ' && bytes.IndexByte(line, separator) < 0 {
			continue
		}
		if t.readNames(line, separator, indent, names) {
			t.separator = separator
			return true
		}
		t.end()
	}
	return false
}

func (t *table) readNames(line []byte, separator byte, indent indent, sensitive *names.NameCache) bool {
	if separator == '\t' {
		t.columns = append(t.columns, make([]structure.Column, min(indent.tabs, structure.MaxColumns))...)
	}
	named, isSensitive, isApart := 0, false, false
	hasName, hasValue := false, false
	for from, to := range cells(line, separator) {
		cell := line[from:to]
		name := bytes.Trim(cell, " \t")
		isApart = isApart || separator == ',' && bytes.HasPrefix(cell, []byte{' '})
		if len(name) > 1 && name[0] == '"' && name[len(name)-1] == '"' {
			name = name[1 : len(name)-1]
		}
		at := indent.width + characters(line[:from])
		c := structure.Column{From: at, To: at + characters(cell)}
		if len(name) > 0 {
			words := bytes.Count(name, []byte{' '}) + 1
			if !structure.IsColumnName(name) || words > mostWords || isApart && words > 1 {
				return false
			}
			named++
			if p, _ := sensitive.Of(name); p != nil {
				c.Phrase, c.IsSensitive, isSensitive = *p, true, true
			}
			switch pairColumnOf(name) {
			case names.PairName:
				if !hasName {
					t.pair.name, hasName = len(t.columns), true
				}
			case names.PairValue:
				t.pair.value, hasValue = len(t.columns), true
			}
		}
		if len(t.columns) < structure.MaxColumns {
			t.columns = append(t.columns, c)
		}
	}
	t.pair.is = hasName && hasValue && t.pair.name < t.pair.value && t.pair.value < structure.MaxColumns
	return named > 1 && (isSensitive || t.pair.is)
}

// pairColumnOf returns what a column is whose rows are pairs of a name and a value.
func pairColumnOf(name []byte) names.PairPart {
	var b [names.MaxName]byte
	switch string(candidate.AppendLower(b[:0], name[:min(len(name), len(b))])) {
	case "name", "key", "variable", "variable_name", "variable name", "parameter", "setting", "property", "option",
		"env",
		"field", "attribute", "item":
		return names.PairName
	case "value":
		return names.PairValue
	}
	return names.NoPart
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

// cells yields where the cells of a header begin and end. A separator in quotes is not looked for: no name has one.
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
	indent      indent
	line        int  // where the line begins
	at          int  // read up to here
	hasCells    bool // it is a row of the table
	hasValue    bool // it may have the value that is carried
	hasArgument bool // it may have an argument of a command line
	// isOfCollection: it begins within a collection of YAML that goes on as such.
	isOfCollection bool
	width          int // characters of the line up to here
	cell           cellState
	from           int              // where the cell begins, in its quotes if it has some
	to             int              // where it ends in its quotes
	place          int              // where it begins, in characters from the begin of the line
	number         int              // of the cell
	isDone         bool             // the cell is too long to be read on
	isIn           bool             // a cell was in its column
	paired         structure.Column // what the name of the pair says of its value
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

// indentRow takes blanks that a line begins with, which are not in its text, and byte order marks between them.
func (t *Text) indentRow(b []byte) {
	for _, c := range b {
		switch c {
		case '\t':
			t.row.indent.tabs++
			fallthrough
		case ' ':
			t.row.indent.width++
		}
	}
}

// forgetLines forgets what earlier lines say of those to come.
func (t *Text) forgetLines() {
	t.table.end()
	t.tuples.end()
	t.collection = collection{}
	t.carry, t.row, t.argv = names.Carry{}, row{}, argv{}
}

// saysOfLines says whether earlier lines say something of those to come.
func (t *Text) saysOfLines() bool {
	return t.table.is() || t.carry.Is() || t.tuples.is() || t.argv.isOpen() || t.collection.reads()
}

// mayBeCollection reports whether a bracket that begins the line, after the blanks that were read, may be of a
// collection of YAML that is the value of a name in a line before.
func (t *Text) mayBeCollection() bool {
	return t.collection.reads() || t.carry.MayOpen(t.row.indent.width)
}

// beginRow says that a line begins at a place of the text, after blanks that are not in it.
func (t *Text) beginRow(at int, indent indent) {
	t.row = row{isBegun: true, indent: indent, line: at, at: at, from: at, width: indent.width}
	t.row.isOfCollection = t.collection.reads()
	t.row.hasCells, t.row.hasValue, t.row.hasArgument = t.table.is(), t.carry.Is(), t.argv.isOpen()
	if t.table.separator == '\t' {
		t.row.number = indent.tabs
	}
}

// endRow ends a line of text before a place of it, and the table or what is carried if the line is not of it.
func (t *Text) endRow(at int) {
	r := &t.row
	if r.line == at && at > 0 && t.buf[at-1] == '\n' && at == len(t.buf) {
		return // the line has ended already
	}
	line := t.buf[max(r.line, 0):at]
	isNamed := t.lastSaid > r.line && at-r.line <= maxHeader && len(line) > 0 && line[0] != '{' && line[0] != '<'
	if r.hasCells {
		isRow := r.number > 0 && (t.table.separator != ' ' || r.isIn)
		if t.table.isDump {
			isRow = r.number+1 == len(t.table.columns) && !bytes.HasPrefix(line, []byte(`\.`))
		}
		if !isRow && (t.table.isDump || len(line) == 0 || !names.IsRule(line)) {
			t.table.end()
		}
	} else if isNamed && t.table.readHeader(line, r.indent, &t.names) && !t.hasName(line) {
		t.table.end()
	}
	if (isNamed || t.unnamed.is) && !t.carry.HasLines() {
		t.readPairLine(max(r.line, 0), at, r.indent.width)
	}
	if r.hasArgument || isNamed {
		t.argv.readLine(line[:min(len(line), maxHeader)], r.indent.width)
	}
	if r.hasValue {
		t.carry = t.carry.After(line[:min(len(line), maxHeader)], r.indent.width, &t.names)
	}
	if isNamed && !t.carry.HasLines() {
		if c := saysOfNext(line, r.indent.width, &t.names); c.Is() && t.hasName(line) {
			t.carry = c
			t.carry.Group = t.rules.catalogue[c.Rule].Group
		}
	}
}

// readRows finds the values of names that stand in lines before, and returns the start of what it can't tell yet.
func (t *Text) readRows(end bool) int {
	r := &t.row
	if !r.isBegun {
		t.beginRow(t.begin, r.indent)
	}
	for limit := t.scanned; r.at < limit; {
		size := bytes.IndexByte(t.buf[r.at:limit], '\n')
		to := limit
		if size >= 0 {
			to = r.at + size
		}
		switch {
		case r.hasCells:
			if !t.readCells(to, end || size >= 0) {
				return t.unsure()
			}
		case r.hasValue && r.at-r.line < names.MaxValue && to-r.line >= names.MaxValue:
			t.endValue(r.line + names.MaxValue)
		}
		t.findCollection(r.at, to)
		r.at = to
		if size >= 0 {
			t.endLineOfRows(to)
			t.readCollection(to+1, false)
			t.endRow(to)
			t.beginRow(to+1, indent{})
		}
	}
	if end {
		t.endLineOfRows(len(t.buf))
	}
	t.readCollection(t.scanned, end)
	return t.unsure()
}

// findCollection looks in text[from:to], which is of the current line, for the bracket of a collection that is the
// value that is carried.
func (t *Text) findCollection(from, to int) {
	r := &t.row
	if !r.hasValue || r.isOfCollection {
		return
	}
	for at := from; at < min(to, r.line+names.MaxValue); at++ {
		if t.buf[at] != '{' && t.buf[at] != '[' {
			continue
		}
		line := t.buf[r.line : at+1]
		if v := t.carry.ValueIn(line, r.indent.width, &t.names); v.IsCollection && v.From == len(line)-1 {
			c := t.carry.ForCollection(line, r.indent.width)
			t.collection.expect(names.Awaited{Is: true, Carry: c, At: at})
			return
		}
	}
}

// endLineOfRows takes what the line that was read has of values.
func (t *Text) endLineOfRows(at int) {
	r := &t.row
	if r.hasCells {
		t.endCell(at)
	}
	if r.hasValue && at-r.line < names.MaxValue {
		t.endValue(at)
	}
	if r.hasArgument && at-r.line < names.MaxValue {
		t.endArgument(at)
	}
}

// unsure returns the start of the cell or of the value that is not known to its end, or whose name is not.
func (t *Text) unsure() int {
	r := &t.row
	at := len(t.buf)
	switch {
	case r.hasCells && r.cell != beforeCell && !r.isDone && (t.table.separator == ' ' || t.columnOf(r.number) != nil):
		at = r.from
	case (r.hasValue && !r.hasCells || r.hasArgument) && r.at-r.line < names.MaxValue:
		at = max(r.line, t.begin)
	}
	at = t.collection.held(at)
	if t.unnamed.is && t.scanned-t.unnamed.from < maxUnnamedBytes+names.MaxValue {
		return min(at, t.unnamed.from)
	}
	if r.line >= 0 && r.at-r.line < names.MaxValue && mayHavePairValue(t.buf[r.line:r.at]) {
		at = min(at, max(r.line, t.begin))
	}
	return at
}

// endValue takes the value that is carried to the line, of which what is before a place is read.
func (t *Text) endValue(at int) {
	r := &t.row
	line := t.buf[r.line:at]
	if r.isOfCollection {
		return
	}
	v := t.carry.ValueIn(line, r.indent.width, &t.names)
	from, to, isQuoted := v.From, v.To, v.IsQuoted
	if from == to || t.carry.IsPacked && !names.IsPacked(line[from:to]) ||
		!t.carry.IsIn(line[from:to], isQuoted, &t.around) {
		return
	}
	s := names.Span{Start: r.line + from, End: r.line + to, Rule: t.carry.Rule}
	if t.line.is && t.carry.IsScalar() && !isQuoted {
		s.Quotes = 1
	}
	t.reason = names.Reason{How: carriedReasons[t.carry.How], Name: t.carry.Words}
	t.add(s)
	if at-r.line == names.MaxValue && to == len(line) {
		t.growths = append(t.growths,
			growth{lex.Everything &^ (lex.Quote | lex.Newline), t.carry.Rule, r.line + to, r.line + to})
	}
}

// readCells reads the cells of a row up to a place, which is the end of the line if isLast. It
// reports false if it has to wait for more.
func (t *Text) readCells(to int, isLast bool) bool {
	r := &t.row
	for ; r.at < to; r.at++ {
		c := t.buf[r.at]
		isEnd, isDecided := t.endsCell(c, isLast)
		if !isDecided {
			return false
		}
		switch {
		case isEnd:
			t.endCell(r.at)
			r.number++
			r.cell, r.isDone = beforeCell, false
			r.from = r.at + 1
		case r.cell == beforeCell && lex.Blank.Has(c):
			r.from = r.at + 1
		case r.cell == beforeCell:
			r.cell, r.from, r.place = inCell, r.at, r.width
			if c == '"' && t.table.separator != '|' && t.table.separator != ' ' {
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
			t.longCell()
		}
	}
	return true
}

// endsCell says whether c, which stands where the row is read, ends a cell. Of columns that blanks make two of them do.
func (t *Text) endsCell(c byte, end bool) (isEnd, isDecided bool) {
	r := &t.row
	switch {
	case t.table.separator != ' ':
		return c == t.table.separator && r.cell != withinQuotes, true
	case r.cell != inCell || !lex.Blank.Has(c):
		return false, true
	case r.at+1 == t.scanned:
		return false, end
	}
	return c == '\t' || lex.Blank.Has(t.buf[r.at+1]), true
}

// columnOf returns the column of a cell if it is a sensitive one, or nil.
func (t *Text) columnOf(number int) *structure.Column {
	switch {
	case number >= len(t.table.columns):
		return nil
	case t.table.columns[number].IsSensitive:
		return &t.table.columns[number]
	case t.table.pair.is && t.table.pair.value == number && t.row.paired.IsSensitive:
		return &t.row.paired
	}
	return nil
}

// columnAt returns the number of the column in which a cell stands, or -1: one whose name begins where the cell does,
// or ends there.
func (t *Text) columnAt(from, to int) int {
	for i := range t.table.columns {
		if c := &t.table.columns[i]; c.From == from || c.To == to {
			return i
		}
	}
	return -1
}

// numberHere returns the number of the column of the cell that was read, or -1.
func (t *Text) numberHere() int {
	r := &t.row
	if t.table.separator != ' ' {
		return r.number
	}
	n := t.columnAt(r.place, r.width)
	r.isIn = r.isIn || n >= 0
	return n
}

// columnHere returns the column of the cell that was read, if that is a sensitive one, or nil.
func (t *Text) columnHere() *structure.Column {
	n := t.numberHere()
	if n < 0 {
		return nil
	}
	return t.columnOf(n)
}

// readPairName takes in the name of the pair that the row is.
func (t *Text) readPairName(cell []byte) {
	r := &t.row
	cell = bytes.Trim(cell, " \t\r`*")
	if p, _ := t.names.Of(cell); p != nil && len(cell) <= names.MaxName && lex.NameOfKey.Within(cell) {
		r.paired = structure.Column{Phrase: *p, IsSensitive: true}
	}
}

// endCell ends a cell before at, and takes its value.
func (t *Text) endCell(at int) {
	r := &t.row
	if r.cell == beforeCell || r.isDone {
		return
	}
	if r.cell == afterQuotes {
		at = r.to
	}
	n := t.numberHere()
	if t.table.pair.is && n == t.table.pair.name {
		t.readPairName(t.buf[r.from:at])
	}
	if n < 0 {
		return
	}
	c := t.columnOf(n)
	if c == nil {
		return
	}
	value := bytes.TrimRight(t.buf[r.from:at], " \t\r")
	if c.IsIn(value, false, &t.around) {
		t.reason = names.Reason{How: inColumn, Name: c.Words}
		t.add(names.Span{Start: r.from, End: r.from + len(value), Rule: c.Rule})
	}
}

// longCell takes a value that is too long to be read to its end.
func (t *Text) longCell() {
	r := &t.row
	r.isDone = true
	c := t.columnHere()
	if c == nil || r.cell == beforeCell || !c.IsIn(t.buf[r.from:r.at+1], false, &t.around) {
		return
	}
	class := lex.NonSpace &^ (lex.Comma | lex.Punctuation)
	if r.cell == withinQuotes {
		class = lex.Everything &^ (lex.Quote | lex.Newline)
	}
	t.reason = names.Reason{How: inColumn, Name: c.Words}
	t.add(names.Span{Start: r.from, End: r.at + 1, Rule: c.Rule})
	t.growths = append(t.growths, growth{class, c.Rule, r.at + 1, r.at + 1})
}
