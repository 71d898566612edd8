package sketch

import (
	"strconv"
	"testing"
)

// Among hundreds of thousands of words hardly one that came once is taken for a frequent one.
func TestRareWordsStayRare(t *testing.T) {
	const frequent, rare, often = 100, 200_000, 1000
	words := NewCounts()
	hash := func(i int) uint64 { return uint64(uint32(HashWord([]byte("word"+strconv.Itoa(i)), 0))) * PlaceFactor }
	for i := range frequent {
		words.Add(hash(i), often)
	}
	wrong := 0
	for i := range rare {
		if words.Add(hash(frequent+i), 1) > often/2 {
			wrong++
		}
	}
	if wrong > 5 {
		t.Errorf("%d of %d are taken for frequent ones", wrong, rare)
	}
	for i := range 100 {
		if n := words.Count(hash(frequent + rare + i)); n > words.Over {
			t.Errorf("a word that never came is counted %d times, %d at most by what is known", n, words.Over)
		}
	}
	for i := range frequent {
		if n := words.Count(hash(i)); n < often {
			t.Errorf("a word came %d times, and %d are told", often, n)
		}
	}
}
