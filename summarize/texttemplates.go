package summarize

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/drain"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
)

// addText counts a string, the inside of one in JSON, among those of its form.
func (s *recordReader) addText(text []byte, f *fields.Field) {
	if f.Texts == nil {
		if f.Named.IsKey { // its lines have a template
			return
		}
		if s.textFields == fields.MaxTextFields || f.Seen.Types[jsonx.String] > fields.SoughtAmong ||
			!fields.HasWords(text, fields.LeastTextWords) {
			return
		}
		f.Texts = &fields.Texts{Templates: drain.Templates{Most: fields.MaxTextTemplates},
			Others: f.Seen.Types[jsonx.String] - 1}
		s.textFields++
	}
	t := f.Texts
	line, isCut := fields.FirstLine(text)
	if bytes.IndexByte(line, '\\') >= 0 {
		s.places.NameBuf = jsonx.AppendUnescapedKnown(s.places.NameBuf[:0], line)
		line = s.places.NameBuf
	}
	s.text.Line.Set(line)
	s.text.Line.Cut = s.text.Line.Cut || isCut
	t.Templates.Add(&s.text.Line, s.rows)
}

// writeTextTemplates writes the most frequent templates of the texts, at most so many, and how many more there are.
func (o tree) writeTextTemplates(t *fields.Texts, shown int, withFew bool) {
	t.Shown = t.Shown[:0]
	for i := range t.Templates.All {
		of := &t.Templates.All[i]
		line := of.AppendLine(nil, withFew)
		same := slices.IndexFunc(t.Shown, func(f fields.TemplateCount) bool { return bytes.Equal(f.Line, line) })
		if same < 0 {
			t.Shown = append(t.Shown, fields.TemplateCount{Line: line, Count: of.Count})
		} else {
			t.Shown[same].Count += of.Count
		}
	}
	slices.SortStableFunc(t.Shown, func(a, b fields.TemplateCount) int { return cmp.Compare(b.Count, a.Count) })
	if shown = min(shown, len(t.Shown)); shown > 0 {
		o.Open(facts.Forms)
		for _, f := range t.Shown[:shown] {
			o.CountNamed(jsonx.Inside(f.Line), f.Count)
		}
		o.Close()
	}
	if more := len(t.Shown) - shown; more > 0 {
		o.Count(facts.MoreForms, more)
	}
	if others := t.Others + t.Templates.Others; others > 0 {
		o.Count(facts.MoreTexts, others)
	}
}
