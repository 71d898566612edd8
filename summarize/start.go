package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// commonStart is what many of the templates that are shown begin with: the words of one of them, said once.
type commonStart struct {
	of    *template // nil when there is none worth it
	words int
}

// startOf finds the common start that saves most bytes. It begins the most frequent template.
func (s *Summary) startOf(isShown func(template int) bool) (best commonStart) {
	w := &s.facts
	var first *template
	saved := 0
	for _, i := range w.byCount {
		if !isShown(i) {
			continue
		}
		t := &s.templates.all[i]
		if first == nil {
			first = t
		}
		if bytes.HasPrefix(t.text, []byte(jsonx.Ellipsis)) {
			return commonStart{} // it could be taken for one that is cut
		}
	}
	if first == nil {
		return best
	}
	length := 0
	for n := 1; n < len(first.words); n++ {
		length += len(first.word(n-1)) + len(" ")
		start := commonStart{first, n}
		sharing := 0
		for _, i := range w.byCount {
			if isShown(i) && start.begins(&s.templates.all[i]) {
				sharing++
			}
		}
		if sharing < 2 {
			break
		}
		if less := sharing*(length-len(jsonx.Ellipsis+" ")) - length - len(`"start":"",`); less > saved {
			best, saved = start, less
		}
	}
	if best.of == nil {
		return best
	}
	return s.withAllNumbers(best, isShown)
}

// withAllNumbers returns the start with the numbers of all templates that are shown and begin with it.
func (s *Summary) withAllNumbers(start commonStart, isShown func(template int) bool) commonStart {
	of := *start.of
	of.words = slices.Clone(of.words)
	for _, i := range s.facts.byCount {
		if t := &s.templates.all[i]; isShown(i) && start.begins(t) {
			for j := range start.words {
				of.words[j].joinNumbers(&t.words[j])
			}
		}
	}
	return commonStart{&of, start.words}
}

// begins says whether a template begins with it, and goes on.
func (c commonStart) begins(t *template) bool {
	if c.of == nil || len(t.words) <= c.words {
		return false
	}
	for i := range c.words {
		if len(t.word(i)) == 0 || !bytes.Equal(t.word(i), c.of.word(i)) {
			return false
		}
	}
	return true
}
