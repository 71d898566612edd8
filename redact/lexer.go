package redact

import (
	"bytes"
	"math"
	"strings"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/decode"
	"github.com/kfw-dev/kfw/redact/detect"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/prefilter"
	"github.com/kfw-dev/kfw/redact/structure"
)

// lexState is what a filter is in the middle of.
type lexState uint8

const (
	atLine           lexState = iota // nothing but blanks and byte order marks on this line so far
	afterBracket                     // the first [ of a line, and blanks
	between                          // JSON: between two tokens
	afterKey                         // a string that may be a key, and has become a marker; its quote is held back
	inString                         // of which no more than what Text holds is kept
	inEscape                         // a string, after a backslash
	inNumber                         // kept whole
	inLongNumber                     // too long to be anything but a number
	inWord                           // true, false, null, or the begin of a broken line
	inText                           // the rest of a line that is not JSON
	swallowString                    // the value of a sensitive key
	swallowNumber                    // the same
	swallowContainer                 // the same, with more open brackets than under holds
	swallowLine                      // the same, but broken
)

// filter redacts JSON and lines of text. It takes JSON apart into tokens only,
// with no stack: a key is a string with a colon after it.
type filter struct {
	rules  *Rules
	text   *Text
	format Format
	state  lexState
	fresh  bool // at the start of a line, and in the middle of nothing

	bracket  byte          // the last one, if it was [ or {
	key      *names.Phrase // of the string just read, if it would be a sensitive key
	pending  *names.Phrase // of the value to come
	argument names.Phrase  // of the string to come, if the last one of this array was a flag; else empty
	given    names.Phrase  // the same of the string at hand
	command  commandLine
	named    bool            // the value to come is that of the last name that text keeps
	inside   bool            // a key or a value may follow the last of { [ , : } ]
	hidden   bool            // the value of a sensitive key has just ended
	colon    bool            // the last token was one
	lone     bool            // the last token was a string that is no value so far
	isValue  bool            // the string at hand comes after one
	marked   int             // markers written before that string
	indented bool            // the line begins with blanks
	part     names.PairPart  // what the value to come is of a pair
	paired   *names.Phrase   // what the name of the pair at hand is, if it is a sensitive one
	below    int             // containers within that pair that are open
	under    structure.Under // of the value of a sensitive name, if that is no scalar
	grid     structure.Grid
	secret   structure.SecretObject
	held     heldPair
	lines    lex.JSONLines
	begins   bool   // the last token was the begin of an array
	isFirst  bool   // the string at hand is the first of an array
	member   uint64 // hash of the name of the value to come, or at hand
	carried  carried
	token    [detect.MaxNumber]byte
	size     int // of token
	scratch  []byte
	escaped  bool // swallowing: after a backslash
	quoted   bool // swallowing: in a string
	value    bool // swallowing: after a value, which only , : } ] may follow
	broken   bool // swallowing: that was not so; ends with the line
	content  bool // swallowing a string: it is not empty
	depth    int  // swallowing a container
	outLimit int
	scan     prefilter.AnchorScan // of lines that may be clean
	dense    int                  // lines in a row that were not
	decoded  []byte               // a line that may be clean
	letters  []int                // of its escapes, where it was not decoded
	header   table                // what such a line may be

	position        // at the start of a step
	begin     int64 // offset of the token at hand
	field     Place // of the value that is being swallowed
	found     func(rule string, at Place, why names.Reason)
	swallowed hiddenPart // of the same
	words     string     // of the name whose value it is
	hide      func(hiddenPart)

	path     *fieldPath // of the current key or value; nil if no rule depends on a path
	heldPath *fieldPath // of the value that is held
}

func newFilter(r *Rules, t *Text) *filter {
	f := &filter{rules: r, text: t, scratch: make([]byte, 0, 4*detect.MaxNumber), outLimit: math.MaxInt}
	f.scan.Automaton = r.automaton
	if r.paths != nil {
		f.followPath()
		t.matches.lets = f.lets
	}
	return f
}

// carried is a secret that a string ended in. It may go on in the same field
// of the records to come: log shippers make a record of every line.
type carried struct {
	secret  unfinished
	member  uint64 // hash of the name of the field; 0 if it has none
	records int    // that may yet come
	inRow   bool   // and in the next string of the same array
}

// maxCarried is for how many records a secret is carried on that none goes on with it.
const maxCarried = 16

// So many lines in a row that are not clean make it likely that the next is not, either.
const (
	denseLines  = 8  // then one in so many is looked at
	mostlyDense = 64 // and then one in so many
)

// observe has found called with the rule, the place and the reason of each match.
func (f *filter) observe(found func(rule string, at Place, why names.Reason)) {
	f.found = found
	f.text.matches.observed = func(rule int, offset int64, why names.Reason) {
		why.Path = f.pathHere()
		f.tell(rule, f.place(offset), why)
	}
}

