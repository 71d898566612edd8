package summarize

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestCutLines generates lines of which some are longer than what is read of one: facts of their pairs and
// numbers without a mark are those of whole lines.
func TestCutLines(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 41))
	for seed := range 60 {
		pairs := []int{1, 3, 30, 150, 400}[seed%5]
		every := 1 + random.IntN(3) // line in so many is that long
		isPair := random.IntN(2) == 0
		form := " took %d of"
		if isPair {
			form = " retry=%d"
		}
		var b strings.Builder
		count, sum, least, greatest := 0, 0, 1<<30, 0
		for i := range 60 {
			fmt.Fprintf(&b, "req %d step=%d", i, i%7)
			n := 1
			if i%every == 0 {
				n = pairs
			}
			for range n {
				number := 5 + random.IntN(90)
				count, sum, least, greatest = count+1, sum+number, min(least, number), max(greatest, number)
				fmt.Fprintf(&b, form, number)
			}
			b.WriteString("\n")
		}
		var facts struct {
			Keys, Measures map[string]map[string]json.RawMessage
		}
		decode(t, watched(linesOf(b.String())).Facts(anyLength).JSON(), &facts)
		for label, of := range map[string]map[string]json.RawMessage{"retry": facts.Keys["retry"],
			"took": facts.Measures["took"]} {
			for name, want := range map[string]int{"n": count, "sum": sum, "min": least, "max": greatest} {
				if got, ok := of[name]; ok && string(got) != fmt.Sprint(want) {
					t.Errorf("seed %d: %d times%q: %s is %s, not %d", seed, pairs, form, label+"."+name, got, want)
				}
			}
		}
	}
}
