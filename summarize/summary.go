package summarize

import (
	"bytes"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/lineset"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/outline"
	"github.com/kfw-dev/kfw/summarize/places"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/texttable"
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	maxWithin       = 64 // containers around a value: an array that recurs may be deep
	deepestInString = 2  // levels below its record
)

// Summary keeps facts over any number of records in constant memory.
type Summary struct {
	records      int // all of them, and
	inText       int // lines of a text in the string of one
	opened       openedRecords
	rows         int // the records in them
	told         int // number of the last record that is known as it is
	toldLines    []int
	text         lineset.Lines
	partsOfLines int // that go on with one
	places       places.Places
	freshShape   int             // records that brought a new field
	table        texttable.Table // in the lines
	lastKey      int             // the field of the last line that was a name and its value
	isInCommit   bool            // the line before was of a commit, as git log prints them
	arePairsCut  bool            // some line has pairs past what is read of it: what is counted of pairs is an estimate
	namesVary    bool            // what such lines begin with is no key, by what is known so far
	textFields   int             // whose texts are grouped by form
	folderFields int             // whose paths are

	lineFields *lineFields         // of the lines, nil if they are not wanted
	container  structure.Container // of the current record
	nested     []structure.Nested  // in it
	looks      []structure.Look    // at the first records

	novelty    outlier.Novelty
	pairs      formats.Pairs // in the current line
	valueBuf   []byte
	unescaped  []byte             // the current line, without escapes
	embedded   []byte             // the object in a string, or the text,
	isInString bool               // which the current value is in
	payload    []byte             // the current record with the JSON in its string opened,
	isOpened   bool               // if it is an envelope,
	envelopes  int                // as so many were,
	holders    int                // and so many others had strings with JSON
	texts      []structure.TextIn // in the current record
	textPlace  int                // of those that are told by their lines
	heldTexts  []byte             // of the first record, if they are told only where no other comes
	depth      int                // of the place of the current record
	within     int                // containers around the current value, in the record
	pathSaved  []byte
	base       int // the place of records with the path pathSaved,
	baseKind   jsonx.Kind

	outline *outline.Outline // of the lines; nil in a Summary of a window

	facts factsWriter
}

// factsBuffer is what the facts of most responses take, in bytes.
const factsBuffer = 32 << 10

// NewSummary returns an empty Summary.
func NewSummary() *Summary {
	s := &Summary{places: places.NewPlaces(), text: lineset.NewLines()}
	for _, buffer := range []*[]byte{&s.facts.text, &s.facts.best} {
		*buffer = make([]byte, 0, factsBuffer)
	}
	s.Reset()
	return s
}

// NewWatchfulSummary returns an empty Summary that also keeps which records stand out.
func NewWatchfulSummary() *Summary {
	s := NewSummary()
	s.text.Out = outlier.NewCandidates()
	s.outline = outline.New()
	return s
}

// Reset makes s empty.
func (s *Summary) Reset() {
	s.places.Reset()
	s.text.Reset()
	s.table.Reset()
	if s.outline != nil {
		s.outline.Reset()
	}
	*s = Summary{
		outline: s.outline,
		places:  s.places,
		text:    s.text,
		pairs:   formats.Pairs{Buffer: s.pairs.Buffer, Name: s.pairs.Name},
		table:   s.table,

		toldLines: s.toldLines[:0],
		nested:    s.nested[:0],
		valueBuf:  s.valueBuf,
		unescaped: s.unescaped,
		embedded:  s.embedded,
		payload:   s.payload,
		texts:     s.texts[:0],
		heldTexts: s.heldTexts[:0],
		textPlace: structure.AnyPlace,
		opened:    openedRecords{path: s.opened.path[:0], base: structure.NoNode, head: s.opened.head},
		facts:     s.facts,
	}
}

// Told says that the records up to a number have been shown as they are: Facts does not say again what the first one
// is, except a line, which with the last one tells from when to when the lines are.
func (s *Summary) Told(seq int) { s.told = seq }

// ToldLines says which lines are shown elsewhere, by number: Facts does not show a template again that only one of them
// has. It takes the place of what was said before.
func (s *Summary) ToldLines(seqs []int) { s.toldLines = append(s.toldLines[:0], seqs...) }

// isToldElsewhere says whether a form is that of one line, and this is told.
func (s *Summary) isToldElsewhere(t *drain.Template) bool {
	return t.Count == 1 && (t.First <= s.told || slices.Contains(s.toldLines, t.First))
}