func (f *filter) tell(rule int, at Place, why names.Reason) {
	switch {
	case f.found == nil:
	case f.held.state == isHeld:
		f.held.found = append(f.held.found, foundMatch{f.rules.catalogue[rule].Name, at, why})
	default:
		f.found(f.rules.catalogue[rule].Name, at, why)
	}
}

// lead goes on after white space and byte order marks at the start of an input.
func (f *filter) lead(part []byte) {
	f.pass(part)
	if line := bytes.LastIndexByte(part, '\n') + 1; line > 0 {
		f.text.lines.row.indent = indent{}
		part = part[line:]
	}
	f.text.lines.indentRow(part)
}

// pass goes on after what was taken in.
func (f *filter) pass(part []byte) { f.position.pass(part, f.found != nil) }

// start makes f ready for an input.
func (f *filter) start(format Format) {
	f.scratch = f.text.Flush(f.scratch[:0])
	f.format = format
	f.held.state = notHeld
	f.carried, f.member = carried{}, 0
	f.text.markers.keys = 0
	f.newLine()
	if f.path != nil {
		f.path.begin()
	}
}

// newLine forgets all that does not outlive a line of Lines, or a broken line.
func (f *filter) newLine() {
	f.state = atLine
	if f.path != nil {
		f.path.beginLine()
	}
	f.fresh = len(f.text.lines.valueOf) == 0 && !f.text.lines.saysOfLines()
	f.key, f.pending, f.bracket, f.inside, f.hidden = nil, nil, 0, true, false
	f.colon, f.lone = false, false
	f.named, f.text.name.leading = false, f.text.name.leading[:0]
	f.part, f.paired, f.below, f.argument = names.NoPart, nil, 0, names.Phrase{}
	f.under, f.lines = structure.Under{}, lex.JSONLines{}
	f.grid.End()
	f.secret = structure.SecretObject{}
	if f.held.is() {
		f.held.state = heldDecided
	}
	f.begins, f.command.size = false, 0
	f.size, f.indented = 0, false
	f.escaped, f.quoted, f.value, f.broken, f.content, f.depth = false, false, false, false, false, 0
}

// feed redacts src, appends to dst what is decided, and returns how much of src
// it has taken: all of it, unless dst has reached outLimit.
func (f *filter) feed(dst, src []byte) ([]byte, int) {
	f.scan.Begin(src)
	i := 0
	for i < len(src) && len(dst) < f.outLimit {
		if f.fresh {
			if end := f.passClean(src, i, f.outLimit/2); end > i {
				dst = append(dst, src[i:end]...)
				i = end
				continue
			}
		}
		var n int
		dst, n = f.stepHolding(dst, src[i:])
		f.pass(src[i : i+n])
		i += n
	}
	switch f.state {
	case inString, inEscape, inText:
		if f.held.is() {
			f.held.output = f.text.settle(f.held.output)
		} else {
			dst = f.text.settle(dst)
		}
	default:
		if f.swallows() {
			f.hideField(f.decided())
		}
	}
	return dst, i
}

// feedClean takes the clean lines that src begins with, all of which are to be
// passed on as they are, and returns their length. The rest is for feed.
func (f *filter) feedClean(src []byte) int {
	f.scan.Begin(src)
	if !f.fresh {
		return 0
	}
	return f.passClean(src, 0, len(src))
}

// passClean takes the clean lines that begin at from in src, where f is fresh, up to one that ends
// limit or more after it, and returns where they end.
func (f *filter) passClean(src []byte, from, limit int) (at int) {
	at = from
	if f.mayBeClean() {
		if at, f.fresh = f.cleanLines(src, from, limit); at > from {
			f.pass(src[from:at])
			if passed := src[from:at]; f.text.markers.keys > 0 && (passed[0] == '{' || passed[0] == '[' ||
				bytes.Contains(passed, []byte("\n{")) || bytes.Contains(passed, []byte("\n["))) {
				f.text.markers.keys = 0 // a record began
			}
			f.dense, f.text.lines.row = 0, row{}
			return at
		}
	}
	f.fresh = false
	return at
}

// mayBeClean says whether to see if the next lines are clean. It is not worth it
// for each of them where lines before were not.
func (f *filter) mayBeClean() bool {
	if f.path != nil {
		return false // it takes all brackets and names to know where the lexer stands
	}
	if f.carried.records > 0 {
		f.carried.records--
		return false
	}
	f.dense++
	return f.dense <= denseLines || f.dense%denseLines == 0 && f.dense <= mostlyDense || f.dense%mostlyDense == 0
}

// maxStep is how much of a string or a line is taken in at once.
const maxStep = 4 << 10

