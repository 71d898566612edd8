package encode

import (
	"bytes"
	"strconv"

	"github.com/dustin/go-humanize"

	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
)

// Excerpt is what a page shows, and what its first line says of that.
type Excerpt struct {
	Page  *excerpt.Page // nil if there is no room for one
	Media string        // what a response is that is no text; empty for one that is
	Noun  string        // what a unit is called: line, record, chunk
}

// leftOut returns the widest range of units that is left out; 0 and 0 if none is.
func (e *Excerpt) leftOut() (from, to int) {
	if e.Page == nil {
		return 0, 0
	}
	return e.Page.From, e.Page.To
}

// What a unit of a page is called. Chunks are lines and values on several lines, or parts of a line.
const (
	Line   = "line"
	Record = "record"
	Chunk  = "chunk"
)

// appendPage appends the page of a frame that has an excerpt.
func (t Text) appendPage(dst []byte, f *Frame) []byte {
	dst = appendOwn(dst, string(t.appendHead(nil, f)))
	for _, w := range f.Warnings {
		dst = appendOwn(dst, string(w.Append(nil)))
	}
	return f.Excerpt.Page.Append(dst, t)
}

// appendHead appends the first line of a page without its prefix and its end: what came, what
// became of it, and how to get any of it.
func (t Text) appendHead(dst []byte, f *Frame) []byte {
	what := counted(f.Totals.Chunks, f.Excerpt.Noun)
	if f.Excerpt.Media != "" {
		what = "no text (" + f.Excerpt.Media + ")"
	}
	dst = append(append(dst, what...), ", "...)
	dst = append(dst, humanize.Bytes(uint64(f.Totals.Bytes))...)
	if f.Error != nil {
		dst = append(append(dst, "; "...), f.Error.text()...)
	}
	for i, r := range f.Totals.Redactions {
		if dst = append(dst, ", "...); i == 0 {
			dst = append(dst[:len(dst)-len(", ")], "; redacted: "...)
		}
		dst = append(append(append(dst, r.Rule...), ' '), strconv.Itoa(r.Count)...)
	}
	if f.Totals.SessionLeft >= 0 {
		dst = append(append(dst, "; session left "...), "    "[:f.Totals.Blanks]...)
		dst = strconv.AppendInt(dst, int64(f.Totals.SessionLeft), 10)
	}
	if f.Totals.Estimate {
		dst = append(dst, "; tokens are an estimate"...)
	}
	if f.Handle == "" {
		return dst
	}
	if f.NextOffset > 0 {
		return t.command(append(dst, "; more: "...), f, f.NextOffset)
	}
	return t.appendHow(append(dst, "; any of it: "...), f)
}

// appendHow appends how to get what a page leaves out.
func (t Text) appendHow(dst []byte, f *Frame) []byte {
	dst = t.command(dst, f, 0)
	if t.tool != "" || f.Filtered {
		return dst
	}
	if f.Excerpt.Media != "" {
		return append(dst, " --raw"...)
	}
	switch from, to := f.Excerpt.leftOut(); {
	case f.Excerpt.Noun == Record:
		dst = append(dst, " --where NAME=VALUE"...)
	case from > 0:
		dst = strconv.AppendInt(append(dst, " --lines "...), int64(from), 10)
		dst = strconv.AppendInt(append(dst, '-'), int64(to), 10)
		dst = append(dst, ", or --grep WORD -C 3"...)
	}
	return dst
}

// SectionFacts is what a page says of a section beside lines of it.
type SectionFacts struct {
	Tree     *facts.Tree     // nil if there are none
	AreHits  bool            // its lines are hits of a search
	Totals   []excerpt.Count // of a search or a diff
	Verdicts []excerpt.Count
}

// AppendFacts implements Encoding: each fact is a line, or several.
func (Text) AppendFacts(dst []byte, section *SectionFacts) []byte {
	var text []byte
	for _, c := range section.Totals {
		text = append(appendInt(append(text, c.Text...), ": ", c.N), '\n')
	}
	text = appendVerdicts(text, section.Verdicts)
	has := factsOfPage(section.Tree, section.AreHits)
	for fact := range section.Tree.All() {
		switch {
		case !has(facts.Fact{}, fact):
		case fact.Kind() == facts.Templates:
			for template := range fact.Inside() {
				if has(fact, template) {
					text = appendLine(text, appendTemplate(nil, template))
				}
			}
		case fact.Kind().Shape == facts.Named:
			text = appendNamedIf(text, fact, has)
		default:
			text = appendFact(text, fact)
		}
	}
	for line := range bytes.Lines(text) {
		line = excerpt.OneLine(bytes.TrimSuffix(line, []byte{'\n'}))
		dst = append(append(append(dst, excerpt.FactPrefix...), line...), '\n')
	}
	return dst
}

