package detect

import (
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Netrc is the form of a machine's entry in a .netrc: machine HOST login NAME password VALUE, on one
// line or several (ftp(1), curl(1)).
type Netrc struct{ Names *names.Names }

// Anchors returns the anchors of the form, in lower case.
func (Netrc) Anchors() []string { return []string{"machine ", "default login "} }

// Find implements names.Form. The match is the password of the entry.
func (f Netrc) Find(w names.Window, at, to int) names.Finding {
	const mostPairs, longestGap = 4, 64
	if f.Excludes(w.Text, at, to) {
		return names.Finding{}
	}
	b := w.Text
	word := func(i int) (from, end int) {
		from = lex.Whitespace.Run(w.Text, i, longestGap)
		return from, lex.NonSpace.Run(w.Text, from, names.MaxValue)
	}
	_, end := word(to) // the host
	if lex.LowerByte(b[at]) == 'd' {
		end = at + len("default")
	}
	for range mostPairs {
		keyword, keywordEnd := word(end)
		if w.Cut(keywordEnd) {
			return names.Finding{Verdict: names.Undecided, Start: keyword}
		}
		if !names.IsNetrcKeyword(w.Text[keyword:keywordEnd]) {
			return names.Finding{}
		}
		var value int
		value, end = word(keywordEnd)
		switch {
		case w.Cut(end):
			return names.Finding{Verdict: names.Undecided, Start: value}
		case string(w.Text[keyword:keywordEnd]) != "password":
			continue
		}
		p := f.Names.Of([]byte("password"))
		if p == nil || !p.IsIn(w.Text[value:end], false, w.Around) {
			return names.Finding{}
		}
		return names.Finding{Verdict: names.Match, Start: value, End: end}
	}
	return names.Finding{}
}

// Excludes reports whether the anchor is not the first word of a line.
func (Netrc) Excludes(b []byte, at, _ int) bool {
	return !isAtMargin(b, at)
}

// Pgpass is the form of a line of PostgreSQL's password file: host:port:database:user:password
// (libpq, 34.16). A colon in a field has a backslash before it.
type Pgpass struct{ Names *names.Names }

// Anchors returns the anchors of the form: a port, whose digits are written 0, and any port.
func (Pgpass) Anchors() []string { return []string{":0000:", ":*:"} }

// Find implements names.Form. The match is the last field of the line.
func (f Pgpass) Find(w names.Window, at, to int) names.Finding {
	start := pgpassField.RunBack(w.Text, at, names.MaxName)
	port := string(w.Text[at+1 : at+3])
	isPort := port == "54" || port == "64" || to-at == len(":*:") // 5432 and its neighbors, 6432 of PgBouncer
	if !isPort || start == at || !isAtMargin(w.Text, start) || w.Text[start] == '#' {
		return names.Finding{}
	}
	i := to
	for range 2 { // the database, the user
		end := fieldEnd(w.Text, i)
		switch {
		case w.Cut(end):
			return names.Finding{Verdict: names.Undecided, Start: i}
		case end == i || end == len(w.Text) || w.Text[end] != ':':
			return names.Finding{}
		}
		i = end + 1
	}
	end := fieldEnd(w.Text, i)
	if w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: i}
	}
	next := lex.Blank.Run(w.Text, end, 1)
	isWhole := end == len(w.Text) || lex.Newline.Has(w.Text[end])
	if p := f.Names.Of([]byte("password")); next > end || !isWhole || p == nil ||
		!p.IsIn(w.Text[i:end], true, w.Around) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: i, End: end}
}

// pgpassField are the bytes of a host.
const pgpassField = lex.Word | lex.Dash | lex.Dot | lex.Slash | lex.Punctuation

// fieldEnd returns the end of a field of a password file that begins at i.
func fieldEnd(b []byte, i int) int {
	for end := i; ; end++ {
		switch {
		case end == len(b) || end-i == names.MaxValue || b[end] == ':' || lex.Whitespace.Has(b[end]):
			return end
		case b[end] == '\\' && end+1 < len(b):
			end++
		}
	}
}