// step takes at least one byte of src, or changes state.
func (f *filter) step(dst, src []byte) ([]byte, int) {
	switch f.state {
	case atLine:
		return f.lineStart(dst, src)
	case afterBracket:
		return f.bracketPart(dst, src)
	case between:
		return f.punctuation(dst, src)
	case afterKey:
		return f.keyEnd(dst, src)
	case inString:
		return f.stringPart(dst, src)
	case inEscape:
		return f.escape(dst, src)
	case inNumber, inWord:
		return f.tokenPart(dst, src)
	case inLongNumber, swallowNumber:
		n := 0
		for n < len(src) && lex.IsNumberByte(src[n]) {
			n++
		}
		isHidden := f.state == swallowNumber
		if isHidden {
			f.text.markers.numbers.read(src[:n])
		} else {
			dst = append(dst, src[:n]...)
			f.keepLast(src[:n])
		}
		switch {
		case n == len(src):
		case isHidden:
			dst = f.endField(dst, f.offset+int64(n))
			f.state, f.hidden = between, true
		case lex.EndsToken(src[n]):
			f.state, f.hidden = between, false
		default:
			f.state = inText
			f.text.in.offset = f.offset + int64(n)
			f.text.in.passed(f.token[:f.size])
			f.text.nested.beginLine()
		}
		return dst, n
	case inText:
		return f.textPart(dst, src)
	case swallowString:
		return f.swallowStringPart(dst, src)
	case swallowContainer:
		return f.swallowContainerPart(dst, src)
	}
	n := bytes.IndexByte(src, '\n') // swallowLine
	if n < 0 {
		return dst, len(src)
	}
	f.newLine()
	return append(dst, '\n'), n + 1
}

func (f *filter) lineStart(dst, src []byte) ([]byte, int) {
	if !f.indented && (src[0] == '{' || src[0] == '[') {
		f.text.markers.keys = 0 // a record begins
		if f.path != nil {
			f.path.beginRecord()
		}
	}
	switch c := src[0]; {
	case c == lex.ByteOrderMark[f.size]:
		f.token[f.size] = c
		f.size++
		if f.size == len(lex.ByteOrderMark) {
			f.size = 0
			dst = append(dst, lex.ByteOrderMark...)
		}
		return dst, 1
	case f.size > 0:
		f.state = inWord
		f.begin = f.offset - int64(f.size)
	case lex.Blank.Has(c):
		n := lex.Blank.Run(src, 0, len(src))
		f.indented = true
		f.text.lines.indentRow(src[:n])
		return append(dst, src[:n]...), n
	case f.format != JSON && f.lines.Depth == 0 && f.text.lines.mayBeCollection():
		f.beginText()
	case f.format == JSON || f.lines.Depth > 0 || c == '{':
		f.state = between
		f.text.lines.valueOf = f.text.lines.valueOf[:0]
		f.text.lines.forget()
	case c == '[':
		f.state = afterBracket
		return append(dst, c), 1
	default:
		f.beginText()
	}
	return dst, 0
}

// beginText begins a line of text.
func (f *filter) beginText() {
	f.state = inText
	f.text.introduceLine()
	f.text.in.offset = f.offset
	f.text.beginYAML()
	f.text.nested.beginLine()
}

// bracketPart reads what follows the first [ of a line of text, which begins JSON if it is alone on
// its line or an object follows.
func (f *filter) bracketPart(dst, src []byte) ([]byte, int) {
	n := (lex.Blank | lex.Newline).Run(src[:1], 0, 1)
	switch c := src[0]; {
	case n > 0 && c != '\n':
		return append(dst, c), 1
	case c == '\n' || c == '{':
		f.state = between
		f.text.lines.valueOf = f.text.lines.valueOf[:0]
		f.text.lines.forget()
		f.lines.Read('[')
		if f.path != nil {
			f.path.open(false)
		}
	default:
		f.state = inText
		f.text.introduceLine()
		f.text.beginYAML()
		f.text.stageBefore("[")
		f.text.in.offset = f.offset
		f.text.nested.beginLine()
	}
	return dst, 0
}

