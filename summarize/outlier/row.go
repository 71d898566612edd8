package outlier

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/tabulate"
)

// cell is one scalar of a record.
type cell struct {
	Place int
	Text  ascii.Span // JSON
}

// Row is what is kept of one record: its scalars, shortened, or its line.
type Row struct {
	Seq      int
	Base     int // the place of the record itself
	IsLine   bool
	IsFirst  bool // of an array in a larger record: it does not go on from the one before
	IsAround bool // it is the header of a table, or drawn around rows
	Bytes    []byte
	Line     ascii.Span // of bytes, when isLine
	Cells    []cell
	Key      ascii.Span // of a member of a map: its name
	Reasons  []Reason
	Form     int                // of the line: index of its template, -1 if it has none
	Text     fields.LongestText // of its strings
	Filled   int                // cells of the line, when it is a row of a table
	Score    float64

	Identity ascii.Span  // the line that says which record a name and its value is of
	Owner    OwnerOfLine // the same where it is a heading of output
	Record   uint64      // the key of that name, or the one that the line leads to; 0 for none
	Name     uint64      // the key of the name of this line, if it is to come once in a record
}

// Reset makes r the row of the record with number seq at the place base, with nothing kept of it.
// The memory of r is used again.
func (r *Row) Reset(seq, base int) {
	r.Seq, r.Base, r.Form, r.Filled, r.Score, r.Text = seq, base, -1, 0, 0, fields.LongestText{}
	r.IsLine, r.IsFirst, r.IsAround, r.Line, r.Key, r.Identity = false, false, false, ascii.Span{}, ascii.Span{},
		ascii.Span{}
	r.Owner, r.Record, r.Name = OwnerOfLine{}, 0, 0
	r.Bytes, r.Cells, r.Reasons = r.Bytes[:0], r.Cells[:0], r.Reasons[:0]
}

// Keep makes r a copy of a row, which may be used again. The memory of r is used again.
func (r *Row) Keep(from *Row) {
	kept, cells, reasons := r.Bytes, r.Cells, r.Reasons
	*r = *from
	r.Bytes = append(kept[:0], from.Bytes...)
	r.Cells = append(cells[:0], from.Cells...)
	r.Reasons = append(reasons[:0], from.Reasons...)
}

// AddCell keeps a scalar of the record, while there is room.
func (r *Row) AddCell(place int, value []byte) {
	if len(r.Cells) < MaxCells && len(r.Bytes) < MaxRowLen {
		r.Cells = append(r.Cells, cell{place, r.Put(value, MaxCellLen)})
	}
}

// Put appends a JSON scalar, a long string shortened, and returns where it is: nowhere if there is no room for more.
func (r *Row) Put(value []byte, most int) ascii.Span {
	from := len(r.Bytes)
	if from+min(len(value), most+len(`"`+jsonx.Ellipsis+`"`)) > RowCap {
		return ascii.Span{}
	}
	if len(value) > most && value[0] == '"' {
		r.Bytes = append(append(append(r.Bytes, '"'), jsonx.CutInside(jsonx.Inside(value), most)...),
			jsonx.Ellipsis+`"`...)
	} else if len(value) > most {
		r.Bytes = append(r.Bytes, tabulate.LeftOutCell...)
	} else {
		r.Bytes = append(r.Bytes, value...)
	}
	return ascii.Span{From: from, To: len(r.Bytes)}
}

// Because notes a reason if it is among the best. Of those that tell nothing yet, an error may best do so later.
func (r *Row) Because(why Reason) {
	if len(r.Reasons) < MaxReasons {
		r.Reasons = append(r.Reasons, why)
		return
	}
	least := 0
	for i := range r.Reasons {
		if r.Reasons[i].Score < r.Reasons[least].Score {
			least = i
		}
	}
	if of := &r.Reasons[least]; why.Score > of.Score || why.Score == of.Score && why.By == ByError && of.By != ByError {
		*of = why
	}
}

// Rank puts the best reason first and adds up.
func (r *Row) Rank() {
	slices.SortStableFunc(r.Reasons, func(a, b Reason) int { return cmp.Compare(b.Score, a.Score) })
	r.Score = 0
	share, decay := sharePerReason, .5
	if r.IsLine && r.Filled == 0 {
		share, decay = shareInLine, 1
	}
	for i := range r.Reasons {
		switch {
		case r.Reasons[i].Score <= 0:
		case i == 0:
			r.Score = r.Reasons[i].Score
		default:
			r.Score += share * r.Reasons[i].Score
			share *= decay
		}
	}
}

// newRow returns a row that has room for any.
func newRow() *Row {
	return &Row{Bytes: make([]byte, 0, RowCap), Cells: make([]cell, 0, MaxCells),
		Reasons: make([]Reason, 0, MaxReasons)}
}

// RowCap is more than a row takes: its last cell, its name and its reasons come on top of MaxRowLen.
const RowCap = MaxRowLen + (2+MaxReasons)*(MaxCellLen+fields.MaxValueLen)

// PutNumber keeps a number.
func (r *Row) PutNumber(n int64) ascii.Span {
	from := len(r.Bytes)
	r.Bytes = strconv.AppendInt(r.Bytes, n, 10)
	return ascii.Span{From: from, To: len(r.Bytes)}
}

// KeepText keeps the form of a text of the record if it is the longest.
func (r *Row) KeepText(form fields.TextForm, bytes int) {
	if bytes > r.Text.Bytes {
		r.Text = fields.LongestText{TextForm: form, Bytes: bytes}
	}
}

// Named keeps the name of a record that is the member of a map.
func (r *Row) Named(name []byte) {
	from := len(r.Bytes)
	r.Bytes = append(append(append(r.Bytes, '"'), jsonx.CutInside(name, MaxCellLen)...), '"')
	r.Key = ascii.Span{From: from, To: len(r.Bytes)}
}
