package redact

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/redact/decode"
	"github.com/kfw-dev/kfw/redact/detect"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/prefilter"
	"github.com/kfw-dev/kfw/redact/structure"
)

const (
	textBuffer = 8 << 10
)

// growth is a match that has been let in before its end was read.
type growth struct {
	class     lex.Class
	rule      int
	from, pos int // read from and up to here
}

// unfinished is the secret that a text ended in.
type unfinished struct {
	key  structure.Block
	rest rest
}

func (u *unfinished) is() bool { return u.key.Open || u.rest.least > 0 }

// rest is what follows of a token that was cut.
type rest struct {
	class lex.Class
	least int // bytes; 0: there is no such
	rule  int
	end   int // of what was before
}

// Text redacts one text at a time: a string value, a line, a block of a model's
// answer. The output is the same however the text is cut into calls of Append.
// A Text must not be used by two goroutines at once.
type Text struct {
	rules *Rules

	// buf[:done] has been passed on or dropped, buf[done:] is held. The automaton
	// has read buf[:scanned] and is in state. Positions below are into buf.
	buf     []byte
	done    int
	scanned int
	state   prefilter.State
	blocked bool // a rule at the anchor that ends at scanned is undecided
	hold    int  // where its match may start

	marker     int                            // end of the last marker in the text
	spans      []names.Span                   // found, not begun; disjoint, in order
	late       []names.Span                   // anchors of the rules that are put off
	current    names.Span                     // the last one whose marker was written
	match      hiddenPart                     // what has been dropped of it
	growths    []growth                       // what is being swallowed
	key        structure.Block                // the private key that is being swallowed
	escapes    []decode.Escape                // of buf[done:], in order
	sequences  [decode.Levels]decode.Sequence // begun, not in buf
	packed     decode.Packed
	inner      *filter // of what is packed; nil until there was some
	nested     nested
	table      table
	carry      names.Carry
	argv       argv
	row        row
	tuples     tuples
	collection collection
	unnamed    unnamed
	// where the last anchor ends in buf that may say something of the next lines; at most 0 if there was none
	lastSaid   int
	level      int // in how many texts it is nested, which have decoded it
	unpacked   [decode.PackedLook]byte
	passedOn   []byte        // of it
	named      bool          // a name that may be sensitive was seen
	context    *names.Phrase // the name this text is the value of, until its first byte
	leads      bool          // a text that may tell of a secret after it was seen
	name       []byte        // the last name in which one was; else empty
	begin      int           // where the text begins in buf, until context is settled
	line       yamlLine
	isAlone    bool // it is a value of no stream, such as a message, and never YAML
	keys       int  // keys that have become a marker
	around     names.Around
	names      names.NameCache
	known      knownNames
	counts     []int        // markers written, by rule
	written    int          // markers written
	last       int          // the rule of the last one
	number     int          // and its number
	afterNUL   bool         // what was passed on last is a NUL
	between    []byte       // what stands between the bytes of the current match and of its marker
	quotes     names.Quotes // of the marker that comes when the match ends
	nameHash   uint64       // of the last text that may be a name
	cut        rest         // of a token that was, where the text ends
	rest       rest         // what this text may begin with
	unfinished unfinished

	part   names.PairPart // what the last text that may be a name is of a pair
	isFlag bool           // the same text is a flag of a command
	// the end of the same text, if it holds nothing: it may be of a command line
	ending []byte
	// what the last line says of the value that the next one may have, if it is sensitive; else empty
	valueOf []byte
	numbers *numbering // nil: markers have no numbers
	// it reads the current match, whose marker comes when that ends
	reading bool
	offset  int64                                          // in the input, of buf[done]
	found   func(rule int, offset int64, why names.Reason) // nil without Observe and Explain
	reason  names.Reason                                   // of the matches that are added
	hide    func(hiddenPart)

	// whether the field that the text is in is allowed to keep what a rule finds; nil: never
	lets     func(rule int) bool
	member   []byte // the last text that may be a name; nil if no path is followed
	isMember bool   // the same text holds nothing and is no longer than a name
}

// Text returns a redactor of single texts. Equal secrets have equal numbers in
// all that it is given, if the rules ask for numbers.
func (r *Rules) Text() *Text { return r.text(r.numbered) }

