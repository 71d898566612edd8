package blob

import (
	"bytes"
	"encoding/base64"

	"github.com/dustin/go-humanize"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// kind is what a byte may be in a run.
type kind uint8

const (
	upper kind = iota + 1
	lower
	digit
	standard // a sign of the standard alphabet
	safe     // a sign of the alphabet for URLs
	other    // of a line break or an escape
)

// kinds tells the kind of each byte, 0 if none.
var kinds = func() (t [256]kind) {
	for i := range t {
		switch c := byte(i); {
		case ascii.IsUpper(c):
			t[i] = upper
		case ascii.IsLetter(c):
			t[i] = lower
		case ascii.IsDigit(c):
			t[i] = digit
		case c == '+', c == '/':
			t[i] = standard
		case c == '-', c == '_':
			t[i] = safe
		case c == '\\', c == '\n', c == '\r':
			t[i] = other
		}
	}
	return t
}()

// Bounds of lines, in characters: those of MIME have 76, those of PEM 64.
const (
	shortestLine = 16
	longestLine  = Shortest - 1
)

// run is base64 as it is read.
type run struct {
	isGoing    bool // it may go on after what has been read
	isPart     bool // it may be larger than what can be read
	isHeadless bool // it may have begun before

	chars     int  // without padding
	padding   int  // bytes of it
	signs     kind // of the alphabet: standard or safe, 0 if there are none
	line      int  // characters of each line but the last; 0 while the first one is read
	column    int  // characters of the current line
	lineStart int  // where that begins in what is fed
	lineEnd   int  // where the one before ends there
	lineBreak byte // the last byte of the break before the next character; 0 if there is none
	carry     []byte

	counts  [other]int // characters by kind
	last    byte
	lastOf  kind
	pairs   int // of different letters and digits that follow each other
	changes int // of these, pairs of different kinds
	others  int // characters that are no hexadecimal digits

	head  []byte
	media string // of a data URL
}

// begin begins a run at an offset of content.
func (r *run) begin(content []byte, at int) {
	*r = run{carry: r.carry[:0], head: r.head[:0]}
	if n := dataURL(content[:at]); n > 0 {
		r.media = namedMedia(content[at-n : at])
	}
}

// feed reads more of the run and returns how many bytes are of it. If that is all of text, the run is going on.
func (r *run) feed(text []byte) (n int) {
	r.lineStart, r.lineEnd = 0, 0
	for n < len(text) {
		c, size := text[n], 1
		if k := kinds[c]; 0 < k && k <= digit && r.padding == 0 && (r.line == 0 || r.column < r.line) { // as mostly
			r.add(c, k)
			n++
			continue
		}
		switch rest := text[n:]; {
		case c == '=' && r.chars > 0 && r.padding < 2 && r.lineBreak == 0:
			r.padding++
			n++
			continue
		case r.padding > 0:
			r.isGoing = false
			return n
		case bytes.HasPrefix(rest, []byte(`\/`)):
			c, size = '/', len(`\/`)
		case c == '\n' || c == '\r', bytes.HasPrefix(rest, []byte(`\n`)), bytes.HasPrefix(rest, []byte(`\r`)):
			if c == '\\' {
				c, size = rest[1], len(`\n`)
			}
			if !r.breakLine(c == '\n' || c == 'n', n) {
				r.isGoing = false
				return n
			}
			n += size
			r.lineStart = n
			continue
		}
		k := kinds[c]
		if k < standard || k == other || r.line > 0 && r.column == r.line || r.signs != 0 && r.signs != k {
			r.isGoing = false
			return n
		}
		r.signs = k
		r.add(c, k)
		n += size
	}
	r.isGoing = true
	if r.line > 0 {
		r.carry = append(r.carry, text[r.lineEnd:]...)
	}
	return n
}

// breakLine ends the current line at an offset of what is fed, if it is as long as the first one, or goes on with a
// break: CR LF.
func (r *run) breakLine(isFeed bool, at int) bool {
	switch {
	case r.lineBreak == '\r' && isFeed:
		r.lineBreak = '\n'
		return true
	case r.lineBreak != 0, r.line > 0 && r.column != r.line:
		return false
	case r.line == 0 && (r.column < shortestLine || r.column > longestLine || r.column%4 != 0):
		return false
	}
	if r.lineBreak = '\r'; isFeed {
		r.lineBreak = '\n'
	}
	r.line, r.column, r.lineEnd, r.carry = r.column, 0, at, r.carry[:0]
	return true
}

// add adds a character of that kind.
func (r *run) add(c byte, k kind) {
	r.chars++
	r.column++
	r.lineBreak = 0
	r.counts[k]++
	if !ascii.IsHexDigit(c) {
		r.others++
	}
	if c != r.last && 0 < r.lastOf && r.lastOf < standard && k < standard {
		r.pairs++
		if k != r.lastOf {
			r.changes++
		}
	}
	r.last, r.lastOf = c, k
	if len(r.head) < longestHead/3*4 {
		r.head = append(r.head, c)
	}
}

// finish ends the run at an offset of what was fed last, and returns where it does end: a last line that is shorter
// than the others, or longer, is of the run only if no other character follows it. carry is then what the parts before
// have of a line that is not.
func (r *run) finish(text []byte, n int) (end int) {
	r.isGoing = false
	isEnd := n == len(text) || r.padding > 0 || bytes.IndexByte([]byte("\"\\\n\r"), text[n]) >= 0
	isLine := r.column == r.line && (n == len(text) || kinds[text[n]] == 0 || kinds[text[n]] == other)
	if r.line == 0 || r.column > 0 && (isLine || r.column < r.line && isEnd) {
		r.carry = r.carry[:0]
		return n
	}
	r.chars -= r.column
	r.padding = 0
	return r.lineEnd
}

// What base64 looks like. Of pairs of different letters and digits in base64, 56 in 100 or more are of different kinds,
// of words and paths some 30; of random bytes and of text there are as many upper as lower case letters, and two in
// three characters are no hexadecimal digits. A run of one character, as of zeros, says nothing.
const (
	leastPairs   = 64
	leastChanges = 50 // in 100 pairs
	leastKind    = 3  // lower case letters, and digits, in 100 pairs
	mostLower    = 2  // for each upper case letter
	leastOthers  = 25 // characters that are no hexadecimal digits, in 100 pairs
)

// isBlob reports whether the run is long enough, and says what it is or looks like base64.
func (r *run) isBlob() bool {
	return r.chars+r.padding >= Shortest && (r.isMixed() || r.isNamed())
}

// isMixed reports whether letters of both cases and digits follow each other without order.
func (r *run) isMixed() bool {
	least := leastKind * r.pairs
	return r.pairs >= leastPairs && 100*r.changes >= leastChanges*r.pairs &&
		100*r.counts[lower] >= least && 100*r.counts[digit] >= least &&
		r.counts[lower] <= mostLower*r.counts[upper] && 100*r.others >= leastOthers*r.pairs
}

// isNamed reports whether a data URL or a signature names the type of the run: an image of one color, or repeated data,
// need not look random.
func (r *run) isNamed() bool {
	if r.isHeadless && r.media == "" {
		return false
	}
	media := r.mediaType()
	return media != unknownMedia && media != textMedia
}

// appendLabel appends what is said in the place of the run.
func (r *run) appendLabel(dst []byte) []byte {
	dst = append(dst, mask.Blob...)
	if !r.isHeadless || r.media != "" {
		dst = append(append(dst, r.mediaType()...), ", "...)
	}
	if r.isPart {
		dst = append(dst, "over "...)
	}
	return append(append(dst, humanize.Bytes(uint64(r.chars*3/4))...), ']')
}

// mediaType returns what the blob is: as its data URL says, or as its first bytes show.
func (r *run) mediaType() string {
	if r.media != "" {
		return r.media
	}
	encoding := base64.RawStdEncoding
	if r.signs == safe {
		encoding = base64.RawURLEncoding
	}
	var decoded [longestHead]byte
	n, _ := encoding.Decode(decoded[:], r.head[:len(r.head)-len(r.head)%4])
	return MediaOf(decoded[:n])
}
