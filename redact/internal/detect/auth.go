package detect

import (
	"bytes"
	b64 "encoding/base64"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Credentials is the form of what follows the word Bearer or Basic.
type Credentials struct{ Basic bool }

// Find implements names.Form. The match is the credentials without the scheme.
func (f Credentials) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	if !names.Boundary(b, at) {
		return names.Finding{}
	}
	i := to
	for i < len(b) && i < to+6 && ((lex.Blank | lex.Colon | lex.Equals | lex.Quote | lex.Backslash).Has(b[i])) {
		i++
	}
	if w.Cut(i) && i < to+6 {
		return names.Finding{Verdict: names.Undecided, Start: i}
	}
	if i == to {
		return names.Finding{}
	}
	class := lex.Alnum | lex.Dash | lex.Dot | lex.Underscore | lex.Tilde | lex.Plus | lex.Slash | lex.Equals |
		lex.Colon | lex.Percent
	if f.Basic {
		class = lex.Base64
	}
	end := class.Run(b, i, names.MaxValue)
	if end-i < names.MaxValue && w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: i}
	}
	v := b[i:end]
	if len(v) > 0 && v[0] == '+' && lex.Quote.Has(b[i-1]) { // "Bearer " + token
		return names.Finding{}
	}
	switch {
	case end-i == names.MaxValue:
		return names.Finding{Verdict: names.OpenEnded, Start: i, End: end, Class: class}
	case f.Basic && !isBasic(v), !f.Basic && !isBearer(v):
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: i, End: end}
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
