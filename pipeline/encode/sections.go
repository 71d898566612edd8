package encode

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
)

// In a frame a page is an array of sections, each with its facts, its lines, and how many units it leaves out. There
// are no gaps: the numbers of the lines tell where they are.

// AppendFacts implements Encoding: the facts are an object.
func (JSON) AppendFacts(dst []byte, section *SectionFacts) []byte {
	from := len(dst)
	dst = append(dst, '{')
	for _, c := range section.Totals {
		dst = append(appendInt(append(append(dst, '"'), c.Text...), `":`, c.N), ',')
	}
	if len(section.Verdicts) > 0 {
		dst = append(dst, `"verdicts":`...)
		counts := make([]RuleCount, len(section.Verdicts))
		for i, c := range section.Verdicts {
			counts[i] = RuleCount{Rule: c.Text, Count: c.N}
			if c.IsIndented {
				counts[i].Rule = "  " + c.Text
			}
		}
		dst = append(appendCounts(dst, counts), ',')
	}
	if section.Tree != nil {
		tree := len(dst) - 1
		mark := dst[tree] // where the object of the tree begins
		dst = section.Tree.AppendOf(dst[:tree], factsOfPage(section.Tree, section.AreHits))
		if dst[tree] = mark; len(dst) > tree+len("{}") {
			return dst
		}
		dst = dst[:tree+1]
	}
	if len(dst) == from+1 {
		return dst[:from]
	}
	dst[len(dst)-1] = '}'
	return dst
}

// AppendSection implements excerpt.Layout.
func (JSON) AppendSection(dst []byte, s *excerpt.Section) []byte {
	return append(appendLeftOut(append(beginSection(dst, s), `,"lines":[]`...), s), ',')
}

// beginSection appends what stands before the lines of a section.
func beginSection(dst []byte, s *excerpt.Section) []byte {
	dst = appendInt(dst, `{"chunks":[`, s.First)
	dst = append(appendInt(dst, ",", s.Last), ']')
	if s.Name != "" {
		dst = jsonx.AppendCanonicalString(append(dst, `,"name":`...), []byte(s.Name))
	}
	if len(s.Facts) > 0 {
		dst = appendJSON(dst, `,"facts":`, s.Facts)
	}
	return dst
}

// appendLeftOut ends a section.
func appendLeftOut(dst []byte, s *excerpt.Section) []byte {
	if s.LeftOut > 0 {
		dst = appendInt(dst, `,"left_out":`, s.LeftOut)
	}
	return append(dst, '}')
}

// AppendLine implements excerpt.Layout.
func (JSON) AppendLine(dst []byte, l *excerpt.Line) []byte {
	dst = appendInt(dst, `{"chunk":`, l.Number)
	dst = jsonx.AppendCanonicalString(append(dst, `,"text":`...), l.AppendText(nil))
	if l.Note != "" {
		dst = jsonx.AppendCanonicalString(append(dst, `,"note":`...), []byte(l.Note))
	}
	return append(dst, "},"...)
}

// AppendGap implements excerpt.Layout.
func (JSON) AppendGap(dst []byte, _ *excerpt.Gap) []byte { return dst }

// appendSections appends a page as the member of a frame, if it says anything.
func appendSections(dst []byte, page *excerpt.Page) []byte {
	if page.IsEmpty() {
		return dst
	}
	dst = append(dst, `,"sections":[`...)
	var open *excerpt.Section
	hasLines := false
	end := func() {
		if open == nil {
			return
		}
		if hasLines {
			dst[len(dst)-1] = ']'
		}
		dst = append(appendLeftOut(dst, open), ',')
	}
	for i := 0; i < len(page.Parts); i++ {
		switch part := page.Parts[i]; {
		case part.Section != nil:
			end()
			open, hasLines = part.Section, false
			dst = beginSection(dst, open)
		case part.Line != nil:
			if !hasLines {
				dst = append(dst, `,"lines":[`...)
			}
			hasLines = true
			line := *part.Line
			for i+1 < len(page.Parts) && isMoreOf(&line, page.Parts[i+1].Line) {
				i++
				more := *page.Parts[i].Line
				line.IsCut = false
				text := line.AppendText(nil)
				line, more.IsCut = more, false
				line.Text, line.IsLater = more.AppendText(text), false
			}
			dst = JSON{}.AppendLine(dst, &line)
		}
	}
	end()
	dst[len(dst)-1] = ']'
	return dst
}

// isMoreOf reports whether next, if there is one, has later pieces of the unit that line has pieces of.
func isMoreOf(line, next *excerpt.Line) bool {
	return next != nil && next.IsLater && next.Number == line.Number && !line.IsRendered
}
