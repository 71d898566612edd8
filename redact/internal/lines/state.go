package lines

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/code"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/prefilter"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// State is what the lines of a text that were read say of those to come: the header of a table, the
// name of a value, the columns of an INSERT, an open collection of YAML, a command line that goes
// on.
type State struct {
	rules   *catalogue.Set
	in      *match.Input
	matches *match.Set
	around  *names.Around
	names   *names.NameCache

	said
	versions   versions
	row        row
	checker    Checker // of lines of other programs
	tuples     tuples
	collection collection
	unnamed    unnamed
	lastSaid   int      // where the last anchor ends that may say something of the next lines; at most 0: none
	yaml       yamlLine // the current line
}

// maxOuter is how many objects of YAML may be open around one that names are carried in. What is
// deeper carries none.
const maxOuter = 8

// New returns a State for the text of which in is kept; its matches are added to found.
func New(r *catalogue.Set, in *match.Input, found *match.Set, around *names.Around) State {
	return State{rules: r, in: in, matches: found, around: around, names: around.Names, said: newSaid(),
		checker: Checker{Names: around.Names}, versions: versions{other: newSaid()}}
}

// Forget forgets what earlier lines say of those to come.
func (l *State) Forget() {
	l.said.forget()
	l.versions.forget()
	l.tuples.end()
	l.collection, l.row = collection{}, row{}
}

// ForgetAll is Forget, and forgets the name as well whose value the next line may have.
func (l *State) ForgetAll() {
	l.valueOf, l.versions.other.valueOf = l.valueOf[:0], l.versions.other.valueOf[:0]
	l.Forget()
}

// ForgetRow forgets where in the current line the text is.
func (l *State) ForgetRow() { l.row = row{} }

// Clear makes l ready for a line with a buffer of its own: what earlier lines say stays.
func (l *State) Clear() {
	l.yaml, l.row, l.lastSaid, l.unnamed = yamlLine{}, row{}, 0, unnamed{}
	l.tuples.nextLine()
	l.collection.nextLine()
}

// Move follows a text that is about to lose its first bytes.
func (l *State) Move(by int) {
	l.yaml.move(l.in.Buf, by)
	l.row.move(by)
	l.tuples.move(by)
	l.collection.move(by)
	l.unnamed.move(by)
	l.lastSaid -= by
}

// Says reports whether earlier lines say something of those to come.
func (l *State) Says() bool {
	return l.said.says() || l.versions.other.says() || l.tuples.is() || l.collection.reads()
}

// MayBeValue reports whether a bracket that begins the line, after the blanks that were read, may be
// of the value of a name in a line before, which is a collection or a block of YAML.
func (l *State) MayBeValue() bool {
	return l.collection.reads() || l.carry.MayOpen(l.row.indent.width)
}

// GoesOn reports whether a match that what was read ends in may go on.
func (l *State) GoesOn() bool { return l.collection.goesOn() }

// Expect says that a collection of YAML begins at a place of the text.
func (l *State) Expect(o names.Awaited) {
	l.ReadRows(false)
	if r := &l.row; o.Carry.OfSecret && l.carry.IsOther {
		if c := l.carry.After(l.in.Buf[max(r.line, 0):o.At], r.indent.width, l.names); c.Is() {
			return // the line is of the object that is known
		}
	}
	l.collection.expect(o)
}

// SaysHere says that an anchor ends at the end of what was scanned that may say something of the
// next lines.
func (l *State) SaysHere() { l.lastSaid = l.in.Scanned }

// BeginInsert begins to read a statement after its INTO, where what was scanned ends, unless that
// is in a row.
func (l *State) BeginInsert() {
	if l.ReadTuples(l.in.Scanned, false); l.tuples.state != inRow {
		l.tuples.begin(l.in.Scanned)
	}
}

// HasUnnamed reports whether a line before has the value of a pair whose name may follow.
func (l *State) HasUnnamed() bool { return l.unnamed.is }

// BeginYAML says that a line begins that may be of YAML.
func (l *State) BeginYAML(is bool) { l.yaml = yamlLine{is: is, at: len(l.in.Buf)} }

// IsYAML reports whether the line may be of YAML.
func (l *State) IsYAML() bool { return l.yaml.is }

