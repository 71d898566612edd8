package summarize

import (
	"slices"

	"github.com/axiomhq/hyperloglog"
)

const (
	maxExactDistinct = 512 // as many as take the memory of a sketch
	sketchPrecision  = 12  // 4 KiB, a standard error of 1.6 %
	sketchSize       = 1 << sketchPrecision
)

// distinct counts different hashes: exactly up to maxExactDistinct, beyond it
// with HyperLogLog (Flajolet et al., AofA 2007). It counts nothing when there
// was no room for a sketch at its first hash.
type distinct struct {
	hashes []uint64 // sorted
	sketch *hyperloglog.Sketch
	noRoom bool
	known  int // the estimate, 0 when it must be computed
}

func (d *distinct) add(hash uint64, room *int) {
	switch {
	case d.sketch != nil:
		d.sketch.InsertHash(hash)
		d.known = 0
		return
	case d.noRoom:
		return
	case d.hashes == nil:
		if d.noRoom = *room < sketchSize; d.noRoom {
			return
		}
		*room -= sketchSize
	}
	at, found := slices.BinarySearch(d.hashes, hash)
	if found {
		return
	}
	d.hashes = slices.Insert(d.hashes, at, hash)
	if len(d.hashes) > maxExactDistinct {
		d.startSketch()
	}
}

func (d *distinct) startSketch() {
	sketch, err := hyperloglog.NewSketch(sketchPrecision, false)
	if d.noRoom = err != nil; d.noRoom {
		return
	}
	for _, hash := range d.hashes {
		sketch.InsertHash(hash)
	}
	d.sketch, d.hashes = sketch, nil
}

// count returns how many different hashes there were and whether that is exact.
// ok is false when it is not known.
func (d *distinct) count() (n int, exact, ok bool) {
	if d.sketch != nil {
		if d.known == 0 {
			d.known = int(d.sketch.Estimate())
		}
		return d.known, false, true
	}
	return len(d.hashes), true, !d.noRoom
}
