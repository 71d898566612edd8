package redact

import "bytes"

// secretObject is where the lexer stands in an object of Kubernetes that is a Secret, or may be one:
// its kind comes after its data where keys are sorted. The zero value is none.
type secretObject struct {
	state  secretState
	depth  int // brackets that are open in it
	phrase phrase
}

type secretState uint8

const (
	noSecret  secretState = iota
	mayBeOne              // its apiVersion is that of a Secret
	isASecret             // its kind is Secret, or SecretList
)

// is reports whether the lexer is in such an object.
func (s *secretObject) is() bool { return s.state != noSecret }

// read takes in the value of a member kind or apiVersion.
func (s *secretObject) read(part pairPart, value []byte) {
	isSecret := string(value) == "Secret" || string(value) == "SecretList"
	switch {
	case s.state == isASecret || part != kindKey && part != versionKey:
	case part == kindKey && isSecret:
		s.state, s.depth = isASecret, 0
	case part == kindKey && s.depth == 0:
		s.state = noSecret
	case part == versionKey && s.state == noSecret && string(value) == "v1":
		s.state, s.depth = mayBeOne, 0
	}
}

// open takes in a bracket, and returns the name of what it begins, or nil.
func (s *secretObject) open(n *names, isArray bool, part pairPart, key []byte) (p *phrase) {
	switch {
	case s.state == noSecret:
		return nil
	case part == dataKey && !isArray && (s.state == isASecret || s.depth == 0):
		if secret := n.of([]byte("secret")); secret != nil {
			s.phrase = *secret
			s.phrase.whole, s.phrase.want = true, anyValue
			if s.state == mayBeOne && string(key) == "data" { // a ConfigMap has some, too
				s.phrase.want = packedSecret
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

// close takes in a closing bracket.
func (s *secretObject) close() {
	if s.state == noSecret {
		return
	}
	if s.depth--; s.depth < 0 {
		s.state = noSecret
	}
}

// mayHaveData reports whether a Secret may begin on a line of JSON with its apiVersion, of which b is
// the rest after that key.
func mayHaveData(b []byte) bool {
	b = bytes.TrimLeft(b, " \t:")
	rest, isCore := bytes.CutPrefix(b, []byte(`"v1"`))
	return isCore && (bytes.IndexByte(rest, '}') < 0 || bytes.Contains(rest, []byte(`ata"`)))
}
