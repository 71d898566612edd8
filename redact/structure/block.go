package structure

import (
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
)

// Block reads a private key whose first line has been seen, and finds its end.
// The formats are RFC 7468 and RFC 4880 6.2 ("-----BEGIN ... PRIVATE KEY ...-----")
// and PuTTY's own. A key that never ends is read for as long as its lines look
// like one: after quietLines lines without a run of base64 it is given up.
type Block struct {
	Open  bool
	Putty bool
	Rule  int
	Pos   int // read up to here

	ending  uint8 // bytes read of the word that begins the last line
	inLabel bool
	label   uint8 // length of the label of the last line
	private uint8 // bytes read of "private key" in it
	isKey   bool
	dashes  uint8
	inMAC   bool
	run     uint8     // length of the current run of base64, up to bodyRun
	runOf   lex.Class // what it is made of
	hasBody bool      // this line has a run of base64
	quiet   uint8     // lines without
	begun   bool      // there was a line with one
	other   bool      // there were words
	last    byte
	Resumed bool // in another text, of which nothing was read yet
}

const (
	quietLines = 8
	bodyRun    = 32
	maxLabel   = 120
)

// Read reads what b holds beyond pos.
func (k *Block) Read(b []byte) {
	for k.Open && k.Pos < len(b) {
		c := b[k.Pos]
		k.Pos++
		switch {
		case k.inMAC:
			if !(lex.Hexadecimal | lex.Blank | lex.Colon).Has(c) {
				k.Open = false
				k.Pos--
				return
			}
			continue
		case k.inLabel:
			k.readLabel(c)
		default:
			k.readBody(c)
		}
		k.countLine(c)
	}
}

func (k *Block) readBody(c byte) {
	last := "-----end"
	if k.Putty {
		last = "private-mac"
	}
	switch c = lex.LowerByte(c); {
	case c == last[k.ending]:
		k.ending++
	case c == '-' && !k.Putty:
		if k.ending < 5 {
			k.ending = 1
		}
	case c == last[0]:
		k.ending = 1
	default:
		k.ending = 0
	}
	if int(k.ending) == len(last) {
		k.ending = 0
		k.inMAC = k.Putty
		k.inLabel = !k.Putty
		k.label, k.private, k.isKey, k.dashes = 0, 0, false, 0
	}
}

func (k *Block) readLabel(c byte) {
	const private = "private key"
	k.label++
	switch c = lex.LowerByte(c); {
	case k.isKey:
	case c == private[k.private]:
		k.private++
		k.isKey = int(k.private) == len(private)
	case c == 'p':
		k.private = 1
	default:
		k.private = 0
	}
	if c == '-' {
		k.dashes++
	} else {
		k.dashes = 0
	}
	switch {
	case k.dashes == 5 && k.isKey:
		k.Open = false
	case k.dashes == 5, k.label > maxLabel, !(lex.Word | lex.Blank | lex.Dash).Has(c):
		k.inLabel = false
	}
}

// countLine gives a key up that has stopped to look like one.
func (k *Block) countLine(c byte) {
	switch {
	case c == '\n':
		k.quiet++
		if k.hasBody {
			k.quiet, k.begun = 0, true
		}
		k.run, k.runOf, k.hasBody = 0, 0, false
		if k.quiet > quietLines && k.Open {
			k.Open = false
			k.Pos--
		}
	case lex.Base64.Has(c):
		k.run = min(k.run+1, bodyRun)
		k.runOf |= lex.KindOf[c]
		k.hasBody = k.hasBody || k.run == bodyRun && k.runOf&(lex.HexUpper|lex.Upper) != 0 &&
			k.runOf&(lex.HexLower|lex.Lower) != 0
	default:
		k.run, k.runOf = 0, 0
	}
	k.other = k.other || lex.Blank.Has(c) && k.last != ':'
	k.last = c
}

// GoesOn says whether the key, which the text ended in, may go on in the same
// field of the next record: log shippers make a record of every line.
func (k *Block) GoesOn() bool { return k.Open && (k.begun || k.hasBody || !k.other) }

// NextText makes the key ready for the text that it goes on in.
func (k *Block) NextText() {
	k.Pos = 0
	k.countLine('\n')
}

// KeyHeader is the form of the first line of a private key.
type KeyHeader struct{ Putty bool }

// Find implements names.Form.
func (h KeyHeader) Find(w names.Window, at, to int) names.Finding {
	if h.Putty {
		end := (lex.Digits | lex.Dash).Run(w.Text, to, 4)
		if w.Cut(end) {
			return names.Finding{Verdict: names.Undecided, Start: at}
		}
		if end == to || w.Text[end-1] == '-' || end == len(w.Text) || w.Text[end] != ':' {
			return names.Finding{}
		}
		return names.Finding{Verdict: names.OpeningPuTTY, Start: at, End: end}
	}
	end := (lex.Word | lex.Blank | lex.Dash).Run(w.Text, to, maxLabel)
	label := w.Text[to:end]
	isKey, dashes := false, 0
	for i, c := range label {
		if c == '-' {
			dashes++
		} else {
			dashes = 0
		}
		isKey = isKey || i >= 10 && lex.EqualFold(label[i-10:i+1], "private key")
		if dashes == 5 {
			if !isKey {
				return names.Finding{}
			}
			return names.Finding{Verdict: names.Opening, Start: at, End: to + i + 1}
		}
	}
	if w.Cut(end) && len(label) < maxLabel {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	return names.Finding{}
}
