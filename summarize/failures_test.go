package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
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
				!strings.Contains(string(shown(notables[i])), "because of") || notables[i].Alike {
				t.Fatalf("round %d, %q: %d is not shown as failure %d of %v: %+v", round, failure, seq, i, at,
					notables[:min(3, len(notables))])
			}
		}
	}
}

// TestFailureOfRecord: an error in a record is shown before what is rare, with the text that says why.
func TestFailureOfRecord(t *testing.T) {
	var records []structure.Record
	for i := range 200 {
		value := fmt.Sprintf(`{"reason":"artifact","id":"pkg-%d"}`, i)
		if i == 120 {
			value = `{"reason":"message","id":"local#0.9","message":{"rendered":"error[E0425]: cannot find value rate in this scope\n  --> src/fx.rs:41:18\n","level":"error"}}`
		}
		records = append(records, structure.Record{Seq: i + 1, Value: []byte(value)})
	}
	notables, _ := watched(records).Notables()
	if len(notables) == 0 || notables[0].Seq != 121 || notables[0].Kind != "error in message.rendered" ||
		!strings.Contains(string(shown(notables[0])), "src/fx.rs:41:18") {
		t.Errorf("%+v", notables[:min(2, len(notables))])
	}
}

// TestEndOfLongFailure: of a failure in a long line, the beginning and the end are shown, in the room of one.
func TestEndOfLongFailure(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	for range 50 {
		middle := strings.Repeat(" \"é/"+nameOf(random.IntN(2000))+".o\"", 30+random.IntN(500))
		lines := strings.Repeat("compiling\n",
			15) + "error: linking failed:" + middle + " note: ld: cannot find -lpq: no such file\n"
		notables, _ := watched(linesOf(lines)).Notables()
		if len(notables) == 0 {
			t.Fatal("nothing stands out")
		}
		said := string(shown(notables[0]))
		if !strings.HasPrefix(said, "error: linking failed:") || !strings.HasSuffix(said,
			"ld: cannot find -lpq: no such file") || len(said) > outlier.MaxLineKept+2*len(jsonx.Ellipsis) ||
			!utf8.ValidString(said) {
			t.Errorf("%q", said)
		}
	}
}

// TestReasonAroundRecords: what says why something failed is shown before other values around the records.
func TestReasonAroundRecords(t *testing.T) {
	for name, want := range map[string]bool{"exception": true, "last_error": true, "request": false,
		"error_count": false} {
		s := watched([]structure.Record{{Seq: 1,
			Value: fmt.Appendf(nil, `{"%s":{"message":"limit reached for merchant 7731"}}`,
				name)}})
		for id := range s.places.Fields {
			if string(s.places.Paths.Path(id)) == name+".message" && s.places.IsReasonOfError(id) != want {
				t.Errorf("%s: %v", name, !want)
			}
		}
	}
}
