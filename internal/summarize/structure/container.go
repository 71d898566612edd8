package structure

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
)

// A response is often one document with its records in an array, or in an object by name. When such a value is one
// chunk, its elements are the records; what is around them is one more.
const (
	LeastSplit    = 4 << 10 // bytes of a value that is looked into
	leastElements = 5       // objects or rows in an array of records
	leastMembers  = 12      // and in a map of them
	leastOfMap    = 64      // scalars in a map of these, and nothing else
)

// Container is where the records of a large value are.
type Container struct {
	From, To int // 0, 0 when there is none
	IsMap    bool
	name     []byte     // of the member that it is; nil for an element
	around   ascii.Span // the outermost member of that name which it is in, one in the other as those of a tree,
	depth    int        // and how deep that is
}

// ContainerOf finds the array or map of objects, or of rows, that is most of a value.
func ContainerOf(value []byte) (found Container) {
	if len(value) < LeastSplit {
		return found
	}
	c := jsonx.Cursor{Source: value}
	found.search(&c, nil, 0)
	if 2*(found.To-found.From) < len(value) {
		return Container{}
	}
	return found
}

// TreeOf is ContainerOf, except that for the nodes of a tree it is the container of the outermost ones.
func TreeOf(value []byte) Container {
	found := ContainerOf(value)
	if found.To > 0 {
		found.From, found.To = found.around.From, found.around.To
	}
	return found
}

// RecordsAt returns where the records of a document are, as the facts of it alone say, a gjson path
// that ends with [], .* or, for those of a tree, [**] or .**; empty if it is a record itself.
func RecordsAt(document []byte) (path []byte) {
	if opened, ok := AppendOpened(nil, document); ok {
		document = opened
	}
	in := TreeOf(document)
	if in.To == 0 {
		return nil
	}
	c := jsonx.Cursor{Source: document}
	for c.SkipSpace(); c.At < in.From; c.SkipSpace() {
		isObject := c.Kind() == jsonx.Object
		c.Enter()
		for i := 0; ; i++ {
			name, ok := c.Entry(isObject)
			if !ok {
				return nil
			}
			after := c
			if after.Take(); after.At <= in.From {
				c = after
				continue
			}
			if !isObject {
				name = strconv.AppendInt(nil, int64(i), 10)
			}
			path = JoinPath(path, jsonx.AppendCanonical(nil, name))
			break
		}
	}
	var text jsonx.Cursor
	text.Source = slices.Concat([]byte{'"'}, path, []byte{'"'})
	path = jsonx.AppendUnescapedKnown(nil, jsonx.Inside(text.Take()))
	isTree := in.depth > 0 && ContainerOf(document).From != in.From
	switch {
	case isTree && in.IsMap:
		return append(path, ".**"...)
	case isTree:
		return append(path, "[**]"...)
	case in.IsMap && len(path) > 0:
		return append(path, ".*"...)
	case in.IsMap:
		return append(path, '*')
	}
	return append(path, "[]"...)
}

func (f *Container) search(c *jsonx.Cursor, name []byte, depth int) {
	k := c.Kind()
	if k < jsonx.Array || depth >= MaxDepth {
		c.Take()
		return
	}
	from, values, records, scalars := c.At, 0, 0, 0
	c.Enter()
	for {
		inner, ok := c.Entry(k == jsonx.Object)
		if !ok {
			break
		}
		values++
		switch c.Kind() {
		case jsonx.Object:
			records++
		case jsonx.Array:
			if row := *c; IsRow(row, k == jsonx.Array) {
				records++
			}
		default:
			scalars++
		}
		f.search(c, inner, depth+1)
	}
	isRecords := records >= leastElements && 2*records > values
	if k == jsonx.Object {
		isRecords = records >= leastMembers && 10*records >= 8*values || scalars >= leastOfMap && scalars == values
	}
	switch {
	case isRecords && c.At-from > f.To-f.From:
		*f = Container{from, c.At, k == jsonx.Object, name, ascii.Span{From: from, To: c.At}, depth}
	case f.around.From > from && depth == f.depth-2 && records == values && name != nil &&
		bytes.Equal(f.name, name) && f.IsMap == (k == jsonx.Object):
		f.around, f.depth = ascii.Span{From: from, To: c.At}, depth
	}
}
