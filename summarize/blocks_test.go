package summarize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/summarize/structure"
)

func TestBlocks(t *testing.T) {
	for _, test := range []struct {
		name, input           string
		traces, frames        int
		hunks, added, removed int
		templates             int
	}{
		{
			name: "frames with parentheses, and a cause", traces: 1, frames: 3, templates: 3,
			input: "it failed: Broken\n\tat a.b.C.d(C.x:12)\n\tat a.b.C.e(C.x:7)\nCaused by: Other\n\t... 3 more\nnext line",
		},
		{
			name: "frames with a place", traces: 1, frames: 2, templates: 1,
			input: "Broken: it is\n    at run (/srv/a.js:3:4)\n    at /srv/b.js:9:1",
		},
		{
			name: "source under frames", traces: 1, frames: 4, templates: 2,
			input: "Traceback:\n  File \"/a.py\", line 3, in f\n    g(1)\n  File \"/a.py\", line 9, in g\n    1/0\nBroken: by zero",
		},
		{
			name: "up to an empty line", traces: 2, frames: 3, templates: 3,
			input: "goroutine 7 [running]:\nmain.f(0x1)\n\t/srv/a.go:12 +0x1d\n\ngoroutine 8 [select]:\nmain.g()\n\nexit 2",
		},
		{
			name: "up to a line that is no call", traces: 2, frames: 6, templates: 3,
			input: "goroutine 7 [running]:\nweb.(*conn[...]).serve.func1(0x1, {0x2, 0x3})\n\t/srv/a.go:12 +0x1d\npanic(...)\ncreated by web.(*Server).Serve in goroutine 1\n" +
				"...additional frames elided...\nserved (all of it)\ngoroutine 8 [select]:\nmain.g()\nserved 9",
		},
		{
			name: "one trace after another", traces: 2, frames: 2, templates: 1,
			input: "failed 1\n\tat a.b.C.d(C.x:12)\nfailed 2\n\tat a.b.C.d(C.x:12)",
		},
		{
			name: "hunks", hunks: 2, added: 2, removed: 1,
			input: "@@ -1,2 +1,2 @@ f\n same\n-old\n+new\n@@ -9 +9,2 @@\n last\n+more\n\\ No newline at end",
		},
		{
			name: "after a hunk", hunks: 1, added: 1, templates: 2,
			input: "@@ -3,0 +4 @@\n+new\n+not of it\n-nor this",
		},
		{name: "a list", input: "met\n  at noon (by the sea\n  at work\n  from here on", templates: 4},
		{name: "no hunk", input: "@@ -x +1 @@\n+a\n@@ -1,9999999999 +1 @@\n+a", templates: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := summaryOf(linesOf(test.input))
			facts := factsOf(t, s)
			b := s.text.Blocks
			if b.Traces != test.traces || b.Frames != test.frames {
				t.Errorf("%d frames of %d traces, want %d of %d", b.Frames, b.Traces, test.frames, test.traces)
			}
			if b.Hunks != test.hunks || b.Added != test.added || b.Removed != test.removed {
				t.Errorf("%d hunks, +%d -%d, want %d, +%d -%d", b.Hunks, b.Added, b.Removed, test.hunks, test.added,
					test.removed)
			}
			if len(facts.Templates) != test.templates {
				t.Errorf("templates %+v, want %d", facts.Templates, test.templates)
			}
		})
	}
}

// A trace that begins elsewhere stands out, as one record with the line before it; the many that are the same don't.
func TestRareTrace(t *testing.T) {
	s := NewWatchfulSummary()
	seq := 0
	add := func(text string) {
		for line := range strings.SplitSeq(text, "\n") {
			seq++
			s.Add(structure.Record{Seq: seq, Value: []byte(line), IsText: true})
		}
	}
	rare := 0
	for i := range 60 {
		frame := "\tat shop.Store.reserve(Store.x:40)"
		if i == 31 {
			frame, rare = "\tat shop.Store.refund(Store.x:91)", seq+1
		}
		add(fmt.Sprintf("order %d failed: no stock\n%s\n\tat shop.web.Handler%d.call(Handler.x:%d)\norder %d paid",
			i, frame, i%5, i, i))
	}
	notables, _ := s.Notables()
	if len(notables) == 0 {
		t.Fatal("nothing stands out")
	}
	const want = "order 31 failed: no stock\nat shop.Store.refund(Store.x:91)"
	if n := notables[0]; n.Seq != rare || string(shown(n)) != want || n.Why != "rare trace" {
		t.Errorf("first is %d, %s: %q; want %d, %q", n.Seq, n.Why, shown(n), rare, want)
	}
	for _, n := range notables[1:] {
		if n.Seq == rare || n.Seq == rare+1 {
			t.Errorf("told twice: %+v", n)
		}
	}
}

// What is indented under a line that names an error is told with it, the first two lines, and not again.
func TestFailureIsToldWithItsLines(t *testing.T) {
	s := NewWatchfulSummary()
	seq := 0
	add := func(text string) {
		for line := range strings.SplitSeq(text, "\n") {
			seq++
			s.Add(structure.Record{Seq: seq, Value: []byte(line), IsText: true})
		}
	}
	for i := range 60 {
		if i == 40 {
			add("--- FAIL: CaseForty (0.01s)\n    case_test.go:88: got 17 rows, want 18\n        first difference at row 9\n        of two")
		}
		add(fmt.Sprintf("--- PASS: Case%d (0.01s)\n    took %d steps", i, i))
	}
	notables, _ := s.Notables()
	told := map[int]string{}
	for _, n := range notables {
		told[n.Seq] = string(shown(n))
	}
	const want = "--- FAIL: CaseForty (0.01s)\ncase_test.go:88: got 17 rows, want 18\nfirst difference at row 9"
	if told[81] != want {
		t.Errorf("told is %q", told[81])
	}
	if told[82] != "" || told[83] != "" {
		t.Errorf("told twice: %v", told)
	}
}

// TestObjectsInHunks: what a hunk has of JSON are lines of it, and what follows is a record again.
func TestObjectsInHunks(t *testing.T) {
	s := NewWatchfulSummary()
	for i, line := range []string{"--- a/x b/x", "@@ -1,4 +1,5 @@", ` {"a":1}`, `-{"b":2}`, `+{"b":3}`, `+{"c":3}`,
		`{"d":4}`, " ", `{"e":5}`} {
		s.Add(structure.Record{Seq: i + 1, Value: []byte(line), IsText: strings.TrimLeft(line, " {") == line ||
			line == " "})
	}
	var facts struct {
		Records, Lines, Hunks, Added, Removed int
		HunkLines                             int `json:"hunk_lines"`
		Fields                                map[string]any
	}
	decode(t, s.Facts(anyLength).JSON(), &facts)
	if facts.Records != 1 || facts.Lines != 8 || facts.Hunks != 1 || facts.HunkLines != 6 || facts.Added != 2 ||
		facts.Removed != 1 || len(facts.Fields) != 1 {
		t.Errorf("%+v", facts)
	}
}

// TestCausesAreCounted: what a trace says to be its cause is counted by name.
func TestCausesAreCounted(t *testing.T) {
	text := ""
	for i := range 300 {
		text += fmt.Sprintf("request %d served\n", i)
		if i%100 == 50 {
			text += "handler broke: Error 7\n\tat a.b.C.d(C.x:12)\nCaused by: IOException: refused\n\t... 3 more\n"
		}
	}
	if cause := factsOf(t, watched(linesOf(text))).Keys["Caused by"]; cause.In != 3 ||
		cause.Const != "IOException: refused" {
		t.Errorf("%+v", cause)
	}
}