// KeepName keeps the name in the line that ends, or what its command line begins with, for the next
// line. isNamed says that a name was seen that may be sensitive.
func (l *State) KeepName(isNamed bool) {
	l.valueOf, l.taken = l.valueOf[:0], 0
	switch l.isCommand = names.IsContinued(l.in.Buf); {
	case l.isCommand:
		l.valueOf = commands.AppendCommand(l.valueOf, l.in.Buf)
	case isNamed:
		line := l.in.Buf
		if bytes.IndexByte(line, '\n') >= 0 { // the name of the line before may stand first
			line = line[bytes.LastIndexByte(line, '\n')+1:]
		}
		l.valueOf = append(l.valueOf, names.PairNameIn(line, l.names)...)
	}
}

// TakeName returns what KeepName kept for this line, which may be empty, and forgets it. It is
// valid until the next KeepName.
func (l *State) TakeName() []byte {
	name := l.valueOf
	l.valueOf, l.taken = l.valueOf[:0], len(name)
	return name
}

// Indent returns the blanks before the current line.
func (l *State) Indent() Indent { return l.row.indent }

// SetIndent sets the blanks before the current line.
func (l *State) SetIndent(i Indent) { l.row.indent = i }

// IndentRow takes blanks that a line begins with, which are not in its text, and byte order marks
// between them.
func (l *State) IndentRow(b []byte) {
	for _, c := range b {
		switch c {
		case '\t':
			l.row.indent.tabs++
			fallthrough
		case ' ':
			l.row.indent.width++
		}
	}
}

// beginRow says that a line begins at a place of the text, after blanks that are not in it.
func (l *State) beginRow(at int, indent Indent) {
	l.row = row{isBegun: true, indent: indent, line: at, at: at, from: at, width: indent.width}
	l.row.isOfCollection = l.collection.reads()
	l.expectInRow()
}

// expectInRow says what the current line may have of what earlier lines say.
func (l *State) expectInRow() {
	r := &l.row
	r.hasCells, r.hasValue, r.hasArgument = l.table.is(), l.carry.Is(), l.argv.IsOpen()
	r.number = 0
	if l.table.separator == '\t' {
		r.number = r.indent.tabs
	}
	r.hasPrefix = l.isPrefixed || l.versions.sign != 0
	l.goOnInCell()
}

// skipPrefix begins the current line after what a program put before it; false means that this is not
// known yet.
func (l *State) skipPrefix(limit int, isEnd bool) bool {
	r := &l.row
	line := l.in.Buf[max(r.line, 0):limit]
	if l.versions.sign != 0 || l.isSigned() {
		l.skipSign(line)
		return true
	}
	if size := bytes.IndexByte(line, '\n'); size >= 0 {
		line, isEnd = line[:size], true
	}
	n, is, isKnown := l.prefix.end(line, isEnd)
	if !isKnown && len(line) < lex.LongestPrefix {
		return false
	}
	r.hasPrefix = false
	if is {
		l.others = 0
		l.skip(n, 0)
		return true
	}
	r.isOther, r.hasCells, r.hasValue, r.hasArgument = true, false, false, false
	return true
}

// skip begins the current line after so many bytes more, which make an indent of width characters.
func (l *State) skip(n, width int) {
	r := &l.row
	r.line += n
	r.at, r.from, r.width, r.indent, r.number = r.line, r.line, width, Indent{width: width}, 0
	l.collection.at = max(l.collection.at, r.line)
	l.goOnInCell()
}

