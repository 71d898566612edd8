package truth

import "strings"

// entry judges a line of an outline: it is the line of that number, or a part of it, and counts of it are right.
func (j *judge) entry(s *Said, e *Entry) {
	if e.Line < s.First || e.Line > s.Last {
		j.says("outline: line %d: %s: there is no such line", e.Line, e.Text)
		return
	}
	text, isCut := strings.CutSuffix(e.Text, "…")
	if line := j.Chunks[e.Line-1]; !strings.Contains(line, text) && !(isCut && strings.Contains(line, e.Text)) {
		j.says("outline: line %d: %s: it is %s", e.Line, e.Text, line)
	}
	of := j.Outlined[e.Line]
	if e.Is != of.Is {
		j.says("outline: line %d: %s: is %q, not %q", e.Line, e.Text, e.Is, of.Is)
	}
	for _, c := range e.Counts {
		if want := of.Counts[c.Value]; c.N != want {
			j.says("outline: line %d: %s: %s: %d, of %d", e.Line, e.Text, c.Value, c.N, want)
		}
	}
}
