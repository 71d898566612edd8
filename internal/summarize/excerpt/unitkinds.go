package excerpt

// Bounds of kinds.
const (
	maxKinds    = 256 // past them, units have no kind
	mostOfKind  = 17  // words: units with more are distinguished by their beginning alone
	leastOfKind = 10  // units of a kind that is no rare one
)

// kinds are units that have the same number of words and begin alike: rows of a table, messages of one logger.
type kinds struct {
	byHash map[uint64]int32
	counts [maxKinds]int32
}

func newKinds() kinds { return kinds{byHash: make(map[uint64]int32)} }

// kindOf returns a hash of what the units of a kind have in common.
func kindOf(words []word) uint64 {
	hash := uint64(min(len(words), mostOfKind))*hashPrime + hashStart
	if len(words) == 0 {
		return hash
	}
	return (hash^words[0].shape)*hashPrime ^ uint64(words[0].from)
}

// add counts a unit, and returns how many units of its kind there are; 0 if it has none.
func (k *kinds) add(words []word) int {
	hash := kindOf(words)
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
func (k *kinds) look(words []word) (count int) {
	index, isKnown := k.byHash[kindOf(words)]
	if !isKnown {
		return 0
	}
	return int(k.counts[index])
}
