package summarize

import (
	"bytes"
	"cmp"
	"slices"
)

const (
	maxColumns  = 256
	wholeCell   = 1 << 40 // no cap on the length of a cell
	cellsOfLine = 4       // a row that is one value or a line may be so many cells long
	longestCut  = 512     // the longest cell when not everything fits
	leftOutCell = `"` + ellipsis + `"`
)

// Table is records laid out as rows. Its bytes are lent until the Tabulator is
// used again.
type Table struct {
	// Columns is a JSON array: the name of each cell column, dotted for members
	// of nested objects (gjson syntax), and {"name":value} for a column that has
	// one value throughout, which has no cell in the rows. It is [] when the
	// rows are the records themselves.
	Columns []byte
	// Rows is a JSON array. A row is an array of cells in the order of columns,
	// without the missing ones at its end; an object, when cells are missing
	// before its end: the record, constant columns and all; or the record itself
	// when it is not an object, a JSON string for a line of text.
	Rows    []byte
	Omitted Omitted
}

// Omitted counts what a table leaves out.
type Omitted struct {
	Rows    int
	Columns int
	Cells   int // of the rows shown, that are cut (a string that ends in "…") or left out ("…")
}

// detail is how much of each record a table shows.
type detail struct {
	cell    int // bytes of a cell
	columns int // of those that tell most
	rows    int
}

// Tabulator lays records out as tables. What one table needed serves the next.
// Its zero value is ready.
type Tabulator struct {
	layout  layout
	free    []Table // their bytes are for tables to come
	lent    Table
	records []Record // shortened, or with their paths
	arena   []byte   // of records
}

// Tabulate lays records out as the table that says most and for which fits says
// yes. ok is false when not even one row fits. total is how many records there
// were; those past len(records) count as omitted rows. fits is called
// O(log n) times.
//
// A record that stood at a path has it as the column "@path", with "#" for the
// index when all stood in one array, and its value as "@value" when it is not an
// object.
//
// What does not fit loses long cells first, then columns, at most half of
// them, then rows: the first ones stay, and the last one.
//
// No table of more than most bytes is tried: fits would say no.
func (b *Tabulator) Tabulate(records []Record, total, most int, fits func(Table) bool) (t Table, ok bool) {
	if len(records) == 0 {
		return Table{}, false
	}
	size := sizeOf(records)
	b.arena = b.arena[:0]
	if size > most {
		records = b.shortened(records)
	}
	l := &b.layout
	l.reset(b.withPaths(records), total)
	l.spare = b.take()
	l.chooseRows()
	defer func() {
		if l.spare.Rows != nil {
			b.free = append(b.free, l.spare)
		}
		l.spare, b.lent = Table{}, t
	}()
	try := func(d detail) bool {
		made := l.table(d)
		if !fits(made) {
			l.spare = made
			return false
		}
		l.spare, t, ok = t, made, true
		if l.spare.Rows == nil {
			l.spare = b.take()
		}
		return true
	}
	all := l.all()
	if size <= most && try(all) {
		return t, ok
	}
	var steps []detail
	for cell := longestCut; cell >= 32; cell /= 2 {
		if cell < l.longestCell {
			steps = append(steps, detail{cell: cell, columns: all.columns, rows: all.rows})
		}
	}
	least := all
	if len(steps) > 0 {
		least = steps[len(steps)-1]
	}
	for columns := all.columns - 1; columns >= (all.columns+1)/2; columns-- {
		least.columns = columns
		steps = append(steps, least)
	}
	search(len(steps), func(i int) bool { return try(steps[len(steps)-1-i]) })
	if ok {
		return t, ok
	}
	search(len(records)-1, func(i int) bool { least.rows = i + 1; return try(least) })
	if ok {
		return t, ok
	}
	least.rows = 1
	search(least.columns-1, func(i int) bool { least.columns = i + 1; return try(least) })
	return t, ok
}

// longestShown is how long a text or string is shown when not everything is.
const longestShown = cellsOfLine * longestCut

// shortened returns the records with texts and strings cut to a little more
// than is shown of them, so that they are still known to be cut.
func (b *Tabulator) shortened(records []Record) []Record {
	b.records = append(b.records[:0], records...)
	for i, r := range records {
		switch {
		case len(r.Value) <= 2*longestShown:
		case r.IsText:
			b.records[i].Value = wholeCharacters(r.Value, 2*longestShown)
		case r.Value[0] == '"':
			from := len(b.arena)
			b.arena = append(append(b.arena, '"'), cutInside(inside(r.Value), 2*longestShown)...)
			b.arena = append(b.arena, '"')
			b.records[i].Value = b.arena[from:]
		}
	}
	return b.records
}

