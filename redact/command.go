package redact

import (
	"bytes"
	"strings"
)

// passwordFlag is the form of a password that is an argument of a command, as the programs
// below take it.
type passwordFlag struct{}

// usage is how a program takes a password.
type usage struct {
	flag    string
	program string
	command string // of the program, if only that does
	glued   bool   // directly after the flag
	apart   bool   // after a blank
	sign    byte   // after a user and this sign, unless it is 0
}

// usages are of the programs' manuals.
var usages = func() (all []usage) {
	for _, u := range []usage{
		{flag: "-p", glued: true, program: "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlsh mariadb mariadb-dump mariadb-admin"},
		{flag: "-p", glued: true, apart: true, program: "sshpass"},
		{flag: "-p", apart: true, program: "mongo mongosh mongodump mongorestore mongoexport mongoimport"},
		{flag: "-p", apart: true, program: "docker podman buildah skopeo nerdctl helm az", command: " login "},
		{flag: "-a", apart: true, program: "redis-cli"},
		{flag: "-w", apart: true, program: "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami"},
		{flag: "-U", apart: true, sign: '%', program: "smbclient rpcclient"},
		{flag: "/p:", glued: true, program: "xfreerdp wlfreerdp"},
	} {
		for program := range strings.FieldsSeq(u.program) {
			u.program = program
			all = append(all, u)
		}
	}
	return all
}()

func (f passwordFlag) find(w window, at, to int) finding {
	const longest, shortest = 256, 3
	b := w.text
	if f.excludes(b, at, to) {
		return finding{}
	}
	flag := bytes.TrimRight(b[at:to], " ")
	u := usageBefore(b, at, flag)
	if u == nil {
		return finding{}
	}
	end := at + len(flag)
	start := end
	if u.apart {
		start = blank.run(b, end, 2)
	}
	if w.cut(start) {
		return finding{verdict: undecided, start: start}
	}
	if start == end && !u.glued {
		return finding{}
	}
	class, isQuoted := bareValue, false
	if start < len(b) && quote.has(b[start]) {
		class, isQuoted = everything&^(quote|newline), true
		start++
	}
	end = class.run(b, start, longest)
	switch {
	case end-start < longest && w.cut(end):
		return finding{verdict: undecided, start: start}
	case end-start == longest:
		return finding{}
	}
	if next := bytes.IndexAny(b[start:end], ";|"); next >= 0 && !isQuoted {
		end = start + next
	}
	if u.sign != 0 {
		user := bytes.IndexByte(b[start:end], u.sign)
		if user < 0 {
			return finding{}
		}
		start += user + 1
	}
	v := b[start:end]
	if len(v) < shortest {
		return finding{}
	}
	if isPlaceholder(v, isQuoted) || v[0] == '$' || v[0] == '[' || w.marker(start) > 0 || (digits | colon).within(v) ||
		bytes.IndexByte(v, '=') > 0 && start == at+len(flag) || (upper|hexUpper|underscore).within(v) && isMetavariable(v) {
		return finding{} // -p$PASS, -p[password], a port, -port=1, -pPASSWORD
	}
	if u.apart && !u.glued && v[0] == '-' { // another flag
		return finding{}
	}
	return finding{verdict: match, start: start, end: end}
}

// excludes implements excluder.
func (passwordFlag) excludes(b []byte, at, _ int) bool {
	return at == 0 || !(blank | quote).has(b[at-1])
}

// usageBefore returns how the program that a command line begins with takes a password
// after flag, if the command line goes on to i.
func usageBefore(b []byte, i int, flag []byte) *usage {
	line := b[max(0, i-lookBehind/2):i]
	line = line[bytes.LastIndexAny(line, "\n;|&")+1:]
	for n := range usages {
		u := &usages[n]
		if u.flag != string(flag) || !bytes.Contains(line, []byte(u.program)) || !bytes.Contains(line, []byte(u.command)) {
			continue
		}
		for field := range bytes.FieldsSeq(line) {
			if name := (word | dash).runBack(field, len(field), len(field)); string(field[name:]) == u.program {
				return u
			}
		}
	}
	return nil
}

