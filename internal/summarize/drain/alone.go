package drain

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

const (
	LeastHeadings = 8 // different ones, before all others have a template in common
	leastFolded   = 8 // lines of a template that begin with any word, for others to be counted among them at the end
	anyHeading    = "<*>:"
)

// formOfHeadings returns the index of the template of headings that have none, -1 as long as there are few.
func (t *Templates) formOfHeadings() (at int) {
	if t.heading == 0 {
		last, headings := -1, 0
		for i := range t.All {
			if of := &t.All[i]; of.Count == 1 && len(of.Words) == 1 && bytes.HasSuffix(of.Word(0), []byte{':'}) {
				last = i
				headings++
			}
		}
		if headings < LeastHeadings {
			return -1
		}
		t.heading = last + 1
		t.All[last].replace(0, []byte(anyHeading))
		w := &t.All[last].Words[0]
		w.Free, w.path, w.hasNumber = true, 0, false
	}
	return t.heading - 1
}

// Fold counts each line that is the only one of its template among those of another that it would have joined, had that
// come before it: one whose lines begin with any word. Its own template is empty then. It returns into which template
// each has gone, by the one that it had; nil if none has.
func (t *Templates) Fold(m *mask.Line) (into map[int]int) {
	for i := range t.All {
		single := &t.All[i]
		if single.Count != 1 || len(single.Only) == 0 {
			continue
		}
		m.Set(single.Only)
		if len(m.Words) != len(single.Words) {
			continue
		}
		at := t.anyBeginning(m)
		if at < 0 {
			continue
		}
		of := &t.All[at]
		first, last := min(of.First, single.First), max(of.Last, single.Last)
		of.join(m, single.First)
		of.First, of.Last = first, last
		of.IsLate = of.IsLate || single.IsLate
		if single.Keyed > 0 {
			of.AddKey(single.Key)
		}
		single.Count, single.Only = 0, nil
		t.unlink(i)
		if into == nil {
			into = map[int]int{}
		}
		into[i] = at
	}
	return into
}

// anyBeginning returns the template of many lines, which begin with any word, that is most like a line; -1 if none is.
func (t *Templates) anyBeginning(m *mask.Line) int {
	if m.IsHeading() {
		return t.heading - 1
	}
	best, bestScore, hash := -1, -1, m.HashWith(len(m.Words)-1)
	for i := int(t.indexes[byLast][hash%templateLeaves]) - 1; i >= 0; i = int(t.All[i].links[byLast].next) - 1 {
		of := &t.All[i]
		if of.links[byLast].hash != hash || of.Count < leastFolded || !of.Words[0].Free {
			continue
		}
		if score := of.similarity(m); score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}
