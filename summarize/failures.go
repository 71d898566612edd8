package summarize

import (
	"slices"

	"github.com/kfw-dev/kfw/summarize/outlier"
)

// areFewFailures reports whether at most half of the lines are failures: else they are what is
// usual.
func (s *textLines) areFewFailures() bool {
	return s.out.Failures[0].Seq > 0 && 2*s.lineErrors <= s.lines
}

// addFailures makes candidates of the first and the last failure if others took their place. The
// candidates have been weighed.
func (s *Summary) addFailures() {
	o := s.text.out
	if !s.text.areFewFailures() {
		return
	}
	for _, failure := range o.Failures {
		if slices.ContainsFunc(o.Candidates[:o.Used], func(r *outlier.Row) bool { return r.Seq == failure.Seq && r.IsLine }) {
			continue
		}
		if o.Used == outlier.MaxCandidates {
			o.Used--
			o.Crowded++
		}
		r := o.Candidates[o.Used]
		o.Used++
		r.Keep(failure)
		for i := range r.Reasons {
			r.Reasons[i].Score = s.weigh(r, &r.Reasons[i])
		}
		r.Rank()
	}
}

// failuresFirst puts the first and the last failure before all that stands out otherwise.
func (s *textLines) failuresFirst(rows []*outlier.Row) []*outlier.Row {
	if !s.areFewFailures() {
		return rows
	}
	at := 0
	for _, failure := range s.out.Failures {
		i := slices.IndexFunc(rows, func(r *outlier.Row) bool { return r.Seq == failure.Seq && r.IsLine })
		if i >= at {
			r := rows[i]
			rows = slices.Insert(slices.Delete(rows, i, i+1), at, r)
			at++
		}
	}
	return rows
}
