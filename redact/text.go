package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/lines"
	"github.com/kfw-dev/kfw/redact/internal/marker"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/prefilter"
	"github.com/kfw-dev/kfw/redact/internal/report"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

const (
	textBuffer = 8 << 10
)

// unfinished is the secret that a text ended in.
type unfinished struct {
	key  structure.Block
	rest match.Rest
}

func (u *unfinished) is() bool { return u.key.Open || u.rest.Least > 0 }

// Text redacts one text at a time: a string value, a line, a block of a model's
// answer. The output is the same however the text is cut into calls of Append.
// A Text must not be used by two goroutines at once.
type Text struct {
	rules     *catalogue.Set
	in        match.Input
	sequences [decode.Levels]decode.Sequence // begun, not in the buffer of in
	scan      anchors
	context   *names.Phrase // the name this text is the value of, until its first byte
	rest      match.Rest    // what this text may begin with
	around    names.Around
	names     names.NameCache
	matches   match.Set
	lines     lines.State
	nested    nested
	packing   unpacking
	markers   marker.Writer
	name      lastName

	match      report.Part // what has been dropped of the current match
	unfinished unfinished
	isMember   bool // it begins with the value of a member of JSON, which has no quotes
	isAlone    bool // it is a value of no stream, such as a message, and never YAML
	hide       func(report.Part)
}

// anchors is how far the anchors of the rules were looked for in a text, and asked about.
type anchors struct {
	state   prefilter.State // of the automaton
	blocked bool            // a rule at the anchor that ends where the automaton stands is undecided
	hold    int             // where its match may start
	marker  int             // end of the last marker in the text
	late    []names.Span    // anchors of the rules that are put off
	named   bool            // a name that may be sensitive was seen
	leads   bool            // a text that may tell of a secret after it was seen
}

// Text returns a redactor of single texts. Equal secrets have equal numbers in
// all that it is given, if the rules ask for numbers.
func (r *Rules) Text() *Text { return newText(r.set, r.set.Numbered) }

func newText(r *catalogue.Set, numbered bool) *Text {
	t := &Text{rules: r, markers: marker.New(r.Catalogue, numbered)}
	t.matches.In = &t.in
	t.nested = nested{rules: r, in: &t.in, matches: &t.matches}
	t.names = names.NewNameCache(r.Names)
	t.in.Buf = make([]byte, 0, textBuffer)
	t.matches.Spans = make([]names.Span, 0, 64)
	t.scan.late = make([]names.Span, 0, 64)
	t.matches.Growths = make([]match.Growth, 0, 64)
	t.in.Escapes = make([]decode.Escape, 0, 2*lex.MaxLook)
	t.name.leading = make([]byte, 0, names.MaxName)
	t.name.ending = make([]byte, 0, structure.MaxArgument)
	t.around = names.Around{Markers: r.Markers, Names: &t.names, Found: &t.matches.Spans, Escapes: &t.in.Escapes}
	t.lines = lines.New(r, &t.in, &t.matches, &t.around)
	return t
}

// Append redacts src, the next part of the text, and appends to dst all of the
// text that no further part can change. It does not keep src.
func (t *Text) Append(dst, src []byte) []byte {
	dst = t.stage(dst, src)
	return t.settle(dst)
}

// beginYAML says that a line begins that may be of YAML.
func (t *Text) beginYAML() {
	t.lines.BeginYAML(t.hide == nil && !t.isAlone)
}

// introduce begins a text with the last name before it, as if that had been read
// and passed on.
func (t *Text) introduce() {
	if t.matches.Key.Open {
		return
	}
	t.in.Buf = append(append(t.in.Buf[:0], t.name.leading...), `": "`...)
	t.in.Done, t.in.Begin = len(t.in.Buf), len(t.in.Buf)
}

// introduceName begins a text with a name and a colon, as if that had been read and passed on.
func (t *Text) introduceName(words string) {
	t.isMember = true
	t.in.Buf = append(append(append(t.in.Buf[:0], '"'), words...), `": `...)
	t.in.Done, t.in.Begin = len(t.in.Buf), len(t.in.Buf)
}

// introduceArgument begins a text with what is before it on a command line.
func (t *Text) introduceArgument(line []byte) {
	if t.matches.Key.Open {
		return
	}
	t.in.Buf = append(t.in.Buf[:0], line...)
	t.in.Done, t.in.Begin = len(t.in.Buf), len(t.in.Buf)
}

