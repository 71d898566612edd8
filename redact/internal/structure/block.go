package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Block reads a private key whose first line has been seen, and finds its end.
// The formats are RFC 7468 and RFC 4880 6.2 ("-----BEGIN ... PRIVATE KEY ...-----")
// RFC 4716 ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----") and PuTTY's own. A key that never ends is read for as long as its lines look
// like one: after quietLines lines without a run of base64 it is given up.
type Block struct {
	Open  bool
	Putty bool
	SSH2  bool
	Rule  int
	// IsBody: its first line was not there, so its last one may have any label, and no other line stands in between.
	IsBody bool
	// Packed is the class of a secret in base64 or hexadecimal digits that goes on over lines; 0: it is a key as it is.
	Packed  lex.Class
	isApart bool // of what is packed a line has ended
	Pos     int  // read up to here
	// IsBare: nothing of the key was read but its first line. What follows on the next tells whether it is one.
	IsBare bool

	ending   uint8 // bytes read of the word that begins the last line
	inLabel  bool
	label    uint8 // length of the label of the last line
	private  uint8 // bytes read of "private key" in it
	isKey    bool
	dashes   uint8
	inMAC    bool
	run      uint8     // length of the current run of base64, up to bodyRun
	runOf    lex.Class // what it is made of
	hasBody  bool      // this line has a run of base64
	column   int       // bytes read of this line
	runAt    int       // column of the current run
	bodyAt   int       // column of the last run that is of the body
	quiet    uint8     // lines without
	begun    bool      // there was a line with one
	other    bool      // there were words
	last     byte
	Resumed  bool // in another text, or behind lines that are not of the key; nothing was read there yet
	awaits   bool // the next line is not read far enough to tell whether it is of the key
	isQuiet  bool // Pos is in a line that is not of the key, or right before it
	inQuiet  bool // it is in that line
	isBehind bool // the line before was such a line, or empty behind one
	isShort  bool // the last line of the key was read, as its length tells
}

const (
	quietLines = 8
	bodyRun    = 32
	maxLabel   = 120
)

