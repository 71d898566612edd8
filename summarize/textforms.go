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
		if f.Named.IsKey { // its lines have a form
			return
		}
		if s.textFields == fields.MaxTextFields || f.Seen.Types[jsonx.String] > fields.SoughtAmong ||
			!fields.HasWords(text, fields.LeastTextWords) {
			return
		}
		f.Texts = &fields.Texts{Templates: drain.Templates{Most: fields.MaxTextForms},
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

// writeForms writes the most frequent forms of the texts, at most so many, and how many more there are.
func (o tree) writeForms(t *fields.Texts, shown int, withFew bool) {
	t.Told = t.Told[:0]
	for i := range t.Templates.All {
		of := &t.Templates.All[i]
		line := of.AppendLine(nil, withFew)
		same := slices.IndexFunc(t.Told, func(f fields.FormCount) bool { return bytes.Equal(f.Line, line) })
		if same < 0 {
			t.Told = append(t.Told, fields.FormCount{Line: line, Count: of.Count})
		} else {
			t.Told[same].Count += of.Count
		}
	}
	slices.SortStableFunc(t.Told, func(a, b fields.FormCount) int { return cmp.Compare(b.Count, a.Count) })
	if shown = min(shown, len(t.Told)); shown > 0 {
		o.Open(facts.Forms)
		for _, f := range t.Told[:shown] {
			o.CountNamed(jsonx.Inside(f.Line), f.Count)
		}
		o.Close()
	}
	if more := len(t.Told) - shown; more > 0 {
		o.Count(facts.MoreForms, more)
	}
	if others := t.Others + t.Templates.Others; others > 0 {
		o.Count(facts.MoreTexts, others)
	}
}
