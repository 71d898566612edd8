package detect

import (
	"bytes"
	b64 "encoding/base64"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Protocol is the form of the secret in a command of a protocol of lines, as logs of clients and servers have it:
// AUTH x and ACL SETUSER u >x of Redis, PASS x of FTP and POP3, AUTH PLAIN x of SMTP, a1 LOGIN u x of IMAP,
// IDENTIFY x of IRC.
type Protocol struct{}

// Anchors returns the anchors of the form.
func (Protocol) Anchors() []string {
	return []string{"auth", "authenticate ", "pass ", "setuser", "on >", "0 login ", "nickserv identify ",
		"nickserv :identify "}
}

// Find implements names.Form. The match is the secret.
func (Protocol) Find(w names.Window, at, to int) names.Finding {
	const longest, between = 256, `" "`
	b := w.Text
	if at > 0 && lex.Word.Has(b[at-1]) && !lex.Digits.Has(b[at]) {
		return names.Finding{}
	}
	switch next := b[to:min(len(b), to+len(between))]; {
	case b[to-1] == ' ' || b[to-1] == '>':
	case len(next) > 0 && next[0] == ' ':
		to++
	case string(next) == between:
		to += len(between)
	default:
		if len(next) < len(between) && !w.End && between[:len(next)] == string(next) {
			return names.Finding{Verdict: names.Undecided, Start: at}
		}
		return names.Finding{}
	}
	isShouted := lex.ClassOf(b[at:to])&(lex.Lower|lex.HexLower) == 0
	verb := lex.LowerByte(b[at])
	if !isShouted && verb != 's' && verb != 'o' && verb != 'n' && !followsPrompt(b, at) {
		return names.Finding{}
	}
	rest := b[to:min(len(b), to+longest)]
	if size := bytes.IndexAny(rest, "\t\r\n<"); size >= 0 {
		rest = rest[:size]
	} else if len(rest) < longest && !w.End {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	isQuoted := b[to-1] == '"'
	first, last, n := words(rest, isQuoted)
	var found [2]int
	switch {
	case n == 0:
		return names.Finding{}
	case verb == 's' || verb == 'o':
		return accessRules(w, at, to, rest, isQuoted)
	case verb == 'n':
		found = first
	case verb == 'p':
		found = first
		if n > 1 || !isCommandOfClient(b, at) || !isTypedKey(rest[first[0]:first[1]]) {
			return names.Finding{}
		}
	case lex.Digits.Has(verb):
		found = last
		if n != 2 {
			return names.Finding{}
		}
	case isMechanism(rest[first[0]:first[1]]):
		found = last
		if n != 2 || !isInitial(rest[last[0]:last[1]]) {
			return names.Finding{}
		}
	default:
		found = last
		isRedis := isQuoted || string(rest[first[0]:first[1]]) == "default" || followsPrompt(b, at) ||
			bytes.Contains(b[max(0, at-names.MaxName):at], []byte("HELLO"))
		// of which it is not known how many words it was
		if n > 2 || !isRedis || bytes.Contains(rest, []byte(lex.MarkerStart)) {
			return names.Finding{}
		}
		if isTypedKey(rest[first[0]:first[1]]) { // the password, and what follows is none
			found[0] = first[0]
		}
	}
	start, end := to+found[0], to+found[1]
	if v := b[start:end]; len(v) < 3 || w.Marker(start) > 0 || candidate.IsPlaceholder(v, true) {
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: start, End: end}
}

// words returns where the first and the last word of a line are, and how many it has. Those in quotes begin within the first.
func words(line []byte, isQuoted bool) (first, last [2]int, n int) {
	const most = 64
	for at := 0; at < len(line) && n < most; n++ {
		class := lex.NonSpace &^ lex.Quote
		if isQuoted {
			class = lex.Everything &^ lex.Quote
		}
		end := class.Run(line, at, len(line))
		if end == at {
			break
		}
		isEnd := !isQuoted && line[end-1] == ',' // of what a sentence says
		if isEnd {
			end--
		}
		if last = [2]int{at, end}; n == 0 {
			first = last
		}
		if isEnd {
			return first, last, n + 1
		}
		at = (lex.Blank | lex.Quote).Run(line, end, 3)
		if isQuoted && at < end+3 { // the last one
			return first, last, n + 1
		}
		if !isQuoted && at > end && lex.Quote.Has(line[end]) {
			return first, last, n + 1
		}
	}
	return first, last, n
}

// accessRules finds the passwords of a user in rules of Redis: >x gives one, <x takes it.
func accessRules(w names.Window, at, to int, rest []byte, isQuoted bool) (x names.Finding) {
	b := w.Text
	if b[at] == 'o' {
		to--
		rest = b[to : to+1+len(rest)]
		if line, isKnown := lineBefore(b, at); !isKnown || !bytes.Contains(b[line:at], []byte("user ")) {
			return names.Finding{}
		}
	}
	for i := 0; i < len(rest); i++ {
		if (rest[i] != '>' && rest[i] != '<' && rest[i] != '#') || i > 0 && !(lex.Blank|lex.Quote).Has(rest[i-1]) {
			continue
		}
		class := lex.NonSpace &^ lex.Quote
		if isQuoted {
			class |= lex.Blank
		}
		start, end := to+i+1, class.Run(b, to+i+1, len(rest))
		if end-start < 3 || w.Marker(start) > 0 {
			continue
		}
		if x.Verdict == names.Match {
			w.Add(start, end)
		} else {
			x = names.Finding{Verdict: names.Match, Start: start, End: end}
		}
		i = end - to
	}
	return x
}

// followsPrompt says whether what is at i is typed at a prompt: host:port> x.
func followsPrompt(b []byte, i int) bool {
	end := lex.Blank.RunBack(b, i, 2)
	return end < i && end > 0 && b[end-1] == '>'
}

// isCommandOfClient says whether a log says that what is at i was sent: > x, C: x, client:x, Request: x.
func isCommandOfClient(b []byte, i int) bool {
	end := lex.Blank.RunBack(b, i, 2)
	switch {
	case end == 0:
		return false
	case b[end-1] == '>' || end == i && (b[end-1] == ':' || lex.Quote.Has(b[end-1])):
		return true
	}
	before := b[max(0, end-lex.MaxLead):end]
	for _, sent := range []string{"C:", "Client:", "client:", "Request:", "sent:", "Sent:", "send:", "Command:"} {
		if bytes.HasSuffix(before, []byte(sent)) {
			return true
		}
	}
	return false
}

// isMechanism says whether v names a mechanism of SASL that sends the secret itself.
func isMechanism(v []byte) bool {
	switch string(v) {
	case "PLAIN", "LOGIN", "XOAUTH2", "OAUTHBEARER", "EXTERNAL", "plain", "login":
		return true
	}
	return false
}

// isInitial says whether v is the response in base64 that a client sends with the name of the mechanism.
func isInitial(v []byte) bool {
	const shortest = 8
	if len(v) < shortest || !lex.Base64.Within(v) {
		return false
	}
	_, err := b64.RawStdEncoding.DecodeString(string(bytes.TrimRight(v, "=")))
	return err == nil
}
