package places

import "github.com/kfw-dev/kfw/internal/summarize/structure"

// IsUnder says whether a place is in the records at base, or is base.
func (s *Places) IsUnder(id, base int) bool {
	for id != base && id != structure.RootNode {
		id = s.Paths.Nodes[id].Parent
	}
	return id == base
}

// IsIn says whether a place is in the record at base, and in no array in it.
func (s *Places) IsIn(place, base int) bool {
	for ; place != base; place = s.Paths.Nodes[place].Parent {
		if place == structure.RootNode || string(s.Paths.Nodes[place].Name) == structure.ElementName {
			return false
		}
	}
	return true
}

// RowsOf is how many records there are that may have a place.
func (s *Places) RowsOf(place int) int { return s.Fields[s.BaseOf(place)].Rows }

// BaseOf is the place of the records that a place is in.
func (s *Places) BaseOf(place int) int {
	for place > structure.RootNode && s.Fields[place].Rows == 0 {
		place = s.Paths.Nodes[place].Parent
	}
	return max(place, structure.RootNode)
}

// HasRecordsUnder says whether records of their own are in what stands at a place: what is in a string is none.
func (s *Places) HasRecordsUnder(place int) bool {
	for id := place; id < len(s.Fields); id++ {
		if n := &s.Paths.Nodes[id]; (n.HoldsRecords || s.Fields[id].Rows > 0) && s.IsUnder(id, place) {
			return true
		}
	}
	return false
}
