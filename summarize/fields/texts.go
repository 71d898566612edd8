package fields

import (
	"bytes"
	"iter"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// Bounds of the texts whose forms are kept.
const (
	MaxTextFields  = 8
	MaxTextForms   = 32 // of one field
	LeastTextWords = 3
	SoughtAmong    = 100 // of the first strings, for one with so many words
	formsPerValue  = .5  // forms tell more than values if there are no more than so many of them
	leastInForms   = .5  // of the texts, in forms that came twice at least
	MaxKnownTexts  = 64  // of one field that are remembered, by the last bits of their hash
)

// Texts groups the strings of a field by their form, as lines are.
type Texts struct {
	Templates drain.Templates
	Others    int // that came before the first with a few words, and numbers
	Told      []FormCount
	Known     [MaxKnownTexts]KnownText
}

// KnownText is a text as it reads with its variables masked, in which nothing can be new but numbers and times.
type KnownText struct {
	drain.KnownForm
	Words int // that are counted where one of them may be rare
}

// FormCount is a form as it is told, and how many texts have it.
type FormCount struct {
	Line  []byte // JSON
	Count int
}

// Slot returns where a text is remembered if it is.
func (t *Texts) Slot(hash uint64) *KnownText { return &t.Known[hash%MaxKnownTexts] }

// Learn remembers the current text, of that form, unless there is more in it than numbers, times and words that are
// common.
func (t *Texts) Learn(m *mask.Line, text []byte, form int) {
	isPlain := !m.Cut && m.Paths == 0 && !m.HasID
	if form < 0 || !isPlain || t.Templates.All[form].Count < drain.LeastRepeated {
		return
	}
	if start, end := lineclass.NextErrorWord(text, 0); start < end {
		return
	}
	known := t.Slot(m.Hash)
	*known = KnownText{KnownForm: t.Templates.KnownFormOf(m, form)}
	words := mask.Names{Text: text} // as noteString counts them
	for _, ok := words.Next(); ok; _, ok = words.Next() {
		known.Words++
	}
}

// HasWords says whether there are so many words in a text, or more.
func HasWords(text []byte, least int) bool {
	words := 0
	for i, c := range text {
		if c != ' ' && (i == 0 || text[i-1] == ' ') {
			words++
		}
	}
	return words >= least
}

// FirstLine is what comes before the first line feed in the inside of a JSON string.
func FirstLine(inside []byte) (line []byte, isCut bool) {
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

// LinesIn yields the lines of a JSON string, as written, and where in it each begins, of what is looked at of it.
func LinesIn(value []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		rest := jsonx.Inside(value)
		rest = rest[:min(len(rest), MaxStringLen)]
		for from := len(`"`); len(rest) > 0; {
			line, isCut := FirstLine(rest)
			if !yield(from, line) || !isCut {
				return
			}
			passed := len(line) + len(`\n`)
			from, rest = from+passed, rest[passed:]
		}
	}
}

// AreForms says whether the texts are told by their forms: most are of one that came again, there are far fewer forms
// than different texts, and they are no paths.
func (f *Field) AreForms() bool {
	if f.Texts == nil || 2*f.Seen.Types[jsonx.String] <= f.Seen.Counted || f.AreFolders() {
		return false
	}
	forms, inThem := f.Texts.Others+f.Texts.Templates.Others, 0
	for i := range f.Texts.Templates.All {
		forms++
		if n := f.Texts.Templates.All[i].Count; n > 1 {
			inThem += n
		}
	}
	isFewer := !f.Seen.IsExact() || float64(forms) <= formsPerValue*float64(len(f.Seen.Counts.Entries))
	return isFewer && float64(inThem) >= leastInForms*float64(f.Seen.Types[jsonx.String])
}

// TextForm is a form of the strings of a field.
type TextForm struct{ Place, Form int }

// LongestText is the text of a record that says most; it has no bytes if there is none.
type LongestText struct {
	TextForm
	Bytes int
}

// WeighForm says how much it tells that a string has that form.
func (f *Field) WeighForm(form int) float64 {
	t := &f.Texts.Templates
	if n := t.All[form].Count; n <= surprise.MostOfRare && f.Seen.Values >= surprise.Learning {
		return surprise.OfNew(f.Seen.Types[jsonx.String], len(t.All)+t.Others) - float64(n-1)
	}
	return 0
}

// IsOfCommonForm says whether a string is new in its numbers, times and the like alone.
func (f *Field) IsOfCommonForm(form int) bool {
	if form < 0 {
		return false
	}
	t := &f.Texts.Templates.All[form]
	return t.Count > surprise.MostOfRare && t.VariesInMasked()
}
