package summarize

import "slices"

// keepFailure keeps the current line as the last failure, and as the first if there was none, if a
// mark says that it is an error.
func (o *outstanding) keepFailure() {
	if !slices.ContainsFunc(o.row.reasons, func(why reason) bool { return why.by == byError && why.isMarked }) {
		return
	}
	if o.failures[0].seq == 0 {
		o.failures[0].keep(o.row)
	}
	o.failures[1].keep(o.row)
}

// areFewFailures reports whether at most half of the lines are failures: else they are what is
// usual.
func (s *Summary) areFewFailures() bool {
	return s.out.failures[0].seq > 0 && 2*s.lineErrors <= s.lines
}

// addFailures makes candidates of the first and the last failure if others took their place. The
// candidates have been weighed.
func (s *Summary) addFailures() {
	o := s.out
	if !s.areFewFailures() {
		return
	}
	for _, failure := range o.failures {
		if slices.ContainsFunc(o.candidates[:o.used], func(r *row) bool { return r.seq == failure.seq && r.isLine }) {
			continue
		}
		if o.used == maxCandidates {
			o.used--
			o.crowded++
		}
		r := o.candidates[o.used]
		o.used++
		r.keep(failure)
		for i := range r.reasons {
			r.reasons[i].score = s.weigh(r, &r.reasons[i])
		}
		r.rank()
	}
}

// failuresFirst puts the first and the last failure before all that stands out otherwise.
func (s *Summary) failuresFirst(rows []*row) []*row {
	if !s.areFewFailures() {
		return rows
	}
	at := 0
	for _, failure := range s.out.failures {
		i := slices.IndexFunc(rows, func(r *row) bool { return r.seq == failure.seq && r.isLine })
		if i >= at {
			r := rows[i]
			rows = slices.Insert(slices.Delete(rows, i, i+1), at, r)
			at++
		}
	}
	return rows
}
