package summarize

import "math"

const (
	binShift     = 52 - 5 // 32 bins an octave: a relative error of at most 1/64
	quantileBins = 512    // of each sign: numbers within a factor of 65536 of the greatest
	quantileSize = quantileBins * 8
)

// quantileSketch estimates quantiles in constant memory. It is a DDSketch
// (Masson, Rim, Lee: VLDB 2019) whose bins divide each octave linearly, so that
// a bin is the leading bits of a float64; the lowest bins collapse.
type quantileSketch struct {
	positive, negative bins
	zeros              int
}

// bins counts magnitudes, from the bin numbered lowest upwards.
type bins struct {
	counts []int
	lowest int
	total  int
	// collapsed: the lowest bin holds numbers that are below it.
	collapsed bool
}

// roomFor says how many bytes more the sketch takes for f.
func (q *quantileSketch) roomFor(f float64) int {
	if f > 0 && q.positive.counts == nil || f < 0 && q.negative.counts == nil {
		return quantileSize
	}
	return 0
}

// add counts a finite number.
func (q *quantileSketch) add(f float64, count int) {
	switch {
	case f > 0:
		q.positive.add(f, count)
	case f < 0:
		q.negative.add(-f, count)
	default:
		q.zeros += count
	}
}

func (b *bins) add(magnitude float64, count int) {
	bin := int(math.Float64bits(magnitude) >> binShift)
	if b.counts == nil {
		b.counts = make([]int, quantileBins)
		b.lowest = bin - quantileBins/2
	}
	if above := bin - (b.lowest + quantileBins - 1); above > 0 {
		b.raise(above)
	} else if below := b.lowest - bin; below > 0 {
		b.lower(below)
	}
	b.counts[max(0, bin-b.lowest)] += count
	b.total += count
}

// raise moves the bins up; what falls out at the bottom collapses into the
// lowest bin that is left.
func (b *bins) raise(by int) {
	b.lowest += by
	by = min(by, quantileBins)
	lost := 0
	for _, n := range b.counts[:by] {
		lost += n
	}
	copy(b.counts, b.counts[by:])
	clear(b.counts[quantileBins-by:])
	b.counts[0] += lost
	b.collapsed = b.collapsed || lost > 0
}

// lower moves the bins down, as far as no number is lost at the top.
func (b *bins) lower(by int) {
	free := 0
	for !b.collapsed && free < by && free < quantileBins && b.counts[quantileBins-1-free] == 0 {
		free++
	}
	copy(b.counts[free:], b.counts[:quantileBins-free])
	clear(b.counts[:free])
	b.lowest -= free
	b.collapsed = b.collapsed || free < by
}

// quantile estimates the number that a share p of the numbers does not exceed.
// ok is false when it is among those that collapsed.
func (q *quantileSketch) quantile(p float64) (f float64, ok bool) {
	total := q.negative.total + q.zeros + q.positive.total
	rank := int(p * float64(total-1))
	if rank < q.negative.total {
		f, ok = q.negative.magnitude(q.negative.total - 1 - rank)
		return -f, ok
	}
	rank -= q.negative.total
	if rank < q.zeros {
		return 0, true
	}
	return q.positive.magnitude(rank - q.zeros)
}

func (b *bins) magnitude(rank int) (f float64, ok bool) {
	for i, n := range b.counts {
		if rank -= n; rank >= 0 {
			continue
		}
		bin := uint64(b.lowest + i)
		low, high := math.Float64frombits(bin<<binShift), math.Float64frombits((bin+1)<<binShift)
		return low + (high-low)/2, i > 0 || !b.collapsed
	}
	return 0, false
}
