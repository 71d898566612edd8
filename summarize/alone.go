package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/summarize/mask"
)

const (
	leastHeadings = 8 // different ones, before all others have a form in common
	leastFolded   = 8 // lines of a form that begin with any word, for others to be counted among them at the end
	anyHeading    = "<*>:"
)

// formOfHeadings returns the index of the form of headings that have none, -1 as long as there are few.
func (t *templates) formOfHeadings() (at int) {
	if t.heading == 0 {
		last, headings := -1, 0
		for i := range t.all {
			if of := &t.all[i]; of.count == 1 && len(of.words) == 1 && bytes.HasSuffix(of.word(0), []byte{':'}) {
				last = i
				headings++
			}
		}
		if headings < leastHeadings {
			return -1
		}
		t.heading = last + 1
		t.all[last].replace(0, []byte(anyHeading))
		w := &t.all[last].words[0]
		w.free, w.path, w.hasNumber, w.hasValue = true, 0, false, false
	}
	return t.heading - 1
}

// foldForms counts lines that are alone in their form among those of another, where they can be.
func (s *Summary) foldForms() {
	into := s.templates.fold(&s.line)
	if s.out == nil || into == nil {
		return
	}
	s.out.eachKept(func(r *row) {
		if at, isFolded := into[r.form]; r.isLine && isFolded {
			r.form = at
		}
	})
}

// fold counts each line that is the only one of its form among those of another that it would have joined, had that come before it: one
// whose lines begin with any word. Its own form is empty then. It returns into which form each has gone, by the one that it had; nil if
// none has.
func (t *templates) fold(m *mask.Line) (into map[int]int) {
	for i := range t.all {
		single := &t.all[i]
		if single.count != 1 || len(single.only) == 0 {
			continue
		}
		m.Set(single.only)
		if len(m.Words) != len(single.words) {
			continue
		}
		at := t.anyBeginning(m)
		if at < 0 {
			continue
		}
		of := &t.all[at]
		first, last := min(of.first, single.first), max(of.last, single.last)
		of.join(m, single.first)
		of.first, of.last = first, last
		of.isLate = of.isLate || single.isLate
		if single.keyed > 0 {
			of.addKey(single.key)
		}
		single.count, single.only = 0, nil
		t.unlink(i)
		if into == nil {
			into = map[int]int{}
		}
		into[i] = at
	}
	return into
}

// forms is how many forms have lines.
func (t *templates) forms() (n int) {
	for i := range t.all {
		if t.all[i].count > 0 {
			n++
		}
	}
	return n
}

// anyBeginning returns the form of many lines, which begin with any word, that is most like a line; -1 if none is.
func (t *templates) anyBeginning(m *mask.Line) int {
	if m.IsHeading() {
		return t.heading - 1
	}
	best, bestScore, hash := -1, -1, m.HashWith(len(m.Words)-1)
	for i := int(t.indexes[byLast][hash%templateLeaves]) - 1; i >= 0; i = int(t.all[i].links[byLast].next) - 1 {
		of := &t.all[i]
		if of.links[byLast].hash != hash || of.count < leastFolded || !of.words[0].free {
			continue
		}
		if score := of.similarity(m); score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}
