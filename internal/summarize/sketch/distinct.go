package sketch

import (
	"slices"

	"github.com/axiomhq/hyperloglog"
)

const (
	// MaxExact is the number of hashes that are counted exactly. They take as much memory as a
	// sketch.
	MaxExact = 512
	// DistinctSize is how many bytes a Distinct takes.
	DistinctSize = 1 << precision

	precision = 12 // 4 KiB, a standard error of 1.6 %
)

// Distinct counts different hashes: exactly up to MaxExact, beyond it
// with HyperLogLog (Flajolet et al., AofA 2007). It counts nothing when there
// was no room for a sketch at its first hash.
type Distinct struct {
	hashes []uint64 // sorted
	sketch *hyperloglog.Sketch
	noRoom bool
	known  int // the estimate, 0 when it must be computed
}

// Add counts a hash. The first Add subtracts DistinctSize from *room, in bytes; if room is smaller,
// nothing is counted.
func (d *Distinct) Add(hash uint64, room *int) {
	switch {
	case d.sketch != nil:
		d.sketch.InsertHash(hash)
		d.known = 0
		return
	case d.noRoom:
		return
	case d.hashes == nil:
		if d.noRoom = *room < DistinctSize; d.noRoom {
			return
		}
		*room -= DistinctSize
	}
	at, found := slices.BinarySearch(d.hashes, hash)
	if found {
		return
	}
	d.hashes = slices.Insert(d.hashes, at, hash)
	if len(d.hashes) > MaxExact {
		d.startSketch()
	}
}

func (d *Distinct) startSketch() {
	sketch, err := hyperloglog.NewSketch(precision, false)
	if d.noRoom = err != nil; d.noRoom {
		return
	}
	for _, hash := range d.hashes {
		sketch.InsertHash(hash)
	}
	d.sketch, d.hashes = sketch, nil
}

// Count returns how many different hashes there were and whether that is exact.
// ok is false when it is not known.
func (d *Distinct) Count() (n int, exact, ok bool) {
	if d.sketch != nil {
		if d.known == 0 {
			d.known = int(d.sketch.Estimate())
		}
		return d.known, false, true
	}
	return len(d.hashes), true, !d.noRoom
}
