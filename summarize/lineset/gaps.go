package lineset

import (
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/value"
)

// CameElsewhere reports whether a number that is missing before a line of a form may have come in a
// line of another form that begins with the same word.
func (s *Lines) CameElsewhere(r *outlier.Row, why *outlier.Reason) bool {
	form, at := why.N/fields.LineNumbers-1, why.N%fields.LineNumbers
	if form < 0 {
		form = r.Form // among the lines of all
	}
	if form < 0 || form >= len(s.Templates.All) || len(s.Templates.All[form].Words) == 0 {
		return false
	}
	before, isBefore := value.ParseDigits(why.Before.Of(r.Bytes))
	after, isAfter := value.ParseDigits(why.Text.Of(r.Bytes))
	if !isBefore || !isAfter {
		return false
	}
	low, high := float64(min(before, after)), float64(max(before, after))
	first := &s.Templates.All[form].Words[0]
	place := s.Templates.All[form].WholeNumber(at)
	for i := range s.Templates.All {
		t := &s.Templates.All[i]
		if i == form || t.Count == 0 || len(t.Words) == 0 || t.Words[0].Hash != first.Hash || t.Words[0].Free {
			continue
		}
		if other := t.WholeNumber(at); other >= 0 && t.Words[other].HasBetween(low, high) {
			return true
		}
		if t.HasFree(place) { // of which the numbers are not kept
			return true
		}
	}
	return false
}
