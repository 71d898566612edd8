package excerpt

import "github.com/kfw-dev/kfw/internal/ascii"

// Bounds of kinds.
const (
	maxKinds     = 256 // past them, units have no kind
	maxPositions = 16  // words of a unit that are looked at
	leastOfKind  = 10  // units of a kind that is no rare one
)

// kinds are units that have the same number of words and begin alike: rows of a table, messages of one logger.
type kinds struct {
	byHash map[uint64]int32
	counts [maxKinds]int32
	words  []span
}

type span struct{ from, to int }

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

// add counts a unit, and returns how many units of its kind there are; 0 if it has none.
func (k *kinds) add(unit []byte) int {
	hash := k.hash(unit)
	index, isKnown := k.byHash[hash]
	if !isKnown {
		if len(k.byHash) == maxKinds {
			return 0
		}
		index = int32(len(k.byHash))
		k.byHash[hash] = index
	}
	k.counts[index]++
	return int(k.counts[index])
}

// look returns how many units are of the kind of this one.
func (k *kinds) look(unit []byte) (count int) {
	index, isKnown := k.byHash[k.hash(unit)]
	if !isKnown {
		return 0
	}
	return int(k.counts[index])
}
