package outlier

import (
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/fields"
)

// KeepFailure keeps the current line as the last failure, and as the first if there was none, if a
// mark says that it is an error.
func (o *Candidates) KeepFailure() {
	if !slices.ContainsFunc(o.Row.Reasons, func(why Reason) bool { return why.By == ByError && why.IsMarked }) {
		return
	}
	if o.Failures[0].Seq == 0 {
		o.Failures[0].Keep(o.Row)
	}
	o.Failures[1].Keep(o.Row)
}

// Latest is the record that came last.
func (e *Ends) Latest() *Row {
	if e.Count == 1 {
		return &e.First
	}
	return e.Last
}

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
