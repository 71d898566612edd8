package sketch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A quantile is as near as a bin is wide, which is little against the number and against its
// distance from the middle of the first, or is that of a share that is hardly different; some
// numbers that are far away change nothing.
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
			var seen []Counted
			for _, f := range all[:64] {
				seen = append(seen, Counted{f, 1})
			}
			q := NewQuantiles(seen)
			for _, f := range all[64:] {
				q.Add(f, 1)
			}
			slices.Sort(all)
			for _, p := range []float64{.05, .5, .95} {
				at := func(share float64) float64 { return all[int(share*float64(len(all)-1))] }
				got, ok := q.Quantile(p)
				want := at(p)
				distance := min(math.Abs(want-q.parts[0].from), math.Abs(want-q.parts[1].from))
				isNear := math.Abs(got-want) <= distance/32+1e-12*math.Abs(want)
				if !ok && name != "lower later" || ok && !isNear && (got < at(p-.01) || got > at(p+.01)) {
					t.Errorf("%s, with some around %v: quantile %v is said to be %v (%v), and is %v", name, far, p,
						got, ok, want)
				}
			}
		}
	}
}

// Nothing is claimed of numbers that are too far away to be counted.
func TestQuantileOfWideRange(t *testing.T) {
	seen := []Counted{{1, 10}, {2, 10}, {3, 10}}
	q := NewQuantiles(seen)
	for range 100 {
		q.Add(2.5, 9)
		q.Add(1e300, 1)
	}
	if f, ok := q.Quantile(.95); ok {
		t.Error("a quantile among numbers far away is said to be", f)
	}
	if f, ok := q.Quantile(.5); !ok || f < 2.4 || f > 2.6 {
		t.Errorf("the median is about %v (%v), want 2.5", f, ok)
	}
}
