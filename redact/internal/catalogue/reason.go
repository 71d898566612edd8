package catalogue

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/gitleaks"
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// ReasonOf returns why the rule of an anchor matches in a window; sensitive caches the names of s.
func (s *Set) ReasonOf(w names.Window, anchor names.Span, sensitive *names.NameCache) names.Reason {
	switch s.Catalogue[anchor.Rule].Form.(type) {
	case *names.Named:
		return names.Reason{How: match.AfterName, Name: wordsAt(w, anchor, sensitive)}
	case *detect.Near:
		return names.Reason{How: match.NearName}
	case names.FlagValue, names.OperandValue, commands.ArgumentList:
		return names.Reason{How: match.OnCommand}
	case detect.UserInfo:
		return names.Reason{How: match.InURL}
	case *gitleaks.Pattern:
		return names.Reason{How: match.OfRuleFile}
	case structure.KeyHeader, structure.KeyBody:
		return names.Reason{How: match.InKeyBlock}
	}
	return names.Reason{How: match.ByForm}
}

// wordsAt returns the words of the phrase that makes the name sensitive that an anchor stands in.
func wordsAt(w names.Window, anchor names.Span, sensitive *names.NameCache) string {
	start := lex.NameOfKey.RunBack(w.Text, anchor.Start, names.MaxName)
	end := lex.NameOfKey.Run(w.Text, anchor.End, names.MaxName)
	if p, _ := sensitive.Of(bytes.Trim(w.Text[start:end], "-.")); p != nil {
		return p.Words
	}
	return ""
}
