package summarize

import "github.com/kfw-dev/kfw/summarize/outlier"

// foldForms counts lines that are alone in their form among those of another, where they can be.
func (s *textLines) foldForms() {
	into := s.templates.Fold(&s.line)
	if s.out == nil || into == nil {
		return
	}
	s.out.EachKept(func(r *outlier.Row) {
		if at, isFolded := into[r.Form]; r.IsLine && isFolded {
			r.Form = at
		}
	})
}
