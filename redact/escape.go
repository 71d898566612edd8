package redact

import (
	"slices"
	"strings"
)

// maxRaw is how long one character may be written: \u0040 with each of its bytes
// escaped once more in the same way.
const maxRaw = 36

// escape is a character that was written in another way than it reads.
type escape struct {
	pos     int   // where it stands in the text
	read    uint8 // bytes there; 0: it is not seen
	written uint8
	raw     [maxRaw]byte
}

// maxUnseen is how many characters in a row may read as nothing; the next one
// reads as a blank.
const maxUnseen = 8

// notation is a way to write a character in others.
type notation uint8

const (
	plain       notation = iota
	backslashes          // \u0040, \x40, \/, with its backslashes doubled once per string that it is in
	percents             // %40: RFC 3986 2.1
	references           // &#64;, &#x40;, &commat;: HTML 13.5
	controls             // ESC [ 31 m: ECMA-48 5.4
	lookalikes           // a character in UTF-8 that is not seen, or seen as one of ASCII
	unseen               // NUL, as in UTF-16
)

// notationOf tells by its first byte in what way a character may be written.
var notationOf = [256]notation{
	'\\': backslashes, '%': percents, '&': references, 0x1b: controls, 0: unseen,
	0xc2: lookalikes, 0xcd: lookalikes, 0xe1: lookalikes, 0xe2: lookalikes, 0xef: lookalikes,
}

// levels is how often a text is decoded: a percent sign that was itself written
// with one is read.
const levels = 2

// maxBackslashes is how many may begin a sequence: a string in a string in a
// string in a string.
const maxBackslashes = 8

// sequence is the begin of what may read as one character. JSON's own escapes
// are already read where it comes from a string.
type sequence struct {
	in          notation
	units       [maxRaw]unit
	size        int // of units
	backslashes int // how many of them come first
	raw         [maxRaw]byte
	written     int // of raw
}

// unit is a byte and how many bytes it is written in.
type unit struct{ read, written uint8 }

// takes says whether the sequence may go on with c, which is written in so many bytes.
func (s *sequence) takes(c byte, written int) bool {
	if s.written+written > maxRaw {
		return false
	}
	first := s.size == s.backslashes
	switch {
	case s.size == 0:
		return notationOf[c] != plain
	case s.in == backslashes && c == '\\' && first:
		return s.backslashes < maxBackslashes
	case s.in == backslashes && first:
		return c == 'u' || c == 'x' || c == '/'
	case s.in == backslashes, s.in == percents:
		return hexadecimal.has(c)
	case s.in == references:
		const longest = len("&#x0000040;")
		return s.size < longest && (alnum.has(c) || c == ';' || c == '#' && s.size == 1)
	case s.in == controls && s.size == 1:
		return c == '['
	case s.in == controls:
		isMarker := s.size == len("\x1b[") && c == markerStart[1]
		return ((alnum | colon).has(c) || c == ';' || c == '?') && !isMarker
	}
	return c&0xc0 == 0x80
}

func (s *sequence) add(c byte, raw []byte) {
	if s.size == 0 {
		s.in = notationOf[c]
	}
	s.units[s.size] = unit{c, uint8(len(raw))}
	s.size++
	if c == '\\' {
		s.backslashes++
	}
	s.written += copy(s.raw[s.written:], raw)
}

// whole says whether the sequence is one, and needs no more.
func (s *sequence) whole() bool {
	last := s.units[s.size-1].read
	switch s.in {
	case backslashes:
		switch tail := s.size - s.backslashes; {
		case tail == 0:
			return false
		case s.units[s.backslashes].read == 'u':
			return tail == len("u0040")
		case s.units[s.backslashes].read == 'x':
			return tail == len("x40")
		}
		return true
	case percents:
		return s.size == len("%40")
	case references:
		return last == ';'
	case controls:
		return s.size > 1 && letters.has(last)
	case lookalikes:
		return s.size == runeLength(s.units[0].read)
	}
	return true
}

// runeLength is how many bytes a character of UTF-8 has that begins with c.
func runeLength(c byte) int {
	if c < 0xe0 {
		return 2
	}
	return 3
}

// character writes what a whole sequence reads as and returns its length, or -1
// if it reads as it is written.
func (s *sequence) character(read *[4]byte) int {
	var text [maxRaw]byte
	for i, u := range s.units[:s.size] {
		text[i] = u.read
	}
	b := text[s.backslashes:s.size]
	switch s.in {
	case backslashes:
		if b[0] == '/' {
			read[0] = '/'
			return 1
		}
		return s.decoded(read, number16(b[1:]))
	case percents:
		return s.decoded(read, number16(b[1:]))
	case references:
		return s.decoded(read, referenced(b[1:len(b)-1]))
	case lookalikes:
		return seenAs(read, b)
	}
	return 0
}

