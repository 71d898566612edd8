package sketch

import "math"

const (
	countSlots = 1 << 16 // of each of the two rows of counters
)

// Counts estimates how often each of any number of hashes came, never too low: a count-min sketch
// (Cormode, Muthukrishnan: J. Algorithms 2005) of two rows, with conservative update.
type Counts struct {
	counts []uint32
	adds   int
	Over   int // how much too high a count may be, by what is counted of some hashes that never came
}

// NewCounts returns a sketch of nothing. It takes 512 KiB.
func NewCounts() Counts { return Counts{counts: make([]uint32, 2*countSlots)} }

// slots returns the two counters of a hash, one of each row. Were they near each other, they would
// be in the processor's cache together; but then so many words would share both that some of
// hundreds of thousands are shown as frequent ones.
func (w *Counts) slots(hash uint64) (a, b *uint32) {
	return &w.counts[hash%countSlots], &w.counts[countSlots+hash>>32%countSlots]
}

// Add counts a hash n times and returns how often it has come, at most.
func (w *Counts) Add(hash uint64, n int) int {
	a, b := w.slots(hash)
	count := min(int(min(*a, *b))+n, math.MaxUint32)
	*a, *b = max(*a, uint32(count)), max(*b, uint32(count))
	if w.adds++; w.adds%(countSlots/16) == 0 {
		w.measure()
	}
	return count
}

// measure finds how much too high a count may be.
func (w *Counts) measure() {
	const probes = 256
	for i := range uint64(probes) {
		w.Over = max(w.Over, w.Count((i+1)*PlaceFactor))
	}
}

// Raise sets the count of a hash that has come n times at least.
func (w *Counts) Raise(hash uint64, n int) {
	a, b := w.slots(hash)
	count := uint32(min(n, math.MaxUint32))
	*a, *b = max(*a, count), max(*b, count)
}

// Count returns how often a hash came, at most.
func (w *Counts) Count(hash uint64) int {
	a, b := w.slots(hash)
	return int(min(*a, *b))
}
