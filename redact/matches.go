package redact

import (
	"slices"

	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/structure"
)

// matches is what was found in a text and not passed on. Its places are those of the buffer of in.
type matches struct {
	in      *input
	spans   []names.Span    // not begun; disjoint, in order
	current names.Span      // the last one whose marker was written
	growths []growth        // what is being swallowed
	key     structure.Block // the private key that is being swallowed
	cut     rest            // of a token that was cut where the text ends

	observed func(rule int, offset int64, why names.Reason) // is called for each; nil without Observe and Explain
	reason   names.Reason                                   // of those that are added
	// lets reports whether the field that the text is in is allowed to keep what a rule finds; nil: never
	lets func(rule int) bool
}

// growth is a match that has been let in before its end was read.
type growth struct {
	class     lex.Class
	rule      int
	from, pos int // read from and up to here
}

// rest is what follows of a token that was cut.
type rest struct {
	class lex.Class
	least int // bytes; 0: there is no such
	rule  int
	end   int // of what was before
}

// add takes the union of s with what has been found, except what is done.
func (m *matches) add(s names.Span) {
	if m.isLet(s.Rule) {
		return
	}
	if m.observed != nil {
		s.Why = m.reason
	}
	if s.Start < m.current.End {
		m.current.End = max(m.current.End, s.End)
		s = m.current
	} else if s.End > m.in.done {
		s.Start = max(s.Start, m.in.done)
		i, _ := slices.BinarySearchFunc(m.spans, s.Start, func(x names.Span, at int) int { return x.End - at - 1 })
		j := i
		for ; j < len(m.spans) && m.spans[j].Start < s.End; j++ {
			switch x := m.spans[j]; {
			case x.Start < s.Start:
				s.Start, s.Rule, s.Quotes, s.IsKey, s.Why = x.Start, x.Rule, x.Quotes, x.IsKey, x.Why
			case x.Start == s.Start:
				if x.Rule < s.Rule {
					s.Why = x.Why
				}
				s.Rule, s.Quotes, s.IsKey = min(s.Rule, x.Rule), max(s.Quotes, x.Quotes), s.IsKey || x.IsKey
			}
			s.End = max(s.End, m.spans[j].End)
		}
		m.spans = slices.Replace(m.spans, i, j, s)
		return
	}
	n := 0
	for n < len(m.spans) && m.spans[n].Start < m.current.End {
		m.current.End = max(m.current.End, m.spans[n].End)
		n++
	}
	m.spans = slices.Delete(m.spans, 0, n)
}

// grow swallows on what was let in before its end was read.
func (m *matches) grow() {
	open := m.growths[:0]
	for _, g := range m.growths {
		if m.extend(&g) == len(m.in.buf) {
			open = append(open, g)
		}
	}
	m.growths = open
	m.growKey()
}

// extend reads on the run of g and returns where it ends so far.
func (m *matches) extend(g *growth) int {
	end := g.class.Run(m.in.buf, g.pos, len(m.in.buf))
	if end > g.pos {
		m.add(names.Span{Start: g.pos - 1, End: end, Rule: g.rule})
		g.pos = end
	}
	return end
}

func (m *matches) growKey() {
	from := m.key.Pos
	if m.key.Open {
		m.key.Read(m.in.buf)
	}
	if m.key.Pos > from {
		if m.key.Resumed {
			m.key.Resumed = false // with a marker of its own
		} else {
			from--
		}
		m.add(names.Span{Start: from, End: m.key.Pos, Rule: m.key.Rule})
	}
}

// swallowing says whether a private key is under way.
func (m *matches) swallowing() bool { return m.key.Open }

// isLet reports whether a match of the rule is allowed in the field that the text is in.
func (m *matches) isLet(rule int) bool { return m.lets != nil && m.lets(rule) }
