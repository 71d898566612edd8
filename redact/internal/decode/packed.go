package decode

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/lex"
)

// Secrets that are packed in base64 (RFC 4648 4 and 5) or in hexadecimal digits
// (8). A run of such characters is unpacked if it begins like text; if a rule
// matches in there, the run is replaced from that stretch to its end. What was
// packed twice is found by the same.
const (
	MinBase64   = 15  // characters of a run: 11 bytes
	minHex      = 20  // digits of a run: 10 bytes
	sampled     = 12  // characters that tell whether a run of base64 begins like text, in fours
	PackedLook  = 768 // characters unpacked at once, a multiple of 8
	PackedStep  = PackedLook / 2
	UnpackLevel = 2 // how often
)

// PackedClass holds the bytes of packed text: both alphabets of base64 without the padding, and so
// the hexadecimal digits.
const PackedClass = lex.Base64URL | lex.Plus | lex.Slash

const leastPacked = '+' // of PackedClass

// Packed is how far a text was looked at for packed secrets.
type Packed struct {
	Level int  // how often the text itself was unpacked
	At    int  // what comes before was looked at
	Going bool // the run at at began like text
	IsHex bool
	Read  int // of that run, up to here
}

// sextets is the value of each character of base64, of both alphabets, and 0xff for others.
var sextets = func() (t [256]uint8) {
	for c := range t {
		b := byte(c)
		switch {
		case b >= 'A' && b <= 'Z':
			t[c] = b - 'A'
		case b >= 'a' && b <= 'z':
			t[c] = b - 'a' + 26
		case b >= '0' && b <= '9':
			t[c] = b - '0' + 52
		case b == '+' || b == '-':
			t[c] = 62
		case b == '/' || b == '_':
			t[c] = 63
		default:
			t[c] = 0xff
		}
	}
	return t
}()

// isText tells the bytes that a text in ASCII is made of.
var isText = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t'
	}
	return t
}()

// Where a run may begin like packed text is found by Shift-And (Baeza-Yates and Gonnet, Communications of the ACM
// 35(10), 1992): a bit for each of the hexadecimal digits that such a run begins with, in their order, and one for
// each of the characters in base64. The bit before the first of each is for what is of no word.
const (
	hexBit    = 0
	base64Bit = hexBit + minHex + 1
	wideBit   = base64Bit + MinBase64 + 1 // of UTF-16 in base64
	laterBit  = wideBit + wideSampled + 1 // of base64 that begins like text after its first sampled characters
	overBit   = 63                        // what is not of PackedClass

	wideSampled  = 8
	packedBefore = 1<<hexBit | 1<<base64Bit | 1<<wideBit | 1<<laterBit | 1<<overBit
	packedBegun  = 1<<(hexBit+minHex) | 1<<(base64Bit+MinBase64) | 1<<(wideBit+wideSampled) | 1<<(laterBit+sampled+4)
)

// wide tells the characters of base64 of UTF-16, the low byte first, by their place in eight. If the high byte is first,
// they are four places further.
var wide = func() (t [wideSampled][64]bool) {
	for c := range isText {
		if !isText[c] {
			continue
		}
		for i, s := range [wideSampled]int{c >> 2, c << 4 & 63, c >> 6, c & 63, 0, c >> 4, c << 2 & 63, 0} {
			t[i][s] = true
		}
	}
	return t
}()

