package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
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
	isOther               // its kind is ConfigMap
	isGuess               // it is the data of an object of which nothing is known
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
	case part == names.KindKey && string(value) == "ConfigMap":
		s.state, s.depth = isOther, 0
	case part == names.KindKey && s.depth == 0:
		s.state = noSecret
	case part == names.VersionKey && s.state == noSecret && string(value) == "v1":
		s.state, s.depth = mayBeOne, 0
	}
}

// Open takes in a bracket, and returns the name of what it begins, or nil.
func (s *SecretObject) Open(n *names.Names, isArray bool, part names.PairPart, key []byte) (p *names.Phrase) {
	if s.state == isGuess { // a Secret has no brackets in its data
		s.state = noSecret
	}
	isData := part == names.DataKey && !isArray
	isText := isData && string(key) == "stringData" // which nothing else has
	switch {
	case isText && s.state != isOther, isData && s.state == isASecret:
		p = s.take(n, names.AnyValue)
	case isData && s.state == mayBeOne:
		p = s.take(n, names.PackedSecret)
	case isData && s.state == noSecret:
		if s.take(n, names.SurelyPacked) != nil {
			s.state, s.depth = isGuess, 0
		}
		return nil
	case s.state == mayBeOne: // the kind stands before it
		s.state = noSecret
	}
	if s.state != noSecret {
		s.depth++
	}
	return p
}

// take names the data that follows as that of a Secret, and returns the name; nil if there are no
// rules for secrets.
func (s *SecretObject) take(n *names.Names, want names.ValueKind) *names.Phrase {
	secret := n.Of([]byte("secret"))
	if secret == nil {
		return nil
	}
	s.phrase = *secret
	s.phrase.Whole, s.phrase.Want = want != names.SurelyPacked, want
	return &s.phrase
}

// Value returns the name of the string that begins here, the value of a member, or nil. Where no kind is
// known, the key may say that it is an id, or where a page of a response begins.
func (s *SecretObject) Value(n *names.Names, key []byte) *names.Phrase {
	if s.state != isGuess || n.IsDescription(key, &s.phrase, names.Secrets) {
		return nil
	}
	return &s.phrase
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

// MayBeData reports whether a line of JSON may hold data of a Secret whose kind and apiVersion are
// unknown.
func MayBeData(line []byte) bool {
	for at := 0; ; at++ {
		next := bytes.IndexByte(line[at:], '{')
		if next < 0 {
			return false
		}
		at += next
		key := KeyBefore(line[:at])
		if names.PartOf(key) == names.DataKey && (key[0] == 's' || mayBePacked(line[at+1:])) {
			return true
		}
	}
}

// mayBePacked reports whether the members of an object, up to the first that is an object or a list,
// have a value in base64, or go on after the line.
func mayBePacked(members []byte) bool {
	for {
		next := bytes.IndexAny(members, `"{}[]`)
		if next < 0 {
			return true
		}
		if members[next] != '"' {
			return false
		}
		members = members[next+1:]
		size := bytes.IndexByte(members, '"')
		if size < 0 || names.IsSurelyPacked(members[:size]) {
			return true
		}
		members = members[size+1:]
	}
}

// Manifest matches the beginning of an object of Kubernetes, or of its data. It decides how the
// next lines are read and is no match itself.
type Manifest struct {
	Names *names.Names // the sensitive ones
}

// Anchors returns the anchors of the form, in lower case.
func (Manifest) Anchors() []string {
	return []string{"apiversion", "kind:", "secretlist", "configmap", "data:"}
}

// Find implements names.Form: it finds data in brackets after its key, as a map of YAML.
func (m Manifest) Find(w names.Window, at, to int) names.Finding {
	w.Opening.Is = false
	key := w.Text[at:to]
	before, isText := bytes.CutSuffix(w.Text[:at], []byte("string"))
	if isText = isText && string(key) == "Data:"; !isText {
		before = w.Text[:at]
	}
	if before = bytes.TrimRight(before, " \t"); !isText && string(key) != "data:" ||
		len(before) > 0 && bytes.IndexByte([]byte("\n-{,"), before[len(before)-1]) < 0 {
		return names.Finding{}
	}
	value := lex.Blank.Run(w.Text, to, names.MaxAlign)
	if w.Cut(value) {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	p := m.Names.Of([]byte("secret"))
	if value == to || value == len(w.Text) || w.Text[value] != '{' || p == nil {
		return names.Finding{}
	}
	w.Opening = names.Awaited{Is: true, Carry: names.OfSecret(p, isText), At: value}
	return names.Finding{Verdict: names.Collects, Start: value}
}
