package redact

import (
	"bytes"
	b64 "encoding/base64"
)

// credentials is the form of what follows the word Bearer or Basic.
type credentials struct{ basic bool }

func (f credentials) find(w window, at, to int) finding {
	b := w.text
	if !boundary(b, at) {
		return finding{}
	}
	i := to
	for i < len(b) && i < to+6 && ((blank | colon | equals | quote | backslash).has(b[i])) {
		i++
	}
	if w.cut(i) && i < to+6 {
		return finding{verdict: undecided, start: i}
	}
	if i == to {
		return finding{}
	}
	class := alnum | dash | dot | underscore | tilde | plus | slash | equals | colon | percent
	if f.basic {
		class = base64
	}
	end := class.run(b, i, maxValue)
	if end-i < maxValue && w.cut(end) {
		return finding{verdict: undecided, start: i}
	}
	v := b[i:end]
	if len(v) > 0 && v[0] == '+' && quote.has(b[i-1]) { // "Bearer " + token
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
	if i := bytes.IndexByte(v, '='); i > 0 && (letters | underscore).within(v[:i]) &&
		(bytes.IndexByte(v[:i], '_') > 0 || len(bytes.Trim(v[i:], "=")) > 0) {
		return false // a parameter of a challenge: realm=example.com
	}
	return len(v) >= 8 && !isPlaceholder(v, false) && !bytes.Contains(v, []byte("://")) && (hasDigit(v) || bytes.ContainsAny(v, "+=") || len(v) >= 24)
}

// isBasic says whether v is a user and a password as RFC 7617 writes them.
func isBasic(v []byte) bool {
	const whole = 24 // bytes: a longer one may be cut
	n := len(bytes.TrimRight(v, "="))
	if len(v) < 8 || !base64.within(v) || n%4 == 1 && n < whole {
		return false
	}
	var plain [48]byte
	head := v[:min(len(v), 64)/4*4]
	n, _ = b64.StdEncoding.Decode(plain[:], head) // what comes before an error counts
	for i, c := range plain[:n] {
		if c == ':' {
			return i > 0 || (everything &^ (control | high | wide)).within(plain[:n])
		}
		if control.has(c) || newline.has(c) {
			return false
		}
	}
	return false
}

// afterScheme skips the word that tells the kind of credentials: Bearer, Basic.
func afterScheme(w window, start int) int {
	const longest = 24
	end := (alnum | dash).run(w.text, start, longest)
	if end == start || end == len(w.text) || !blank.has(w.text[end]) {
		return start
	}
	return blank.run(w.text, end, 4)
}

// isSchemeWord says whether v is a word that tells the kind of credentials.
func isSchemeWord(v []byte) bool {
	return equalFold(v, "basic") || equalFold(v, "bearer") || equalFold(v, "digest") || equalFold(v, "negotiate")
}

// isSchemeAlone says whether after the word that tells the kind of credentials v has none,
// but what stands for them: "Basic " + x, "Bearer %s".
func isSchemeAlone(v []byte) bool {
	scheme := (alnum | dash).run(v, 0, len(v))
	rest := bytes.TrimLeft(v[scheme:], " ")
	return v[0] == ',' || scheme < len(v) && (len(rest) == 0 || v[scheme] == ' ' && (isPlaceholder(rest, true) || isParameter(rest)))
}

// isParameter says whether v is the name of a parameter of credentials and no more: Auth=.
func isParameter(v []byte) bool {
	const longest = 12
	name, found := bytes.CutSuffix(v, []byte{'='})
	return found && len(name) > 0 && len(name) <= longest && letters.within(name) && !isScrambled(name)
}
