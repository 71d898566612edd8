package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// KeyMemberMark is the form of a member of JSON that says that its object is a key: "kty": "RSA" has its type
// (RFC 7517), "keyName": "key1" its name in an account of Azure. It is no match itself.
type KeyMemberMark struct{}

// Anchors returns the anchors of the form, in lower case.
func (KeyMemberMark) Anchors() []string { return []string{"kty", "keyname"} }

// Find implements names.Form: it finds nothing.
func (KeyMemberMark) Find(names.Window, int, int) names.Finding { return names.Finding{} }

// Excludes reports whether the anchor is no such member.
func (KeyMemberMark) Excludes(b []byte, at, to int) bool {
	if at == 0 || b[at-1] != '"' || to >= len(b) || b[to] != '"' {
		return true
	}
	sign := lex.Whitespace.Run(b, to+1, names.MaxAlign)
	return sign < len(b) && b[sign] != ':'
}

// BeginsKeyNumber reports whether the first member on a line of JSON may be a number of a key, whose type is on a line
// after it.
func BeginsKeyNumber(line []byte) bool {
	const longest = len("priv")
	line = bytes.TrimLeft(line, " \t{[,")
	if len(line) == 0 || line[0] != '"' {
		return false
	}
	size := bytes.IndexByte(line[1:min(len(line), longest+2)], '"')
	if size < 0 || names.PartOf(line[1:1+size]) != names.KeyNumber {
		return false
	}
	value := bytes.TrimLeft(line[1+size+1:], " \t:")
	if len(value) == 0 || value[0] != '"' { // it may stand on the next line
		return len(value) == 0
	}
	end := lex.Base64URL.Run(value, 1, len(value))
	return names.MayBeKeyNumber(value[1:end])
}
