package excerpt

import "github.com/kfw-dev/kfw/internal/ascii"

// Bounds of kinds.
const (
	maxKinds     = 256 // past them, units have no kind
	maxPositions = 16  // words of a unit that are looked at
	fewValues    = 8   // different values that a position has, to have few
	leastOfKind  = 10  // units of a kind, for a value to be rare among them
	rareOf       = 40  // of so many units at most one has a rare value, or one of all has it
)

// kinds are units that have the same number of words and begin alike: rows of a table, messages of one logger. For each
// position of a kind, the values are counted while they are few.
type kinds struct {
	byHash map[uint64]int32
	all    []kind
	words  []span
}

type span struct{ from, to int }

type kind struct {
	count     int
	positions []position
}

// position is the values of one word of a kind.
type position struct {
	values [fewValues]valueCount
	isMany bool // there are more
}

type valueCount struct {
	hash  uint32
	count int32
	seen  int32 // in the second pass
}

func newKinds() kinds { return kinds{byHash: make(map[uint64]int32)} }

// appendWords appends where the first words of a unit are, so many at most.
func appendWords(words []span, unit []byte, most int) []span {
	for i := 0; i < len(unit) && len(words) < most; {
		for i < len(unit) && isGap(unit[i]) {
			i++
		}
		from := i
		for i < len(unit) && !isGap(unit[i]) {
			i++
		}
		if i > from {
			words = append(words, span{from, i})
		}
	}
	return words
}

// isGap reports whether a byte stands between words.
func isGap(c byte) bool {
	switch c {
	case ' ', '\t', ',', '|', '=', '"', '<', '>':
		return true
	}
	return false
}

// hash returns what the units of the kind of this one have in common.
func (k *kinds) hash(unit []byte) uint64 {
	k.words = appendWords(k.words[:0], unit, maxPositions+1)
	hash := uint64(len(k.words))*1099511628211 + 14695981039346656037
	if len(k.words) == 0 {
		return hash
	}
	indent := k.words[0].from
	return (hash^shapeOf(unit[k.words[0].from:k.words[0].to]))*1099511628211 ^ uint64(indent)
}

// shapeOf returns a hash of a word; all paths have the same hash, and so have all words with a
// digit.
func shapeOf(word []byte) uint64 {
	letters, digits, slashes := 0, 0, 0
	for _, c := range word {
		switch {
		case ascii.IsDigit(c):
			digits++
		case c == '/' || c == '.':
			slashes++
		case byteClasses[c] != otherByte:
			letters++
		}
	}
	switch {
	case slashes > 0 && letters > 0:
		return 1
	case digits > 0:
		return 2
	}
	return hashOfWord(word)
}

func hashOfWord(word []byte) uint64 {
	hash := uint64(14695981039346656037)
	for _, c := range word {
		hash = (hash ^ uint64(c)) * 1099511628211
	}
	return hash
}

// valueHash returns a shorter hash of a word.
func valueHash(word []byte) uint32 {
	hash := hashOfWord(word)
	return uint32(hash) ^ uint32(hash>>32)
}

// add counts a unit and its values. It returns how many units of the kind there are; 0 if it has none.
func (k *kinds) add(unit []byte) int {
	hash := k.hash(unit)
	index, isKnown := k.byHash[hash]
	if !isKnown {
		if len(k.all) == maxKinds {
			return 0
		}
		index = int32(len(k.all))
		k.byHash[hash] = index
		k.all = append(k.all, kind{})
	}
	one := &k.all[index]
	if one.count++; one.count == 2 {
		one.positions = make([]position, min(len(k.words), maxPositions))
	}
	for i := range one.positions {
		if i < len(k.words) && !one.positions[i].isMany {
			one.positions[i].add(valueHash(unit[k.words[i].from:k.words[i].to]))
		}
	}
	return one.count
}

func (p *position) add(hash uint32) {
	for i := range p.values {
		v := &p.values[i]
		if v.count == 0 {
			v.hash = hash
		}
		if v.hash == hash {
			v.count++
			return
		}
	}
	p.isMany = true
}

// look returns how many units are of the kind of this one, and if it has a value that few of them have, how many
// units with that value have been looked at, itself included; else 0.
func (k *kinds) look(unit []byte) (count, rare int) {
	index, isKnown := k.byHash[k.hash(unit)]
	if !isKnown {
		return 0, 0
	}
	one := &k.all[index]
	if one.count < leastOfKind {
		return one.count, 0
	}
	for i := range one.positions {
		p := &one.positions[i]
		if i >= len(k.words) || p.isMany {
			continue
		}
		hash := valueHash(unit[k.words[i].from:k.words[i].to])
		for j := range p.values {
			if v := &p.values[j]; v.hash == hash && (v.count == 1 || int(v.count)*rareOf <= one.count) && v.count > 0 {
				v.seen++
				rare = max(rare, int(v.seen))
			}
		}
	}
	return one.count, rare
}
