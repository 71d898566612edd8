package detect

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Rows of programs and files whose cells have no names.

// BesideKeyID is the form of the secret half of a key of AWS, in the line that has its id: 40 digits of base64, in a cell
// of their own.
type BesideKeyID struct{}

// Find implements names.Form. The anchor is the begin of the id. The match is the first secret on the rest of the line.
func (BesideKeyID) Find(w names.Window, at, to int) names.Finding {
	const id, secret, longest = 20, 40, 256
	const around = lex.Whitespace | lex.Quote | lex.Comma | lex.Colon | lex.Slash | lex.Backslash | lex.Punctuation
	b := w.Text
	digits := (lex.Upper | lex.HexUpper | lex.Digits).Run(b, at, id+1)
	if digits-at != id && !w.Cut(digits) || !names.Boundary(b, at) {
		return names.Finding{}
	}
	rest := b[digits:min(len(b), digits+longest)]
	isWhole := len(rest) == longest || w.End
	if size := bytes.IndexByte(rest, '\n'); size >= 0 {
		rest, isWhole = rest[:size], true
	}
	if !isWhole {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	for i := 0; i < len(rest); i++ {
		end := lex.Base64.Run(rest, i, len(rest))
		if isAfter := i > 0 && around.Has(rest[i-1]); end-i == secret && isAfter &&
			(end == len(rest) || around.Has(rest[end])) && isMixedCase(rest[i:end]) {
			return names.Finding{Verdict: names.Match, Start: digits + i, End: digits + end}
		}
		i = end
	}
	return names.Finding{}
}

// TunnelKeys is the form of the rows of WireGuard's dump (wg(8)), with tabs between: the private key, the public key, the
// port and the mark of an interface; the public key, the shared key and the address of a peer.
type TunnelKeys struct{}

// Find implements names.Form. The anchor is the end of the first key. The match is the one that is secret.
func (TunnelKeys) Find(w names.Window, at, to int) names.Finding {
	const size = 44
	b := w.Text
	first, second := at+1-size, to
	end := second + size
	if !isKeyOf32(b, first) || first > 0 && !lex.Whitespace.Has(b[first-1]) {
		return names.Finding{}
	}
	next := (lex.Everything &^ lex.Whitespace).Run(b, end+1, names.MaxName)
	last := (lex.Everything &^ lex.Newline).Run(b, next, names.MaxName)
	switch {
	case w.Cut(end), w.Cut(next), w.Cut(last) && last-next < names.MaxName:
		return names.Finding{Verdict: names.Undecided, Start: first}
	case end >= len(b) || b[end] != '\t' || !isKeyOf32(b, second):
		return names.Finding{}
	}
	mark := bytes.Trim(b[next:last], "\t\r")
	switch isPort := next > end+1 && lex.Digits.Within(b[end+1:next]); {
	case isPort && (string(mark) == "off" || bytes.HasPrefix(mark, []byte("0x"))):
		return names.Finding{Verdict: names.Match, Start: first, End: at + 1}
	case isPort || next == end+1:
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: second, End: end}
}

// isKeyOf32 reports whether 32 bytes stand in b at i in base64.
func isKeyOf32(b []byte, i int) bool {
	const digits = 43
	return i >= 0 && i+digits < len(b) && b[i+digits] == '=' && lex.Base64.Within(b[i:i+digits]) &&
		bytes.IndexByte(b[i:i+digits], '=') < 0
}

// Excludes reports whether no key ends at the anchor.
func (TunnelKeys) Excludes(b []byte, at, _ int) bool {
	const digits = 43
	return at < digits || !lex.Base64.Within(b[at-digits:at])
}

// RelayLogin is the form of a line of a map that has the logins of mail servers: [smtp.example.org]:587 user:password
// (Postfix: SASL_README). A map without brackets and port has no form of its own.
type RelayLogin struct{}

// Anchors returns the anchors of the form: the end of the server's name, and the begin of its port.
func (RelayLogin) Anchors() []string { return []string{"]:00"} }

// Find implements names.Form. The match is the password.
func (RelayLogin) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	open := (lex.Alnum|lex.Dash|lex.Dot).RunBack(b, at, names.MaxName) - 1
	if open < 0 || b[open] != '[' || bytes.IndexByte(b[open:at], '.') < 0 || !isAtMargin(b, open) {
		return names.Finding{}
	}
	port := lex.Digits.Run(b, to, 4)
	login := lex.Blank.Run(b, port, names.MaxAlign)
	end := lex.NonSpace.Run(b, login, names.MaxValue)
	rest := lex.Blank.Run(b, end, names.MaxAlign)
	if w.Cut(rest) {
		return names.Finding{Verdict: names.Undecided, Start: open}
	}
	size := bytes.IndexByte(b[login:end], ':')
	start := login + size + 1
	if login == port || size < 1 || start == end || rest < len(b) && !lex.Newline.Has(b[rest]) || w.Marker(start) > 0 ||
		candidate.IsPlaceholder(b[start:end], true) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// TunnelSecret is the form of a secret in a line of ipsec.secrets(5): : PSK "x", user : EAP "x", : RSA key.pem "x".
type TunnelSecret struct{}

// Anchors returns the anchors of the form, in lower case.
func (TunnelSecret) Anchors() []string {
	return []string{": psk ", ": eap ", ": xauth ", ": ntlm ", ": rsa ", ": ecdsa ", ": pkcs0 "}
}

// Find implements names.Form. The match is what stands in the quotes at the end of the line.
func (TunnelSecret) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	if lex.ClassOf(b[at:to])&(lex.Lower|lex.HexLower) != 0 || at > 0 && lex.NonSpace.Has(b[at-1]) {
		return names.Finding{}
	}
	open := to
	if c := b[at+len(": ")]; c == 'R' || b[at+3] == 'C' || b[at+3] == 'K' { // the file of the key stands before it
		open = (lex.Word | lex.Dash | lex.Dot | lex.Slash).Run(b, to, names.MaxValue)
		open = lex.Blank.Run(b, open, names.MaxAlign)
	}
	if w.Cut(open) {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	if open == len(b) || b[open] != '"' {
		return names.Finding{}
	}
	start := open + 1
	end := (lex.Everything &^ (lex.Newline | lex.Quote)).Run(b, start, names.MaxValue)
	rest := lex.Blank.Run(b, min(end+1, len(b)), names.MaxAlign)
	switch {
	case w.Cut(rest):
		return names.Finding{Verdict: names.Undecided, Start: at}
	case end == start, end == len(b), b[end] != '"', rest < len(b) && !lex.Newline.Has(b[rest]), w.Marker(start) > 0,
		candidate.IsPlaceholder(b[start:end], true):
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// StoredPassword is the form of a password as PostgreSQL stores it: SCRAM-SHA-256$4096:salt$keys, or md5 and 32 digits in
// quotes.
type StoredPassword struct{}

// Anchors returns the anchors of the form, in lower case.
func (StoredPassword) Anchors() []string { return []string{"scram-sha-000$", "md0"} }

// Find implements names.Form. The match is all of it.
func (f StoredPassword) Find(w names.Window, at, to int) names.Finding {
	const hash, shortest = 32, 64
	b := w.Text
	end := lex.LowerHex.Run(b, to, hash+1)
	if b[to-1] == '$' {
		end = (lex.Base64 | lex.Dollar | lex.Colon).Run(b, to, names.MaxValue)
	}
	switch {
	case f.Excludes(b, at, to):
		return names.Finding{}
	case w.Cut(end):
		return names.Finding{Verdict: names.Undecided, Start: at}
	case b[to-1] == '$' && (end-to < shortest || bytes.IndexByte(b[to:end], ':') < 0),
		b[to-1] != '$' && (end-to != hash || end == len(b) || b[end] != b[at-1]):
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: at, End: end}
}

// Excludes reports whether the anchor is no begin of such a password.
func (StoredPassword) Excludes(b []byte, at, to int) bool {
	if b[to-1] == '$' {
		return at > 0 && lex.Alnum.Has(b[at-1])
	}
	return b[to-1] != '5' || at == 0 || !lex.Quote.Has(b[at-1]) || to < len(b) && !lex.LowerHex.Has(b[to])
}

// isAtMargin reports whether nothing but blanks and the prefix of a program stands in the line of b before i.
func isAtMargin(b []byte, i int) bool {
	from := max(0, i-lex.LongestPrefix)
	line := from + bytes.LastIndexByte(b[from:i], '\n') + 1
	start := lex.Blank.RunBack(b, i, names.MaxAlign)
	return start <= line || start <= line+lex.AnyPrefixEnd(b[line:i])
}
