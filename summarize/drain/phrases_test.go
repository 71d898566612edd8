package drain

import "testing"

// TestCountsThatAreGuesses: a word whose count is mostly what the sketch had for it when it was first counted may be another's, and is
// told once it has come as often again, or so often that it matters little.
func TestCountsThatAreGuesses(t *testing.T) {
	for _, test := range []struct {
		guessed, more int
		isTold        bool
	}{{LeastRepeated, 0, true}, {20, 0, false}, {20, 19, false}, {20, 20, true}, {sureCount, 0, true}} {
		var p Phrases
		const lines = 1000
		for i := range 1 + test.more {
			p.See(7, test.guessed, lines/2+i, [2]uint64{}, func(dst []byte) []byte { return append(dst, "subsampling"...) })
		}
		if isTold := len(p.Ranked(lines)) > 0; isTold != test.isTold {
			t.Errorf("%d by the sketch and %d more: %t", test.guessed, test.more, isTold)
		}
	}
}