// logon is the form of the password that Oracle's programs and drivers take with a user:
// sqlplus scott/tiger@db, jdbc:oracle:thin:scott/tiger@//db:1521/x.
type logon struct{}

func (logon) find(w window, at, to int) finding {
	const flags, user, longest = 24, 64, 128
	b := w.text
	i := to
	for b[to-1] == ' ' && i < len(b) && b[i] == '-' && i < to+flags { // sqlplus -s
		i = blank.run(b, nonSpace.run(b, i, flags), 4)
	}
	start := (word | dot).run(b, i, user)
	if w.cut(start) {
		return finding{verdict: undecided, start: i}
	}
	if start == i || start == len(b) || b[start] != '/' {
		return finding{}
	}
	start++
	end := (bareValue &^ slash).run(b, start, longest)
	if end-start < longest && w.cut(end) {
		return finding{verdict: undecided, start: start}
	}
	size := bytes.LastIndexByte(b[start:end], '@')
	if size < 1 || w.marker(start) > 0 || isPlaceholder(b[start:start+size], false) {
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
	isAssigned, isRouters := b[to-1] == '=', digits.has(b[to-2])
	switch {
	case startsLine(b, at):
	case !isRouters || !isOfAccount(b, at):
		return finding{}
	}
	start := blank.run(b, to, maxAlign)
	if w.cut(start) {
		return finding{verdict: undecided, start: start}
	}
	class, isQuoted := nonSpace&^angle, start < len(b) && quote.has(b[start])
	if isQuoted {
		start++
		class = everything &^ (quote | newline)
	}
	end := class.run(b, start, longest)
	after := blank.run(b, quote.run(b, end, 1), maxApart)
	switch {
	case end-start == longest:
		return finding{}
	case w.cut(after):
		return finding{verdict: undecided, start: start}
	case after < len(b) && !newline.has(b[after]), end-start < shortest, w.marker(start) > 0:
		return finding{}
	}
	v := b[start:end]
	isLoose := isAssigned && !isQuoted || isRouters && startsLine(b, at)
	if isPlaceholder(v, isQuoted) || isProse(v) || isLoose && (!hasDigit(v) || bytes.ContainsAny(v, "(),;")) {
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
	if (lower | hexLower).has(b[at]) && !speaksOfUser(b[max(0, at-lookBehind/2):at]) {
		return finding{} // prose
	}
	i := to
	switch b[to-1] | 0x20 {
	case 'h': // WITH
		i = blank.run(b, i, 4)
		i = (word | quote).run(b, i, plugin)
	case 'r': // FOR
		for i < len(b) && i < to+user && b[i] != '=' && !newline.has(b[i]) {
			i++
		}
		if i < len(b) && b[i] == '=' {
			i++
		}
	}
	if w.cut(i) {
		return finding{verdict: undecided, start: to}
	}
	i = blank.run(b, i, 4)
	next := letters.run(b, i, verb)
	if w.cut(next + 1) {
		return finding{verdict: undecided, start: to}
	}
	var said [verb]byte
	switch string(appendLower(said[:0], b[i:next])) {
	case "by", "as", "using", "password", "values":
		i = (blank | paren).run(b, next, 4)
	}
	i = backslash.run(b, i, 3)
	if w.cut(i) {
		return finding{verdict: undecided, start: to}
	}
	if i == len(b) || !quote.has(b[i]) {
		return finding{}
	}
	end := closingQuote(w, i+1, b[i], b[i-1] == '\\')
	switch {
	case end-i <= maxValue && w.cut(end):
		return finding{verdict: undecided, start: to}
	case end == i+1, w.marker(i+1) == end, isPlaceholder(b[i+1:end], true):
		return finding{}
	case end-i > maxValue:
		return finding{verdict: growing, start: i + 1, end: end, class: everything &^ (quote | newline)}
	}
	return finding{verdict: match, start: i + 1, end: end}
}

// speaksOfUser says whether a text has the word user in it, or grant.
func speaksOfUser(b []byte) bool {
	for _, w := range []string{"user", "grant"} {
		for i := 0; i+len(w) <= len(b); i++ {
			if equalFold(b[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}
