package excerpt

// Bounds of units that read nearly alike.
const (
	fewLike     = 2.0  // of them are worth what they are worth alone
	mostLike    = 1024 // different ones that are known
	mostOfLike  = 17   // words that are looked at
	wordsOfEnd  = 3    // words at each end that they have in common
	leastOfLike = 7    // words: of fewer, the others are most of the unit
)

// alike counts units that begin and end with the same words: the same sentence about many things.
type alike struct{ seen map[uint64]int }

// add returns how many units like this one have come, itself included.
func (a *alike) add(words []word) int {
	words = words[:min(len(words), mostOfLike)]
	if len(words) < leastOfLike {
		return 1
	}
	hash := uint64(hashStart)
	for i, w := range words {
		if i < wordsOfEnd || i >= len(words)-wordsOfEnd {
			hash = (hash ^ w.hash) * hashPrime
		}
	}
	if a.seen == nil {
		a.seen = make(map[uint64]int)
	}
	if _, isKnown := a.seen[hash]; !isKnown && len(a.seen) == mostLike {
		return 1
	}
	a.seen[hash]++
	return a.seen[hash]
}
