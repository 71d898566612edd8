package summarize

import (
	"fmt"
	"testing"
)

func TestBlocks(t *testing.T) {
	for _, test := range []struct {
		name, input    string
		traces, frames int
		templates      int
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
			name: "calls with a number, and their places", traces: 2, frames: 6, templates: 2,
			input: "stack backtrace:\n   0: core::panic\n             at /rustc/core.rs:3:5\n   1: beds::dig\n  10: main\n             at ./src/main.rs:9\n" +
				"note: Some details are left out\nstack backtrace:\n   0: beds::dig",
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
		{name: "a list", input: "met\n  at noon (by the sea\n  at work\n  from here on", templates: 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := summaryOf(linesOf(test.input))
			facts := factsOf(t, s)
			b := s.text.Blocks
			if b.Traces != test.traces || b.Frames != test.frames {
				t.Errorf("%d frames of %d traces, want %d of %d", b.Frames, b.Traces, test.frames, test.traces)
			}
			if len(facts.Templates) != test.templates {
				t.Errorf("templates %+v, want %d", facts.Templates, test.templates)
			}
		})
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
