package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
)

// Logon is the form of the password that Oracle's programs and drivers take with a user:
// sqlplus scott/tiger@db, jdbc:oracle:thin:scott/tiger@//db:1521/x.
type Logon struct{}

// Find implements names.Form. The match is the password between the slash and the last @.
func (Logon) Find(w names.Window, at, to int) names.Finding {
	const flags, user, longest = 24, 64, 128
	b := w.Text
	i := to
	for b[to-1] == ' ' && i < len(b) && b[i] == '-' && i < to+flags { // sqlplus -s
		i = lex.Blank.Run(b, lex.NonSpace.Run(b, i, flags), 4)
	}
	start := (lex.Word | lex.Dot).Run(b, i, user)
	if w.Cut(start) {
		return names.Finding{Verdict: names.Undecided, Start: i}
	}
	if start == i || start == len(b) || b[start] != '/' {
		return names.Finding{}
	}
	start++
	end := (lex.BareValue &^ lex.Slash).Run(b, start, longest)
	if end-start < longest && w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	size := bytes.LastIndexByte(b[start:end], '@')
	if size < 1 || w.Marker(start) > 0 || candidate.IsPlaceholder(b[start:start+size], false) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: start + size}
}

// Piped is the form of the password that a shell writes to chpasswd(8): echo "user:x" | chpasswd.
type Piped struct{}

// Find implements names.Form. The anchor is the command that writes. The match is the password.
func (Piped) Find(w names.Window, at, to int) names.Finding {
	const longest = 128
	b := w.Text
	if !names.StartsWord(b, at) {
		return names.Finding{}
	}
	start := lex.Quote.Run(b, to, 1)
	class := lex.NonSpace &^ lex.Quote
	if start > to {
		class = lex.Everything &^ (lex.Quote | lex.Newline)
	}
	end := class.Run(b, start, longest)
	next := (lex.Blank | lex.Quote).Run(b, end, names.MaxApart)
	if w.Cut(next + len("| sudo chpasswd")) {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	rest, isPiped := bytes.CutPrefix(b[next:], []byte{'|'})
	rest = bytes.TrimPrefix(bytes.TrimLeft(rest, " "), []byte("sudo "))
	user := bytes.IndexByte(b[start:end], ':')
	if !isPiped || !bytes.HasPrefix(rest, []byte("chpasswd")) || user < 1 || start+user+1 == end ||
		w.Marker(start+user+1) > 0 || candidate.IsPlaceholder(b[start+user+1:end], start > to) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start + user + 1, End: end}
}

// Directive is the form of a password that is all of what follows its name on a line of a file
// of settings: requirepass x (redis.conf), bindpw x (ldap.conf), psk=x (wpa_supplicant.conf).
type Directive struct{}

// Find implements names.Form. The match is the value without its quotes, of 3 to 255 bytes.
func (Directive) Find(w names.Window, at, to int) names.Finding {
	const longest, shortest = 256, 3
	b := w.Text
	if !startsLine(b, at) {
		return names.Finding{}
	}
	start := lex.Blank.Run(b, to, names.MaxAlign)
	if w.Cut(start) {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	class, isQuoted := lex.NonSpace&^lex.Angle, start < len(b) && lex.Quote.Has(b[start])
	if isQuoted {
		start++
		class = lex.Everything &^ (lex.Quote | lex.Newline)
	}
	end := class.Run(b, start, longest)
	after := lex.Blank.Run(b, lex.Quote.Run(b, end, 1), names.MaxApart)
	switch {
	case end-start == longest:
		return names.Finding{}
	case w.Cut(after):
		return names.Finding{Verdict: names.Undecided, Start: start}
	case after < len(b) && !lex.Newline.Has(b[after]), end-start < shortest, w.Marker(start) > 0:
		return names.Finding{}
	}
	v := b[start:end]
	isLoose := b[to-1] == '=' && !isQuoted
	if candidate.IsPlaceholder(v, isQuoted) || candidate.IsProse(v) || isLoose &&
		(!candidate.HasDigit(v) || bytes.ContainsAny(v, "(),;")) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// startsLine says whether nothing but blanks and byte order marks stands before i on its line.
func startsLine(b []byte, i int) bool {
	line := b[max(0, i-names.MaxAlign):i]
	end := bytes.LastIndexByte(line, '\n')
	return (end >= 0 || len(line) == i) && len(LineBody(line[end+1:])) == 0
}

// Statement is the form of the password in a statement of SQL that gives a user one:
// IDENTIFIED BY 'x', IDENTIFIED WITH plugin BY 'x', SET PASSWORD FOR u = 'x'.
type Statement struct{}

// Find implements names.Form. The match is the password without its quotes.
func (Statement) Find(w names.Window, at, to int) names.Finding {
	const plugin, user, verb = 48, 128, 12
	b := w.Text
	if (lex.Lower | lex.HexLower).Has(b[at]) && !speaksOfUser(b[max(0, at-lex.LookBehind/2):at]) {
		return names.Finding{} // prose
	}
	i := to
	switch b[to-1] | 0x20 {
	case 'h': // WITH
		i = lex.Blank.Run(b, i, 4)
		i = (lex.Word | lex.Quote).Run(b, i, plugin)
	case 'r': // FOR
		for i < len(b) && i < to+user && b[i] != '=' && !lex.Newline.Has(b[i]) {
			i++
		}
		if i < len(b) && b[i] == '=' {
			i++
		}
	}
	if w.Cut(i) {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	i = lex.Blank.Run(b, i, 4)
	next := lex.Letters.Run(b, i, verb)
	if w.Cut(next + 1) {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	var said [verb]byte
	switch string(candidate.AppendLower(said[:0], b[i:next])) {
	case "by", "as", "using", "password", "values":
		i = (lex.Blank | lex.Paren).Run(b, next, 4)
	}
	i = lex.Backslash.Run(b, i, 3)
	if w.Cut(i) {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	if i == len(b) || !lex.Quote.Has(b[i]) {
		return names.Finding{}
	}
	end := names.ClosingQuote(w, i+1, b[i], b[i-1] == '\\')
	switch {
	case end-i <= names.MaxValue && w.Cut(end):
		return names.Finding{Verdict: names.Undecided, Start: to}
	case end == i+1, w.Marker(i+1) == end, candidate.IsPlaceholder(b[i+1:end], true):
		return names.Finding{}
	case end-i > names.MaxValue:
		return names.Finding{Verdict: names.Growing, Start: i + 1, End: end,
			Class: lex.Everything &^ (lex.Quote | lex.Newline)}
	}
	return names.Finding{Verdict: names.Match, Start: i + 1, End: end}
}

// speaksOfUser says whether a text has the word user in it, or grant.
func speaksOfUser(b []byte) bool {
	for _, w := range []string{"user", "grant"} {
		for i := 0; i+len(w) <= len(b); i++ {
			if lex.EqualFold(b[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}
