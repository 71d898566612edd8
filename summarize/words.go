package summarize

import "math"

const (
	wordSlots   = 1 << 16 // of each of the two rows of counters
	placeFactor = 0x9e3779b97f4a7c15
)

// wordCounts estimates how often each of any number of hashes came, never too low: a count-min sketch (Cormode,
// Muthukrishnan: J. Algorithms 2005) of two rows, with conservative update.
type wordCounts struct {
	counts []uint32
	adds   int
	over   int // how much too high a count may be, by what is counted of some hashes that never came
}

// slots returns the two counters of a hash, one of each row. Were they near each other, they would be in the processor's
// cache together; but then so many words would share both that some of hundreds of thousands are told as frequent ones.
func (w *wordCounts) slots(hash uint64) (a, b *uint32) {
	return &w.counts[hash%wordSlots], &w.counts[wordSlots+hash>>32%wordSlots]
}

// add counts a hash, n times, and returns how often it has come.
func (w *wordCounts) add(hash uint64, n int) int {
	a, b := w.slots(hash)
	count := min(int(min(*a, *b))+n, math.MaxUint32)
	*a, *b = max(*a, uint32(count)), max(*b, uint32(count))
	if w.adds++; w.adds%(wordSlots/16) == 0 {
		w.measure()
	}
	return count
}

// measure finds how much too high a count may be.
func (w *wordCounts) measure() {
	const probes = 256
	for i := range uint64(probes) {
		w.over = max(w.over, w.count((i+1)*placeFactor))
	}
}

// raise sets the count of a hash that has come n times at least.
func (w *wordCounts) raise(hash uint64, n int) {
	a, b := w.slots(hash)
	count := uint32(min(n, math.MaxUint32))
	*a, *b = max(*a, count), max(*b, count)
}

func (w *wordCounts) count(hash uint64) int {
	a, b := w.slots(hash)
	return int(min(*a, *b))
}
