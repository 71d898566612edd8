package jsonx

import "github.com/kfw-dev/kfw/internal/ascii"

// Scalar follows one string, number or literal of JSON (RFC 8259), however it is cut. It checks no UTF-8.
type Scalar struct {
	state scalarState
	rest  uint8 // bytes that are to come: of a literal, or hexadecimal digits of an escape
	at    uint8 // of a literal, where the next one is in literals
}

type scalarState uint8

const (
	noScalar scalarState = iota
	inString
	inEscape // after a backslash
	inHex    // of \u and four digits
	inLiteral
	afterMinus    // of a number
	afterZero     // the same, after a leading 0
	afterPoint    // the same
	afterExponent // the same, after e or E
	afterSign     // the same, after the sign of an exponent
	inDigits      // the same, before a point; in this state and the next two more digits change nothing
	inFraction    // the same
	inExponent    // the same
)

// begins is what the first byte of a scalar leads to.
var begins = [256]scalarState{'"': inString, 't': inLiteral, 'f': inLiteral, 'n': inLiteral, '-': afterMinus,
	'0': afterZero, '1': inDigits, '2': inDigits, '3': inDigits, '4': inDigits, '5': inDigits, '6': inDigits,
	'7': inDigits, '8': inDigits, '9': inDigits}

const literals = "true" + "false" + "null"

// Begin takes the first byte of a scalar, and reports whether one begins so.
func (s *Scalar) Begin(c byte) bool {
	s.state = begins[c]
	if s.state == inLiteral {
		s.at, s.rest = uint8(len("t")), uint8(len("rue"))
		if c != 't' {
			s.at, s.rest = uint8(len("truef")), uint8(len("alse"))
		}
		if c == 'n' {
			s.at, s.rest = uint8(len("truefalsen")), uint8(len("ull"))
		}
	}
	return s.state != noScalar
}

// Feed looks at b, the next bytes, and returns how many of them belong to the scalar, and whether it ends with them. A
// number ends before the first byte that can't continue it. If b[n] can't stand there, the reason is not empty.
func (s *Scalar) Feed(b []byte) (n int, ends bool, reason string) {
	switch {
	case s.state > inLiteral:
		return s.inNumber(b)
	case s.IsString():
		return s.inText(b)
	}
	for ; n < len(b) && s.rest > 0; n++ {
		if b[n] != literals[s.at] {
			return n, false, "not a value"
		}
		s.at++
		s.rest--
	}
	return n, s.rest == 0, ""
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
			if !ascii.IsHexDigit(b[n]) {
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
	n, s.state = s.state.goOn(b)
	switch {
	case n == len(b):
		return n, false, ""
	case s.Ends():
		return n, true, ""
	}
	return n, false, "a number ends too soon"
}

// IsString reports whether the scalar is a string.
func (s *Scalar) IsString() bool { return s.state < inLiteral }

// Ends reports whether the scalar is whole if no byte follows: a number may be.
func (s *Scalar) Ends() bool { return s.state.endsNumber() }

// IsNumber reports whether token is a number.
func IsNumber(token []byte) bool {
	if len(token) == 0 || begins[token[0]] <= inLiteral {
		return false
	}
	n, state := begins[token[0]].goOn(token[1:])
	return n == len(token)-1 && state.endsNumber()
}

func (s scalarState) endsNumber() bool { return s == afterZero || s >= inDigits }

// goOn returns how many bytes of b go on in a number, and the state after them.
func (s scalarState) goOn(b []byte) (n int, after scalarState) {
	for ; n < len(b); n++ {
		if s >= inDigits && ascii.IsDigit(b[n]) {
			continue
		}
		next := afterDigit[s&15][numeralOf[b[n]]&7]
		if next == noScalar {
			break
		}
		s = next
	}
	return n, s
}

// numeral is what a byte is to a number.
type numeral uint8

const (
	zero numeral = iota + 1
	digit
	point
	exponent
	plusOrMinus
	numerals = 8
)

var numeralOf = [256]numeral{'0': zero, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit,
	'7': digit, '8': digit, '9': digit, '.': point, 'e': exponent, 'E': exponent, '+': plusOrMinus, '-': plusOrMinus}

// afterDigit is the state after a byte of a number; 0 is what can't stand there.
var afterDigit = [16][numerals]scalarState{
	afterMinus:    {zero: afterZero, digit: inDigits},
	afterZero:     {point: afterPoint, exponent: afterExponent},
	afterPoint:    {zero: inFraction, digit: inFraction},
	afterExponent: {zero: inExponent, digit: inExponent, plusOrMinus: afterSign},
	afterSign:     {zero: inExponent, digit: inExponent},
	inDigits:      {zero: inDigits, digit: inDigits, point: afterPoint, exponent: afterExponent},
	inFraction:    {zero: inFraction, digit: inFraction, exponent: afterExponent},
	inExponent:    {zero: inExponent, digit: inExponent},
}
