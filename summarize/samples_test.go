package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCutSample(t *testing.T) {
	inSamples := func(dst []pair, line []byte) ([]pair, bool) { return cutSample(dst, line, true) }
	for _, test := range []struct{ line, pairs string }{
		{`up{job="a",instance="b:9"} 1`, `metric=up|up=1#|job="a"|instance="b:9"`},
		{`up{} 1.5e+09 1395066363000`, `metric=up|up=1.5e+09#|timestamp=1395066363000#`},
		{`a:b_c{ x = "1" } 1`, ``},
		{`a:b_c{ x="1" , y="2", }   -1  `, `metric=a:b_c|a:b_c=-1#|x="1"|y="2"`},
		{`x{path="C:\\DIR\"\n"} NaN`, `metric=x|x=NaN|path="C:\\DIR\"\n"`},
		{`x{le="+Inf"} 17 # {trace_id="KOO5S4vxi0o"} 0.67`, `metric=x|x=17#|le="+Inf"`},
		{`x{le="1"} 17 1.5 # {trace_id="KOO5S4vxi0o"} 0.67`, `metric=x|x=17#|le="1"|timestamp=1.5#`},
		{`x 17`, `metric=x|x=17#`},
		{`x +Inf`, `metric=x|x=+Inf`},
		{`x 17 18 19`, ``},
		{`x`, ``},
		{`x `, ``},
		{`x y`, ``},
		{`x 0x1F`, ``},
		{`x 1e`, ``},
		{`x 1e+`, ``},
		{`x{a="1"}`, ``},
		{`x{a="1"`, ``},
		{`x{a="1`, ``},
		{`x{a=}`, ``},
		{`x{a="1" b="2"} 1`, ``},
		{`x{a=1} 1`, ``},
		{`1x{a="1"} 1`, ``},
		{`{a="1"} 1`, ``},
		{`x{x="1"} 1`, ``},
		{`x{metric="1"} 1`, ``},
		{`x{timestamp="1"} 1`, ``},
		{`x{a="1"} -Inf`, `metric=x|x=-Inf|a="1"`},
		{``, ``},
	} {
		if got := pairsIn(inSamples, test.line); got != test.pairs {
			t.Errorf("%s: %s", test.line, got)
		}
	}
	if _, ok := cutSample(nil, []byte("x 17"), false); ok {
		t.Error("a word and a number are a sample where there is no other")
	}
	many := "x{" + strings.Repeat(`a="1",`, maxPairs) + "} 1"
	if _, ok := cutSample(nil, []byte(many), true); ok {
		t.Error("more labels than there is room for")
	}
}

func TestCutBenchmark(t *testing.T) {
	for _, test := range []struct{ line, pairs string }{
		{"BenchmarkDecode/text-8   \t     100\t  19369 ns/op\t  46.17 MB/s\t  24 allocs/op", "benchmark=BenchmarkDecode/text-8|iterations=100#|ns/op=19369#|MB/s=46.17#|allocs/op=24#"},
		{"Benchmark_x 1 NaN x/op", "benchmark=Benchmark_x|iterations=1#|x/op=NaN"},
		{"Benchmark 20 1.5e+06 ns/op \r", "benchmark=Benchmark|iterations=20#|ns/op=1.5e+06#"},
		{line: "BenchmarkDecode 100"},
		{line: "BenchmarkDecode 100 19369"},
		{line: "BenchmarkDecode 100 19369 ns/op 7"},
		{line: "BenchmarkDecode 100 many ns/op"},
		{line: "BenchmarkDecode --- FAIL"},
		{line: "BenchmarkDecode"},
		{line: "BenchmarkDecode 007 19369 ns/op"},
		{line: `BenchmarkDecode 100 19369 "ns/op"`},
		{line: "Benchmarking 100 19369 ns/op"},
		{line: "Bench 100 19369 ns/op"},
		{line: "Benchmark 1" + strings.Repeat(" 1 x", maxPairs)},
	} {
		if got := pairsIn(cutBenchmark, test.line); got != test.pairs {
			t.Errorf("%s: %s", test.line, got)
		}
	}
}

// pairsIn are those that a line is cut into, a number with a mark; none if it is not cut.
func pairsIn(cut func(dst []pair, line []byte) ([]pair, bool), line string) string {
	pairs, ok := cut(nil, []byte(line))
	if !ok {
		return ""
	}
	var all []string
	for _, p := range pairs {
		mark := ""
		if p.as == asNumber {
			mark = "#"
		}
		all = append(all, fmt.Sprintf("%s=%s%s", p.name, p.value.Of([]byte(line)), mark))
	}
	return strings.Join(all, "|")
}

// TestSamplesAgreeWithCounting: of each metric, and of each label, what is told is what counting gives.
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
		decode(t, summaryOf(linesOf(strings.Join(lines, "\n"))).Facts(anyLength), &facts)
		total := 0
		for metric, n := range samples {
			total += n
			of, told := facts.Fields[metric], 0
			for _, came := range of.Values {
				told += came
			}
			if of.In != n && (of.In != 0 || told != n) { // all may be the same
				t.Errorf("%d samples of %s, %d of them alike, not %d", of.In, metric, told, n)
			}
		}
		for zone, n := range zones {
			if got := facts.Fields["zone"].Values[zone]; got != n && len(zones) > 1 {
				t.Errorf("%s came %d times, not %d", zone, got, n)
			}
		}
		if facts.Rows != total || facts.Lines != len(lines) || len(facts.Templates) > 1 || facts.Fields["metric"].Distinct != len(samples) {
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
			if decode(t, s.Facts(anyLength), &facts); facts.Rows != rows || rows > 0 && facts.Fields["metric"] == nil {
				t.Errorf("%s %.60q: %d rows, not %d", kind, text, facts.Rows, rows)
			}
		}
	}
}
