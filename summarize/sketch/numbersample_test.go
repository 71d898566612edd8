package sketch

import (
	"testing"
)

func TestNumberSample(t *testing.T) {
	s := NewSample([]Counted{{5, 3}, {1, 1}, {9, 96}})
	for i := range 10_000 {
		s.Add(float64(i % 1000))
	}
	low, high := s.Between(.05)
	if s.used > sampleNumbers || s.used < sampleNumbers/2 || low > 150 || high < 850 {
		t.Errorf("%d numbers, from %v to %v", s.used, low, high)
	}
}
