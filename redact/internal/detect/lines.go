package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Lines of files whose fields have no names.

// WindowsHash is the form of the hashes of a password of Windows, as programs write out its accounts:
// user:id:LM:NT:::.
type WindowsHash struct{}

// Find implements names.Form. The anchor is the end of the line. The match is the second hash: the first one, which is
// that of no password where Windows is not very old, has been passed on by then.
func (WindowsHash) Find(w names.Window, at, _ int) names.Finding {
	const hash = 32
	b := w.Text
	start := at - 2*hash - 1
	if start < 1 || b[start-1] != ':' || b[start+hash] != ':' || !lex.Hexadecimal.Within(b[start:start+hash]) ||
		!lex.Hexadecimal.Within(b[at-hash:at]) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: at - hash, End: at}
}

// NetworkCode is the form of the password in the text of a code that joins a wireless network: WIFI:T:WPA;S:name;P:x;;.
type NetworkCode struct{}

// Find implements names.Form. The match is the password, up to a semicolon without a backslash before it.
func (NetworkCode) Find(w names.Window, _, to int) names.Finding {
	const longest = 256
	b := w.Text
	end := to
	for ; end < len(b) && end < to+longest && !lex.Newline.Has(b[end]); end++ {
		if b[end] == ';' && end+1 < len(b) && b[end+1] == ';' {
			break
		}
	}
	if end-to < longest && w.Cut(end+1) {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	field := bytes.Index(b[to:end], []byte(";P:"))
	if bytes.HasPrefix(b[to:end], []byte("P:")) {
		field = -1
	} else if field < 0 {
		return names.Finding{}
	}
	start := to + field + len(";P:")
	for end = start; end < len(b) && b[end] != ';' && !lex.Newline.Has(b[end]); end++ {
		if b[end] == '\\' && end+1 < len(b) {
			end++
		}
	}
	if end >= len(b) || b[end] != ';' || end == start || w.Marker(start) > 0 {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// CookieFile is the form of the value of a cookie in the file that browsers and curl keep: domain, whether it holds
// below, path, whether it is only for https, expiry, name, value, with tabs between. A tab may be written \t.
type CookieFile struct{}

// Anchors returns the anchors of the form: the second field, and the path of most cookies.
func (CookieFile) Anchors() []string {
	return []string{"true\t/", "false\t/", `true\t/`, `false\t/`}
}

// Find implements names.Form. The match is the value, if it looks like a secret.
func (CookieFile) Find(w names.Window, at, to int) names.Finding {
	const longestField, longest = 128, 4096
	b := w.Text
	tab := "\t"
	if b[to-2] == 't' {
		tab = `\t`
	}
	if !bytes.HasSuffix(b[:at], []byte(tab)) {
		return names.Finding{}
	}
	i := to - 1
	for n := range 4 { // path, https, expiry, name
		end := i
		for end < len(b) && end < i+longestField && lex.NonSpace.Has(b[end]) && !bytes.HasPrefix(b[end:], []byte(tab)) {
			end++
		}
		switch next, decided := w.Passes(end, tab); {
		case !decided, w.Cut(next):
			return names.Finding{Verdict: names.Undecided, Start: i}
		case next == end, end == i, n == 2 && !lex.Digits.Within(b[i:end]):
			return names.Finding{}
		default:
			i = next
		}
	}
	end := (lex.NonSpace &^ (lex.Quote | lex.Backslash)).Run(b, i, longest)
	switch {
	case end-i < longest && w.Cut(end):
		return names.Finding{Verdict: names.Undecided, Start: i}
	case end == i, w.Marker(i) > 0, !candidate.IsLikelySecret(b[i:end]):
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: i, End: end}
}
