package value

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
)

const (
	maxScale      = 38    // decimal places of an exact sum
	maxExponent   = 10000 // far past what a sum or a float64 holds
	maxLiteralLen = 40    // bytes of a number that are kept as written
	MaxIgnored    = 4     // numbers far out that do not change what is typical
)

// Decimal is ±digits × 10^exponent.
type Decimal struct {
	digits   uint64
	exponent int
	negative bool
}

// ParseDecimal reads a JSON number. exact is false when it has more digits than
// a decimal holds.
func ParseDecimal(literal []byte) (d Decimal, exact bool) {
	const limit = (math.MaxUint64 - 9) / 10
	i := 0
	if i < len(literal) && literal[i] == '-' {
		d.negative = true
		i++
	}
	exact = true
	inFraction := false
	for ; i < len(literal); i++ {
		switch c := literal[i]; {
		case '0' <= c && c <= '9':
			if d.digits > limit {
				exact = exact && c == '0'
				if !inFraction {
					d.exponent++
				}
				continue
			}
			d.digits = 10*d.digits + uint64(c-'0')
			if inFraction {
				d.exponent--
			}
		case c == '.':
			inFraction = true
		case c == 'e' || c == 'E':
			shift, err := strconv.Atoi(ascii.LentString(literal[i+1:]))
			d.exponent += min(max(shift, -maxExponent), maxExponent)
			return d, exact && err == nil && max(shift, -shift) <= maxExponent
		default:
			return d, false
		}
	}
	return d, exact
}

// ParseFloat reads a JSON number as a float64.
func ParseFloat(literal []byte) float64 {
	d, _ := ParseDecimal(literal)
	return d.Float(literal)
}

