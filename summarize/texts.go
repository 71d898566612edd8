package summarize

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/facts"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// addText counts a string, the inside of one in JSON, among those of its form. It returns the index of that, -1 if it
// has none, and what is remembered of it, nil if that is nothing.
func (s *recordReader) addText(text []byte, f *fields.Field) (form int, known *fields.KnownText) {
	if f.Texts == nil {
		if f.Named.IsKey { // its lines have a form
			return -1, nil
		}
		if s.textFields == fields.MaxTextFields || f.Seen.Types[jsonx.String] > fields.SoughtAmong ||
			!fields.HasWords(text, fields.LeastTextWords) {
			return -1, nil
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
	if known = t.Slot(s.text.Line.Hash); !s.text.Line.Cut && known.IsOf(&s.text.Line, &t.Templates) {
		known.Join(&s.text.Line, &t.Templates, s.rows)
		return int(known.Form), known
	}
	form, _ = t.Templates.Add(&s.text.Line, s.rows)
	return form, nil
}

// writeForms writes the most frequent forms of the texts, at most so many, and how many more there are.
func (o tree) writeForms(t *fields.Texts, shown int, withFew bool) {
	t.Told = t.Told[:0]
	for i := range t.Templates.All {
		of := &t.Templates.All[i]
		line := of.AppendLine(nil, drain.CommonStart{}, withFew)
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

// noteText notes the form of a string of the current record, and that the record may stand out by it.
func (s *watcher) noteText(v *fields.Scalar, f *fields.Field, place int) {
	if v.Form < 0 {
		return
	}
	r := s.text.Out.Row
	r.KeepText(fields.TextForm{Place: place, Form: v.Form}, len(v.Value))
	if odd := f.Texts.Templates.All[v.Form].Odd; odd >= 0 && v.Times <= surprise.MostOfRare {
		s.note(outlier.Reason{By: outlier.ByNumberInText, Place: place, Form: v.Form, N: odd,
			Number: s.text.Line.Words[odd].Value, Text: r.Put(v.Value, outlier.MaxCellLen)})
	}
	if f.Texts.Templates.All[v.Form].Count > surprise.MostOfRare {
		return
	}
	// nothing among the first, which are weighed again
	s.note(outlier.Reason{By: outlier.ByForm, Place: place, Form: v.Form, Text: r.Put(v.Value, outlier.MaxCellLen)})
}