func (f *filter) punctuation(dst, src []byte) ([]byte, int) {
	c := src[0]
	bracket := f.bracket
	f.bracket = 0
	if c == '[' || c == '{' {
		f.bracket = c
	}
	isSpilled := f.hidden && f.broken
	switch c {
	case '\n':
		f.hidden = false
		if f.held.is() && f.format != JSON && f.lines.Depth == 0 {
			f.held.state = heldDecided // the object, which is broken, does not go on in the next line
		}
		switch {
		case isSpilled || f.format != JSON && f.lines.End():
			f.newLine()
		case f.isSettled():
			f.state, f.size, f.fresh, f.indented = atLine, 0, true, false
			f.inside = true
		}
		return append(dst, c), 1
	case ' ', '\t', '\r':
		return withBlanks(dst, src)
	}
	if f.format != JSON {
		f.lines.Read(c)
	}
	f.carried.inRow = f.carried.inRow && (c == ',' || c == '"')
	if dst, broken := f.sensitiveLine(dst, c); broken {
		return dst, 0
	}
	if isSpilled {
		f.state = inText
		f.text.in.offset = f.offset
		f.text.nested.beginLine()
		return dst, 0
	}
	if f.under.Depth > 0 && !f.under.Follows(c) && f.under.Holds() {
		f.state = swallowLine
		return f.brokenField(dst, &f.under.Phrase, f.offset), 0
	}
	colon, isString, isFirst := f.colon, f.lone, f.begins
	f.colon, f.lone = c == ':', c == '"' && !colon
	f.isFirst, f.begins = f.isFirst && c == ',' || f.begins && c == '"', c == '['
	if f.colon {
		f.member, f.part = 0, names.NoPart
		if isString { // else the last name is that of another value, and none if its line was passed as clean
			f.member, f.part = f.text.name.hash, f.text.name.part
		}
		if f.path != nil {
			f.path.member(f.text.name.memberBefore(isString))
		}
		switch {
		case f.key != nil:
			f.pending, f.key = f.key, nil
		case f.part == names.PairValue && f.below == 0:
			f.pending = f.paired
		}
		if f.under.Depth > 0 {
			f.inherit()
		}
		f.inside, f.named = true, len(f.text.name.leading) > 0
		return withBlanks(dst, src)
	}
	if f.under.Depth > 0 && f.pending == nil && c != ']' && c != '}' && c != ',' {
		f.pending = f.under.Element()
	}
	if f.pending == nil && c != ']' && c != '}' && c != ',' {
		f.pending = f.grid.Value()
	}
	if f.pending != nil && c != '{' && c != '[' && f.text.matches.isLet(f.pending.Rule) {
		f.pending = nil
	}
	whole := f.pending != nil && f.pending.Whole
	switch c {
	case '"':
		f.key = nil
		if whole {
			f.beginField(swallowString, f.offset+1)
			f.content, f.escaped, f.broken = false, false, false
			return dst, 1
		}
		switch {
		case f.named:
			f.text.introduce()
			f.named = false
		case f.command.isOpen():
			f.text.introduceArgument(f.command.beforeArgument())
		}
		f.text.context, f.pending = f.pending, nil
		if f.argument.IsArgument && f.text.context == nil {
			f.given = f.argument
			f.text.context = &f.given
		}
		f.argument = names.Phrase{}
		f.text.in.offset = f.offset + 1
		f.text.nested.beginString()
		f.state, f.isValue, f.marked = inString, colon, f.text.markers.written
		if colon && f.text.context == nil {
			f.holdValue(len(dst)+1, f.offset+1, true)
		}
		if f.carried.records > 0 && (f.carried.inRow || colon && f.member != 0 && f.carried.member == f.member) {
			f.text.resume(f.carried.secret)
			f.carried.records = 0
		}
	case '{', '[':
		f.key, f.argument, f.command.size = nil, names.Phrase{}, 0
		f.held.open()
		f.grid.Open(c == '[', colon, isFirst, f.text.name.ending)
		part := names.NoPart
		if colon {
			part = f.part
		}
		if p := f.secret.Open(f.rules.names, c == '[', part, f.text.name.ending); p != nil && f.pending == nil {
			f.pending, whole = p, true
		}
		if f.under.IsFull() {
			f.pending = &f.under.Phrase
			f.beginField(swallowContainer, f.offset)
			f.text.markers.numbers.read(src[:1])
			f.depth, f.quoted, f.escaped, f.value, f.broken = 1, false, false, false, false
			return dst, 1
		}
		if f.path != nil {
			f.path.open(c == '{')
		}
		if f.pending != nil && !whole && !f.pending.Proper && !f.under.Has(f.pending) { // of a name the parts
			f.pending = nil
		}
		if f.pending != nil || f.under.Depth > 0 {
			f.under.Open(f.pending, c == '[')
			f.pending = nil
		}
		if f.paired != nil {
			f.below++
		}
		f.inside = true
		f.named, f.text.name.leading = false, f.text.name.leading[:0]
	case '}', ']', ',':
		f.argument = names.Phrase{}
		if c == ',' && f.key != nil {
			switch {
			case f.text.name.isFlag:
				f.argument = *f.key
				f.argument.IsArgument = true
			case f.isFirst:
				f.argument = f.key.OfRow()
			}
		}
		switch {
		case c != ',':
			f.command.size = 0
		case isString:
			f.command.add(f.text.name.ending)
		}
		f.isFirst = false
		f.key, f.pending = nil, nil
		switch {
		case f.path == nil:
		case c == ',':
			f.path.next()
		default:
			f.path.close(c == '}')
		}
		if c == ',' {
			f.grid.Next()
		} else {
			f.grid.Close()
			f.secret.Close()
			f.held.close()
			if f.under.Depth > 0 {
				f.under.Close()
			}
		}
		switch {
		case c == ',':
		case f.below > 0:
			f.below--
		default:
			f.paired = nil
		}
		f.named, f.text.name.leading = false, f.text.name.leading[:0]
		if f.inside = c == ','; f.inside {
			return withBlanks(dst, src)
		}
	default:
		f.state, f.size, f.begin = inWord, 0, f.offset
		f.argument = names.Phrase{}
		f.grid.ReadScalar()
		if c == '-' || lex.Digits.Has(c) {
			f.state = inNumber
			if colon && f.pending == nil {
				f.holdValue(len(dst), f.offset, false)
			}
		}
		f.bracket = bracket // the word follows it
		return dst, 0
	}
	return append(dst, c), 1
}

