package outlier

import (
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// Bounds of rare words.
const (
	mostWeight  = 4    // of one rare word
	LeastWeight = .7   // a word that is new where half of the words are tells nothing
	LeastWords  = 40   // before a word can be rare
	LearntWords = 2000 // words after which a field is one of ids, and has no rare ones, if most were new
)

// Add notes a rare word if it is among those that tell most.
func (why *Reason) Add(hash uint64, at int, weight float64) {
	if weight < LeastWeight {
		return
	}
	w := RareWord{hash, at, min(weight, mostWeight)}
	if why.Count < maxRareWords {
		why.Words[why.Count] = w
		why.Count++
		return
	}
	least := 0
	for i := range why.Words {
		if why.Words[i].Weight < why.Words[least].Weight {
			least = i
		}
	}
	if w.Weight > why.Words[least].Weight {
		why.Words[least] = w
	}
}

// LongestNumber counts the long numbers of a line by their length, and returns the greatest length that is rare.
func (o *Candidates) LongestNumber(line []byte) (longest int) {
	line = line[:min(len(line), mask.MaxLineLen)]
	for start, end := mask.NextLongNumber(line, 0); start < end; start, end = mask.NextLongNumber(line, end) {
		if n := end - start; n < len(o.Lengths) {
			if o.Lengths[n]++; o.Lengths[n] <= surprise.MostOfRare {
				longest = max(longest, n)
			}
		}
	}
	return longest
}

// Rarest is the word that tells most.
func (why *Reason) Rarest() RareWord {
	return slices.MaxFunc(why.Words[:why.Count], func(a, b RareWord) int { return cmp.Compare(a.Weight, b.Weight) })
}
