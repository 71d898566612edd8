package summarize

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// Bounds of the texts whose forms are kept.
const (
	maxTextFields  = 8
	maxTextForms   = 32 // of one field
	leastTextWords = 3
	soughtAmong    = 100 // of the first strings, for one with so many words
	formsPerValue  = .5  // forms tell more than values if there are no more than so many of them
	leastInForms   = .5  // of the texts, in forms that came twice at least
	maxKnownTexts  = 64  // of one field that are remembered, by the last bits of their hash
)

// texts groups the strings of a field by their form, as lines are.
type texts struct {
	templates drain.Templates
	others    int // that came before the first with a few words, and numbers
	told      []formCount
	known     [maxKnownTexts]knownText
}

// knownText is a text as it reads with its variables masked, in which nothing can be new but numbers and times.
type knownText struct {
	drain.KnownForm
	words int // that are counted where one of them may be rare
}

// formCount is a form as it is told, and how many texts have it.
type formCount struct {
	line  []byte // JSON
	count int
}

// addText counts a string, the inside of one in JSON, among those of its form. It returns the index of that, -1 if it has none,
// and what is remembered of it, nil if that is nothing.
func (s *Summary) addText(text []byte, f *field) (form int, known *knownText) {
	if f.texts == nil {
		if f.isKey { // its lines have a form
			return -1, nil
		}
		if s.textFields == maxTextFields || f.types[jsonx.String] > soughtAmong || !hasWords(text, leastTextWords) {
			return -1, nil
		}
		f.texts = &texts{templates: drain.Templates{Most: maxTextForms}, others: f.types[jsonx.String] - 1}
		s.textFields++
	}
	t := f.texts
	line, isCut := firstLine(text)
	if bytes.IndexByte(line, '\\') >= 0 {
		s.nameBuf = jsonx.AppendUnescapedKnown(s.nameBuf[:0], line)
		line = s.nameBuf
	}
	s.line.Set(line)
	s.line.Cut = s.line.Cut || isCut
	if known = t.slot(s.line.Hash); !s.line.Cut && known.IsOf(&s.line, &t.templates) {
		known.Join(&s.line, &t.templates, s.rows)
		return int(known.Form), known
	}
	form, _ = t.templates.Add(&s.line, s.rows)
	return form, nil
}

// slot returns where a text is remembered if it is.
func (t *texts) slot(hash uint64) *knownText { return &t.known[hash%maxKnownTexts] }

// learn remembers the text at hand, of that form, unless there is more in it than numbers, times and words that are common.
func (t *texts) learn(m *mask.Line, text []byte, form int) {
	isPlain := !m.Cut && m.Paths == 0 && !m.HasID
	if form < 0 || !isPlain || t.templates.All[form].Count < drain.LeastRepeated {
		return
	}
	if start, end := lineclass.NextErrorWord(text, 0); start < end {
		return
	}
	known := t.slot(m.Hash)
	*known = knownText{KnownForm: t.templates.KnownFormOf(m, form)}
	words := mask.Names{Text: text} // as noteString counts them
	for _, ok := words.Next(); ok; _, ok = words.Next() {
		known.words++
	}
}

// hasWords says whether there are so many words in a text, or more.
func hasWords(text []byte, least int) bool {
	words := 0
	for i, c := range text {
		if c != ' ' && (i == 0 || text[i-1] == ' ') {
			words++
		}
	}
	return words >= least
}

// firstLine is what comes before the first line feed in the inside of a JSON string.
func firstLine(inside []byte) (line []byte, isCut bool) {
	for from := 0; ; {
		slash := bytes.IndexByte(inside[from:], '\\')
		if slash < 0 || from+slash+1 == len(inside) {
			return inside, false
		}
		if inside[from+slash+1] == 'n' {
			return inside[:from+slash], true
		}
		from += slash + len(`\\`)
	}
}

