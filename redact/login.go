package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// netrc is the form of a machine's entry in a .netrc: machine HOST login NAME password VALUE, on one
// line or several (ftp(1), curl(1)).
type netrc struct{ names *names }

func (netrc) anchors() []string { return []string{"machine "} }

func (f netrc) find(w window, at, to int) finding {
	const mostPairs, longestGap = 4, 64
	if f.excludes(w.text, at, to) {
		return finding{}
	}
	word := func(i int) (from, end int) {
		from = lex.Whitespace.Run(w.text, i, longestGap)
		return from, lex.NonSpace.Run(w.text, from, maxValue)
	}
	_, end := word(to) // the host
	for range mostPairs {
		keyword, keywordEnd := word(end)
		if w.cut(keywordEnd) {
			return finding{verdict: undecided, start: keyword}
		}
		if !isNetrcKeyword(w.text[keyword:keywordEnd]) {
			return finding{}
		}
		var value int
		value, end = word(keywordEnd)
		switch {
		case w.cut(end):
			return finding{verdict: undecided, start: value}
		case string(w.text[keyword:keywordEnd]) != "password":
			continue
		}
		p := f.names.of([]byte("password"))
		if p == nil || !p.isIn(w.text[value:end], false, w.around) {
			return finding{}
		}
		return finding{verdict: match, start: value, end: end}
	}
	return finding{}
}

// excludes reports whether the anchor is not the first word of a line.
func (netrc) excludes(b []byte, at, _ int) bool {
	start := lex.Blank.RunBack(b, at, maxAlign)
	return start > 0 && b[start-1] != '\n'
}

// isNetrcKeyword reports whether a word of a .netrc has a value after it.
func isNetrcKeyword(word []byte) bool {
	switch string(word) {
	case "login", "account", "password", "port":
		return true
	}
	return false
}

// pgpass is the form of a line of PostgreSQL's password file: host:port:database:user:password
// (libpq, 34.16). A colon in a field has a backslash before it.
type pgpass struct{ names *names }

func (pgpass) anchors() []string { return []string{":0000:", ":*:"} }

func (f pgpass) find(w window, at, to int) finding {
	start := pgpassField.RunBack(w.text, at, maxName)
	port := string(w.text[at+1 : at+3])
	isPort := port == "54" || port == "64" || to-at == len(":*:") // 5432 and its neighbors, 6432 of PgBouncer
	if !isPort || start == at || start > 0 && w.text[start-1] != '\n' || w.text[start] == '#' {
		return finding{}
	}
	i := to
	for range 2 { // the database, the user
		end := fieldEnd(w.text, i)
		switch {
		case w.cut(end):
			return finding{verdict: undecided, start: i}
		case end == i || end == len(w.text) || w.text[end] != ':':
			return finding{}
		}
		i = end + 1
	}
	end := fieldEnd(w.text, i)
	if w.cut(end) {
		return finding{verdict: undecided, start: i}
	}
	next := lex.Blank.Run(w.text, end, 1)
	isWhole := end == len(w.text) || lex.Newline.Has(w.text[end])
	if p := f.names.of([]byte("password")); next > end || !isWhole || p == nil ||
		!p.isIn(w.text[i:end], true, w.around) {
		return finding{}
	}
	return finding{verdict: match, start: i, end: end}
}

// pgpassField are the bytes of a host.
const pgpassField = lex.Word | lex.Dash | lex.Dot | lex.Slash | lex.Punctuation

// fieldEnd returns the end of a field of a password file that begins at i.
func fieldEnd(b []byte, i int) int {
	for end := i; ; end++ {
		switch {
		case end == len(b) || end-i == maxValue || b[end] == ':' || lex.Whitespace.Has(b[end]):
			return end
		case b[end] == '\\' && end+1 < len(b):
			end++
		}
	}
}

// inBraces finds the value of a name of a connection string of ODBC that begins at i, in braces; a brace
// in it is doubled ([MS-ODBCSTR] 2.1.2). It is one only where another attribute stands beside it.
func (w window) inBraces(start, i int) (x finding, isBraced bool) {
	b := w.text
	if i+2 >= len(b) && !w.end {
		return finding{verdict: undecided, start: i}, true
	}
	if i+1 >= len(b) || b[i] != '=' || b[i+1] != '{' {
		return finding{}, false
	}
	from, end := i+2, i+2
	for {
		last := min(len(b), from+maxValue)
		if end > last {
			return finding{}, false
		}
		if size := bytes.IndexByte(b[end:last], '}'); size >= 0 {
			last = end + size
		}
		if size := bytes.IndexByte(b[end:last], '\n'); size >= 0 {
			return finding{}, false
		}
		end = last
		switch {
		case w.cut(end + 1):
			return finding{verdict: undecided, start: i}, true
		case end >= len(b) || b[end] != '}':
			return finding{}, false
		case end+1 < len(b) && b[end+1] == '}':
			end += 2
			continue
		}
		break
	}
	next := end + 1
	attribute := (lex.Word | lex.Blank).Run(b, next+1, maxName)
	if w.cut(attribute) {
		return finding{verdict: undecided, start: i}, true
	}
	isLast := next == len(b) || (lex.Quote | lex.Newline).Has(b[next])
	isBefore := next < len(b) && b[next] == ';' && attribute < len(b) && b[attribute] == '=' &&
		isOfConnection(b[next+1:attribute])
	isAfter := start > 0 && b[start-1] == ';' && (isLast || b[next] == ';') && followsAttribute(b[:start])
	if end == from || !isBefore && !isAfter || w.marker(from) == end {
		return finding{}, isBefore || isAfter
	}
	return finding{verdict: match, start: from, end: end}, true
}

// isOfConnection reports whether a connection string says by name where it leads to, or who connects.
func isOfConnection(name []byte) bool {
	var b [maxName]byte
	switch string(candidate.AppendLower(b[:0], bytes.TrimSpace(name)[:min(len(bytes.TrimSpace(name)), len(b))])) {
	case "uid", "user", "user id", "userid", "username", "server", "host", "address", "data source", "dsn", "filedsn",
		"driver",
		"database", "initial catalog", "port":
		return true
	}
	return false
}

// followsAttribute reports whether such a name is one of the last of b, which ends after a semicolon.
func followsAttribute(b []byte) bool {
	const most = 8
	b = b[max(0, len(b)-maxValue):]
	b = b[bytes.LastIndexByte(b, '\n')+1:]
	for range most {
		last := bytes.LastIndexByte(b, ';')
		if last < 0 {
			return false
		}
		b = b[:last]
		begin := (lex.Everything &^ (lex.Newline | lex.Punctuation)).RunBack(b, len(b), maxValue)
		name, _, isSet := bytes.Cut(b[begin:], []byte{'='})
		start := (lex.Word | lex.Blank).RunBack(name, len(name), maxName)
		if isSet && isOfConnection(name[start:]) {
			return true
		}
	}
	return false
}