func (r *Rules) text(numbered bool) *Text {
	var numbers *numbering
	if numbered {
		numbers = newNumbering()
	}
	t := &Text{
		rules:   r,
		names:   names.NewNameCache(r.names),
		buf:     make([]byte, 0, textBuffer),
		spans:   make([]names.Span, 0, 64),
		late:    make([]names.Span, 0, 64),
		growths: make([]growth, 0, 64),
		escapes: make([]decode.Escape, 0, 2*lex.MaxLook),
		counts:  make([]int, len(r.catalogue)),
		numbers: numbers,
		name:    make([]byte, 0, names.MaxName),
		ending:  make([]byte, 0, structure.MaxArgument),
		valueOf: make([]byte, 0, 2*names.MaxName),
	}
	t.around = names.Around{Markers: r.markers, Names: &t.names, Found: &t.spans, Escapes: &t.escapes}
	return t
}

// Append redacts src, the next part of the text, and appends to dst all of the
// text that no further part can change. It does not keep src.
func (t *Text) Append(dst, src []byte) []byte {
	dst = t.stage(dst, src)
	return t.settle(dst)
}

// stagePassed takes in bytes at the start of a text that were already passed on.
func (t *Text) stagePassed(b []byte) {
	t.buf = append(t.buf[:0], b...)
	t.done = len(t.buf)
}

// stageBefore takes in what begins a line and was passed on already, after what introduces it.
func (t *Text) stageBefore(b string) {
	if t.rules.passAll {
		return
	}
	t.beginRow(len(t.buf), t.row.indent)
	t.buf = append(t.buf, b...)
	t.done, t.begin = len(t.buf), len(t.buf)
}

// beginYAML says that a line begins that may be of YAML.
func (t *Text) beginYAML() {
	t.line = yamlLine{is: t.hide == nil && !t.isAlone, at: len(t.buf)}
}

// introduce begins a text with the last name before it, as if that had been read
// and passed on.
func (t *Text) introduce() {
	if t.key.Open {
		return
	}
	t.buf = append(append(t.buf[:0], t.name...), `": "`...)
	t.done, t.begin = len(t.buf), len(t.buf)
}

// introduceArgument begins a text with what is before it on a command line.
func (t *Text) introduceArgument(line []byte) {
	if t.key.Open {
		return
	}
	t.buf = append(t.buf[:0], line...)
	t.done, t.begin = len(t.buf), len(t.buf)
}

// introduceLine begins a line with what the line before says of its value.
func (t *Text) introduceLine() {
	if t.key.Open || len(t.valueOf) == 0 {
		return
	}
	t.buf = append(append(t.buf[:0], t.valueOf...), "\n "...) // indented, as a block of YAML is
	t.done, t.begin = len(t.buf), len(t.buf)
	t.valueOf = t.valueOf[:0]
}

// settle passes on what is decided of what was staged.
func (t *Text) settle(dst []byte) []byte {
	if t.rules.passAll {
		return dst
	}
	return t.advance(dst, false)
}

// Flush ends the text, appends what is left of it to dst, and makes t ready for
// the next one.
func (t *Text) Flush(dst []byte) []byte {
	dst = t.endMatch(t.endLine(dst))
	t.valueOf = t.valueOf[:0]
	t.forgetLines()
	t.key = structure.Block{}
	t.current = names.Span{}
	return dst
}

