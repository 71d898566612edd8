package summarize

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/value"
)

// An array may be a row: what its elements are is told by where they stand. [1700000000,"17.2"] has a time and a value, and so
// has every one of its kind.
const (
	leastCells = 2
	mostCells  = 32
)

// cellsOf says whether the arrays at a place are rows.
type cellsOf uint8

const (
	notKnown cellsOf = iota
	ofRow
	ofList
)

// cellNames are the names of the places of cells: gjson's, of the elements of an array.
var cellNames = func() (names [mostCells][]byte) {
	for i := range names {
		names[i] = strconv.AppendInt(nil, int64(i), 10)
	}
	return names
}()

// isRow says whether the array at the cursor is a row. The first one at a place tells for all.
func (s *Summary) isRow(c *jsonx.Cursor, place int) bool {
	n := &s.paths.nodes[place]
	if n.cells == notKnown {
		n.cells = ofList
		if isRow(*c, string(n.name) == elementName) {
			n.cells = ofRow
			cells, _ := scalarsOf(new(*c))
			n.headings = s.headingsFor(cells, place)
		} else if boxes, name := boxesOf(*c); boxes > 0 {
			if n.headings = s.headingsFor(boxes, place); n.headings.names != nil {
				n.cells, n.box = ofRow, bytes.Clone(name)
			}
		}
	}
	return n.cells == ofRow
}

// isRow says whether the array at the cursor looks like a row: a few scalars, of more than one kind, or as many as the next
// array has if it is an element of one.
func isRow(c jsonx.Cursor, isElement bool) bool {
	isElement = isElement || c.At == 0
	cells, isMixed := scalarsOf(&c)
	switch {
	case cells < leastCells:
		return false
	case isMixed || !isElement:
		return isMixed
	}
	if !c.Element() { // it is the last one, or all of a record
		return true
	}
	next, _ := scalarsOf(&c)
	return next == cells
}

// scalarsOf returns how many elements the array at the cursor has, and whether they are of more than one kind, and steps
// past it; 0 if they are not all scalars, or too many for a row.
func scalarsOf(c *jsonx.Cursor) (n int, isMixed bool) {
	if c.Kind() != jsonx.Array {
		return 0, false
	}
	kinds := 0
	before := jsonx.Null
	for c.Enter(); c.Element(); n++ {
		k := c.Kind()
		if k >= jsonx.Array || n == mostCells {
			return 0, false
		}
		if k != jsonx.Null && k != before {
			kinds++
			before = k
		}
		c.Take()
	}
	return n, kinds > 1
}

// Cells may be boxes: objects with one member each, as BigQuery has them, [{"v":"1"},{"v":"x"}]. They make a row only where there are
// headings for it.

// boxesOf returns how many elements the array at the cursor has, and the name of the one member that they all have, a scalar; 0 if
// they are others, or too many for a row.
func boxesOf(c jsonx.Cursor) (n int, name []byte) {
	if c.Kind() != jsonx.Array {
		return 0, nil
	}
	for c.Enter(); c.Element(); n++ {
		member, value, ok := unboxed(&c)
		if !ok || value.Kind() >= jsonx.Array || n > 0 && !bytes.Equal(member, name) || n == mostCells {
			return 0, nil
		}
		name = member
	}
	return n, name
}

// unboxed returns the member of the object at the cursor, and steps past that, if it is one with one member.
func unboxed(c *jsonx.Cursor) (name []byte, value jsonx.Cursor, ok bool) {
	if c.Kind() != jsonx.Object {
		return nil, value, false
	}
	in := *c
	in.Enter()
	if name, ok = in.Member(); !ok {
		return nil, value, false
	}
	value = in
	in.Take()
	if _, ok = in.Member(); ok {
		return nil, value, false
	}
	*c = in
	return name, value, true
}

// headings are what a response calls the columns of rows, once and not in them: {"columns":["at","host"],"data":[[17,"a"]]}.
type headings struct {
	names  [][]byte // in the order of the columns, each the inside of a JSON string; nil if there are none
	array  int      // the place of the array that has them,
	source uint64   // and a hash of that
}

