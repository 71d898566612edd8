package summarize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestWithoutEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[90m184220 ms\x1b[0m":                                "184220 ms",
		"\x1b[1;32m✓\x1b[39;49m ok\x1b[K":                         "✓ ok",
		"\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\ end": "link end",
		"\x1b]0;title\adone":                                      "done",
		"\x1b(B\x1b[mplain":                                       "plain",
		"no escapes":                                              "no escapes",
		"\x1b":                                                    "\x1b",
		"\x1b[12":                                                 "\x1b[12",
		"\x1b]a\x1bPb\x1b[31mc\x1b]d":                             "\x1b]a\x1bPbc\x1b]d",
		"\x1b]8;;unended":                                         "\x1b]8;;unended",
		"\x1b\x1b[31mred":                                         "\x1bred",
	} {
		if got := string(appendWithoutEscapes(nil, []byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestColoursTellNothing: lines in colours are summed up as those without.
func TestColoursTellNothing(t *testing.T) {
	plain, coloured := NewWatchfulSummary(), NewWatchfulSummary()
	for i := range 900 {
		took := 20 + i*37%90
		if i == 613 {
			took = 184_220
		}
		plain.Add(Record{Seq: i + 1, IsText: true, Value: fmt.Appendf(nil, "2026-03-01 10:00:%02d INFO test %d took %d ms", i%60, i, took)})
		coloured.Add(Record{Seq: i + 1, IsText: true, Value: fmt.Appendf(nil, "\x1b[2m2026-03-01 10:00:%02d\x1b[0m \x1b[32mINFO\x1b[0m test %d took \x1b[90m%d ms\x1b[39m", i%60, i, took)})
	}
	want, got := plain.Facts(anyLength), coloured.Facts(anyLength)
	if string(want) != string(got) || !gjson.GetBytes(got, "from").Exists() {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if notables, _ := coloured.Notables(); len(notables) == 0 || notables[0].Seq != 614 {
		t.Errorf("%v", notables)
	}
}

// TestEndlessStrings: what never ends is looked for once in a line, whatever comes between: this is done at once, or not in an hour.
func TestEndlessStrings(t *testing.T) {
	line := []byte(strings.Repeat("\x1b]\x1b[0m", 1<<20))
	if got, want := len(appendWithoutEscapes(nil, line)), len("\x1b]")<<20; got != want {
		t.Errorf("%d bytes are left, want %d", got, want)
	}
}
