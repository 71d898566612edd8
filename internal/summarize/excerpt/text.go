package excerpt

import (
	"bytes"
	"fmt"
	"strconv"
)

// Text writes each part of a page as lines: a fact after "= ", a line after its number, a gap after "… ". Facts are
// lines with their ends.
type Text struct{}

// FactPrefix begins a line that is a fact.
const FactPrefix = "= "

// AppendSection implements Layout.
func (Text) AppendSection(dst []byte, s *Section) []byte {
	facts := s.Facts
	if s.Name == "" && (s.IsAll || facts == nil) {
		return append(dst, facts...)
	}
	dst = append(dst, FactPrefix...)
	if s.Name != "" {
		dst = append(append(dst, s.Name...), ", "...)
	}
	dst = fmt.Appendf(dst, "%d to %d", s.First, s.Last)
	if facts == nil {
		return append(dst, '\n')
	}
	return append(append(dst, ": "...), bytes.TrimPrefix(facts, []byte(FactPrefix))...)
}

// AppendLine implements Layout. A line has its number, unless it brings its own. What is added to it is in signs of
// kfw's own.
func (Text) AppendLine(dst []byte, l *Line) []byte {
	if !l.BringsNumber {
		dst = append(strconv.AppendInt(dst, int64(l.Number), 10), ": "...)
	}
	dst = append(l.AppendText(dst), '\n')
	if l.Note == "" {
		return dst
	}
	return fmt.Appendf(dst[:len(dst)-1], "  ‹%s›\n", l.Note)
}

// AppendText appends the text of a line, with an ellipsis where it is cut.
func (l *Line) AppendText(dst []byte) []byte {
	if l.IsLater {
		dst = append(dst, ellipsis...)
	}
	dst = append(dst, l.Text...)
	if l.IsCut {
		dst = append(dst, ellipsis...)
	}
	return dst
}

// AppendGap implements Layout.
func (Text) AppendGap(dst []byte, g *Gap) []byte {
	dst = fmt.Appendf(dst, "… %d %s", g.Units, g.Noun)
	if g.Units != 1 {
		dst = append(dst, 's')
	}
	if g.Where != "" {
		dst = append(append(dst, " as shown in "...), g.Where...)
	}
	if g.Filled != "" {
		dst = append(append(dst, ": "...), g.Filled...)
	}
	return append(dst, '\n')
}

// Append appends the parts of a page in order; of no page nothing.
func (p *Page) Append(dst []byte, f Layout) []byte {
	if p == nil {
		return dst
	}
	for _, part := range p.Parts {
		switch {
		case part.Section != nil:
			dst = f.AppendSection(dst, part.Section)
		case part.Line != nil:
			dst = f.AppendLine(dst, part.Line)
		default:
			dst = f.AppendGap(dst, part.Gap)
		}
	}
	return dst
}
