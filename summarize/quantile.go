package summarize

import (
	"cmp"
	"math"
	"slices"
)

const (
	binShift     = 52 - 5 // 32 bins an octave: a relative error of at most 1/64
	quantileBins = 512    // on each side: distances within a factor of 65536 of the greatest
	quantileSize = quantileBins * 8
	mostMerged   = 100 // no more than one number in so many is merged into the nearest bin to make room for one further away
)

// quantileSketch estimates quantiles in constant memory. It is a DDSketch
// (Masson, Rim, Lee: VLDB 2019) of how far the numbers are from one in their
// midst, so that the error is small against what they differ by: times and
// prices have quantiles, too. Its bins divide each octave linearly, so that a bin
// is the leading bits of a float64. A few numbers that are very far away are
// counted as just that.
type quantileSketch struct {
	middle       float64
	above, below bins // of distances
	equal        int
}

// bins counts distances, from the bin numbered lowest upwards, which also has those below it.
type bins struct {
	counts []int
	lowest int
	total  int // with those beyond the last bin
}

// numberCount is a number that came so often.
type numberCount struct {
	number float64
	count  int
}

// newQuantileSketch begins with numbers that were counted: their median is the middle.
func newQuantileSketch(seen []numberCount) *quantileSketch {
	q := new(quantileSketch)
	slices.SortFunc(seen, func(a, b numberCount) int { return cmp.Compare(a.number, b.number) })
	rank := 0
	for _, n := range seen {
		rank += n.count
	}
	rank /= 2
	for _, n := range seen {
		if rank -= n.count; rank < 0 {
			q.middle = n.number
			break
		}
	}
	slices.SortFunc(seen, func(a, b numberCount) int {
		return cmp.Compare(math.Abs(a.number-q.middle), math.Abs(b.number-q.middle))
	})
	for i := range seen { // from the inside to both ends of a typical distance
		n := seen[(len(seen)/2+i)%len(seen)]
		q.add(n.number, n.count)
	}
	return q
}

// size is how many bytes the sketch takes.
func (q *quantileSketch) size() int { return (len(q.above.counts) + len(q.below.counts)) * 8 }

// roomFor says how many bytes more the sketch takes for f.
func (q *quantileSketch) roomFor(f float64) int {
	if f > q.middle && q.above.counts == nil || f < q.middle && q.below.counts == nil {
		return quantileSize
	}
	return 0
}

// add counts a finite number.
func (q *quantileSketch) add(f float64, count int) {
	switch distance := f - q.middle; {
	case distance > 0:
		q.above.add(distance, count)
	case distance < 0:
		q.below.add(-distance, count)
	default:
		q.equal += count
	}
}

func (b *bins) add(distance float64, count int) {
	bin := int(math.Float64bits(distance) >> binShift)
	if b.counts == nil {
		b.counts = make([]int, quantileBins)
		b.lowest = bin - quantileBins/2
	}
	b.total += count
	if beyond := bin - (b.lowest + quantileBins - 1); beyond > 0 && !b.raise(beyond) {
		return
	}
	if under := b.lowest - bin; under > 0 {
		b.lower(under)
	}
	b.counts[max(0, bin-b.lowest)] += count
}

// raise moves the bins away from the middle, unless too many numbers would have to be merged at their nearer end.
func (b *bins) raise(by int) bool {
	out := min(by, quantileBins)
	merged := 0
	for _, n := range b.counts[:out] {
		merged += n
	}
	if merged*mostMerged > b.total {
		return false
	}
	b.lowest += by
	copy(b.counts, b.counts[out:])
	clear(b.counts[quantileBins-out:])
	b.counts[0] += merged
	return true
}

// lower moves the bins towards the middle, as far as no number is lost at the other end.
func (b *bins) lower(by int) {
	free := 0
	for free < by && free < quantileBins && b.counts[quantileBins-1-free] == 0 {
		free++
	}
	copy(b.counts[free:], b.counts[:quantileBins-free])
	clear(b.counts[:free])
	b.lowest -= free
}

// quantile estimates the number that a share p of the numbers does not exceed.
// ok is false when it is among those that are too far away.
func (q *quantileSketch) quantile(p float64) (f float64, ok bool) {
	total := q.below.total + q.equal + q.above.total
	rank := int(p * float64(total-1))
	if rank < q.below.total {
		f, ok = q.below.distance(q.below.total - 1 - rank)
		return q.middle - f, ok
	}
	rank -= q.below.total
	if rank < q.equal {
		return q.middle, true
	}
	f, ok = q.above.distance(rank - q.equal)
	return q.middle + f, ok
}

func (b *bins) distance(rank int) (f float64, ok bool) {
	for i, n := range b.counts {
		if rank -= n; rank >= 0 {
			continue
		}
		bin := uint64(b.lowest + i)
		low, high := math.Float64frombits(bin<<binShift), math.Float64frombits((bin+1)<<binShift)
		return low + (high-low)/2, true
	}
	return 0, false
}
