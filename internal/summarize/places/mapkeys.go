package places

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

const leastKeys = 12 // members of an object whose names may be keys of a map

// MayBeKey says whether the name of a place may be a key of a map: its object is in a record and has many members.
func (s *Places) MayBeKey(id int) bool {
	n := &s.Paths.Nodes[id]
	return n.Depth > 1 && s.Paths.Nodes[n.Parent].Members >= leastKeys
}

// IsInKeyOfMap says whether a place is a rare one of more members than are distinguished, or in one: the name is a key
// then, of which there are many.
func (s *Places) IsInKeyOfMap(id int) bool {
	const rare = 20 // one in so many
	for ; id != structure.RootNode; id = s.Paths.Nodes[id].Parent {
		parent := s.Paths.Nodes[id].Parent
		isMap := s.MayBeKey(id) && !s.Paths.IsOther(id) &&
			s.Paths.Find(parent, []byte(structure.OtherMemberName), false) != structure.NoNode
		if isMap && s.Fields[id].Records*rare <= s.Fields[parent].Seen.Values {
			return true
		}
	}
	return false
}

// SiblingsOf finds what is known of the members of a place; nil if that is nothing.
func (s *Places) SiblingsOf(parent int) *structure.Sibling {
	for i := range s.Siblings {
		if s.Siblings[i].Parent == parent {
			return &s.Siblings[i]
		}
	}
	return nil
}

// memberOf returns the place of a member that chunks are in, or the one that it shares with its siblings.
func (s *Places) memberOf(parent int, name []byte) int {
	if m := s.SiblingsOf(parent); m != nil && m.Shared != structure.NoNode {
		return m.Shared
	}
	return s.Grown(s.Paths.Member(parent, name))
}

// Share makes the place of a member that of all its siblings, with all that is known of it.
func (s *Places) Share(member int) int {
	node := &s.Paths.Nodes[member]
	if other := s.Paths.Find(node.Parent, []byte(structure.OtherMemberName), false); other != structure.NoNode {
		return other // it has stood for some already
	}
	name := sketch.Hash(node.Name)
	s.Paths.Rename(member, []byte(structure.OtherMemberName))
	s.Fields[member].Others.Add(name, &s.NameRoom)
	return member
}

// IsAlike says whether an object has about the same members as what stood at a place.
func (s *Places) IsAlike(place int, value []byte) bool {
	names, common := 0, 0
	for c := (jsonx.Cursor{Source: value, At: 1}); ; c.Take() {
		name, ok := c.Member()
		if !ok {
			return common >= structure.LeastAlike && 2*common >= names || common > 0 && common == names
		}
		names++
		if s.Paths.Find(place, name, false) != structure.NoNode {
			common++
		}
	}
}

// IsMapThatRecurs says whether a place is that of maps of records, in which there are others of the same name.
func (s *Places) IsMapThatRecurs(place int) bool {
	if !s.Paths.Nodes[place].Recurs {
		return false
	}
	member := s.Paths.Find(place, []byte(structure.OtherMemberName), false)
	return member != structure.NoNode && s.Fields[member].Rows > 0
}