// Add takes one record in. It returns why the record stands out from all that came before it, a short phrase that may
// name a field and a value of it, and of which kind that is, or "" if it does not.
func (s *Summary) Add(r structure.Record) (why, kind string) {
	s.records++
	s.heldTexts = s.heldTexts[:0]
	s.novelty.Reason = outlier.NotNovel
	if !r.IsText {
		s.settle()
		if s.text.Blocks.IsContext() { // an object in a line of its own is no record there
			s.valueBuf = append(append(s.valueBuf[:0], ' '), bytes.TrimLeft(r.Value, " ")...)
			r.Value, r.IsText = s.valueBuf, true
		}
	}
	if r.IsText && bytes.IndexByte(r.Value, mask.Escape) >= 0 {
		s.unescaped = mask.AppendWithoutEscapes(s.unescaped[:0], r.Value)
		r.Value = s.unescaped
	}
	s.addToOutline(r)
	switch {
	case r.IsText && r.GoesOn && s.hasLine():
		s.addPartOfLine(r)
		return s.whyNovel()
	case r.IsText:
		s.opened.addLine(r)
		s.addLine(r)
		return s.whyNovel()
	}
	fieldsBefore := len(s.places.Fields)
	if s.opened.goesOn(r) {
		s.opened.parts++
	} else {
		s.enter(r)
		s.addChunk(r)
	}
	if len(s.places.Fields) > fieldsBefore {
		if surprise.IsRare(s.freshShape, s.jsonRecords()-1) {
			s.novelty.Note(outlier.NewField, fieldsBefore, nil, jsonx.Null)
		}
		s.freshShape++
	}
	return s.whyNovel()
}

// addChunk takes in a value as a part of the record that it is in, or as a record of its own, with those that stood
// at the same path.
func (s *Summary) addChunk(r structure.Record) {
	place, name, isMember := s.placeOfMember(r)
	if !isMember {
		place = s.placeOf(r.Path, r.Kind())
	}
	switch {
	case s.isPart(r, place):
		s.addPart(r, place)
	case place == structure.NoNode:
		s.places.AddFurther(r.Path)
	default:
		if s.opened.base == structure.NoNode && leadsToMember(r.Path) {
			s.opened.first++
		}
		s.addRecord(r, place, name)
	}
}

// whyNovel says why the current record stands out from what came before it, and by what kind of reason; "" if it does
// not.
func (s *Summary) whyNovel() (why, kind string) {
	switch {
	case s.novelty.Reason == outlier.NotNovel:
		return "", ""
	case s.novelty.Field == structure.RootNode && s.text.Count > 0:
		return s.novelty.Text(nil)
	}
	return s.novelty.Text(s.places.Paths.Path(s.novelty.Field))
}

// addRecord takes in a JSON value, and the records in it if it is a large one.
func (s *Summary) addRecord(r structure.Record, place int, name []byte) {
	if s.open(r.Value) {
		r.Value = s.payload
	}
	s.container = structure.Container{}
	if _, isElement := value.ParseDigits(structure.LastOf(r.Path)); s.text.Out != nil &&
		(r.Seq == 1 || !isElement) && !s.places.Paths.IsOther(place) {
		s.container = structure.TreeOf(r.Value)
		s.places.Paths.MapsRecur = s.places.Paths.MapsRecur || s.container.IsMap && len(r.Path) == 0
	}
	s.addRecordAt(r.Seq, place, name, false, &jsonx.Cursor{Source: r.Value})
	s.container = structure.Container{}
	s.addNested(r)
	s.addTexts(r)
}

func (s *Summary) jsonRecords() int {
	return s.records - s.text.Count - s.partsOfLines - s.opened.parts
}

// hasLine says whether there was a line, be it that it is held.
func (s *Summary) hasLine() bool { return s.text.Count > 0 || s.table.HeldCount > 0 }

// addPartOfLine takes in what goes on with a line. It is no line, has no form and is in no table; but it may name an
// error, and have rare words.
func (s *Summary) addPartOfLine(r structure.Record) {
	s.settle()
	s.partsOfLines++
	s.begin(r.Seq, structure.RootNode)
	s.text.Line.Take(r.Value)
	s.text.Line.CutWords()
	if s.text.Out != nil {
		s.text.Out.Row.KeepLine(r.Value)
		s.noteWords(nil, 1)
	}
	s.addErrorWord(r.Value)
	if s.text.Out != nil {
		s.offer()
	}
}

