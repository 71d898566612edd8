package summarize

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// small says whether big.Rat can hold the number in reasonable time.
func small(literal string) (*big.Rat, bool) {
	n := normalize([]byte(literal))
	if n.point > 400 || n.point < -400 {
		return nil, false
	}
	return new(big.Rat).SetString(literal)
}

func isNumber(literal string) bool {
	return literal != "" && kindOf(literal[0]) == kindNumber && len(recordsOf([]byte(literal))) == 1 && !recordsOf([]byte(literal))[0].IsText &&
		literal[0] > ' ' && literal[len(literal)-1] > ' '
}

func FuzzNumbers(f *testing.F) {
	for _, seed := range [][2]string{
		{"0", "-0.0"}, {"1", "1.000"}, {"10e-1", "0.1E1"}, {"18446744073709551615", "18446744073709551616"},
		{"1e300", "-1e-300"}, {"9007199254740993", "9007199254740992"}, {"-5", "3.25"}, {"99999999999999999999999999999999999999", "0.00000000000000001"},
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
		var sum exactSum
		want := new(big.Rat)
		count := 0
		for i := range int(n) + 1 {
			for j, literal := range []string{a, b} {
				if i%(j+1) > 0 {
					continue
				}
				d, exact := parseDecimal([]byte(literal))
				sum.add(d, exact, d.float([]byte(literal)))
				want.Add(want, []*big.Rat{x, y}[j])
				count++
			}
		}
		check := func(what string, text []byte, exact, ok bool, want *big.Rat) {
			if !ok {
				return
			}
			if len(recordsOf(text)) != 1 || recordsOf(text)[0].IsText {
				t.Fatalf("%s %q is not JSON", what, text)
			}
			if got, _ := new(big.Rat).SetString(string(text)); exact && got.Cmp(want) != 0 {
				t.Errorf("%s of %s and %s is %s, want %v", what, a, b, text, want)
			}
		}
		text, exact, ok := sum.appendSum(nil)
		check("sum", text, exact, ok, want)
		text, exact, ok = sum.appendMean(nil, count, 0)
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
		var sum exactSum
		for _, literal := range test.literals {
			d, exact := parseDecimal([]byte(literal))
			sum.add(d, exact, d.float([]byte(literal)))
		}
		got, exact, ok := sum.appendSum(nil)
		want, _ := new(big.Rat).SetString(test.want)
		value, isNumber := new(big.Rat).SetString(string(got))
		if !ok || !isNumber || exact != test.exact || value.Cmp(want) != 0 {
			t.Errorf("sum of %v is %s (exact %v), want %s (%v)", test.literals, got, exact, test.want, test.exact)
		}
	}
}

// A quantile is as near as a bin is wide, which is little against the number and against its distance from the middle of the first,
// or is that of a share that is hardly different; some numbers that are far away change nothing.
func TestQuantilesAreNear(t *testing.T) {
	var random *rand.Rand
	for name, number := range map[string]func(i int) float64{
		"prices":     func(int) float64 { return 61000 + 60*random.NormFloat64() },
		"times":      func(i int) float64 { return 1718000000 + float64(i) },
		"sizes":      func(int) float64 { return math.Exp(15 + 3*random.NormFloat64()) },
		"signs":      func(int) float64 { return 1e-9 * random.NormFloat64() },
		"mostly one": func(i int) float64 { return float64(max(0, i%10-7)) },
		"two heaps":  func(i int) float64 { return float64(i%2)*1e3 + random.Float64() },
		"smaller later": func(i int) float64 {
			if i < 500 {
				return 1e5 - 9*float64(i)
			}
			return 20 + 5*random.Float64()
		},
		"lower later": func(i int) float64 {
			if i < 500 {
				return -1e9
			}
			return 20*random.Float64() - 10
		},
		"one in three large": func(int) float64 { return []float64{1e9, 40, 40}[random.IntN(3)] * random.Float64() },
		"downwards":          func(i int) float64 { return 3000 / float64(i+1) },
	} {
		for _, far := range []float64{0, 1e8, -1e12, 1e18} {
			random = rand.New(rand.NewPCG(1, 8))
			var all []float64
			for i := range 5000 {
				all = append(all, number(i))
			}
			for i := 300; far != 0 && i < 320; i++ {
				all[i] = far * random.Float64()
			}
			var seen []numberCount
			for _, f := range all[:64] {
				seen = append(seen, numberCount{f, 1})
			}
			q := newQuantileSketch(seen)
			for _, f := range all[64:] {
				q.add(f, 1)
			}
			slices.Sort(all)
			for _, p := range []float64{.05, .5, .95} {
				at := func(share float64) float64 { return all[int(share*float64(len(all)-1))] }
				got, ok := q.quantile(p)
				want := at(p)
				distance := min(math.Abs(want-q.parts[0].from), math.Abs(want-q.parts[1].from))
				isNear := math.Abs(got-want) <= distance/32+1e-12*math.Abs(want)
				if !ok && name != "lower later" || ok && !isNear && (got < at(p-.01) || got > at(p+.01)) {
					t.Errorf("%s, with some around %v: quantile %v is said to be %v (%v), and is %v", name, far, p, got, ok, want)
				}
			}
		}
	}
}

// Nothing is claimed of numbers that are too far away to be counted.
func TestQuantileOfWideRange(t *testing.T) {
	seen := []numberCount{{1, 10}, {2, 10}, {3, 10}}
	q := newQuantileSketch(seen)
	for range 100 {
		q.add(2.5, 9)
		q.add(1e300, 1)
	}
	if f, ok := q.quantile(.95); ok {
		t.Error("a quantile among numbers far away is said to be", f)
	}
	if f, ok := q.quantile(.5); !ok || f < 2.4 || f > 2.6 {
		t.Errorf("the median is about %v (%v), want 2.5", f, ok)
	}
}

// TestQuantilesOfManyFields: where there is not room for the quantiles of all fields, as many as there is room for have some.
func TestQuantilesOfManyFields(t *testing.T) {
	for n := 4; n < 30; n++ {
		s := NewSummary()
		random := rand.New(rand.NewPCG(1, 2))
		for i := range 2000 {
			b := []byte{'{'}
			for j := range n {
				b = fmt.Appendf(b, `"f%d":%.3f,`, j, 30+40*random.NormFloat64())
			}
			s.Add(Record{Seq: i + 1, Value: append(b, `"n":0}`...)})
		}
		if told := strings.Count(string(s.Facts(anyLength)), `"p50~"`); told < min(n, 8) {
			t.Errorf("%d of %d fields have quantiles", told, n)
		}
	}
}

// TestMeanIsAmongNumbers: the mean of numbers that are near each other is told by as many digits as tell it from them.
func TestMeanIsAmongNumbers(t *testing.T) {
	for base := 1.0; base < 1e15; base *= 10 {
		s := NewSummary()
		for i := range 997 {
			s.Add(Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"at":%.3f}`, base+float64(i*i%997)/3)})
		}
		facts := gjson.ParseBytes(s.Facts(anyLength)).Get("fields.at")
		low, high, mean := facts.Get("min").Float(), facts.Get("max").Float(), facts.Get("mean~").Float()
		if want := base + 165; mean < low || mean > high || math.Abs(mean-want) > (high-low)/20 {
			t.Errorf("from %v: %s", base, facts)
		}
	}
}
