package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/lineset"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/texttable"
)

// addLine takes in a line of text. It may be held, until it is known whether it is the header of a table.
func (s *lineReader) addLine(r structure.Record) {
	t := &s.table
	isEmpty := lineset.IsBlankLine(r.Value)
	for t.HeldCount > 0 {
		if s.addToTrial(r, isEmpty) {
			return
		}
		s.giveUpTrial()
	}
	t.SinceBlank++
	if isEmpty {
		t.SinceBlank = 0
	} else if trial, mayOpen := t.MayOpen(); mayOpen && s.readsHeader(r, trial) {
		return
	}
	s.addKnown(r, isEmpty, true)
}

// addKnown takes in a line that is no header of a new table: as a row or what is drawn around rows, as part of a block,
// or as a line with a template. With mayOpen, a line that is not a row may be the header of another table.
func (s *lineReader) addKnown(r structure.Record, isEmpty, mayOpen bool) {
	t := &s.table
	s.text.Has = mask.PartsOf(r.Value)
	isOther := false // among rows
	switch {
	case isEmpty:
		t.Missed = texttable.MaxMissed
	case !t.IsRunning:
	case lineset.IsDrawn(r.Value) && texttable.HasLongRule(r.Value):
		t.Rule()
		s.addPartOfTable(r)
		return
	case !t.IsFooter(r.Value) && t.Columns.Cut(&t.Row, r.Value) &&
		!t.Columns.IsSum(&t.Row, r.Value) && (t.IsInPlace() || !t.CutPairs(r.Value, s.text.Has)):
		t.Missed, t.IsRuled = 0, false
		switch {
		case t.IsHeaderAgain(r.Value):
			t.Header.Times++
			s.addHeader(r)
			s.addNumberedFields(r.Value)
		case mayOpen && len(r.Value) <= mask.MaxLineLen && t.OpensOther(r.Value):
			t.Trial = texttable.OtherKinds
			t.Hold(r)
		default:
			s.addRow(r)
		}
		return
	case texttable.IsRule(r.Value):
		t.Rule()
		s.addPartOfTable(r)
		return
	case mayOpen && t.Missed == 0 && s.readsHeader(r, texttable.OtherRows):
		return
	default:
		t.Missed++
		t.IsRunning = t.Missed <= texttable.MaxMissed || t.Columns.AreFielded()
		isOther = t.Missed == 1
	}
	switch {
	case t.CutPairs(r.Value, s.text.Has):
		t.IsRunning = t.IsRunning && t.Columns.Separator != 0 // without separators, records would be read as rows
		s.addPairs(r)
	case isOther:
		t.OtherLines++
		s.addTemplate(r)
	case s.text.Blocks.Add(r.Value) != lineset.NoBlock:
		s.addBlockLine(r)
	default:
		s.addTemplate(r)
	}
}

// readsHeader takes in a line that is the header of the last table once more, or holds one that may be that of another.
func (s *lineReader) readsHeader(r structure.Record, trial texttable.Trial) bool {
	t := &s.table
	isHeader := len(r.Value) <= mask.MaxLineLen &&
		(t.Candidate.ReadHeader(r.Value, &t.Row) || s.text.Count == 0 && t.ReadsFirstRow(r.Value))
	switch {
	case !isHeader:
		return false
	case t.Rows > 0 && t.Candidate.IsSame(&t.Columns):
		t.IsRunning, t.Missed = true, 0
		s.addHeader(r)
	default:
		t.Trial = trial
		t.Hold(r)
	}
	return true
}

// addToTrial holds one more line under what may be a header. It returns false when the header is none.
func (s *lineReader) addToTrial(r structure.Record, isEmpty bool) bool {
	t := &s.table
	if isEmpty || len(r.Value) > mask.MaxLineLen || t.HeldCount == texttable.MaxHeld || t.IsRefused(r.Value) {
		return false
	}
	t.Hold(r)
	rows := 0
	for i := range t.Held[1:t.HeldCount] {
		if !t.Held[1+i].IsRule {
			rows++
		}
	}
	if rows < t.Candidate.RowsOfTrial() {
		return true
	}
	for !t.IsTable() {
		switch {
		case t.Candidate.NeedsMore:
			return true
		// a row may read like a header
		case !t.Candidate.IsNameless && s.text.Count == 0 && t.ReadsFirstRow(t.Held[0].Text):
			if rows < t.Candidate.RowsOfTrial() {
				return true
			}
		default:
			t.HeldCount-- // the current line is looked at once more
			return false
		}
	}
	if t.Trial == texttable.OtherKinds && !t.IsOther() {
		t.HeldCount--
		return false
	}
	isWithin := s.text.Count > 0 && t.Candidate.IsRow && (t.Candidate.Separator == 0 || t.Candidate.NamesStay)
	if isWithin || s.goesOnUnderHeld() {
		t.HeldCount--
		return false
	}
	s.openTable()
	held := t.Release()
	for i := range held {
		h := &held[i]
		line := h.Record()
		s.text.Has = mask.PartsOf(h.Text)
		switch {
		case h.IsRule:
			t.Rule()
			s.addPartOfTable(line)
		case i == 0 && !t.Columns.IsNameless:
			t.Header.Keep(h, t.Columns.MayBeRow)
			s.addHeader(line)
			s.addNumberedFields(h.Text)
			if t.Columns.IsRow {
				s.addHeaderAsRow()
			}
		default:
			if t.Columns.Cut(&t.Row, h.Text); t.Columns.IsSum(&t.Row, h.Text) {
				s.addTemplate(line)
			} else {
				s.addRow(line)
			}
		}
	}
	return true
}