// inherit makes the value to come that of the sensitive name above its key, if that names no
// secret itself.
func (f *filter) inherit() {
	f.under.ReadKey(f.rules.names, f.text.name.ending, f.rules.catalogue[f.under.Phrase.Rule].Group)
	if f.pending == nil || !f.pending.Whole && !f.under.IsExempt() {
		f.pending = f.under.Member()
	}
}

// withBlanks passes on the first byte of src and the blanks after it.
func withBlanks(dst, src []byte) ([]byte, int) {
	n := 1
	for n < len(src) && (src[n] == ' ' || src[n] == '\t' || src[n] == '\r') {
		n++
	}
	return append(dst, src[:n]...), n
}

// isSettled says whether what comes after this line in no way depends on it.
func (f *filter) isSettled() bool {
	return f.key == nil && f.pending == nil && !f.argument.IsArgument && f.paired == nil && f.under.Depth == 0 &&
		!f.colon && !f.lone && !f.begins && !f.command.isOpen() && len(f.text.name.leading) == 0 && !f.grid.Is() &&
		!f.secret.Is() && !f.held.isOpen()
}

// sensitiveLine drops the rest of the line if c shows that it is broken around a
// sensitive key or its value: where the secret is cannot be told any more.
func (f *filter) sensitiveLine(dst []byte, c byte) ([]byte, bool) {
	separates := c == ',' || c == '}' || c == ']'
	isHidden := f.hidden
	f.hidden = false
	switch {
	case isHidden && !separates:
	case f.key != nil && f.key.Whole && f.inside && !separates && c != ':':
		dst = f.brokenField(dst, f.key, f.offset)
	case f.pending != nil && f.pending.Whole && separates:
		dst = f.brokenField(dst, f.pending, f.offset)
	default:
		return dst, false
	}
	f.key = nil
	f.state = swallowLine
	return dst, true
}

// beginField begins to swallow the value of a sensitive key.
func (f *filter) beginField(state lexState, offset int64) {
	f.state = state
	f.field = f.place(offset)
	f.swallowed = hiddenPart{rule: f.pending.Rule, from: offset, quotes: 1}
	f.words = f.pending.Words
	if state == swallowString {
		f.swallowed.quotes, f.swallowed.isText = 0, f.part != names.PairValue && f.under.Depth == 0
	}
	f.scratch = f.scratch[:0]
	f.text.markers.numbers.begin(&f.rules.catalogue[f.pending.Rule])
}

// endField writes the marker for a value that was swallowed, up to end.
func (f *filter) endField(dst []byte, end int64) []byte {
	f.hideField(end)
	f.pending = nil
	f.tell(f.swallowed.rule, f.field, names.Reason{How: ofKey, Name: f.words, Path: f.pathHere()})
	return f.text.markers.markQuoted(dst, f.swallowed.rule, f.text.markers.numbers.end(), f.swallowed.quotes)
}

// swallows says whether f is in the middle of such a value.
func (f *filter) swallows() bool {
	return f.state == swallowString || f.state == swallowNumber || f.state == swallowContainer
}

// hideField tells of the part of the value before end.
func (f *filter) hideField(end int64) {
	if f.hide != nil && end > f.swallowed.from {
		f.swallowed.to = end
		f.hidePart(f.swallowed)
	}
}

// decided returns the offset of the first byte that is neither passed on nor hidden yet.
func (f *filter) decided() int64 {
	if f.held.is() {
		return f.held.begin
	}
	switch f.state {
	case atLine:
		return f.offset - int64(f.size)
	case inString, inEscape, inText:
		return f.text.in.offset
	case inNumber, inWord:
		return f.begin
	case swallowString, swallowContainer:
		if f.offset-f.swallowed.from <= lex.MaxMarker { // it may be one
			return f.swallowed.from
		}
	}
	return f.offset
}

// brokenField writes the marker for the rest of a line that the value of p may be
// anywhere in. It has no number: what the value is cannot be told.
func (f *filter) brokenField(dst []byte, p *names.Phrase, offset int64) []byte {
	f.pending = nil
	f.tell(p.Rule, f.place(offset), names.Reason{How: ofKey, Name: p.Words})
	return f.text.markers.markQuoted(dst, p.Rule, 0, 1)
}