// headingsFor returns the headings of rows at a place that have so many cells: as many different strings in an array beside the rows
// that is called fields, columns or the like, or as the names of the objects in one anywhere before them.
func (s *Summary) headingsFor(cells, place int) (found headings) {
	nodes := s.paths.nodes
	for in := nodes[place].parent; in != rootNode; in = nodes[in].parent {
		if nodes[in].headings.names != nil {
			return found // what is in the cells of a row has no headings of its own
		}
	}
	beside := nodes[place].parent
	if string(nodes[place].name) == elementName {
		beside = nodes[beside].parent
	}
	isFoundBeside := false
	for id := range s.fields {
		n := &nodes[id]
		var names [][]byte
		array := id
		switch {
		case cells < leastCells, id == place:
		case n.cells == ofRow:
			names = s.stringsOfRow(id, cells)
		case string(n.name) == elementName:
			array = n.parent
			names = s.fields[id].strings(cells)
		case bytes.EqualFold(n.name, []byte("name")) && string(nodes[n.parent].name) == elementName:
			array = nodes[n.parent].parent
			names = s.fields[id].strings(cells)
		}
		isBeside := nodes[array].parent == beside
		isNamed := array != id && array != n.parent
		switch {
		case names == nil || !nodes[array].areHeadings || !isBeside && !isNamed:
		case found.names == nil || isBeside && !isFoundBeside:
			found, isFoundBeside = headings{names, array, nodes[array].source}, isBeside
		case isBeside == isFoundBeside:
			return headings{} // which of them is not known
		}
	}
	return found
}

// AreHeadings says whether an array is called as those are that have the headings of rows.
func AreHeadings(name []byte) bool {
	name = bytes.ToLower(name)
	for _, part := range []string{"column", "field", "header", "heading"} {
		if bytes.Contains(name, []byte(part)) {
			return true
		}
	}
	switch string(name) {
	case "cols", "colnames", "names", "schema", "meta", "rowtype":
		return true
	}
	return false
}

// strings returns the values of a field if they are so many strings, all different and known in full, and none a number.
func (f *field) strings(n int) (values [][]byte) {
	if f.values != n || f.types[jsonx.String] != n || len(f.counts.entries) != n {
		return nil
	}
	for _, e := range f.counts.entries {
		name := jsonx.Inside(e.text)
		if _, isNumber := value.ParseDigits(name); e.cut || isNumber || len(name) == 0 {
			return nil
		}
		values = append(values, bytes.Clone(name))
	}
	return values
}

// stringsOfRow does the same for the cells of a row that came once.
func (s *Summary) stringsOfRow(row, n int) (values [][]byte) {
	if s.fields[row].values != 1 || s.paths.nodes[row].members != n {
		return nil
	}
	for i := range n {
		place := s.paths.find(row, cellNames[i], false)
		if place == noNode {
			return nil // it has headings itself
		}
		cell := s.fields[place].strings(1)
		if cell == nil || slices.ContainsFunc(values, func(v []byte) bool { return bytes.Equal(v, cell[0]) }) {
			return nil
		}
		values = append(values, cell[0])
	}
	return values
}

// addCells takes in the row at the cursor.
func (s *Summary) addCells(c *jsonx.Cursor, place int) {
	n := &s.paths.nodes[place]
	if of := &s.paths.nodes[n.headings.array]; n.headings.names != nil && of.source != n.headings.source {
		n.headings.names = nil // others have come, and of which rows they are is not known
	}
	names, box := n.headings.names, n.box
	c.Enter()
	for i, before := 0, rootNode; c.Element(); i++ {
		member := noNode
		switch {
		case i < len(names):
			member = s.grown(s.paths.memberAfter(place, before, names[i]))
		case i < mostCells:
			member = s.grown(s.paths.memberAfter(place, before, cellNames[i]))
		}
		if member == noNode {
			s.further.Add(sketch.Mix(uint64(i)+1)^uint64(place)*sketch.PlaceFactor, &s.nameRoom)
			c.Take()
			continue
		}
		before = member
		end, in := intoBox(c, box)
		if i < len(names) {
			s.foundCell(member, i, in)
		}
		if s.addValue(c, member); in != nil {
			c.At = end
		}
	}
}

// intoBox steps to what is in the object at the cursor, if that is a box with a member of that name, and returns where it ends and
// the name; nil if it is none.
func intoBox(c *jsonx.Cursor, box []byte) (end int, in []byte) {
	if box == nil {
		return 0, nil
	}
	after := *c
	name, value, ok := unboxed(&after)
	if !ok || !bytes.Equal(name, box) {
		return 0, nil
	}
	c.At = value.At
	return after.At, name
}

// foundCell remembers where in their row the cells of a column are that is called by a heading, in a member of that name if they are
// boxes.
func (s *Summary) foundCell(place, column int, box []byte) {
	n := &s.paths.nodes[place]
	if n.cell != nil {
		return
	}
	if n.cell = cellNames[column]; box != nil {
		n.cell = appendPathName(append(bytes.Clone(n.cell), '.'), box, true)
	}
}
