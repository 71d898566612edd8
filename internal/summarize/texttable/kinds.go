package texttable

import (
	"fmt"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
)

// A table ends where the kinds of its cells change for good: another table with as many columns follows.

const (
	leastOfKind   = 3 // cells of a column, before another kind is unlike them
	leastChanging = 2 // columns that change where no header says that a table begins
)

// cellKinds counts the cells of one column in the current table.
type cellKinds struct {
	cells   int // that say something
	numbers int // of them begin with a digit: numbers, dates, addresses
}

// add counts a cell.
func (k *cellKinds) add(cell []byte) {
	if saysNothing(cell) {
		return
	}
	k.cells++
	if beginsWithDigit(cell) {
		k.numbers++
	}
}

// saysNothing reports whether a cell has no kind: it is empty or says that there is no value.
func saysNothing(cell []byte) bool { return len(cell) == 0 || isNone(cell) }

// beginsWithDigit reports whether a cell begins with a digit, behind a sign.
func beginsWithDigit(cell []byte) bool {
	if len(cell) > 1 && (cell[0] == '-' || cell[0] == '+') {
		cell = cell[1:]
	}
	return len(cell) > 0 && ascii.IsDigit(cell[0])
}

// isUnlike reports whether all of the cells differ from all cells of k: one kind has numbers only, the other none.
func (k *cellKinds) isUnlike(of cellKinds) bool {
	return k.cells >= leastOfKind && of.cells > 0 &&
		(k.numbers == k.cells && of.numbers == 0 || k.numbers == 0 && of.numbers == of.cells)
}

// SeeKinds counts the kinds of the cells of the current row.
func (t *Table) SeeKinds(line []byte) {
	for i := range t.Columns.All {
		t.Columns.All[i].kinds.add(formats.Unquoted(t.Row.Spans[i].Of(line)))
	}
}

// OpensOther reports whether a line that has been cut as a row may open another table: its header is words where this
// table has numbers, or its first row has other kinds in several columns of a table without a header. The candidate is
// the other table then; the current row is lost.
func (t *Table) OpensOther(line []byte) bool {
	unlike, numbers := 0, 0
	for i := range t.Columns.All {
		var own cellKinds
		own.add(formats.Unquoted(t.Row.Spans[i].Of(line)))
		numbers += own.numbers
		if t.Columns.All[i].kinds.isUnlike(own) {
			unlike++
		}
	}
	isHeader := unlike > 0 && numbers == 0
	if !isHeader && (unlike < leastChanging || !t.Columns.IsNameless) {
		return false
	}
	if (isHeader && t.Candidate.ReadHeader(line, &t.Row) || t.Columns.IsNameless && t.ReadsFirstRow(line)) &&
		t.Candidate.Separator == t.Columns.Separator {
		return true
	}
	t.Columns.Cut(&t.Row, line)
	return false
}

// IsOther reports whether the lines that are held, which are a table, are another one than the table before. Without a
// header, several columns have cells of another kind, or one under a
// header that its rows show to be one. It is enough, too, if the names stand over several columns with numbers in both.
func (t *Table) IsOther() bool {
	c := &t.Candidate
	if c.Separator != t.Columns.Separator || len(c.All) != len(t.Columns.All) || c.IsNameless && !t.Columns.IsNameless {
		return true
	}
	rows := t.Held[:t.HeldCount]
	if !c.IsNameless {
		rows = rows[1:]
	}
	var kinds [formats.MaxTextColumns]cellKinds
	for i := range rows {
		if rows[i].IsRule || !c.Cut(&t.Row, rows[i].Text) {
			continue
		}
		for j := range c.All {
			kinds[j].add(formats.Unquoted(t.Row.Spans[j].Of(rows[i].Text)))
		}
	}
	changing, headed := 0, 0
	for i := range c.All {
		before := &t.Columns.All[i].kinds
		switch {
		case before.isUnlike(kinds[i]):
			changing++
		case before.cells >= leastOfKind && before.numbers == before.cells && kinds[i].numbers > 0:
			headed++
		}
	}
	if c.IsNameless {
		return changing >= leastChanging
	}
	return changing >= leastChanging || headed >= leastChanging || changing > 0 && !c.MayBeRow
}

// NumberColumns gives the columns of the candidate, which has no header, names of their own if those of another table
// have numbers already: $1#2 in the second one. A table that goes on, as behind a blank line, keeps its names.
func (t *Table) NumberColumns() {
	c := &t.Candidate
	if t.Numbered == 0 || t.IsOther() {
		t.Numbered++
	}
	for i := range c.All {
		if t.Numbered > 1 {
			c.All[i].Name = fmt.Appendf(c.All[i].Name, "#%d", t.Numbered)
		}
	}
}