// inStrings tells the bytes at which a string is looked at closer.
var inStrings = func() (t [256]stringByte) {
	for c, in := range decode.NotationOf {
		if in != decode.Plain {
			t[c] = startsNotation
		}
	}
	t['"'], t['\\'], t['\n'] = endsString, endsString, endsString
	return t
}()

type stringByte uint8

const (
	startsNotation stringByte = 1 << iota
	endsString                // or the part of it that is taken as it is
)

func (f *filter) stringPart(dst, src []byte) ([]byte, int) {
	n, limit := 0, min(len(src), maxStep)
	var in stringByte
	for n < limit {
		if in |= inStrings[src[n]]; in >= endsString {
			break
		}
		n++
	}
	mayBeName := !f.isValue || f.part == names.PairName || f.part == names.KindKey || f.part == names.VersionKey
	if mayBeName && n < limit && src[n] == '"' && f.under.Depth == 0 {
		if p, isKnown := f.text.recall(src[:n]); isKnown {
			f.endName(p)
			f.text.nested.clear()
			f.state = between
			return append(dst, src[:n+1]...), n + 1
		}
	}
	if in&startsNotation == 0 {
		dst = f.text.stagePlain(dst, src[:n])
	} else {
		dst = f.text.stage(dst, src[:n])
	}
	if n == limit {
		return dst, n
	}
	switch src[n] {
	case '"':
		var p *names.Phrase
		if dst, p = f.text.flushString(dst, mayBeName); mayBeName {
			f.endName(p)
		}
		if f.isValue {
			f.held.endValue(len(dst), f.offset+int64(n))
		}
		f.state = between
		if f.text.unfinished.is() {
			f.carried = carried{secret: f.text.unfinished, records: maxCarried}
			if f.isValue {
				f.carried.member = f.member
			} else {
				f.carried.inRow = f.text.unfinished.key.Open
			}
			f.text.unfinished = unfinished{}
		}
		if !f.isValue && f.text.markers.written > f.marked && f.text.markers.numbers == nil && f.hide == nil {
			f.state, f.size = afterKey, 0
			return dst, n + 1
		}
		return append(dst, '"'), n + 1
	case '\\':
		f.state = inEscape
		f.token[0], f.size = '\\', 1
		return dst, n + 1
	}
	return f.lineEnd(dst), n + 1
}

// keyEnd reads the blanks after a string that has become a marker. If a colon follows, the string is
// a key, which gets a number unless it is the first such of the record.
func (f *filter) keyEnd(dst, src []byte) ([]byte, int) {
	n := 0
	for n < len(src) && lex.Blank.Has(src[n]) && f.size < len(f.token) {
		f.token[f.size] = src[n]
		f.size++
		n++
	}
	if n == len(src) {
		return dst, n
	}
	if src[n] == ':' {
		dst = f.text.markers.appendKeyNumber(dst)
	}
	return f.endKey(dst), n
}

// endKey passes on the quote that was held back, and the blanks after it.
func (f *filter) endKey(dst []byte) []byte {
	f.state = between
	dst = append(append(dst, '"'), f.token[:f.size]...)
	f.size = 0
	return dst
}

// endName ends a string that may be a name, a sensitive one if p is not nil.
func (f *filter) endName(p *names.Phrase) {
	isPairName := f.isValue && f.part == names.PairName
	if f.grid.State == structure.GridName && (!f.isValue || isPairName) {
		f.grid.ReadName(f.text.name.ending, p, isPairName)
	}
	switch {
	case !f.isValue:
		f.key = p
	case !isPairName:
		f.secret.Read(f.part, f.text.name.ending)
	case p != nil || f.below == 0:
		f.paired, f.below = p, 0
		if p != nil {
			f.held.name(p)
		}
	}
}

// lineEnd ends a text at the end of a line, where the lexer starts afresh; but
// a private key goes on.
func (f *filter) lineEnd(dst []byte) []byte {
	if f.text.lines.awaitsName() && !f.text.nested.inString {
		if dst = f.text.Append(dst, []byte{'\n'}); f.text.lines.unnamed.is && !f.text.matches.swallowing() {
			f.newLine()
			f.state, f.fresh = inText, false
			f.text.beginYAML()
			return dst
		}
		if !f.text.matches.swallowing() {
			dst = f.text.endLine(dst)
			f.newLine()
			return dst
		}
	}
	dst = f.text.endLine(dst)
	if f.text.matches.swallowing() {
		dst = f.text.Append(dst, []byte{'\n'})
		if f.text.matches.swallowing() {
			f.newLine()
			f.state, f.fresh = inText, false
			f.text.nested.beginLine()
			return dst
		}
		dst = f.text.Flush(dst)
	} else {
		dst = append(dst, '\n')
	}
	f.newLine()
	return dst
}