// introduceLine begins a line with the name that the line before carries to it.
func (t *Text) introduceLine() {
	if t.matches.Key.Open {
		return
	}
	name := t.lines.TakeName()
	if len(name) == 0 {
		return
	}
	t.in.Buf = append(append(t.in.Buf[:0], name...), "\n "...) // indented, as a block of YAML is
	t.in.Done, t.in.Begin = len(t.in.Buf), len(t.in.Buf)
}

// settle passes on the part of the staged text that is decided.
func (t *Text) settle(dst []byte) []byte {
	if t.rules.PassAll {
		return dst
	}
	return t.advance(dst, false)
}

// Flush ends the text, appends what is left of it to dst, and makes t ready for
// the next one.
func (t *Text) Flush(dst []byte) []byte {
	dst = t.markers.End(t.endLine(dst))
	t.rest = match.Rest{}
	t.lines.ForgetAll()
	t.matches.Key = structure.Block{}
	t.matches.Current = names.Span{}
	return dst
}

// flushString is Flush of a string of JSON. If it may be a name, it also returns
// what makes it a sensitive one, or nil, and keeps it if it may tell of a secret
// otherwise.
func (t *Text) flushString(dst []byte, mayBeName bool) ([]byte, *names.Phrase) {
	t.name.leading = t.name.leading[:0]
	if t.rules.PassAll {
		return dst, nil
	}
	dst = t.endSequences(dst)
	isPlain, before := t.isPlain(), t.markers.Written
	dst = t.markers.End(t.advance(dst, true))
	isPlain = isPlain && t.markers.Written == before && !t.matches.Key.Open && !t.matches.WasLet
	var p *names.Phrase
	if mayBeName {
		name := t.in.Buf[max(t.in.Begin, len(t.in.Buf)-names.MaxName):]
		if t.scan.named {
			p, t.name.hash = t.names.Of(name)
		} else {
			t.name.hash = t.names.Hash(name)
		}
		if t.scan.leads {
			t.name.leading = append(t.name.leading, name...)
		}
		t.name.part = names.PartOf(name)
		t.name.isPath = len(name) > 0 && names.IsPath(name)
		isShort := len(t.in.Buf)-t.in.Begin <= names.MaxName
		t.name.isFlag = len(name) > 0 && name[0] == '-' && isShort && lex.NameOfKey.Within(name)
		t.name.ending = t.name.ending[:0]
		if t.markers.Written == before {
			t.name.ending = structure.AppendEnd(t.name.ending, name)
		}
		t.name.keepMember(name, t.markers.Written == before && !t.matches.Key.Open && isShort)
		if isPlain {
			*t.name.known.at(t.name.hash) = knownName{t.name.hash, p, t.name.part, t.name.isFlag, t.name.isPath,
				t.scan.leads}
		}
	}
	if t.matches.Key.GoesOn() {
		t.unfinished.key = t.matches.Key
	}
	if t.matches.Cut.Least > 0 && t.matches.Cut.End == len(t.in.Buf) {
		t.unfinished.rest = t.matches.Cut
	}
	t.clear()
	t.lines.Forget()
	t.matches.Key = structure.Block{}
	return dst, p
}

// resume goes on in a new text with what another was unfinished with.
func (t *Text) resume(u unfinished) {
	if u.key.Open {
		u.key.NextText()
		u.key.Resumed = true
	}
	t.matches.Key, t.rest = u.key, u.rest
}

// takeRest takes what the text begins with for the rest of a token, if it looks
// like one; false means that this is not known yet.
func (t *Text) takeRest(w names.Window) bool {
	const shortest = 4
	end := t.rest.Class.Run(w.Text, t.in.Begin, lex.MaxLook)
	if end < t.in.Begin+lex.MaxLook && w.Cut(end) {
		return false
	}
	if size := end - t.in.Begin; size >= max(shortest, t.rest.Least) && detect.IsMixed(w.Text[t.in.Begin:end]) {
		t.matches.Add(names.Span{Start: t.in.Begin, End: end, Rule: t.rest.Rule})
	}
	t.rest = match.Rest{}
	return true
}

