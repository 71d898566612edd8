package redact

// kinds is a set of classes of bytes.
type kinds uint32

const (
	digits   kinds = 1 << iota
	hexLower       // a-f
	lower          // g-z
	hexUpper       // A-F
	upper          // G-Z
	underscore
	dash
	dot
	plus
	slash
	equals
	tilde
	percent
	colon
	dollar
	comma
	ampersand
	blank   // space and tab
	newline // carriage return and line feed
	quote   // " ' `
	backslash
	angle // < and >
	paren // ( and )
	punctuation
	control
	high // of a character outside ASCII: its first byte, if it has two in all, or a later one
	wide // the first byte of a character of three or four
)

const (
	letters     = hexLower | lower | hexUpper | upper
	alnum       = letters | digits
	word        = alnum | underscore
	lowerHex    = digits | hexLower
	hexadecimal = digits | hexLower | hexUpper
	base64      = alnum | plus | slash | equals
	base64URL   = alnum | underscore | dash
	everything  = ^kinds(0)
	whitespace  = blank | newline
	nonSpace    = everything &^ whitespace
	bareValue   = nonSpace &^ (quote | ampersand | angle)
	nameOfKey   = word | dash | dot
	localPart   = word | dash | dot | plus | percent | tilde | high
	leadPart    = localPart | slash // what may stand before an anchor in a match
	numberPart  = digits | blank | dash | dot | plus | slash | paren
)

// kindOf gives the class of each byte; it is written once and never again.
var kindOf = func() (t [256]kinds) {
	for c := range t {
		b := byte(c)
		switch {
		case b >= '0' && b <= '9':
			t[c] = digits
		case b >= 'a' && b <= 'f':
			t[c] = hexLower
		case b >= 'g' && b <= 'z':
			t[c] = lower
		case b >= 'A' && b <= 'F':
			t[c] = hexUpper
		case b >= 'G' && b <= 'Z':
			t[c] = upper
		case b >= 0xe0:
			t[c] = wide
		case b >= 0x80:
			t[c] = high
		case b == ' ' || b == '\t':
			t[c] = blank
		case b == '\r' || b == '\n':
			t[c] = newline
		case b < ' ' || b == 0x7f:
			t[c] = control
		default:
			t[c] = punctuation
		}
	}
	for b, k := range map[byte]kinds{
		'_': underscore, '-': dash, '.': dot, '+': plus, '/': slash, '=': equals, '~': tilde, '%': percent,
		':': colon, '$': dollar, ',': comma, '&': ampersand, '"': quote, '\'': quote, '`': quote,
		'\\': backslash, '<': angle, '>': angle, '(': paren, ')': paren,
	} {
		t[b] = k
	}
	return t
}()

func (k kinds) has(b byte) bool { return kindOf[b]&k != 0 }

// run returns the end of the run of k in b that starts at from, looking no
// further than limit bytes.
func (k kinds) run(b []byte, from, limit int) int {
	end := min(len(b), from+limit)
	for from < end && kindOf[b[from]]&k != 0 {
		from++
	}
	return from
}

// runBack returns the start of the run of k in b that ends before to, looking
// back no further than limit bytes.
func (k kinds) runBack(b []byte, to, limit int) int {
	start := max(0, to-limit)
	for to > start && kindOf[b[to-1]]&k != 0 {
		to--
	}
	return to
}

// kindsIn returns the classes of all bytes of b.
func kindsIn(b []byte) (in kinds) {
	for _, c := range b {
		in |= kindOf[c]
	}
	return in
}

// within says whether b holds nothing but k.
func (k kinds) within(b []byte) bool { return k.run(b, 0, len(b)) == len(b) }

func lowerByte(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// equalFold compares b with s, ignoring ASCII case.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i := range b {
		if lowerByte(b[i]) != lowerByte(s[i]) {
			return false
		}
	}
	return true
}