// flushString is Flush of a string of JSON. If it may be a name, it also returns
// what makes it a sensitive one, or nil, and keeps it if it may tell of a secret
// otherwise.
func (t *Text) flushString(dst []byte, mayBeName bool) ([]byte, *names.Phrase) {
	t.name = t.name[:0]
	if t.rules.passAll {
		return dst, nil
	}
	dst = t.endSequences(dst)
	isPlain, before := t.isPlain(), t.written
	dst = t.endMatch(t.advance(dst, true))
	isPlain = isPlain && t.written == before && !t.key.Open
	var p *names.Phrase
	if mayBeName {
		name := t.buf[max(t.begin, len(t.buf)-names.MaxName):]
		if t.named {
			p, t.nameHash = t.names.Of(name)
		} else {
			t.nameHash = t.names.Hash(name)
		}
		if t.leads {
			t.name = append(t.name, name...)
		}
		t.part = names.PartOf(name)
		t.isFlag = len(name) > 0 && name[0] == '-' && len(t.buf)-t.begin <= names.MaxName && lex.NameOfKey.Within(name)
		t.ending = t.ending[:0]
		if t.written == before {
			t.ending = structure.AppendEnd(t.ending, name)
		}
		t.keepMember(name, t.written == before && !t.key.Open && len(t.buf)-t.begin <= names.MaxName)
		if isPlain {
			*t.known.at(t.nameHash) = knownName{t.nameHash, p, t.part, t.isFlag, t.leads}
		}
	}
	if t.key.GoesOn() {
		t.unfinished.key = t.key
	}
	if t.cut.least > 0 && t.cut.end == len(t.buf) {
		t.unfinished.rest = t.cut
	}
	t.clear()
	t.forgetLines()
	t.key = structure.Block{}
	return dst, p
}

// resume goes on in a new text with what another was unfinished with.
func (t *Text) resume(u unfinished) {
	if u.key.Open {
		u.key.NextText()
		u.key.Resumed = true
	}
	t.key, t.rest = u.key, u.rest
}

// takeRest takes what the text begins with for the rest of a token, if it looks
// like one; false means that this is not known yet.
func (t *Text) takeRest(w names.Window) bool {
	const shortest = 4
	end := t.rest.class.Run(w.Text, t.begin, lex.MaxLook)
	if end < t.begin+lex.MaxLook && w.Cut(end) {
		return false
	}
	if size := end - t.begin; size >= max(shortest, t.rest.least) && detect.IsMixed(w.Text[t.begin:end]) {
		t.add(names.Span{Start: t.begin, End: end, Rule: t.rest.rule})
	}
	t.rest = rest{}
	return true
}

// endLine is Flush at the end of a line: a private key goes on after it.
func (t *Text) endLine(dst []byte) []byte {
	if t.rules.passAll {
		return dst
	}
	dst = t.advance(t.endSequences(dst), true)
	if !t.key.Open {
		dst = t.endMatch(dst)
	}
	t.valueOf = t.valueOf[:0]
	switch {
	case names.IsContinued(t.buf):
		t.valueOf = appendCommand(t.valueOf, t.buf)
	case t.named:
		line := t.buf
		if bytes.IndexByte(line, '\n') >= 0 { // the name of the line before may stand first
			line = line[bytes.LastIndexByte(line, '\n')+1:]
		}
		t.valueOf = append(t.valueOf, names.PairNameIn(line, &t.names)...)
	}
	if t.endRow(len(t.buf)); t.nested.inString { // which is broken
		t.forgetLines()
	}
	t.clear()
	return dst
}

// clear forgets the text, but for a private key that is under way.
func (t *Text) clear() {
	t.buf = t.buf[:0]
	t.done, t.scanned, t.state, t.marker = 0, 0, 0, 0
	t.blocked, t.named, t.leads, t.context, t.begin, t.line = false, false, false, nil, 0, yamlLine{}
	t.spans, t.growths, t.escapes = t.spans[:0], t.growths[:0], t.escapes[:0]
	t.packed = decode.Packed{Level: t.packed.Level}
	t.nested.clear()
	t.row, t.lastSaid = row{}, 0
	t.tuples.nextLine()
	t.collection.nextLine()
	t.unnamed = unnamed{}
	t.around.Programs.Clear()
	t.around.Runs = [2]names.KnownRun{}
	t.cut, t.rest, t.afterNUL = rest{}, rest{}, false
	t.current = names.Span{}
	t.key.Pos = 0
}

// matchGoesOn says whether a match that what was read ends in may go on.
func (t *Text) matchGoesOn() bool {
	return t.key.Open || len(t.growths) > 0 || t.nested.goesOn() || t.collection.goesOn()
}

// swallowing says whether a private key is under way.
func (t *Text) swallowing() bool { return t.key.Open }

