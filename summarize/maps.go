package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/value"
)

// An object that was too large for one chunk comes member by member. When its members are alike, it is a map of
// records: from the second one on they share one place.

// siblingsOf finds what is known of the members of a place; nil if that is nothing.
func (s *places) siblingsOf(parent int) *structure.Sibling {
	for i := range s.siblings {
		if s.siblings[i].Parent == parent {
			return &s.siblings[i]
		}
	}
	return nil
}

// memberOf returns the place of a member that chunks are in, or the one that it shares with its siblings.
func (s *places) memberOf(parent int, name []byte) int {
	if m := s.siblingsOf(parent); m != nil && m.Shared != structure.NoNode {
		return m.Shared
	}
	return s.grown(s.paths.Member(parent, name))
}

// shareMember returns the place for a chunk that is an object and a member of another: its own, or the one that it
// shares with its siblings.
func (s *Summary) shareMember(parent int, name, value []byte) int {
	m := s.places.siblingsOf(parent)
	if m == nil {
		place := s.places.grown(s.places.paths.Member(parent, name))
		if place != structure.NoNode && len(s.places.siblings) < structure.MaxMaps {
			s.places.siblings = append(s.places.siblings, structure.Sibling{Parent: parent, First: place, Shared: structure.NoNode})
		}
		return place
	}
	if m.Shared == structure.NoNode {
		if !s.areOfMap(m.First, parent, name) || !s.places.isAlike(m.First, value) {
			return s.places.grown(s.places.paths.Member(parent, name))
		}
		m.Shared = s.places.share(m.First)
		s.countFirstOfMap(m.Shared)
	}
	s.places.fields[m.Shared].Others.Add(sketch.Hash(name), &s.places.nameRoom)
	return m.Shared
}

// areOfMap says whether two members of an object may be ones of a map: both are new, and the object is no record. What has come before is
// a member of other records.
func (s *Summary) areOfMap(first, parent int, name []byte) bool {
	return parent != s.opened.base && s.places.fields[first].Values == 1 && s.places.paths.Find(parent, name, false) == structure.NoNode
}

// share makes the place of a member that of all its siblings, with all that is known of it.
func (s *places) share(member int) int {
	node := &s.paths.Nodes[member]
	if other := s.paths.Find(node.Parent, []byte(structure.OtherMemberName), false); other != structure.NoNode {
		return other // it has stood for some already
	}
	name := sketch.Hash(node.Name)
	s.paths.Rename(member, []byte(structure.OtherMemberName))
	s.fields[member].Others.Add(name, &s.nameRoom)
	return member
}

// countFirstOfMap counts the first member of a map if it was taken for one of the object that the map is in: exactly, as it is the only one.
func (s *Summary) countFirstOfMap(place int) {
	f := &s.places.fields[place]
	if f.Rows > 0 {
		return
	}
	f.Rows = f.Values
	if s.out == nil {
		return
	}
	if e := s.out.EndsOf(place, false); e != nil {
		e.Count = f.Values
		e.First.Reset(0, place)
	}
}

// isAlike says whether an object has about the same members as what stood at a place.
func (s *places) isAlike(place int, value []byte) bool {
	names, common := 0, 0
	for c := (jsonx.Cursor{Source: value, At: 1}); ; c.Take() {
		name, ok := c.Member()
		if !ok {
			return common >= structure.LeastAlike && 2*common >= names || common > 0 && common == names
		}
		names++
		if s.paths.Find(place, name, false) != structure.NoNode {
			common++
		}
	}
}

// placeOfMember returns the place of a chunk that is an object and the member of another, and its name. ok is false
// for any other chunk.
func (s *Summary) placeOfMember(r structure.Record) (place int, name []byte, ok bool) {
	last := structure.LastOf(r.Path)
	if _, isIndex := value.ParseDigits(last); isIndex || len(r.Value) == 0 || r.Value[0] != '{' {
		return structure.NoNode, nil, false
	}
	parent := s.placeOf(structure.ParentOf(r.Path), jsonx.Object)
	if parent == structure.NoNode {
		return structure.NoNode, nil, true
	}
	name, _ = s.places.cutPath(last)
	return s.shareMember(parent, name, r.Value), name, true
}