// endLine is Flush at the end of a line: a private key goes on after it.
func (t *Text) endLine(dst []byte) []byte {
	if t.rules.PassAll {
		return dst
	}
	dst = t.advance(t.endSequences(dst), true)
	if !t.matches.Key.Open {
		dst = t.markers.End(dst)
	}
	t.lines.KeepName(t.scan.named)
	if t.lines.EndRow(len(t.in.Buf)); t.in.InString { // which is broken
		t.lines.Forget()
	}
	rest := t.matches.Cut
	isWrapped := rest.Least > 0 && len(bytes.Trim(t.in.Buf[rest.End:], "\\=\r")) == 0 && !t.in.InString
	if t.clear(); isWrapped {
		t.rest = rest
	}
	return dst
}

// clear forgets the text, except a private key that is under way.
func (t *Text) clear() {
	t.in.Buf = t.in.Buf[:0]
	t.in.Done, t.in.Scanned, t.scan.state, t.scan.marker = 0, 0, 0, 0
	t.scan.blocked, t.scan.named, t.scan.leads = false, false, false
	t.context, t.in.Begin, t.isMember = nil, 0, false
	t.matches.WasLet = false
	t.matches.Spans, t.matches.Growths, t.in.Escapes = t.matches.Spans[:0], t.matches.Growths[:0], t.in.Escapes[:0]
	t.packing.packed = decode.Packed{Level: t.packing.packed.Level}
	t.nested.clear()
	t.lines.Clear()
	t.around.Programs.Clear()
	t.around.Runs = [4]names.KnownRun{}
	t.matches.Cut, t.rest, t.in.AfterNUL = match.Rest{}, match.Rest{}, false
	t.matches.Current = names.Span{}
	t.matches.Key.Pos = 0
}

// matchGoesOn says whether a match that what was read ends in may go on.
func (t *Text) matchGoesOn() bool {
	return t.matches.Key.Open || len(t.matches.Growths) > 0 || t.nested.goesOn() || t.lines.GoesOn()
}

// compact makes room at the end of buf.
func (t *Text) compact() {
	if cap(t.in.Buf)-len(t.in.Buf) >= textBuffer/4 || t.in.Done <= lex.LookBehind {
		return
	}
	by := t.in.Done - lex.LookBehind
	t.lines.Move(by)
	t.in.Buf = t.in.Buf[:copy(t.in.Buf, t.in.Buf[by:])]
	t.in.Done -= by
	t.in.Begin = max(0, t.in.Begin-by)
	t.in.Scanned -= by
	t.scan.hold -= by
	t.scan.marker -= by
	t.matches.Move(by)
	t.packing.packed.At -= by
	t.packing.packed.Read -= by
	t.nested.move(by)
	t.around.Programs.Move(by)
	t.around.Runs = [4]names.KnownRun{}
	for i := range t.in.Escapes {
		t.in.Escapes[i].Pos -= by
	}
}

// advance scans the bytes that are new since the last call, and passes on the text that is decided; all of it if the
// text ends here.
func (t *Text) advance(dst []byte, end bool) []byte {
	w := names.Window{Text: t.in.Buf, End: end, Around: &t.around}
	t.around.Programs.First = &t.in.Buf[:1][0]
	safe := len(t.in.Buf)
	if t.context != nil {
		t.matches.Reason = names.Reason{How: match.OfKey, Name: t.context.Words}
	}
	if t.context != nil && !t.take(t.context.Rule, t.context.Value(w, t.in.Begin, names.ValueOnly)) {
		safe = 0
	} else {
		t.context = nil
	}
	if t.rest.Least > 0 && !t.takeRest(w) {
		safe = 0
	}
	if t.scan.blocked {
		t.ask(w)
	}
	for !t.scan.blocked && t.in.Scanned < len(t.in.Buf) {
		n, state := t.rules.Automaton.Scan(t.scan.state, t.in.Buf[t.in.Scanned:])
		t.in.Scanned += n
		t.scan.state = state
		if state >= t.rules.Automaton.Hit {
			t.ask(w)
		}
	}
	t.askLast(w)
	unsure := min(t.unpack(end), t.nested.readOn(end), t.lines.ReadRows(end), t.lines.ReadTuples(t.in.Scanned, end))
	t.matches.Grow(end)
	if key := &t.matches.Key; !end && key.Holds() {
		safe = min(safe, key.Pos)
	}
	if !end {
		safe = min(safe, t.underWay(), unsure)
		if t.scan.blocked {
			safe = min(safe, t.scan.hold)
		}
	}
	t.nested.addBefore(safe)
	dst = t.emit(dst, safe)
	if len(t.in.Escapes) > 0 && t.in.Done == len(t.in.Buf) && !t.matches.Key.Open && (end || !t.matchGoesOn()) {
		var rest []decode.Escape
		dst, rest = t.in.Copy(t.markers.End(dst), t.in.Escapes, t.in.Done)
		t.in.Escapes = t.in.Escapes[:copy(t.in.Escapes, rest)]
	}
	return dst
}

