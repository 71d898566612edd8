package mask

import (
	"strings"
	"testing"
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
		if got := string(AppendWithoutEscapes(nil, []byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestEndlessStrings: what never ends is looked for once in a line, whatever comes between: this is done at once, or
// not in an hour.
func TestEndlessStrings(t *testing.T) {
	line := []byte(strings.Repeat("\x1b]\x1b[0m", 1<<20))
	if got, want := len(AppendWithoutEscapes(nil, line)), len("\x1b]")<<20; got != want {
		t.Errorf("%d bytes are left, want %d", got, want)
	}
}
