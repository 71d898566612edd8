package summarize

import (
	"bytes"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/facts"
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
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	maxWithin       = 64 // containers around a value: an array that recurs may be deep
	deepestInString = 2  // levels below its record
)

// Summary keeps facts over any number of records in constant memory. What all of its parts know of the response is its
// own; each part has what only it needs, and sees the rest by the Summary that it is of.
type Summary struct {
	records int // all of them, and
	inText  int // lines of a text in the string of one
	rows    int // the records in them
	places  places.Places
	text    lineset.Lines
	outline *outline.Outline // of the lines; nil in a Summary of a window
	alone   outlineAlone     // whether nothing else is told of the lines

	values   recordReader
	strings  stringReader
	lines    lineReader
	watcher  watcher
	outliers outliers
	teller   teller
}

// factsBuffer is what the facts of most responses take, in bytes.
const factsBuffer = 32 << 10

// NewSummary returns an empty Summary.
func NewSummary() *Summary {
	s := &Summary{places: places.NewPlaces(), text: lineset.NewLines()}
	for _, t := range []*facts.Tree{&s.teller.trial, &s.teller.best} {
		t.Text = make([]byte, 0, factsBuffer)
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
	s.lines.table.Reset()
	if s.outline != nil {
		s.outline.Reset()
	}
	*s = Summary{
		places:  s.places,
		text:    s.text,
		outline: s.outline,
		lines: lineReader{
			pairs:     formats.Pairs{Buffer: s.lines.pairs.Buffer, Name: s.lines.pairs.Name},
			table:     s.lines.table,
			unescaped: s.lines.unescaped,
		},
		values: recordReader{
			nested:   s.values.nested[:0],
			valueBuf: s.values.valueBuf,
			opened:   openedRecords{path: s.values.opened.path[:0], base: structure.NoNode, head: s.values.opened.head},
		},
		strings: stringReader{
			embedded:  s.strings.embedded,
			payload:   s.strings.payload,
			texts:     s.strings.texts[:0],
			heldTexts: s.strings.heldTexts[:0],
			textPlace: structure.AnyPlace,
		},
		teller: s.teller,
	}
	s.values.Summary, s.strings.Summary, s.lines.Summary, s.watcher.Summary, s.outliers.Summary = s, s, s, s, s
	s.teller.Summary, s.teller.told, s.teller.toldLines = s, 0, s.teller.toldLines[:0]
}

// Told says that the records up to a number have been shown as they are: Facts does not say again what the first one
// is, except a line, which with the last one tells from when to when the lines are.
func (s *Summary) Told(seq int) { s.teller.told = seq }

// ToldLines says which lines are shown elsewhere, by number: Facts does not show a template again that only one of them
// has. It takes the place of what was said before.
func (s *Summary) ToldLines(seqs []int) { s.teller.toldLines = append(s.teller.toldLines[:0], seqs...) }

// isToldElsewhere says whether a form is that of one line, and this is told.
func (s *teller) isToldElsewhere(t *drain.Template) bool {
	return t.Count == 1 && (t.First <= s.told || slices.Contains(s.toldLines, t.First))
}

// Add takes one record in. It returns why the record stands out from all that came before it, a short phrase that may
// name a field and a value of it, and of which kind that is, or "" if it does not.
func (s *Summary) Add(r structure.Record) (why, kind string) {
	if s.isOutlineAlone() {
		s.addToOutlineAlone(r)
		return "", ""
	}
	s.records++
	s.strings.heldTexts = s.strings.heldTexts[:0]
	s.watcher.novelty.Reason = outlier.NotNovel
	if !r.IsText {
		s.lines.settle()
		if s.text.Blocks.IsContext() { // an object in a line of its own is no record there
			s.values.valueBuf = append(append(s.values.valueBuf[:0], ' '), bytes.TrimLeft(r.Value, " ")...)
			r.Value, r.IsText = s.values.valueBuf, true
		}
	}
	if r.IsText && bytes.IndexByte(r.Value, mask.Escape) >= 0 {
		s.lines.unescaped = mask.AppendWithoutEscapes(s.lines.unescaped[:0], r.Value)
		r.Value = s.lines.unescaped
	}
	s.addToOutline(r)
	switch {
	case r.IsText && r.GoesOn && s.lines.hasLine():
		s.lines.addPartOfLine(r)
		return s.watcher.whyNovel()
	case r.IsText:
		s.values.opened.addLine(r)
		s.lines.addLine(r)
		return s.watcher.whyNovel()
	}
	fieldsBefore := len(s.places.Fields)
	if s.values.opened.goesOn(r) {
		s.values.opened.parts++
	} else {
		s.values.enter(r)
		s.addChunk(r)
	}
	if len(s.places.Fields) > fieldsBefore {
		if surprise.IsRare(s.values.freshShape, s.jsonRecords()-1) {
			s.watcher.novelty.Note(outlier.NewField, fieldsBefore, nil, jsonx.Null)
		}
		s.values.freshShape++
	}
	return s.watcher.whyNovel()
}

// addChunk takes in a value as a part of the record that it is in, or as a record of its own, with those that stood
// at the same path.
func (s *Summary) addChunk(r structure.Record) {
	place, name, isMember := s.values.placeOfMember(r)
	if !isMember {
		place = s.values.placeOf(r.Path, r.Kind())
	}
	switch {
	case s.values.isPart(r, place):
		s.values.addPart(r, place)
	case place == structure.NoNode:
		s.places.AddFurther(r.Path)
	default:
		if s.values.opened.base == structure.NoNode && leadsToMember(r.Path) {
			s.values.opened.first++
		}
		s.values.addRecord(r, place, name)
	}
}

// whyNovel says why the current record stands out from what came before it, and by what kind of reason; "" if it does
// not.
func (s *watcher) whyNovel() (why, kind string) {
	switch {
	case s.novelty.Reason == outlier.NotNovel:
		return "", ""
	case s.novelty.Field == structure.RootNode && s.text.Count > 0:
		return s.novelty.Text(nil)
	}
	return s.novelty.Text(s.places.Paths.Path(s.novelty.Field))
}

// addRecord takes in a JSON value, and the records in it if it is a large one.
func (s *recordReader) addRecord(r structure.Record, place int, name []byte) {
	if s.strings.open(r.Value) {
		r.Value = s.strings.payload
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
	s.strings.addTexts(r)
}

func (s *Summary) jsonRecords() int {
	return s.records - s.text.Count - s.lines.partsOfLines - s.values.opened.parts
}

// hasLine says whether there was a line, be it that it is held.
func (s *lineReader) hasLine() bool { return s.text.Count > 0 || s.table.HeldCount > 0 }

// addPartOfLine takes in what goes on with a line. It is no line, has no form and is in no table; but it may name an
// error, and have rare words.
func (s *lineReader) addPartOfLine(r structure.Record) {
	s.settle()
	s.partsOfLines++
	s.watcher.begin(r.Seq, structure.RootNode)
	s.text.Line.Take(r.Value)
	s.text.Line.CutWords()
	if s.text.Out != nil {
		s.text.Out.Row.KeepLine(r.Value)
		s.noteWords(nil, 1)
	}
	s.addErrorWord(r.Value)
	if s.text.Out != nil {
		s.watcher.offer()
	}
}

// addForm takes in the current line, which is no part of a table, perhaps one among its rows.
func (s *lineReader) addForm(r structure.Record, isMisfit bool) {
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
			s.watcher.note(outlier.Reason{By: outlier.ByMisfit})
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
	if s.lineFields != nil && level != lineclass.NoLevel {
		s.addField(nameOfLevel, s.text.Levels.Name(level))
	}
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
	case isError && s.text.Out != nil && !s.outliers.isConstantOfRecords(s.text.Out.Row):
		s.text.Failure = outlier.Failure{Head: r.Seq, Next: r.Seq + 1, Indent: outlier.IndentOf(r.Value)}
		s.text.Out.KeepFailure()
	}
	s.watcher.end()
}

// nameOfLevel is the field that holds the level of a log line.
var nameOfLevel = []byte("level")

// addNames takes in what the current line, of that form, has under a name: values and addresses.
func (s *lineReader) addNames(line []byte, form int, known *drain.KnownLine) {
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
func (s *lineReader) addToForm(seq int, known *drain.KnownLine) int {
	if known != nil {
		known.Join(&s.text.Line, &s.text.Templates, seq)
		return int(known.Form)
	}
	before := len(s.text.Templates.All) + s.text.Templates.Others
	form, isNew := s.text.Templates.Add(&s.text.Line, seq)
	if isNew && surprise.IsRare(before, s.text.Count-1) {
		s.watcher.novelty.Note(outlier.NewLineForm, structure.RootNode, nil, jsonx.String)
	}
	if form < 0 && s.text.Templates.IsLate(&s.text.Line) {
		if form = s.text.Templates.GiveUp(&s.text.Line, seq); form >= 0 && s.text.Out != nil {
			s.text.Out.ForgetForm(form)
		}
	}
	return form
}

// addErrorWord counts a line if it names an error, and says so.
func (s *lineReader) addErrorWord(line []byte) bool {
	m := lineclass.ErrorIn(line[:min(len(line), mask.MaxLineLen)])
	if m.Start == m.End {
		return false
	}
	if surprise.IsRareError(s.text.LineErrors, s.text.Count-1) {
		s.watcher.novelty.Note(outlier.ErrorWord, structure.RootNode, line[m.Start:m.End], jsonx.String)
	}
	s.text.LineErrors++
	s.watcher.noteError(structure.RootNode, nil, 0, false, m.IsMarked)
	return true
}

// placeOf returns the place in the tree for what stood at a path, a value of that kind: each number in it is an
// element of an array.
func (s *recordReader) placeOf(path []byte, k jsonx.Kind) int {
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
func (s *recordReader) addValue(c *jsonx.Cursor, place int) {
	k := c.Kind()
	if k < jsonx.Array {
		value := c.TakeOf(k)
		if k == jsonx.String && c.IsEscaped {
			if s.strings.addObjectIn(value, place) {
				return
			}
			s.strings.keepText(value, place)
			s.valueBuf = append(jsonx.AppendCanonical(append(s.valueBuf[:0], '"'), jsonx.Inside(value)), '"')
			value = s.valueBuf
		} else if k == jsonx.String && place == s.strings.textPlace {
			s.strings.keepText(value, place)
		}
		s.addScalar(value, k, place)
		return
	}
	f := s.see(place, k)
	switch {
	case s.container.To > 0 && c.At == s.container.From && !s.strings.isInString:
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
			s.watcher.noteScalar(&v, f, place)
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
func (s *stringReader) addObjectIn(value []byte, place int) bool {
	if text := jsonx.Inside(value); s.isInString || s.isOpened || len(text) == 0 || text[0] != '{' {
		return false
	}
	f, depth := &s.places.Fields[place], s.places.Paths.Nodes[place].Depth-s.values.depth
	if f.IsWhole = f.IsWhole || f.Seen.Types[jsonx.Object] == 0 && depth > deepestInString; f.IsWhole ||
		depth == 0 || s.places.HasRecordsUnder(place) {
		return false
	}
	s.embedded = jsonx.AppendUnescapedKnown(s.embedded[:0], jsonx.Inside(value))
	if !jsonx.IsObject(s.embedded) {
		return false
	}
	s.values.see(place, jsonx.Object)
	s.isInString = true
	s.values.addMembers(&jsonx.Cursor{Source: s.embedded}, place)
	s.isInString = false
	return true
}

// see counts a value of that kind at a place.
func (s *recordReader) see(place int, k jsonx.Kind) *fields.Field {
	f := &s.places.Fields[place]
	if f.Seen.Types[k] == 0 && surprise.IsRare(f.Seen.TypesSeen(), f.Seen.Values) {
		s.watcher.novelty.Note(outlier.NewType, place, nil, k)
	}
	f.See(s.rows, k)
	return f
}

func (s *recordReader) addMembers(c *jsonx.Cursor, place int) {
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

func (s *recordReader) addElements(c *jsonx.Cursor, place int) {
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
func (s *recordReader) addScalar(value []byte, k jsonx.Kind, place int) {
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
			f.Seen.Hidden++
			if mask.HasBlob(v.Value) {
				f.Seen.Blobs++
			}
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
			s.watcher.novelty.Note(outlier.ErrorWord, place, v.Value[m.Start:m.End], k)
		}
		f.Errors++
	}
	if v.Times > surprise.MostOfRare && !isError && !isPlaceholder && f.IsPlain(&v) {
		s.learnPlain(&v, f)
	}
	if s.text.Out == nil {
		return
	}
	s.watcher.noteText(&v, f, place)
	s.watcher.noteScalar(&v, f, place)
	if k != jsonx.String {
		if isError {
			s.watcher.noteError(place, v.Value, 0, true, true)
		}
		return
	}
	if !v.IsTime && !v.IsNumber {
		s.noteFolders(jsonx.Inside(v.Value), f, place)
	}
	switch {
	case v.IsTime, v.Times > surprise.MostOfRare+1, place == s.strings.textPlace: // the lines there have what is rare
	case v.Times > surprise.MostOfRare:
		s.text.RepeatWords(v.Value, place)
	case text != nil:
		f.Words += text.Words
	case s.watcher.noteString(v.Value, f, place) && v.Form >= 0:
		f.Texts.Learn(&s.text.Line, jsonx.Inside(v.Value), v.Form)
	}
	if isError {
		s.watcher.noteError(place, v.Value, errorAt, v.IsNumber, isMarked)
	}
}

// learnPlain remembers the current value as a plain one, and the form that it has if it is a text.
func (s *recordReader) learnPlain(v *fields.Scalar, f *fields.Field) {
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
func (s *recordReader) addAgain(value []byte, index int, f *fields.Field, place int) bool {
	if s.text.Out != nil && s.watcher.isRareField(f) {
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
func (s *recordReader) count(v *fields.Scalar, f *fields.Field, place int) {
	if v.Known < 0 && f.Seen.IsExact() && surprise.IsRare(len(f.Seen.Counts.Entries), f.Seen.Values-1) {
		s.watcher.novelty.Note(outlier.NewValue, place, v.Value, v.Kind)
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
func (s *recordReader) countOneMore(v *fields.Scalar, f *fields.Field, place int, room *int) {
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

func (s *recordReader) addNumber(v []byte, isRounded bool, f *fields.Field, place int) float64 {
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
		s.watcher.novelty.Note(outlier.FarOut, place, v, jsonx.Number)
	}
	n.Add(d, exact && !isRounded, isRounded, number, v, isOutlier)
	return number
}
