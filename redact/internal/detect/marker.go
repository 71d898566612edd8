package detect

import (
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// MarkerForm finds the markers of an earlier run.
type MarkerForm struct{}

// Find implements names.Form.
func (MarkerForm) Find(w names.Window, at, to int) names.Finding {
	if string(w.Text[at:to]) != lex.MarkerStart {
		return names.Finding{}
	}
	if end := w.Marker(at); end > 0 {
		return names.Finding{Verdict: names.Marked, Start: at, End: end}
	}
	end := (lex.Alnum | lex.Underscore | lex.Dash | lex.Colon).Run(w.Text, to, lex.MaxMarker)
	if w.Cut(end) && end-to < lex.MaxMarker {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	return names.Finding{}
}
