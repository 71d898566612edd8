package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// doubtfulHeader is the header of a table of texts, as long as it may be the first row.
type doubtfulHeader struct {
	line   textLine
	isKept bool
	times  int                         // that it came
	again  [formats.MaxTextColumns]int // rows that have the same cell as the header, by column
	rows   int                         // since the header
}

const (
	leastAgain = 3  // rows that have the cell of the header in the only column where any has,
	shareAgain = 20 // and of so many rows one
)

// keep keeps a header, if it may be a row.
func (h *doubtfulHeader) keep(line *textLine, mayBeRow bool) {
	*h = doubtfulHeader{line: textLine{seq: line.seq, text: append(h.line.text[:0], line.text...)}, isKept: mayBeRow,
		times: 1}
}

// comesAgain counts the row that has been cut, and reports whether the rows have had the cells of the
// header so often that it is one of them.
func (t *textTable) comesAgain(line []byte) bool {
	h, c := &t.header, &t.columns
	h.rows++
	isSame := false
	for i := range c.all {
		if !c.all[i].isTime && bytes.Equal(formats.Unquoted(t.row.spans[i].Of(line)), c.all[i].name) {
			h.again[i]++
			isSame = true
		}
	}
	return isSame && c.isHeaderAgainIn(h.again[:len(c.all)], h.rows)
}

// isHeaderAgainIn reports whether so many rows had the cell of the header in each column that it is a
// row. One column alone may have its own name as a value.
func (c *columns) isHeaderAgainIn(again []int, rows int) bool {
	columns, only := 0, 0
	for i, n := range again {
		if n > 0 && !c.isStateName(i) {
			columns++
			only = i
		}
	}
	switch columns {
	case 0:
		return false
	case 1:
		isOften := again[only] >= leastAgain && shareAgain*again[only] >= rows || rows <= maxHeld
		return isOften && !isUsualName(c.all[only].name)
	}
	return true
}

// isStateName reports whether a column has a name of one letter, which may be one of its values: S of top.
func (c *columns) isStateName(i int) bool { return c.separator == 0 && len(c.all[i].name) == 1 }

// isUsualName reports whether a name is one that columns have and that is a value of a column of names, too.
func isUsualName(name []byte) bool {
	switch string(bytes.ToLower(name)) {
	case "name", "id", "type", "kind", "status", "state", "key", "value", "path", "user", "date", "time", "title",
		"description", "version", "label", "code", "group", "role", "url", "email", "message", "level", "size",
		"count", "total", "source", "target", "namespace", "region", "host", "service", "column", "field", "default":
		return true
	}
	return false
}

// readsAsRow reports whether what reads like a header is a row: others have the same cells, or all have
// cells of its shape with other digits in a column.
func (c *columns) readsAsRow(e *evidence) bool {
	for i := range c.all {
		if e.likeName[i] == e.rows && !c.all[i].isTime {
			return true
		}
	}
	return c.isHeaderAgainIn(e.same[:len(c.all)], e.rows)
}

// hasShapeOf reports whether a cell and a name have the same marks and runs of digits and letters in the
// same order, and digits among them.
func hasShapeOf(cell, name []byte) bool {
	i, j, digits := 0, 0, false
	for i < len(cell) && j < len(name) {
		a, b := shapeOf(cell[i]), shapeOf(name[j])
		if a != b {
			return false
		}
		digits = digits || a == '0'
		i, j = i+1, j+1
		if a != '0' && a != 'a' {
			continue
		}
		for i < len(cell) && shapeOf(cell[i]) == a {
			i++
		}
		for j < len(name) && shapeOf(name[j]) == a {
			j++
		}
	}
	return digits && i == len(cell) && j == len(name)
}

// shapeOf returns a byte that stands for any digit or any letter, and other bytes as they are.
func shapeOf(c byte) byte {
	switch {
	case ascii.IsDigit(c):
		return '0'
	case ascii.IsLetter(c), c >= 0x80:
		return 'a'
	}
	return c
}

