package summarize

// foldForms counts lines that are alone in their form among those of another, where they can be.
func (s *Summary) foldForms() {
	into := s.templates.Fold(&s.line)
	if s.out == nil || into == nil {
		return
	}
	s.out.eachKept(func(r *row) {
		if at, isFolded := into[r.form]; r.isLine && isFolded {
			r.form = at
		}
	})
}
