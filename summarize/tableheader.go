package summarize

import (
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/texttable"
)

// addHeaderAsRow makes the header, which has been counted as one each time that it came, a row of its
// table, and numbers the columns.
func (s *lineReader) addHeaderAsRow() {
	t := &s.table
	h := &t.Header
	if !h.IsKept {
		return
	}
	h.IsKept = false
	for i := range t.Columns.All {
		if s.places.Paths.Find(structure.RootNode, formats.NumberedName(i), false) != structure.NoNode {
			return // another field has the name
		}
	}
	if !t.Columns.Cut(&t.Row, h.Line.Text) {
		return
	}
	t.Numbered++
	for i := range t.Columns.All {
		c := &t.Columns.All[i]
		if c.Name = append(c.Name[:0], formats.NumberedName(i)...); c.Place != structure.NoNode {
			s.places.Paths.Rename(c.Place, c.Name)
		}
	}
	fields := s.lineFields
	s.lineFields = nil // the line has been read
	for range h.Times {
		s.values.begin(structure.RootNode)
		s.addCellsOf(h.Line.Text)
		t.Rows++
		t.Headers--
	}
	s.lineFields = fields
}

// addNumberedFields adds the cells of a header that may be a row to its line, by the numbers of their columns.
func (s *lineReader) addNumberedFields(line []byte) {
	t := &s.table
	if s.lineFields == nil || !t.Columns.MayBeRow || !t.Columns.Cut(&t.Row, line) {
		return
	}
	for i := range t.Columns.All {
		if cell := t.Row.Spans[i].Of(line); len(cell) > 0 {
			t.Cell = t.Columns.AppendCell(t.Cell[:0], cell, t.Columns.All[i].IsText)
			s.lineFields.add(formats.NumberedName(i), t.Cell)
		}
	}
}

// goesOnUnderHeld reports whether the lines that are held under what may be a header, within others, have
// the template of these: they go on after it, and are no rows.
func (s *lineReader) goesOnUnderHeld() bool {
	t := &s.table
	if t.Candidate.IsNameless || t.Candidate.Separator != 0 || s.text.Count == 0 || t.Held[1].IsRule {
		return false
	}
	for i := range t.Held[1:t.HeldCount] {
		if h := &t.Held[1+i]; !h.IsRule && !s.text.HasTemplate(h.Text) {
			return false
		}
	}
	return true
}

// headerMayBeRow reports whether the only header of a table of texts may as well be its first row:
// in each column its cell is about as long as the others and is made of the same kinds of characters, and
// none is a name that columns usually have.
func (s *teller) headerMayBeRow() bool {
	t := &s.lines.table
	if !t.Header.IsKept || t.Headers != 1 || !t.Columns.MayBeRow {
		return false
	}
	for i := range t.Columns.All {
		c := &t.Columns.All[i]
		if c.Place == structure.NoNode || texttable.IsUsualName(c.Name) || !s.places.Fields[c.Place].HasLike(c.Name) {
			return false
		}
	}
	return true
}