// addHeaderAsRow makes the header, which has been counted as one each time that it came, a row of its
// table, and numbers the columns.
func (s *Summary) addHeaderAsRow() {
	t := &s.table
	h := &t.header
	if !h.isKept {
		return
	}
	h.isKept = false
	for i := range t.columns.all {
		if s.paths.Find(structure.RootNode, formats.NumberedName(i), false) != structure.NoNode {
			return // another field has the name
		}
	}
	if !t.columns.cut(&t.row, h.line.text) {
		return
	}
	for i := range t.columns.all {
		c := &t.columns.all[i]
		if c.name = append(c.name[:0], formats.NumberedName(i)...); c.place != structure.NoNode {
			s.paths.Rename(c.place, c.name)
		}
	}
	fields := s.lineFields
	s.lineFields = nil // the line has been read
	for range h.times {
		s.begin(h.line.seq, structure.RootNode)
		s.addCellsOf(h.line.text)
		s.endFirst()
		t.rows++
		t.headers--
	}
	s.lineFields = fields
}

// addNumberedFields adds the cells of a header that may be a row to its line, by the numbers of their columns.
func (s *Summary) addNumberedFields(line []byte) {
	t := &s.table
	if s.lineFields == nil || !t.columns.mayBeRow || !t.columns.cut(&t.row, line) {
		return
	}
	for i := range t.columns.all {
		if cell := t.row.spans[i].Of(line); len(cell) > 0 {
			t.cell = t.columns.appendCell(t.cell[:0], cell, t.columns.all[i].isText)
			s.lineFields.add(formats.NumberedName(i), t.cell)
		}
	}
}

// goesOnUnderHeld reports whether the lines that are held under what may be a header, within others, have
// the form of these: they go on after it, and are no rows.
func (s *Summary) goesOnUnderHeld() bool {
	t := &s.table
	if t.candidate.isNameless || t.candidate.separator != 0 || s.lines == 0 || t.held[1].isRule {
		return false
	}
	for i := range t.held[1:t.heldCount] {
		if h := &t.held[1+i]; !h.isRule && !s.hasForm(h.text) {
			return false
		}
	}
	return true
}

// hasForm reports whether a line that came before has the form of this one.
func (s *Summary) hasForm(line []byte) bool {
	s.line.Set(line)
	return s.templates.MostSimilar(drain.ByFirst, s.line.HashWith(0), &s.line) >= 0
}

// isHeaderDoubtful reports whether the only header of a table of texts may as well be its first row:
// in each column its cell is about as long as the others and is made of the same kinds of characters, and
// none is a name that columns usually have.
func (s *Summary) isHeaderDoubtful() bool {
	t := &s.table
	if !t.header.isKept || t.headers != 1 || !t.columns.mayBeRow {
		return false
	}
	for i := range t.columns.all {
		c := &t.columns.all[i]
		if c.place == structure.NoNode || isUsualName(c.name) || !s.fields[c.place].hasLike(c.name) {
			return false
		}
	}
	return true
}

// hasLike reports whether a text is about as long as the values of a field, and one of those that are
// known is made of the same kinds of characters.
func (f *field) hasLike(text []byte) bool {
	if 2*len(text) <= f.shortest || len(text) >= 2*f.longest {
		return false
	}
	for i := range f.counts.entries {
		if e := &f.counts.entries[i]; e.text[0] == '"' && kindsOf(jsonx.Inside(e.text)) == kindsOf(text) {
			return true
		}
	}
	return false
}

// kindsOf returns which kinds of characters a text has, letters by their case.
func kindsOf(text []byte) (kinds uint16) {
	for _, c := range text {
		switch {
		case ascii.IsUpper(c):
			kinds |= 1
		case ascii.IsLetter(c):
			kinds |= 2
		case ascii.IsDigit(c):
			kinds |= 4
		case ascii.IsBlank(c):
			kinds |= 8
		case c >= 0x80:
			kinds |= 16
		default:
			kinds |= 32
		}
	}
	return kinds
}
