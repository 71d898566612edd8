package decode

import (
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
)

// maxRaw is how long one character may be written: \u0040 with each of its bytes
// escaped once more in the same way.
const maxRaw = 36

// Escape is a character that was written in another way than it reads.
type Escape struct {
	Pos     int   // where it stands in the text
	Read    uint8 // bytes there; 0: it is not seen
	Written uint8
	Raw     [maxRaw]byte
}

// MaxUnseen is how many characters in a row may read as nothing; the next one
// reads as a blank.
const MaxUnseen = 8

// notation is a way to write a character in others.
type notation uint8

const (
	Plain       notation = iota // no character in another notation begins with this byte
	Backslashes                 // \u0040, \x40, \100, \/, \_, with its backslashes doubled once per string that it is in
	percents                    // %40: RFC 3986 2.1
	References                  // &#64;, &#x40;, &commat;: HTML 13.5
	controls                    // ESC [ 31 m: ECMA-48 5.4
	lookalikes                  // a character in UTF-8 that is not seen, or seen as one of ASCII
	unseen                      // NUL, as in UTF-16
	overstrike                  // a backspace, and the letter before it once more: bold of nroff(1)
)

// NotationOf tells by its first byte in what way a character may be written.
var NotationOf = [256]notation{
	'\\': Backslashes, '%': percents, '&': References, 0x1b: controls, 0: unseen, '\b': overstrike,
	0xc2: lookalikes, 0xcd: lookalikes, 0xd8: lookalikes, 0xe1: lookalikes, 0xe2: lookalikes, 0xe3: lookalikes,
	0xef: lookalikes, 0xf3: lookalikes,
}

// Levels is how often a text is decoded: a percent sign that was itself written
// with one is read.
const Levels = 2

// maxBackslashes is how many may begin a sequence: a string in a string in a
// string in a string.
const maxBackslashes = 8

// Sequence is the begin of what may read as one character. JSON's own escapes
// are already read where it comes from a string.
type Sequence struct {
	in          notation
	Units       [maxRaw]unit
	Size        int // of units
	Backslashes int // how many of them come first
	Raw         [maxRaw]byte
	Written     int  // of raw
	Before      byte // what the text has before it
}

// unit is a byte and how many bytes it is written in.
type unit struct{ Read, Written uint8 }

// Takes says whether the sequence may go on with c, which is written in so many bytes.
func (s *Sequence) Takes(c byte, written int) bool {
	if s.Written+written > maxRaw {
		return false
	}
	first := s.Size == s.Backslashes
	switch {
	case s.Size == 0:
		return NotationOf[c] != Plain
	case s.in == Backslashes && c == '\\' && first:
		return s.Backslashes < maxBackslashes
	case s.in == Backslashes && first:
		return c == 'u' || c == 'x' || c == '/' || c == '_' || c >= '0' && c <= '3'
	case s.in == Backslashes && s.isOctal():
		return c >= '0' && c <= '7'
	case s.in == overstrike:
		return c == s.Before
	case s.in == Backslashes, s.in == percents:
		return lex.Hexadecimal.Has(c)
	case s.in == References:
		const longest = len("&#x0000040;")
		return s.Size < longest && (lex.Alnum.Has(c) || c == ';' || c == '#' && s.Size == 1)
	case s.in == controls && s.Size == 1:
		return c == '[' || c == ']'
	case s.in == controls && s.isLinkEnd():
		const end = "\x1b]8;;\a"
		return c == end[min(s.Size, len(end)-1)] || s.Size == len(end)-1 && c == 0x1b || s.Size == len(end) && c == '\\'
	case s.in == controls:
		isMarker := s.Size == len("\x1b[") && c == lex.MarkerStart[1]
		return ((lex.Alnum | lex.Colon).Has(c) || c == ';' || c == '?') && !isMarker
	}
	return c&0xc0 == 0x80
}

// isOctal reports whether the sequence is of a backslash and octal digits.
func (s *Sequence) isOctal() bool { return lex.Digits.Has(s.Units[s.Backslashes].Read) }

