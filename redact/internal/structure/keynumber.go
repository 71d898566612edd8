package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// KeyNumber is the form of a line that names a secret number of a key, whose digits are on the lines after it, as
// openssl rsa -text has them: privateExponent:. It is no match itself.
type KeyNumber struct{}

// Anchors returns the anchors of the form, in lower case.
func (KeyNumber) Anchors() []string {
	return []string{"privateexponent:", "priv:", "prime0:", "exponent0:", "coefficient:"}
}

// Find implements names.Form: it finds nothing.
func (KeyNumber) Find(names.Window, int, int) names.Finding { return names.Finding{} }

// Excludes reports whether the anchor is not all of a line, which in a string ends with its escape.
func (KeyNumber) Excludes(b []byte, at, to int) bool {
	rest := bytes.TrimLeft(b[to:], " \t")
	isLast := len(rest) == 0 || lex.Newline.Has(rest[0]) || rest[0] == '\\'
	return !isLast || at > 0 && lex.Word.Has(b[at-1]) && !names.AfterEscape(b, at)
}

// IsKeyNumber reports whether a key is that of such a line.
func IsKeyNumber(key []byte) bool {
	switch string(key) {
	case "privateExponent", "priv", "prime1", "prime2", "exponent1", "exponent2", "coefficient":
		return true
	}
	return false
}
