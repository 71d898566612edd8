package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSamplesAgreeWithCounting: of each metric, and of each label, what is shown is what counting gives.
func TestSamplesAgreeWithCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2))
	for range 20 {
		var lines []string
		samples, zones := map[string]int{}, map[string]int{}
		for i := range 5 + random.IntN(20) {
			metric := fmt.Sprintf("app_metric%d_total", i)
			lines = append(lines, "# HELP "+metric+" The number of some kind of thing.", "# TYPE "+metric+" counter")
			for range 1 + random.IntN(9) {
				samples[metric]++
				zone := fmt.Sprintf("zone %q", rune('a'+random.IntN(3)))
				zones[zone]++
				lines = append(lines, fmt.Sprintf("%s{zone=%q} %v", metric, zone, random.IntN(9)))
			}
		}
		lines = append(lines, "# EOF")
		var facts struct {
			Rows, Lines int
			Templates   []any
			Fields      map[string]struct {
				In       int
				Distinct int
				Values   map[string]int
			}
		}
		decode(t, summaryOf(linesOf(strings.Join(lines, "\n"))).Facts(anyLength).JSON(), &facts)
		total := 0
		for metric, n := range samples {
			total += n
			of, shown := facts.Fields[metric], 0
			for _, came := range of.Values {
				shown += came
			}
			if of.In != n && (of.In != 0 || shown != n) { // all may be the same
				t.Errorf("%d samples of %s, %d of them alike, not %d", of.In, metric, shown, n)
			}
		}
		for zone, n := range zones {
			if got := facts.Fields["zone"].Values[zone]; got != n && len(zones) > 1 {
				t.Errorf("%s came %d times, not %d", zone, got, n)
			}
		}
		if facts.Rows != total || facts.Lines != len(lines) || len(facts.Templates) > 1 ||
			facts.Fields["metric"].Distinct != len(samples) {
			t.Errorf("%+v of %d samples in %d lines", facts, total, len(lines))
		}
	}
}

// TestNumbersAmongOthers: a word and a number are a sample only after the type of a metric, up to the end of metrics.
func TestNumbersAmongOthers(t *testing.T) {
	for text, rows := range map[string]int{
		"alpha 1\n# TYPE\n# TYPE 9 counter\n# HELP x\nbeta 2":                    0,
		"# TYPE checks are done here\nalpha 1\n# HELP wanted here\nbeta 2":       0,
		"# EOF\nalpha 1\nbeta 2":                                                 0,
		"# TYPE x gauge\nalpha 1\n# HELP x y\n# TYPE x wrong\nbeta 2":            2,
		"# TYPE x gauge\nalpha 1\n# EOF\nbeta 2\ngamma 3":                        1,
		"# TYPE x gauge\nx 1\nx 2\nx 3\nx 4\nx 5":                                5,
		strings.Repeat("up 6\nup 2\n", 40) + "# TYPE up gauge\nup 1\nup 2\nup 3": 3,
	} {
		for kind, s := range map[string]*Summary{"": summaryOf(linesOf(text)), "watchful": watched(linesOf(text))} {
			var facts struct {
				Rows   int
				Fields map[string]any
			}
			if decode(t, s.Facts(anyLength).JSON(), &facts); facts.Rows != rows || rows > 0 && facts.Fields["metric"] == nil {
				t.Errorf("%s %.60q: %d rows, not %d", kind, text, facts.Rows, rows)
			}
		}
	}
}