// Add appends c, which Takes has accepted. raw is c as it is written, escapes of the JSON string
// around it and all; Add copies it.
func (s *Sequence) Add(c byte, raw []byte) {
	if s.Size == 0 {
		s.in = NotationOf[c]
	}
	s.Units[s.Size] = unit{c, uint8(len(raw))}
	s.Size++
	if c == '\\' && s.in != controls {
		s.Backslashes++
	}
	if s.in == lookalikes && s.Size == 2 && s.Units[0].Read == 0xc2 && c == 0x9b { // CSI as one character
		s.in = controls
	}
	s.Written += copy(s.Raw[s.Written:], raw)
}

// isLinkEnd reports whether the sequence is of a command of the operating system (ECMA-48 8.3.89), of which only the
// end of a terminal's link is not seen: ESC ] 8 ; ; BEL, or ESC \ in place of the bell.
func (s *Sequence) isLinkEnd() bool { return s.Units[1].Read == ']' }

// Whole says whether the sequence is one, and needs no more.
func (s *Sequence) Whole() bool {
	last := s.Units[s.Size-1].Read
	switch s.in {
	case Backslashes:
		switch tail := s.Size - s.Backslashes; {
		case tail == 0:
			return false
		case s.Units[s.Backslashes].Read == 'u':
			return tail == len("u0040")
		case s.Units[s.Backslashes].Read == 'x':
			return tail == len("x40")
		case s.isOctal():
			return tail == len("100")
		}
		return true
	case overstrike:
		return s.Size == 2
	case percents:
		return s.Size == len("%40")
	case References:
		return last == ';'
	case controls:
		if s.isLinkEnd() {
			return last == '\a' || last == '\\'
		}
		return s.Size > 1 && lex.Letters.Has(last)
	case lookalikes:
		return s.Size == runeLength(s.Units[0].Read)
	}
	return true
}

// runeLength is how many bytes a character of UTF-8 has that begins with c.
func runeLength(c byte) int {
	switch {
	case c < 0xe0:
		return 2
	case c < 0xf0:
		return 3
	}
	return 4
}

// Character writes what a whole sequence reads as and returns its length, or -1
// if it reads as it is written.
func (s *Sequence) Character(read *[4]byte) int {
	var text [maxRaw]byte
	for i, u := range s.Units[:s.Size] {
		text[i] = u.Read
	}
	b := text[s.Backslashes:s.Size]
	switch s.in {
	case Backslashes:
		switch {
		case b[0] == '/' || b[0] == '_': // that of Markdown
			read[0] = b[0]
			return 1
		case s.isOctal():
			return s.decoded(read, int(b[0]-'0')<<6|int(b[1]-'0')<<3|int(b[2]-'0'))
		}
		return s.decoded(read, Number16(b[1:]))
	case percents:
		return s.decoded(read, Number16(b[1:]))
	case References:
		return s.decoded(read, referenced(b[1:len(b)-1]))
	case lookalikes:
		return SeenAs(read, b)
	case overstrike:
		return 0
	}
	return 0
}

// decoded writes the character r. What JSON cannot hold bare, and a quote, reads
// as the short escape: it ends neither the line nor the string that it stands in.
func (s *Sequence) decoded(read *[4]byte, r int) int {
	const bare, short = "\n\r\t\b\f\\\"'`", "nrtbf\\\"'`"
	switch {
	case r < 0 || s.in == percents && (r >= 0x80 || r < ' ' && strings.IndexByte("\n\r\t", byte(r)) < 0):
		return -1 // a byte of a longer character, or a format: %04x
	case r < 0x80 && strings.IndexByte(bare, byte(r)) >= 0:
		read[0], read[1] = '\\', short[strings.IndexByte(bare, byte(r))]
		return 2
	}
	n := Encode(read, r)
	if n > 1 {
		if seen := SeenAs(read, read[:n]); seen >= 0 {
			return seen
		}
	}
	return n
}

