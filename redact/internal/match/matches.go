package match

import (
	"slices"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// Set is what was found in a text and not passed on. Its places are those of In.Buf.
type Set struct {
	In      *Input
	Spans   []names.Span    // not begun; disjoint, in order
	Current names.Span      // the last one whose marker was written
	Growths []Growth        // what is being swallowed
	Key     structure.Block // the private key that is being swallowed
	Cut     Rest            // of a token that was cut where the text ends

	Observed func(rule int, offset int64, why names.Reason) // is called for each; nil without Observe and Explain
	Reason   names.Reason                                   // of those that are added
	// Lets reports whether the field that the text is in is allowed to keep what a rule finds; nil:
	// never
	Lets   func(rule int) bool
	WasLet bool // a match of the current text was allowed
}

// Growth is a match that has been let in before its end was read.
type Growth struct {
	Class     lex.Class
	Rule      int
	From, Pos int // read from and up to here
}

// Rest is what follows of a token that was cut.
type Rest struct {
	Class lex.Class
	Least int // bytes; 0: there is no such
	Rule  int
	End   int // of what was before
}

// Add takes the union of s with what has been found, except what is done.
func (m *Set) Add(s names.Span) {
	if m.IsLet(s.Rule) {
		return
	}
	if m.Observed != nil {
		s.Why = m.Reason
	}
	if s.Start < m.Current.End {
		m.Current.End = max(m.Current.End, s.End)
		s = m.Current
	} else if s.End > m.In.Done {
		s.Start = max(s.Start, m.In.Done)
		i, _ := slices.BinarySearchFunc(m.Spans, s.Start, func(x names.Span, at int) int { return x.End - at - 1 })
		j := i
		for ; j < len(m.Spans) && m.Spans[j].Start < s.End; j++ {
			switch x := m.Spans[j]; {
			case x.Start < s.Start:
				s.Start, s.Rule, s.Quotes, s.IsKey, s.Why = x.Start, x.Rule, x.Quotes, x.IsKey, x.Why
			case x.Start == s.Start:
				if x.Rule < s.Rule {
					s.Why = x.Why
				}
				s.Rule, s.Quotes, s.IsKey = min(s.Rule, x.Rule), max(s.Quotes, x.Quotes), s.IsKey || x.IsKey
			}
			s.End = max(s.End, m.Spans[j].End)
		}
		m.Spans = slices.Replace(m.Spans, i, j, s)
		return
	}
	n := 0
	for n < len(m.Spans) && m.Spans[n].Start < m.Current.End {
		m.Current.End = max(m.Current.End, m.Spans[n].End)
		n++
	}
	m.Spans = slices.Delete(m.Spans, 0, n)
}

// Grow swallows on what was let in before its end was read. isEnd says that the text, or a line of it, ends
// there.
func (m *Set) Grow(isEnd bool) {
	open := m.Growths[:0]
	for _, g := range m.Growths {
		if m.Extend(&g) == len(m.In.Buf) {
			open = append(open, g)
		}
	}
	m.Growths = open
	m.GrowKey(isEnd)
}

// Extend reads on the run of g and returns where it ends so far.
func (m *Set) Extend(g *Growth) int {
	end := g.Class.Run(m.In.Buf, g.Pos, len(m.In.Buf))
	if end > g.Pos {
		m.Add(names.Span{Start: g.Pos - 1, End: end, Rule: g.Rule})
		g.Pos = end
	}
	return end
}

// GrowKey swallows on in the private key that was begun, if one was.
func (m *Set) GrowKey(isEnd bool) {
	for {
		from := m.Key.Pos
		if m.Key.Open {
			m.Key.Read(m.In.Buf, isEnd)
		}
		if m.Key.Pos > from {
			if m.Key.Resumed {
				m.Key.Resumed = false // with a marker of its own
				from = min((lex.Whitespace|lex.Quote).Run(m.In.Buf, from, len(m.In.Buf)), m.Key.Pos-1)
			} else {
				from--
			}
			m.Add(names.Span{Start: from, End: m.Key.Pos, Rule: m.Key.Rule})
		}
		if !m.Key.Skip(m.In.Buf) {
			return
		}
	}
}

// Swallowing says whether a private key is under way.
func (m *Set) Swallowing() bool { return m.Key.Open }

// IsLet reports whether a match of the rule is allowed in the field that the text is in.
func (m *Set) IsLet(rule int) bool {
	isLet := m.Lets != nil && m.Lets(rule)
	m.WasLet = m.WasLet || isLet
	return isLet
}

// Move goes on in a buffer that begins by bytes later.
func (m *Set) Move(by int) {
	m.Key.Pos -= by
	m.Cut.End -= by
	m.Current.Start -= by
	m.Current.End -= by
	for i := range m.Spans {
		m.Spans[i].Start -= by
		m.Spans[i].End -= by
	}
	for i := range m.Growths {
		m.Growths[i].From -= by
		m.Growths[i].Pos -= by
	}
}
