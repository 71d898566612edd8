package detect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/code"
	"github.com/kfw-dev/kfw/redact/internal/decode"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Email is the form of an address: RFC 5321's dot-atoms, and the letters
// of alphabets outside ASCII (RFC 6531), before a domain with an alphabetic top level.
type Email struct{}

const (
	maxLocal  = 64
	maxDomain = 253
)

// isNotice reports whether the line that b ends in says whose a work is: a notice of copyright (17 U.S.C. 401), or the
// author in a comment of a program.
func isNotice(b []byte) bool {
	const longest = 160
	line := b[max(0, len(b)-longest):]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	text := bytes.TrimLeft(line[lex.PrefixEnd(line):], " \t")
	words := bytes.TrimLeft(text, "#;/*%-!\"@ \t")
	for i := 0; i+len("copyright") < len(words); i++ {
		if lex.EqualFold(words[i:i+len("copyright")], "copyright") {
			return true
		}
	}
	name := lex.Letters.Run(words, 0, len("maintainers"))
	if len(words) == len(text) || name == len(words) {
		return false
	}
	switch word := words[:name]; {
	case lex.EqualFold(word, "author"), lex.EqualFold(word, "authors"), lex.EqualFold(word, "maintainer"),
		lex.EqualFold(word, "maintainers"):
		return true
	}
	return false
}

