package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/facts"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/outline"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/worth"
)

// outlined is the outline of the lines as facts tell it.
type outlined struct {
	shape   outline.Shape
	entries []outline.Entry // lent
	more    int             // that had no room
	isShown []bool          // of entries
}

// addToOutline takes in a chunk of a response for its outline. Only lines have one.
func (s *Summary) addToOutline(r structure.Record) {
	if s.outline != nil && r.IsText && !r.GoesOn {
		s.outline.Add(r.Seq, r.Value)
	}
}

// outlineAlone says whether a response is told by its outline alone, whatever is still to come: then lines are read for
// nothing else.
type outlineAlone uint8

const (
	outlineOpen  outlineAlone = iota // it is not known yet
	outlineWhole                     // it is
	outlinePart                      // it is not
)

// isOutlineAlone reports whether what comes is read for the outline alone.
func (s *Summary) isOutlineAlone() bool {
	if s.alone == outlineOpen && s.outline != nil && s.outline.IsDecided() {
		s.lines.settle()
		s.alone = outlinePart
		if shape := s.shape(); shape == outline.Source || shape == outline.Document {
			s.alone = outlineWhole
		}
	}
	return s.alone == outlineWhole
}

// addToOutlineAlone takes in a chunk as a line, or as a part of one.
func (s *Summary) addToOutlineAlone(r structure.Record) {
	s.records++
	if r.GoesOn {
		s.lines.partsOfLines++
		return
	}
	s.text.Count++
	if r.IsText && bytes.IndexByte(r.Value, mask.Escape) >= 0 {
		s.lines.unescaped = mask.AppendWithoutEscapes(s.lines.unescaped[:0], r.Value)
		r.Value = s.lines.unescaped
	}
	s.outline.Add(r.Seq, r.Value)
}

// shape returns the shape by which the response is told, Lines if that is by its records, its fields and templates.
func (s *Summary) shape() outline.Shape {
	const most = 2 // in so many lines one that is told as a row, or has fields
	if s.outline == nil || s.jsonRecords() > 0 || s.lines.table.Rows*most > s.text.Count {
		return outline.Lines
	}
	shape := s.outline.Shape()
	if shape == outline.Text && s.hasForms() {
		return outline.Lines
	}
	return shape
}

// hasForms reports whether many lines have a form that others have, a level or a time: they are no text of sentences.
func (s *Summary) hasForms() bool {
	const least = 3 // lines of one form
	alike := 0
	for i := range s.text.Templates.All {
		if n := s.text.Templates.All[i].Count; n >= least {
			alike += n
		}
	}
	times, _ := s.text.LineTimes()
	return 4*alike >= s.text.Count || times != nil || s.text.Levels.Ranked(s.text.Count) != nil
}

// IsOutlined reports whether the response is told by its outline alone, so that its last lines are no more than others.
func (s *Summary) IsOutlined() bool {
	shape := s.shape()
	return shape == outline.Source || shape == outline.Document || shape == outline.Text
}

// isOrdinary reports whether that a record stands out by such a reason says nothing where the lines have a shape: all
// lines of code and of messages have words of their own.
func isOrdinary(by outlier.ReasonKind) bool {
	return by == outlier.ByWords || by == outlier.ByForm || by == outlier.ByLength || by == outlier.ByField
}

// hasOutline reports whether the lines are told by an outline, not by their forms and words. A run has both: most of it
// went well, and is told by its forms.
func (s *teller) hasOutline() bool {
	return s.outlined.shape != outline.Lines && s.outlined.shape != outline.Run
}

// planOutline adds the steps of the outline, if the response has one.
func (s *teller) planOutline() {
	w := &s.outlined
	*w = outlined{shape: s.shape(), isShown: w.isShown}
	if w.shape == outline.Lines {
		return
	}
	w.entries, w.more = s.outline.Entries()
	for i := range w.entries {
		e := &w.entries[i]
		if s.isEntryTold(e) {
			continue
		}
		cost := len(e.Text) + len(`{"line":999,"text":""},`)
		if e.IsChange {
			cost += len(`"added":99,"removed":99,`)
		}
		s.steps = append(s.steps, step{tells: perByte(e.Tells, cost), index: i, of: ofOutline, level: worth.Basic})
	}
}

// isEntryTold reports whether the line of an entry is shown elsewhere, and nothing is counted of it.
func (s *teller) isEntryTold(e *outline.Entry) bool {
	return !e.IsChange && e.Hits == 0 && (e.Line <= s.told || slices.Contains(s.toldLines, e.Line))
}

// writeOutline writes the shape and the entries that are shown, in the order of lines, and counts the others.
func (s *teller) writeOutline(o tree) {
	w := &s.outlined
	if w.shape == outline.Lines {
		return
	}
	o.AddText(facts.Shape, []byte(w.shape))
	for _, t := range s.outline.Totals() {
		o.Count(t.Kind, t.N)
	}
	isOpen, hidden := false, w.more
	for i := range w.entries {
		e := &w.entries[i]
		switch {
		case !w.isShown[i] && s.isEntryTold(e):
			continue
		case !w.isShown[i]:
			hidden++
			continue
		case !isOpen:
			o.Open(facts.Outline)
			isOpen = true
		}
		o.OpenItem()
		o.Count(facts.EntryLine, e.Line)
		o.Add(facts.EntryText)
		o.Text = jsonx.AppendCanonicalString(o.Text, e.Text)
		if e.Is != "" {
			o.AddText(facts.EntryIs, []byte(e.Is))
		}
		if e.IsChange {
			o.Count(facts.EntryAdded, e.Added)
			o.Count(facts.EntryRemoved, e.Removed)
		}
		if e.Hits > 0 {
			o.Count(facts.EntryHits, e.Hits)
		}
		o.Close()
	}
	if isOpen {
		o.Close()
	}
	if hidden > 0 {
		o.Count(facts.MoreOutline, hidden)
	}
}

// Entries returns the outline of the lines, each entry with its counts; none if the lines have no
// shape.
func (s *Summary) Entries() []outline.Entry {
	if s.outline == nil {
		return nil
	}
	entries, _ := s.outline.Entries()
	return entries
}