// take returns a table whose bytes can be used again.
func (b *Tabulator) take() (t Table) {
	if b.lent.Rows != nil {
		b.free, b.lent = append(b.free, b.lent), Table{}
	}
	if n := len(b.free) - 1; n >= 0 {
		t, b.free = b.free[n], b.free[:n]
	}
	return t
}

// sizeOf is how many bytes the values have, white space included.
func sizeOf(records []Record) (size int) {
	for _, r := range records {
		size += len(r.Value)
	}
	return size
}

// search finds the greatest i below n for which fits says yes, if it says no
// for all above.
func search(n int, fits func(i int) bool) {
	for low, high := 0, n-1; low <= high; {
		middle := (low + high) / 2
		if fits(middle) {
			low = middle + 1
		} else {
			high = middle - 1
		}
	}
}

// withPaths returns the records with their paths as members.
func (b *Tabulator) withPaths(records []Record) []Record {
	if !slices.ContainsFunc(records, func(r Record) bool { return len(r.Path) > 0 }) {
		return records
	}
	array := arrayOf(records[0].Path)
	for _, r := range records {
		if !bytes.Equal(arrayOf(r.Path), array) {
			array = nil
		}
	}
	if array != nil && len(array) == 0 {
		return records // the elements of a top-level array
	}
	if array != nil {
		array = append(bytes.Clone(array), '#')
	}
	b.records = append(b.records[:0], records...)
	for i, r := range b.records {
		if len(r.Path) == 0 {
			continue
		}
		path := r.Path
		if array != nil {
			path = array
		}
		from := len(b.arena)
		value := append(appendQuoted(append(b.arena, `{"@path":`...), path), ',')
		c := cursor{src: r.Value}
		switch {
		case r.IsText:
			value = append(appendQuoted(append(value, `"@value":`...), r.Value), '}')
		case c.kind() != kindObject:
			value = append(append(append(value, `"@value":`...), c.take()...), '}')
		case c.isEmpty():
			value[len(value)-1] = '}'
		default:
			value = append(value, c.take()[1:]...)
		}
		b.arena = value
		b.records[i] = Record{Seq: r.Seq, Value: value[from:]}
	}
	return b.records
}

// arrayOf returns the path up to an index at its end, nil if there is none.
func arrayOf(path []byte) []byte {
	end := bytes.LastIndexByte(path, '.') + 1
	if _, isIndex := digits(path[end:]); !isIndex || end == len(path) {
		return nil
	}
	return path[:end]
}

// layout is what is known of the records before they are written.
type layout struct {
	records     []Record
	total       int
	paths       pathTree
	places      []place // by number in paths
	objects     int     // records that are objects
	irregular   []bool  // records that are not what their cells say
	columns     []int   // places, in the order they are shown
	byWorth     []int   // the same, those that tell most for their length first
	longestCell int
	asRecords   bool // the rows are the records themselves
	shown       []bool
	nameBuf     []byte
	spare       Table // its bytes are for the next table
}

// place is a member of the records, a column if it has cells.
type place struct {
	seen    int    // the last record that had it, from 1
	present int    // records that have it as a cell
	length  int    // of all its cells
	first   []byte // its first cell
	varies  bool
	cell    []byte // of the record at hand
	cellOf  int    // that record, from 1
}

// reset surveys the records.
func (l *layout) reset(records []Record, total int) {
	if l.paths.slots == nil {
		l.paths = newPathTree(maxColumns+maxColumns/2, maxColumns, maxColumns)
	}
	l.paths.reset()
	clear(l.places)
	*l = layout{
		records:   records,
		total:     max(total, len(records)),
		paths:     l.paths,
		places:    append(l.places[:0], place{}),
		irregular: emptied(l.irregular, len(records)),
		columns:   l.columns[:0],
		byWorth:   l.byWorth,
		shown:     l.shown,
		nameBuf:   l.nameBuf,
	}
	for i, r := range records {
		if c := (cursor{src: r.Value}); !r.IsText && c.kind() == kindObject {
			l.objects++
			l.survey(&c, rootNode, i)
			continue
		}
		l.longestCell = max(l.longestCell, len(r.Value))
	}
	for id := range l.places {
		if l.places[id].present > 0 {
			l.columns = append(l.columns, id)
		}
	}
	slices.SortStableFunc(l.columns, func(a, b int) int {
		return cmp.Compare(l.places[b].present, l.places[a].present)
	})
	l.byWorth = append(l.byWorth[:0], l.columns...)
	slices.SortStableFunc(l.byWorth, func(a, b int) int { return cmp.Compare(l.worth(b), l.worth(a)) })
	l.shown = emptied(l.shown, len(l.places))
}

