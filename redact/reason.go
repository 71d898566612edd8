package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/lex"
)

// Reason is why there is a match. The words of a name are those of the rule; nothing but the names in
// a path is from the input, and these have no match in them.
type Reason struct {
	How  string // what the rule went by, as a phrase: "after a name"
	Name string // the words of the name that makes the value sensitive; empty if there is none
	Path string // of the field that the match is in, as Options.Allow has it; empty in text and where it is not known
}

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
	below: "below a name", inBlock: "in a block below a name", nextItem: "item after a name",
	sameMap: "value of a pair with a name", afterBlank: "part of a form with a name",
	nextLine:     "part of a form with a name",
	inCollection: afterName,
	dataBelow:    "data of a Secret", inBlockOfHCL: "in a variable of HCL with a name",
	inEntry: "in an entry of a .netrc",
}

// reasonOf returns why the rule of an anchor matches.
func (t *Text) reasonOf(w window, anchor span) Reason {
	switch t.rules.catalogue[anchor.rule].form.(type) {
	case *named:
		return Reason{How: afterName, Name: t.wordsAt(w, anchor)}
	case *near:
		return Reason{How: nearName}
	case flagValue, operandValue, argumentList:
		return Reason{How: onCommand}
	case userInfo:
		return Reason{How: inURL}
	case *pattern:
		return Reason{How: ofRuleFile}
	case keyHeader:
		return Reason{How: inKeyBlock}
	}
	return Reason{How: byForm}
}

// wordsAt returns the words of the phrase that makes the name sensitive that an anchor stands in.
func (t *Text) wordsAt(w window, anchor span) string {
	start := lex.NameOfKey.RunBack(w.text, anchor.start, maxName)
	end := lex.NameOfKey.Run(w.text, anchor.end, maxName)
	if p, _ := t.names.of(bytes.Trim(w.text[start:end], "-.")); p != nil {
		return p.words
	}
	return ""
}
