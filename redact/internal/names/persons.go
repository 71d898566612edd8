package names

import "github.com/kfw-dev/kfw/redact/internal/candidate"

// personName is what stands where a person's name is expected.
type personName uint8

const (
	unclear    personName = iota // a word, or a sentence
	fullName                     // a name of several words, or of one with an apostrophe
	nameOfForm                   // another field of a form
	unread                       // more of the text has to be read to tell
)

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
