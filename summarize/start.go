package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
)

// startOf finds the common start that saves most bytes. It begins the most frequent template.
func (s *teller) startOf(isShown func(template int) bool) (best drain.CommonStart) {
	var first *drain.Template
	saved := 0
	for _, i := range s.byCount {
		if !isShown(i) {
			continue
		}
		t := &s.text.Templates.All[i]
		if first == nil {
			first = t
		}
		if bytes.HasPrefix(t.Text, []byte(jsonx.Ellipsis)) {
			return drain.CommonStart{} // it could be taken for one that is cut
		}
	}
	if first == nil {
		return best
	}
	length := 0
	for n := 1; n < len(first.Words); n++ {
		length += len(first.Word(n-1)) + len(" ")
		start := drain.CommonStart{Of: first, Words: n}
		sharing := 0
		for _, i := range s.byCount {
			if isShown(i) && start.Begins(&s.text.Templates.All[i]) {
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
	if best.Of == nil {
		return best
	}
	return s.withAllNumbers(best, isShown)
}

// withAllNumbers returns the start with the numbers of all templates that are shown and begin with it.
func (s *teller) withAllNumbers(start drain.CommonStart, isShown func(template int) bool) drain.CommonStart {
	of := *start.Of
	of.Words = slices.Clone(of.Words)
	for _, i := range s.byCount {
		if t := &s.text.Templates.All[i]; isShown(i) && start.Begins(t) {
			for j := range start.Words {
				of.Words[j].JoinNumbers(&t.Words[j])
			}
		}
	}
	return drain.CommonStart{Of: &of, Words: start.Words}
}
