package summarize

import "strconv"

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
func (s *Summary) isRow(c *cursor, place int) bool {
	n := &s.paths.nodes[place]
	if n.cells == notKnown {
		n.cells = ofList
		if isRow(*c, string(n.name) == elementName) {
			n.cells = ofRow
		}
	}
	return n.cells == ofRow
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

// addCells takes in the row at the cursor.
func (s *Summary) addCells(c *cursor, place int) {
	c.enter()
	for i, before := 0, rootNode; c.element(); i++ {
		member := noNode
		if i < mostCells {
			member = s.grown(s.paths.memberAfter(place, before, cellNames[i]))
		}
		if member == noNode {
			s.further.add(mixed(uint64(i)+1)^uint64(place)*placeFactor, &s.nameRoom)
			c.take()
			continue
		}
		before = member
		s.addValue(c, member)
	}
}
