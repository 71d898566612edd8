package lineset

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// TellUnderFailure tells a line with the failure that it is indented under, if that stands out, and
// reports whether it did. What succeeded there, as another test of the same file, explains nothing.
func (s *Lines) TellUnderFailure(r structure.Record) bool {
	o, f := s.Out, &s.Failure
	if o == nil || r.Seq != f.Next || f.Told == outlier.MaxUnderFailure || outlier.IndentOf(r.Value) <= f.Indent ||
		o.Used == 0 || o.Candidates[o.Used-1].Seq != f.Head {
		return false
	}
	if lineclass.HasVerdictOfSuccess(bytes.TrimSpace(r.Value)) {
		f.Next = 0
		return false
	}
	f.Next++
	f.Told++
	o.Candidates[o.Used-1].AddLine(r.Value)
	for _, failure := range o.Failures {
		if failure.Seq == f.Head {
			failure.AddLine(r.Value)
		}
	}
	return true
}

// AreFewFailures reports whether at most half of the lines are failures: else they are what is
// usual.
func (s *Lines) AreFewFailures() bool {
	return s.Out.Failures[0].Seq > 0 && 2*s.LineErrors <= s.Count
}

// FailuresFirst puts the first and the last failure before all that stands out otherwise.
func (s *Lines) FailuresFirst(rows []*outlier.Row) []*outlier.Row {
	if !s.AreFewFailures() {
		return rows
	}
	at := 0
	for _, failure := range s.Out.Failures {
		i := slices.IndexFunc(rows, func(r *outlier.Row) bool { return r.Seq == failure.Seq && r.IsLine })
		if i >= at {
			r := rows[i]
			rows = slices.Insert(slices.Delete(rows, i, i+1), at, r)
			at++
		}
	}
	return rows
}