// Float returns the number, which is written as the literal, as the nearest float64, or infinite
// past their range.
func (d Decimal) Float(literal []byte) float64 {
	if d.digits < 1<<53 && -22 <= d.exponent && d.exponent <= 22 {
		f := float64(d.digits)
		if d.exponent < 0 {
			f /= ExactPowerOfTen(-d.exponent)
		} else {
			f *= ExactPowerOfTen(d.exponent)
		}
		if d.negative {
			return -f
		}
		return f
	}
	f, err := strconv.ParseFloat(ascii.LentString(literal), 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// ExactPowerOfTen returns 10^n, which a float64 holds exactly, for n from 0 to 22.
func ExactPowerOfTen(n int) float64 {
	return [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
		1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}[n]
}

// compareNumbers compares two JSON numbers exactly, whatever their length.
func compareNumbers(a, b []byte) int {
	na, nb := normalize(a), normalize(b)
	switch {
	case na.sign != nb.sign:
		return cmp.Compare(na.sign, nb.sign)
	case na.point != nb.point:
		return na.sign * cmp.Compare(na.point, nb.point)
	}
	for i := 0; ; i++ {
		da, more := na.digit(i)
		db, moreB := nb.digit(i)
		if da != db {
			return na.sign * cmp.Compare(da, db)
		}
		if !more && !moreB {
			return 0
		}
	}
}

// normalized is sign × 0.d1d2d3... × 10^point with d1 not 0, or sign 0.
type normalized struct {
	sign, point int
	whole, rest []byte // digits around the decimal point, leading zeros removed
}

func normalize(literal []byte) (n normalized) {
	n.sign = 1
	if len(literal) > 0 && literal[0] == '-' {
		n.sign = -1
		literal = literal[1:]
	}
	exponent := 0
	if e := bytes.IndexAny(literal, "eE"); e >= 0 {
		// Past its range Atoi gives the nearest int, which is as far as it matters.
		exponent, _ = strconv.Atoi(ascii.LentString(literal[e+1:]))
		exponent = min(max(exponent, math.MinInt32), math.MaxInt32)
		literal = literal[:e]
	}
	n.whole, n.rest, _ = bytes.Cut(literal, []byte{'.'})
	n.whole = bytes.TrimLeft(n.whole, "0")
	n.point = len(n.whole) + exponent
	if len(n.whole) == 0 {
		before := len(n.rest)
		n.rest = bytes.TrimLeft(n.rest, "0")
		n.point -= before - len(n.rest)
		if len(n.rest) == 0 {
			return normalized{}
		}
	}
	return n
}

func (n normalized) digit(i int) (d byte, ok bool) {
	switch {
	case i < len(n.whole):
		return n.whole[i], true
	case i-len(n.whole) < len(n.rest):
		return n.rest[i-len(n.whole)], true
	}
	return '0', false
}

// Sum adds decimals without rounding in 128 bits. Past them only the
// estimate is left.
type Sum struct {
	hi, lo   uint64 // two's complement, × 10^-scale
	scale    int
	inexact  bool
	estimate float64
	lost     float64 // Neumaier's compensation for estimate
}

func (s *Sum) add(d Decimal, exact bool, f float64) {
	total := s.estimate + f
	if math.Abs(s.estimate) >= math.Abs(f) {
		s.lost += (s.estimate - total) + f
	} else {
		s.lost += (f - total) + s.estimate
	}
	s.estimate = total
	if s.inexact || d.digits == 0 && exact {
		return
	}
	s.inexact = !exact || !s.addExact(d)
}

// HasFractions reports whether some number was no integer.
func (s *Sum) HasFractions() bool { return s.scale > 0 || s.inexact }

func (s *Sum) addExact(d Decimal) bool {
	var hi, lo uint64 = 0, d.digits
	for ; d.exponent < 0 && lo%10 == 0; d.exponent++ {
		lo /= 10
	}
	if -d.exponent > maxScale {
		return false
	}
	if -d.exponent > s.scale {
		negative, sumHi, sumLo := s.magnitude()
		sumHi, sumLo, ok := timesPowerOfTen(sumHi, sumLo, -d.exponent-s.scale)
		if !ok {
			return false
		}
		s.set(negative, sumHi, sumLo)
		s.scale = -d.exponent
	}
	hi, lo, ok := timesPowerOfTen(hi, lo, s.scale+d.exponent)
	if !ok {
		return false
	}
	if d.negative {
		hi, lo = negate(hi, lo)
	}
	before := s.hi
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
	return (before^hi)>>63 == 1 || (before^s.hi)>>63 == 0
}

func (s *Sum) magnitude() (negative bool, hi, lo uint64) {
	if s.hi>>63 == 1 {
		hi, lo = negate(s.hi, s.lo)
		return true, hi, lo
	}
	return false, s.hi, s.lo
}

func (s *Sum) set(negative bool, hi, lo uint64) {
	if negative {
		hi, lo = negate(hi, lo)
	}
	s.hi, s.lo = hi, lo
}

func negate(hi, lo uint64) (uint64, uint64) {
	lo, borrow := bits.Sub64(0, lo, 0)
	hi, _ = bits.Sub64(0, hi, borrow)
	return hi, lo
}

// timesPowerOfTen multiplies an unsigned 128 bit number; ok is false when the
// product needs more than 127 bits.
func timesPowerOfTen(hi, lo uint64, n int) (uint64, uint64, bool) {
	if hi|lo == 0 {
		return 0, 0, true
	}
	for ; n > 0; n-- {
		if hi >= 1<<63/10 {
			return 0, 0, false
		}
		carry, low := bits.Mul64(lo, 10)
		hi, lo = 10*hi+carry, low
	}
	return hi, lo, hi>>63 == 0
}

// Append appends the sum as a JSON number; exact is false for an estimate.
// ok is false when it is past the range of a float64.
func (s *Sum) Append(dst []byte) (sum []byte, exact, ok bool) {
	if s.inexact {
		f := s.estimate + s.lost
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return dst, false, false
		}
		return AppendRounded(dst, f, 10), false, true
	}
	negative, hi, lo := s.magnitude()
	return appendScaled(dst, negative, hi, lo, s.scale), true, true
}

// AppendMean appends the sum of n > 0 numbers divided by that, which are no further apart than
// width; exact is false when it is rounded, to six digits or what tells it from the numbers, or an
// estimate.
func (s *Sum) AppendMean(dst []byte, n int, width float64) (mean []byte, exact, ok bool) {
	const moreDigits = 4
	if !s.inexact {
		negative, hi, lo := s.magnitude()
		if hi, lo, ok := timesPowerOfTen(hi, lo, moreDigits); ok {
			high, rest := hi/uint64(n), hi%uint64(n)
			low, rest := bits.Div64(rest, lo, uint64(n))
			if rest == 0 {
				return appendScaled(dst, negative, high, low, s.scale+moreDigits), true, true
			}
		}
		f := (float64(hi)*(1<<64) + float64(lo)) / math.Pow10(s.scale) / float64(n)
		if negative {
			f = -f
		}
		return AppendRounded(dst, f, DigitsOver(f, width, 6, 4)), false, true
	}
	f := (s.estimate + s.lost) / float64(n)
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return dst, false, false
	}
	return AppendRounded(dst, f, DigitsOver(f, width, 6, 4)), false, true
}