// compact makes room at the end of buf.
func (t *Text) compact() {
	if cap(t.buf)-len(t.buf) >= textBuffer/4 || t.done <= lex.LookBehind {
		return
	}
	by := t.done - lex.LookBehind
	t.line.move(t.buf, by)
	t.buf = t.buf[:copy(t.buf, t.buf[by:])]
	t.done -= by
	t.begin = max(0, t.begin-by)
	t.scanned -= by
	t.hold -= by
	t.marker -= by
	t.key.Pos -= by
	t.packed.At -= by
	t.packed.Read -= by
	t.nested.move(by)
	t.row.move(by)
	t.tuples.move(by)
	t.collection.move(by)
	t.unnamed.move(by)
	t.around.Programs.Move(by)
	t.around.Runs = [2]names.KnownRun{}
	t.lastSaid -= by
	t.cut.end -= by
	t.current.Start -= by
	t.current.End -= by
	for i := range t.spans {
		t.spans[i].Start -= by
		t.spans[i].End -= by
	}
	for i := range t.growths {
		t.growths[i].from -= by
		t.growths[i].pos -= by
	}
	for i := range t.escapes {
		t.escapes[i].Pos -= by
	}
}

// advance looks at what has been read and not looked at, and passes on what is
// decided; all of it if the text ends here.
func (t *Text) advance(dst []byte, end bool) []byte {
	w := names.Window{Text: t.buf, End: end, Around: &t.around}
	t.around.Programs.First = &t.buf[:1][0]
	safe := len(t.buf)
	if t.context != nil {
		t.reason = names.Reason{How: ofKey, Name: t.context.Words}
	}
	if t.context != nil && !t.take(t.context.Rule, t.context.Value(w, t.begin, names.ValueOnly)) {
		safe = 0
	} else {
		t.context = nil
	}
	if t.rest.least > 0 && !t.takeRest(w) {
		safe = 0
	}
	if t.blocked {
		t.ask(w)
	}
	for !t.blocked && t.scanned < len(t.buf) {
		n, state := t.rules.automaton.Scan(t.state, t.buf[t.scanned:])
		t.scanned += n
		t.state = state
		if state >= t.rules.automaton.Hit {
			t.ask(w)
		}
	}
	t.askLast(w)
	unsure := min(t.unpack(end), t.readNested(end), t.readRows(end), t.readTuples(t.scanned, end))
	t.grow()
	if !end {
		safe = min(safe, t.underWay(), unsure)
		if t.blocked {
			safe = min(safe, t.hold)
		}
	}
	t.addNested(safe)
	dst = t.emit(dst, safe)
	if len(t.escapes) > 0 && t.done == len(t.buf) && !t.key.Open && (end || !t.matchGoesOn()) {
		var rest []decode.Escape
		dst, rest = t.copy(t.endMatch(dst), t.escapes, t.done)
		t.escapes = t.escapes[:copy(t.escapes, rest)]
	}
	return dst
}

// ask asks the rules whose anchors end where the automaton stands.
func (t *Text) ask(w names.Window) {
	t.blocked, t.hold = false, t.scanned
	for _, e := range t.rules.automaton.Endings(t.state) {
		at := t.scanned - e.Length
		if at < t.marker {
			continue
		}
		r := &t.rules.catalogue[e.Rule]
		t.named = t.named || r.IsNamed
		if r.SaysOfLines {
			t.lastSaid = t.scanned
		}
		if _, isInsert := r.Form.(columnList); isInsert && t.readTuples(t.scanned, false) >= 0 &&
			t.tuples.state != inRow {
			t.tuples.begin(t.scanned)
		}
		t.leads = t.leads || r.Leads
		if r.IsLast && w.End {
			t.late = append(t.late, names.Span{Start: at, End: t.scanned, Rule: e.Rule})
		} else {
			t.askRule(w, names.Span{Start: at, End: t.scanned, Rule: e.Rule})
		}
	}
}