// Find implements names.Form: it matches the whole address. The anchor is its @.
func (Email) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	start := lex.LocalPart.RunBack(b, at, maxLocal+1)
	for start < at && ((lex.Dot | lex.Dash | lex.Percent | lex.Tilde | lex.Plus).Has(b[start]) ||
		b[start] >= 0x80 && b[start] < 0xc0) {
		start++ // the rest of a wide character is not of the address either
	}
	if start == at || at-start > maxLocal {
		return names.Finding{}
	}
	domain := lex.Alnum | lex.Dash | lex.Dot | lex.High
	end := domain.Run(b, to, maxDomain+1)
	if end-to <= maxDomain && w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: start}
	}
	if end-to > maxDomain && bytes.IndexByte(b[to:end], '.') > 0 {
		return names.Finding{Verdict: names.OpenEnded, Start: start, End: end, Class: domain}
	}
	next := end
	for end > to && (lex.Dot | lex.Dash).Has(b[end-1]) {
		end--
	}
	for end > to && ((lex.Dot | lex.Dash).Has(b[end-1]) || !isDomain(b[to:end])) {
		end = to + max(0, bytes.LastIndexByte(b[to:end], '.')) // mara@example.org.2
	}
	if end == to {
		return names.Finding{}
	}
	if isUserInfo(w, start) || isInHexDump(b, start) || isMessageID(b, start) {
		return names.Finding{}
	}
	if string(b[start:at]) == "git" && next < len(b) && b[next] == ':' ||
		isAlgorithm(b[start:at], b[to:end]) || isVersion(b[to:end]) || b[to] == '.' {
		return names.Finding{}
	}
	if isNotice(b[:start]) || w.IsCode(start, code.Itself) { // of whoever wrote the program, or made up for a test
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// isMessageID says whether what begins at i is the identifier of a message, in the field of a header that has such
// (RFC 5322 3.6.4).
func isMessageID(b []byte, i int) bool {
	const longest = 200
	line := b[max(0, i-longest):i]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	name, rest, _ := bytes.Cut(line, []byte{':'})
	isField := lex.EqualFold(name, "message-id") || lex.EqualFold(name, "in-reply-to") ||
		lex.EqualFold(name, "references")
	return isField && bytes.HasSuffix(rest, []byte(" <"))
}

// isUserInfo says whether what begins at i, before an @, is the user or the password in a URL, and what
// follows its host: postgres://app:secret@db.internal, ssh://git@github.com.
func isUserInfo(w names.Window, i int) bool {
	const longest = 160
	b := w.Text
	class := lex.NonSpace &^ (lex.Quote | lex.Angle | lex.Comma)
	from := i
	for from > max(0, i-longest) && (class.Has(b[from-1]) || isEscaped(w, from-1) || joinsAttributes(b[from-1:i])) {
		from--
	}
	scheme := bytes.LastIndex(b[from:i], []byte("://"))
	if scheme < 0 {
		return false
	}
	authority := from + scheme + len("://")
	if indexOf(w, authority, i, "@", false) >= 0 {
		return false
	}
	delimiter := indexOf(w, authority, i, "/?#\\", false)
	return delimiter < 0 || mayHoldDelimiter(b[authority:delimiter])
}

// joinsAttributes says whether b begins with a comma between two attributes of a distinguished name (RFC 4514), and has
// the colon before a password: ,dc=org:x.
func joinsAttributes(b []byte) bool {
	if b[0] != ',' {
		return false
	}
	name := (lex.Alnum | lex.Dash).Run(b, 1, len(b))
	return name > 1 && name < len(b) && b[name] == '=' && bytes.IndexByte(b[name:], ':') > 0
}

// isInHexDump says whether what begins at start stands in the column of a hex dump that shows its bytes
// as text: after a bar or two blanks, and pairs of digits before those (hexdump(1), xxd(1)).
func isInHexDump(b []byte, start int) bool {
	const longest, least = 20, 12 // bytes of the column before, digits
	column := lex.NonSpace.RunBack(b, start, longest)
	bar := column
	if i := bytes.IndexByte(b[column:start], '|'); i >= 0 {
		bar = column + i
	}
	gap := lex.Blank.RunBack(b, bar, 4)
	if bar-gap < 2 {
		return false
	}
	pairs := (lex.LowerHex | lex.Blank).RunBack(b, gap, 64)
	n := 0
	for part := range bytes.FieldsSeq(b[pairs:gap]) {
		if len(part)%2 != 0 {
			n = 0
			continue
		}
		n += len(part)
	}
	return n >= least
}

// isAlgorithm says whether local@domain is the name of an algorithm or a request of SSH
// that its implementation defined (RFC 4251 6): aes256-gcm@openssh.com.
func isAlgorithm(local, domain []byte) bool {
	if !lex.EqualFold(domain, "openssh.com") && !lex.EqualFold(domain, "libssh.org") {
		return false
	}
	switch string(local) {
	case "zlib", "keepalive", "ping", "limits", "lsetstat", "statvfs", "fstatvfs", "hardlink", "fsync", "tun":
		return true
	}
	return (lex.Lower | lex.LowerHex | lex.Dash).Within(local) && bytes.IndexByte(local, '-') > 0
}

// isVersion says whether what stands after an @ begins with a version, as of a module or a
// package: v0.0.1-go1.9.aix-ppc64.
func isVersion(v []byte) bool {
	v = bytes.TrimPrefix(v, []byte("v"))
	end := (lex.Digits | lex.Dot).Run(v, 0, len(v))
	// 5.4.10.Final
	if end > 0 && v[end-1] == '.' && bytes.Count(v[:end], []byte{'.'}) > 1 && lex.Alnum.Within(v[end:]) {
		return true
	}
	return bytes.IndexByte(v[:end], '.') > 0 && (end == len(v) || v[end] == '-')
}

// isFileType says whether the last label of what looks like a domain is of a file or of
// a unit of systemd, and no top level: icon@2x.png, sr@latin.po, getty@tty1.service.
func isFileType(label []byte) bool {
	switch string(label) {
	case "service", "socket", "timer", "mount", "automount", "slice", "scope", "device", "swap", "target",
		"png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "pdf", "js", "mjs", "css", "json", "html", "xml", "yaml",
		"yml",
		"po", "pot", "gmo", "header", "catalog", "lst", "toml", "txt", "log", "conf", "lock", "tar", "gz", "tgz",
		"xz", "bz2", "zst", "deb", "rpm", "jar":
		return true
	}
	return false
}

// isDomain says whether d has a dot and a last label that may be a top level:
// letters, or IDNA's xn--.
func isDomain(d []byte) bool {
	i := bytes.LastIndexByte(d, '.')
	if i <= 0 {
		return false
	}
	top := d[i+1:]
	if isFileType(top) {
		return false
	}
	if len(top) >= 2 && (lex.Letters | lex.High).Within(top) {
		return true
	}
	return len(top) > 4 && lex.EqualFold(top[:4], "xn--") || len(top) > 2 && (lex.Letters).Within(top[:2]) &&
		!lex.Digits.Within(d[:i])
}

// SourceName is the form of a password before the address of a database without a scheme, as drivers of Go take it:
// user:password@tcp(host:3306)/name.
type SourceName struct{}

// Find implements names.Form. The anchor begins with the @. The match is the password.
func (SourceName) Find(w names.Window, at, _ int) names.Finding {
	b := w.Text
	start := (lex.NonSpace &^ lex.Quote).RunBack(b, at, lex.MaxLead)
	user := lex.Word.Run(b, start, at-start)
	switch {
	case user == start || user+1 >= at || b[user] != ':' || bytes.HasPrefix(b[user:], []byte("://")),
		w.Marker(user+1) > 0, candidate.IsPlaceholder(b[user+1:at], true):
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: user + 1, End: at}
}

// UserInfo is the form of a password in a URL (RFC 3986 3.2.1).
type UserInfo struct{}

// Find implements names.Form. The match is the password, user and password if they are a pair
// of keys, or the user alone if it looks like a secret and no password follows.
func (UserInfo) Find(w names.Window, at, to int) names.Finding {
	const longest = 320
	class := lex.NonSpace &^ (lex.Quote | lex.Angle | lex.Slash | lex.Backslash)
	b := w.Text
	isWhole := isEscaped(w, to-1) // all of the URL is written so, and a delimiter is one
	end := class.Run(b, to, longest)
	if !isWhole {
		end = runOf(w, class, to, to+longest)
	}
	if end-to < longest && w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	if end < len(b) && mayHoldDelimiter(b[to:end]) {
		further := (lex.NonSpace &^ lex.Angle).Run(b, end, longest)
		if further-end < longest && w.Cut(further+1) {
			return names.Finding{Verdict: names.Undecided, Start: at}
		}
		end = delimitedEnd(b, end, further)
	}
	authority := b[to:end]
	// another field may follow the host, or another host with its user
	if i := bytes.IndexByte(authority, '@'); i >= 0 {
		if next := indexOf(w, to+i, end, ",;|)", isWhole); next >= 0 && !isPassword(b[next+1:end]) {
			authority = b[to:next]
		}
	}
	host := bytes.LastIndexByte(authority, '@')
	if i := indexOf(w, to, to+len(authority), "?#", isWhole); i >= 0 && !mayHoldDelimiter(b[to:i]) &&
		(host < 0 || i-to < bytes.IndexByte(authority, '@')) {
		return names.Finding{}
	}
	if host < 0 || host == len(authority)-1 {
		return names.Finding{}
	}
	sep := userEnd(w, to, to+host) - to
	if sep == host {
		if user := authority[:host]; candidate.IsLikelySecret(user) && len(user) >= 16 &&
			!(lex.Letters.Within(user) && candidate.IsPhrase(user)) {
			return names.Finding{Verdict: names.Match, Start: to, End: to + host}
		}
		return names.Finding{}
	}
	secret := authority[sep+1 : host]
	if sep > 0 && authority[sep-1] == '[' || authority[0] == '[' && authority[host+1] == ']' ||
		authority[0] == '(' && authority[host+1] == ')' { // of a syntax
		return names.Finding{}
	}
	if len(secret) == 0 || w.Marker(to+sep+1) >= to+host || candidate.IsPlaceholder(secret, true) &&
		string(secret) != "password" && string(secret) != "secret" {
		return names.Finding{}
	}
	if user := authority[:sep]; len(user) >= 8 && lex.Hexadecimal.Within(user) { // a pair of keys
		return names.Finding{Verdict: names.Match, Start: to, End: to + host}
	}
	return names.Finding{Verdict: names.Match, Start: to + sep + 1, End: to + host}
}

// mayHoldDelimiter says whether authority, which ends before a delimiter or the end of a URL, is a user
// and the begin of a password, and no host and port: people write delimiters in passwords as they are.
func mayHoldDelimiter(authority []byte) bool {
	user, secret, found := bytes.Cut(authority, []byte{':'})
	return found && len(user) > 0 && user[0] != '[' && len(secret) > 0 && !lex.Digits.Within(secret) &&
		bytes.IndexByte(authority, '@') < 0
}

// delimitedEnd returns where the authority ends that goes on at from with a delimiter in its password:
// after the host that follows an @, or from if there is none before to.
func delimitedEnd(b []byte, from, to int) int {
	at := bytes.IndexByte(b[from:to], '@')
	if at < 0 || bytes.Contains(b[from:from+at], []byte("://")) || bytes.IndexByte(b[from:from+at], ' ') >= 0 {
		return from
	}
	host := from + at + 1
	if end := (lex.Alnum | lex.Dash | lex.Dot).Run(b, host, maxDomain); end > host &&
		!bytes.HasPrefix(b[host:], []byte("sha256:")) {
		return end
	}
	return from
}

// runOf returns the end of the run in text[from:to] of class, and of characters that are written in
// another way than they read.
func runOf(w names.Window, class lex.Class, from, to int) int {
	for to = min(to, len(w.Text)); from < to && (class.Has(w.Text[from]) || isEscaped(w, from)); from++ {
	}
	return from
}

// indexOf returns where the first of signs stands in text[from:to], or -1: one that is written as it
// reads, unless any counts.
func indexOf(w names.Window, from, to int, signs string, any bool) int {
	for i := from; i < to; i++ {
		if strings.IndexByte(signs, w.Text[i]) >= 0 && (any || !isEscaped(w, i)) {
			return i
		}
	}
	return -1
}

// isEscaped says whether the character at i is written in another way than it reads.
func isEscaped(w names.Window, i int) bool {
	if w.Escapes == nil {
		return false
	}
	all := *w.Escapes
	n, _ := slices.BinarySearchFunc(all, i+1, func(e decode.Escape, at int) int { return e.Pos - at })
	return n > 0 && i < all[n-1].Pos+int(all[n-1].Read)
}

// isPassword says whether b begins with a user and a password before a host.
func isPassword(b []byte) bool {
	colon, at := bytes.IndexByte(b, ':'), bytes.IndexByte(b, '@')
	return colon > 0 && at > colon && bytes.IndexByte(b[:at], ',') < 0
}

// userEnd returns where the colon after a user stands in text[from:to], other
// than that of a marker, or to.
func userEnd(w names.Window, from, to int) int {
	for i := from; i < to; i++ {
		if w.Text[i] == ':' {
			return i
		}
		if end := w.Marker(i); end > 0 {
			i = end - 1
		}
	}
	return to
}
