package excerpt

import "github.com/kfw-dev/kfw/internal/ascii"

// Bounds of what relates units to a failure.
const (
	mostRelated = 256 // identifiers of failures
	leastOfID   = 6   // bytes of an identifier
	mostOfID    = 16  // units that have one, after the first failure: of more it tells nothing
)

// related finds the units that share an identifier with a failure: its trace, its request, its user.
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
		if one := r.ids[hashOf(unit[id.from:id.to])]; one != nil {
			one.units++
		}
	}
}

// fail takes in a unit that reports a failure.
func (r *related) fail(unit []byte) {
	for id := nextID(unit, 0); id.to > 0; id = nextID(unit, id.to) {
		hash := hashOf(unit[id.from:id.to])
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

// look returns how many units have had an identifier of a failure so far in the second pass, this one included; 0 if
// this one has none. If it has several, the one that the fewest units have counts.
func (r *related) look(unit []byte) (seen int) {
	if len(r.ids) == 0 {
		return 0
	}
	for id := nextID(unit, 0); id.to > 0; id = nextID(unit, id.to) {
		one := r.ids[hashOf(unit[id.from:id.to])]
		if one == nil || one.units > mostOfID {
			continue
		}
		if one.seen++; seen == 0 || one.seen < seen {
			seen = one.seen
		}
	}
	return seen
}

// nextID returns the next word of a unit, from i on, that may be an identifier; the zero span if there is none. An
// identifier has letters and digits, maybe dashes, and is no date.
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
