package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCutSample(t *testing.T) {
	for _, test := range []struct{ line, pairs string }{
		{`up{job="a",instance="b:9"} 1`, `metric=up up=1# job="a" instance="b:9"`},
		{`up{} 1.5e+09 1395066363000`, `metric=up up=1.5e+09# timestamp=1395066363000#`},
		{`a:b_c{ x = "1" } 1`, ``},
		{`a:b_c{ x="1" , y="2", }   -1  `, `metric=a:b_c a:b_c=-1# x="1" y="2"`},
		{`x{path="C:\\DIR\"\n"} NaN`, `metric=x x=NaN path="C:\\DIR\"\n"`},
		{`x{le="+Inf"} 17 # {trace_id="KOO5S4vxi0o"} 0.67`, `metric=x x=17# le="+Inf"`},
		{`x{le="1"} 17 1.5 # {trace_id="KOO5S4vxi0o"} 0.67`, `metric=x x=17# le="1" timestamp=1.5#`},
		{`x 17`, `metric=x x=17#`},
		{`x +Inf`, `metric=x x=+Inf`},
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
		{``, ``},
	} {
		line := []byte(test.line)
		pairs, ok := cutSample(nil, line, true)
		var got []string
		for _, p := range pairs {
			mark := ""
			if p.isNumber {
				mark = "#"
			}
			got = append(got, fmt.Sprintf("%s=%s%s", p.name, p.value.of(line), mark))
		}
		if ok != (test.pairs != "") || ok && strings.Join(got, " ") != test.pairs {
			t.Errorf("%s: %s, %t", test.line, got, ok)
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
			if facts.Fields[metric].In != n {
				t.Errorf("%d samples of %s, not %d", facts.Fields[metric].In, metric, n)
			}
		}
		for zone, n := range zones {
			if got := facts.Fields["zone"].Values[zone]; got != n && len(zones) > 1 {
				t.Errorf("%s came %d times, not %d", zone, got, n)
			}
		}
		if facts.Rows != total || facts.Lines != len(lines) || len(facts.Templates) > 0 || facts.Fields["metric"].Distinct != len(samples) {
			t.Errorf("%+v of %d samples in %d lines", facts, total, len(lines))
		}
	}
}

// TestNumbersAmongOthers: a word and a number are no sample where no metric is described.
func TestNumbersAmongOthers(t *testing.T) {
	var facts struct{ Rows int }
	decode(t, summaryOf(linesOf("alpha 1\n# TYPE\n# TYPE 9 counter\n# HELP x\nbeta 2")).Facts(anyLength), &facts)
	if facts.Rows != 0 {
		t.Errorf("%d rows", facts.Rows)
	}
}
