package summarize

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/facts"
)

// findFirstWords counts by what lines begin with: the service whose line it is, or its level. That is told where there
// are a few such words, and fewer than forms that begin with them. areAll says that every line begins with one.
func (s *teller) findFirstWords() (words []drain.FirstWord, areAll bool) {
	forms, lines := 0, 0
	for i := range s.text.Templates.All {
		t := &s.text.Templates.All[i]
		if t.Count == 0 || len(t.Words) < 2 || t.Words[0].Free || s.lines.isToldByKey(t) {
			continue
		}
		begins := t.FirstWords()
		if len(begins) == 0 {
			continue
		}
		forms++
		lines += t.Count
		for _, begin := range begins {
			same := slices.IndexFunc(words, func(w drain.FirstWord) bool { return bytes.Equal(w.Text, begin.Text) })
			if same >= 0 {
				words[same].Lines += begin.Lines
			} else if words = append(words, begin); len(words) > drain.MaxFirstWords {
				return nil, false
			}
		}
	}
	if len(words) < 2 || len(words) >= forms || float64(lines) < drain.LeastFirstWord*float64(s.text.Count) {
		return nil, false
	}
	slices.SortStableFunc(words, func(a, b drain.FirstWord) int { return cmp.Compare(b.Lines, a.Lines) })
	return words, lines == s.text.Count
}

// firstWords writes words, and how many lines begin with each.
func (o tree) firstWords(words []drain.FirstWord, areAll bool) {
	o.Open(facts.FirstWords)
	if !areAll {
		o.MakeEstimate()
	}
	for _, w := range words {
		o.CountNamed(w.Text, w.Lines)
	}
	o.Close()
}
