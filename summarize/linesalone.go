package summarize

import (
	"slices"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// LineFields finds the fields of lines as a Summary does: rows of tables, lines of pairs, and lines
// with a name and its value. A single pair in a line is a field too, and so is the level that a
// logger wrote, as field level. The first line must be that of the response.
type LineFields struct {
	s    *Summary
	read lineFields
}

// lineFields are the fields of lines that have been read.
type lineFields struct {
	all  []fieldsOfLine
	free [][]byte
}

type fieldsOfLine struct {
	seq    int
	fields []byte // a JSON object that has not been closed; empty if there are none
	part   TablePart
}

// TablePart is what a line is of a table.
type TablePart uint8

// The parts of a table.
const (
	NoPart     TablePart = iota // of any, or a rule
	HeaderPart                  // the names of the columns
	RowPart
)

// NewLineFields returns a reader that has read no line.
func NewLineFields() *LineFields {
	l := &LineFields{s: NewSummary()}
	l.s.lines.lineFields = &l.read
	l.s.text.WantsLevels = true
	return l
}

// Add takes in a line. Whether a line is a row may only be known some lines later.
func (l *LineFields) Add(r structure.Record) { l.s.Add(r) }

// Settle ends what the last lines may be the beginning of.
func (l *LineFields) Settle() { l.s.lines.settle() }

// Line is a line that has been read.
type Line struct {
	Seq    int
	Fields []byte // a JSON object of values by the names that facts have for them; nil if there are none
	Part   TablePart
}

// Read yields the lines that are known by now and have not been yielded, in their order. Fields are lent until the
// next one.
func (l *LineFields) Read(yield func(Line) bool) {
	for i := range l.read.all {
		f := &l.read.all[i]
		if len(f.fields) > 0 {
			f.fields = append(f.fields, '}')
		}
		isWanted := yield(Line{f.seq, f.fields, f.part})
		l.read.free = append(l.read.free, f.fields[:0])
		if !isWanted {
			l.read.all = slices.Delete(l.read.all, 0, i+1)
			return
		}
	}
	l.read.all = l.read.all[:0]
}

// begin begins a line.
func (l *lineFields) begin(seq int) {
	if l == nil {
		return
	}
	var fields []byte
	if last := len(l.free) - 1; last >= 0 {
		fields, l.free = l.free[last], l.free[:last]
	}
	l.all = append(l.all, fieldsOfLine{seq: seq, fields: fields})
}

// is says what the last line is of a table.
func (l *lineFields) is(part TablePart) {
	if l != nil && len(l.all) > 0 {
		l.all[len(l.all)-1].part = part
	}
}

// add adds a field of the last line: a name, which is the inside of a JSON string, and a value.
func (l *lineFields) add(name, value []byte) {
	if l == nil || len(l.all) == 0 {
		return
	}
	f := &l.all[len(l.all)-1]
	between := byte(',')
	if len(f.fields) == 0 {
		between = '{'
	}
	f.fields = append(append(append(f.fields, between, '"'), name...), `":`...)
	f.fields = append(f.fields, value...)
}
