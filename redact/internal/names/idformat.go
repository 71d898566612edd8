package names

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
)

// IDFormat is how a number that a state gives to a person is written. In layout d is a digit, L a
// letter and X one of both; a sign is itself, and _ is a separator that may be missing.
type IDFormat struct {
	Layout string
	// Valid reports what each number has, without separators and in capitals; nil: the layout is enough.
	Valid func(id []byte) bool
	Sum   func(id []byte) bool // whether the checksum holds; nil: there is none
}

// MaxID is the length of the longest number with its separators.
const MaxID = 24

// Read returns how much of b the number that b begins with takes, or 0. If checked, the checksum
// holds.
func (f *IDFormat) Read(b []byte, checked bool) int {
	var text [MaxID]byte
	id := text[:0]
	i := 0
	for _, kind := range []byte(f.Layout) {
		if kind == '_' {
			i = (lex.Blank | lex.Dot | lex.Dash | lex.Slash).Run(b, i, 1)
			continue
		}
		if i == len(b) {
			return 0
		}
		c := b[i]
		switch {
		case kind == 'd' && lex.Digits.Has(c), kind == 'X' && lex.Digits.Has(c):
			id = append(id, c)
		case (kind == 'L' || kind == 'X') && lex.Letters.Has(c):
			id = append(id, c&^0x20)
		case kind != c || lex.Alnum.Has(c):
			return 0
		}
		i++
	}
	if f.Valid != nil && !f.Valid(id) || checked && (f.Sum == nil || !f.Sum(id)) {
		return 0
	}
	return i
}

// ReadID returns the end of the number that text begins with at i, in any of the forms, or i. No
// number or word goes on behind it.
func ReadID(formats []*IDFormat, b []byte, i int, checked bool) int {
	for _, f := range formats {
		end := i + f.Read(b[i:min(len(b), i+MaxID)], checked)
		if end > i && EndsWord(b, end) && !Joined(b, end, lex.Dot|lex.Dash|lex.Slash) {
			return end
		}
	}
	return i
}

// formed finds the number that begins at i, or in quotes there.
func (p *Phrase) formed(w Window, i int, alone, checked bool) Finding {
	b := w.Text
	if !alone {
		const signs = 4 // of an escaped quote, of a list
		for from := i; i < len(b) && i < from+signs &&
			((lex.Quote | lex.Backslash | lex.Paren).Has(b[i]) || b[i] == '['); i++ {
		}
	}
	if w.Cut(i + MaxID + 2) {
		return Finding{Verdict: Undecided, Start: i}
	}
	end := ReadID(p.Formats, b, i, checked)
	if end == i || alone && len(bytes.TrimRight(b[end:], " \t\r\n")) > 0 {
		return Finding{}
	}
	return Finding{Verdict: Match, Start: i, End: end}
}