// referenced returns the character that a reference without & and ; is to, or -1.
func referenced(name []byte) int {
	switch {
	case len(name) < 2:
		return -1
	case name[0] != '#':
		if r, isKnown := NamedReferences[string(name)]; isKnown {
			return r
		}
		return -1
	case lex.LowerByte(name[1]) == 'x':
		if len(name) == 2 || !lex.Hexadecimal.Within(name[2:]) {
			return -1
		}
		return Number16(name[2:])
	case !lex.Digits.Within(name[1:]):
		return -1
	}
	r := 0
	for _, c := range name[1:] {
		r = r*10 + int(c-'0')
	}
	return r
}

// NamedReferences are the characters that secrets are written with, and quotes.
var NamedReferences = map[string]int{
	"quot": '"', "num": '#', "dollar": '$', "percnt": '%', "amp": '&', "apos": '\'', "plus": '+', "hyphen": '-',
	"dash": '-', "period": '.', "sol": '/', "colon": ':', "lt": '<', "equals": '=', "gt": '>', "commat": '@',
	"bsol": '\\', "lowbar": '_', "nbsp": ' ',
}

// Number16 is the value of hexadecimal digits.
func Number16(hex []byte) int {
	r := 0
	for _, c := range hex {
		r = r<<4 | int(nibbles[c])
	}
	return r
}

// Encode writes r as UTF-8. Half a surrogate pair is written as the character it
// stands for is read by every rule: as bytes outside ASCII.
func Encode(read *[4]byte, r int) int {
	switch {
	case r < 0x80:
		read[0] = byte(r)
		return 1
	case r < 0x800:
		read[0], read[1] = 0xc0|byte(r>>6), 0x80|byte(r&0x3f)
		return 2
	case r < 0x10000:
		read[0], read[1], read[2] = 0xe0|byte(r>>12), 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f)
		return 3
	case r < 0x110000:
		read[0], read[1], read[2], read[3] = 0xf0|byte(r>>18), 0x80|byte(r>>12&0x3f), 0x80|byte(r>>6&0x3f),
			0x80|byte(r&0x3f)
		return 4
	}
	return -1
}

// SeenAs writes what the character of b is taken for by who reads it, and
// returns its length: 0 for what is not seen at all (Unicode's default ignorable
// format characters), 1 for what looks like a character of ASCII; or -1.
func SeenAs(read *[4]byte, b []byte) int {
	if len(b) < 2 || len(b) > 4 || runeLength(b[0]) != len(b) {
		return -1
	}
	if len(b) == 4 {
		if b[0] == 0xf3 && b[1] == 0xa0 { // tags, variation selectors
			return 0
		}
		return -1
	}
	r := int(b[0]&0x1f)<<6 | int(b[1]&0x3f)
	if len(b) == 3 {
		r = int(b[0]&0x0f)<<12 | int(b[1]&0x3f)<<6 | int(b[2]&0x3f)
	}
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x180e, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e,
		r >= 0x2060 && r <= 0x206f, r == 0xfeff: // soft hyphen, joiners, zero-width spaces, marks of direction
		return 0
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff9 && r <= 0xfffb:
		return 0 // fillers of Hangul, variation selectors, marks of annotation
	case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f: // spaces
		read[0] = ' '
	case r >= 0x2010 && r <= 0x2015, r == 0x2212: // hyphens, dashes and minus
		read[0] = '-'
	case r >= 0x2500 && r <= 0x257f: // lines of tables
		read[0] = lineSign(r)
	case r >= 0xff01 && r <= 0xff5e: // full-width forms
		read[0] = byte(r - 0xff01 + '!')
	default:
		return -1
	}
	return 1
}

// lineSign is the sign of ASCII that a table has for the character r of Unicode's lines: a bar, a dash or a corner.
func lineSign(r int) byte {
	switch r {
	case 0x2502, 0x2503, 0x2506, 0x2507, 0x250a, 0x250b, 0x254e, 0x254f, 0x2551:
		return '|'
	case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254c, 0x254d, 0x2550:
		return '-'
	}
	return '+'
}

// CharacterEnd returns at, or the end of the escaped character that at is in, and
// the escapes beyond.
func CharacterEnd(escapes []Escape, at int) (int, []Escape) {
	for len(escapes) > 0 && escapes[0].Pos < at {
		at = max(at, escapes[0].Pos+int(escapes[0].Read))
		escapes = escapes[1:]
	}
	return at, escapes
}