// ask asks the rules whose anchors end where the automaton stands.
func (t *Text) ask(w names.Window) {
	t.scan.blocked, t.scan.hold = false, t.in.Scanned
	for _, e := range t.rules.Automaton.Endings(t.scan.state) {
		at := t.in.Scanned - e.Length
		if at < t.scan.marker {
			continue
		}
		r := &t.rules.Catalogue[e.Rule]
		t.scan.named = t.scan.named || r.IsNamed
		if r.SaysOfLines {
			t.lines.SaysHere()
		}
		if _, isInsert := r.Form.(structure.ColumnList); isInsert {
			t.lines.BeginInsert()
		}
		if r.IsMark {
			continue
		}
		t.scan.leads = t.scan.leads || r.Leads
		if r.IsLast && w.End {
			t.scan.late = append(t.scan.late, names.Span{Start: at, End: t.in.Scanned, Rule: e.Rule})
		} else {
			t.askRule(w, names.Span{Start: at, End: t.in.Scanned, Rule: e.Rule})
		}
	}
}

// askRule asks the rule of an anchor.
func (t *Text) askRule(w names.Window, anchor names.Span) {
	t.around.More = t.around.More[:0]
	x := t.rules.Catalogue[anchor.Rule].Form.Find(w, anchor.Start, anchor.End)
	if t.lines.IsYAML() && x.Verdict != names.NoMatch && !t.lines.PlaceMatches(w, &x) {
		x = names.Finding{Verdict: names.Undecided, Start: x.Start}
	}
	if (t.rules.Catalogue[anchor.Rule].IsNamed || x.Verdict == names.Collects) && x.Verdict != names.Undecided &&
		t.around.Opening.Is {
		o := t.around.Opening
		o.Carry.Group = t.rules.Catalogue[o.Carry.Rule].Group
		t.lines.Expect(o)
	}
	if t.matches.Observed != nil && x.Verdict != names.NoMatch {
		t.matches.Reason = t.rules.ReasonOf(w, anchor, &t.names)
	}
	switch x.Verdict {
	case names.NoMatch:
	case names.Undecided:
		t.scan.blocked, t.scan.hold = true, min(t.scan.hold, x.Start)
	default:
		if t.matches.IsLet(anchor.Rule) {
			return
		}
		for _, s := range t.around.More {
			s.Rule = anchor.Rule
			t.matches.Add(s)
		}
		t.take(anchor.Rule, x)
	}
}

// askLast asks the rules that were put off. A token that was cut remains so, whatever they
// find around it.
func (t *Text) askLast(w names.Window) {
	cut := t.matches.Cut
	for _, anchor := range t.scan.late {
		t.askRule(w, anchor)
	}
	t.scan.late, t.matches.Cut = t.scan.late[:0], cut
}

