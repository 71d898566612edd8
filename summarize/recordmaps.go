package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// An object that was too large for one chunk comes member by member. When its members are alike, it is a map of
// records: from the second one on they share one place.

// shareMember returns the place for a chunk that is an object and a member of another: its own, or the one that it
// shares with its siblings.
func (s *recordReader) shareMember(parent int, name, value []byte) int {
	m := s.places.SiblingsOf(parent)
	if m == nil {
		place := s.places.Grown(s.places.Paths.Member(parent, name))
		if place != structure.NoNode && len(s.places.Siblings) < structure.MaxMaps {
			s.places.Siblings = append(s.places.Siblings,
				structure.Sibling{Parent: parent, First: place, Shared: structure.NoNode})
		}
		return place
	}
	if m.Shared == structure.NoNode {
		if !s.areOfMap(m.First, parent, name) || !s.places.IsAlike(m.First, value) {
			return s.places.Grown(s.places.Paths.Member(parent, name))
		}
		m.Shared = s.places.Share(m.First)
		s.countFirstOfMap(m.Shared)
	}
	s.places.Fields[m.Shared].Others.Add(sketch.Hash(name), &s.places.NameRoom)
	return m.Shared
}

// areOfMap says whether two members of an object may be ones of a map: both are new, and the object is no record.
// What has come before is a member of other records.
func (s *recordReader) areOfMap(first, parent int, name []byte) bool {
	return parent != s.opened.base && s.places.Fields[first].Seen.Values == 1 &&
		s.places.Paths.Find(parent, name, false) == structure.NoNode
}

// countFirstOfMap counts the first member of a map if it was taken for one of the object that the map is in: exactly,
// as it is the only one.
func (s *recordReader) countFirstOfMap(place int) {
	f := &s.places.Fields[place]
	if f.Rows > 0 {
		return
	}
	f.Rows = f.Seen.Values
	if s.isWhole() {
		s.bases.set(place, f.Seen.Values)
	}
}

// placeOfMember returns the place of a chunk that is an object and the member of another, and its name. ok is false
// for any other chunk.
func (s *recordReader) placeOfMember(r structure.Record) (place int, name []byte, ok bool) {
	last := structure.LastOf(r.Path)
	if _, isIndex := value.ParseDigits(last); isIndex || len(r.Value) == 0 || r.Value[0] != '{' {
		return structure.NoNode, nil, false
	}
	parent := s.placeOf(structure.ParentOf(r.Path), jsonx.Object)
	if parent == structure.NoNode {
		return structure.NoNode, nil, true
	}
	name, _ = s.places.CutPath(last)
	return s.shareMember(parent, name, r.Value), name, true
}
