package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFirstAndLastFailure: of a response with failures among other lines, the first failure and the
// last come before all else, with the lines that are indented under them.
func TestFirstAndLastFailure(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 45))
	for round := range 80 {
		failure := []string{"ERROR job %d of %s: no space", "not ok %d - %s", "FAILED tests/%[2]s.py::test_%[1]d",
			"--- FAIL: Test%[2]s%[1]d (0.0s)", "error: %[2]s: code %[1]d"}[random.IntN(5)]
		n := 200 + random.IntN(3000)
		failures := 1 + random.IntN(60)
		isFailure := map[int]bool{}
		for len(isFailure) < failures {
			isFailure[random.IntN(n)] = true
		}
		var lines []string
		var at []int
		for i := range n {
			if isFailure[i] {
				at = append(at, len(lines)+1)
				lines = append(lines, fmt.Sprintf(failure, i, nameOf(i%40)), fmt.Sprintf("    because of %d", i))
				continue
			}
			line := fmt.Sprintf("step %d of %s took %d ms", i, nameOf(random.IntN(20)), random.IntN(100))
			if random.IntN(100) == 0 { // that are rare too
				line = fmt.Sprintf("%s %s left %s", nameOf(i), nameOf(2*i), nameOf(3*i))
			}
			lines = append(lines, line)
		}
		notables, _ := watched(linesOf(strings.Join(lines, "\n"))).Notables()
		want := []int{at[0], at[len(at)-1]}
		if len(at) == 1 {
			want = want[:1]
		}
		for i, seq := range want {
			if i >= len(notables) || notables[i].Seq != seq || notables[i].Kind != "error" ||
				!strings.Contains(string(notables[i].Data), "because of") || notables[i].Alike {
				t.Fatalf("round %d, %q: %d is not shown as failure %d of %v: %+v", round, failure, seq, i, at,
					notables[:min(3, len(notables))])
			}
		}
	}
}