// take acts on a finding; false means that the rule is to be asked again.
func (t *Text) take(rule int, f names.Finding) bool {
	if t.matches.IsLet(rule) {
		return true
	}
	if f.End > f.Start+1 && detect.IsEscapeLetter(t.in.Buf, f.Start) {
		f.Start++
	}
	if t.isMember && f.Start == t.in.Begin && f.Place == names.NoYAML {
		f.Place = names.YamlScalar
	}
	switch f.Verdict {
	case names.Undecided:
		t.scan.hold = min(t.scan.hold, f.Start)
		return false
	case names.Match:
		t.matches.Add(names.Span{Start: f.Start, End: f.End, Rule: rule}.Placed(f.Place))
		t.matches.Cut = match.Rest{}
	case names.Shortened:
		t.matches.Add(names.Span{Start: f.Start, End: f.End, Rule: rule}.Placed(f.Place))
		least := t.rules.Catalogue[rule].Form.(*detect.Token).Min // bytes after the anchor, which ends at scanned
		t.matches.Cut = match.Rest{Class: f.Class, Least: least - (f.End - t.in.Scanned), Rule: rule, End: f.End}
	case names.OpenEnded:
		t.matches.Add(names.Span{Start: f.Start, End: f.End, Rule: rule}.Placed(f.Place))
		for i := range t.matches.Growths {
			if g := &t.matches.Growths[i]; g.Class == f.Class && g.From <= f.End && f.End <= t.matches.Extend(g) {
				return true // the same run
			}
		}
		t.matches.Growths = append(t.matches.Growths, match.Growth{Class: f.Class, Rule: rule, From: f.End, Pos: f.End})
	case names.Opening, names.OpeningPuTTY, names.OpeningSSH2, names.OpeningBody:
		t.matches.GrowKey(false)
		isAlone := f.Start == f.End // what follows has a marker of its own
		if !isAlone {
			t.matches.Add(names.Span{Start: f.Start, End: f.End, Rule: rule}.Placed(f.Place))
		}
		if !t.matches.Key.Open && f.End > t.matches.Key.Pos {
			isPutty := f.Verdict == names.OpeningPuTTY
			t.matches.Key = structure.Block{Open: true, Rule: rule, Pos: f.End, Putty: isPutty,
				SSH2: f.Verdict == names.OpeningSSH2, IsBody: f.Verdict == names.OpeningBody, IsBare: !isPutty, Resumed: isAlone}
		}
	case names.Marked:
		t.scan.marker = max(t.scan.marker, f.End)
	}
	return true
}

// underWay returns the start of what may become a match with what follows: part
// of an anchor, the word that an anchor may end, or a number.
func (t *Text) underWay() int {
	read := t.in.Buf[:t.in.Scanned]
	at := t.in.Scanned - t.rules.Automaton.Depth(t.scan.state)
	return min(lex.LeadPart.RunBack(read, at, lex.MaxLead), lex.LeadPart.RunBack(read, t.in.Scanned, lex.MaxLead),
		detect.NumberStart(read))
}

// emit passes on the text before safe, with markers for what was found in it.
func (t *Text) emit(dst []byte, safe int) []byte {
	spans, escapes := t.matches.Spans, t.in.Escapes // to come
	for t.in.Done < safe {
		switch {
		case t.in.Done < t.matches.Current.End:
			from, before := t.in.Done, escapes
			t.in.Done, escapes = decode.CharacterEnd(escapes, min(safe, t.matches.Current.End))
			t.drop(t.in.Buf[from:t.in.Done], before[:len(before)-len(escapes)])
		case len(spans) > 0 && spans[0].Start <= t.in.Done:
			dst = t.markers.End(dst)
			dst, escapes = t.in.Copy(dst, escapes, t.in.Done)
			t.matches.Current, spans = spans[0], spans[1:]
			t.markers.SetBetween(escapes, t.in.Done, t.in.AfterNUL)
			dst = t.beginMatch(dst)
		default:
			dst = t.markers.End(dst)
			to := safe
			if len(spans) > 0 {
				to = min(to, spans[0].Start)
			}
			dst, escapes = t.in.Copy(dst, escapes, to)
		}
	}
	if len(spans) < len(t.matches.Spans) {
		t.matches.Spans = t.matches.Spans[:copy(t.matches.Spans, spans)]
	}
	if len(escapes) < len(t.in.Escapes) {
		t.in.Escapes = t.in.Escapes[:copy(t.in.Escapes, escapes)]
	}
	return dst
}

// drop passes over part of a match.
func (t *Text) drop(part []byte, escapes []decode.Escape) {
	t.markers.Read(part)
	t.in.Offset += int64(len(part))
	for i := range escapes {
		t.in.Offset += int64(escapes[i].Written) - int64(escapes[i].Read)
	}
	if t.hide != nil {
		t.match.To = t.in.Offset
		t.hide(t.match)
	}
}

// beginMatch writes the marker of the current match, unless it has to be read
// first to be numbered.
func (t *Text) beginMatch(dst []byte) []byte {
	t.match = report.Part{Rule: t.matches.Current.Rule, From: t.in.Offset, Quotes: t.matches.Current.Quotes}
	if t.matches.Observed != nil {
		t.matches.Observed(t.matches.Current.Rule, t.in.Offset, t.matches.Current.Why)
	}
	return t.markers.Begin(dst, t.matches.Current)
}