// packedBits has the bits of all that a byte may be, whatever stands beside it.
var packedBits = func() (t [256]uint64) {
	var digit [2][16]bool // of text: the high ones, and the low ones
	for c := range isText {
		if isText[c] {
			digit[0][c>>4], digit[1][c&15] = true, true
		}
	}
	var sextet [4][64]bool // of text: the first of four, and so on
	for c := range isText {
		for next := range digit[0] {
			if isText[c] && digit[0][next] {
				sextet[0][c>>2] = true
				sextet[1][c<<4&63|next] = true
				sextet[2][c<<2&63|next>>2] = true
				sextet[3][c&63] = true
			}
		}
	}
	for c := range t {
		b := byte(c)
		if !PackedClass.Has(b) {
			t[c] = packedBefore
			continue
		}
		t[c] = 1 << hexBit // behind 0x and \x, too
		if !lex.Alnum.Has(b) {
			t[c] |= 1<<base64Bit | 1<<wideBit | 1<<laterBit
		}
		for i := range wideSampled {
			if wide[i][sextets[b]] || wide[(i+4)%wideSampled][sextets[b]] {
				t[c] |= 1 << (wideBit + 1 + i)
			}
		}
		for i := range sampled + 4 {
			if i < sampled || sextet[i%4][sextets[b]] {
				t[c] |= 1 << (laterBit + 1 + i)
			}
		}
		for i := range minHex {
			if lex.Hexadecimal.Has(b) && digit[i%2][nibbles[b]] {
				t[c] |= 1 << (hexBit + 1 + i)
			}
		}
		for i := range MinBase64 {
			if i >= sampled || sextet[i%4][sextets[b]] {
				t[c] |= 1 << (base64Bit + 1 + i)
			}
		}
	}
	return t
}()

// NextPacked returns where the next run that begins like packed text begins at or
// after from: at the begin of a word. If there is none, at is the start of what
// may yet become one.
func NextPacked(b []byte, from int, end bool) (at int, isHex, found bool) {
	for at = pastShort(b, from); at+MinBase64 <= len(b); at = pastShort(b, at) {
		if over, none := runOver(b, at); none {
			at = over
			continue
		}
		for ; at < len(b) && PackedClass.Has(b[at]); at++ {
			if at > 0 && lex.Alnum.Has(b[at-1]) || !lex.Alnum.Has(b[at]) {
				if at > 1 && lex.LowerByte(b[at-1]) != 'x' && lex.Alnum.Has(b[at-2]) { // not behind 0x, nor the byte of \x54
					continue
				}
				switch is, known := beginsHex(b[at:], end); {
				case is:
					return at, true, true
				case !known:
					return at, false, false
				}
				continue
			}
			switch is, isHex, known := BeginsPacked(b[at:], end); {
			case is:
				return at, isHex, true
			case !known:
				return at, false, false
			}
			switch later := at + sampled; { // the first may be outside ASCII
			case later+MinBase64 > len(b) && !end && lex.Alnum.Run(b, at, sampled) == min(later, len(b)) &&
				PackedClass.Run(b, at, sampled+MinBase64) == len(b):
				return at, false, false
			case later+MinBase64 <= len(b) && lex.Alnum.Run(b, at, sampled) == later:
				if is, isHex, _ := BeginsPacked(b[later:], end); is && !isHex {
					return later, false, true
				}
			}
		}
	}
	return PackedClass.RunBack(b, len(b), len(b)-at), false, false
}

// pastShort returns where, at or after from, the next run of MinBase64 bytes that
// may be packed text begins at the earliest. Such a run holds a whole one of the
// eights that b falls into from there, and in nearly every eight of most texts is
// a byte below all of PackedClass, or a sign that numbers and times have.
func pastShort(b []byte, from int) int {
	const (
		ones, highs = 0x0101010101010101, 0x8080808080808080
		lows        = highs - ones
	)
	at, before := from, uint64(1<<63)
	for at+8 <= len(b) {
		eight := binary.LittleEndian.Uint64(b[at:])
		ascii := eight &^ highs
		// The high bit of each byte outside these ranges.
		below := (ascii | highs) - leastPacked*ones
		colon := (ascii ^ ':'*ones) + lows
		point := (ascii&^(2*ones) ^ ','*ones) + lows // or a comma, which is a bit less
		signs := ^(below & colon & point) &^ eight & highs
		if signs == 0 {
			break
		}
		at, before = at+8, signs
	}
	return at - bits.LeadingZeros64(before)/8
}

// runOver returns the end of the run that goes on at at, the byte after it included, if no packed text may begin in it.
func runOver(b []byte, at int) (over int, none bool) {
	may := uint64(packedBefore)
	if at > 0 {
		may &= packedBits[b[at-1]]
	}
	for i, c := range b[at:] {
		may = (may<<1 | packedBefore) & packedBits[c]
		if may&(packedBegun|1<<overBit) != 0 {
			return at + i + 1, may&packedBegun == 0
		}
	}
	return at, false
}

