package tabulate

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// layout is what is known of the records before they are written.
type layout struct {
	records      Records
	total        int
	paths        structure.PathTree
	places       []place   // by number in paths
	objects      int       // records that are objects
	irregular    []bool    // records that are not what their cells say
	columns      []int     // places, in the order they are shown
	byWorth      []int     // the same, those that tell most for what they cost first
	gains, worth []float64 // by place
	which        int       // the column that says which record it is; structure.NoNode if there is none
	cells        recordCells
	dashes       uint64 // a bit n for a cell that is n dashes
	array        []byte // the path of the array that all records are elements of; nil if they are not
	around       []byte // JSON: the fields around the records; nil if there are none
	longestCell  int
	asRecords    bool            // the rows are the records themselves
	hasArrays    bool            // among the records
	asLists      map[string]bool // paths of those that are cells, as in some records they have several objects
	shown        []bool

	sizeOfCells   int // of the rows when all is shown, in bytes
	sizeOfRecords int // of the rows when all is shown and they are the records themselves

	nameBuf []byte
	spare   Table // its bytes are for the next table
}

// place is a member of the records, a column if it has cells.
type place struct {
	seen    int    // the last record that had it, from 1
	present int    // records that have it as a cell
	length  int    // of all its cells
	first   []byte // its first cell
	varies  bool
	kinds   cellKinds
	cell    []byte // of the current record
	cellOf  int    // that record, from 1

	hasOne, hasSeveral bool // objects, in an array: in some record
}

// reset surveys the records: once more if there are arrays with one object in some and with several in others. Those
// are cells then, as a cell of the only object would be missing where there are others.
func (l *layout) reset(records Records, array, around []byte, total int) {
	l.asLists = nil
	l.surveyAll(records, array, around, total)
	for id := range l.places {
		if p := &l.places[id]; p.hasOne && p.hasSeveral {
			if l.asLists == nil {
				l.asLists = map[string]bool{}
			}
			l.asLists[string(l.paths.Path(id))] = true
		}
	}
	if l.asLists != nil {
		l.surveyAll(records, array, around, total)
	}
}

func (l *layout) surveyAll(records Records, array, around []byte, total int) {
	if l.paths.Slots == nil {
		l.paths = structure.NewPathTree(MaxColumns+MaxColumns/2, MaxColumns, MaxColumns)
		l.paths.MarksDots = true // a row is a record again
	}
	l.paths.Reset()
	clear(l.places)
	*l = layout{
		records:   records,
		total:     max(total, records.Len()),
		array:     array,
		around:    around,
		paths:     l.paths,
		places:    append(l.places[:0], place{}),
		irregular: Emptied(l.irregular, records.Len()),
		columns:   l.columns[:0],
		byWorth:   l.byWorth,
		gains:     l.gains,
		worth:     l.worth,
		shown:     l.shown,
		nameBuf:   l.nameBuf,
		asLists:   l.asLists,
	}
	l.longestCell = len(around)
	for i, r := range each(records) {
		if r.Kind() == jsonx.Object {
			c := jsonx.Cursor{Source: r.Value}
			c.SkipSpace()
			l.objects++
			l.survey(&c, structure.RootNode, i)
			continue
		}
		l.longestCell = max(l.longestCell, len(r.Value))
	}
	for len(l.places) < len(l.paths.Nodes) {
		l.places = append(l.places, place{})
	}
	for id := range l.places {
		if l.places[id].present > 0 {
			l.columns = append(l.columns, id)
		}
	}
	slices.SortStableFunc(l.columns, func(a, b int) int {
		return cmp.Compare(l.places[b].present, l.places[a].present)
	})
	l.rank()
	l.shown = Emptied(l.shown, len(l.places))
}

// Emptied returns n zeros, where b was if there is room.
func Emptied[T any](b []T, n int) []T {
	b = slices.Grow(b[:0], n)[:n]
	clear(b)
	return b
}

// survey notes the places of the object at the cursor.
func (l *layout) survey(c *jsonx.Cursor, parent, record int) {
	c.Enter()
	for {
		name, ok := c.Member()
		if !ok {
			return
		}
		id := l.paths.Member(parent, l.canonical(name))
		if id == structure.NoNode {
			l.irregular[record] = true
			l.longestCell = max(l.longestCell, len(c.Take()))
			continue
		}
		for len(l.places) <= id {
			l.places = append(l.places, place{})
		}
		p := &l.places[id]
		if p.seen == record+1 {
			l.irregular[record] = true // a name twice in one object
		}
		p.seen = record + 1
		if inner, isElement := l.inner(c, id); inner != structure.NoNode {
			l.survey(c, inner, record)
			if isElement {
				c.Element()
			}
			continue
		}
		cell := c.Take()
		if p.cellOf != record+1 {
			p.present++
			p.kinds.add(cell, record, &l.cells)
		}
		p.cellOf = record + 1
		l.noteDashes(cell)
		p.length += len(cell)
		l.longestCell = max(l.longestCell, len(cell))
		if p.first == nil {
			p.first = cell
		}
		p.varies = p.varies || !bytes.Equal(p.first, cell)
	}
}

