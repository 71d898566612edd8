package encode

import (
	"cmp"
	"slices"
)

// Weaker is the kind of the outliers that gave way to stronger ones. How many there were is an estimate.
const Weaker = "weaker~"

// otherKinds are those that are not distinguished.
const otherKinds = "other"

// Notable is a chunk, or a record in one, that is shown because it stands out.
type Notable struct {
	Chunk  int
	Why    string
	Kind   string // of reason, as it is counted when it does not fit
	Data   []byte
	IsText bool
}

// Kinds counts what stands out by its kind, in the order in which they came.
type Kinds []RuleCount

// KindsOf counts notables and those that were missed before.
func KindsOf(notable []Notable, missed Kinds) Kinds {
	var all Kinds
	for _, n := range notable {
		all = all.Add(n.Kind, 1)
	}
	for _, m := range missed {
		all = all.Add(m.Rule, m.Count)
	}
	return all
}

// Add returns k with n more of a kind, and may change k. A kind that is new comes last.
func (k Kinds) Add(kind string, n int) Kinds {
	for i := range k {
		if k[i].Rule == kind {
			k[i].Count += n
			return k
		}
	}
	return append(k, RuleCount{kind, n})
}

// total is the sum of all kinds, and its name: it is an estimate if one of them is.
func (k Kinds) total() RuleCount {
	sum := RuleCount{Rule: "notable"}
	for _, c := range k {
		if sum.Count += c.Count; c.Rule == Weaker && c.Count > 0 {
			sum.Rule = "notable~"
		}
	}
	return sum
}

// mostFrequent are the counts of the n most frequent kinds, the sum of the others, and the count that is an
// estimate.
func (k Kinds) mostFrequent(n int) (counts []RuleCount) {
	if n == 0 {
		return nil
	}
	var estimate RuleCount
	for _, c := range k {
		switch {
		case c.Rule == Weaker:
			estimate = c
		case c.Count > 0:
			counts = append(counts, c)
		}
	}
	slices.SortStableFunc(counts, func(a, b RuleCount) int { return cmp.Compare(b.Count, a.Count) })
	if len(counts) > n+1 { // one more costs no more than their sum
		counts = MostFrequent(counts, n)
	}
	if estimate.Count > 0 {
		counts = append(counts, estimate)
	}
	return counts
}