// askRule asks the rule of an anchor.
func (t *Text) askRule(w names.Window, anchor names.Span) {
	t.around.More = t.around.More[:0]
	x := t.rules.catalogue[anchor.Rule].Form.Find(w, anchor.Start, anchor.End)
	if t.line.is && x.Verdict != names.NoMatch && !t.placeMatches(w, &x) {
		x = names.Finding{Verdict: names.Undecided, Start: x.Start}
	}
	if t.rules.catalogue[anchor.Rule].IsNamed && x.Verdict != names.Undecided && t.around.Opening.Is {
		o := t.around.Opening
		o.Carry.Group = t.rules.catalogue[o.Carry.Rule].Group
		t.readRows(false)
		t.collection.expect(o)
	}
	if t.found != nil && x.Verdict != names.NoMatch {
		t.reason = t.reasonOf(w, anchor)
	}
	switch x.Verdict {
	case names.NoMatch:
	case names.Undecided:
		t.blocked, t.hold = true, min(t.hold, x.Start)
	default:
		if t.isLet(anchor.Rule) {
			return
		}
		for _, s := range t.around.More {
			s.Rule = anchor.Rule
			t.add(s)
		}
		t.take(anchor.Rule, x)
	}
}

// placeMatches sets what x and the other matches that its anchor shows are of a line of YAML; false
// means that what follows has to be read for that.
func (t *Text) placeMatches(w names.Window, x *names.Finding) bool {
	for i := range t.around.More {
		s := &t.around.More[i]
		place, end, decided := placeInYAML(w, &t.line, s.Start, s.End, false)
		if !decided {
			return false
		}
		s.End = end
		*s = s.Placed(place)
	}
	switch x.Verdict {
	case names.Match, names.Shortened, names.Growing:
		var decided bool
		x.Place, x.End, decided = placeInYAML(w, &t.line, x.Start, x.End, x.Verdict == names.Growing)
		return decided
	}
	return true
}

// askLast asks the rules that were put off. A token that was cut remains so, whatever they
// find around it.
func (t *Text) askLast(w names.Window) {
	cut := t.cut
	for _, anchor := range t.late {
		t.askRule(w, anchor)
	}
	t.late, t.cut = t.late[:0], cut
}

// take acts on a finding; false means that the rule is to be asked again.
func (t *Text) take(rule int, f names.Finding) bool {
	if t.isLet(rule) {
		return true
	}
	if f.End > f.Start+1 && detect.IsEscapeLetter(t.buf, f.Start) {
		f.Start++
	}
	switch f.Verdict {
	case names.Undecided:
		t.hold = min(t.hold, f.Start)
		return false
	case names.Match:
		t.add(names.Span{Start: f.Start, End: f.End, Rule: rule}.Placed(f.Place))
		t.cut = rest{}
	case names.Shortened:
		t.add(names.Span{Start: f.Start, End: f.End, Rule: rule}.Placed(f.Place))
		least := t.rules.catalogue[rule].Form.(*detect.Token).Min // bytes after the anchor, which ends at scanned
		t.cut = rest{f.Class, least - (f.End - t.scanned), rule, f.End}
	case names.Growing:
		t.add(names.Span{Start: f.Start, End: f.End, Rule: rule}.Placed(f.Place))
		for i := range t.growths {
			if g := &t.growths[i]; g.class == f.Class && g.from <= f.End && f.End <= t.extend(g) {
				return true // the same run
			}
		}
		t.growths = append(t.growths, growth{f.Class, rule, f.End, f.End})
	case names.Opening, names.OpeningPuTTY:
		t.growKey()
		t.add(names.Span{Start: f.Start, End: f.End, Rule: rule}.Placed(f.Place))
		if !t.key.Open && f.End > t.key.Pos {
			t.key = structure.Block{Open: true, Rule: rule, Pos: f.End, Putty: f.Verdict == names.OpeningPuTTY}
		}
	case names.Marked:
		t.marker = max(t.marker, f.End)
	}
	return true
}

