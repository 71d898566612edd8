package fields

import (
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// MayBeFar says whether the number that came last may be far from those that come: it is one of the first, and far
// from those before it, or hardly any are.
func (f *Field) MayBeFar() bool {
	const hardlyAny = 3
	n := f.Numbers
	return n.Count < LeastNumbers && (n.IsFar || n.Count <= hardlyAny)
}

// IsOutside is a quick look whether a number may be far out.
func (f *Field) IsOutside(number float64) bool {
	n := f.Numbers
	if n.Count >= n.LookAgain {
		n.Bulk[0], n.Bulk[1], n.HasBulk = f.Bulk()
		n.LookAgain = n.Count + n.Count/4
	}
	return n.HasBulk && surprise.OfDistance(n.Bulk[0], n.Bulk[1], number) > 0
}

// Bulk is between which numbers those of a field are: nine tenths of them, or 98 % where nine tenths are the same. It
// tells nothing where even those are.
func (f *Field) Bulk() (low, high float64, ok bool) {
	if !f.HasNumbers() || f.Numbers.Count < LeastNumbers {
		return 0, 0, false
	}
	for _, tail := range [...]float64{.05, .01} {
		if low, high, ok = f.between(tail); ok && high > low {
			return low, high, true
		}
	}
	return 0, 0, false
}

// between are the numbers that a share of those of a field is below, and above.
func (f *Field) between(tail float64) (low, high float64, ok bool) {
	if !f.Seen.IsExact() {
		if sample := f.Numbers.Sample; sample != nil {
			low, high = sample.Between(tail)
			return low, high, true
		}
		if f.Numbers.Quantiles == nil {
			return 0, 0, false
		}
		low, ok1 := f.Numbers.Quantiles.Quantile(tail)
		high, ok2 := f.Numbers.Quantiles.Quantile(1 - tail)
		return low, high, ok1 && ok2
	}
	some, _ := f.countedNumbers()
	total := 0
	for _, n := range some {
		total += n.Count
	}
	slices.SortFunc(some, func(a, b sketch.Counted) int { return cmp.Compare(a.Number, b.Number) })
	outside := max(1, int(tail*float64(total))) // one that is far out is never among them
	at, isIn := 0, false
	for _, c := range some {
		if at += c.Count; !isIn && at > outside {
			low, isIn = c.Number, true
		}
		if at > total-1-outside {
			return low, c.Number, true
		}
	}
	return 0, 0, false
}
