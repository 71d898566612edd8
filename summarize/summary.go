package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/lineset"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/places"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

const (
	maxWithin       = 64 // containers around a value: an array that recurs may be deep
	deepestInString = 2  // levels below its record
)

// Summary keeps facts over any number of records in constant memory. What all of its parts know of the response is its
// own; each part has what only it needs, and sees the rest by the Summary that it is of.
type Summary struct {
	records int // all of them, and
	rows    int // the records in them
	places  places.Places
	text    lineset.Set

	values  recordReader
	strings stringReader
	lines   lineReader
	teller  teller
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

// NewWholeSummary returns an empty Summary for a response: it tells more than that of a window, and takes more memory.
func NewWholeSummary() *Summary {
	s := NewSummary()
	s.text.BeWhole()
	return s
}

// Reset makes s empty.
func (s *Summary) Reset() {
	s.places.Reset()
	s.text.Reset()
	s.lines.table.Reset()
	*s = Summary{
		places: s.places,
		text:   s.text,
		lines: lineReader{
			pairs:     formats.Pairs{Buffer: s.lines.pairs.Buffer, Name: s.lines.pairs.Name},
			table:     s.lines.table,
			unescaped: s.lines.unescaped,
		},
		values: recordReader{
			nested:   s.values.nested[:0],
			valueBuf: s.values.valueBuf,
			opened:   openedRecords{path: s.values.opened.path[:0], base: structure.NoNode},
		},
		strings: stringReader{
			embedded: s.strings.embedded,
			payload:  s.strings.payload,
		},
		teller: s.teller,
	}
	s.values.Summary, s.strings.Summary, s.lines.Summary, s.teller.Summary = s, s, s, s
}

// isWhole says whether the summary is that of a response, and not of a window.
func (s *Summary) isWhole() bool { return s.text.Whole != nil }

// Add takes one record in.
func (s *Summary) Add(r structure.Record) {
	s.records++
	if !r.IsText {
		s.lines.settle()
	}
	if r.IsText && bytes.IndexByte(r.Value, mask.Escape) >= 0 {
		s.lines.unescaped = mask.AppendWithoutEscapes(s.lines.unescaped[:0], r.Value)
		r.Value = s.lines.unescaped
	}
	switch {
	case r.IsText && r.GoesOn && s.lines.hasLine():
		s.lines.settle()
		s.lines.partsOfLines++
	case r.IsText:
		s.values.opened.addLine(r)
		s.lines.addLine(r)
	case s.values.opened.goesOn(r):
		s.values.opened.parts++
	default:
		s.values.enter(r)
		s.addChunk(r)
	}
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

// addRecord takes in a JSON value, and the records in it if it is a large one.
func (s *recordReader) addRecord(r structure.Record, place int, name []byte) {
	if s.strings.open(r.Value) {
		r.Value = s.strings.payload
	}
	s.container = structure.Container{}
	if _, isElement := value.ParseDigits(structure.LastOf(r.Path)); s.isWhole() &&
		(r.Seq == 1 || !isElement) && !s.places.Paths.IsOther(place) {
		s.container = structure.TreeOf(r.Value)
		s.places.Paths.MapsRecur = s.places.Paths.MapsRecur || s.container.IsMap && len(r.Path) == 0
	}
	s.addRecordAt(place, &jsonx.Cursor{Source: r.Value})
	s.container = structure.Container{}
	s.addNested(r)
}

func (s *Summary) jsonRecords() int {
	return s.records - s.text.Count - s.lines.partsOfLines - s.values.opened.parts
}

// hasLine reports whether a line has come, a held one included.
func (s *lineReader) hasLine() bool { return s.text.Count > 0 || s.table.HeldCount > 0 }

// beginLine begins a record that is a line.
func (s *lineReader) beginLine(seq int) {
	s.text.Count++
	s.lineFields.begin(seq)
	s.values.begin(structure.RootNode)
}

// addTemplate takes in the current line, which is no part of a table.
func (s *lineReader) addTemplate(r structure.Record) {
	s.beginLine(r.Seq)
	s.text.Line.Set(r.Value)
	level := s.text.AddLevel()
	form := s.addToForm(r.Seq)
	s.seeTime(r.Value)
	s.text.Headings.See(r.Value)
	s.addKeys(r.Value, form)
	s.addAddresses(r.Value)
	if s.lineFields != nil && level != lineclass.NoLevel {
		s.addField(nameOfLevel, s.text.Levels.Name(level))
	}
}

// seeTime counts the time of the current line.
func (s *lineReader) seeTime(line []byte) {
	if s.isWhole() && s.text.Has&mask.Digit != 0 {
		s.text.Whole.SeeTime(line)
	}
}

// nameOfLevel is the field that holds the level of a log line.
var nameOfLevel = []byte("level")

// addToTemplate counts the current line among those of its template, and returns the index of its template, -1 if it
func (s *lineReader) addToForm(seq int) int {
	template, _ := s.text.Templates.Add(&s.text.Line, seq)
	if template < 0 && s.text.Templates.IsLate(&s.text.Line) {
		template = s.text.Templates.GiveUp(&s.text.Line, seq)
	}
	return template
}

// placeOf returns the place in the tree for what stood at a path, a value of that kind: each number in it is an
// element of an array.
func (s *recordReader) placeOf(path []byte, k jsonx.Kind) int {
	if len(path) == 0 {
		return structure.RootNode
	}
	in := structure.PlaceIn(path)
	if s.pathSaved != nil && k == s.baseKind && bytes.Equal(in, s.pathSaved) {
		return s.base
	}
	s.pathSaved = append(s.pathSaved[:0], in...)
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
			s.valueBuf = append(jsonx.AppendCanonical(append(s.valueBuf[:0], '"'), jsonx.Inside(value)), '"')
			value = s.valueBuf
		}
		s.addScalar(value, k, place)
		return
	}
	f := s.see(place, k)
	switch {
	case s.container.To > 0 && c.At == s.container.From && !s.strings.isInString:
		s.passNested(c, place, s.container.IsMap)
	case k == jsonx.Object && s.isWhole() && !c.IsEmpty() && s.places.IsMapThatRecurs(place):
		s.passNested(c, place, true)
	case c.IsEmpty():
		value := []byte("{}")
		if k == jsonx.Array {
			value = []byte("[]")
		}
		c.Take()
		hash := sketch.Hash(value)
		v := fields.Scalar{Value: value, Kind: k, Hash: hash, Known: f.Seen.Counts.Index(hash)}
		s.count(&v, f, place)
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
	n := &s.places.Paths.Nodes[place]
	if n.Cells == structure.NotKnown { // the first one at a place tells for all
		n.Cells = structure.OfList
		if structure.IsRow(*c, string(n.Name) == structure.ElementName) {
			n.Cells = structure.OfRow
		}
	}
	if n.Cells == structure.OfRow {
		s.addCells(c, place)
		return
	}
	element := s.places.Grown(s.places.Paths.Element(place))
	switch {
	case element == structure.NoNode:
		c.Take()
		return
	case s.isWhole() && (s.places.Paths.Nodes[place].HoldsRecords || s.places.Fields[element].Rows > 0):
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
	v := fields.Scalar{Value: value, Kind: k, Hash: hash, Known: known, IsNumber: k == jsonx.Number}
	isPlaceholder := false
	switch k {
	case jsonx.String:
		isPlaceholder = s.readString(&v, f)
	case jsonx.Number:
		f.Written.Literals.Add(value)
		s.addNumber(value, false, f)
	}
	s.count(&v, f, place)
	if isPlaceholder {
		if at := f.Seen.Counts.Index(hash); at >= 0 {
			f.Seen.Counts.Entries[at].HasPlaceholder = true
		}
	}
	if s.isWhole() && k == jsonx.String {
		if !v.IsNumber {
			s.addText(jsonx.Inside(v.Value), f)
		} else if f.Texts != nil {
			f.Texts.Others++
		}
	}
}

// readString reads what a string is: a time, a number, a placeholder. It reports whether nothing but a placeholder is
// left of it.
func (s *recordReader) readString(v *fields.Scalar, f *fields.Field) (isPlaceholder bool) {
	f.AddString(v)
	switch mask.PlaceholdersIn(jsonx.Inside(v.Value)) {
	case mask.OnlyPlaceholder:
		f.Seen.Placeholders++
		if mask.HasBlob(v.Value) {
			f.Seen.Blobs++
		}
		isPlaceholder = true
	case mask.SomePlaceholder:
		f.Seen.IsBlurred = true
	}
	numeral, isRounded, isNumber := f.AddNumeral(jsonx.Inside(v.Value))
	if v.IsNumber = isNumber; isNumber {
		s.addNumber(numeral, isRounded, f)
	}
	return isPlaceholder
}

// count counts a value, and finds how often it is known to have come.
func (s *recordReader) count(v *fields.Scalar, f *fields.Field, place int) {
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
}

// countOneMore counts a value that is none of those that are counted exactly.
func (s *recordReader) countOneMore(v *fields.Scalar, f *fields.Field, place int, room *int) {
	f.Seen.Counts.Dropped = true
	isUnique := false
	switch {
	case f.Seen.IsUnique:
		v.Times = 1
		if s.isWhole() && f.Seen.Latest.ComesAgain(v.Hash, f.Seen.Counted) {
			f.Seen.IsUnique = false
		}
		return
	case !s.isWhole():
		f.Seen.Counts.Replace(v.Hash, v.Value)
		isUnique = f.Seen.Counted >= fields.UniqueAfter && !f.Seen.Counts.Repeats()
	default:
		of := uint64(place) * sketch.PlaceFactor
		v.Times = s.text.Whole.Values.Add(v.Hash+of, 1)
		if lost, came, ok := f.Seen.Counts.Offer(v.Hash, v.Value, v.Times, s.text.Whole.Values.Over, room); ok {
			s.text.Whole.Values.Raise(lost+of, came)
		}
		isUnique = f.Seen.MayBeUnique()
	}
	if isUnique {
		f.Seen.DropUnique(room)
	}
}

// addNumber counts a number. One that was converted is rounded.
func (s *recordReader) addNumber(v []byte, isRounded bool, f *fields.Field) {
	if f.Numbers == nil {
		f.Numbers = new(value.Numbers)
	}
	d, exact := value.ParseDecimal(v)
	f.Numbers.Add(d, exact && !isRounded, isRounded, d.Float(v), v)
}

// addCells takes in the row at the cursor.
func (s *recordReader) addCells(c *jsonx.Cursor, place int) {
	c.Enter()
	for i, before := 0, structure.RootNode; c.Element(); i++ {
		member := structure.NoNode
		if i < structure.MostCells {
			member = s.places.Grown(s.places.Paths.MemberAfter(place, before, structure.CellNames[i]))
		}
		if member == structure.NoNode {
			s.places.Further.Add(sketch.Mix(uint64(i)+1)^uint64(place)*sketch.PlaceFactor, &s.places.NameRoom)
			c.Take()
			continue
		}
		before = member
		s.addValue(c, member)
	}
}
