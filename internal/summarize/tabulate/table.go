package tabulate

import (
	"iter"
	"math"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// Bounds of a table. Lengths are in bytes.
const (
	MaxColumns  = 256                        // members of one object that can be columns
	wholeCell   = 1 << 40                    // no cap on the length of a cell
	cellsOfLine = 4                          // a row that is one value or a line may be so many cells long
	longestCut  = 512                        // the longest cell when not everything fits
	ShortestCut = 40                         // and the shortest
	LeftOutCell = `"` + jsonx.Ellipsis + `"` // the cell for a value of which nothing is shown
)

// Table is records laid out as rows. Its bytes are lent until the Tabulator is
// used again.
type Table struct {
	// Columns is a JSON array: the name of each cell column, dotted for members
	// of nested objects (gjson syntax), and {"name":value} for a column that has
	// one value throughout, which has no cell in the rows. {"@missing":mark} is
	// what a cell is that a record does not have, if there is one before the end
	// of a row, and {"@around":{...}} what is around the records in their
	// document. No name is there when the rows are the records themselves.
	Columns []byte
	// Rows is a JSON array. A row is an array of cells in the order of columns,
	// without the missing ones at its end; an object when that is shorter: the
	// record without the columns that have one value; or the record itself when
	// it is not an object, a JSON string for a line of text.
	Rows    []byte
	Omitted Omitted
}

// Omitted counts what a table leaves out.
type Omitted struct {
	Rows    int
	After   int // the row after which they are left out, from 1; 0 if that is not known
	Columns int
	Cells   int // of the rows shown, that are cut or left out: there is a "…" in them
}

// Fits says whether there is room for a table.
type Fits func(Table) bool

// Cheaper says whether table a costs less than b, which fits.
type Cheaper func(a, b Table) bool

// detail is how much of each record a table shows.
type detail struct {
	cell    int // bytes of a cell
	columns int // of those that tell most
	rows    int
}

// Records are the records of a table. Their bytes are lent for the call that they are given to.
type Records interface {
	Len() int
	At(i int) structure.Record
}

// Elements yields the elements of a JSON array, which is valid.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		c := jsonx.Cursor{Source: array}
		c.Enter()
		for c.Element() {
			if !yield(c.Take()) {
				return
			}
		}
	}
}

// RecordSlice is Records in a slice.
type RecordSlice []structure.Record

// Len implements Records.
func (s RecordSlice) Len() int { return len(s) }

// At implements Records.
func (s RecordSlice) At(i int) structure.Record { return s[i] }

// each yields the records in order.
func each(records Records) iter.Seq2[int, structure.Record] {
	return func(yield func(int, structure.Record) bool) {
		for i := range records.Len() {
			if !yield(i, records.At(i)) {
				return
			}
		}
	}
}

// some reports whether a condition holds for some record.
func some(records Records, is func(structure.Record) bool) bool {
	for _, r := range each(records) {
		if is(r) {
			return true
		}
	}
	return false
}

// Tabulator lays records out as tables. What one table needed serves the next.
// Its zero value is ready.
type Tabulator struct {
	layout  layout
	free    []Table // their bytes are for tables to come
	lent    Table
	records RecordSlice // with their paths
	arena   []byte      // of records
	cut     []byte      // see shortened
}

// Tabulate lays records out as the table that says most and for which fits says
// yes. ok is false when not even one row fits. total is how many records there
// were; those past records.Len() count as omitted rows. fits is called O(log n)
// times, cheaper at most once.
//
// A record that stood at a path has it as the column "@path", with "#" for the
// index when all stood in one array, and its value as "@value" when it is not an
// object. When the only record is a document that is mostly an array or a map of
// records, those are the rows.
//
// What does not fit loses long cells first, then the columns that tell least for
// what they cost, until the others tell half of it or are few, then rows: the
// first ones stay, and the last one.
//
// No table of more than most bytes is tried: fits would say no.
func (b *Tabulator) Tabulate(records Records, total, most int, fits Fits, cheaper Cheaper) (t Table, ok bool) {
	return b.lay(records, total, most, fits, cheaper, true)
}

