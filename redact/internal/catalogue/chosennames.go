package catalogue

import (
	"fmt"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// chosenField is the name of the rule for names that the caller chose.
const chosenField = "field"

// FieldError is a name of a field that can't be one.
type FieldError struct {
	Kept   bool // of KeepFields, not of RedactFields
	Index  int  // in the list
	Reason string
}

// Error implements error. It quotes nothing of the entry.
func (e *FieldError) Error() string { return fmt.Sprintf("field %d: %s", e.Index+1, e.Reason) }

// chosenNames are names that the caller says are sensitive, or are not.
type chosenNames struct {
	phrases map[string]*names.Phrase // by the folded name; nil for one that is not sensitive
	words   []string                 // of the sensitive ones, separated by spaces
}

func newChosenNames(redacted, kept []string) (*chosenNames, error) {
	c := &chosenNames{}
	if len(redacted)+len(kept) == 0 {
		return c, nil
	}
	c.phrases = make(map[string]*names.Phrase)
	for i, name := range kept {
		folded, reason := foldedName(name)
		if reason != "" {
			return nil, &FieldError{Kept: true, Index: i, Reason: reason}
		}
		c.phrases[folded] = nil
	}
	for i, name := range redacted {
		folded, reason := foldedName(name)
		if reason != "" {
			return nil, &FieldError{Index: i, Reason: reason}
		}
		words := strings.Join(strings.Fields(wordsOf(name)), " ")
		c.phrases[folded] = &names.Phrase{Words: words, Whole: true, Want: names.AnyValue}
		c.words = append(c.words, words)
	}
	return c, nil
}

// foldedName returns a name without case and separators, or why it is none.
func foldedName(name string) (folded, reason string) {
	var b [names.MaxName]byte
	n := 0
	for _, c := range []byte(name) {
		switch {
		case !names.NamePart.Has(c):
			return "", "a name has letters and digits of ASCII, _, -, . and spaces"
		case !lex.Alnum.Has(c):
		case n == len(b):
			return "", fmt.Sprintf("a name of more than %d letters", len(b))
		default:
			b[n] = lex.LowerByte(c)
			n++
		}
	}
	if n == 0 {
		return "", "an empty name"
	}
	return string(b[:n]), ""
}

// wordsOf puts spaces between the words of a name, and writes it in lower case.
func wordsOf(name string) string {
	var b strings.Builder
	for i, c := range []byte(name) {
		switch {
		case !lex.Alnum.Has(c):
			c = ' '
		case i > 0 && (lex.HexUpper | lex.Upper).Has(c) && (lex.HexLower | lex.Lower | lex.Digits).Has(name[i-1]):
			b.WriteByte(' ')
		}
		b.WriteByte(lex.LowerByte(c))
	}
	return b.String()
}

// rules returns the rule for the sensitive ones, if there are any.
func (c *chosenNames) rules(n *names.Names) []detect.Rule {
	if len(c.words) == 0 {
		return nil
	}
	x := detect.Rule{Name: chosenField, Group: names.All, Form: &names.Named{Names: n}, Source: "settings"}
	for _, words := range c.words {
		for _, a := range names.AnchorsOf(words) {
			x.Anchors = append(x.Anchors, names.FoldDigits(a))
		}
	}
	return []detect.Rule{x}
}

// setRule tells the sensitive ones the index of their rule.
func (c *chosenNames) setRule(rule int) {
	for _, p := range c.phrases {
		if p != nil {
			p.Rule = rule
		}
	}
}
