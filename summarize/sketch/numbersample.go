package sketch

import (
	"cmp"
	"slices"
)

// sampleNumbers is how many numbers of a field a sample has at most.
const sampleNumbers = 64

// Sample holds some of the numbers of a field, evenly spread over all of them. It shows which
// numbers are outliers where there is no room for Quantiles, which takes ten times as much memory.
type Sample struct {
	numbers [sampleNumbers]float64
	used    int
	every   int // one of so many is held
	passed  int // since the last one that is
}

// NewSample begins with numbers that were counted: at least one of them.
func NewSample(seen []Counted) *Sample {
	slices.SortFunc(seen, func(a, b Counted) int { return cmp.Compare(a.Number, b.Number) })
	total := 0
	for _, n := range seen {
		total += n.Count
	}
	s := &Sample{used: min(total, sampleNumbers/2)}
	s.every = max(1, total/s.used)
	at, upTo := 0, seen[0].Count
	for i := range s.numbers[:s.used] {
		for rank := (2*i + 1) * total / (2 * s.used); rank >= upTo; upTo += seen[at].Count {
			at++
		}
		s.numbers[i] = seen[at].Number
	}
	return s
}

// Sample returns a sample of the counted numbers, or nil if a percentile of them is not known.
func (q *Quantiles) Sample() *Sample {
	total := q.parts[0].count() + q.parts[1].count()
	var numbers []Counted
	for i := range sampleNumbers / 2 {
		n, ok := q.Quantile((float64(i) + .5) / (sampleNumbers / 2))
		if !ok {
			return nil
		}
		numbers = append(numbers, Counted{n, max(1, total/(sampleNumbers/2))})
	}
	return NewSample(numbers)
}

// Add adds a number.
func (s *Sample) Add(f float64) {
	if s.passed++; s.passed < s.every {
		return
	}
	if s.passed = 0; s.used == len(s.numbers) {
		for i := range s.used / 2 {
			s.numbers[i] = s.numbers[2*i+1]
		}
		s.used /= 2
		s.every *= 2
	}
	s.numbers[s.used] = f
	s.used++
}

// Between returns two numbers: about a share tail of all numbers is below low, and as many are
// above high.
func (s *Sample) Between(tail float64) (low, high float64) {
	sorted := s.numbers
	some := sorted[:s.used]
	slices.Sort(some)
	outside := int(tail * float64(len(some)))
	return some[outside], some[len(some)-1-outside]
}