// add takes the union of s with what has been found, but for what is done.
func (t *Text) add(s names.Span) {
	if t.isLet(s.Rule) {
		return
	}
	if t.found != nil {
		s.Why = t.reason
	}
	if s.Start < t.current.End {
		t.current.End = max(t.current.End, s.End)
		s = t.current
	} else if s.End > t.done {
		s.Start = max(s.Start, t.done)
		i, _ := slices.BinarySearchFunc(t.spans, s.Start, func(x names.Span, at int) int { return x.End - at - 1 })
		j := i
		for ; j < len(t.spans) && t.spans[j].Start < s.End; j++ {
			switch x := t.spans[j]; {
			case x.Start < s.Start:
				s.Start, s.Rule, s.Quotes, s.IsKey, s.Why = x.Start, x.Rule, x.Quotes, x.IsKey, x.Why
			case x.Start == s.Start:
				if x.Rule < s.Rule {
					s.Why = x.Why
				}
				s.Rule, s.Quotes, s.IsKey = min(s.Rule, x.Rule), max(s.Quotes, x.Quotes), s.IsKey || x.IsKey
			}
			s.End = max(s.End, t.spans[j].End)
		}
		t.spans = slices.Replace(t.spans, i, j, s)
		return
	}
	n := 0
	for n < len(t.spans) && t.spans[n].Start < t.current.End {
		t.current.End = max(t.current.End, t.spans[n].End)
		n++
	}
	t.spans = slices.Delete(t.spans, 0, n)
}

// grow swallows on what was let in before its end was read.
func (t *Text) grow() {
	open := t.growths[:0]
	for _, g := range t.growths {
		if t.extend(&g) == len(t.buf) {
			open = append(open, g)
		}
	}
	t.growths = open
	t.growKey()
}

// extend reads on the run of g and returns where it ends so far.
func (t *Text) extend(g *growth) int {
	end := g.class.Run(t.buf, g.pos, len(t.buf))
	if end > g.pos {
		t.add(names.Span{Start: g.pos - 1, End: end, Rule: g.rule})
		g.pos = end
	}
	return end
}

func (t *Text) growKey() {
	from := t.key.Pos
	if t.key.Open {
		t.key.Read(t.buf)
	}
	if t.key.Pos > from {
		if t.key.Resumed {
			t.key.Resumed = false // with a marker of its own
		} else {
			from--
		}
		t.add(names.Span{Start: from, End: t.key.Pos, Rule: t.key.Rule})
	}
}

// underWay returns the start of what may become a match with what follows: part
// of an anchor, the word that an anchor may end, or a number.
func (t *Text) underWay() int {
	read := t.buf[:t.scanned]
	at := t.scanned - t.rules.automaton.Depth(t.state)
	return min(lex.LeadPart.RunBack(read, at, lex.MaxLead), lex.LeadPart.RunBack(read, t.scanned, lex.MaxLead),
		detect.NumberStart(read))
}

// emit passes on the text before safe, with markers for what was found in it.
func (t *Text) emit(dst []byte, safe int) []byte {
	spans, escapes := t.spans, t.escapes // to come
	for t.done < safe {
		switch {
		case t.done < t.current.End:
			from, before := t.done, escapes
			t.done, escapes = decode.CharacterEnd(escapes, min(safe, t.current.End))
			t.drop(t.buf[from:t.done], before[:len(before)-len(escapes)])
		case len(spans) > 0 && spans[0].Start <= t.done:
			dst = t.endMatch(dst)
			dst, escapes = t.copy(dst, escapes, t.done)
			t.current, spans = spans[0], spans[1:]
			if t.between = t.between[:0]; t.afterNUL {
				t.between = appendBetween(t.between, escapes, t.done)
			}
			dst = t.beginMatch(dst)
		default:
			dst = t.endMatch(dst)
			to := safe
			if len(spans) > 0 {
				to = min(to, spans[0].Start)
			}
			dst, escapes = t.copy(dst, escapes, to)
		}
	}
	if len(spans) < len(t.spans) {
		t.spans = t.spans[:copy(t.spans, spans)]
	}
	if len(escapes) < len(t.escapes) {
		t.escapes = t.escapes[:copy(t.escapes, escapes)]
	}
	return dst
}

// drop passes over part of a match.
func (t *Text) drop(part []byte, escapes []decode.Escape) {
	t.numbers.read(part)
	t.offset += int64(len(part))
	for i := range escapes {
		t.offset += int64(escapes[i].Written) - int64(escapes[i].Read)
	}
	if t.hide != nil {
		t.match.to = t.offset
		t.hide(t.match)
	}
}

