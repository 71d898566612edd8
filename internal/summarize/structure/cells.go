package structure

import (
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// An array may be a row: what its elements are is shown by where they stand. [1700000000,"17.2"] has a time and a
// value, and so has every one of its kind.
const (
	LeastCells = 2  // of a row
	MostCells  = 32 // of a row: a longer array is a list
)

// cellsOf says whether the arrays at a place are rows.
type cellsOf uint8

// What arrays are: the first one at a place tells it for all.
const (
	NotKnown cellsOf = iota // no array has come
	OfRow                   // rows, each cell of which has a place
	OfList                  // lists, all elements of which have one place
)

// CellNames are the names of the places of cells: gjson's, of the elements of an array.
var CellNames = func() (names [MostCells][]byte) {
	for i := range names {
		names[i] = strconv.AppendInt(nil, int64(i), 10)
	}
	return names
}()

// IsRow says whether the array at the cursor looks like a row: a few scalars, of more than one kind, or as many as
// the next array has if it is an element of one.
func IsRow(c jsonx.Cursor, isElement bool) bool {
	isElement = isElement || c.At == 0
	cells, isMixed := scalarsOf(&c)
	switch {
	case cells < LeastCells:
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

// scalarsOf returns how many elements the array at the cursor has, and whether they are of more than one kind, and
// steps past it; 0 if they are not all scalars, or too many for a row.
func scalarsOf(c *jsonx.Cursor) (n int, isMixed bool) {
	if c.Kind() != jsonx.Array {
		return 0, false
	}
	kinds := 0
	before := jsonx.Null
	for c.Enter(); c.Element(); n++ {
		k := c.Kind()
		if k >= jsonx.Array || n == MostCells {
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
