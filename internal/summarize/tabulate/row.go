package tabulate

import (
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// rowWriter writes the rows of one table.
type rowWriter struct {
	*layout
	detail
	columns []int // that have cells, in order
	mark    []byte
	hasMark bool // there is a mark of a missing cell
	marked  bool // it was used
	cut     int  // cells
}

// append appends the row of a record.
func (w *rowWriter) append(dst []byte, record int) []byte {
	r := w.records.At(record)
	if r.IsText {
		return appendTextCell(dst, r.Value, cellsOfLine*w.cell, &w.cut)
	}
	c := jsonx.Cursor{Source: r.Value}
	switch {
	case c.Kind() != jsonx.Object:
		return AppendCell(dst, c.Take(), cellsOfLine*w.cell, &w.cut)
	case w.asRecords || w.irregular[record]:
		dst, _ = w.appendObject(dst, &c, structure.RootNode)
		return dst
	}
	w.collect(&c, structure.RootNode, record)
	last, gaps, names := -1, 0, 0
	for i, id := range w.columns {
		if w.places[id].cellOf != record+1 {
			continue
		}
		gaps += i - last - 1
		last = i
		names += len(w.paths.Nodes[id].Name) + len(`"":`)
	}
	if gaps == 0 || w.hasMark && gaps*(len(w.mark)+1) <= names {
		return w.appendCells(dst, last, record)
	}
	before, cut := len(dst), w.cut
	again := jsonx.Cursor{Source: r.Value}
	dst, _ = w.appendObject(dst, &again, structure.RootNode)
	if !w.hasMark {
		return dst
	}
	asObject, cutOfObject := len(dst)-before, w.cut
	marked := w.marked
	w.cut = cut
	dst = w.appendCells(dst, last, record)
	if asCells := dst[before+asObject:]; len(asCells) <= asObject {
		return slices.Delete(dst, before, before+asObject)
	}
	w.cut, w.marked = cutOfObject, marked
	return dst[:before+asObject]
}

// appendCells appends the cells of a record up to its last one.
func (w *rowWriter) appendCells(dst []byte, last, record int) []byte {
	dst = append(dst, '[')
	for i, id := range w.columns[:last+1] {
		if i > 0 {
			dst = append(dst, ',')
		}
		if p := &w.places[id]; p.cellOf == record+1 {
			dst = AppendCell(dst, p.cell, w.cell, &w.cut)
		} else {
			dst = append(dst, w.mark...)
			w.marked = true
		}
	}
	return append(dst, ']')
}

// appendObject appends what is shown of the object at the cursor and not said once for all rows. wrote is false when
// that is nothing, though the object is not empty.
func (w *rowWriter) appendObject(dst []byte, c *jsonx.Cursor, parent int) (row []byte, wrote bool) {
	wrote = c.IsEmpty()
	c.Enter()
	dst = append(dst, '{')
	for {
		name, ok := c.Member()
		if !ok {
			return append(dst, '}'), wrote
		}
		before := len(dst)
		if dst[before-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), name...), `":`...)
		id := w.paths.Find(parent, w.canonical(name), false)
		isShown := true
		inner, isElement := structure.NoNode, false
		if id != structure.NoNode {
			inner, isElement = w.inner(c, id)
		}
		switch {
		case isElement && inner != structure.NoNode:
			dst, isShown = w.appendObject(append(dst, '['), c, inner)
			dst = append(dst, ']')
			c.Element()
		case inner != structure.NoNode:
			dst, isShown = w.appendObject(dst, c, inner)
		case id != structure.NoNode && w.shown[id] && (w.asRecords || !w.isConstant(id)):
			dst = AppendCell(dst, c.Take(), w.cell, &w.cut)
		case id == structure.NoNode && w.detail.columns == len(w.layout.columns):
			dst = AppendCell(dst, c.Take(), w.cell, &w.cut)
		default:
			c.Take()
			isShown = false
			if id == structure.NoNode {
				w.cut++
			}
		}
		if !isShown {
			dst = dst[:before]
		}
		wrote = wrote || isShown
	}
}

// appendColumns appends the names of the columns, and what is said once.
func (w *rowWriter) appendColumns(dst []byte) []byte {
	dst = append(dst, '[')
	for _, id := range w.columns {
		dst = append(append(append(dst, '"'), w.paths.Path(id)...), `",`...)
	}
	for _, id := range w.layout.columns {
		if !w.asRecords && w.shown[id] && w.isConstant(id) {
			dst = append(append(append(dst, `{"`...), w.paths.Path(id)...), `":`...)
			dst = append(AppendCell(dst, w.places[id].first, w.cell, &w.cut), `},`...)
		}
	}
	if w.array != nil {
		dst = append(append(append(dst, `{"@path":"`...), w.array...), `"},`...)
	}
	if w.around != nil {
		dst = append(dst, `{"@around":`...)
		dst = append(AppendCell(dst, w.around, cellsOfLine*w.cell, &w.cut), `},`...)
	}
	if w.marked {
		dst = append(append(append(dst, `{"@missing":`...), w.mark...), `},`...)
	}
	if last := len(dst) - 1; dst[last] == ',' {
		dst = dst[:last]
	}
	return append(dst, ']')
}
