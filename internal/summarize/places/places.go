package places

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// Bounds of places. More of them tell more of wide records, and take more memory.
const (
	MaxFields     = 256     // places with a field, those of names that lines begin with not counted
	RootMembers   = 192     // of a record, or of an element of an array: further ones share a place
	otherMembers  = 32      // of an object inside a record, so that a map of ids is one field
	RoomForValues = 400_000 // bytes for the values of all fields
	roomForNames  = 8 * sketch.DistinctSize
)

// Places are the places of a response, numbered from the root, with what is counted of the values in
// each, and the room that they have left.
type Places struct {
	Paths    structure.PathTree
	Fields   []fields.Field      // by number of the place
	Further  sketch.Distinct     // names past the caps
	room     int                 // bytes left for values and their sketches
	keyRoom  int                 // the same for those of names that lines begin with
	NameRoom int                 // bytes left for sketches of names
	Siblings []structure.Sibling // objects whose members came one by one
	NameBuf  []byte
	further  []byte // what AddFurther has counted last
}

// NewPlaces returns the root alone.
func NewPlaces() Places {
	return Places{Paths: structure.NewPathTree(MaxFields, RootMembers, otherMembers),
		Fields: make([]fields.Field, 1, 16)}
}

// Reset forgets all places but the root.
func (p *Places) Reset() {
	p.Paths.Reset()
	clear(p.Fields)
	*p = Places{
		Paths:    p.Paths,
		Fields:   p.Fields[:1],
		room:     RoomForValues,
		keyRoom:  formats.RoomForKeys,
		NameRoom: roomForNames,
		Siblings: p.Siblings[:0],
		NameBuf:  p.NameBuf,
		further:  p.further[:0],
	}
}

// AddFurther counts a place past the caps by its path: it is the same in each element of an array.
func (s *Places) AddFurther(path []byte) {
	in := structure.PlaceIn(path)
	if len(in) > 0 && bytes.Equal(in, s.further) {
		return
	}
	s.further = append(s.further[:0], in...)
	hash := uint64(0)
	for len(path) > 0 {
		var name []byte
		name, path = s.CutPath(path)
		if _, isIndex := value.ParseDigits(name); isIndex {
			name = []byte{'#'}
		}
		hash = hash*sketch.PlaceFactor + sketch.Hash(name)
	}
	s.Further.Add(hash, &s.NameRoom)
}

// Step returns the place that a part of a path leads to, to a value of that kind, and whether that is the element of
// an array.
func (s *Places) Step(place int, name []byte, k jsonx.Kind, isFirst bool) (to int, isElement bool) {
	_, isElement = value.ParseDigits(name)
	switch {
	case isElement && isFirst: // of an array at the top: its elements are the records themselves
		return place, true
	case isElement:
		return s.Grown(s.Paths.Element(place)), true
	}
	return s.Paths.Folded(s.memberOf(place, name), k), false
}

// Grown makes sure that a place has its field.
func (s *Places) Grown(place int) int {
	for len(s.Fields) <= place {
		s.Fields = append(s.Fields, fields.Field{})
	}
	return place
}

// PlaceOfName returns the place of a member, most often the one after before. What is past the caps has none, and is
// counted.
func (s *Places) PlaceOfName(parent, before int, name []byte) int {
	member := s.Grown(s.Paths.MemberAfter(parent, before, name))
	switch {
	case member == structure.NoNode:
		s.Further.Add(sketch.Hash(name)^uint64(parent)*sketch.PlaceFactor, &s.NameRoom)
	case s.Paths.IsOther(member):
		s.Fields[member].Others.Add(sketch.Hash(name), &s.NameRoom)
	}
	return member
}

// RoomOf is the room that is left for the values of a field.
func (s *Places) RoomOf(f *fields.Field) *int {
	if f.Named.IsKey {
		return &s.keyRoom
	}
	return &s.room
}