// addForm takes in the current line, which is no part of a table, perhaps one among its rows.
func (s *Summary) addForm(r structure.Record, isMisfit bool) {
	isTold := s.text.TellUnderFailure(r)
	if s.text.Out != nil && !s.text.SeeSection(r.Value) {
		s.text.SeeHead(r.Value)
	}
	s.beginLine(r.Seq)
	known := s.text.Look()
	level := s.text.AddLevel(known)
	form := s.addToForm(r.Seq, known)
	if s.text.Out != nil {
		s.noteLine(r.Value, form, known)
		if isMisfit {
			s.note(outlier.Reason{By: outlier.ByMisfit})
		}
	}
	isMessage := s.seeCommit(r.Value)
	mayName := !isMessage && (known == nil || s.text.Line.Paths > 0 || s.text.Line.HasID) &&
		s.text.Blocks.Kind != outlier.Trace // an error; the cause of one has been told
	isError := mayName && s.addErrorWord(r.Value)
	if known == nil && s.text.Out != nil && !isMessage {
		s.noteOutcome(r.Value, form)
	}
	s.addNames(r.Value, form, known)
	if k := s.text.Remembered(); k != nil {
		k.Level = int8(level)
	}
	if s.text.Out != nil {
		s.text.KeepReason(r.Value)
		s.text.KeepSection(r.Value)
	}
	switch {
	case isTold:
		s.text.Out.Row.LeaveTo(s.text.Out.Candidates[s.text.Out.Used-1])
	case isError && s.text.Out != nil && !s.isConstantOfRecords(s.text.Out.Row):
		s.text.Failure = outlier.Failure{Head: r.Seq, Next: r.Seq + 1, Indent: outlier.IndentOf(r.Value)}
		s.text.Out.KeepFailure()
	}
	s.end()
}

// addNames takes in what the current line, of that form, has under a name: values and addresses.
func (s *Summary) addNames(line []byte, form int, known *drain.KnownLine) {
	s.text.Headings.See(line)
	hasKeys := (known == nil || known.HasKeys) && s.addKeys(line, form)
	hasAddresses := (known == nil || known.HasAddresses) && s.addAddresses(line)
	if k := s.text.Remembered(); k != nil {
		k.HasKeys, k.HasAddresses = hasKeys, k.HasAddresses || hasAddresses
	}
	if s.text.Out == nil || hasKeys {
		return
	}
	s.text.ForgetIdentity(line)
	if s.text.IsUnderIdentity(line) {
		s.text.KeepIdentity(line)
	}
}

// addToForm counts the current line among those of its form, and returns the index of its template, -1 if it has none.
func (s *Summary) addToForm(seq int, known *drain.KnownLine) int {
	if known != nil {
		known.Join(&s.text.Line, &s.text.Templates, seq)
		return int(known.Form)
	}
	before := len(s.text.Templates.All) + s.text.Templates.Others
	form, isNew := s.text.Templates.Add(&s.text.Line, seq)
	if isNew && surprise.IsRare(before, s.text.Count-1) {
		s.novelty.Note(outlier.NewLineForm, structure.RootNode, nil, jsonx.String)
	}
	if form < 0 && s.text.Templates.IsLate(&s.text.Line) {
		if form = s.text.Templates.GiveUp(&s.text.Line, seq); form >= 0 && s.text.Out != nil {
			s.text.Out.ForgetForm(form)
		}
	}
	return form
}

// addErrorWord counts a line if it names an error, and says so.
func (s *Summary) addErrorWord(line []byte) bool {
	m := lineclass.ErrorIn(line[:min(len(line), mask.MaxLineLen)])
	if m.Start == m.End {
		return false
	}
	if surprise.IsRareError(s.text.LineErrors, s.text.Count-1) {
		s.novelty.Note(outlier.ErrorWord, structure.RootNode, line[m.Start:m.End], jsonx.String)
	}
	s.text.LineErrors++
	s.noteError(structure.RootNode, nil, 0, false, m.IsMarked)
	return true
}

// placeOf returns the place in the tree for what stood at a path, a value of that kind: each number in it is an
// element of an array.
func (s *Summary) placeOf(path []byte, k jsonx.Kind) int {
	if len(path) == 0 {
		return structure.RootNode
	}
	if s.pathSaved != nil && k == s.baseKind && bytes.Equal(path, s.pathSaved) {
		return s.base
	}
	s.pathSaved = append(s.pathSaved[:0], path...)
	place := structure.RootNode
	for first := true; len(path) > 0 && place != structure.NoNode; first = false {
		var name []byte
		name, path = s.places.CutPath(path)
		place, _ = s.places.Step(place, name, structure.KindBefore(path, k), first)
	}
	s.base, s.baseKind = place, k
	return place
}

