package detect

import (
	"maps"
	"slices"

	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Encoded is the form of a character that is written in another way than it
// reads. It has no matches of its own: it tells what text has to be decoded.
type Encoded struct{}

// Anchors returns the anchors of the form, in lower case.
func (Encoded) Anchors() []string {
	a := []string{`\u`, `\/`, `\x`, `\_`, `\0`, "&#"}
	for _, name := range slices.Sorted(maps.Keys(decode.NamedReferences)) {
		a = append(a, "&"+name+";")
	}
	for c, in := range decode.NotationOf {
		if in != decode.Plain && in != decode.Backslashes && in != decode.References {
			a = append(a, string([]byte{byte(c)}))
		}
	}
	return a
}

// Find implements names.Form.
func (Encoded) Find(w names.Window, at, to int) names.Finding {
	var s decode.Sequence
	if at > 0 {
		s.Before = w.Text[at-1]
	}
	for i := at; i < len(w.Text) && s.Takes(w.Text[i], 1); i++ {
		s.Add(w.Text[i], w.Text[i:i+1])
		if s.Whole() {
			var read [4]byte
			if s.Character(&read) < 0 {
				return names.Finding{}
			}
			return names.Finding{Verdict: names.Encoded}
		}
	}
	return names.Finding{}
}

// Excludes implements Excluder.
func (f Encoded) Excludes(b []byte, at, to int) bool { return findsNothing(f, b, at, to) }
