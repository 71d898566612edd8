package redact

import (
	"bytes"
	"math"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/clean"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/lines"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/report"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// lexState is what a filter is in the middle of.
type lexState uint8

const (
	atLine           lexState = iota // nothing but blanks and byte order marks on this line so far
	atValue                          // the begin of a line that may be a value of JSON, which is held back
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
	rules    *catalogue.Set
	text     *Text
	format   Format
	outLimit int
	state    lexState
	fresh    bool // at the start of a line, and in the middle of nothing
	token    token
	scratch  []byte

	seen    lastSigns
	next    nextValue
	grid    structure.Grid
	secret  structure.SecretObject
	lines   lex.JSONLines
	resumed lex.JSONLines // where a value goes on that the last line broke; if depth is 0, none does
	value   []byte        // of the state atValue
	held    report.Held
	carried carried
	swallow swallowing
	clean   clean.Finder
	recent  recent

	report.Position // at the start of a step
	paths           fieldPaths
	report          report.Report
}

// lastSigns is what the tokens before the current one were.
type lastSigns struct {
	bracket  byte // the last one, if it was [ or {
	inside   bool // a key or a value may follow the last of { [ , : } ]
	redacted bool // the value of a sensitive key has just ended
	colon    bool // the last token was one
	lone     bool // the last token was a string that is no value so far
	isValue  bool // the current string comes after a colon
	marked   int  // markers written before that string
	indented bool // the line begins with blanks
	isApart  bool // the line on which the JSON value begins is indented, as unchanged lines of a diff are
	atMargin bool // the next token is the first of its line, and no blank stands before it
	begins   bool // the last token was the begin of an array
	isFirst  bool // the current string is the first of an array
}

// nextValue is what the names before it say of the value to come.
type nextValue struct {
	key      *names.Phrase   // of the string just read, if it would be a sensitive key
	pending  *names.Phrase   // of the value to come
	argument names.Phrase    // of the string to come, if the last one of this array was a flag; else empty
	given    names.Phrase    // the same of the current string
	command  commands.Line   // the current array, if it is one
	named    bool            // the value to come is that of the last name that text keeps
	member   uint64          // hash of the name of the value to come, or of the current one
	part     names.PairPart  // what the value to come is of a pair
	paired   *names.Phrase   // what the name of the current pair is, if it is a sensitive one
	declared names.PairPart  // of which a member of the object says that it is a secret, whatever the name
	below    int             // containers within that pair that are open
	under    structure.Under // of the value of a sensitive name, if that is no scalar
}

func newFilter(r *catalogue.Set, t *Text) *filter {
	f := &filter{rules: r, text: t, outLimit: math.MaxInt, scratch: make([]byte, 0, 4*detect.MaxNumber),
		value: make([]byte, 0, lex.LongestLabel)}
	f.clean = clean.New(r, &t.around)
	f.recent.inString = &t.in.InString
	t.around.Before = &f.recent
	f.report = report.Report{Rules: r, Held: &f.held}
	f.paths.allowed = r.Paths
	if r.Paths != nil {
		f.followPath()
		t.matches.Lets = f.lets
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

// observe has found called with the rule, the place and the reason of each match.
func (f *filter) observe(found func(rule string, at Place, why names.Reason)) {
	f.report.Observed = found
	f.text.matches.Observed = func(rule int, offset int64, why names.Reason) {
		why.Path = f.pathHere()
		f.report.Tell(rule, f.PlaceOf(offset), why)
	}
}

// lead goes on after white space and byte order marks at the start of an input.
func (f *filter) lead(part []byte) {
	f.pass(part)
	if line := bytes.LastIndexByte(part, '\n') + 1; line > 0 {
		f.text.lines.SetIndent(lines.Indent{})
		part, f.seen.indented = part[line:], false
	}
	f.seen.indented = f.seen.indented || bytes.ContainsAny(part, " \t")
	f.text.lines.IndentRow(part)
}

// pass goes on after what was taken in.
func (f *filter) pass(part []byte) { f.Position.Pass(part, f.report.Observed != nil) }

// start makes f ready for an input.
func (f *filter) start(format Format) {
	f.scratch = f.text.Flush(f.scratch[:0])
	f.format = format
	f.held.Forget()
	f.carried, f.next.member, f.lines, f.value = carried{}, 0, lex.JSONLines{}, f.value[:0]
	f.text.markers.NewRecord()
	f.recent.begin()
	f.newLine()
	if f.paths.current != nil {
		f.paths.current.Begin()
	}
}

// newLine forgets all that does not outlive a value of JSON, or a broken line.
func (f *filter) newLine() {
	f.state = atLine
	f.resumed = f.lines.Broken()
	if f.paths.current != nil {
		f.paths.current.BeginLine()
	}
	f.fresh = !f.text.lines.Says() && f.resumed.Depth == 0 && f.text.rest.Least == 0
	f.next.key, f.next.pending, f.seen.bracket, f.seen.inside, f.seen.redacted = nil, nil, 0, true, false
	f.seen.colon, f.seen.lone = false, false
	f.next.named, f.text.name.leading = false, f.text.name.leading[:0]
	f.next.part, f.next.paired, f.next.below, f.next.argument = names.NoPart, nil, 0, names.Phrase{}
	f.next.declared = names.NoPart
	f.next.under, f.lines = structure.Under{}, lex.JSONLines{}
	f.grid.End()
	f.secret = structure.SecretObject{}
	f.held.GiveUp()
	f.seen.begins = false
	f.next.command.End()
	f.token.size, f.seen.indented = 0, false
	f.swallow = swallowing{part: f.swallow.part, place: f.swallow.place, words: f.swallow.words}
}

// feed redacts src, appends to dst what is decided, and returns how much of src
// it has taken: all of it, unless dst has reached outLimit.
func (f *filter) feed(dst, src []byte) ([]byte, int) {
	f.clean.Begin(src)
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
		f.recent.part = src[:i]
		if f.state == atValue {
			dst, n = f.valuePart(dst, src[i:])
		} else {
			dst, n = f.stepHolding(dst, src[i:])
			f.pass(src[i : i+n])
		}
		i += n
	}
	f.recent.read(src[:i])
	switch f.state {
	case inString, inEscape, inText:
		if f.held.Is() {
			f.held.Output = f.text.settle(f.held.Output)
		} else {
			dst = f.text.settle(dst)
		}
	default:
		if f.state.swallows() {
			f.swallow.hide(&f.report, f.decided())
		}
	}
	return dst, i
}

// feedClean takes the clean lines that src begins with, all of which are to be
// passed on as they are, and returns their length. The rest is for feed.
func (f *filter) feedClean(src []byte) int {
	f.clean.Begin(src)
	if !f.fresh {
		return 0
	}
	n := f.passClean(src, 0, len(src))
	f.recent.read(src[:n])
	return n
}

// maxStep is how much of a string or a line is taken in at once.
const maxStep = 4 << 10

// step takes at least one byte of src, or changes state.
func (f *filter) step(dst, src []byte) ([]byte, int) {
	switch f.state {
	case atLine:
		return f.lineStart(dst, src)
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
		isRedacted := f.state == swallowNumber
		if isRedacted {
			f.text.markers.Read(src[:n])
		} else {
			dst = append(dst, src[:n]...)
			f.token.keepLast(src[:n])
		}
		switch {
		case n == len(src):
		case isRedacted:
			dst = f.endField(dst, f.Offset+int64(n))
			f.state, f.seen.redacted = between, true
		case lex.EndsToken(src[n]):
			f.state, f.seen.redacted = between, false
		default:
			f.state = inText
			f.text.in.Offset = f.Offset + int64(n)
			f.text.in.Passed(f.token.bytes[:f.token.size])
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
	if !f.seen.indented && (src[0] == '{' || src[0] == '[') {
		f.text.markers.NewRecord()
		if f.paths.current != nil {
			f.paths.current.BeginRecord()
		}
	}
	switch c := src[0]; {
	case c == lex.ByteOrderMark[f.token.size]:
		f.token.bytes[f.token.size] = c
		f.token.size++
		if f.token.size == len(lex.ByteOrderMark) {
			f.token.size = 0
			dst = append(dst, lex.ByteOrderMark...)
		}
		return dst, 1
	case f.token.size > 0:
		f.state = inWord
		f.token.begin = f.Offset - int64(f.token.size)
	case lex.Blank.Has(c):
		n := lex.Blank.Run(src, 0, len(src))
		f.seen.indented = true
		f.text.lines.IndentRow(src[:n])
		return append(dst, src[:n]...), n
	case f.goesOn(c):
		f.beginJSON()
		f.seen.atMargin = !f.seen.indented
	case f.text.lines.MayBeValue():
		f.beginText(c)
	case c == '{':
		f.beginJSON()
	case lex.MayBeJSON(c, f.format == JSON && !f.text.lines.Says()):
		f.state = atValue
	default:
		f.beginText(c)
	}
	return dst, 0
}

// goesOn reports whether a line that begins with c goes on in a value of JSON. After a line that
// broke it, the line has to look like JSON, or like a comment between its lines.
func (f *filter) goesOn(c byte) bool {
	resumed := f.resumed
	f.resumed = lex.JSONLines{}
	if resumed.Depth > 0 && !f.text.lines.Says() && strings.IndexByte("\"{}[],/*#", c) >= 0 {
		f.lines = resumed
	}
	return f.lines.Depth > 0
}

// beginJSON begins a line of JSON.
func (f *filter) beginJSON() {
	if f.lines.Depth == 0 {
		f.seen.isApart = f.seen.indented
	}
	f.state, f.seen.atMargin = between, false
	f.text.rest = match.Rest{}
	f.text.lines.ForgetAll()
}

// beginText begins a line of text, whose first byte after blanks is c.
func (f *filter) beginText(c byte) {
	f.state = inText
	f.text.lines.BeginVersion(c)
	f.text.introduceLine()
	f.text.in.Offset = f.Offset
	f.text.beginYAML()
	f.text.nested.beginLine()
}

// valuePart holds the begin of a line back until it is known to be JSON or text, and returns how
// much of src it has taken.
func (f *filter) valuePart(dst, src []byte) ([]byte, int) {
	n := min(len(src), lex.LongestLabel-len(f.value))
	if size := bytes.IndexByte(src[:n], '\n'); size >= 0 {
		n = size + 1
	}
	f.value = append(f.value, src[:n]...)
	if isJSON, decided := lex.BeginsJSON(f.value, false); decided {
		dst = f.readValue(dst, isJSON)
	}
	return dst, n
}

// readValue reads what was held back of a line.
func (f *filter) readValue(dst []byte, isJSON bool) []byte {
	if isJSON {
		f.beginJSON()
	} else {
		f.beginText(f.value[0])
	}
	for held := f.value; len(held) > 0; {
		var n int
		dst, n = f.stepHolding(dst, held)
		f.pass(held[:n])
		held = held[n:]
	}
	f.value = f.value[:0]
	return dst
}

func (f *filter) punctuation(dst, src []byte) ([]byte, int) {
	c := src[0]
	bracket := f.seen.bracket
	f.seen.bracket = 0
	if c == '[' || c == '{' {
		f.seen.bracket = c
	}
	isSpilled := f.seen.redacted && f.swallow.broken
	atMargin := f.seen.atMargin
	f.seen.atMargin = c == '\n'
	switch c {
	case '\n':
		f.seen.redacted = false
		if f.lines.Depth == 0 {
			f.held.GiveUp() // the object, which is broken, does not go on in the next line
		}
		switch {
		case isSpilled || f.lines.End(f.next.under.Depth > 0):
			f.newLine()
		case f.isSettled():
			f.state, f.token.size, f.fresh, f.seen.indented = atLine, 0, true, false
			f.seen.inside = true
		}
		return append(dst, c), 1
	case ' ', '\t', '\r':
		return withBlanks(dst, src)
	case '+', '-':
		if atMargin && f.seen.isApart && f.lines.Depth > 0 { // of a diff, in place of a blank
			f.seen.bracket = bracket
			return append(dst, c), 1
		}
	}
	f.lines.Read(c)
	f.carried.inRow = f.carried.inRow && (c == ',' || c == '"')
	if dst, broken := f.sensitiveLine(dst, c); broken {
		return dst, 0
	}
	if isSpilled {
		f.state = inText
		f.text.in.Offset = f.Offset
		f.text.nested.beginLine()
		return dst, 0
	}
	if f.next.under.Depth > 0 && !f.next.under.Follows(c) && f.next.under.Holds() {
		f.state = swallowLine
		return f.brokenField(dst, &f.next.under.Phrase, f.Offset), 0
	}
	colon, isString, isFirst := f.seen.colon, f.seen.lone, f.seen.begins
	f.seen.colon, f.seen.lone = c == ':', c == '"' && !colon
	f.seen.isFirst, f.seen.begins = f.seen.isFirst && c == ',' || f.seen.begins && c == '"', c == '['
	if f.seen.colon {
		f.next.member, f.next.part = 0, names.NoPart
		if isString { // else the last name is that of another value, and none if its line was passed as clean
			f.next.member, f.next.part = f.text.name.hash, f.text.name.part
		}
		if f.paths.current != nil {
			f.paths.current.Member(f.text.name.memberBefore(isString))
		}
		switch {
		case f.next.part == names.KeyName:
			f.declare(names.AccountKey, names.PairValue)
			f.next.key = nil
		case f.next.key != nil:
			f.next.pending, f.next.key = f.next.key, nil
		case f.next.below == 0 && f.next.isPaired():
			f.next.pending = f.next.paired
		}
		if f.next.under.Depth > 0 {
			f.next.inherit(f.rules, f.text.name.ending)
		}
		f.seen.inside, f.next.named = true, len(f.text.name.leading) > 0
		return withBlanks(dst, src)
	}
	if f.next.under.Depth > 0 && f.next.pending == nil && c != ']' && c != '}' && c != ',' {
		f.next.pending = f.next.under.Element()
	}
	if f.next.pending == nil && c != ']' && c != '}' && c != ',' {
		f.next.pending = f.grid.Value()
	}
	if f.next.pending == nil && colon && c == '"' {
		f.next.pending = f.secret.Value(f.rules.Names, f.text.name.ending)
	}
	if f.next.pending != nil && c != '{' && c != '[' && f.text.matches.IsLet(f.next.pending.Rule) {
		f.next.pending = nil
	}
	whole := f.next.pending != nil && f.next.pending.Whole
	switch c {
	case '"':
		f.next.key = nil
		if whole {
			f.beginField(swallowString, f.Offset+1)
			f.swallow.content, f.swallow.escaped, f.swallow.broken = false, false, false
			return dst, 1
		}
		switch {
		case f.next.named:
			f.text.introduce()
			f.next.named = false
		case f.next.command.IsOpen():
			f.text.introduceArgument(f.next.command.BeforeArgument())
		}
		f.text.context, f.next.pending = f.next.pending, nil
		if f.next.argument.IsArgument && f.text.context == nil {
			f.next.given = f.next.argument
			f.text.context = &f.next.given
		}
		f.next.argument = names.Phrase{}
		f.text.in.Offset = f.Offset + 1
		f.text.nested.beginString()
		f.state, f.seen.isValue, f.seen.marked = inString, colon, f.text.markers.Written
		if colon && f.text.context == nil {
			f.holdValue(len(dst)+1, f.Offset+1, true)
		}
		if f.carried.records > 0 &&
			(f.carried.inRow || colon && f.next.member != 0 && f.carried.member == f.next.member) {
			f.text.resume(f.carried.secret)
			f.carried.records = 0
		}
	case '{', '[':
		f.next.key, f.next.argument = nil, names.Phrase{}
		f.next.command.End()
		f.held.Open()
		f.grid.Open(c == '[', colon, isFirst, f.text.name.ending)
		part := names.NoPart
		if colon {
			part = f.next.part
		}
		if p := f.secret.Open(f.rules.Names, c == '[', part, f.text.name.ending); p != nil && f.next.pending == nil {
			f.next.pending, whole = p, true
		}
		if f.next.under.IsFull() {
			f.next.pending = &f.next.under.Phrase
			f.beginField(swallowContainer, f.Offset)
			f.text.markers.Read(src[:1])
			f.swallow.depth, f.swallow.quoted, f.swallow.escaped, f.swallow.value, f.swallow.broken = 1, false,
				false, false, false
			return dst, 1
		}
		if f.paths.current != nil {
			f.paths.current.Open(c == '{')
		}
		// of a name the parts
		if p := f.next.pending; p != nil && !whole && !p.Proper && !p.IsPlural && !f.next.under.Has(p) {
			f.next.pending = nil
		}
		if f.next.pending != nil || f.next.under.Depth > 0 {
			f.next.under.Open(f.next.pending, c == '[')
			f.next.pending = nil
		}
		if f.next.paired != nil {
			f.next.below++
		}
		f.seen.inside = true
		f.next.named, f.text.name.leading = false, f.text.name.leading[:0]
	case '}', ']', ',':
		f.next.argument = names.Phrase{}
		if c == ',' && f.next.key != nil {
			switch {
			case f.text.name.isFlag:
				f.next.argument = *f.next.key
				f.next.argument.IsArgument = true
			case f.seen.isFirst:
				f.next.argument = f.next.key.OfRow()
			}
		}
		switch {
		case c != ',':
			f.next.command.End()
		case isString:
			f.next.command.Add(f.text.name.ending)
		}
		f.seen.isFirst = false
		f.next.key, f.next.pending = nil, nil
		switch {
		case f.paths.current == nil:
		case c == ',':
			f.paths.current.Next()
		default:
			f.paths.current.Close(c == '}')
		}
		if c == ',' {
			f.grid.Next()
		} else {
			f.grid.Close()
			f.secret.Close()
			f.held.Close()
			if f.next.under.Depth > 0 {
				f.next.under.Close()
			}
		}
		switch {
		case c == ',':
		case f.next.below > 0:
			f.next.below--
		default:
			f.next.paired, f.next.declared = nil, names.NoPart
		}
		f.next.named, f.text.name.leading = false, f.text.name.leading[:0]
		if f.seen.inside = c == ','; f.seen.inside {
			return withBlanks(dst, src)
		}
	default:
		f.state, f.token.size, f.token.begin = inWord, 0, f.Offset
		f.next.argument = names.Phrase{}
		f.grid.ReadScalar()
		if c == '-' || lex.Digits.Has(c) {
			f.state = inNumber
			if colon && f.next.pending == nil {
				f.holdValue(len(dst), f.Offset, false)
			}
		}
		f.seen.bracket = bracket // the word follows it
		return dst, 0
	}
	return append(dst, c), 1
}

// isPaired reports whether the value to come is what the pair has a name for, if it has one.
func (v *nextValue) isPaired() bool {
	if v.declared != names.NoPart {
		return v.part == v.declared
	}
	return v.part == names.PairValue
}

// inherit makes the value to come that of the sensitive name above its key, if that names no
// secret itself.
func (v *nextValue) inherit(rules *catalogue.Set, key []byte) {
	v.under.ReadKey(rules.Names, key, rules.Catalogue[v.under.Phrase.Rule].Group)
	if v.pending == nil || !v.pending.Whole && !v.under.IsExempt() {
		v.pending = v.under.Member()
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
	v := &f.next
	return v.key == nil && v.pending == nil && !v.argument.IsArgument && v.paired == nil && v.under.Depth == 0 &&
		!v.command.IsOpen() && !f.seen.colon && !f.seen.lone && !f.seen.begins && len(f.text.name.leading) == 0 &&
		!f.grid.Is() && !f.secret.Is() && !f.held.IsOpen()
}

// sensitiveLine drops the rest of the line if c shows that it is broken around a
// sensitive key or its value: where the secret is cannot be told any more.
func (f *filter) sensitiveLine(dst []byte, c byte) ([]byte, bool) {
	separates := c == ',' || c == '}' || c == ']'
	isRedacted := f.seen.redacted
	f.seen.redacted = false
	switch {
	case isRedacted && !separates:
	case f.next.key != nil && f.next.key.Whole && f.seen.inside && !separates && c != ':':
		dst = f.brokenField(dst, f.next.key, f.Offset)
	case f.next.pending != nil && f.next.pending.Whole && separates:
		dst = f.brokenField(dst, f.next.pending, f.Offset)
	default:
		return dst, false
	}
	f.next.key = nil
	f.state = swallowLine
	return dst, true
}

// decided returns the offset of the first byte that is neither passed on nor hidden yet.
func (f *filter) decided() int64 {
	if f.held.Is() {
		return f.held.Begin
	}
	switch f.state {
	case atLine:
		return f.Offset - int64(f.token.size)
	case inString, inEscape, inText:
		return f.text.in.Offset
	case inNumber, inWord:
		return f.token.begin
	case swallowString, swallowContainer:
		if f.Offset-f.swallow.part.From <= candidate.LongestHarmless { // it may be a marker, or stay
			return f.swallow.part.From
		}
	}
	return f.Offset
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
	mayBeName := !f.seen.isValue || f.next.part == names.PairName || f.next.part == names.KindKey ||
		f.next.part == names.VersionKey || f.next.part == names.TypeKey || f.next.part == names.KeyType
	if mayBeName && n < limit && src[n] == '"' && f.next.under.Depth == 0 {
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
		if f.seen.isValue {
			f.held.EndValue(dst, f.Offset+int64(n))
		}
		f.state = between
		if f.text.unfinished.is() {
			f.carried = carried{secret: f.text.unfinished, records: maxCarried}
			if f.seen.isValue {
				f.carried.member = f.next.member
			} else {
				f.carried.inRow = f.text.unfinished.key.Open
			}
			f.text.unfinished = unfinished{}
		}
		if m := &f.text.markers; !f.seen.isValue && m.Written > f.seen.marked && !m.HasNumbers() &&
			f.report.Hide == nil {
			f.state, f.token.size = afterKey, 0
			return dst, n + 1
		}
		return append(dst, '"'), n + 1
	case '\\':
		f.state = inEscape
		f.token.bytes[0], f.token.size = '\\', 1
		return dst, n + 1
	}
	return f.lineEnd(dst), n + 1
}

// endName ends a string that may be a name, a sensitive one if p is not nil.
func (f *filter) endName(p *names.Phrase) {
	isPairName := f.seen.isValue && f.next.part == names.PairName
	if f.grid.State == structure.GridName && (!f.seen.isValue || isPairName) {
		f.grid.ReadName(f.text.name.ending, p, isPairName)
	}
	switch {
	case !f.seen.isValue:
		if f.next.key = p; p != nil && f.text.name.isPath {
			f.next.key = nil
		}
	case f.next.part == names.TypeKey:
		if names.IsSecretType(f.text.name.ending) {
			f.declare("client secret", names.PairValue)
		}
	case f.next.part == names.KeyType:
		if names.IsKeyType(f.text.name.ending) {
			f.declare("private key", names.KeyNumber)
		}
	case !isPairName:
		f.secret.Read(f.next.part, f.text.name.ending)
	case p != nil || f.next.below == 0 && f.next.declared == names.NoPart:
		f.next.paired, f.next.below = p, 0
		if p != nil {
			f.held.Name(p, names.PairValue)
		}
	}
}

// declare takes in that a member says that such a part of the current object is a secret, of which name is one.
func (f *filter) declare(name string, part names.PairPart) {
	p := f.rules.Names.Of([]byte(name))
	if p == nil || f.next.below > 0 {
		return
	}
	f.next.paired, f.next.declared = p, part
	f.held.Name(p, part)
}

// lineEnd ends a text at the end of a line, where the lexer starts afresh; but
// a private key goes on.
func (f *filter) lineEnd(dst []byte) []byte {
	if f.text.lines.AwaitsName() && !f.text.in.InString {
		dst = f.text.Append(dst, []byte{'\n'})
		switch {
		case f.text.matches.Swallowing():
			return f.goOnWithKey(dst)
		case f.text.lines.HasUnnamed():
			f.newLine()
			f.state, f.fresh = inText, false
			f.text.beginYAML()
			return dst
		}
		dst = f.text.endLine(dst)
		f.newLine()
		return dst
	}
	dst = f.text.endLine(dst)
	if f.text.matches.Swallowing() {
		dst = f.text.Append(dst, []byte{'\n'})
		if f.text.matches.Swallowing() {
			return f.goOnWithKey(dst)
		}
		dst = f.text.Flush(dst)
	} else {
		dst = append(dst, '\n')
	}
	f.newLine()
	return dst
}

// goOnWithKey begins a line that a private key may go on in.
func (f *filter) goOnWithKey(dst []byte) []byte {
	f.newLine()
	f.state, f.fresh = inText, false
	f.text.nested.beginLine()
	return dst
}

// textStart goes on in text, from the current token, which begins with first, to the end of the line.
func (f *filter) textStart(dst []byte, first byte) []byte {
	isValue := f.next.pending != nil && f.next.under.Depth == 0
	if f.next.pending == nil {
		f.next.pending = f.next.key // which has no colon
	}
	if f.next.pending == nil && f.next.under.Holds() {
		f.next.pending = &f.next.under.Phrase
		f.next.pending.Whole = true // what is broken is not looked at
	}
	p := f.next.pending
	isExpression := isValue && (lex.Letters | lex.Quote | lex.Dollar | lex.Underscore).Has(first)
	if p != nil && p.Whole && !(isExpression && p.Want != names.AnyValue) {
		f.state = swallowLine
		return f.brokenField(dst, p, f.token.begin)
	}
	f.next.pending, f.next.key = nil, nil
	f.state = inText
	f.text.in.Offset = f.token.begin
	if p != nil && p.Whole { // of a program, or without quotes: the rules of texts know what is a value
		f.text.introduceName(p.Words)
	}
	if f.seen.bracket != 0 { // which may be of a match
		f.text.beginYAML()
		f.text.in.Passed([]byte{f.seen.bracket})
		f.seen.bracket = 0
	}
	f.text.nested.beginLine()
	return f.text.stage(dst, f.token.bytes[:f.token.size])
}

func (f *filter) textPart(dst, src []byte) ([]byte, int) {
	part := src[:min(len(src), maxStep)]
	if n := bytes.IndexByte(part, '\n'); n >= 0 {
		return f.lineEnd(f.text.stage(dst, part[:n])), n + 1
	}
	return f.text.stage(dst, part), len(part)
}

// finish ends the input and appends to dst what is left of it.
func (f *filter) finish(dst []byte) []byte {
	if f.state == atValue {
		isJSON, _ := lex.BeginsJSON(f.value, true)
		dst = f.readValue(dst, isJSON)
	}
	if f.held.Is() {
		f.held.Output = f.finishState(f.held.Output)
		return f.release(dst)
	}
	return f.finishState(dst)
}

// finishState ends what the filter is in the middle of.
func (f *filter) finishState(dst []byte) []byte {
	switch f.state {
	case atLine:
		dst = append(dst, f.token.bytes[:f.token.size]...)
	case inNumber, inWord:
		dst = f.tokenEnd(dst, '\n')
	case inEscape:
		dst = f.text.stage(dst, f.token.bytes[:f.token.size])
	case afterKey:
		dst = f.token.endKey(dst)
		f.state = between
	case swallowString:
		dst = f.endString(dst, f.Offset)
	case swallowNumber, swallowContainer:
		dst = f.endField(dst, f.Offset)
	}
	return f.text.Flush(dst)
}