// beginMatch writes the marker of the current match, unless it has to be read
// first to be numbered.
func (t *Text) beginMatch(dst []byte) []byte {
	t.match = hiddenPart{rule: t.current.Rule, from: t.offset, quotes: t.current.Quotes}
	if t.found != nil {
		t.found(t.current.Rule, t.offset, t.current.Why)
	}
	if t.numbers == nil {
		from := len(dst)
		if !t.current.IsKey {
			return t.spread(t.markQuoted(dst, t.current.Rule, 0, t.current.Quotes), from)
		}
		dst = t.mark(t.current.Quotes.Append(dst), t.current.Rule, 0)
		return t.spread(t.current.Quotes.Append(t.appendKeyNumber(dst)), from)
	}
	t.numbers.begin(&t.rules.catalogue[t.current.Rule])
	t.last, t.quotes, t.reading = t.current.Rule, t.current.Quotes, true
	return dst
}

// endMatch writes the marker of the match that was begun, now that nothing more
// can be of it.
func (t *Text) endMatch(dst []byte) []byte {
	if !t.reading {
		return dst
	}
	t.reading = false
	return t.spread(t.markQuoted(dst, t.last, t.numbers.end(), t.quotes), len(dst))
}

// appendBetween appends to dst how the NULs are written that stand between the characters of a match from a place
// on, as UTF-16 has them; nothing if there are none.
func appendBetween(dst []byte, escapes []decode.Escape, from int) []byte {
	const shortest = 2 // that many in a row are no chance
	for i := range shortest {
		if i >= len(escapes) || escapes[i].Pos != from+i+1 || escapes[i].Read != 0 ||
			!isNUL(escapes[i].Raw[:escapes[i].Written]) {
			return dst
		}
	}
	return append(dst, escapes[0].Raw[:escapes[0].Written]...)
}

// isNUL reports whether raw is one NUL, as it is or as JSON writes it.
func isNUL(raw []byte) bool { return len(raw) == 1 && raw[0] == 0 || string(raw) == `\u0000` }

// spread puts between the bytes of a marker, which is dst[from:], what stands between those of the match, so that
// UTF-16 remains what it is.
func (t *Text) spread(dst []byte, from int) []byte {
	if len(t.between) == 0 {
		return dst
	}
	var marker [lex.MaxMarker + 2]byte
	n := copy(marker[:], dst[from:])
	dst = dst[:from]
	for i, c := range marker[:n] {
		if i > 0 {
			dst = append(dst, t.between...)
		}
		dst = append(dst, c)
	}
	return dst
}

// appendKeyNumber appends what makes a key that has become a marker differ from others.
func (t *Text) appendKeyNumber(dst []byte) []byte {
	if t.keys++; t.keys == 1 {
		return dst
	}
	return strconv.AppendInt(append(dst, '#'), int64(t.keys), 10)
}

// markQuoted writes a marker with quotes around it.
func (t *Text) markQuoted(dst []byte, rule, number int, q names.Quotes) []byte {
	return q.Append(t.mark(q.Append(dst), rule, number))
}

// mark writes a marker, and counts it.
func (t *Text) mark(dst []byte, rule, number int) []byte {
	t.counts[rule]++
	t.written++
	t.last, t.number = rule, number
	return appendMarker(dst, &t.rules.catalogue[rule], number)
}

// copy appends buf[done:to] as it was written, to the end of the escaped
// character that to is in, and what is not seen there. It returns the escapes
// beyond.
func (t *Text) copy(dst []byte, escapes []decode.Escape, to int) ([]byte, []decode.Escape) {
	size := len(dst)
	for len(escapes) > 0 && (escapes[0].Pos < to || escapes[0].Pos == to && escapes[0].Read == 0) {
		e := &escapes[0]
		dst = append(dst, t.buf[t.done:e.Pos]...)
		dst = append(dst, e.Raw[:e.Written]...)
		t.afterNUL = isNUL(e.Raw[:e.Written])
		t.done = e.Pos + int(e.Read)
		escapes = escapes[1:]
	}
	if t.done < to {
		dst = append(dst, t.buf[t.done:to]...)
		t.done, t.afterNUL = to, false
	}
	t.offset += int64(len(dst) - size)
	return dst, escapes
}