// appendVerdicts appends a line about how many lines say how a test or a step ended.
func appendVerdicts(dst []byte, verdicts []excerpt.Count) []byte {
	for i, c := range verdicts {
		isInner := c.IsIndented && (i == 0 || !verdicts[i-1].IsIndented)
		switch {
		case i == 0:
			dst = append(dst, "verdicts: "...)
		case isInner:
			dst = append(dst, "; "...)
		default:
			dst = append(dst, ", "...)
		}
		if isInner {
			dst = append(dst, "indented: "...)
		}
		dst = append(append(strconv.AppendInt(dst, int64(c.N), 10), " x "...), c.Text...)
	}
	if len(verdicts) > 0 {
		dst = append(dst, '\n')
	}
	return dst
}

// factsOfPage returns which facts a page says: not those that the excerpt or the first line shows, nor those that no
// reader acts on. in is the fact that another one is in, the zero Fact of those at the top. areHits says that the
// lines are hits of a search.
func factsOfPage(tree *facts.Tree, areHits bool) func(in, fact facts.Fact) bool {
	isInside := PlaceOf(tree) != "" // else the first line counts the records
	return func(in, fact facts.Fact) bool {
		switch {
		case in != (facts.Fact{}) && in.Kind() == nil:
			return isOfPage(in, fact)
		case in != (facts.Fact{}) && in.Kind() == facts.Templates:
			return tells(fact)
		case in != (facts.Fact{}):
			return in.Kind().Shape != facts.Named || tellsOfField(fact)
		case fact.Kind() == facts.Records:
			return isInside
		case fact.Kind() == facts.OtherFields:
			return hasName(fact)
		}
		return !isOfExcerpt(fact.Kind())
	}
}

// Bounds of a template that tells more than the lines of it that an excerpt shows.
const (
	leastOfTemplate = 4  // lines
	leastLetters    = 12 // in it
)

// tells reports whether a template is one of several lines that have words in common.
func tells(template facts.Fact) bool {
	n, _ := template.Find(facts.TemplateLines)
	text, _ := template.Find(facts.TemplateText)
	letters := 0
	inside := 0
	for _, c := range text.Value() {
		switch {
		case c == '<':
			inside++
		case c == '>':
			inside = max(0, inside-1)
		case inside == 0 && (c|0x20 >= 'a' && c|0x20 <= 'z'):
			letters++
		}
	}
	lines, err := strconv.Atoi(string(n.Value()))
	return err == nil && lines >= leastOfTemplate && letters >= leastLetters
}

// hasName reports whether one of the names of a fact is that of a field, and not the place of a column without a name.
func hasName(names facts.Fact) bool {
	for name := range names.Inside() {
		if !bytes.HasPrefix(name.Value(), []byte(`"$`)) {
			return true
		}
	}
	return false
}

// isOfPage reports whether a fact of a field is one that a reader of a page acts on. How values
// are spread beside their range is not, nor how many there are where all are listed.
func isOfPage(field, fact facts.Fact) bool {
	switch fact.Kind() {
	case facts.Mean, facts.Length, facts.Example:
		return false
	case facts.Distinct:
		_, isListed := field.Find(facts.Values)
		_, isCut := field.Find(facts.MoreValues)
		return !isListed || isCut
	}
	return true
}

// tellsOfField reports whether facts of a field say more than that its values differ, or that they are empty.
func tellsOfField(field facts.Fact) bool {
	for fact := range field.Inside() {
		switch fact.Kind() {
		case facts.Distinct, facts.Length, facts.In, facts.Count, facts.Example, facts.MoreValues, facts.Others:
		case facts.Const:
			if v := string(fact.Value()); v != `""` && v != "[]" && v != "{}" && v != "null" {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// isOfExcerpt reports whether facts of a kind are what an excerpt shows, or its first line says.
func isOfExcerpt(kind *facts.Kind) bool {
	switch kind {
	case facts.LineCount, facts.TraceLines, facts.MoreTemplates, facts.MoreLines, facts.MoreFields, facts.MoreKeys:
		return true
	}
	return false
}

// PlaceOf returns where facts say that the records are; empty where the records are the values that came.
func PlaceOf(tree *facts.Tree) string {
	if tree == nil {
		return ""
	}
	for fact := range tree.All() {
		if fact.Kind() == facts.At {
			return string(facts.AppendShown(nil, fact.Value()))
		}
	}
	return ""
}
