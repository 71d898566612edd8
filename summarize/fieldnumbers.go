package summarize

import "github.com/kfw-dev/kfw/summarize/value"

// judgeLiterals finds the numbers that are none by the names of their fields, or of those beside them.
func (s *places) judgeLiterals() {
	for id := range s.fields {
		f, name := &s.fields[id], s.paths.Nodes[id].Name
		if f.Numbers != nil && value.EndsInWord(name, "version") && f.Literals.Decimals > 0 {
			f.Literals.HasPaddedEnd, f.Literals.IsUneven = true, true
		}
		of, isUnit := value.NameBeforeUnit(name)
		if !isUnit || f.IsExact() && len(f.Counts.Entries) < 2 || f.Numbers != nil {
			continue
		}
		for other := range s.fields {
			if n := &s.paths.Nodes[other]; other != id && n.Parent == s.paths.Nodes[id].Parent && value.IsAmountName(n.Name, of) {
				s.fields[other].Literals.UnitVaries = true
			}
		}
	}
}