// addValue takes in the value at the cursor and steps past it.
func (s *Summary) addValue(c *jsonx.Cursor, place int) {
	k := c.Kind()
	if k < jsonx.Array {
		value := c.TakeOf(k)
		if k == jsonx.String && c.IsEscaped {
			if s.addObjectIn(value, place) {
				return
			}
			s.keepText(value, place)
			s.valueBuf = append(jsonx.AppendCanonical(append(s.valueBuf[:0], '"'), jsonx.Inside(value)), '"')
			value = s.valueBuf
		} else if k == jsonx.String && place == s.textPlace {
			s.keepText(value, place)
		}
		s.addScalar(value, k, place)
		return
	}
	f := s.see(place, k)
	switch {
	case s.container.To > 0 && c.At == s.container.From && !s.isInString:
		s.passNested(c, place, s.container.IsMap)
	case k == jsonx.Object && s.text.Out != nil && !c.IsEmpty() && s.places.IsMapThatRecurs(place):
		s.passNested(c, place, true)
	case c.IsEmpty():
		value := []byte("{}")
		if k == jsonx.Array {
			value = []byte("[]")
		}
		c.Take()
		hash := sketch.Hash(value)
		v := fields.Scalar{Value: value, Kind: k, Hash: hash, Known: f.Seen.Counts.Index(hash), Form: -1}
		s.count(&v, f, place)
		if s.text.Out != nil {
			s.noteScalar(&v, f, place)
		}
	case s.places.Paths.Nodes[place].Depth >= structure.MaxDepth, s.within == maxWithin:
		c.Take()
	case k == jsonx.Array:
		s.within++
		s.addElements(c, place)
		s.within--
	default:
		s.within++
		s.addMembers(c, place)
		s.within--
	}
}

// addObjectIn takes in the object that is in a string as JSON, as if it stood in place of it, and says whether there
// is one. What is in a string within is a string; so is what is deep in a record, as a copy of that is in the
// annotations of Kubernetes. The first one at a place decides for those of records that are nested otherwise.
func (s *Summary) addObjectIn(value []byte, place int) bool {
	if text := jsonx.Inside(value); s.isInString || s.isOpened || len(text) == 0 || text[0] != '{' {
		return false
	}
	f, depth := &s.places.Fields[place], s.places.Paths.Nodes[place].Depth-s.depth
	if f.IsWhole = f.IsWhole || f.Seen.Types[jsonx.Object] == 0 && depth > deepestInString; f.IsWhole ||
		depth == 0 || s.places.HasRecordsUnder(place) {
		return false
	}
	s.embedded = jsonx.AppendUnescapedKnown(s.embedded[:0], jsonx.Inside(value))
	if !jsonx.IsObject(s.embedded) {
		return false
	}
	s.see(place, jsonx.Object)
	s.isInString = true
	s.addMembers(&jsonx.Cursor{Source: s.embedded}, place)
	s.isInString = false
	return true
}

// see counts a value of that kind at a place.
func (s *Summary) see(place int, k jsonx.Kind) *fields.Field {
	f := &s.places.Fields[place]
	if f.Seen.Types[k] == 0 && surprise.IsRare(f.Seen.TypesSeen(), f.Seen.Values) {
		s.novelty.Note(outlier.NewType, place, nil, k)
	}
	f.See(s.rows, k)
	return f
}

func (s *Summary) addMembers(c *jsonx.Cursor, place int) {
	c.Enter()
	for before := structure.RootNode; ; {
		member := s.places.Paths.MemberSeen(place, before)
		if member == structure.RootNode || !c.PassName(s.places.Paths.Nodes[member].Quoted) {
			name, ok := c.Member()
			if !ok {
				return
			}
			if member = s.places.PlaceOfName(place, before, s.places.Canonical(name)); member == structure.NoNode {
				c.Take()
				continue
			}
		}
		before = member
		s.addValue(c, s.places.Paths.Folded(member, c.Kind()))
	}
}