// escape reads what follows a backslash. What is no escape stands for itself.
func (f *filter) escape(dst, src []byte) ([]byte, int) {
	c := src[0]
	if f.size == 1 && c != '\n' {
		f.token[1], f.size = c, 2
		if c == 'u' {
			return dst, 1
		}
		f.state = inString
		read := c
		if i := strings.IndexByte("nrtbf", c); i >= 0 {
			read = "\n\r\t\b\f"[i]
		}
		if read == c && c >= 0x80 {
			return f.text.stage(dst, f.token[:2]), 1
		}
		return f.text.stageEscape(dst, []byte{read}, f.token[:2]), 1
	}
	if !lex.Hexadecimal.Has(c) {
		f.state = inString
		return f.text.stage(dst, f.token[:f.size]), 0
	}
	f.token[f.size] = c
	f.size++
	if f.size < 6 {
		return dst, 1
	}
	f.state = inString
	var read [4]byte
	n := decode.Encode(&read, decode.Number16(f.token[2:6]))
	return f.text.stageEscape(dst, read[:n], f.token[:6]), 1
}

// tokenPart reads a number or a word to its end.
func (f *filter) tokenPart(dst, src []byte) ([]byte, int) {
	isPart := lex.IsNumberByte
	if f.state == inWord {
		isPart = lex.Letters.Has
	}
	for i, c := range src {
		switch {
		case !isPart(c):
			return f.tokenEnd(dst, c), i
		case f.size < len(f.token):
			f.token[f.size] = c
			f.size++
		case f.state == inWord:
			return f.textStart(dst), i
		default:
			f.state = inLongNumber
			if f.pending != nil && f.pending.Whole {
				f.beginField(swallowNumber, f.begin)
				f.text.markers.numbers.read(f.token[:f.size])
				return dst, i
			}
			f.pending, f.key = nil, nil
			return append(dst, f.token[:f.size]...), i
		}
	}
	return dst, len(src)
}

// tokenEnd passes on a number or a word with c after it, or goes on in text.
func (f *filter) tokenEnd(dst []byte, c byte) []byte {
	tok := f.token[:f.size]
	whole := f.pending != nil && f.pending.Whole
	switch {
	case !lex.EndsToken(c), f.state == inWord && !lex.IsLiteral(tok), f.state == inNumber &&
		(f.bracket == '{' || !lex.IsNumber(tok)):
		return f.textStart(dst)
	case f.state == inWord:
		dst = append(dst, tok...)
	case whole:
		f.beginField(between, f.begin)
		f.text.markers.numbers.read(tok)
		dst = f.endField(dst, f.begin+int64(len(tok)))
	default:
		dst = f.numberValue(dst, tok)
		f.held.endValue(len(dst), f.begin+int64(len(tok)))
	}
	f.pending, f.key, f.hidden = nil, nil, whole
	f.named, f.text.name.leading = false, f.text.name.leading[:0]
	f.state = between
	return dst
}

// numberValue passes on a number, or a marker in its place.
func (f *filter) numberValue(dst, tok []byte) []byte {
	const shortest = 9 // of a number that says something without a name
	if len(tok) < shortest && f.pending == nil && !f.rules.patterns {
		return append(dst, tok...)
	}
	if f.hide != nil && f.member == 0 { // without a name it is as much in the text, which may be passed as clean
		return append(dst, tok...)
	}
	before := f.text.markers.written
	if f.named {
		f.text.introduce()
	}
	f.text.context, f.text.in.offset = f.pending, f.begin
	f.scratch = f.text.Flush(f.text.stage(f.scratch[:0], tok))
	if f.text.markers.written == before {
		return append(dst, tok...)
	}
	if f.hide != nil {
		f.hidePart(hiddenPart{rule: f.text.markers.last, from: f.begin, to: f.begin + int64(len(tok)), quotes: 1})
	}
	dst = append(dst, '"')
	dst = appendMarker(dst, &f.rules.catalogue[f.text.markers.last], f.text.markers.number)
	return append(dst, '"')
}

// keepLast keeps the end of a number that is too long to be kept whole.
func (f *filter) keepLast(part []byte) {
	part = part[max(0, len(part)-len(f.token)):]
	n := copy(f.token[:], f.token[max(0, f.size-(len(f.token)-len(part))):f.size])
	f.size = n + copy(f.token[n:], part)
}

// textStart goes on in text, from the token at hand to the end of the line.
func (f *filter) textStart(dst []byte) []byte {
	if f.pending == nil {
		f.pending = f.key // which has no colon
	}
	if f.pending == nil && f.under.Holds() {
		f.pending = &f.under.Phrase
		f.pending.Whole = true // what is broken is not looked at
	}
	if f.pending != nil && f.pending.Whole {
		f.state = swallowLine
		return f.brokenField(dst, f.pending, f.begin)
	}
	f.pending, f.key = nil, nil
	f.state = inText
	f.text.in.offset = f.begin
	if f.bracket != 0 { // which may be of a match
		f.text.beginYAML()
		f.text.in.passed([]byte{f.bracket})
		f.bracket = 0
	}
	f.text.nested.beginLine()
	return f.text.stage(dst, f.token[:f.size])
}

