package redact

import "bytes"

// passwordFlag is the form of a password that is an argument of -p: glued to it for the
// clients of MySQL and MariaDB (mysql(1)), with or without a blank for sshpass(1).
type passwordFlag struct{}

func (f passwordFlag) find(w window, at, to int) finding {
	const longest, shortest = 256, 3
	b := w.text
	if f.excludes(b, at, to) {
		return finding{}
	}
	program := programBefore(b, at)
	if program == nil {
		return finding{}
	}
	start := to
	if string(program) == "sshpass" {
		start = blank.run(b, to, 2)
	}
	if w.cut(start) {
		return finding{verdict: undecided, start: start}
	}
	class, isQuoted := bareValue, false
	if start < len(b) && quote.has(b[start]) {
		class, isQuoted = everything&^(quote|newline), true
		start++
	}
	end := class.run(b, start, longest)
	switch {
	case end-start < longest && w.cut(end):
		return finding{verdict: undecided, start: start}
	case end-start == longest:
		return finding{}
	}
	if next := bytes.IndexAny(b[start:end], ";|"); next >= 0 && !isQuoted {
		end = start + next
	}
	v := b[start:end]
	if len(v) < shortest {
		return finding{}
	}
	if isPlaceholder(v, isQuoted) || v[0] == '$' || v[0] == '[' || w.marker(start) > 0 || (digits | colon).within(v) ||
		bytes.IndexByte(v, '=') > 0 || (upper|hexUpper|underscore).within(v) && isMetavariable(v) {
		return finding{} // -p$PASS, -p[password], a port, -port=1, -pPASSWORD
	}
	return finding{verdict: match, start: start, end: end}
}

// excludes implements excluder.
func (passwordFlag) excludes(b []byte, at, _ int) bool { return at == 0 || !blank.has(b[at-1]) }

// programBefore returns the name of the program that a command line begins with, if it
// takes a password as -p and the command line goes on to i.
func programBefore(b []byte, i int) []byte {
	line := b[max(0, i-lookBehind/2):i]
	line = line[bytes.LastIndexAny(line, "\n;|&")+1:]
	for field := range bytes.FieldsSeq(line) {
		name := field[(word|dash).runBack(field, len(field), len(field)):]
		switch string(name) {
		case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck", "mysqlsh",
			"mariadb", "mariadb-dump", "mariadb-admin", "sshpass":
			return name
		}
	}
	return nil
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