// EndRow ends a line of text before a place of it, and the table or what is carried if the line is
// not of it.
func (l *State) EndRow(at int) {
	r := &l.row
	if r.line == at && at > 0 && l.in.Buf[at-1] == '\n' && at == len(l.in.Buf) {
		return // the line has ended already
	}
	if !r.hasVersion {
		l.beginVersion(at, true)
	}
	if r.hasPrefix {
		l.skipPrefix(at, true)
	}
	line := l.in.Buf[max(r.line, 0):at]
	if l.isPrefixed {
		line = withoutFrame(l.prefix.text[:l.prefix.size], line)
	}
	if !l.isOpen() {
		l.margin = r.indent.width + lex.Blank.Run(line, 0, len(line))
	}
	isNamed := l.lastSaid > r.line && at-r.line <= structure.MaxHeader && len(line) > 0 && line[0] != '{' &&
		line[0] != '<'
	if r.isOther && !l.mayEnd(line, isNamed) {
		return
	}
	if n := lex.AnyPrefixEnd(line); n > 0 && !l.isPrefixed && !r.isOfCollection && l.collection.reads() {
		l.beginAfter(line, n)
		return
	}
	if isNamed && !l.isPrefixed && !l.table.is() && !l.carry.Is() && !l.collection.reads() {
		isOnly := l.beginPrefixed(line, at)
		if l.isPrefixed {
			return
		}
		isNamed = !isOnly
	}
	if r.hasCells {
		isRow := r.number > 0 && (l.table.separator != ' ' || r.isIn)
		if l.table.isDump {
			isRow = r.number+1 == len(l.table.columns) && !bytes.HasPrefix(line, []byte(`\.`))
		}
		isRow = isRow && !names.BeginsRecord(line)
		if l.keepOpenCell(); !isRow && l.table.open == 0 && (l.table.isDump || len(line) == 0 || !names.IsRule(line)) {
			l.table.end()
		}
	} else if isNamed && l.table.readHeader(line, r.indent, l.names) && (!l.hasName(line) ||
		l.table.isLoose && l.isCode(at) || l.table.goesOn(l.window().LineBefore(at)) ||
		l.table.separator == '|' && isOfRecord(l.window().LineBefore(at), line)) {
		l.table.end()
	}
	if (isNamed || l.unnamed.is) && (!l.carry.HasLines() || l.carry.How == names.DataBelow) {
		l.readPairLine(max(r.line, 0), at, r.indent.width)
	}
	line = line[:min(len(line), structure.MaxHeader)]
	if r.hasArgument || isNamed {
		l.argv.ReadLine(line, r.indent.width)
	}
	if r.hasValue {
		l.carryOn(line, r.indent.width)
	}
	if isNamed {
		l.carryFrom(line, r.indent.width)
	}
	l.isPrefixed = l.isPrefixed && (l.table.is() || l.carry.Is() || l.collection.reads())
}

// isSetting reports whether a line is a key of YAML and a word, which is no row of one cell: kind: ConfigMap.
func isSetting(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	key := lex.NameOfKey.Run(line, 0, names.MaxName)
	value, isKey := bytes.CutPrefix(line[key:], []byte(": "))
	return key > 0 && isKey && len(value) > 0 && lex.Word.Within(value) && !candidate.HasDigit(value)
}

// isOfRecord reports whether a line with a bar is a field of a record of psql, as the line before it tells: it begins
// the record, or has its bar in the same place.
func isOfRecord(before, line []byte) bool {
	bar := bytes.IndexByte(line, '|')
	return bar > 0 && (names.BeginsRecord(before) || bytes.IndexByte(before, '|') == bar)
}

// surePrefix is how long something before a line is, in bytes, that can be nothing else.
const surePrefix = 16

// maxOther is the most lines of other programs between two lines with the same prefix.
const maxOther = 64

// mayEnd takes in a line with another prefix. It reports whether the structure before it has ended: after too many such
// lines, or if this one may begin a structure itself.
func (l *State) mayEnd(line []byte, isNamed bool) bool {
	l.others++
	if isOpen := l.isOpen() || l.collection.reads(); isOpen && l.others < maxOther &&
		!(isNamed && l.checker.SaysOfNext(line)) {
		return false
	}
	l.said.forget()
	return true
}

// beginPrefixed reads a line, which ends at a place, as one that a program put something before, if it has
// such. isOnly says that it can be no other.
func (l *State) beginPrefixed(line []byte, at int) (isOnly bool) {
	n := lex.AnyPrefixEnd(line)
	l.hasAnyPrefix = n == 0
	if c := saysOfNext(line, 0, l.names); l.hasAnyPrefix && (!c.Is() || c.How == names.NextWord) {
		n = saysAfterWords(line, l.names)
		if c.Is() && endsInWord(line[:n]) {
			n = 0 // the line is a sentence
		}
	}
	if n == 0 {
		return false
	}
	l.beginAfter(line, n)
	text := withoutFrame(line[:n], line[n:])
	goesOn := func() bool {
		last := l.window().LineBefore(at)
		end, _, _ := l.prefix.end(last, true)
		return l.table.goesOn(last[end:])
	}
	if !l.hasAnyPrefix && l.table.readHeader(text, Indent{}, l.names) &&
		(!l.hasName(text) || l.table.isLoose && l.isCode(at) || goesOn()) {
		l.table.end()
	}
	if !l.table.is() {
		l.carryFrom(text, 0)
	}
	l.isPrefixed = l.table.is() || l.carry.Is()
	if l.isSigned() {
		l.versions.sign = l.sign
	}
	return !l.hasAnyPrefix && n > surePrefix
}

