package detect

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Router is the form of the secrets on a line of the configuration of a router, a switch or a firewall:
// snmp-server community x, radius-server host h key 7 x, snmp-server user u g auth md5 x priv aes 128 x. What follows a
// keyword is its secret, behind the number or the word that tells how it is written.
type Router struct{}

// Anchors returns the anchors of the form: what only such a line begins with, or has.
func (Router) Anchors() []string {
	return []string{"snmp-server ", "snmp-agent ", "snmp community ", "tacacs-server ", "radius-server ", "ppp chap ",
		"ppp pap ", "key-string ", "isakmp key ", "authentication-key ", "message-digest-key ", "pre-shared-key ",
		"server-private ", "neighbor ", "standby ", "psksecret ", "encrypted-password ", "key 0 ", "password 0 ",
		"secret 0 ", "wpa-psk ", "password cipher ", "password irreversible-cipher ",
		"shared-key ", "password enc ", "set passphrase ", "set-key ", "rocommunity ", "rwcommunity ", "rocommunity0 ",
		"rwcommunity0 ", "createuser "}
}

const longestRouterLine = 320 // in bytes

// Find implements names.Form. The matches are the secrets of the line from the anchor on.
func (Router) Find(w names.Window, at, to int) (x names.Finding) {
	b := w.Text
	line, isBegin := lineBefore(b, at)
	if !isBegin || at > 0 && lex.Word.Has(b[at-1]) && b[at-1] != b[at] {
		return names.Finding{}
	}
	rest := b[at:min(len(b), at+longestRouterLine)]
	if size := bytes.IndexAny(rest, "\r\n"); size >= 0 {
		rest = rest[:size]
	} else if len(rest) < longestRouterLine && !w.End {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	first, _, _ := bytes.Cut(bytes.TrimPrefix(b[line:at+len(rest)], []byte("no ")), []byte{' '})
	isLoose := !routerCommands[string(first)]
	expects := false
	for from := 0; from < len(rest); {
		begin := lex.Whitespace.Run(rest, from, len(rest))
		isQuoted := begin < len(rest) && lex.Quote.Has(rest[begin])
		if isQuoted {
			begin++
		}
		end := (lex.NonSpace &^ lex.Quote).Run(rest, begin, len(rest))
		word := bytes.TrimRight(rest[begin:end], ";,\\\r")
		if from = lex.Quote.Run(rest, end, 1); from > end && !isQuoted { // of the string that the line is in
			rest = rest[:end]
		}
		switch {
		case string(word) == "3" && bytes.HasSuffix(rest[:begin], []byte("version ")): // a user follows
			return x
		case isRouterKey(word):
			expects = true
			continue
		case !expects || routerNotations[string(word)] || len(word) == 1 && lex.Digits.Within(word):
			continue
		}
		expects = false
		start, stop := at+begin, at+begin+len(word)
		if v := word; len(v) < 3 || w.Marker(start) > 0 || candidate.IsPlaceholder(v, true) ||
			bytes.IndexByte([]byte("<*$"), v[0]) >= 0 && !isCrypt(v) || candidate.IsProse(v) || isLoose && !isTypedKey(v) {
			continue
		}
		if x.Verdict == names.Match {
			w.Add(start, stop)
		} else {
			x = names.Finding{Verdict: names.Match, Start: start, End: stop}
		}
	}
	return x
}

// lineBefore returns where the text of the line of b[at] begins, behind what a program put before it, if that is known.
func lineBefore(b []byte, at int) (begin int, isKnown bool) {
	from := max(0, at-longestRouterLine)
	line := from + bytes.LastIndexByte(b[from:at], '\n') + 1
	if line == from && from > 0 {
		return 0, false
	}
	line += lex.AnyPrefixEnd(b[line:at])
	return lex.Blank.Run(b, line, names.MaxAlign), true
}

// isCrypt says whether v is the hash of a password as crypt(5) has it: $1$salt$hash.
func isCrypt(v []byte) bool {
	end := lex.Alnum.Run(v, 1, 3)
	return v[0] == '$' && end > 1 && end < len(v) && v[end] == '$'
}

// isTypedKey says whether v is no word of a sentence: it has digits among its letters, or is a hash.
func isTypedKey(v []byte) bool {
	return candidate.IsTyped(v) || candidate.IsLikelySecret(v) || isCrypt(v) || len(v) >= 6 && lex.Hexadecimal.Within(v) &&
		candidate.HasDigit(v)
}

// isRouterKey reports whether a secret follows a word.
func isRouterKey(word []byte) bool {
	return routerKeys[string(word)] || bytes.HasPrefix(word, []byte("aes-")) || bytes.HasPrefix(word, []byte("sha-")) ||
		bytes.HasPrefix(word, []byte("hmac-"))
}

var (
	routerKeys = wordSet(`community key key-string password passwd secret psk psksecret pre-shared-key shared-key
		authentication-key encryption-key message-digest-key-string encrypted-password auth-password priv-password
		md5 sha sha1 sha256 sha512 aes des 3des priv version ENC enc cipher ascii wpa-psk passphrase set-key rocommunity
		rwcommunity rocommunity6 rwcommunity6 SHA MD5 AES DES`)
	// how a secret is written, and words that stand before it
	routerNotations = wordSet(`simple plain plain-text plaintext encrypted hash hashed irreversible-cipher
		irreversible-encryption text hex clear clear-text 2c v2c read write ro rw 10 128 192 256 level sha256 sha512
		pbkdf2 scrypt unencrypted local localized`)
	routerCommands = wordSet(`snmp-server snmp-agent snmp tacacs-server tacacs radius-server radius aaa ppp set neighbor
		peer standby vrrp crypto username user enable ip ipv6 area key-string key pre-shared-key authentication-key
		authentication ntp wpa-psk server-private server hwtacacs-server local-user isis ospf bgp password secret psksecret
		community encrypted-password pre-shared-secret shared-key wlan ikev2 wpa rocommunity rwcommunity rocommunity6
		rwcommunity6 createUser`)
)

func wordSet(words string) map[string]bool {
	m := make(map[string]bool)
	for _, word := range slices.Collect(bytes.FieldsSeq([]byte(words))) {
		m[string(word)] = true
	}
	return m
}
