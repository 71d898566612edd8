package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// personName is what stands where a person's name is expected.
type personName uint8

const (
	unclear    personName = iota // a word, or a sentence
	fullName                     // a name of several words, or of one with an apostrophe
	nameOfForm                   // another field of a form
	unread                       // more of the text has to be read to tell
)

// person finds the name of a person that begins at i: words with a capital, and such as van
// and de between them, up to what can't be in a name.
func (w window) person(i int) (is personName, end int) {
	const mostWords, longest = 6, 80
	b := w.text
	words, hasApostrophe := 0, false
	for at := i; words < mostWords && at-i < longest; {
		stop := w.endOfName(at, i+longest)
		if w.cut(stop + 1) {
			return unread, 0
		}
		name := bytes.TrimRight(b[at:stop], ".")
		isCapital := len(name) > 0 && (lex.Upper | lex.HexUpper | lex.High | lex.Wide).Has(name[0])
		switch {
		case len(name) > 0 && !isCapital && (words == 0 || !isParticle(name)), stop-i >= longest:
			return unclear, 0
		case isOfForm(name):
			return nameOfForm, 0
		case isCapital:
			words++
			end = stop
			hasApostrophe = hasApostrophe || bytes.IndexByte(name, '\'') > 0
		}
		if len(name) == 0 || stop == len(b) || b[stop] != ' ' {
			break
		}
		at = stop + 1
	}
	goesOn := end < len(b) && (lex.Digits | lex.Underscore | lex.Colon | lex.Equals | lex.Slash | lex.Paren).Has(b[end])
	if goesOn || words < 2 && !hasApostrophe {
		return unclear, 0
	}
	return fullName, (lex.Dot | lex.Dash).RunBack(b, end, end-i)
}

// endOfName returns the end of the word of a name that begins at i, at most most.
func (w window) endOfName(i, most int) int {
	const ofName = lex.Letters | lex.High | lex.Wide | lex.Dash | lex.Dot
	b := w.text
	for i < len(b) && i < most && (ofName.Has(b[i]) || b[i] == '\'' && i+1 < len(b) && lex.Letters.Has(b[i+1])) {
		i++
	}
	return i
}

// isParticle says whether v stands between the parts of names.
func isParticle(v []byte) bool {
	switch string(v) {
	case "van", "von", "vom", "zu", "zur", "de", "der", "den", "del", "della", "di", "da", "do", "dos", "das", "du",
		"des",
		"la", "le", "las", "los", "el", "al", "bin", "bint", "ibn", "ben", "af", "av", "ter", "ten", "y", "e", "i":
		return true
	}
	return false
}

// isOfForm says whether v is a word of what forms and their descriptions are made of, rather
// than of a name.
func isOfForm(v []byte) bool {
	var low [16]byte
	if len(v) > len(low) {
		return false
	}
	switch string(candidate.AppendLower(low[:0], v)) {
	case "name", "names", "first", "last", "full", "family", "given", "middle", "surname", "initial", "initials",
		"maiden",
		"email", "e-mail", "mail", "address", "phone", "telephone", "title", "date", "birth", "number", "id",
		"login", "user",
		"username", "password", "company", "organization", "organisation", "department", "field", "fields", "value",
		"string",
		"text", "type", "required", "optional", "unknown", "none", "not", "no", "yes", "the", "a", "an", "this",
		"your", "enter",
		"please", "must", "should", "is", "if", "see", "unicode", "default", "invalid", "missing", "empty", "error":
		return true
	}
	return false
}