// decoded writes the character r. What JSON cannot hold bare, and a quote, reads
// as the short escape: it ends neither the line nor the string that it stands in.
func (s *sequence) decoded(read *[4]byte, r int) int {
	const bare, short = "\n\r\t\b\f\\\"'`", "nrtbf\\\"'`"
	switch {
	case r < 0 || s.in == percents && r >= 0x80: // a byte of a longer character
		return -1
	case r < 0x80 && strings.IndexByte(bare, byte(r)) >= 0:
		read[0], read[1] = '\\', short[strings.IndexByte(bare, byte(r))]
		return 2
	}
	n := encode(read, r)
	if n > 1 {
		if seen := seenAs(read, read[:n]); seen >= 0 {
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
		if r, isKnown := namedReferences[string(name)]; isKnown {
			return r
		}
		return -1
	case lowerByte(name[1]) == 'x':
		if len(name) == 2 || !hexadecimal.within(name[2:]) {
			return -1
		}
		return number16(name[2:])
	case !digits.within(name[1:]):
		return -1
	}
	r := 0
	for _, c := range name[1:] {
		r = r*10 + int(c-'0')
	}
	return r
}

// namedReferences are the characters that secrets are written with, and quotes.
var namedReferences = map[string]int{
	"quot": '"', "num": '#', "dollar": '$', "percnt": '%', "amp": '&', "apos": '\'', "plus": '+', "hyphen": '-',
	"dash": '-', "period": '.', "sol": '/', "colon": ':', "lt": '<', "equals": '=', "gt": '>', "commat": '@',
	"bsol": '\\', "lowbar": '_', "nbsp": ' ',
}

// number16 is the value of hexadecimal digits.
func number16(hex []byte) int {
	r := 0
	for _, c := range hex {
		r = r<<4 | int(nibbles[c])
	}
	return r
}

// encode writes r as UTF-8. Half a surrogate pair is written as the character it
// stands for is read by every rule: as bytes outside ASCII.
func encode(read *[4]byte, r int) int {
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
		read[0], read[1], read[2], read[3] = 0xf0|byte(r>>18), 0x80|byte(r>>12&0x3f), 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f)
		return 4
	}
	return -1
}

// seenAs writes what the character of b is taken for by who reads it, and
// returns its length: 0 for what is not seen at all (Unicode's default ignorable
// format characters), 1 for what looks like a character of ASCII; or -1.
func seenAs(read *[4]byte, b []byte) int {
	if len(b) < 2 || len(b) > 3 || runeLength(b[0]) != len(b) {
		return -1
	}
	r := int(b[0]&0x1f)<<6 | int(b[1]&0x3f)
	if len(b) == 3 {
		r = int(b[0]&0x0f)<<12 | int(b[1]&0x3f)<<6 | int(b[2]&0x3f)
	}
	switch {
	case r == 0xad, r == 0x34f, r == 0x180e, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e,
		r >= 0x2060 && r <= 0x206f, r == 0xfeff: // soft hyphen, joiners, zero-width spaces, marks of direction
		return 0
	case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f: // spaces
		read[0] = ' '
	case r >= 0x2010 && r <= 0x2015, r == 0x2212: // hyphens, dashes and minus
		read[0] = '-'
	case r >= 0xff01 && r <= 0xff5e: // full-width forms
		read[0] = byte(r - 0xff01 + '!')
	default:
		return -1
	}
	return 1
}

// stage takes src in, and passes on only what there is no room for.
func (t *Text) stage(dst, src []byte) []byte {
	if t.rules.passAll {
		return append(dst, src...)
	}
	if t.level > 0 { // it has been decoded
		return t.put(dst, src)
	}
	for len(src) > 0 {
		if t.inSequence() || notationOf[src[0]] != plain {
			dst = t.read(dst, 0, src[0], src[:1])
			src = src[1:]
			continue
		}
		n := plainRun(src)
		dst = t.put(dst, src[:n])
		src = src[n:]
	}
	return dst
}

// plainRun returns how many bytes of src come before the first that may begin a notation.
func plainRun(src []byte) int {
	n := 0
	for ; n+8 <= len(src); n += 8 {
		b := (*[8]byte)(src[n:])
		if notationOf[b[0]]|notationOf[b[1]]|notationOf[b[2]]|notationOf[b[3]]|
			notationOf[b[4]]|notationOf[b[5]]|notationOf[b[6]]|notationOf[b[7]] != plain {
			break
		}
	}
	for n < len(src) && notationOf[src[n]] == plain {
		n++
	}
	return n
}

// stagePlain is stage for bytes of which none begins a notation.
func (t *Text) stagePlain(dst, src []byte) []byte {
	if t.rules.passAll || t.inSequence() {
		return t.stage(dst, src)
	}
	return t.put(dst, src)
}

// stageEscape is stage for one character that reads as the bytes of read, at
// most 4, and is written as raw, at most maxRaw bytes.
func (t *Text) stageEscape(dst, read, raw []byte) []byte {
	if t.rules.passAll {
		return append(dst, raw...)
	}
	if t.level > 0 {
		return t.readCharacter(dst, levels, read, raw)
	}
	if len(read) == 1 && notationOf[read[0]] == plain && !t.inSequence() {
		return t.putEscape(dst, read, raw)
	}
	return t.readCharacter(dst, 0, read, raw)
}