// appendScaled appends hi:lo × 10^-scale without trailing zeros.
func appendScaled(dst []byte, negative bool, hi, lo uint64, scale int) []byte {
	if negative {
		dst = append(dst, '-')
	}
	var buf [40]byte
	at := len(buf)
	for hi|lo != 0 || at == len(buf) {
		var rest uint64
		hi, rest = hi/10, hi%10
		lo, rest = bits.Div64(rest, lo, 10)
		at--
		buf[at] = '0' + byte(rest)
	}
	text := buf[at:]
	for scale > 0 && len(text) > 1 && text[len(text)-1] == '0' {
		text, scale = text[:len(text)-1], scale-1
	}
	if len(text) == 1 && text[0] == '0' {
		scale = 0
	}
	if scale <= 0 {
		return append(dst, text...)
	}
	if len(text) > scale {
		dst = append(dst, text[:len(text)-scale]...)
		text = text[len(text)-scale:]
		dst = append(dst, '.')
		return append(dst, text...)
	}
	dst = append(dst, "0."...)
	for range scale - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}

// DigitsOver is how many significant digits of a number tell so many of what it differs by from
// others, which are no further apart than width; least at least.
func DigitsOver(f, width float64, least, ofWidth int) int {
	if f == 0 || width <= 0 || math.IsInf(width, 0) {
		return least
	}
	more := math.Floor(math.Log10(math.Abs(f))) - math.Floor(math.Log10(width))
	return min(max(least, int(more)+ofWidth), 17)
}

// AppendRounded appends f with so many significant digits, without an exponent
// unless it is far from 1.
func AppendRounded(dst []byte, f float64, significant int) []byte {
	short := strconv.AppendFloat(dst, f, 'g', significant, 64)
	if magnitude := math.Abs(f); magnitude < 1e-6 || magnitude >= 1e15 || bytes.IndexByte(short[len(dst):], 'e') < 0 {
		return short
	}
	rounded, err := strconv.ParseFloat(ascii.LentString(short[len(dst):]), 64)
	if err != nil {
		return short
	}
	return strconv.AppendFloat(dst, rounded, 'f', -1, 64)
}

// Bound is the least or the greatest number of a field, as it is written.
type Bound struct {
	Value   float64
	Literal []byte
	Rounded bool // the literal was too long to keep, or is of a number that has been converted
}

func (b *Bound) set(f float64, literal []byte, isRounded bool) {
	b.Value = f
	isLong := len(literal) > maxLiteralLen
	b.Rounded = isRounded || isLong
	if isLong {
		b.Literal = strconv.AppendFloat(b.Literal[:0], f, 'g', 17, 64)
		return
	}
	b.Literal = append(b.Literal[:0], literal...)
}

// beyond says whether a number is less (sign -1) or greater (sign 1).
func (b *Bound) beyond(f float64, literal []byte, sign int) bool {
	if f != b.Value {
		return (f > b.Value) == (sign > 0)
	}
	return !bytes.Equal(literal, b.Literal) && compareNumbers(literal, b.Literal) == sign
}

// Numbers keeps what the facts about a field's numbers need: count, range, sum and quantiles.
type Numbers struct {
	Count     int
	Min, Max  Bound
	Sum       Sum
	Quantiles *sketch.Quantiles // nil while the values are counted, or when it is not known
}

// Add takes in one more number: as it is parsed, and as it is written.
func (n *Numbers) Add(d Decimal, exact, isRounded bool, f float64, literal []byte) {
	n.Count++
	if n.Count == 1 {
		n.Min.set(f, literal, isRounded)
		n.Max.set(f, literal, isRounded)
	} else {
		if n.Min.beyond(f, literal, -1) {
			n.Min.set(f, literal, isRounded)
		}
		if n.Max.beyond(f, literal, 1) {
			n.Max.set(f, literal, isRounded)
		}
	}
	n.Sum.add(d, exact, f)
}

// numeralLen is the length of a number of JSON without an exponent at the start of text.
func numeralLen(text []byte) int {
	whole := bytes.TrimPrefix(text, []byte{'-'})
	sign := len(text) - len(whole)
	n := ascii.LeadingDigits(whole)
	switch {
	case n == 0 || n > 1 && whole[0] == '0':
		return 0
	case n+1 < len(whole) && whole[n] == '.' && ascii.IsDigit(whole[n+1]):
		n += 1 + ascii.LeadingDigits(whole[n+1:])
	}
	return sign + n
}

// AddQuantile counts f in the sketch, if there is one. Quantiles of only some
// of the numbers would be a wrong claim, so when one can't be counted the
// sketch is dropped.
func (n *Numbers) AddQuantile(f float64, count int, room *int) {
	if n.Quantiles == nil {
		return
	}
	size := n.Quantiles.RoomFor(f)
	if size > *room || math.IsInf(f, 0) || math.IsNaN(f) {
		*room += n.Quantiles.Size()
		n.Quantiles = nil
		return
	}
	*room -= size
	n.Quantiles.Add(f, count)
}
