package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	maxMaps    = 16 // objects whose members came one by one, and may be records
	leastAlike = 2  // names that two records have in common, at least
)

// An object that was too large for one chunk comes member by member. When its members are alike, it is a map of
// records: from the second one on they share one place.

// sibling is an object whose members came as chunks.
type sibling struct {
	parent int
	first  int // the place of its first member that is an object
	shared int // the place of all of them; noNode while they are not known to be alike
}

// siblingsOf finds what is known of the members of a place; nil if that is nothing.
func (s *Summary) siblingsOf(parent int) *sibling {
	for i := range s.siblings {
		if s.siblings[i].parent == parent {
			return &s.siblings[i]
		}
	}
	return nil
}

// memberOf returns the place of a member that chunks are in, or the one that it shares with its siblings.
func (s *Summary) memberOf(parent int, name []byte) int {
	if m := s.siblingsOf(parent); m != nil && m.shared != noNode {
		return m.shared
	}
	return s.grown(s.paths.member(parent, name))
}

// shareMember returns the place for a chunk that is an object and a member of another: its own, or the one that it
// shares with its siblings.
func (s *Summary) shareMember(parent int, name, value []byte) int {
	m := s.siblingsOf(parent)
	if m == nil {
		place := s.grown(s.paths.member(parent, name))
		if place != noNode && len(s.siblings) < maxMaps {
			s.siblings = append(s.siblings, sibling{parent: parent, first: place, shared: noNode})
		}
		return place
	}
	if m.shared == noNode {
		if !s.areOfMap(m.first, parent, name) || !s.isAlike(m.first, value) {
			return s.grown(s.paths.member(parent, name))
		}
		m.shared = s.share(m.first)
		s.countFirstOfMap(m.shared)
	}
	s.fields[m.shared].others.Add(sketch.Hash(name), &s.nameRoom)
	return m.shared
}

// areOfMap says whether two members of an object may be ones of a map: both are new, and the object is no record. What has come before is
// a member of other records.
func (s *Summary) areOfMap(first, parent int, name []byte) bool {
	return parent != s.opened.base && s.fields[first].values == 1 && s.paths.find(parent, name, false) == noNode
}

// share makes the place of a member that of all its siblings, with all that is known of it.
func (s *Summary) share(member int) int {
	node := &s.paths.nodes[member]
	if other := s.paths.find(node.parent, []byte(otherMemberName), false); other != noNode {
		return other // it has stood for some already
	}
	name := sketch.Hash(node.name)
	s.paths.rename(member, []byte(otherMemberName))
	s.fields[member].others.Add(name, &s.nameRoom)
	return member
}

// countFirstOfMap counts the first member of a map if it was taken for one of the object that the map is in: exactly, as it is the only one.
func (s *Summary) countFirstOfMap(place int) {
	f := &s.fields[place]
	if f.rows > 0 {
		return
	}
	f.rows = f.values
	if s.out == nil {
		return
	}
	if e := s.out.endsOf(place, false); e != nil {
		e.count = f.values
		e.first.reset(0, place)
	}
}

// isAlike says whether an object has about the same members as what stood at a place.
func (s *Summary) isAlike(place int, value []byte) bool {
	names, common := 0, 0
	for c := (jsonx.Cursor{Source: value, At: 1}); ; c.Take() {
		name, ok := c.Member()
		if !ok {
			return common >= leastAlike && 2*common >= names || common > 0 && common == names
		}
		names++
		if s.paths.find(place, name, false) != noNode {
			common++
		}
	}
}

// placeOfMember returns the place of a chunk that is an object and the member of another, and its name. ok is false
// for any other chunk.
func (s *Summary) placeOfMember(r Record) (place int, name []byte, ok bool) {
	last := lastOf(r.Path)
	if _, isIndex := value.ParseDigits(last); isIndex || len(r.Value) == 0 || r.Value[0] != '{' {
		return noNode, nil, false
	}
	parent := s.placeOf(parentOf(r.Path), jsonx.Object)
	if parent == noNode {
		return noNode, nil, true
	}
	name, _ = s.cutPath(last)
	return s.shareMember(parent, name, r.Value), name, true
}
