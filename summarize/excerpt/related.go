package excerpt

import "github.com/kfw-dev/kfw/internal/ascii"

// Bounds of what relates units to a failure.
const (
	mostRelated = 256 // identifiers of failures
	leastOfID   = 6   // bytes of an identifier
	mostOfID    = 16  // units that have one, after the first failure: of more it tells nothing
)

// related finds the units that have an identifier of a failure, such as the trace, the request or the user that it is
// of.
type related struct{ ids map[uint64]*relation }

type relation struct {
	units int // since the first failure
	seen  int // in the second pass
}

// watch counts a unit that reports no failure, in the first pass.
func (r *related) watch(unit []byte) {
	if len(r.ids) == 0 {
		return
	}
	for id := nextID(unit, 0); id.to > 0; id = nextID(unit, id.to) {
		if one := r.ids[hashOfWord(unit[id.from:id.to])]; one != nil {
			one.units++
		}
	}
}

// fail takes in a unit that reports a failure.
func (r *related) fail(unit []byte) {
	for id := nextID(unit, 0); id.to > 0; id = nextID(unit, id.to) {
		hash := hashOfWord(unit[id.from:id.to])
		one := r.ids[hash]
		if one == nil {
			if len(r.ids) == mostRelated {
				return
			}
			if r.ids == nil {
				r.ids = make(map[uint64]*relation)
			}
			one = new(relation)
			r.ids[hash] = one
		}
		one.units++
	}
}

// look returns how many units with the same identifier as this one have been looked at, itself included, if it is one
// of a failure; else 0. Of several identifiers that of the fewest units counts.
func (r *related) look(unit []byte) (seen int) {
	if len(r.ids) == 0 {
		return 0
	}
	for id := nextID(unit, 0); id.to > 0; id = nextID(unit, id.to) {
		one := r.ids[hashOfWord(unit[id.from:id.to])]
		if one == nil || one.units > mostOfID {
			continue
		}
		if one.seen++; seen == 0 || one.seen < seen {
			seen = one.seen
		}
	}
	return seen
}

// nextID returns the next word of a unit at or after i that may be an identifier: letters and digits, and maybe dashes,
// of which a date has more; the zero span if there is none.
func nextID(unit []byte, i int) span {
	for i < len(unit) {
		if byteClasses[unit[i]] == otherByte {
			i++
			continue
		}
		from, letters, digits := i, 0, 0
		for ; i < len(unit) && (byteClasses[unit[i]] != otherByte || unit[i] == '-' || unit[i] == '_'); i++ {
			if ascii.IsDigit(unit[i]) {
				digits++
			} else if unit[i] != '-' && unit[i] != '_' {
				letters++
			}
		}
		if i-from >= leastOfID && digits > 0 && letters > 0 && !isDate(unit[from:i]) {
			return span{from, i}
		}
	}
	return span{}
}

// isDate reports whether a word begins with a date: "2026-03-02T08".
func isDate(word []byte) bool {
	const date = len("2026-03-02")
	return len(word) >= date && ascii.LeadingDigits(word) == 4 && word[4] == '-' && word[7] == '-'
}
