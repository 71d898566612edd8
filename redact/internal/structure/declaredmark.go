package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// DeclaredMark is the form of a member of JSON that says that the value beside it is a secret: "sensitive": true,
// "Type": "SecureString". It is no match itself.
type DeclaredMark struct{}

// Anchors returns the anchors of the form, in lower case.
func (DeclaredMark) Anchors() []string {
	return []string{"sensitive", "secret", "masked", "hidden", "secure", "securestring", "password", "concealed"}
}

// Find implements names.Form: it finds nothing.
func (DeclaredMark) Find(names.Window, int, int) names.Finding { return names.Finding{} }

// Excludes reports whether the word says no such thing.
func (DeclaredMark) Excludes(b []byte, at, to int) bool {
	if to >= len(b) || b[to] != '"' {
		return true
	}
	start := (lex.Letters | lex.Underscore).RunBack(b, at, names.MaxName)
	if start == 0 || b[start-1] != '"' {
		return true
	}
	word := b[start:to]
	if names.PartOf(word) == names.SecretFlag {
		after := lex.Whitespace.Run(b, to+1, names.MaxAlign)
		if after < len(b) && b[after] == ':' {
			after = lex.Whitespace.Run(b, after+1, names.MaxAlign)
			return !bytes.HasPrefix(b[after:], []byte("true"))
		}
	}
	return !names.IsSecretType(word) || names.PartOf(KeyBefore(b[:start-1])) != names.TypeKey
}