// emptied returns n times false, where b was if there is room.
func emptied(b []bool, n int) []bool {
	b = slices.Grow(b[:0], n)[:n]
	clear(b)
	return b
}

// survey notes the places of the object at the cursor.
func (l *layout) survey(c *cursor, parent, record int) {
	c.enter()
	for {
		name, ok := c.member()
		if !ok {
			return
		}
		id := l.paths.member(parent, l.canonical(name))
		if id == noNode {
			l.irregular[record] = true
			l.longestCell = max(l.longestCell, len(c.take()))
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
		if l.isNested(c, id) {
			l.survey(c, id, record)
			continue
		}
		cell := c.take()
		if p.cellOf != record+1 {
			p.present++
		}
		p.cellOf = record + 1
		p.length += len(cell)
		l.longestCell = max(l.longestCell, len(cell))
		if p.first == nil {
			p.first = cell
		}
		p.varies = p.varies || !bytes.Equal(p.first, cell)
	}
}

// isNested says whether the value at the cursor has columns of its own.
func (l *layout) isNested(c *cursor, id int) bool {
	return c.kind() == kindObject && !c.isEmpty() && l.paths.nodes[id].depth < maxDepth
}

func (l *layout) canonical(name []byte) []byte {
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	l.nameBuf = appendCanonical(l.nameBuf[:0], name)
	return l.nameBuf
}

// isConstant says whether a column is said once instead of in each row.
func (l *layout) isConstant(id int) bool {
	return !l.places[id].varies && l.places[id].present == l.objects && l.objects > 1
}

// worth is how many records a column tells of for what it costs.
func (l *layout) worth(id int) float64 {
	const comma = 1
	p := &l.places[id]
	cost := len(l.paths.path(id)) + p.length + comma*p.present
	if l.isConstant(id) {
		cost = len(l.paths.path(id)) + len(p.first)
	}
	return float64(p.present) * float64(p.present) / float64(cost)
}

func (l *layout) all() detail {
	return detail{cell: wholeCell, columns: len(l.columns), rows: len(l.records)}
}

// chooseRows decides between cells and the records themselves: what is shorter.
// A record that is an array could be taken for a row of cells.
func (l *layout) chooseRows() {
	for i, r := range l.records {
		if c := (cursor{src: l.records[i].Value}); !r.IsText && c.kind() == kindArray {
			l.asRecords = true
			return
		}
	}
	length := func() int {
		l.spare = l.table(l.all())
		return len(l.spare.Columns) + len(l.spare.Rows)
	}
	cells := length()
	l.asRecords = true
	l.asRecords = length() <= cells
}

// table writes the table with so much detail.
func (l *layout) table(d detail) Table {
	t := Table{Columns: l.spare.Columns[:0], Rows: l.spare.Rows[:0], Omitted: Omitted{
		Rows:    l.total - min(d.rows, len(l.records)),
		Columns: len(l.columns) - d.columns,
	}}
	if t.Rows == nil {
		t.Rows = make([]byte, 0, min(sizeOf(l.records), len(l.records)*(cellsOfLine*min(d.cell, longestCut)+8))+2)
	}
	l.spare = Table{}
	clear(l.shown)
	for _, id := range l.byWorth[:d.columns] {
		l.shown[id] = true
	}
	columns := l.cellColumns()
	t.Columns = l.appendColumns(t.Columns, columns, d, &t.Omitted.Cells)
	t.Rows = append(t.Rows, '[')
	for i := range l.records {
		if d.rows < len(l.records) && i >= max(1, d.rows-1) && (d.rows == 1 || i < len(l.records)-1) {
			continue // the last one is kept
		}
		if len(t.Rows) > 1 {
			t.Rows = append(t.Rows, ',')
		}
		t.Rows = l.appendRow(t.Rows, i, columns, d, &t.Omitted.Cells)
	}
	t.Rows = append(t.Rows, ']')
	return t
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

func (l *layout) appendColumns(dst []byte, columns []int, d detail, cut *int) []byte {
	dst = append(dst, '[')
	for _, id := range columns {
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), l.paths.path(id)...), '"')
	}
	for _, id := range l.columns {
		if l.asRecords || !l.shown[id] || !l.isConstant(id) {
			continue
		}
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `{"`...), l.paths.path(id)...), `":`...)
		dst = append(appendCell(dst, l.places[id].first, d.cell, cut), '}')
	}
	return append(dst, ']')
}

