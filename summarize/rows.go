package summarize

import (
	"bytes"
	"slices"
	"strconv"
)

// A response is often one document with its records in an array, or in an object by name. When such a value is one
// chunk, its elements are the records; what is around them is one more.
const (
	leastSplit    = 4 << 10 // bytes of a value that is looked into
	leastElements = 5       // objects or rows in an array of records
	leastMembers  = 12      // and in a map of them
	leastOfMap    = 64      // scalars in a map of these, and nothing else
)

// container is where the records of a large value are.
type container struct {
	from, to int // 0, 0 when there is none
	isMap    bool
	name     []byte // of the member that it is; nil for an element
	around   span   // the outermost member of that name which it is in, one in the other as those of a tree,
	depth    int    // and how deep that is
}

// containerOf finds the array or map of objects, or of rows, that is most of a value.
func containerOf(value []byte) (found container) {
	if len(value) < leastSplit {
		return found
	}
	c := cursor{src: value}
	found.search(&c, nil, 0)
	if 2*(found.to-found.from) < len(value) {
		return container{}
	}
	return found
}

// treeOf is containerOf, but for the nodes of a tree: of these it is the container of the outermost ones.
func treeOf(value []byte) container {
	found := containerOf(value)
	if found.to > 0 {
		found.from, found.to = found.around.from, found.around.to
	}
	return found
}

// HoldsRecords says whether a JSON value is a document that is mostly an array or a map of records, which are its rows then.
func HoldsRecords(value []byte) bool { return containerOf(value).to > 0 }

// RecordsAt returns where the records of a document are, as the facts of it alone say, a gjson path
// that ends with [], .* or, for those of a tree, [**] or .**; empty if it is a record itself.
func RecordsAt(document []byte) (path []byte) {
	if opened, ok := appendOpened(nil, document); ok {
		document = opened
	}
	in := treeOf(document)
	if in.to == 0 {
		return nil
	}
	c := cursor{src: document}
	for c.skipSpace(); c.at < in.from; c.skipSpace() {
		isObject := c.kind() == kindObject
		c.enter()
		for i := 0; ; i++ {
			name, ok := c.entry(isObject)
			if !ok {
				return nil
			}
			after := c
			if after.take(); after.at <= in.from {
				c = after
				continue
			}
			if !isObject {
				name = strconv.AppendInt(nil, int64(i), 10)
			}
			path = joinPath(path, appendCanonical(nil, name))
			break
		}
	}
	var text cursor
	text.src = slices.Concat([]byte{'"'}, path, []byte{'"'})
	path = appendUnescaped(nil, inside(text.take()))
	isTree := in.depth > 0 && containerOf(document).from != in.from
	switch {
	case isTree && in.isMap:
		return append(path, ".**"...)
	case isTree:
		return append(path, "[**]"...)
	case in.isMap && len(path) > 0:
		return append(path, ".*"...)
	case in.isMap:
		return append(path, '*')
	}
	return append(path, "[]"...)
}

func (f *container) search(c *cursor, name []byte, depth int) {
	k := c.kind()
	if k < kindArray || depth >= maxDepth {
		c.take()
		return
	}
	from, values, records, scalars := c.at, 0, 0, 0
	c.enter()
	for {
		inner, ok := c.entry(k == kindObject)
		if !ok {
			break
		}
		values++
		switch c.kind() {
		case kindObject:
			records++
		case kindArray:
			if row := *c; isRow(row, k == kindArray) {
				records++
			}
		default:
			scalars++
		}
		f.search(c, inner, depth+1)
	}
	isRecords := records >= leastElements && 2*records > values
	if k == kindObject {
		isRecords = records >= leastMembers && 10*records >= 8*values || scalars >= leastOfMap && scalars == values
	}
	switch {
	case isRecords && c.at-from > f.to-f.from:
		*f = container{from, c.at, k == kindObject, name, span{from, c.at}, depth}
	case f.around.from > from && depth == f.depth-2 && records == values && name != nil && bytes.Equal(f.name, name) && f.isMap == (k == kindObject):
		f.around, f.depth = span{from, c.at}, depth
	}
}

// named keeps the name of a record that is the member of a map.
func (r *row) named(name []byte) {
	from := len(r.bytes)
	r.bytes = append(append(append(r.bytes, '"'), cutInside(name, maxCellLen)...), '"')
	r.key = span{from, len(r.bytes)}
}