// TabulateAll is Tabulate for a table that leaves nothing out, or none.
func (b *Tabulator) TabulateAll(records Records, fits Fits, cheaper Cheaper) (t Table, ok bool) {
	return b.lay(records, records.Len(), math.MaxInt, fits, cheaper, false)
}

func (b *Tabulator) lay(records Records, total, most int, fits Fits, cheaper Cheaper, sheds bool) (t Table, ok bool) {
	if records.Len() == 0 {
		return Table{}, false
	}
	size := sizeOf(records)
	b.arena = b.arena[:0]
	if size > most {
		records = shortened{records, &b.cut}
	}
	l := &b.layout
	l.reset(b.arranged(records, total))
	l.spare = b.take()
	l.chooseRows()
	defer func() {
		if l.spare.Rows != nil {
			b.free = append(b.free, l.spare)
		}
		l.spare, b.lent = Table{}, t
	}()
	var shown detail
	try := func(d detail) bool {
		made := l.table(d)
		if !fits(made) {
			l.spare = made
			return false
		}
		l.spare, t, ok, shown = t, made, true, d
		if l.spare.Rows == nil {
			l.spare = b.take()
		}
		return true
	}
	if (size > most || !try(l.all())) && sheds {
		l.shed(try, func() int { return len(t.Columns) + len(t.Rows) })
	}
	if ok && l.objects > 0 && !l.hasArrays {
		l.asRecords = !l.asRecords
		other := l.table(shown)
		if cheaper(other, t) {
			t, other = other, t
		}
		l.spare = other
	}
	return t, ok
}

// shed tries tables with less detail. The last one that try said yes to is the best; size is how long that is.
func (l *layout) shed(try func(detail) bool, size func() int) {
	all := l.all()
	var steps []detail
	least := all
	shorten := func(limits ...int) {
		for _, least.cell = range limits {
			if least.cell < l.longestCell {
				steps = append(steps, least)
			}
		}
	}
	shorten(longestCut, longestCut/2, longestCut/4, longestCut/8)
	for half := l.half(); least.columns > half; {
		least.columns--
		steps = append(steps, least)
	}
	shorten(ShortestCut)
	if Search(len(steps), func(i int) bool { return try(steps[len(steps)-1-i]) }) >= 0 {
		return
	}
	rows := 1 + Search(all.rows-1, func(i int) bool { least.rows = i + 1; return try(least) })
	if rows == 0 {
		least.rows = 1
		rows, least.columns = 1,
			1+Search(least.columns-1, func(i int) bool { least.columns = i + 1; return try(least) })
	}
	if narrow := l.narrower(least.columns, size(), least.cell); narrow < least.columns {
		least.columns = narrow
		Search(all.rows-rows, func(i int) bool { least.rows = rows + 1 + i; return try(least) })
	}
}

// longestShown is how long a text or string is shown when not everything is.
const longestShown = cellsOfLine * longestCut

// shortened is Records with texts and strings cut to a little more than is shown of them, so that they are still
// known to be cut. A record is valid until the next one.
type shortened struct {
	Records
	cut *[]byte // a string that is cut
}

// At implements Records.
func (s shortened) At(i int) structure.Record {
	r := s.Records.At(i)
	switch {
	case len(r.Value) <= 2*longestShown:
	case r.IsText:
		r.Value = jsonx.WholeCharacters(r.Value, 2*longestShown)
	case r.Value[0] == '"':
		*s.cut = append(append((*s.cut)[:0], '"'), jsonx.CutInside(jsonx.Inside(r.Value), 2*longestShown)...)
		*s.cut = append(*s.cut, '"')
		r.Value = *s.cut
	}
	return r
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
func sizeOf(records Records) (size int) {
	for _, r := range each(records) {
		size += len(r.Value)
	}
	return size
}

// Search returns the greatest i below n for which fits says yes, -1 if there is
// none, if it says no for all above.
func Search(n int, fits func(i int) bool) int {
	low := 0
	for high := n - 1; low <= high; {
		middle := (low + high) / 2
		if fits(middle) {
			low = middle + 1
		} else {
			high = middle - 1
		}
	}
	return low - 1
}