// beginAfter makes the first n bytes of a line the prefix of the structure that begins there.
func (l *State) beginAfter(line []byte, n int) {
	l.prefix.set(line, n)
	l.isPrefixed, l.others, l.sign = true, 0, 0
	if n == 1 {
		l.sign = line[0]
	}
}

// isCode reports whether the line that ends at a place is of a program, which has no tables.
func (l *State) isCode(at int) bool {
	return l.window().IsCode(at, code.Among)
}

// window returns the text as names see it.
func (l *State) window() names.Window {
	return names.Window{Text: l.in.Buf, End: true, Around: l.around}
}

// carryOn ends the carried name if the line, indented by so many characters, is not below it.
func (l *State) carryOn(line []byte, indent int) {
	for {
		l.carry = l.carry.After(line, indent, l.names)
		last := len(l.outer) - 1
		if l.carry.Is() || last < 0 {
			return
		}
		l.carry, l.outer = l.outer[last], l.outer[:last]
	}
}

// carryFrom begins to carry the name in a line, which begins after so many characters, if it has one.
func (l *State) carryFrom(line []byte, indent int) {
	c := saysOfNext(line, indent, l.names)
	if !c.Is() || !l.carry.Lets(&c) || !l.hasName(line) {
		return
	}
	if l.carry.HasLines() {
		if len(l.outer) == maxOuter {
			return
		}
		l.outer = append(l.outer, l.carry)
	}
	l.carry = c
	l.carry.Group = l.rules.Catalogue[c.Rule].Group
}

// ReadRows finds the values of names that stand in lines before, and returns the start of what it
// can't tell yet.
func (l *State) ReadRows(end bool) int {
	r := &l.row
	if !r.isBegun {
		l.beginRow(l.in.Begin, r.indent)
	}
	for limit := l.in.Scanned; r.at < limit; {
		if !r.hasVersion && !l.beginVersion(limit, end) {
			return max(r.line, l.in.Begin)
		}
		if r.hasPrefix && !l.skipPrefix(limit, end) {
			return max(r.line, l.in.Begin)
		}
		size := bytes.IndexByte(l.in.Buf[r.at:limit], '\n')
		to := limit
		if size >= 0 {
			to = r.at + size
		}
		switch {
		case r.hasCells:
			if !l.readCells(to, end || size >= 0) {
				return l.unsure()
			}
		case r.hasValue && r.at-r.line < names.MaxValue && to-r.line >= names.MaxValue:
			l.endValue(r.line + names.MaxValue)
		}
		l.findCollection(r.at, to)
		r.at = to
		if size >= 0 {
			l.endLineOfRows(to)
			l.readCollection(to+1, false)
			l.EndRow(to)
			l.beginRow(to+1, Indent{})
		}
	}
	if end {
		l.endLineOfRows(len(l.in.Buf))
	}
	l.readCollection(l.in.Scanned, end)
	return l.unsure()
}

// endLineOfRows takes what the line that was read has of values.
func (l *State) endLineOfRows(at int) {
	r := &l.row
	isOther := r.number == 0 && l.table.separator != ' ' && !r.isWhole && isSetting(l.in.Buf[max(r.line, 0):at])
	if r.hasCells && !isOther {
		l.endCell(at)
	}
	if r.hasValue && at-r.line < names.MaxValue {
		l.endValue(at)
	}
	if r.hasArgument && at-r.line < names.MaxValue {
		l.endArgument(at)
	}
}

// unsure returns the start of the cell or of the value that is not known to its end, or whose name
// is not.
func (l *State) unsure() int {
	r := &l.row
	at := len(l.in.Buf)
	switch {
	case r.hasCells && r.cell != beforeCell && !r.isDone && (l.table.separator == ' ' || l.columnOf(r.number) != nil):
		at = r.from
	case (r.hasValue && !r.hasCells || r.hasArgument) && r.at-r.line < names.MaxValue:
		at = max(r.line, l.in.Begin)
	}
	at = l.collection.held(at)
	if l.unnamed.is && l.in.Scanned-l.unnamed.from < maxUnnamedBytes+names.MaxValue {
		return min(at, l.unnamed.from)
	}
	if r.line >= 0 && r.at-r.line < names.MaxValue && mayHavePairValue(l.in.Buf[r.line:r.at]) {
		at = min(at, max(r.line, l.in.Begin))
	}
	return at
}

