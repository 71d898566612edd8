package sketch

import (
	"cmp"
	"math"
	"slices"
)

const (
	binShift     = 52 - 5  // 32 bins an octave
	binError     = 1. / 64 // of a distance, at most
	quantileBins = 1024    // on each side: distances within a factor of 4e9 of the greatest
	// mostMerged limits merging: at most one number in mostMerged goes to the nearest bin to make
	// room for a bin further away.
	mostMerged = 100

	// QuantilesSize is how many bytes the numbers on one side take.
	QuantilesSize = quantileBins * 4
)

// Quantiles estimates quantiles in constant memory. It is a DDSketch
// (Masson, Rim, Lee: VLDB 2019) of how far the numbers are from zero or from one
// in their midst, whichever is nearer, so that the error is small against what
// they differ by and against what they are: times and prices have quantiles, too,
// and so have numbers that come to be far smaller than the first. A few numbers
// that are very far away are counted as just that.
type Quantiles struct{ parts [2]distances } // of zero and of the middle, the lower one first

// distances counts numbers by how far they are from one.
type distances struct {
	from         float64
	above, below bins
	equal        int
}

// bins counts distances, from the bin numbered lowest upwards, which also has those below it. They
// divide each octave linearly, so that a bin is the leading bits of a float64.
type bins struct {
	counts []uint32
	lowest int
	total  int  // with those beyond the last bin
	merged bool // the lowest bin has some that belong below it
}

// Counted is a number and its frequency.
type Counted struct {
	Number float64
	Count  int
}

// NewQuantiles begins with numbers that were counted: their median is the middle.
func NewQuantiles(seen []Counted) *Quantiles {
	slices.SortFunc(seen, func(a, b Counted) int { return cmp.Compare(a.Number, b.Number) })
	rank := 0
	for _, n := range seen {
		rank += n.Count
	}
	rank /= 2
	middle := 0.0
	for _, n := range seen {
		if rank -= n.Count; rank < 0 {
			middle = n.Number
			break
		}
	}
	q := new(Quantiles)
	q.parts[0].from, q.parts[1].from = min(middle, 0), max(middle, 0)
	slices.SortFunc(seen, func(a, b Counted) int {
		return cmp.Compare(math.Abs(a.Number-middle), math.Abs(b.Number-middle))
	})
	for i := range seen { // from the inside to both ends of a typical distance
		n := seen[(len(seen)/2+i)%len(seen)]
		q.Add(n.Number, n.Count)
	}
	return q
}

// Size is how many bytes the sketch takes.
func (q *Quantiles) Size() int { return q.parts[0].size() + q.parts[1].size() }

func (d *distances) size() int { return (len(d.above.counts) + len(d.below.counts)) * 4 }

// RoomFor says how many bytes more the sketch takes for f.
func (q *Quantiles) RoomFor(f float64) int {
	d := q.nearest(f)
	if f > d.from && d.above.counts == nil || f < d.from && d.below.counts == nil {
		return QuantilesSize
	}
	return 0
}

// nearest returns the part that counts f.
func (q *Quantiles) nearest(f float64) *distances {
	if f-q.parts[0].from < q.parts[1].from-f {
		return &q.parts[0]
	}
	return &q.parts[1]
}

// Add counts a finite number.
func (q *Quantiles) Add(f float64, count int) {
	d := q.nearest(f)
	switch distance := f - d.from; {
	case distance > 0:
		d.above.add(distance, count)
	case distance < 0:
		d.below.add(-distance, count)
	default:
		d.equal += count
	}
}

func (b *bins) add(distance float64, count int) {
	bin := int(math.Float64bits(distance) >> binShift)
	if b.counts == nil {
		b.counts = make([]uint32, quantileBins)
		b.lowest = bin - quantileBins/2
	}
	b.total += count
	if beyond := bin - (b.lowest + quantileBins - 1); beyond > 0 && !b.raise(beyond) {
		return
	}
	if under := b.lowest - bin; under > 0 {
		b.lower(under)
	}
	b.merged = b.merged || bin < b.lowest
	b.put(max(0, bin-b.lowest), count)
}

// put counts in a bin, as far as it can count.
func (b *bins) put(bin, count int) {
	b.counts[bin] = uint32(min(int(b.counts[bin])+count, math.MaxUint32))
}

// raise moves the bins away from the middle, unless too many numbers would have to be merged at
// their nearer end.
func (b *bins) raise(by int) bool {
	out := min(by, quantileBins)
	merged := 0
	for _, n := range b.counts[:out] {
		merged += int(n)
	}
	if merged*mostMerged > b.total {
		return false
	}
	b.lowest += by
	copy(b.counts, b.counts[out:])
	clear(b.counts[quantileBins-out:])
	b.put(0, merged)
	b.merged = b.merged || merged > 0
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

// Quantile estimates the number that a share p of the numbers does not exceed.
// ok is false when it is among those that are too far away.
func (q *Quantiles) Quantile(p float64) (f float64, ok bool) {
	lower := q.parts[0].count()
	rank := int(p * float64(lower+q.parts[1].count()-1))
	if rank < lower {
		return q.parts[0].number(rank)
	}
	return q.parts[1].number(rank - lower)
}

func (d *distances) count() int { return d.below.total + d.equal + d.above.total }

// number estimates the number that rank numbers are below.
func (d *distances) number(rank int) (f float64, ok bool) {
	near := math.Abs(d.from) * binError
	if rank < d.below.total {
		f, ok = d.below.distance(d.below.total-1-rank, near)
		return d.from - f, ok
	}
	rank -= d.below.total
	if rank < d.equal {
		return d.from, true
	}
	f, ok = d.above.distance(rank-d.equal, near)
	return d.from + f, ok
}

// distance estimates the distance that so many are below. ok is false when it is beyond the last
// bin, or among those below the lowest one and not known to be near enough to nothing.
func (b *bins) distance(rank int, near float64) (f float64, ok bool) {
	for i, n := range b.counts {
		if rank -= int(n); rank >= 0 {
			continue
		}
		bin := uint64(b.lowest + i)
		low, high := math.Float64frombits(bin<<binShift), math.Float64frombits((bin+1)<<binShift)
		return low + (high-low)/2, i > 0 || !b.merged || high <= near
	}
	return 0, false
}
