package outline

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

const (
	maxEntries = 2048
	maxBytes   = 96 << 10 // of the texts of all entries
	maxText    = 160      // bytes of the text of one
)

// Entry is one line of an outline.
type Entry struct {
	Line  int     // its number
	Text  []byte  // the line, or a part of it; an ellipsis is where it is cut
	Tells float64 // how much it tells, on the scale of package worth
	Count
}

// Count is what an entry counts of the lines under it.
type Count struct {
	Is             string // what the file is: "new", "deleted", "renamed"
	Added, Removed int    // lines
	IsChange       bool   // these are counted
	Hits           int    // of a search; 0 where they are not counted
}

// list holds the entries of a shape, those that tell most if there are too many.
type list struct {
	all     []Entry // Text is nil,
	spans   []span  // as it is here
	arena   []byte
	more    int     // that had no room
	strays  int     // lines that are no part of the shape
	least   float64 // what an entry has to tell, since others gave way
	scratch []float64
	lent    []Entry
}

type span struct{ from, to int }

func (l *list) reset() {
	*l = list{all: l.all[:0], spans: l.spans[:0], arena: l.arena[:0], scratch: l.scratch, lent: l.lent}
}

// add adds an entry for a line, whose text is cut if it is long, and returns its index, -1 if it had no room. Indices
// hold until the next add.
func (l *list) add(number int, text []byte, tells float64) int {
	if tells < l.least {
		l.more++
		return -1
	}
	for len(l.all) >= maxEntries || len(l.arena)+maxText+len(jsonx.Ellipsis) > maxBytes {
		l.makeRoom()
		if tells < l.least {
			l.more++
			return -1
		}
	}
	from := len(l.arena)
	if len(text) > maxText {
		shown := jsonx.WholeWords(text, maxText)
		if len(shown) == 0 {
			shown = jsonx.WholeCharacters(text, maxText)
		}
		l.arena = append(append(l.arena, shown...), jsonx.Ellipsis...)
	} else {
		l.arena = append(l.arena, text...)
	}
	l.all = append(l.all, Entry{Line: number, Tells: tells})
	l.spans = append(l.spans, span{from, len(l.arena)})
	return len(l.all) - 1
}

// tellsStray is what the first line tells that lines of the shape are not expected to have. The second one tells half.
const tellsStray = 1.4

// stray adds a line that is no part of the shape.
func (l *list) stray(of *line) {
	l.strays++
	l.add(of.number, of.text, tellsStray/float64(l.strays))
}

// tellsFlag is what a line tells that whoever reads a program looks for: what is to be done, and what ends the run.
const tellsFlag = 0.7

// hasFlag reports whether a line of a program has one of the words that readers look for.
func hasFlag(text []byte) bool {
	for _, word := range [...]string{"TODO", "FIXME", "XXX", "HACK", "panic(", "Fatal"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// of returns the entry of a line, nil if there is none. Entries have been added in the order of lines.
func (l *list) of(number int) *Entry {
	at, found := slices.BinarySearchFunc(l.all, number, func(e Entry, number int) int { return e.Line - number })
	if !found {
		return nil
	}
	return &l.all[at]
}

// dropLast removes the last entry if it is that of a line.
func (l *list) dropLast(number int) {
	if last := len(l.all) - 1; last >= 0 && l.all[last].Line == number {
		l.arena = l.arena[:l.spans[last].from]
		l.all, l.spans = l.all[:last], l.spans[:last]
	}
}

// makeRoom drops the weaker half of the entries, of those that tell the same the later ones.
func (l *list) makeRoom() {
	l.scratch = l.scratch[:0]
	for i := range l.all {
		l.scratch = append(l.scratch, l.all[i].Tells)
	}
	slices.Sort(l.scratch)
	half := len(l.scratch) / 2
	l.least = l.scratch[half]
	room := len(l.scratch) - half // how many stay
	stronger := 0
	for _, tells := range l.scratch {
		if tells > l.least {
			stronger++
		}
	}
	equal := room - stronger // of those that tell as much as the weakest that stays
	kept, end := 0, 0
	for i := range l.all {
		e := l.all[i]
		if e.Tells == l.least {
			equal--
		}
		if e.Tells < l.least || e.Tells == l.least && equal < 0 {
			l.more++
			continue
		}
		n := copy(l.arena[end:], l.arena[l.spans[i].from:l.spans[i].to])
		l.all[kept], l.spans[kept] = e, span{end, end + n}
		kept, end = kept+1, end+n
	}
	l.all, l.spans, l.arena = l.all[:kept], l.spans[:kept], l.arena[:end]
	if stronger == 0 { // all are alike: the first ones stay
		l.least *= 1 + 1e-9
	}
}

// entries returns all entries, in the order of lines: one of each line.
func (l *list) entries() []Entry {
	l.lent = append(l.lent[:0], l.all...)
	for i, s := range l.spans {
		l.lent[i].Text = l.arena[s.from:s.to]
	}
	slices.SortStableFunc(l.lent, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(b.Tells, a.Tells))
	})
	l.lent = slices.CompactFunc(l.lent, func(a, b Entry) bool { return a.Line == b.Line })
	return l.lent
}