func (l *layout) appendRow(dst []byte, record int, columns []int, d detail, cut *int) []byte {
	r := l.records[record]
	if r.IsText {
		return appendTextCell(dst, r.Value, cellsOfLine*d.cell, cut)
	}
	c := cursor{src: r.Value}
	switch {
	case c.kind() != kindObject:
		return appendCell(dst, c.take(), cellsOfLine*d.cell, cut)
	case l.asRecords || l.irregular[record]:
		dst, _ = l.appendObject(dst, &c, rootNode, d, cut)
		return dst
	}
	l.collect(&c, rootNode, record)
	cells := 0
	for i, id := range columns {
		if l.places[id].cellOf != record+1 {
			continue
		}
		if cells != i {
			again := cursor{src: r.Value}
			dst, _ = l.appendObject(dst, &again, rootNode, d, cut)
			return dst
		}
		cells++
	}
	dst = append(dst, '[')
	for i, id := range columns[:cells] {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendCell(dst, l.places[id].cell, d.cell, cut)
	}
	return append(dst, ']')
}

// collect notes the cells of the record at the cursor.
func (l *layout) collect(c *cursor, parent, record int) {
	c.enter()
	for {
		name, ok := c.member()
		if !ok {
			return
		}
		id := l.paths.member(parent, l.canonical(name))
		if l.isNested(c, id) {
			l.collect(c, id, record)
			continue
		}
		l.places[id].cell, l.places[id].cellOf = c.take(), record+1
	}
}

// appendObject appends what is shown of the object at the cursor. wrote is
// false when that is nothing, though the object is not empty.
func (l *layout) appendObject(dst []byte, c *cursor, parent int, d detail, cut *int) (row []byte, wrote bool) {
	wrote = c.isEmpty()
	c.enter()
	dst = append(dst, '{')
	for {
		name, ok := c.member()
		if !ok {
			return append(dst, '}'), wrote
		}
		before := len(dst)
		if dst[before-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), name...), `":`...)
		id := l.paths.find(parent, l.canonical(name), false)
		isShown := true
		switch {
		case id != noNode && l.isNested(c, id):
			dst, isShown = l.appendObject(dst, c, id, d, cut)
		case id != noNode && l.shown[id]:
			dst = appendCell(dst, c.take(), d.cell, cut)
		case id == noNode && d.columns == len(l.columns):
			dst = appendCell(dst, c.take(), d.cell, cut)
		default:
			c.take()
			isShown = false
			if id == noNode {
				*cut++
			}
		}
		if !isShown {
			dst = dst[:before]
		}
		wrote = wrote || isShown
	}
}

// appendCell appends a JSON value of at most limit bytes: a longer string is
// cut, any other longer value left out.
func appendCell(dst, value []byte, limit int, cut *int) []byte {
	before := len(dst)
	if value[0] == '"' {
		if len(value) <= limit {
			return append(dst, value...)
		}
		*cut++
		dst = append(append(dst, '"'), cutInside(inside(value), limit-len(leftOutCell))...)
		return append(dst, ellipsis+`"`...)
	}
	dst = appendMinified(dst, value)
	if len(dst)-before <= limit {
		return dst
	}
	*cut++
	return append(dst[:before], leftOutCell...)
}

// appendTextCell appends a line of text as a JSON string.
func appendTextCell(dst, text []byte, limit int, cut *int) []byte {
	if len(text) <= limit {
		return appendQuoted(dst, text)
	}
	*cut++
	dst = appendEscaped(append(dst, '"'), wholeCharacters(text, limit))
	return append(dst, ellipsis+`"`...)
}
