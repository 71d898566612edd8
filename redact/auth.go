package redact

import (
	"bytes"
	b64 "encoding/base64"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// credentials is the form of what follows the word Bearer or Basic.
type credentials struct{ basic bool }

func (f credentials) find(w window, at, to int) finding {
	b := w.text
	if !boundary(b, at) {
		return finding{}
	}
	i := to
	for i < len(b) && i < to+6 && ((lex.Blank | lex.Colon | lex.Equals | lex.Quote | lex.Backslash).Has(b[i])) {
		i++
	}
	if w.cut(i) && i < to+6 {
		return finding{verdict: undecided, start: i}
	}
	if i == to {
		return finding{}
	}
	class := lex.Alnum | lex.Dash | lex.Dot | lex.Underscore | lex.Tilde | lex.Plus | lex.Slash | lex.Equals | lex.Colon | lex.Percent
	if f.basic {
		class = lex.Base64
	}
	end := class.Run(b, i, maxValue)
	if end-i < maxValue && w.cut(end) {
		return finding{verdict: undecided, start: i}
	}
	v := b[i:end]
	if len(v) > 0 && v[0] == '+' && lex.Quote.Has(b[i-1]) { // "Bearer " + token
		return finding{}
	}
	switch {
	case end-i == maxValue:
		return finding{verdict: growing, start: i, end: end, class: class}
	case f.basic && !isBasic(v), !f.basic && !isBearer(v):
		return finding{}
	}
	return finding{verdict: match, start: i, end: end}
}

func isBearer(v []byte) bool {
	if i := bytes.IndexByte(v, '='); i > 0 && (lex.Letters | lex.Underscore).Within(v[:i]) &&
		(bytes.IndexByte(v[:i], '_') > 0 || len(bytes.Trim(v[i:], "=")) > 0) {
		return false // a parameter of a challenge: realm=example.com
	}
	return len(v) >= 8 && !candidate.IsPlaceholder(v, false) && !bytes.Contains(v, []byte("://")) &&
		(candidate.HasDigit(v) || bytes.ContainsAny(v, "+=") || len(v) >= 24)
}

// isBasic says whether v is a user and a password as RFC 7617 writes them.
func isBasic(v []byte) bool {
	const whole = 24 // bytes: a longer one may be cut
	n := len(bytes.TrimRight(v, "="))
	if len(v) < 8 || !lex.Base64.Within(v) || n%4 == 1 && n < whole {
		return false
	}
	var plain [48]byte
	head := v[:min(len(v), 64)/4*4]
	n, _ = b64.StdEncoding.Decode(plain[:], head) // what comes before an error counts
	for i, c := range plain[:n] {
		if c == ':' {
			return i > 0 || (lex.Everything &^ (lex.Control | lex.High | lex.Wide)).Within(plain[:n])
		}
		if lex.Control.Has(c) || lex.Newline.Has(c) {
			return false
		}
	}
	return false
}

// afterScheme skips the word that tells the kind of credentials: Bearer, Basic.
func afterScheme(w window, start int) int {
	const longest = 24
	end := (lex.Alnum | lex.Dash).Run(w.text, start, longest)
	if end == start || end == len(w.text) || !lex.Blank.Has(w.text[end]) {
		return start
	}
	return lex.Blank.Run(w.text, end, 4)
}

// isSchemeWord says whether v is a word that tells the kind of credentials.
func isSchemeWord(v []byte) bool {
	return lex.EqualFold(v, "basic") || lex.EqualFold(v, "bearer") || lex.EqualFold(v, "digest") ||
		lex.EqualFold(v, "negotiate")
}

// isSchemeAlone says whether after the word that tells the kind of credentials v has none,
// but what stands for them: "Basic " + x, "Bearer %s".
func isSchemeAlone(v []byte) bool {
	scheme := (lex.Alnum | lex.Dash).Run(v, 0, len(v))
	rest := bytes.TrimLeft(v[scheme:], " ")
	return v[0] == ',' || scheme < len(v) &&
		(len(rest) == 0 || v[scheme] == ' ' && (candidate.IsPlaceholder(rest, true) || isParameter(rest)))
}

// isParameter says whether v is the name of a parameter of credentials and no more: Auth=.
func isParameter(v []byte) bool {
	const longest = 12
	name, found := bytes.CutSuffix(v, []byte{'='})
	return found && len(name) > 0 && len(name) <= longest && lex.Letters.Within(name) && !candidate.IsScrambled(name)
}
