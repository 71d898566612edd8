package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// lookInto decides from the first records at a place whether there are records in them: those that are deepest.
func (s *recordReader) lookInto(c jsonx.Cursor, base int) {
	if !s.isWhole() || s.places.Fields[base].Rows > structure.LookedInto || c.Kind() != jsonx.Object {
		return
	}
	at := 0
	for at < len(s.looks) && s.looks[at].Base != base {
		at++
	}
	if at == len(s.looks) {
		if at == structure.MaxLooks {
			return
		}
		s.looks = append(s.looks, structure.Look{Base: base})
	}
	l := &s.looks[at]
	from := c.At
	s.lookAround(l, &c, base)
	l.Bytes += c.At - from
	best := structure.NoNode
	for _, a := range l.Arrays {
		isMost := float64(a.Bytes) >= structure.ShareOfNested*float64(l.Bytes) && a.Objects > a.Others
		if !isMost || a.Objects < structure.LeastNested || a.Scalars < structure.LeastScalars*a.Objects {
			continue
		}
		if best == structure.NoNode || s.places.Paths.Nodes[a.Place].Depth > s.places.Paths.Nodes[best].Depth {
			best = a.Place
		}
	}
	if best != structure.NoNode && !s.places.Paths.Nodes[best].HoldsRecords {
		s.places.Paths.Nodes[best].HoldsRecords = true
		if element := s.places.Paths.Element(best); s.places.Fields[element].Rows == 0 {
			s.countAsRecords(element)
		}
	}
}

// lookAround passes the value at the cursor and adds what its arrays hold. It returns how many scalars are in the
// value, and in no array in it.
func (s *recordReader) lookAround(l *structure.Look, c *jsonx.Cursor, place int) (scalars int) {
	k := c.Kind()
	switch {
	case k < jsonx.Array:
		c.Take()
		return 1
	case place == structure.NoNode || s.places.Paths.Nodes[place].Depth >= structure.MaxDepth || s.within == maxWithin:
		c.Take()
		return 0
	}
	s.within++
	defer func() { s.within-- }()
	if k == jsonx.Object {
		c.Enter()
		for before := structure.RootNode; ; {
			name, ok := c.Member()
			if !ok {
				return scalars
			}
			member := s.places.PlaceOfName(place, before, s.places.Canonical(name))
			if member != structure.NoNode {
				before = member
			}
			scalars += s.lookAround(l, c, s.places.Paths.Folded(member, c.Kind()))
		}
	}
	from, of := c.At, structure.ArrayLook{Place: place}
	element := s.places.Grown(s.places.Paths.Element(place))
	for c.Enter(); c.Element(); {
		if c.Kind() == jsonx.Object {
			of.Objects++
			of.Scalars += s.lookAround(l, c, element)
		} else {
			of.Others++
			s.lookAround(l, c, element)
		}
	}
	of.Bytes = c.At - from
	l.Add(of)
	return 0
}

// countAsRecords makes the elements that were values of larger records so far count as records. Which was the first
// is not known then.
func (s *recordReader) countAsRecords(element int) {
	before := s.places.Fields[element].Seen.Values
	if before == 0 {
		return
	}
	s.places.Fields[element].Rows = before
	s.bases.set(element, before)
	for id := range s.places.Fields {
		switch {
		case id == element:
			s.places.Fields[id].Records = before
			continue
		case !s.places.IsUnder(id, element):
			continue
		}
		s.places.Fields[id].IsLate = true
		if s.places.IsIn(id, element) {
			s.places.Fields[id].Records = min(s.places.Fields[id].Seen.Values, before)
		}
	}
}

// passNested passes over an array or a map of records, which are taken in after the record that it is in.
func (s *recordReader) passNested(c *jsonx.Cursor, place int, isMap bool) {
	in := structure.Nested{From: c.At, IsMap: isMap}
	value := c.Take()
	if c := (jsonx.Cursor{Source: value}); c.IsEmpty() {
		return
	}
	if isMap {
		in.Place = s.places.Grown(s.places.Paths.Find(place, []byte(structure.OtherMemberName), true))
	} else {
		in.Place = s.places.Grown(s.places.Paths.Element(place))
	}
	if in.Place == structure.NoNode {
		s.places.Further.Add(uint64(place)*sketch.PlaceFactor, &s.places.NameRoom)
		return
	}
	s.nested = append(s.nested, in)
}

// addNested takes in the records in a chunk that have been passed over, and those in them.
func (s *recordReader) addNested(r structure.Record) {
	for i := 0; i < len(s.nested); i++ {
		in := s.nested[i]
		c := jsonx.Cursor{Source: r.Value, At: in.From}
		for c.Enter(); ; {
			if _, ok := c.Entry(in.IsMap); !ok {
				break
			}
			s.addRecordAt(in.Place, &c)
		}
	}
	s.nested = s.nested[:0]
}

// addRecordAt takes in the value at the cursor as a record.
func (s *recordReader) addRecordAt(place int, c *jsonx.Cursor) {
	if f := &s.places.Fields[place]; s.isWhole() && f.Rows == 0 && f.Seen.Values > 0 {
		s.countAsRecords(place) // larger ones came before, whole
	}
	s.begin(place)
	s.places.Fields[place].Rows++
	if s.container.To == 0 {
		s.lookInto(*c, place)
	}
	s.addValue(c, place)
	if s.isWhole() {
		s.bases.add(place)
	}
}
