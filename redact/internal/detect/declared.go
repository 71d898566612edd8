package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Declared is the form of what a log of CI is told to hide, in the command that tells it so: ::add-mask::x of GitHub
// Actions, ##vso[task.setvariable variable=a;issecret=true]x of Azure
// Pipelines; or of a parameter of AWS whose type stands in the cell before it.
type Declared struct{ Names *names.Names }

// Anchors returns the anchors of the form.
func (Declared) Anchors() []string {
	return []string{"::add-mask::", "issecret=true", "##vso[task.setsecret]", "##vso[task.setvariable variable=",
		"securestring\t"}
}

// Find implements names.Form. The match is the rest of the line, or up to a quote or a tab.
func (f Declared) Find(w names.Window, at, to int) names.Finding {
	const longest = 64
	b := w.Text
	start := to
	if b[at] == 'i' || b[at] == 'I' { // other properties may follow
		start = (lex.Alnum | lex.Dot | lex.Equals | lex.Punctuation&^lex.Newline).Run(b, to, longest)
		if w.Cut(start) {
			return names.Finding{Verdict: names.Undecided, Start: to}
		}
		size := bytes.IndexByte(b[to:start], ']')
		if size < 0 || bytes.LastIndex(b[max(0, at-lex.LongestPrefix):at], []byte("##vso[")) < 0 {
			return names.Finding{}
		}
		start = to + size + 1
	}
	if b[to-1] == '=' { // the name of a variable
		name := lex.NameOfKey.Run(b, to, names.MaxName)
		switch {
		case w.Cut(name + 1):
			return names.Finding{Verdict: names.Undecided, Start: to}
		case name >= len(b) || b[name] != ']' || f.Names.Of(b[to:name]) == nil || !f.Names.Of(b[to:name]).IsSecret:
			return names.Finding{}
		}
		start = name + 1
	}
	end := (lex.Everything &^ (lex.Newline | lex.Quote)).Run(b, start, names.MaxValue)
	if size := bytes.IndexByte(b[start:end], '\t'); size >= 0 && b[to-1] == '\t' {
		end = start + size
	}
	switch {
	case end-start == names.MaxValue:
		return names.Finding{Verdict: names.OpenEnded, Start: start, End: end, Class: lex.Everything &^ lex.Newline}
	case w.Cut(end):
		return names.Finding{Verdict: names.Undecided, Start: to}
	case end == start, w.Marker(start) > 0, b[start] == '$', candidate.IsPlaceholder(b[start:end], true):
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}
