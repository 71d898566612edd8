package summarize

import (
	"bytes"
	"slices"
	"strconv"
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
	ofBoxes // the cells of a row are objects with one member each, as BigQuery has them: [{"v":"1"},{"v":"x"}]
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
func (s *Summary) isRow(c *cursor, place int) bool {
	n := &s.paths.nodes[place]
	if n.cells == notKnown {
		n.cells = ofList
		if isRow(*c, string(n.name) == elementName) {
			n.cells = ofRow
			cells, _ := scalarsOf(new(*c))
			n.headings = s.headingsFor(cells, place)
		} else if n.headings = s.headingsFor(boxesOf(*c), place); n.headings != nil {
			n.cells = ofBoxes
		}
	}
	return n.cells != ofList
}

// isRow says whether the array at the cursor looks like a row: a few scalars, of more than one kind, or as many as the next
// array has if it is an element of one.
func isRow(c cursor, isElement bool) bool {
	isElement = isElement || c.at == 0
	cells, isMixed := scalarsOf(&c)
	switch {
	case cells < leastCells:
		return false
	case isMixed || !isElement:
		return isMixed
	}
	if !c.element() { // it is the last one, or all of a record
		return true
	}
	next, _ := scalarsOf(&c)
	return next == cells
}

// scalarsOf returns how many elements the array at the cursor has, and whether they are of more than one kind, and steps
// past it; 0 if they are not all scalars, or too many for a row.
func scalarsOf(c *cursor) (n int, isMixed bool) {
	if c.kind() != kindArray {
		return 0, false
	}
	kinds := 0
	before := kindNull
	for c.enter(); c.element(); n++ {
		k := c.kind()
		if k >= kindArray || n == mostCells {
			return 0, false
		}
		if k != kindNull && k != before {
			kinds++
			before = k
		}
		c.take()
	}
	return n, kinds > 1
}

// boxesOf returns how many elements the array at the cursor has, 0 if they are not all objects with one member, or too many for a
// row.
func boxesOf(c cursor) (n int) {
	if c.kind() != kindArray {
		return 0
	}
	for c.enter(); c.element(); n++ {
		if c.kind() != kindObject || c.isEmpty() || n == mostCells {
			return 0
		}
		members := 0
		for c.enter(); ; members++ {
			if _, ok := c.member(); !ok {
				break
			}
			c.take()
		}
		if members > 1 {
			return 0
		}
	}
	return n
}

// headingsFor returns the names of the columns of rows at a place that have so many cells, in their order and each the inside of a
// JSON string; nil if they have none. A response has them once, and not in its rows: {"columns":["at","host"],"data":[[17,"a"]]}.
// They are an array of as many different strings beside the rows, or of objects that have them as their name.
func (s *Summary) headingsFor(cells, place int) [][]byte {
	nodes := s.paths.nodes
	beside := nodes[place].parent
	if string(nodes[place].name) == elementName {
		beside = nodes[beside].parent
	}
	for id := range s.fields {
		n := &nodes[id]
		var names [][]byte
		switch {
		case cells < leastCells, id == place:
		case n.cells == ofRow && n.parent == beside:
			names = s.stringsOfRow(id, cells)
		case string(n.name) == elementName && nodes[n.parent].parent == beside,
			bytes.EqualFold(n.name, []byte("name")) && string(nodes[n.parent].name) == elementName:
			names = s.fields[id].strings(cells)
		}
		if names != nil {
			return names
		}
	}
	return nil
}

// strings returns the values of a field if they are so many strings, all different and known in full.
func (f *field) strings(n int) (values [][]byte) {
	if f.counted != n || f.values != n || f.types[kindString] != n || len(f.counts.entries) != n {
		return nil
	}
	for _, e := range f.counts.entries {
		if e.cut || len(e.text) == len(`""`) {
			return nil
		}
		values = append(values, bytes.Clone(inside(e.text)))
	}
	return values
}

// stringsOfRow does the same for the cells of a row that came once.
func (s *Summary) stringsOfRow(row, n int) (values [][]byte) {
	if s.fields[row].values != 1 || s.paths.nodes[row].members != n {
		return nil
	}
	for i := range n {
		cell := s.fields[s.paths.find(row, cellNames[i], false)].strings(1)
		if cell == nil || slices.ContainsFunc(values, func(v []byte) bool { return bytes.Equal(v, cell[0]) }) {
			return nil
		}
		values = append(values, cell[0])
	}
	return values
}

// addCells takes in the row at the cursor.
func (s *Summary) addCells(c *cursor, place int) {
	c.enter()
	for i, before := 0, rootNode; c.element(); i++ {
		member := noNode
		if i < mostCells {
			member = s.grown(s.paths.memberAfter(place, before, s.headingOf(i, place)))
		}
		if member == noNode {
			s.further.add(mixed(uint64(i)+1)^uint64(place)*placeFactor, &s.nameRoom)
			c.take()
			continue
		}
		before = member
		if s.paths.nodes[place].cells == ofBoxes && c.kind() == kindObject {
			s.addBox(c, member, i)
			continue
		}
		s.foundCell(member, i, nil)
		s.addValue(c, member)
	}
}

// headingOf is the name of a column: its number if the rows at a place have no headings.
func (s *Summary) headingOf(column, place int) []byte {
	if headings := s.paths.nodes[place].headings; column < len(headings) {
		return headings[column]
	}
	return cellNames[column]
}

// foundCell remembers where in their row the cells of a column are, in a member of that name if they are boxes, where it is not
// called by its number.
func (s *Summary) foundCell(place, column int, box []byte) {
	n := &s.paths.nodes[place]
	if n.cell != nil || s.paths.nodes[n.parent].headings == nil {
		return
	}
	if n.cell = cellNames[column]; box != nil {
		n.cell = appendPathName(append(bytes.Clone(n.cell), '.'), box)
	}
}

// addBox takes in the first member of the object at the cursor, a cell of that column.
func (s *Summary) addBox(c *cursor, place, column int) {
	c.enter()
	for isFirst := true; ; isFirst = false {
		name, ok := c.member()
		switch {
		case !ok:
			return
		case !isFirst:
			c.take()
		default:
			s.foundCell(place, column, name)
			s.addValue(c, place)
		}
	}
}
