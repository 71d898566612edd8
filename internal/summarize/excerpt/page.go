package excerpt

import (
	"cmp"
	"slices"
)

// Page is what a reader gets of a response, in order.
type Page struct {
	Parts    []Part
	From, To int     // the widest range of units that is left out; 0 and 0 if none is
	Shown    []Shown // what it shows, where there is a memory
	Missing  int     // units that it leaves out and that the reader was not shown before, whole
}

// Part is a section, a line or a gap; the other two fields are nil.
type Part struct {
	Section *Section
	Line    *Line
	Gap     *Gap
}

// Section is what a page says of a section, before the first line that is shown of it.
type Section struct {
	First, Last int    // its units, by the numbers that are shown
	IsAll       bool   // the response has no other section
	Name        string // what its lines begin with, and do not show
	Facts       []byte // one of its Facts; nil if none are shown
	LeftOut     int    // units that are not shown
}

// Line is a unit, or pieces of one that follow each other.
type Line struct {
	Number       int
	Text         []byte
	IsLater      bool // the text does not begin where the unit does
	IsCut        bool // it does not end there
	IsRendered   bool // it is the whole shown part of the unit, no piece of that
	BringsNumber bool // the text begins with a number of its own
	Note         string
}

// Gap is units that are not shown.
type Gap struct {
	Units  int
	Noun   string
	Filled string // the templates of most of them
	Where  string // the response of which the reader was shown them; empty if that is not said
}

// Layout writes the parts of a page. A part costs what its layout appends, which may be nothing.
type Layout interface {
	AppendSection(dst []byte, s *Section) []byte
	AppendLine(dst []byte, l *Line) []byte
	AppendGap(dst []byte, g *Gap) []byte
}

// page returns the parts in order, with the gaps between them.
func (c *composer) page(order []part, gaps []gap) *Page {
	widest := widestOf(c.outside(gaps))
	p := &Page{Parts: make([]Part, 0, 2*len(order)+1), From: widest.from, To: widest.to}
	leftOut, saidLength := 0, false
	addGap := func(g gap) {
		for part, r := range c.parts(g) {
			if part.units() > 0 {
				p.Parts = append(p.Parts, Part{Gap: &Gap{Units: part.units(), Noun: c.room.Noun, Filled: part.filled}})
			}
			if r != nil {
				p.Parts = append(p.Parts, Part{Gap: r.gap(c.room.Noun)})
			}
		}
	}
	var section *Section
	var line *Line
	ownsText := false // the line is of several pieces, copied
	for i, of := range order {
		leftOut += max(0, gaps[i].units())
		if !c.areRecords() {
			addGap(gaps[i])
		}
		if of.one == nil {
			said := c.section(of.section)
			section, line = &said, nil
			p.Parts = append(p.Parts, Part{Section: section})
			continue
		}
		one := of.one
		isMore := i > 0 && order[i-1].one != nil && order[i-1].one.place == one.place-1
		if isMore && one.is {
			if !ownsText {
				line.Text, ownsText = slices.Clip(line.Text), true
			}
			line.Text = append(line.Text, one.text...)
			line.IsCut = one.goes
		} else {
			next := c.line(one)
			next.IsCut = one.goes
			line, ownsText = &next, false
			p.Parts = append(p.Parts, Part{Line: line})
		}
		if line.Note = c.noteOf(one); one.note == ofLength && !saidLength {
			line.Note, saidLength = line.Note+" "+c.room.Noun+"s", true
		}
		if isNew := i == 0 || order[i-1].one == nil || order[i-1].one.n != one.n; isNew && section != nil {
			section.LeftOut--
		}
		if c.recall.memory != nil && one != c.cutOff {
			p.Shown = append(p.Shown, Shown{one.n, one.text})
		}
	}
	last := gaps[len(order)]
	if leftOut += max(0, last.units()); c.areRecords() {
		last = gap{from: 1, to: leftOut}
	}
	p.Missing = leftOut - c.recall.count
	addGap(last)
	return p
}

// section returns what is said of a section that has no line yet.
func (c *composer) section(i int) Section {
	s := &c.sections.all[i]
	return Section{First: s.first, Last: s.last, IsAll: len(c.looks) == 1, Name: s.name(), Facts: c.reports[i].facts,
		LeftOut: s.units()}
}

// line returns the line of a candidate, as if it were not cut, unless it tells a record.
func (c *composer) line(one *candidate) Line {
	return Line{Number: cmp.Or(one.number, one.n), Text: one.text, IsLater: one.is, IsRendered: one.isRendered,
		Note:  c.noteOf(one),
		IsCut: one.isRendered && one.goes,
		BringsNumber: !one.is && c.looks[c.sections.of(one.n)].bringNumbers && !c.areRecords() &&
			ownNumberLen(one.text) > 0}
}

// IsEmpty reports whether there is no page, or nothing of the response on it.
func (p *Page) IsEmpty() bool {
	return p == nil || !slices.ContainsFunc(p.Parts, func(part Part) bool { return part.Gap == nil })
}

// Shifted returns a page whose numbers are higher by so many. Those that lines bring with them stay.
func (p *Page) Shifted(by int) *Page {
	shifted := *p
	shifted.Parts = slices.Clone(p.Parts)
	for i := range shifted.Parts {
		switch part := &shifted.Parts[i]; {
		case part.Section != nil:
			s := *part.Section
			s.First, s.Last = s.First+by, s.Last+by
			part.Section = &s
		case part.Line != nil:
			l := *part.Line
			l.Number += by
			part.Line = &l
		}
	}
	if p.From > 0 {
		shifted.From, shifted.To = p.From+by, p.To+by
	}
	return &shifted
}
