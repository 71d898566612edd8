package summarize

import (
	"slices"

	"github.com/kfw-dev/kfw/summarize/outlier"
)

// addFailures makes candidates of the first and the last failure if others took their place. The
// candidates have been weighed.
func (s *outliers) addFailures() {
	o := s.text.Out
	if !s.text.AreFewFailures() {
		return
	}
	for _, failure := range o.Failures {
		if slices.ContainsFunc(o.Candidates[:o.Used],
			func(r *outlier.Row) bool { return r.Seq == failure.Seq && r.IsLine }) {
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
