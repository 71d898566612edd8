package fields

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/drain"
)

// Bounds of the texts whose templates are kept.
const (
	MaxTextFields     = 8
	MaxTextTemplates  = 32 // of one field
	LeastTextWords    = 3
	SoughtAmong       = 100 // of the first strings, for one with so many words
	templatesPerValue = .5  // templates tell more than values if there are no more than so many of them
	leastInTemplates  = .5  // of the texts, in templates that came twice at least
)

// Texts groups the strings of a field by their template, as lines are.
type Texts struct {
	Templates drain.Templates
	Others    int // that came before the first with a few words, and numbers
	Shown     []TemplateCount
}

// TemplateCount is a template as it is shown, and how many texts have it.
type TemplateCount struct {
	Line  []byte // JSON
	Count int
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

// AreTemplates says whether the texts are shown by their templates: most are of one that came again, there are far
// fewer templates than different texts.
func (f *Field) AreTemplates() bool {
	if f.Texts == nil || 2*f.Seen.Types[jsonx.String] <= f.Seen.Counted {
		return false
	}
	templates, inThem := f.Texts.Others+f.Texts.Templates.Others, 0
	for i := range f.Texts.Templates.All {
		templates++
		if n := f.Texts.Templates.All[i].Count; n > 1 {
			inThem += n
		}
	}
	isFewer := !f.Seen.IsExact() || float64(templates) <= templatesPerValue*float64(len(f.Seen.Counts.Entries))
	return isFewer && float64(inThem) >= leastInTemplates*float64(f.Seen.Types[jsonx.String])
}
