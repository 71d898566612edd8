package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// Cells may be boxes: objects with one member each, as BigQuery has them, [{"v":"1"},{"v":"x"}]. They make a row only
// where there are names of columns for it.

// addCells takes in the row at the cursor.
func (s *recordReader) addCells(c *jsonx.Cursor, place int) {
	n := &s.places.Paths.Nodes[place]
	if of := &s.places.Paths.Nodes[n.Columns.Array]; n.Columns.Names != nil && of.Source != n.Columns.Source {
		n.Columns.Names = nil // others have come, and of which rows they are is not known
	}
	names, box := n.Columns.Names, n.Box
	c.Enter()
	for i, before := 0, structure.RootNode; c.Element(); i++ {
		member := structure.NoNode
		switch {
		case i < len(names):
			member = s.places.Grown(s.places.Paths.MemberAfter(place, before, names[i]))
		case i < structure.MostCells:
			member = s.places.Grown(s.places.Paths.MemberAfter(place, before, structure.CellNames[i]))
		}
		if member == structure.NoNode {
			s.places.Further.Add(sketch.Mix(uint64(i)+1)^uint64(place)*sketch.PlaceFactor, &s.places.NameRoom)
			c.Take()
			continue
		}
		before = member
		end, in := structure.IntoBox(c, box)
		if i < len(names) {
			s.places.FoundCell(member, i, in)
		}
		if s.addValue(c, member); in != nil {
			c.At = end
		}
	}
}