func (s *Summary) addElements(c *jsonx.Cursor, place int) {
	if n := &s.places.Paths.Nodes[place]; n.AreHeadings {
		n.Source = sketch.Hash(new(*c).Take())
	}
	if s.places.IsRow(c, place) {
		s.addCells(c, place)
		return
	}
	element := s.places.Grown(s.places.Paths.Element(place))
	switch {
	case element == structure.NoNode:
		c.Take()
		return
	case s.text.Out != nil && (s.places.Paths.Nodes[place].HoldsRecords || s.places.Fields[element].Rows > 0):
		s.passNested(c, place, false)
		return
	}
	c.Enter()
	for c.Element() {
		s.addValue(c, element)
	}
}

// addScalar takes in a value of a record that is no container, canonical JSON.
func (s *Summary) addScalar(value []byte, k jsonx.Kind, place int) {
	f := s.see(place, k)
	hash := sketch.Hash(value)
	known := f.Seen.Counts.Index(hash)
	if known >= 0 && f.Seen.Counts.Entries[known].IsPlain && s.addAgain(value, known, f, place) {
		return
	}
	v := fields.Scalar{Value: value, Kind: k, Hash: hash, Known: known, Form: -1, IsNumber: k == jsonx.Number}
	isError, errorAt, isMarked, isPlaceholder := false, 0, false, false
	switch k {
	case jsonx.String:
		f.AddString(&v)
		switch mask.Hides(jsonx.Inside(v.Value)) {
		case mask.AllHidden:
			f.Seen.Redacted++
			isPlaceholder = true
		case mask.PartlyHidden:
			f.Seen.IsBlurred = true
		}
		var numeral []byte
		isRounded := false
		if numeral, isRounded, v.IsNumber = f.AddNumeral(jsonx.Inside(v.Value)); v.IsNumber {
			v.Number = s.addNumber(numeral, isRounded, f, place)
		}
	case jsonx.Number:
		f.Written.Literals.Add(value)
		v.Number = s.addNumber(value, false, f, place)
	}
	s.count(&v, f, place)
	if isPlaceholder {
		if at := f.Seen.Counts.Index(hash); at >= 0 {
			f.Seen.Counts.Entries[at].IsHidden = true
		}
	}
	switch v.Times {
	case 1:
		f.Seen.Rare++
	case surprise.MostOfRare + 1:
		f.Seen.Rare--
	}
	var text *fields.KnownText
	switch {
	case s.text.Out == nil:
	case k == jsonx.String && !v.IsNumber:
		v.Form, text = s.addText(jsonx.Inside(v.Value), f)
	case k == jsonx.String && f.Texts != nil:
		f.Texts.Others++
	}
	switch {
	case v.IsNumber:
		f.Numbers.AddQuantile(v.Number, 1, s.places.RoomOf(f))
		if isError = f.IsErrorLevel(v.Number, s.places.Paths.Nodes[place].Name); isError {
			f.Errors++
		}
	// it came before, and was no error
	case k != jsonx.String, v.IsTime, text != nil, v.Times > 1 && f.Seen.IsExact() && f.Errors == 0:
	default:
		m := lineclass.ErrorIn(v.Value[:min(len(v.Value), fields.MaxStringLen)])
		errorAt, isMarked = m.Start, m.IsMarked
		if isError = m.Start < m.End && (isMarked || !isNameField(s.places.Paths.Nodes[place].Name)) &&
			!f.Named.IsPartOfLine(); !isError {
			break
		}
		if surprise.IsRareError(f.Errors, f.Seen.Types[jsonx.String]) {
			s.novelty.Note(outlier.ErrorWord, place, v.Value[m.Start:m.End], k)
		}
		f.Errors++
	}
	if v.Times > surprise.MostOfRare && !isError && !isPlaceholder && f.IsPlain(&v) {
		s.learnPlain(&v, f)
	}
	if s.text.Out == nil {
		return
	}
	s.noteText(&v, f, place)
	s.noteScalar(&v, f, place)
	if k != jsonx.String {
		if isError {
			s.noteError(place, v.Value, 0, true, true)
		}
		return
	}
	if !v.IsTime && !v.IsNumber {
		s.noteFolders(jsonx.Inside(v.Value), f, place)
	}
	switch {
	case v.IsTime, v.Times > surprise.MostOfRare+1, place == s.textPlace: // the lines there have what is rare
	case v.Times > surprise.MostOfRare:
		s.text.RepeatWords(v.Value, place)
	case text != nil:
		f.Words += text.Words
	case s.noteString(v.Value, f, place) && v.Form >= 0:
		f.Texts.Learn(&s.text.Line, jsonx.Inside(v.Value), v.Form)
	}
	if isError {
		s.noteError(place, v.Value, errorAt, v.IsNumber, isMarked)
	}
}