// linesIn yields the lines of a JSON string, as written, and where in it each begins, of what is looked at of it.
func linesIn(value []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		rest := jsonx.Inside(value)
		rest = rest[:min(len(rest), maxStringLen)]
		for from := len(`"`); len(rest) > 0; {
			line, isCut := firstLine(rest)
			if !yield(from, line) || !isCut {
				return
			}
			passed := len(line) + len(`\n`)
			from, rest = from+passed, rest[passed:]
		}
	}
}

// areForms says whether the texts are told by their forms: most are of one that came again, there are far fewer forms than
// different texts, and they are no paths.
func (f *field) areForms() bool {
	if f.texts == nil || 2*f.types[jsonx.String] <= f.counted || f.areFolders() {
		return false
	}
	forms, inThem := f.texts.others+f.texts.templates.Others, 0
	for i := range f.texts.templates.All {
		forms++
		if n := f.texts.templates.All[i].Count; n > 1 {
			inThem += n
		}
	}
	isFewer := !f.isExact() || float64(forms) <= formsPerValue*float64(len(f.counts.entries))
	return isFewer && float64(inThem) >= leastInForms*float64(f.types[jsonx.String])
}

// writeForms writes the most frequent forms of the texts, at most so many, and how many more there are.
func (o *object) writeForms(t *texts, shown int, withFew bool) {
	t.told = t.told[:0]
	for i := range t.templates.All {
		of := &t.templates.All[i]
		line := of.AppendLine(nil, drain.CommonStart{}, withFew)
		same := slices.IndexFunc(t.told, func(f formCount) bool { return bytes.Equal(f.line, line) })
		if same < 0 {
			t.told = append(t.told, formCount{line, of.Count})
		} else {
			t.told[same].count += of.Count
		}
	}
	slices.SortStableFunc(t.told, func(a, b formCount) int { return cmp.Compare(b.count, a.count) })
	if shown = min(shown, len(t.told)); shown > 0 {
		o.open("forms")
		for _, f := range t.told[:shown] {
			o.count(ascii.LentString(jsonx.Inside(f.line)), f.count)
		}
		o.close()
	}
	if more := len(t.told) - shown; more > 0 {
		o.count("more_forms", more)
	}
	if others := t.others + t.templates.Others; others > 0 {
		o.count("more_texts", others)
	}
}

// textForm is a form of the strings of a field.
type textForm struct{ place, form int }

// longestText is the text of a record that says most; it has no bytes if there is none.
type longestText struct {
	textForm
	bytes int
}

// keepText keeps the form of a text of the record if it is the longest.
func (r *row) keepText(form textForm, bytes int) {
	if bytes > r.text.bytes {
		r.text = longestText{form, bytes}
	}
}

// noteText notes the form of a string of the record at hand, and that the record may stand out by it.
func (s *Summary) noteText(v *scalar, f *field, place int) {
	if v.form < 0 {
		return
	}
	r := s.out.row
	r.keepText(textForm{place, v.form}, len(v.value))
	if odd := f.texts.templates.All[v.form].Odd; odd >= 0 && v.times <= surprise.MostOfRare {
		s.note(reason{by: byNumberInText, place: place, form: v.form, n: odd, number: s.line.Words[odd].Value, text: r.put(v.value, maxCellLen)})
	}
	if f.texts.templates.All[v.form].Count > surprise.MostOfRare {
		return
	}
	s.note(reason{by: byForm, place: place, form: v.form, text: r.put(v.value, maxCellLen)}) // nothing among the first, which are weighed again
}

// weighForm says how much it tells that a string has that form.
func (f *field) weighForm(form int) float64 {
	t := &f.texts.templates
	if n := t.All[form].Count; n <= surprise.MostOfRare && f.values >= surprise.Learning {
		return surprise.OfNew(f.types[jsonx.String], len(t.All)+t.Others) - float64(n-1)
	}
	return 0
}

// isOfCommonForm says whether a string is new in its numbers, times and the like alone.
func (f *field) isOfCommonForm(form int) bool {
	if form < 0 {
		return false
	}
	t := &f.texts.templates.All[form]
	return t.Count > surprise.MostOfRare && t.VariesInMasked()
}