// inner returns the place whose members are columns, when the value at the cursor is an object or an array of a single
// one. In an array it steps to that. It returns structure.NoNode for a value that is a cell.
func (l *layout) inner(c *jsonx.Cursor, id int) (place int, isElement bool) {
	if l.paths.Nodes[id].Depth >= structure.MaxDepth {
		return structure.NoNode, false
	}
	switch c.Kind() {
	case jsonx.Object:
		if !c.IsEmpty() {
			return id, false
		}
	case jsonx.Array:
		element := jsonx.Cursor{Source: c.Source, At: c.At + 1}
		if !element.Element() || element.Kind() != jsonx.Object || element.IsEmpty() || l.asLists != nil &&
			l.asLists[string(l.paths.Path(id))] {
			return structure.NoNode, false
		}
		first := element.At
		if element.Take(); element.Element() {
			l.places[id].hasSeveral = true
			return structure.NoNode, false
		}
		l.places[id].hasOne = true
		if place = l.paths.Element(id); place != structure.NoNode {
			c.At = first
		}
		return place, true
	}
	return structure.NoNode, false
}

func (l *layout) canonical(name []byte) []byte {
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	l.nameBuf = jsonx.AppendCanonical(l.nameBuf[:0], name)
	return l.nameBuf
}

// isConstant says whether a column is said once instead of in each row.
func (l *layout) isConstant(id int) bool {
	return !l.places[id].varies && l.places[id].present == l.objects && l.objects > 1
}

// noteDashes notes a cell that is a string of dashes: the mark of a missing cell must be another one.
func (l *layout) noteDashes(cell []byte) {
	if cell[0] != '"' || len(cell) > 6*64 || len(cell) > 2 && cell[1] != '-' && cell[1] != '\\' {
		return
	}
	if text := l.canonical(jsonx.Inside(cell)); len(text) < 64 && len(bytes.Trim(text, "-")) == 0 {
		l.dashes |= 1 << len(text)
	}
}

// missing appends the mark of a missing cell: the first of "-", "--" and so on that is no cell. ok is false if there is
// none.
func (l *layout) missing(dst []byte) (mark []byte, ok bool) {
	n := bits.TrailingZeros64(^(l.dashes | 1))
	dst = append(append(dst, '"'), bytes.Repeat([]byte{'-'}, n)...)
	return append(dst, '"'), n < 64
}

func (l *layout) all() detail {
	return detail{cell: wholeCell, columns: len(l.columns), rows: l.records.Len()}
}

// chooseRows decides between cells and the records themselves: what is shorter.
// A record that is an array could be taken for a row of cells.
func (l *layout) chooseRows() {
	for _, r := range each(l.records) {
		if r.Kind() == jsonx.Array {
			l.asRecords, l.hasArrays, l.sizeOfRecords = true, true, sizeOf(l.records)
			return
		}
	}
	length := func(size *int) int {
		l.spare, *size = l.write(l.all(), true)
		return len(l.spare.Columns) + *size
	}
	cells := length(&l.sizeOfCells)
	l.asRecords = true
	l.asRecords = length(&l.sizeOfRecords) <= cells
}

// table writes the table with so much detail.
func (l *layout) table(d detail) Table {
	t, _ := l.write(d, false)
	return t
}

// write writes the table with so much detail, and returns how many bytes its rows are. If measures, that is all it
// wants to know of them: one takes the place of the other.
func (l *layout) write(d detail, measures bool) (t Table, size int) {
	rows := min(d.rows, l.records.Len())
	t = Table{Columns: l.spare.Columns[:0], Rows: l.spare.Rows[:0], Omitted: Omitted{
		Rows:    l.total - rows,
		Columns: len(l.columns) - d.columns,
	}}
	if t.Omitted.Rows > 0 && l.records.Len() > 1 {
		t.Omitted.After = max(1, rows-1)
	}
	if !measures {
		t.Rows = slices.Grow(t.Rows, l.mostOfRows(d))
	}
	l.spare = Table{}
	clear(l.shown)
	for _, id := range l.byWorth[:d.columns] {
		l.shown[id] = true
	}
	w := rowWriter{layout: l, detail: d, columns: l.cellColumns()}
	w.mark, w.hasMark = l.missing(nil)
	t.Rows = append(t.Rows, '[')
	for i := range l.records.Len() {
		if d.rows < l.records.Len() && i >= max(1, d.rows-1) && (d.rows == 1 || i < l.records.Len()-1) {
			continue // the last one is kept
		}
		if size+len(t.Rows) > 1 {
			t.Rows = append(t.Rows, ',')
		}
		if measures {
			size += len(t.Rows)
			t.Rows = t.Rows[:0]
		}
		t.Rows = w.append(t.Rows, i)
	}
	t.Rows = append(t.Rows, ']')
	size += len(t.Rows)
	t.Columns = w.appendColumns(t.Columns)
	t.Omitted.Cells = w.cut
	return t, size
}

// mostOfRows is about how many bytes the rows of a table are at most.
func (l *layout) mostOfRows(d detail) int {
	most := l.sizeOfCells
	if l.asRecords {
		most = l.sizeOfRecords
	}
	if d.cell < wholeCell {
		most = min(most, l.records.Len()*(cellsOfLine*d.cell+8)+2)
	}
	return most
}

// cellColumns returns the columns that have cells in the rows.
func (l *layout) cellColumns() []int {
	if l.asRecords {
		return nil
	}
	var columns []int
	for _, id := range l.columns {
		if l.shown[id] && !l.isConstant(id) {
			columns = append(columns, id)
		}
	}
	return columns
}

// collect notes the cells of the record at the cursor.
func (l *layout) collect(c *jsonx.Cursor, parent, record int) {
	c.Enter()
	for {
		name, ok := c.Member()
		if !ok {
			return
		}
		id := l.paths.Member(parent, l.canonical(name))
		if inner, isElement := l.inner(c, id); inner != structure.NoNode {
			l.collect(c, inner, record)
			if isElement {
				c.Element()
			}
			continue
		}
		l.places[id].cell, l.places[id].cellOf = c.Take(), record+1
	}
}