// learnPlain remembers the current value as a plain one, and the form that it has if it is a text.
func (s *Summary) learnPlain(v *fields.Scalar, f *fields.Field) {
	e := &f.Seen.Counts.Entries[v.Known]
	switch {
	case f.Texts == nil || v.Kind != jsonx.String:
		e.IsPlain = true
	case v.Form >= 0 && f.Texts.Templates.All[v.Form].IsPlain(&s.text.Line):
		if e.IsPlain = true; e.Form == nil {
			e.Form = new(drain.KnownForm)
		}
		*e.Form = f.Texts.Templates.KnownFormOf(&s.text.Line, v.Form)
	}
}

// addAgain takes in a plain value that is counted at an index, unless it may be more in this record.
func (s *Summary) addAgain(value []byte, index int, f *fields.Field, place int) bool {
	if s.text.Out != nil && s.isRareField(f) {
		return false
	}
	e := &f.Seen.Counts.Entries[index]
	if f.Texts != nil && value[0] == '"' {
		if e.Form == nil || !e.Form.Holds(&f.Texts.Templates) {
			return false
		}
		e.Form.Join(&drain.NoWords, &f.Texts.Templates, s.rows)
		s.text.Out.Row.KeepText(fields.TextForm{Place: place, Form: int(e.Form.Form)}, len(value))
	}
	f.Seen.Counted++
	e.Count++
	if s.text.Out != nil {
		s.text.Out.Row.AddCell(place, value)
	}
	return true
}

// count counts a value, and finds how often it is known to have come. It notes one that is new to a field that so far
// had few.
func (s *Summary) count(v *fields.Scalar, f *fields.Field, place int) {
	if v.Known < 0 && f.Seen.IsExact() && surprise.IsRare(len(f.Seen.Counts.Entries), f.Seen.Values-1) {
		s.novelty.Note(outlier.NewValue, place, v.Value, v.Kind)
	}
	room := s.places.RoomOf(f)
	f.Seen.Counted++
	switch {
	case v.Known >= 0:
		e := &f.Seen.Counts.Entries[v.Known]
		e.Count++
		v.Times = e.Count
	case f.Seen.IsExact() && !f.Seen.Counts.IsFull(*room):
		f.Seen.Counts.Add(v.Hash, v.Value, room)
		v.Times = 1
	default:
		if f.Seen.IsExact() {
			f.StartSketches(room)
		}
		f.Seen.Distinct.Add(v.Hash, room)
		s.countOneMore(v, f, place, room)
	}
	if v.Times == 1 {
		f.Seen.Fresh++
	}
}

// countOneMore counts a value that is none of those that are counted exactly.
func (s *Summary) countOneMore(v *fields.Scalar, f *fields.Field, place int, room *int) {
	f.Seen.Counts.Dropped = true
	isUnique := false
	switch {
	case f.Seen.IsUnique:
		v.Times = 1
		if s.text.Out != nil && f.Seen.Latest.ComesAgain(v.Hash, f.Seen.Counted) {
			f.Seen.IsUnique = false
		}
		return
	case s.text.Out == nil:
		f.Seen.Counts.Replace(v.Hash, v.Value)
		isUnique = f.Seen.Counted >= fields.UniqueAfter && !f.Seen.Counts.Repeats()
	default:
		of := uint64(place) * sketch.PlaceFactor
		v.Times = s.text.Out.Words.Add(v.Hash+of, 1)
		if lost, came, ok := f.Seen.Counts.Offer(v.Hash, v.Value, v.Times, s.text.Out.Words.Over, room); ok {
			s.text.Out.Words.Raise(lost+of, came)
		}
		isUnique = f.Seen.MayBeUnique()
	}
	if isUnique {
		f.Seen.DropUnique(room)
	}
}

func (s *Summary) addNumber(v []byte, isRounded bool, f *fields.Field, place int) float64 {
	if f.Numbers == nil {
		f.Numbers = new(value.Numbers)
	}
	n := f.Numbers
	d, exact := value.ParseDecimal(v)
	number := d.Float(v)
	distance := 0.0
	if n.Count > 0 {
		distance = n.Distance(number)
	}
	n.IsFar = distance > outlier.FarOutSpans && !math.IsInf(distance, 0)
	isOutlier := n.IsFar && surprise.IsRare(n.FarOut, n.Count)
	if isOutlier {
		s.novelty.Note(outlier.FarOut, place, v, jsonx.Number)
	}
	n.Add(d, exact && !isRounded, isRounded, number, v, isOutlier)
	return number
}