// Read reads what b holds beyond pos. isEnd says that the text, or a line of it, ends there.
func (k *Block) Read(b []byte, isEnd bool) {
	if k.Open && k.Packed != 0 {
		k.readPacked(b, isEnd)
		return
	}
	if k.Open && k.IsBare && !k.readFirst(b, isEnd) {
		return
	}
	for k.Open && k.Pos < len(b) && !k.isQuiet {
		c := b[k.Pos]
		if c == '\n' && (k.begun || k.hasBody) && !k.Putty && !k.SSH2 && !k.inLabel && !k.readNext(b[k.Pos+1:], isEnd) {
			return
		}
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

// Holds reports whether what is read from Pos on is not decided yet.
func (k *Block) Holds() bool { return k.Open && (k.IsBare || k.Packed != 0 || k.awaits) }

// readNext looks at the line that b begins with, the next of a key whose body has begun. It reports false if that is
// not of the key, or this is not known yet.
func (k *Block) readNext(b []byte, isEnd bool) bool {
	line, _, isWhole := bytes.Cut(b[:min(len(b), longestFirst)], []byte{'\n'})
	if k.awaits = !isWhole && len(line) < longestFirst && !isEnd; k.awaits {
		return false
	}
	isBody, isRest := holdsBody(line), !k.isShort && (isRestOfBody(line) || isRestAt(line, k.bodyAt))
	if isBody || isRest || bytes.Contains(line, []byte("-----")) {
		k.isShort, k.isBehind = k.isShort || !isBody && isRest, false
		return true
	}
	if !k.isBehind && joinsKey(line) {
		return true
	}
	k.begun, k.isQuiet = true, true
	k.run, k.runOf, k.hasBody, k.ending = 0, 0, false, 0
	k.quiet++
	k.Open = k.quiet <= quietLines && !k.IsBody
	return false
}

// Skip passes the rest of a line that is not of the key, and reports whether the next begins in b.
func (k *Block) Skip(b []byte) bool {
	if !k.Open || !k.isQuiet || k.Pos == len(b) {
		return false
	}
	if !k.inQuiet {
		k.inQuiet = true
		k.Pos++
	}
	size := bytes.IndexByte(b[k.Pos:], '\n')
	if size < 0 {
		k.Pos = len(b)
		return false
	}
	k.Pos += size
	k.isQuiet, k.inQuiet, k.isBehind, k.Resumed = false, false, true, true
	return true
}

// readPacked reads the lines of a packed secret: each has nothing else, but what parts the strings of a list.
func (k *Block) readPacked(b []byte, isEnd bool) {
	const most, least = 96, 16 // bytes between two lines, and of a line that is not the last
	for {
		if !k.isApart {
			if k.Pos = k.Packed.Run(b, k.Pos, len(b)); k.Pos == len(b) {
				return
			}
			k.isApart = true
		}
		at, isNext := betweenLines(b, k.Pos, most)
		if isNext = isNext || k.Resumed; isNext {
			at += lex.PrefixEnd(b[at:])
		}
		end := k.Packed.Run(b, at, len(b)-at)
		switch {
		case at-k.Pos < most && end == len(b) && end-at < least && !isEnd, at == len(b) && isEnd && at-k.Pos < most:
			return
		case !isNext, end == at,
			end-at < least && (!k.begun || end < len(b) && !(lex.Newline|lex.Quote).Has(b[end])): // which is another word
			k.Open = false
			return
		}
		k.Pos, k.isApart, k.begun = end, false, true
	}
}

// betweenLines returns the end of what stands at i between two lines of something packed, and whether one ends there.
func betweenLines(b []byte, i, most int) (at int, isNext bool) {
	for at = i; at < len(b) && at < i+most; at++ {
		isEscape := b[at] == '\\' && at+1 < len(b) && (b[at+1] == 'n' || b[at+1] == 'r')
		if !isEscape && !(lex.Whitespace | lex.Quote | lex.Comma | lex.Backslash).Has(b[at]) {
			break
		}
		if isNext = isNext || isEscape || b[at] == '\n'; isEscape {
			at++
		}
	}
	return at, isNext
}

// readFirst looks for the body of the key on the first line that has something. It reports false if
// there is none, or that is not known yet.
func (k *Block) readFirst(b []byte, isEnd bool) bool {
	const mostBlank = 4 // lines
	for at, blank := k.Pos, k.quiet; ; blank++ {
		end := min(len(b), at+longestFirst)
		size := bytes.IndexByte(b[at:end], '\n')
		switch {
		case size >= 0:
			end = at + size
		case end-at < longestFirst && !isEnd:
			return false
		}
		isBlank := joinsKey(withoutSide(b[at:end]))
		switch {
		case !isBlank || blank == mostBlank:
			k.IsBare, k.quiet = false, 0
			k.Open = hasBody(b[at:end])
			return k.Open
		case size < 0:
			k.quiet++
			return false
		}
		at = end + 1
	}
}

const (
	longestFirst = 192 // bytes of the first line of a key that tell whether it is one
	shortestBody = 16  // bytes of base64 in a row
)

// hasBody reports whether a line has something of a key: base64, or a header (RFC 1421 4.6).
func hasBody(line []byte) bool {
	if all := bytes.Trim(line, " \t\r\"'`+,\\"); len(all) > 2 && lex.Base64.Within(all) {
		return true
	}
	if holdsBody(line) {
		return true
	}
	for _, header := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "Subject:",
		"x-"} {
		if bytes.Contains(line, []byte(header)) {
			return true
		}
	}
	return false
}

// holdsBody reports whether a line has a run of base64 that is no word.
func holdsBody(line []byte) bool {
	const letters = lex.Letters | lex.Equals
	for at := 0; at < len(line); at++ {
		end := lex.Base64.Run(line, at, len(line))
		if end-at >= shortestBody && (!letters.Within(line[at:end]) || end-at >= 2*shortestBody) {
			return true
		}
		at = end
	}
	return false
}

// isRestOfBody reports whether a line may be the last of a key, which is short: a word of base64, behind what a program
// puts before each line and in a string of a program.
func isRestOfBody(line []byte) bool {
	line = bytes.TrimRight(line[lex.AnyPrefixEnd(line):], " \t\r\"'`+,;)")
	for _, escape := range []string{`\n`, `\r`} {
		line = bytes.TrimSuffix(line, []byte(escape))
	}
	line = bytes.TrimLeft(line, " \t\"'`+")
	return len(line) > 0 && (lex.Base64.Within(line) || line[len(line)-1] == '=')
}

// isRestAt reports the same of a line whose base64 begins at the column where the key has it.
func isRestAt(line []byte, column int) bool {
	if column >= len(line) {
		return false
	}
	end := lex.Base64.Run(line, column, len(line))
	return end > column && (end == len(line) || (lex.Quote | lex.Backslash | lex.Angle).Has(line[end]) ||
		lex.ClassOf(line[end:])&lex.Alnum == 0)
}

// joins are the signs that stand between the first line of a key in a string of a program and the next.
const joins = lex.Blank | lex.Quote | lex.Plus | lex.Comma | lex.Dot | lex.Ampersand | lex.Underscore | lex.Backslash |
	lex.Newline

// beginsKey reports whether b, which follows the first line of a key, may go on with the key on the same
// line or the next.
func beginsKey(b []byte) bool {
	if size := bytes.IndexByte(b, '\n'); size >= 0 {
		b = b[:size]
	}
	return joinsKey(withoutSide(b)) || hasBody(b)
}

// withoutSide returns the rest of a line without the side of a box at its end.
func withoutSide(rest []byte) []byte { return bytes.TrimRight(rest, " |\u2502") }

// joinsKey reports whether b has nothing but what stands between two lines of a key in a string.
func joinsKey(b []byte) bool {
	for at := 0; at < len(b); at++ {
		isEscape := b[at] == '\\' && at+1 < len(b) && (b[at+1] == 'n' || b[at+1] == 'r')
		if !isEscape && !joins.Has(b[at]) || b[at] == '.' && at > 0 && b[at-1] == '`' { // of a sentence
			return false
		}
		if isEscape {
			at++
		}
	}
	return true
}

func (k *Block) readBody(c byte) {
	last, dashes := "-----end", uint8(5)
	switch {
	case k.Putty:
		last = "private-mac"
	case k.SSH2:
		last, dashes = "---- end", 4
	}
	switch c = lex.LowerByte(c); {
	case c == last[k.ending]:
		k.ending++
	case c == '-' && !k.Putty:
		if k.ending < dashes {
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
		k.label, k.private, k.isKey, k.dashes = 0, 0, k.IsBody, 0
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
	dashes := uint8(5)
	if k.SSH2 {
		dashes = 4
	}
	switch {
	case k.dashes == dashes && k.isKey:
		k.Open = false
	case k.dashes == dashes, k.label > maxLabel, !(lex.Word | lex.Blank | lex.Dash).Has(c):
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
		if k.run == 0 {
			k.runAt = k.column
		}
		k.run = min(k.run+1, bodyRun)
		k.runOf |= lex.KindOf[c]
		if !k.hasBody && k.run == bodyRun && k.runOf&(lex.HexUpper|lex.Upper) != 0 &&
			k.runOf&(lex.HexLower|lex.Lower) != 0 {
			k.hasBody, k.bodyAt = true, k.runAt
		}
	default:
		k.run, k.runOf = 0, 0
	}
	if k.column++; c == '\n' {
		k.column = 0
	}
	k.other = k.other || lex.Blank.Has(c) && k.last != ':'
	k.last = c
}

// GoesOn says whether the key, which the text ended in, may go on in the same
// field of the next record: log shippers make a record of every line.
func (k *Block) GoesOn() bool { return k.Open && (k.Packed != 0 || k.begun || k.hasBody || !k.other) }

// NextText makes the key ready for the text that it goes on in.
func (k *Block) NextText() {
	k.isQuiet, k.inQuiet = false, false
	if k.Pos, k.isApart = 0, true; k.Packed == 0 {
		k.countLine('\n')
	}
}

// isAlone reports whether the string that the first line of a key is in ends behind it, before rest: a program has the
// line alone to find a key, or to make one, and the next string has the key.
func isAlone(rest []byte) bool {
	line, _, _ := bytes.Cut(rest, []byte{'\n'})
	return joinsKey(line) && bytes.ContainsAny(line, "\"'")
}

// KeyHeader is the form of the first line of a private key.
type KeyHeader struct{ Putty, SSH2 bool }

// Find implements names.Form.
func (h KeyHeader) Find(w names.Window, at, to int) names.Finding {
	if h.Putty {
		end := (lex.Digits | lex.Dash).Run(w.Text, to, 4)
		if w.Cut(end) {
			return names.Finding{Verdict: names.Undecided, Start: at}
		}
		line := w.Text[end:min(len(w.Text), end+longestFirst)]
		if size := bytes.IndexByte(line, '\n'); size >= 0 {
			line = line[:size]
		} else if len(line) < longestFirst && !w.End {
			return names.Finding{Verdict: names.Undecided, Start: at}
		}
		if end == to || w.Text[end-1] == '-' || end == len(w.Text) || w.Text[end] != ':' ||
			bytes.HasSuffix(bytes.TrimRight(line, "\r"), []byte(`";`)) { // of a program
			return names.Finding{}
		}
		return names.Finding{Verdict: names.OpeningPuTTY, Start: at, End: end}
	}
	end := (lex.Word | lex.Blank | lex.Dash).Run(w.Text, to, maxLabel)
	label := w.Text[to:end]
	isKey, dashes, most, verdict := false, 0, 5, names.Opening
	if h.SSH2 {
		most, verdict = 4, names.OpeningSSH2
	}
	for i, c := range label {
		if c == '-' {
			dashes++
		} else {
			dashes = 0
		}
		isKey = isKey || i >= 10 && lex.EqualFold(label[i-10:i+1], "private key")
		if dashes == most {
			end := to + i + 1
			rest := w.Text[end:min(len(w.Text), end+longestFirst)]
			switch {
			case !isKey:
				return names.Finding{}
			case len(rest) < longestFirst && bytes.IndexByte(rest, '\n') < 0 && !w.End:
				return names.Finding{Verdict: names.Undecided, Start: at}
			case !beginsKey(rest):
				return names.Finding{}
			}
			if isAlone(rest) {
				at = end
			}
			return names.Finding{Verdict: verdict, Start: at, End: end}
		}
	}
	if w.Cut(end) && len(label) < maxLabel {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	return names.Finding{}
}
