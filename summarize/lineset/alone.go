package lineset

import "github.com/kfw-dev/kfw/summarize/outlier"

// FoldForms counts lines that are alone in their form among those of another, where they can be.
func (s *Lines) FoldForms() {
	into := s.Templates.Fold(&s.Line)
	if s.Out == nil || into == nil {
		return
	}
	s.Out.EachKept(func(r *outlier.Row) {
		if at, isFolded := into[r.Form]; r.IsLine && isFolded {
			r.Form = at
		}
	})
}