// BeginsPacked says whether b begins like text that was packed, and in
// hexadecimal digits. It is not known if b is too short to tell.
func BeginsPacked(b []byte, end bool) (is, isHex, known bool) {
	switch is, known := beginsHex(b, end); {
	case is:
		return true, true, true
	case !known:
		return false, false, false
	}
	if is, known := beginsWide(b, end); is || !known {
		return is, false, known
	}
	n := 0
	for ; n < sampled; n += 4 {
		if n+4 > len(b) {
			return false, false, end || PackedClass.Run(b, n, 4) < len(b)
		}
		w, x := sextets[b[n]], sextets[b[n+1]]
		if w|x > 63 || !isText[w<<2|x>>4] {
			return false, false, true
		}
		y, z := sextets[b[n+2]], sextets[b[n+3]]
		if y|z > 63 || !isText[x<<4|y>>2] || !isText[y<<6|z] {
			return false, false, true
		}
	}
	run := PackedClass.Run(b, n, MinBase64-n)
	return run == MinBase64, false, run == MinBase64 || run < len(b) || end
}

// beginsHex is BeginsPacked for hexadecimal digits.
func beginsHex(b []byte, end bool) (is, known bool) {
	n := 0
	for n < minHex && n+1 < len(b) {
		high, low := nibbles[b[n]], nibbles[b[n+1]]
		if high|low > 15 || !isText[high<<4|low] {
			return false, true
		}
		n += 2
	}
	if n == minHex {
		return true, true
	}
	return false, end || n < len(b) && nibbles[b[n]] > 15
}

// beginsWide is BeginsPacked for UTF-16 in base64, in either order of its bytes.
func beginsWide(b []byte, end bool) (is, known bool) {
	const least = 2 * sampled
	n := PackedClass.Run(b, 0, least)
	if n < wideSampled {
		return false, end || n < len(b)
	}
	isLow, isHigh := true, true // the first byte
	for i, c := range b[:n] {
		s := sextets[c]
		isLow, isHigh = isLow && wide[i%wideSampled][s], isHigh && wide[(i+4)%wideSampled][s]
		if !isLow && !isHigh {
			return false, true
		}
	}
	return n == least, n == least || end || n < len(b)
}

// nibbles is the value of each hexadecimal digit, and 0xff for other bytes.
var nibbles = func() (t [256]uint8) {
	for c := range t {
		t[c] = 0xff
		switch b := lex.LowerByte(byte(c)); {
		case lex.Digits.Has(b):
			t[c] = b - '0'
		case lex.HexLower.Has(b):
			t[c] = b - 'a' + 10
		}
	}
	return t
}()

// Unpacked writes what src is packed from and returns its length.
func Unpacked(dst *[PackedLook]byte, src []byte, isHex bool) int {
	n := 0
	if isHex {
		for i := 0; i+1 < len(src); i += 2 {
			dst[n] = nibbles[src[i]]<<4 | nibbles[src[i+1]]
			n++
		}
		return n
	}
	for len(src) >= 2 {
		var four [4]byte
		size := copy(four[:], src)
		for i := range size {
			four[i] = sextets[four[i]]
		}
		dst[n], dst[n+1], dst[n+2] = four[0]<<2|four[1]>>4, four[1]<<4|four[2]>>2, four[2]<<6|four[3]
		n += size - 1
		src = src[size:]
	}
	return n
}

// IsMostlyText reports whether most bytes, at least three of five, are of characters that are seen, or white space. Of
// what is compressed or encrypted some 43 % are.
func IsMostlyText(b []byte) bool {
	seen := 0
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r >= ' ' && r != 0x7f && (r != utf8.RuneError || size > 1) || r == '\n' || r == '\t' || r == '\r' {
			seen += size
		}
		i += size
	}
	return 5*seen >= 3*len(b)
}

// MayBePacked says whether line has a run that begins like packed text.
func MayBePacked(line []byte) bool {
	_, _, found := NextPacked(line, 0, true)
	return found
}
