package value

import (
	"math/big"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// small says whether big.Rat can hold the number in reasonable time.
func small(literal string) (*big.Rat, bool) {
	n := normalize([]byte(literal))
	if n.point > 400 || n.point < -400 {
		return nil, false
	}
	return new(big.Rat).SetString(literal)
}

// isNumber reports whether literal is a number of JSON and nothing else.
func isNumber(literal string) bool {
	return literal != "" && (literal[0] == '-' || ascii.IsDigit(literal[0])) && gjson.Valid(literal) &&
		literal[len(literal)-1] > ' '
}

func FuzzNumbers(f *testing.F) {
	for _, seed := range [][2]string{
		{"0", "-0.0"}, {"1", "1.000"}, {"10e-1", "0.1E1"}, {"18446744073709551615", "18446744073709551616"},
		{"1e300", "-1e-300"}, {"9007199254740993", "9007199254740992"}, {"-5", "3.25"},
		{"99999999999999999999999999999999999999", "0.00000000000000001"},
		{"170141183460469231731687303715884105727", "1"}, {"1e38", "1e38"}, {"-9e37", "-9e37"},
	} {
		f.Add(seed[0], seed[1], uint8(3))
	}
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		if !isNumber(a) || !isNumber(b) {
			return // not of the kind that is asked for
		}
		x, okX := small(a)
		y, okY := small(b)
		if !okX || !okY {
			return // not of the kind that is asked for
		}
		if got, want := compareNumbers([]byte(a), []byte(b)), x.Cmp(y); got != want {
			t.Errorf("compareNumbers(%s, %s) is %d, want %d", a, b, got, want)
		}
		var sum Sum
		want := new(big.Rat)
		count := 0
		for i := range int(n) + 1 {
			for j, literal := range []string{a, b} {
				if i%(j+1) > 0 {
					continue
				}
				d, exact := ParseDecimal([]byte(literal))
				sum.add(d, exact, d.Float([]byte(literal)))
				want.Add(want, []*big.Rat{x, y}[j])
				count++
			}
		}
		check := func(what string, text []byte, exact, ok bool, want *big.Rat) {
			if !ok {
				return
			}
			if !isNumber(string(text)) {
				t.Fatalf("%s %q is not JSON", what, text)
			}
			if got, _ := new(big.Rat).SetString(string(text)); exact && got.Cmp(want) != 0 {
				t.Errorf("%s of %s and %s is %s, want %v", what, a, b, text, want)
			}
		}
		text, exact, ok := sum.Append(nil)
		check("sum", text, exact, ok, want)
		text, exact, ok = sum.AppendMean(nil, count, 0)
		check("mean", text, exact, ok, new(big.Rat).Quo(want, big.NewRat(int64(count), 1)))
	})
}

func TestSumIsExactWhereItFits(t *testing.T) {
	for _, test := range []struct {
		literals []string
		want     string
		exact    bool
	}{
		{[]string{"0.1", "0.2"}, "0.3", true},
		{[]string{"1e30", "1", "-1e30"}, "1", true},
		{[]string{"-0.001", "0.0010"}, "0", true},
		{[]string{"18446744073709551609", "18446744073709551609"}, "36893488147419103218", true},
		{[]string{"9e37", "9e37"}, "180000000000000000000000000000000000000", false},
		{[]string{"1e38", "1e-5"}, "100000000000000000000000000000000000000", false},
		{[]string{"12.50"}, "12.5", true},
		{[]string{"1e-999999999", "2"}, "2", false},
		{[]string{"1e-9223372036854775808", "1e-38"}, "0.00000000000000000000000000000000000001", false},
	} {
		var sum Sum
		for _, literal := range test.literals {
			d, exact := ParseDecimal([]byte(literal))
			sum.add(d, exact, d.Float([]byte(literal)))
		}
		got, exact, ok := sum.Append(nil)
		want, _ := new(big.Rat).SetString(test.want)
		value, isNumber := new(big.Rat).SetString(string(got))
		if !ok || !isNumber || exact != test.exact || value.Cmp(want) != 0 {
			t.Errorf("sum of %v is %s (exact %v), want %s (%v)", test.literals, got, exact, test.want, test.exact)
		}
	}
}