// endValue takes the value that is carried to the line, of which what is before a place is read.
func (l *State) endValue(at int) {
	r := &l.row
	line := l.in.Buf[r.line:at]
	if l.isPrefixed {
		line = withoutFrame(l.prefix.text[:l.prefix.size], line)
	}
	if l.isOfCollection(at) {
		return
	}
	v := l.carry.ValueIn(line, r.indent.width, l.names)
	from, to, isQuoted := v.From, v.To, v.IsQuoted
	isObject := l.carry.How == names.InBlock && bytes.HasPrefix(line[from:to], []byte(lex.ObjectBegin))
	if from == to || !l.carry.MayBe(line[from:to]) || !isObject && !l.carry.IsIn(line[from:to], isQuoted, l.around) {
		return
	}
	isSentence := l.isPrefixed && l.hasAnyPrefix && !isQuoted && bytes.IndexByte(line[from:to], ' ') >= 0
	if isSentence && l.carry.How == names.Below { // of a comment, as nearly always
		return
	}
	s := names.Span{Start: r.line + from, End: r.line + to, Rule: l.carry.Rule}
	if l.yaml.is && l.carry.IsScalar() && !isQuoted {
		s.Quotes = 1
	}
	l.matches.Reason = names.Reason{How: match.CarriedReasons[l.carry.How], Name: l.carry.Words}
	l.matches.Add(s)
	if at-r.line == names.MaxValue && to == len(line) {
		l.matches.Growths = append(l.matches.Growths,
			match.Growth{Class: lex.Everything &^ (lex.Quote | lex.Newline), Rule: l.carry.Rule, From: r.line + to,
				Pos: r.line + to})
	}
}

// findCollection looks in text[from:to], which is of the current line, for the bracket of a
// collection that is the value that is carried.
func (l *State) findCollection(from, to int) {
	r := &l.row
	if !r.hasValue {
		return
	}
	for at := from; at < min(to, r.line+names.MaxValue); at++ {
		if l.in.Buf[at] != '{' && l.in.Buf[at] != '[' || l.isOfCollection(at) {
			continue
		}
		line := l.in.Buf[r.line : at+1]
		if v := l.carry.ValueIn(line, r.indent.width, l.names); v.IsCollection && v.From == len(line)-1 {
			c := l.carry.ForCollection(line, r.indent.width)
			l.collection.expect(names.Awaited{Is: true, Carry: c, At: at})
			return
		}
	}
}

// isOfCollection reports whether the current line is within a collection of YAML, as read up to a
// place: what is no YAML may have ended it on the line.
func (l *State) isOfCollection(to int) bool {
	if l.row.isOfCollection {
		l.readCollection(to, false)
	}
	return l.row.isOfCollection
}

// hasName says whether a line has an anchor that may say something of the lines after it.
func (l *State) hasName(line []byte) bool {
	a := l.rules.Automaton
	for at, state := 0, prefilter.State(0); at < len(line); {
		n, next := a.Scan(state, line[at:])
		at, state = at+n, next
		if state < a.Hit {
			continue
		}
		for _, e := range a.Endings(state) {
			r := &l.rules.Catalogue[e.Rule]
			if !r.SaysOfLines {
				continue
			}
			x, ok := r.Form.(detect.Excluder)
			if MaySay(r, line, at-e.Length, at, ok && x.Excludes(line, at-e.Length, at)) {
				return true
			}
		}
	}
	return false
}

// endArgument takes the secret that is in an argument of a command line, which is a line of YAML
// that ends at a place.
func (l *State) endArgument(at int) {
	r := &l.row
	line := l.in.Buf[r.line:at]
	y := names.ReadYAML(line, r.indent.width)
	if !y.IsItem || len(y.Key) > 0 || y.Indent != l.argv.Indent {
		return
	}
	from, to, _ := names.Scalar(y.Value)
	begin := r.line + bytes.LastIndex(line, y.Value) + from
	for _, rule := range l.rules.OfCommands {
		first, last := l.argv.SecretIn(y.Value[from:to], l.rules.Catalogue[rule].Form, l.around)
		if first == last {
			continue
		}
		s := names.Span{Start: begin + first, End: begin + last, Rule: rule}
		if l.yaml.is {
			place, end, _ := placeInYAML(l.window(), &l.yaml, s.Start,
				s.End, false)
			s.End = end
			s = s.Placed(place)
		}
		l.matches.Reason = names.Reason{How: match.OnCommand}
		l.matches.Add(s)
		return
	}
}
