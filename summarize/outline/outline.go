// Package outline recognizes which shape lines have, source code, a document, a diff and the like, and keeps the lines
// that an agent needs next of each: declarations, headings, files.
//
// Lines come in by number, one at a time. Each shape in the registered list sees each line until it is decided which
// one the lines have, after 64 KiB or at their end; then only that one goes on. If no shape is sure, there is no
// outline. It is deterministic, and its memory has bounds: what is past them is counted.
//
// A new shape is a file here, which implements shape, and a line in newShapes.
package outline

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/facts"
)

const (
	decideAfter = 64 << 10 // bytes of lines by which the shape is decided
	longestLine = 4 << 10  // bytes of a line that shapes see
	leastLines  = 8        // that are not blank; fewer have no shape
)

// shape recognizes one shape and keeps its entries.
type shape interface {
	// add takes in a line, each in its order.
	add(l *line)
	// isSure reports whether the lines so far, of which so many are not blank, have the shape.
	isSure(lines int) bool
	// name is one word for the shape.
	name() Shape
	// outline returns the entries.
	outline() *list
	// totals appends what there are so many of in all.
	totals(to []Total) []Total
	// settle says that no other shape has the lines.
	settle()
	// reset forgets all lines.
	reset()
}

// unsettled is the part of a shape that goes on the same once it is settled.
type unsettled struct{}

func (unsettled) settle() {}

// Shape is the name of a shape. The empty one is that of lines without an outline.
type Shape string

// The shapes, each by one word.
const (
	Lines    Shape = ""
	Source   Shape = "source"
	Document Shape = "document"
	Diff     Shape = "diff"
	Commits  Shape = "commits"
	Search   Shape = "search"
	Run      Shape = "run"
	Text     Shape = "text"
)

// newShapes returns the registered list. The first one that is sure has the lines, so those with marks that no other
// text has come first.
func newShapes() []shape {
	return []shape{newDiff(), newCommits(), newOneline(), newSearch(), newSource(), newHTML(), newRST(), newMarkdown(),
		newManual(), newRun(), newProse()}
}

// Outline keeps the outline of lines.
type Outline struct {
	shapes  []shape
	winner  shape // nil before it is decided, and where no shape has the lines
	decided bool
	bytes   int
	lines   int // that are not blank
	line    line
	lent    []Total
}

// New returns an Outline of no lines.
func New() *Outline { return &Outline{shapes: newShapes()} }

// Reset forgets all lines.
func (o *Outline) Reset() {
	for _, s := range o.shapes {
		s.reset()
	}
	*o = Outline{shapes: o.shapes, lent: o.lent}
}

// Add takes in a line by its number. The text is not kept.
func (o *Outline) Add(number int, text []byte) {
	if o.decided && o.winner == nil {
		return
	}
	o.bytes += len(text) + len("\n")
	if o.line.set(number, text); len(o.line.body) > 0 {
		o.lines++
	}
	if o.winner != nil {
		o.winner.add(&o.line)
		return
	}
	for _, s := range o.shapes {
		s.add(&o.line)
	}
	if o.bytes >= decideAfter {
		o.winner = o.leading()
		if o.decided = true; o.winner != nil {
			o.winner.settle()
		}
	}
}

// IsDecided reports whether what comes no longer changes which shape the lines have.
func (o *Outline) IsDecided() bool { return o.decided }

// leading returns the shape that the lines so far have, nil if none is sure.
func (o *Outline) leading() shape {
	if o.decided {
		return o.winner
	}
	if o.lines < leastLines {
		return nil
	}
	for _, s := range o.shapes {
		if s.isSure(o.lines) {
			return s
		}
	}
	return nil
}

// Shape returns the shape of the lines so far.
func (o *Outline) Shape() Shape {
	if s := o.leading(); s != nil {
		return s.name()
	}
	return Lines
}

// Entries returns the entries of the lines so far in the order of lines, and how many more had no room. They are lent
// until the next line.
func (o *Outline) Entries() (entries []Entry, more int) {
	s := o.leading()
	if s == nil {
		return nil, 0
	}
	list := s.outline()
	return list.entries(), list.more
}

// Total is how many there are of what a shape counts.
type Total struct {
	Kind *facts.Kind
	N    int
}

// Totals returns what there are so many of in all. They are lent until the next call.
func (o *Outline) Totals() []Total {
	o.lent = o.lent[:0]
	if s := o.leading(); s != nil {
		o.lent = s.totals(o.lent)
	}
	return o.lent
}

// line is a line as shapes see it.
type line struct {
	number int
	text   []byte // without blanks at the end
	body   []byte // and without those at the beginning,
	indent int    // which are so many columns, a tab four
}

const tabWidth = 4

func (l *line) set(number int, text []byte) {
	text = text[:min(len(text), longestLine)]
	for len(text) > 0 && ascii.IsBlank(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	l.number, l.text, l.body, l.indent = number, text, text, 0
	for len(l.body) > 0 && (l.body[0] == ' ' || l.body[0] == '\t') {
		if l.indent++; l.body[0] == '\t' {
			l.indent += tabWidth - 1
		}
		l.body = l.body[1:]
	}
}

// isBlank reports whether there is nothing in the line.
func (l *line) isBlank() bool { return len(l.body) == 0 }
