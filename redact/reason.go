package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/detect"
	"github.com/kfw-dev/kfw/redact/gitleaks"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/structure"
)

// What rules go by.
const (
	byForm     = "by its form"
	afterName  = "after a name"
	ofKey      = "value of a key"
	inColumn   = "in a column with a name in its header"
	onCommand  = "on a command line"
	inBase64   = "in base64 or hexadecimal digits"
	inURL      = "in a URL"
	nearName   = "near a name"
	ofRuleFile = "by a rule of a file"
	inKeyBlock = "in a private key"
)

// carriedReasons says where the value of a name is that an earlier line has.
var carriedReasons = [...]string{
	names.Below: "below a name", names.InBlock: "in a block below a name", names.NextItem: "item after a name",
	names.SameMap: "value of a pair with a name", names.AfterBlank: "part of a form with a name",
	names.NextLine:     "part of a form with a name",
	names.InCollection: afterName,
	names.DataBelow:    "data of a Secret", names.InBlockOfHCL: "in a variable of HCL with a name",
	names.InEntry: "in an entry of a .netrc",
}

// reasonOf returns why the rule of an anchor matches.
func (t *Text) reasonOf(w names.Window, anchor names.Span) names.Reason {
	switch t.rules.catalogue[anchor.Rule].Form.(type) {
	case *names.Named:
		return names.Reason{How: afterName, Name: t.wordsAt(w, anchor)}
	case *detect.Near:
		return names.Reason{How: nearName}
	case names.FlagValue, names.OperandValue, argumentList:
		return names.Reason{How: onCommand}
	case detect.UserInfo:
		return names.Reason{How: inURL}
	case *gitleaks.Pattern:
		return names.Reason{How: ofRuleFile}
	case structure.KeyHeader:
		return names.Reason{How: inKeyBlock}
	}
	return names.Reason{How: byForm}
}

// wordsAt returns the words of the phrase that makes the name sensitive that an anchor stands in.
func (t *Text) wordsAt(w names.Window, anchor names.Span) string {
	start := lex.NameOfKey.RunBack(w.Text, anchor.Start, names.MaxName)
	end := lex.NameOfKey.Run(w.Text, anchor.End, names.MaxName)
	if p, _ := t.names.Of(bytes.Trim(w.Text[start:end], "-.")); p != nil {
		return p.Words
	}
	return ""
}
