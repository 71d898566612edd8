package names

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

const (
	MaxJoint = 24 // signs in a row between the anchor and the value
	// MaxMade is how many bytes of a value are looked at. A larger one judges longer values whole and
	// holds back more of the input. A longer value goes on while its bytes are of MadeBare or =.
	MaxMade = 256
	minPair = 12 // each side of two words with a colon between
	// Joints are the signs that may stand between an anchor and its value.
	Joints = lex.Blank | lex.Newline | lex.Quote | lex.Backslash | lex.Equals | lex.Colon | lex.Dash |
		lex.Underscore | lex.Dot | lex.Angle | lex.Paren |
		lex.Punctuation | lex.Comma | lex.Plus
	// MadeBare are the bytes of a value without quotes that looks made by a machine.
	MadeBare = lex.Alnum | lex.Dash | lex.Underscore | lex.Dot | lex.Slash | lex.Plus | lex.Tilde | lex.Percent
)

// QuotedStart returns where the value after the signs b[from:to] begins: at their
// end, or after the last quote in them if a value may begin with the sign after it.
func QuotedStart(b []byte, from, to int) int {
	for i := to; i > from; i-- {
		if lex.Quote.Has(b[i-1]) {
			if i < to && (!(lex.Underscore | lex.Dash | lex.Paren | lex.Plus).Has(b[i]) || b[i] == ')') {
				break
			}
			return i
		}
	}
	return to
}

// MadeEnd returns where the value that begins at start ends: at its quote, if it
// has one.
func MadeEnd(w Window, start int) (end int, isQuoted bool) {
	b := w.Text
	end = w.Run(MadeBare, start, MaxMade)
	if start == 0 || !lex.Quote.Has(b[start-1]) {
		if end-start >= minPair && end < len(b) && b[end] == ':' && end-start < MaxMade/2 {
			if next := MadeBare.Run(b, end+1, MaxMade/2); next-end > minPair || next == len(b) {
				end = next // user:key
			}
		}
		return lex.Equals.Run(b, end, 2), false
	}
	for end < len(b) && end < start+MaxMade && b[end] != b[start-1] && b[end] != '\\' && lex.NonSpace.Has(b[end]) {
		if b[end] == '"' && end+1 < len(b) && bytes.IndexByte([]byte(",:]}"), b[end+1]) >= 0 {
			break // of a string that the quote before stands in: "'s",
		}
		if start > 1 && lex.Quote.Has(b[start-2]) && b[end] == b[start-2] && end+1 < len(b) &&
			bytes.IndexByte([]byte(",)]}"), b[end+1]) >= 0 {
			break // the same of any quote
		}
		end++
	}
	return end, true
}

// Beside adds to x, a match in quotes, the string in quotes next to it, if that
// is the same again or looks made, too: 'a1...' | 'b2...'.
func (w Window) Beside(x Finding) Finding {
	b := w.Text
	next := (Joints &^ lex.Newline).Run(b, x.End, MaxJoint)
	if w.Cut(next) {
		return Finding{Verdict: Undecided, Start: x.Start}
	}
	next = QuotedStart(b, x.End, next)
	if next == len(b) || next < x.End+3 || !lex.Quote.Has(b[next-1]) {
		return x
	}
	end, _ := MadeEnd(w, next)
	if w.Cut(end) {
		return Finding{Verdict: Undecided, Start: x.Start}
	}
	if v := b[next:end]; bytes.Equal(v, b[x.Start:x.End]) || candidate.IsMade(v) {
		w.Add(next, end)
	}
	return x
}
