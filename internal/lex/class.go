package lex

// Class is a set of classes of bytes.
type Class uint32

const (
	Digits      Class = 1 << iota // 0-9
	HexLower                      // a-f
	Lower                         // g-z
	HexUpper                      // A-F
	Upper                         // G-Z
	Underscore                    // _
	Dash                          // -
	Dot                           // .
	Plus                          // +
	Slash                         // /
	Equals                        // =
	Tilde                         // ~
	Percent                       // %
	Colon                         // :
	Dollar                        // $
	Comma                         // ,
	Ampersand                     // &
	Blank                         // space and tab
	Newline                       // carriage return and line feed
	Quote                         // " ' `
	Backslash                     // \
	Angle                         // < and >
	Paren                         // ( and )
	Punctuation                   // ! # * ; ? @ [ ] ^ { | }
	Control                       // below a space, and DEL, except tab, carriage return and line feed
	High                          // of a character outside ASCII: its first byte, if it has two in all, or a later one
	Wide                          // the first byte of a character of three or four
)

// Sets of classes, named after what is made of such bytes.
const (
	Letters     = HexLower | Lower | HexUpper | Upper                // of ASCII
	Alnum       = Letters | Digits                                   // of ASCII
	Word        = Alnum | Underscore                                 // an identifier of most languages
	LowerHex    = Digits | HexLower                                  // hexadecimal digits in lower case
	Hexadecimal = Digits | HexLower | HexUpper                       // hexadecimal digits in both cases
	Base64      = Alnum | Plus | Slash | Equals                      // RFC 4648 4, with its padding
	Base64URL   = Alnum | Underscore | Dash                          // RFC 4648 5, without padding
	Everything  = ^Class(0)                                          // any byte
	Whitespace  = Blank | Newline                                    // between words and lines
	NonSpace    = Everything &^ Whitespace                           // control characters too
	BareValue   = NonSpace &^ (Quote | Ampersand | Angle)            // a value without quotes
	NameOfKey   = Word | Dash | Dot                                  // the name of a value, as in db.password
	LocalPart   = Word | Dash | Dot | Plus | Percent | Tilde | High  // an e-mail address before its @
	LeadPart    = LocalPart | Slash                                  // what may stand before an anchor in a match
	NumberPart  = Digits | Blank | Dash | Dot | Plus | Slash | Paren // a number and its separators
)

// KindOf gives the class of each byte; it is written once and never again.
var KindOf = func() (t [256]Class) {
	for c := range t {
		b := byte(c)
		switch {
		case b >= '0' && b <= '9':
			t[c] = Digits
		case b >= 'a' && b <= 'f':
			t[c] = HexLower
		case b >= 'g' && b <= 'z':
			t[c] = Lower
		case b >= 'A' && b <= 'F':
			t[c] = HexUpper
		case b >= 'G' && b <= 'Z':
			t[c] = Upper
		case b >= 0xe0:
			t[c] = Wide
		case b >= 0x80:
			t[c] = High
		case b == ' ' || b == '\t':
			t[c] = Blank
		case b == '\r' || b == '\n':
			t[c] = Newline
		case b < ' ' || b == 0x7f:
			t[c] = Control
		default:
			t[c] = Punctuation
		}
	}
	for b, k := range map[byte]Class{
		'_': Underscore, '-': Dash, '.': Dot, '+': Plus, '/': Slash, '=': Equals, '~': Tilde, '%': Percent,
		':': Colon, '$': Dollar, ',': Comma, '&': Ampersand, '"': Quote, '\'': Quote, '`': Quote,
		'\\': Backslash, '<': Angle, '>': Angle, '(': Paren, ')': Paren,
	} {
		t[b] = k
	}
	return t
}()

// Has reports whether b is of one of the classes of k.
func (k Class) Has(b byte) bool { return KindOf[b]&k != 0 }

// Run returns the end of the run of k in b that starts at from, looking no
// further than limit bytes.
func (k Class) Run(b []byte, from, limit int) int {
	end := min(len(b), from+limit)
	for from < end && KindOf[b[from]]&k != 0 {
		from++
	}
	return from
}

// RunBack returns the start of the run of k in b that ends before to, looking
// back no further than limit bytes.
func (k Class) RunBack(b []byte, to, limit int) int {
	start := max(0, to-limit)
	for to > start && KindOf[b[to-1]]&k != 0 {
		to--
	}
	return to
}

// ClassOf returns the classes of all bytes of b.
func ClassOf(b []byte) (in Class) {
	for _, c := range b {
		in |= KindOf[c]
	}
	return in
}

// Within says whether b holds nothing but k.
func (k Class) Within(b []byte) bool { return k.Run(b, 0, len(b)) == len(b) }

// LowerByte returns b, a capital of ASCII in lower case.
func LowerByte(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// EqualFold compares b with s, ignoring ASCII case.
func EqualFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i := range b {
		if LowerByte(b[i]) != LowerByte(s[i]) {
			return false
		}
	}
	return true
}
