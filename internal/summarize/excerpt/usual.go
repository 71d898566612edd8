package excerpt

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
)

// Count is how many units of a section are alike.
type Count struct {
	Text       string
	N          int
	IsIndented bool
	isLast     bool // the text is a word that does not begin the unit
}

// leastVerdicts is how many verdicts a section has at least for a page to report them.
const leastVerdicts = 5

// unitsOfVerdict is the most units for each verdict. If verdicts are rarer, the words mean something else.
const unitsOfVerdict = 500

// mostVerdicts is how many different words verdicts may have; with more, the words mean something else.
const mostVerdicts = 24

// verdicts counts the units of a section that report how a test or a step ended, by the word or the sign they use.
type verdicts []Count

func (v *verdicts) add(of verdict) {
	for i := range *v {
		one := &(*v)[i]
		if one.Text == of.word && one.IsIndented == of.isIndented && one.isLast == of.isLast {
			one.N++
			return
		}
	}
	if len(*v) < mostVerdicts {
		*v = append(*v, Count{Text: of.word, N: 1, IsIndented: of.isIndented, isLast: of.isLast})
	}
}

// verdict is how a unit says that a test or a step ended; word is empty if it does not.
type verdict struct {
	word       string
	isIndented bool
	isLast     bool // the word does not begin the unit
}

func verdictOf(shown []byte) verdict {
	word := lineclass.VerdictWord(shown)
	if len(word) == 0 {
		return verdict{}
	}
	return verdict{string(word), shown[0] == ' ' || shown[0] == '\t',
		!bytes.HasPrefix(bytes.TrimLeft(shown, " \t"), word)}
}

// Verdicts returns how many units of the current section report how a test or a step ended, by the word or the sign
// they use, the most frequent first; nil if hardly any do. Indented units, which are parts of tests, follow the others.
// Verdicts before and after a name are counted apart, because the same test may print both: "FAILED
// …" and "… FAILED".
func (w *watched) Verdicts() []Count {
	if w.IsQuoting() {
		return nil
	}
	s := w.sections.last()
	counts := slices.Clone(s.verdicts)
	sum := 0
	for _, c := range counts {
		sum += c.N
	}
	if sum < leastVerdicts || sum*unitsOfVerdict < s.seen || len(counts) == mostVerdicts {
		return nil
	}
	for i := range counts {
		one := &counts[i]
		if slices.ContainsFunc(s.verdicts, func(c Count) bool { return c.Text == one.Text && c.isLast != one.isLast }) {
			if one.isLast {
				one.Text = ellipsis + " " + one.Text
			} else {
				one.Text += " " + ellipsis
			}
		}
	}
	slices.SortStableFunc(counts, func(a, b Count) int {
		if a.IsIndented != b.IsIndented {
			if a.IsIndented {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.N, a.N)
	})
	return counts
}

// Names of totals.
const (
	totalHits    = "hits"
	totalCommits = "commits"
	totalFiles   = "files"
	totalAdded   = "added"
	totalRemoved = "removed"
)

// leastCommits is how many commits a section has at least for a page to count them.
const leastCommits = 3

// Totals returns how large a search, a log of commits or a diff in the current section is: its hits, its commits or its
// lines, and its files, unless these are too many to be distinguished. What a compiler says is no search.
func (w *watched) Totals() (totals []Count) {
	s := w.sections.last()
	if s.commits >= leastCommits {
		totals = append(totals, Count{Text: totalCommits, N: s.commits})
	}
	switch {
	case s.areHits() && s.matched > 2*s.columns:
		totals = append(totals, Count{Text: totalHits, N: s.matched})
		if !s.paths.isCut {
			totals = append(totals, Count{Text: totalFiles, N: len(s.paths.known)})
		}
	case s.isDiff():
		totals = append(totals, Count{Text: totalFiles, N: s.changes.files},
			Count{Text: totalAdded, N: s.changes.added},
			Count{Text: totalRemoved, N: s.changes.removed})
	}
	return totals
}
