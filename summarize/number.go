package summarize

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/kfw-dev/kfw/summarize/ascii"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

const (
	maxScale      = 38    // decimal places of an exact sum
	maxExponent   = 10000 // far past what a sum or a float64 holds
	maxLiteralLen = 40    // bytes of a number that are kept as written
	maxIgnored    = 4     // numbers far out that do not change what is typical
)

// decimal is ±digits × 10^exponent.
type decimal struct {
	digits   uint64
	exponent int
	negative bool
}

// parseDecimal reads a JSON number. exact is false when it has more digits than
// a decimal holds.
func parseDecimal(literal []byte) (d decimal, exact bool) {
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
			shift, err := strconv.Atoi(lentString(literal[i+1:]))
			d.exponent += min(max(shift, -maxExponent), maxExponent)
			return d, exact && err == nil && max(shift, -shift) <= maxExponent
		default:
			return d, false
		}
	}
	return d, exact
}

// numberOf reads a JSON number as a float64.
func numberOf(literal []byte) float64 {
	d, _ := parseDecimal(literal)
	return d.float(literal)
}

// float returns the number as a float64, nearest or, past its range, infinite.
func (d decimal) float(literal []byte) float64 {
	if d.digits < 1<<53 && -22 <= d.exponent && d.exponent <= 22 {
		f := float64(d.digits)
		if d.exponent < 0 {
			f /= exactPowerOfTen(-d.exponent)
		} else {
			f *= exactPowerOfTen(d.exponent)
		}
		if d.negative {
			return -f
		}
		return f
	}
	f, err := strconv.ParseFloat(lentString(literal), 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

func exactPowerOfTen(n int) float64 {
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
		exponent, _ = strconv.Atoi(lentString(literal[e+1:]))
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

// exactSum adds decimals without rounding in 128 bits. Past them only the
// estimate is left.
type exactSum struct {
	hi, lo   uint64 // two's complement, × 10^-scale
	scale    int
	inexact  bool
	estimate float64
	lost     float64 // Neumaier's compensation for estimate
}

func (s *exactSum) add(d decimal, exact bool, f float64) {
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

func (s *exactSum) addExact(d decimal) bool {
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

func (s *exactSum) magnitude() (negative bool, hi, lo uint64) {
	if s.hi>>63 == 1 {
		hi, lo = negate(s.hi, s.lo)
		return true, hi, lo
	}
	return false, s.hi, s.lo
}

func (s *exactSum) set(negative bool, hi, lo uint64) {
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

// appendSum appends the sum as a JSON number; exact is false for an estimate.
// ok is false when it is past the range of a float64.
func (s *exactSum) appendSum(dst []byte) (sum []byte, exact, ok bool) {
	if s.inexact {
		f := s.estimate + s.lost
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return dst, false, false
		}
		return appendRounded(dst, f, 10), false, true
	}
	negative, hi, lo := s.magnitude()
	return appendScaled(dst, negative, hi, lo, s.scale), true, true
}

// appendMean appends the sum of n > 0 numbers divided by that, which are no further apart than width; exact is false when it is
// rounded, to six digits or what tells it from the numbers, or an estimate.
func (s *exactSum) appendMean(dst []byte, n int, width float64) (mean []byte, exact, ok bool) {
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
		return appendRounded(dst, f, digitsOver(f, width, 6, 4)), false, true
	}
	f := (s.estimate + s.lost) / float64(n)
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return dst, false, false
	}
	return appendRounded(dst, f, digitsOver(f, width, 6, 4)), false, true
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

// digitsOver is how many significant digits of a number tell so many of what it differs by from others, which are no further apart than
// width; least at least.
func digitsOver(f, width float64, least, ofWidth int) int {
	if f == 0 || width <= 0 || math.IsInf(width, 0) {
		return least
	}
	more := math.Floor(math.Log10(math.Abs(f))) - math.Floor(math.Log10(width))
	return min(max(least, int(more)+ofWidth), 17)
}

// appendRounded appends f with so many significant digits, without an exponent
// unless it is far from 1.
func appendRounded(dst []byte, f float64, significant int) []byte {
	short := strconv.AppendFloat(dst, f, 'g', significant, 64)
	if magnitude := math.Abs(f); magnitude < 1e-6 || magnitude >= 1e15 || bytes.IndexByte(short[len(dst):], 'e') < 0 {
		return short
	}
	rounded, err := strconv.ParseFloat(lentString(short[len(dst):]), 64)
	if err != nil {
		return short
	}
	return strconv.AppendFloat(dst, rounded, 'f', -1, 64)
}

// bound is the least or the greatest number of a field, as it is written.
type bound struct {
	value   float64
	literal []byte
	rounded bool // the literal was too long to keep, or is of a number that has been converted
}

func (b *bound) set(f float64, literal []byte, isRounded bool) {
	b.value = f
	isLong := len(literal) > maxLiteralLen
	b.rounded = isRounded || isLong
	if isLong {
		b.literal = strconv.AppendFloat(b.literal[:0], f, 'g', 17, 64)
		return
	}
	b.literal = append(b.literal[:0], literal...)
}

// beyond says whether a number is less (sign -1) or greater (sign 1).
func (b *bound) beyond(f float64, literal []byte, sign int) bool {
	if f != b.value {
		return (f > b.value) == (sign > 0)
	}
	return !bytes.Equal(literal, b.literal) && compareNumbers(literal, b.literal) == sign
}

// numbers is what is kept of the numbers of a field.
type numbers struct {
	count     int
	min, max  bound
	sum       exactSum
	quantiles *sketch.Quantiles // nil while the values are counted, or when it can't be told
	sample    *sketch.Sample    // when there is no room for those
	typical   [2]float64        // least and greatest that was not far out
	farOut    int               // numbers that were
	isFar     bool              // the last one is far from those before it
	bulk      [2]float64        // between which nine tenths are, as last looked at
	hasBulk   bool
	outside   int // numbers that were far out of it when they came
	lookAgain int // when there are so many
}

// distance says how far f is from what is typical, in spans of it.
func (n *numbers) distance(f float64) float64 {
	low, high := n.typical[0], n.typical[1]
	span := high - low
	if span == 0 {
		return 0
	}
	return max(low-f, f-high) / span
}

// hasFractions says whether some number was no integer.
func (f *field) hasFractions() bool { return f.numbers.sum.scale > 0 || f.numbers.sum.inexact }

func (n *numbers) add(d decimal, exact, isRounded bool, f float64, literal []byte, outlier bool) {
	n.count++
	if n.count == 1 {
		n.min.set(f, literal, isRounded)
		n.max.set(f, literal, isRounded)
		n.typical = [2]float64{f, f}
	} else {
		if n.min.beyond(f, literal, -1) {
			n.min.set(f, literal, isRounded)
		}
		if n.max.beyond(f, literal, 1) {
			n.max.set(f, literal, isRounded)
		}
	}
	if outlier {
		n.farOut++
	}
	if !outlier || n.farOut > maxIgnored {
		n.typical = [2]float64{min(f, n.typical[0]), max(f, n.typical[1])}
	}
	n.sum.add(d, exact, f)
}

// startQuantiles begins the sketch with the numbers counted so far, or a sample of them if there is no room for it.
func (f *field) startQuantiles(room *int) {
	numbers, isWhole := f.countedNumbers()
	if !isWhole || len(numbers) == 0 {
		return
	}
	if *room >= sketch.QuantilesSize {
		if q := sketch.NewQuantiles(numbers); q.Size() <= *room {
			f.numbers.quantiles = q
			*room -= q.Size()
			return
		}
	}
	f.numbers.sample = sketch.NewSample(numbers)
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

// countedNumbers are those among the values that are counted; isWhole is false when one is not known whole, or too large.
func (f *field) countedNumbers() (numbers []sketch.Counted, isWhole bool) {
	isWhole = true
	for _, e := range f.counts.entries {
		switch n, ok := f.numberIn(e.text); {
		case !ok:
		case e.cut || math.IsInf(n, 0) || math.IsNaN(n):
			isWhole = false
		default:
			numbers = append(numbers, sketch.Counted{Number: n, Count: e.count})
		}
	}
	return numbers, isWhole
}

// numberIn returns the number that a value of the field is, be it written as a string.
func (f *field) numberIn(value []byte) (number float64, ok bool) {
	literal := value
	switch kindOf(value[0]) {
	case kindNumber:
	case kindString:
		if literal, _, ok = f.numeral(inside(value)); !ok {
			return 0, false
		}
	default:
		return 0, false
	}
	return numberOf(literal), true
}

// addQuantile counts f in the sketch, if there is one. Quantiles of only some
// of the numbers would be a wrong claim, so when one can't be counted the
// sketch is dropped.
func (n *numbers) addQuantile(f float64, count int, room *int) {
	if n.quantiles == nil {
		if n.sample != nil {
			n.sample.Add(f)
		}
		return
	}
	size := n.quantiles.RoomFor(f)
	if size > *room || math.IsInf(f, 0) || math.IsNaN(f) {
		*room += n.quantiles.Size()
		n.sample = n.quantiles.Sample()
		n.quantiles = nil
		return
	}
	*room -= size
	n.quantiles.Add(f, count)
}

// lentString views b as a string for the time of one call.
func lentString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
