package formats

import (
	"fmt"
	"strings"
	"testing"
)

func TestCutSample(t *testing.T) {
	inSamples := func(dst []Pair, line []byte) ([]Pair, bool) { return CutSample(dst, line, true) }
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
	if _, ok := CutSample(nil, []byte("x 17"), false); ok {
		t.Error("a word and a number are a sample where there is no other")
	}
	many := "x{" + strings.Repeat(`a="1",`, maxPairs) + "} 1"
	if _, ok := CutSample(nil, []byte(many), true); ok {
		t.Error("more labels than there is room for")
	}
}

func TestCutBenchmark(t *testing.T) {
	for _, test := range []struct{ line, pairs string }{
		{"BenchmarkDecode/text-8   \t     100\t  19369 ns/op\t  46.17 MB/s\t  24 allocs/op",
			"benchmark=BenchmarkDecode/text-8|iterations=100#|ns/op=19369#|MB/s=46.17#|allocs/op=24#"},
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
		if got := pairsIn(CutBenchmark, test.line); got != test.pairs {
			t.Errorf("%s: %s", test.line, got)
		}
	}
}

// pairsIn are those that a line is cut into, a number with a mark; none if it is not cut.
func pairsIn(cut func(dst []Pair, line []byte) ([]Pair, bool), line string) string {
	pairs, ok := cut(nil, []byte(line))
	if !ok {
		return ""
	}
	var all []string
	for _, p := range pairs {
		mark := ""
		if p.As == AsNumber {
			mark = "#"
		}
		all = append(all, fmt.Sprintf("%s=%s%s", p.Name, p.Value.Of([]byte(line)), mark))
	}
	return strings.Join(all, "|")
}
