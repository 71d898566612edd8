package jsonx

// Scalar follows one string, number or literal of JSON (RFC 8259), however it is cut. It checks no UTF-8.
type Scalar struct {
	state   scalarState
	rest    uint8  // hexadecimal digits of an escape that are to come
	literal string // what is left of true, false or null
}

type scalarState uint8

const (
	inString scalarState = iota
	inEscape             // after a backslash
	inHex                // of \u and four digits
	inLiteral
	afterMinus    // of a number
	afterZero     // the same, after a leading 0
	inDigits      // the same, before a point
	afterPoint    // the same
	inFraction    // the same
	afterExponent // the same, after e or E
	afterSign     // the same, after the sign of an exponent
	inExponent    // the same
)

// Begin takes the first byte of a scalar, and reports whether one begins so.
func (s *Scalar) Begin(c byte) bool {
	switch {
	case c == '"':
		s.state = inString
	case c == 't':
		s.state, s.literal = inLiteral, "rue"
	case c == 'f':
		s.state, s.literal = inLiteral, "alse"
	case c == 'n':
		s.state, s.literal = inLiteral, "ull"
	case c == '-':
		s.state = afterMinus
	case c == '0':
		s.state = afterZero
	case c >= '1' && c <= '9':
		s.state = inDigits
	default:
		return false
	}
	return true
}

// Feed looks at b, the next bytes, and returns how many of them belong to the scalar, and whether it ends with them. A
// number ends before the first byte that can't continue it. If b[n] can't stand there, the reason is not empty.
func (s *Scalar) Feed(b []byte) (n int, ends bool, reason string) {
	switch {
	case s.IsString():
		return s.inText(b)
	case s.state > inLiteral:
		return s.inNumber(b)
	}
	for ; n < len(b) && s.literal != ""; n++ {
		if b[n] != s.literal[0] {
			return n, false, "not a value"
		}
		s.literal = s.literal[1:]
	}
	return n, s.literal == "", ""
}

// inText is Feed for a string.
func (s *Scalar) inText(b []byte) (n int, ends bool, reason string) {
	for ; n < len(b); n++ {
		switch s.state {
		case inString:
			n += PlainRun(b[n:])
			for n+1 < len(b) && b[n] == '\\' && shortEscapes[b[n+1]] != 0 {
				n += 2
				n += PlainRun(b[n:])
			}
			switch {
			case n == len(b):
				return n, false, ""
			case b[n] == '"':
				return n + 1, true, ""
			case b[n] != '\\':
				return n, false, "control character in a string"
			}
			s.state = inEscape
		case inEscape:
			switch {
			case b[n] == 'u':
				s.state, s.rest = inHex, 4
			case shortEscapes[b[n]] != 0:
				s.state = inString
			default:
				return n, false, "unknown escape in a string"
			}
		default:
			if !isHex(b[n]) {
				return n, false, "a unicode escape needs four hexadecimal digits"
			}
			if s.rest--; s.rest == 0 {
				s.state = inString
			}
		}
	}
	return n, false, ""
}

// inNumber is Feed for a number.
func (s *Scalar) inNumber(b []byte) (n int, ends bool, reason string) {
	for ; n < len(b); n++ {
		next, ok := afterDigit(s.state, b[n])
		if !ok && s.Ends() {
			return n, true, ""
		}
		if !ok {
			return n, false, "a number ends too soon"
		}
		s.state = next
	}
	return n, false, ""
}

// IsString reports whether the scalar is a string.
func (s *Scalar) IsString() bool { return s.state < inLiteral }

// Ends reports whether the scalar is whole if no byte follows: a number may be.
func (s *Scalar) Ends() bool {
	return s.state == afterZero || s.state == inDigits || s.state == inFraction || s.state == inExponent
}

// afterDigit returns the state after c in a number, and whether c can stand there.
func afterDigit(s scalarState, c byte) (scalarState, bool) {
	isDigit := c >= '0' && c <= '9'
	isExponent := c == 'e' || c == 'E'
	switch s {
	case afterMinus:
		if c == '0' {
			return afterZero, true
		}
		return inDigits, isDigit
	case inDigits, afterZero:
		switch {
		case isDigit && s == inDigits:
			return inDigits, true
		case c == '.':
			return afterPoint, true
		}
		return afterExponent, isExponent
	case afterPoint:
		return inFraction, isDigit
	case inFraction:
		if isDigit {
			return inFraction, true
		}
		return afterExponent, isExponent
	case afterExponent:
		if c == '+' || c == '-' {
			return afterSign, true
		}
	}
	return inExponent, isDigit
}