func (t *Text) inSequence() bool {
	for i := range t.sequences {
		if t.sequences[i].size > 0 {
			return true
		}
	}
	return false
}

// read takes in a byte that was decoded so many times.
func (t *Text) read(dst []byte, level int, c byte, raw []byte) []byte {
	if level == levels {
		if len(raw) == 1 {
			return t.put(dst, raw)
		}
		return t.putEscape(dst, []byte{c}, raw)
	}
	s := &t.sequences[level]
	if !s.takes(c, len(raw)) {
		dst = t.endSequence(dst, level)
		if !s.takes(c, len(raw)) {
			return t.read(dst, level+1, c, raw)
		}
	}
	s.add(c, raw)
	if !s.whole() {
		return dst
	}
	var read [4]byte
	n := s.character(&read)
	if n < 0 {
		return t.endSequence(dst, level)
	}
	written := s.raw
	raw = written[:s.written]
	s.size, s.backslashes, s.written = 0, 0, 0
	return t.readCharacter(dst, level+1, read[:n], raw)
}

// readCharacter is read for a character of any number of bytes.
func (t *Text) readCharacter(dst []byte, level int, read, raw []byte) []byte {
	if len(read) == 1 {
		return t.read(dst, level, read[0], raw)
	}
	for ; level < levels; level++ {
		dst = t.endSequence(dst, level)
	}
	var seen [4]byte
	if n := seenAs(&seen, read); n >= 0 {
		read = seen[:n]
	}
	return t.putEscape(dst, read, raw)
}

// endSequence takes in the begin of a sequence that did not become one.
func (t *Text) endSequence(dst []byte, level int) []byte {
	s := &t.sequences[level]
	if s.size == 0 {
		return dst
	}
	begin := *s
	s.size, s.backslashes, s.written = 0, 0, 0
	raw := begin.raw[:begin.written]
	for _, u := range begin.units[:begin.size] {
		dst = t.read(dst, level+1, u.read, raw[:u.written])
		raw = raw[u.written:]
	}
	return dst
}

// endSequences is endSequence at the end of the text.
func (t *Text) endSequences(dst []byte) []byte {
	for level := range levels {
		dst = t.endSequence(dst, level)
	}
	return dst
}

// put takes in bytes that read as they are written.
func (t *Text) put(dst, src []byte) []byte {
	for len(src) > 0 {
		t.compact()
		n := copy(t.buf[len(t.buf):cap(t.buf)], src)
		t.buf = t.buf[:len(t.buf)+n]
		src = src[n:]
		if len(t.buf) < cap(t.buf) {
			continue
		}
		if dst = t.advance(dst, false); t.done <= lookBehind { // what is nested holds it back
			t.buf = slices.Grow(t.buf, textBuffer)
		}
	}
	return dst
}

func (t *Text) putEscape(dst, read, raw []byte) []byte {
	if len(t.escapes) == cap(t.escapes) || len(t.buf)+len(read) > cap(t.buf) {
		dst = t.advance(dst, false)
		t.compact()
	}
	if n := len(t.escapes) - maxUnseen; len(read) == 0 && n >= 0 && t.escapes[n].pos == len(t.buf) {
		read = []byte{' '}
	}
	e := escape{pos: len(t.buf), read: uint8(len(read)), written: uint8(len(raw))}
	copy(e.raw[:], raw)
	t.escapes = append(t.escapes, e)
	t.buf = append(t.buf, read...)
	return dst
}

// characterEnd returns at, or the end of the escaped character that at is in, and
// the escapes beyond.
func characterEnd(escapes []escape, at int) (int, []escape) {
	for len(escapes) > 0 && escapes[0].pos < at {
		at = max(at, escapes[0].pos+int(escapes[0].read))
		escapes = escapes[1:]
	}
	return at, escapes
}

// encoded is the form of a character that is written in another way than it
// reads. It has no matches of its own: it tells what text has to be decoded.
type encoded struct{}

func (encoded) anchors() []string {
	a := []string{`\u`, `\/`, `\x`, "&#"}
	for name := range namedReferences {
		a = append(a, "&"+name+";")
	}
	for c, in := range notationOf {
		if in != plain && in != backslashes && in != references {
			a = append(a, string([]byte{byte(c)}))
		}
	}
	return a
}

func (encoded) find(w window, at, to int) finding {
	var s sequence
	for i := at; i < len(w.text) && s.takes(w.text[i], 1); i++ {
		s.add(w.text[i], w.text[i:i+1])
		if s.whole() {
			var read [4]byte
			if s.character(&read) < 0 {
				return finding{}
			}
			return finding{verdict: hidden}
		}
	}
	return finding{}
}

// excludes implements excluder.
func (f encoded) excludes(b []byte, at, to int) bool { return findsNothing(f, b, at, to) }
