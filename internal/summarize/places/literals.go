package places

import "github.com/kfw-dev/kfw/internal/summarize/value"

// JudgeLiterals finds the numbers that are none by the names of their fields, or of those beside them.
func (s *Places) JudgeLiterals() {
	for id := range s.Fields {
		f, name := &s.Fields[id], s.Paths.Nodes[id].Name
		if f.Numbers != nil && value.EndsInWord(name, "version") && f.Written.Literals.Decimals > 0 {
			f.Written.Literals.HasPaddedEnd, f.Written.Literals.IsUneven = true, true
		}
		of, isUnit := value.NameBeforeUnit(name)
		if !isUnit || f.Seen.IsExact() && len(f.Seen.Counts.Entries) < 2 || f.Numbers != nil {
			continue
		}
		for other := range s.Fields {
			if n := &s.Paths.Nodes[other]; other != id && n.Parent == s.Paths.Nodes[id].Parent &&
				value.IsAmountName(n.Name, of) {
				s.Fields[other].Written.Literals.UnitVaries = true
			}
		}
	}
}
