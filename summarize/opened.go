package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// A record that was too large for one chunk comes in parts, among others that came whole. It counts as these do, and
// its members are shown as theirs are.

const fewOfTexts = 8 // records for each text in a string

// openedRecords is what is known of them.
type openedRecords struct {
	parts int // members of them, except the first of each
	first int // members of the first value at the top, while it is unknown whether it is a record

	top   int    // number of the value at the top that came last
	path  []byte // of the chunk that came last
	base  int    // place of the innermost record that it is a part of; structure.NoNode if there is none
	isNew bool   // no member of that has come

	texts   int // strings of records that came as lines
	lines   int // of them
	textTop int // number of the value at the top that the last one is in
}

// goesOn says whether a chunk is more of the string that the last one began.
func (o *openedRecords) goesOn(r structure.Record) bool {
	return len(r.Path) > 0 && r.Top == o.top && bytes.HasPrefix(r.Value, []byte{'"'}) && bytes.Equal(r.Path, o.path)
}

// addLine counts a line if it is of a string, of which the first one has the path.
func (o *openedRecords) addLine(r structure.Record) {
	switch {
	case len(r.Path) > 0:
		o.texts++
		o.textTop = r.Top
	case o.texts == 0 || r.Top != o.textTop:
		return
	}
	o.lines++
}

// isOfFew says whether so many lines are all in strings of a few of so many records, which they tell little of.
func (o *openedRecords) isOfFew(lines, records int) bool {
	return lines <= o.lines && fewOfTexts*o.texts <= records
}

// isOpen says whether the chunk that came last was in what the beginning of a path leads to, which is so long.
func (o *openedRecords) isOpen(path []byte, length int) bool {
	return len(o.path) > length && o.path[length] == '.' && bytes.Equal(o.path[:length], path[:length])
}

// enter finds the records that a chunk is a part of, and counts those that the chunk before was no part of.
func (s *recordReader) enter(r structure.Record) {
	o := &s.opened
	isNewTop := r.Top != o.top
	if isNewTop && o.first > 0 {
		s.countFirstOpened()
	}
	if !isNewTop && bytes.Equal(structure.ParentOf(r.Path), structure.ParentOf(o.path)) {
		o.path = append(o.path[:0], r.Path...)
		return
	}
	o.base = structure.NoNode
	place, rest := structure.RootNode, r.Path
	for isTop := true; len(rest) > 0 && place != structure.NoNode; isTop = false {
		var name []byte
		name, rest = s.places.CutPath(rest)
		_, isElement := value.ParseDigits(name)
		if isTop && !isElement && s.places.Fields[structure.RootNode].Rows > 0 { // the values at the top are records
			s.enterRecord(structure.RootNode, !isNewTop)
		}
		if len(rest) == 0 {
			break
		}
		m := s.places.SiblingsOf(place)
		place, _ = s.places.Step(place, name, structure.KindBefore(rest, jsonx.Null), isTop)
		isOpen := !isNewTop && o.isOpen(r.Path, len(r.Path)-len(rest)-1)
		switch {
		case place == structure.NoNode:
		case isElement, m != nil && m.Shared == place:
			s.enterRecord(place, isOpen)
		}
	}
	o.top, o.path = r.Top, append(o.path[:0], r.Path...)
}

// enterRecord makes a record the innermost one that the current chunk is a part of, and counts it if it is not open
// yet.
func (s *recordReader) enterRecord(place int, isOpen bool) {
	s.opened.base = place
	if isOpen {
		return
	}
	f := &s.places.Fields[place]
	if s.isWhole() && f.Rows == 0 && f.Seen.Values > 0 {
		s.countAsRecords(place)
	}
	f.Rows++
	s.opened.isNew = true
	if s.isWhole() {
		s.bases.add(place)
	}
}

// countFirstOpened counts the first value at the top, whose members were taken for records.
func (s *recordReader) countFirstOpened() {
	s.opened.parts += s.opened.first - 1
	s.opened.first = 0
	for id := range s.places.Fields {
		if n := &s.places.Paths.Nodes[id]; id != structure.RootNode && string(n.Name) != structure.ElementName &&
			!s.places.Paths.IsOther(id) {
			s.places.Fields[id].Rows = 0
		}
	}
	s.places.Fields[structure.RootNode].Rows++
	if !s.isWhole() {
		return
	}
	if root := s.bases.at(structure.RootNode); root != nil && root.count == 0 {
		root.count = 1
	}
}

// isPart says whether a chunk is a member of the record that it is in. What may be a member of any object is none if
// it is one of a map.
func (s *recordReader) isPart(r structure.Record, place int) bool {
	return s.opened.base != structure.NoNode && leadsToMember(r.Path) &&
		(r.Value[0] != '{' || place == structure.NoNode || !s.places.Paths.IsOther(place))
}

// leadsToMember says whether a path leads to a member of an object.
func leadsToMember(path []byte) bool {
	_, isElement := value.ParseDigits(structure.LastOf(path))
	return !isElement
}

// addPart takes in such a member.
func (s *recordReader) addPart(r structure.Record, place int) {
	o := &s.opened
	if o.isNew {
		o.isNew = false
	} else {
		o.parts++
	}
	s.begin(o.base)
	if place == structure.NoNode {
		s.places.AddFurther(r.Path)
	} else {
		s.strings.isOpened = false
		s.container = structure.TreeOf(r.Value)
		s.addValue(&jsonx.Cursor{Source: r.Value}, place)
		s.container = structure.Container{}
	}
	s.addNested(r)
}
