package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/names"
)

// SecretObject is where the lexer stands in an object of Kubernetes that is a Secret, or may be one:
// its kind comes after its data where keys are sorted. The zero value is none.
type SecretObject struct {
	state  secretState
	depth  int // brackets that are open in it
	phrase names.Phrase
}

type secretState uint8

const (
	noSecret  secretState = iota
	mayBeOne              // its apiVersion is that of a Secret
	isASecret             // its kind is Secret, or SecretList
)

// Is reports whether the lexer is in such an object.
func (s *SecretObject) Is() bool { return s.state != noSecret }

// Read takes in the value of a member kind or apiVersion.
func (s *SecretObject) Read(part names.PairPart, value []byte) {
	isSecret := string(value) == "Secret" || string(value) == "SecretList"
	switch {
	case s.state == isASecret || part != names.KindKey && part != names.VersionKey:
	case part == names.KindKey && isSecret:
		s.state, s.depth = isASecret, 0
	case part == names.KindKey && s.depth == 0:
		s.state = noSecret
	case part == names.VersionKey && s.state == noSecret && string(value) == "v1":
		s.state, s.depth = mayBeOne, 0
	}
}

// Open takes in a bracket, and returns the name of what it begins, or nil.
func (s *SecretObject) Open(n *names.Names, isArray bool, part names.PairPart, key []byte) (p *names.Phrase) {
	switch {
	case s.state == noSecret:
		return nil
	case part == names.DataKey && !isArray && (s.state == isASecret || s.depth == 0):
		if secret := n.Of([]byte("secret")); secret != nil {
			s.phrase = *secret
			s.phrase.Whole, s.phrase.Want = true, names.AnyValue
			if s.state == mayBeOne && string(key) == "data" { // a ConfigMap has some, too
				s.phrase.Want = names.PackedSecret
			}
			p = &s.phrase
		}
	case s.state == mayBeOne: // the kind stands before it
		s.state = noSecret
		return nil
	}
	s.depth++
	return p
}

// Close takes in a closing bracket.
func (s *SecretObject) Close() {
	if s.state == noSecret {
		return
	}
	if s.depth--; s.depth < 0 {
		s.state = noSecret
	}
}

// MayHaveData reports whether a Secret may begin on a line of JSON with its apiVersion, of which b is
// the rest after that key.
func MayHaveData(b []byte) bool {
	b = bytes.TrimLeft(b, " \t:")
	rest, isCore := bytes.CutPrefix(b, []byte(`"v1"`))
	return isCore && (bytes.IndexByte(rest, '}') < 0 || bytes.Contains(rest, []byte(`ata"`)))
}

// Manifest is the form of what begins an object of Kubernetes, which says something of the lines
// after it. It is none of a secret itself.
type Manifest struct{}

// Anchors returns the anchors of the form, in lower case.
func (Manifest) Anchors() []string {
	return []string{"apiversion", "kind: secret", "kind: \"secret", "kind: 'secret", "kind: configmap", "secretlist", "data:"}
}

// Find implements names.Form: it finds nothing.
func (Manifest) Find(names.Window, int, int) names.Finding { return names.Finding{} }
