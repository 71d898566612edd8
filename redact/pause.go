package redact

import (
	"unicode"
	"unicode/utf8"
)

// longestWord is how long a word of prose is at most, in bytes: what is longer may be part of a
// token.
const longestWord = 24

// Pause passes on what is held of the text, if it is the last word of a sentence. The text may go
// on. What else is held may begin a match and waits for what follows. If a match goes on after such
// a word, what follows is redacted.
func (t *Text) Pause(dst []byte) []byte {
	if t.rules.PassAll || t.scan.blocked || t.matches.Key.Open || t.matchGoesOn() || t.inSequence() ||
		t.context != nil ||
		t.rest.Least > 0 || len(t.matches.Spans)+len(t.in.Escapes)+len(t.scan.late) > 0 ||
		!endsSentence(t.in.Buf[t.in.Done:]) {
		return dst
	}
	return t.emit(dst, len(t.in.Buf))
}

// Holds reports whether there is something of the text that was not passed on yet.
func (t *Text) Holds() bool { return t.in.Done < len(t.in.Buf) || t.matchGoesOn() || t.inSequence() }

// endsSentence reports whether b is a plain word, in one case except for its first letter, and what
// ends a sentence.
func endsSentence(b []byte) bool {
	if len(b) > longestWord {
		return false
	}
	letters := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if !unicode.IsLetter(r) || letters > 0 && !unicode.IsLower(r) {
			break
		}
		letters++
		b = b[size:]
	}
	if letters == 0 || len(b) == 0 {
		return false
	}
	for _, c := range b {
		switch c {
		case '.', ':', '!', '?', ')', '\'', '"':
		default:
			return false
		}
	}
	return true
}