// openTable begins a table with the columns of the candidate.
func (s *lineReader) openTable() {
	t := &s.table
	if t.Candidate.IsNameless {
		t.NumberColumns()
	}
	t.IsRunning, t.Missed, t.IsRuled, t.SinceRule, t.IsUnder = true, 0, false, 0, t.Held[1].IsRule
	t.Columns, t.Candidate = t.Candidate, t.Columns
	t.Header.IsKept = false
	for i := range t.Columns.All {
		c := &t.Columns.All[i]
		name := t.Columns.OwnName(i)
		before := len(s.places.Fields)
		if c.Place = s.places.Grown(s.places.Paths.Member(structure.RootNode, name)); c.Place == structure.NoNode {
			s.places.Further.Add(sketch.Hash(name), &s.places.NameRoom)
			continue
		}
		s.places.Fields[c.Place].Named.IsColumn = true
		s.places.Fields[c.Place].Written.HasCommas = t.Columns.Separator == ';'
		t.Columns.MayBeRow = t.Columns.MayBeRow && c.Place >= before // others may have a field of that name
	}
}

// giveUpTrial takes in the line that is no header after all. Those after it are looked at anew: one may be.
func (s *lineReader) giveUpTrial() {
	t := &s.table
	held := t.Release()
	s.addKnown(held[0].Record(), false, t.Trial == texttable.UnderRule)
	for i := range held[1:] {
		s.addLine(held[1+i].Record()) // when it is held again, that is further to the front
	}
}

// settle takes in the lines that are held: there is nothing more to come under what may be a header.
func (s *lineReader) settle() {
	t := &s.table
	for i := range t.Release() {
		s.addKnown(t.Held[i].Record(), false, false)
	}
}

// addHeader takes in a header.
func (s *lineReader) addHeader(r structure.Record) {
	s.table.Headers++
	s.addPartOfTable(r)
	s.lineFields.is(HeaderPart)
}

// addPartOfTable takes in a header or what is drawn under it.
func (s *lineReader) addPartOfTable(r structure.Record) {
	s.beginLine(r.Seq)
}

// addRow takes in a line that has been cut into the cells of a table.
func (s *lineReader) addRow(r structure.Record) {
	t := &s.table
	if t.Header.IsKept && t.ComesAgain(r.Value) {
		s.addHeaderAsRow()
		t.Columns.Cut(&t.Row, r.Value)
	}
	s.beginLine(r.Seq)
	s.lineFields.is(RowPart)
	s.addCellsOf(r.Value)
	t.Rows++
	t.SinceRule++
}

// addCellsOf takes in the cells of the current line, which has been cut.
func (s *lineReader) addCellsOf(line []byte) {
	t := &s.table
	s.places.Fields[structure.RootNode].Rows++
	t.Filled[t.Row.Filled]++
	t.SeeKinds(line)
	s.seeTime(line)
	for i := range t.Columns.All {
		place := t.Columns.All[i].Place
		cell := t.Row.Spans[i].Of(line)
		if len(cell) == 0 || place == structure.NoNode {
			continue
		}
		t.Cell = t.Columns.AppendCell(t.Cell[:0], cell, t.Columns.All[i].IsText)
		s.lineFields.add(s.places.Paths.Path(place), t.Cell)
		if t.Columns.MayBeRow && s.lineFields != nil { // the columns may get numbers later
			s.lineFields.add(formats.NumberedName(i), t.Cell)
		}
		s.values.addScalar(t.Cell, jsonx.KindOf(t.Cell[0]), place)
	}
}
