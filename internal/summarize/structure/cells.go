package structure

import (
	"bytes"
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
	cells, isMixed := ScalarsOf(&c)
	switch {
	case cells < LeastCells:
		return false
	case isMixed || !isElement:
		return isMixed
	}
	if !c.Element() { // it is the last one, or all of a record
		return true
	}
	next, _ := ScalarsOf(&c)
	return next == cells
}

// ScalarsOf returns how many elements the array at the cursor has, and whether they are of more than one kind, and
// steps past it; 0 if they are not all scalars, or too many for a row.
func ScalarsOf(c *jsonx.Cursor) (n int, isMixed bool) {
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

// BoxesOf returns how many elements the array at the cursor has, and the name of the one member that they all have, a
// scalar; 0 if they are others, or too many for a row.
func BoxesOf(c jsonx.Cursor) (n int, name []byte) {
	if c.Kind() != jsonx.Array {
		return 0, nil
	}
	for c.Enter(); c.Element(); n++ {
		member, value, ok := unboxed(&c)
		if !ok || value.Kind() >= jsonx.Array || n > 0 && !bytes.Equal(member, name) || n == MostCells {
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

// ColumnNames are what a response calls the columns of rows, once and not in them:
// {"columns":["at","host"],"data":[[17,"a"]]}.
type ColumnNames struct {
	Names  [][]byte // in the order of the columns, each the inside of a JSON string; nil if there are none
	Array  int      // the place of the array that has them,
	Source uint64   // and a hash of that
}

// AreColumnNames says whether an array is called as those are that have the names of columns.
func AreColumnNames(name []byte) bool {
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

// IntoBox steps to what is in the object at the cursor, if that is a box with a member of that name, and returns
// where it ends and the name; nil if it is none.
func IntoBox(c *jsonx.Cursor, box []byte) (end int, in []byte) {
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
