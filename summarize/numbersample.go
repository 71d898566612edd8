package summarize

import (
	"cmp"
	"slices"
)

// sampleNumbers is how many numbers of a field a sample has at most.
const sampleNumbers = 64

// numberSample holds some of the numbers of a field, evenly spread over all that came. It tells which are far out where there is no room
// for a sketch of all, which takes ten times as much.
type numberSample struct {
	numbers [sampleNumbers]float64
	used    int
	every   int // one of so many is held
	passed  int // since the last one that is
}

// newNumberSample begins with numbers that were counted: at least one of them.
func newNumberSample(seen []numberCount) *numberSample {
	slices.SortFunc(seen, func(a, b numberCount) int { return cmp.Compare(a.number, b.number) })
	total := 0
	for _, n := range seen {
		total += n.count
	}
	s := &numberSample{used: min(total, sampleNumbers/2)}
	s.every = max(1, total/s.used)
	at, upTo := 0, seen[0].count
	for i := range s.numbers[:s.used] {
		for rank := (2*i + 1) * total / (2 * s.used); rank >= upTo; upTo += seen[at].count {
			at++
		}
		s.numbers[i] = seen[at].number
	}
	return s
}

// sample returns a sample of the numbers that are counted in a sketch; nil if it does not tell them.
func (q *quantileSketch) sample() *numberSample {
	total := q.parts[0].count() + q.parts[1].count()
	var numbers []numberCount
	for i := range sampleNumbers / 2 {
		n, ok := q.quantile((float64(i) + .5) / (sampleNumbers / 2))
		if !ok {
			return nil
		}
		numbers = append(numbers, numberCount{n, max(1, total/(sampleNumbers/2))})
	}
	return newNumberSample(numbers)
}

func (s *numberSample) add(f float64) {
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

// between are the numbers that about a share of all is below, and above.
func (s *numberSample) between(tail float64) (low, high float64) {
	sorted := s.numbers
	some := sorted[:s.used]
	slices.Sort(some)
	outside := int(tail * float64(len(some)))
	return some[outside], some[len(some)-1-outside]
}
