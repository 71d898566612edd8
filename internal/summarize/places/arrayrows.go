package places

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// IsRow says whether the array at the cursor is a row. The first one at a place tells for all.
func (s *Places) IsRow(c *jsonx.Cursor, place int) bool {
	n := &s.Paths.Nodes[place]
	if n.Cells == structure.NotKnown {
		n.Cells = structure.OfList
		if structure.IsRow(*c, string(n.Name) == structure.ElementName) {
			n.Cells = structure.OfRow
			cells, _ := structure.ScalarsOf(new(*c))
			n.Columns = s.columnNamesFor(cells, place)
		} else if boxes, name := structure.BoxesOf(*c); boxes > 0 {
			if n.Columns = s.columnNamesFor(boxes, place); n.Columns.Names != nil {
				n.Cells, n.Box = structure.OfRow, bytes.Clone(name)
			}
		}
	}
	return n.Cells == structure.OfRow
}

// columnNamesFor returns the names of rows at a place that have so many cells: as many different strings in an array
// beside the rows that is called fields, columns or the like, or as the names of the objects in one anywhere before
// them.
func (s *Places) columnNamesFor(cells, place int) (found structure.ColumnNames) {
	nodes := s.Paths.Nodes
	for in := nodes[place].Parent; in != structure.RootNode; in = nodes[in].Parent {
		if nodes[in].Columns.Names != nil {
			return found // what is in the cells of a row has no names of columns of its own
		}
	}
	beside := nodes[place].Parent
	if string(nodes[place].Name) == structure.ElementName {
		beside = nodes[beside].Parent
	}
	isFoundBeside := false
	for id := range s.Fields {
		n := &nodes[id]
		var names [][]byte
		array := id
		switch {
		case cells < structure.LeastCells, id == place:
		case n.Cells == structure.OfRow:
			names = s.stringsOfRow(id, cells)
		case string(n.Name) == structure.ElementName:
			array = n.Parent
			names = s.Fields[id].Seen.Strings(cells)
		case bytes.EqualFold(n.Name, []byte("name")) && string(nodes[n.Parent].Name) == structure.ElementName:
			array = nodes[n.Parent].Parent
			names = s.Fields[id].Seen.Strings(cells)
		}
		isBeside := nodes[array].Parent == beside
		isNamed := array != id && array != n.Parent
		switch {
		case names == nil || !nodes[array].AreColumnNames || !isBeside && !isNamed:
		case found.Names == nil || isBeside && !isFoundBeside:
			found, isFoundBeside = structure.ColumnNames{Names: names, Array: array, Source: nodes[array].Source}, isBeside
		case isBeside == isFoundBeside:
			return structure.ColumnNames{} // which of them is not known
		}
	}
	return found
}

// stringsOfRow does the same for the cells of a row that came once.
func (s *Places) stringsOfRow(row, n int) (values [][]byte) {
	if s.Fields[row].Seen.Values != 1 || s.Paths.Nodes[row].Members != n {
		return nil
	}
	for i := range n {
		place := s.Paths.Find(row, structure.CellNames[i], false)
		if place == structure.NoNode {
			return nil // it has names of columns itself
		}
		cell := s.Fields[place].Seen.Strings(1)
		if cell == nil || slices.ContainsFunc(values, func(v []byte) bool { return bytes.Equal(v, cell[0]) }) {
			return nil
		}
		values = append(values, cell[0])
	}
	return values
}

// FoundCell remembers where in their row the cells of a column are that is called by the name of a column, in a member
// of that name if they are boxes.
func (s *Places) FoundCell(place, column int, box []byte) {
	n := &s.Paths.Nodes[place]
	if n.Cell != nil {
		return
	}
	if n.Cell = structure.CellNames[column]; box != nil {
		n.Cell = structure.AppendPathName(append(bytes.Clone(n.Cell), '.'), box, true)
	}
}