func (f *filter) textPart(dst, src []byte) ([]byte, int) {
	part := src[:min(len(src), maxStep)]
	if n := bytes.IndexByte(part, '\n'); n >= 0 {
		return f.lineEnd(f.text.stage(dst, part[:n])), n + 1
	}
	return f.text.stage(dst, part), len(part)
}

// swallowStringPart drops a string up to its quote, unless it is a marker. If it
// went over the end of a line, what follows a comma or a bracket on that line is text.
func (f *filter) swallowStringPart(dst, src []byte) ([]byte, int) {
	n := 0
	for n < len(src) && (src[n] != '\n' || f.format == JSON) && (src[n] != '"' || f.escaped) {
		f.broken = f.broken || src[n] == '\n'
		f.escaped = src[n] == '\\' && !f.escaped
		n++
	}
	f.content = f.content || n > 0
	f.scratch = append(f.scratch, src[:min(n, lex.MaxMarker+1-len(f.scratch))]...)
	if f.pending.Want == names.AuthSecret && f.under.Depth == 0 && n < len(src) && len(f.scratch) <= lex.MaxMarker &&
		candidate.IsEndpoint(f.scratch) { // no credentials
		f.pending, f.state = nil, inString
		dst = append(dst, '"')
		f.text.nested.beginString()
		f.text.in.offset, f.isValue, f.marked = f.swallowed.from, true, f.text.markers.written
		return f.text.stage(dst, f.scratch), n
	}
	f.text.markers.numbers.readString(src[:n])
	if n == len(src) {
		return dst, n
	}
	dst = f.endString(dst, f.offset+int64(n))
	if src[n] == '\n' {
		f.newLine()
		return append(dst, '\n'), n + 1
	}
	f.pending = nil
	f.state, f.hidden = between, true
	return append(dst, '"'), n + 1
}

// endString writes the marker for a string that was swallowed, or the string if it
// is empty or a marker: without its last quote, which there may be none of.
func (f *filter) endString(dst []byte, end int64) []byte {
	dst = append(dst, '"')
	w := names.Window{Text: f.scratch, End: true, Around: &f.text.around}
	switch {
	case !f.content:
		return dst
	case w.Marker(0) == len(f.scratch):
		return append(dst, f.scratch...)
	}
	return f.endField(dst, end)
}

// swallowContainerPart drops an object or an array to its end. If it is broken,
// that is the end of the line on which it shows.
func (f *filter) swallowContainerPart(dst, src []byte) ([]byte, int) {
	for i, c := range src {
		if c == '\n' && (f.broken || f.quoted || f.format != JSON) {
			f.text.markers.numbers.read(src[:i])
			dst = f.endField(dst, f.offset+int64(i))
			f.newLine()
			return append(dst, '\n'), i + 1
		}
		if f.quoted {
			f.quoted = c != '"' || f.escaped
			f.escaped = c == '\\' && !f.escaped
			continue
		}
		switch {
		case c == '{', c == '[':
			f.broken = f.broken || f.value
			f.depth++
			f.value = false
		case c == '}', c == ']':
			f.depth--
			f.value = true
		case c == ',', c == ':':
			f.value = false
		case c == '"':
			f.broken = f.broken || f.value
			f.quoted, f.value = true, true
		case (lex.Alnum | lex.Dash | lex.Plus | lex.Dot).Has(c):
			f.value = true
		case lex.Whitespace.Has(c):
		default:
			f.broken = true
		}
		if f.depth == 0 && !f.broken {
			f.text.markers.numbers.read(src[:i+1])
			f.state, f.hidden = between, true
			return f.endField(dst, f.offset+int64(i)+1), i + 1
		}
	}
	f.text.markers.numbers.read(src)
	return dst, len(src)
}

// finish ends the input and appends to dst what is left of it.
func (f *filter) finish(dst []byte) []byte {
	if f.held.is() {
		f.held.output = f.finishState(f.held.output)
		return f.release(dst)
	}
	return f.finishState(dst)
}

// finishState ends what the filter is in the middle of.
func (f *filter) finishState(dst []byte) []byte {
	switch f.state {
	case atLine:
		dst = append(dst, f.token[:f.size]...)
	case inNumber, inWord:
		dst = f.tokenEnd(dst, '\n')
	case inEscape:
		dst = f.text.stage(dst, f.token[:f.size])
	case afterKey:
		dst = f.endKey(dst)
	case swallowString:
		dst = f.endString(dst, f.offset)
	case swallowNumber, swallowContainer:
		dst = f.endField(dst, f.offset)
	}
	return f.text.Flush(dst)
}
