package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// logon is the form of the password that Oracle's programs and drivers take with a user:
// sqlplus scott/tiger@db, jdbc:oracle:thin:scott/tiger@//db:1521/x.
type logon struct{}

func (logon) find(w window, at, to int) finding {
	const flags, user, longest = 24, 64, 128
	b := w.text
	i := to
	for b[to-1] == ' ' && i < len(b) && b[i] == '-' && i < to+flags { // sqlplus -s
		i = lex.Blank.Run(b, lex.NonSpace.Run(b, i, flags), 4)
	}
	start := (lex.Word | lex.Dot).Run(b, i, user)
	if w.cut(start) {
		return finding{verdict: undecided, start: i}
	}
	if start == i || start == len(b) || b[start] != '/' {
		return finding{}
	}
	start++
	end := (lex.BareValue &^ lex.Slash).Run(b, start, longest)
	if end-start < longest && w.cut(end) {
		return finding{verdict: undecided, start: start}
	}
	size := bytes.LastIndexByte(b[start:end], '@')
	if size < 1 || w.marker(start) > 0 || candidate.IsPlaceholder(b[start:start+size], false) {
		return finding{}
	}
	return finding{verdict: match, start: start, end: start + size}
}

// directive is the form of a password that is all of what follows its name on a line of a file
// of settings: requirepass x (redis.conf), bindpw x (ldap.conf), psk=x (wpa_supplicant.conf),
// username mara password 0 x (of a router).
type directive struct{}

func (directive) find(w window, at, to int) finding {
	const longest, shortest = 256, 3
	b := w.text
	isAssigned, isRouters := b[to-1] == '=', lex.Digits.Has(b[to-2])
	switch {
	case startsLine(b, at):
	case !isRouters || !isOfAccount(b, at):
		return finding{}
	}
	start := lex.Blank.Run(b, to, maxAlign)
	if w.cut(start) {
		return finding{verdict: undecided, start: start}
	}
	class, isQuoted := lex.NonSpace&^lex.Angle, start < len(b) && lex.Quote.Has(b[start])
	if isQuoted {
		start++
		class = lex.Everything &^ (lex.Quote | lex.Newline)
	}
	end := class.Run(b, start, longest)
	after := lex.Blank.Run(b, lex.Quote.Run(b, end, 1), maxApart)
	switch {
	case end-start == longest:
		return finding{}
	case w.cut(after):
		return finding{verdict: undecided, start: start}
	case after < len(b) && !lex.Newline.Has(b[after]), end-start < shortest, w.marker(start) > 0:
		return finding{}
	}
	v := b[start:end]
	isLoose := isAssigned && !isQuoted || isRouters && startsLine(b, at)
	if candidate.IsPlaceholder(v, isQuoted) || candidate.IsProse(v) || isLoose &&
		(!candidate.HasDigit(v) || bytes.ContainsAny(v, "(),;")) {
		return finding{}
	}
	return finding{verdict: match, start: start, end: end}
}

// startsLine says whether nothing but blanks and byte order marks stands before i on its line.
func startsLine(b []byte, i int) bool {
	line := b[max(0, i-maxAlign):i]
	end := bytes.LastIndexByte(line, '\n')
	return (end >= 0 || len(line) == i) && len(lineBody(line[end+1:])) == 0
}

// isOfAccount says whether the line of i begins with the command for an account of a router.
func isOfAccount(b []byte, i int) bool {
	const longest = 128
	line := b[max(0, i-longest):i]
	line = lineBody(line[bytes.LastIndexByte(line, '\n')+1:])
	return bytes.HasPrefix(line, []byte("username ")) || bytes.HasPrefix(line, []byte("enable "))
}

// statement is the form of the password in a statement of SQL that gives a user one:
// IDENTIFIED BY 'x', IDENTIFIED WITH plugin BY 'x', SET PASSWORD FOR u = 'x'.
type statement struct{}

func (statement) find(w window, at, to int) finding {
	const plugin, user, verb = 48, 128, 12
	b := w.text
	if (lex.Lower | lex.HexLower).Has(b[at]) && !speaksOfUser(b[max(0, at-lex.LookBehind/2):at]) {
		return finding{} // prose
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
	if w.cut(i) {
		return finding{verdict: undecided, start: to}
	}
	i = lex.Blank.Run(b, i, 4)
	next := lex.Letters.Run(b, i, verb)
	if w.cut(next + 1) {
		return finding{verdict: undecided, start: to}
	}
	var said [verb]byte
	switch string(candidate.AppendLower(said[:0], b[i:next])) {
	case "by", "as", "using", "password", "values":
		i = (lex.Blank | lex.Paren).Run(b, next, 4)
	}
	i = lex.Backslash.Run(b, i, 3)
	if w.cut(i) {
		return finding{verdict: undecided, start: to}
	}
	if i == len(b) || !lex.Quote.Has(b[i]) {
		return finding{}
	}
	end := closingQuote(w, i+1, b[i], b[i-1] == '\\')
	switch {
	case end-i <= maxValue && w.cut(end):
		return finding{verdict: undecided, start: to}
	case end == i+1, w.marker(i+1) == end, candidate.IsPlaceholder(b[i+1:end], true):
		return finding{}
	case end-i > maxValue:
		return finding{verdict: growing, start: i + 1, end: end, class: lex.Everything &^ (lex.Quote | lex.Newline)}
	}
	return finding{verdict: match, start: i + 1, end: end}
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
