package summarize

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTimeJumps: a time far from all others, and a gap after which it goes on elsewhere, are told once, with the time before.
func TestTimeJumps(t *testing.T) {
	start := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for _, form := range []string{`{"at":"2006-01-02T15:04:05Z","n":%d}`, "2006-01-02 15:04:05 tick %d of the pump", "Jan _2 15:04:05 host tick %d of the pump"} {
		for _, test := range []struct {
			name string
			skip func(i int) time.Duration
		}{
			{"away", func(i int) time.Duration {
				if i == 150 {
					return 100 * time.Hour
				}
				return 0
			}},
			{"gap", func(i int) time.Duration {
				if i >= 150 {
					return 100 * time.Hour
				}
				return 0
			}},
		} {
			var b strings.Builder
			at := func(i int) string {
				return start.Add(time.Duration(i)*7*time.Second + test.skip(i)).Format(form)
			}
			for i := range 300 {
				fmt.Fprintf(&b, at(i)+"\n", i%5)
			}
			notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
			told := 0
			for _, n := range notables {
				if strings.Contains(n.Why, "jump") {
					told++
				}
			}
			if told != 1 || notables[0].Seq != 151 || !strings.Contains(notables[0].Why, "from") {
				t.Errorf("%s, %s: %d jumps, %v", form, test.name, told, notables)
			}
		}
	}
}
