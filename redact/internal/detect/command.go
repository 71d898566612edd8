package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Logon is the form of the password that Oracle's programs and drivers take with a user:
// sqlplus scott/tiger@db, jdbc:oracle:thin:scott/tiger@//db:1521/x.
type Logon struct{}

// Find implements names.Form. The match is the password between the slash and the last @.
func (Logon) Find(w names.Window, at, to int) names.Finding {
	const flags, user, longest = 24, 64, 128
	b := w.Text
	if lex.LowerByte(b[at]) == 'c' && !followsPrompt(b, at) && (b[at] == 'c' || !startsLine(b, at)) {
		return names.Finding{}
	}
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

// Piped is the form of the secret that a shell writes to a program that reads it: echo x | docker login
// --password-stdin, docker login --password-stdin <<< x, echo user:x | chpasswd (chpasswd(8)).
type Piped struct{}

// Anchors returns the anchors of the form: the commands that write, and the sign of bash.
func (Piped) Anchors() []string { return []string{"echo ", "printf ", "<<<"} }

// Find implements names.Form. The match is what is written; of a user and a password the password.
func (Piped) Find(w names.Window, at, to int) names.Finding {
	const longest, longestRest = 512, 160
	b := w.Text
	if b[at] != '<' && !names.StartsWord(b, at) {
		return names.Finding{}
	}
	start := lex.Blank.Run(b, to, names.MaxApart)
	for start+2 < len(b) && b[start] == '-' && lex.Letters.Has(b[start+1]) && b[start+2] == ' ' { // echo -n
		start += len("-n ")
	}
	if w.Cut(start + len("'%s' ")) {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	for _, format := range []string{"'%s' ", `"%s" `, "%s "} {
		if rest, has := bytes.CutPrefix(b[start:], []byte(format)); has {
			start = len(b) - len(rest)
		}
	}
	class, quotes := lex.NonSpace&^lex.Quote, lex.Quote.Run(b, start, 1)-start
	if start += quotes; quotes > 0 {
		class = lex.Everything &^ (lex.Quote | lex.Newline)
	}
	end := class.Run(b, start, longest)
	rest := (lex.Everything &^ lex.Newline).Run(b, end, longestRest)
	if rest-end < longestRest && w.Cut(rest) {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	reader := bytes.TrimLeft(b[end:rest], "\"' \t")
	if b[at] == '<' {
		line := b[max(0, at-lex.MaxLead):at]
		reader = line[bytes.LastIndexByte(line, '\n')+1:]
	} else if len(reader) == 0 || reader[0] != '|' {
		return names.Finding{}
	}
	takes, ofUser := takesSecret(reader)
	if ofUser {
		start += bytes.IndexByte(b[start:end], ':') + 1
	}
	if !takes && !ofUser || end-start < 3 || w.Marker(start) > 0 || candidate.IsPlaceholder(b[start:end], quotes > 0) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// takesSecret reports whether a command reads a secret from its input, or users with theirs.
func takesSecret(command []byte) (takes, ofUser bool) {
	for _, flag := range []string{"--password-stdin", "--passphrase-fd 0", "--with-token", "docker secret create",
		"podman secret create", "gh secret set", "sudo -S", "passwd --stdin", "cryptsetup ", "kinit ", "vault login -",
		"wrangler secret put", "vercel env add"} {
		takes = takes || bytes.Contains(command, []byte(flag))
	}
	return takes, bytes.Contains(command, []byte("chpasswd"))
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
		return names.Finding{Verdict: names.OpenEnded, Start: i + 1, End: end,
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
