package fault

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNearest(t *testing.T) {
	keys := []string{"budget", "mode", "tokenizer", "max_chunk", "flush_after", "ttl", "drivers", "capabilities",
		"hooks"}
	for name, want := range map[string]string{"bugdet": "budget", "max-chunk": "max_chunk",
		"flushafter": "flush_after", "capability": "capabilities", "": "ttl"} {
		if got := Nearest(name, keys, 1); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := Nearest("x", []string{"b", "a"}, 3); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("of two: %q", got)
	}
}

// TestClosest: of a name with one letter left out, added, or two exchanged, the name is found; of
// another word none is.
func TestClosest(t *testing.T) {
	names := []string{"stream", "invoke", "expand", "redact", "count", "turn", "handles", "budget", "config",
		"trust", "init",
		"doctor", "hook", "mcp", "man", "version", "exit", "completion", "help"}
	for _, name := range names {
		if utf8.RuneCountInString(name) < 4 {
			continue
		}
		for i := range len(name) - 1 {
			for _, slip := range []string{
				name[:i] + name[i+1:],
				name[:i] + "x" + name[i:],
				name[:i] + name[i+1:i+2] + name[i:i+1] + name[i+2:],
			} {
				if got := closest(slip, names); got != name && !slices.Contains(names, slip) &&
					!strings.HasPrefix(got, slip) {
					t.Errorf("%s: %q, want %s", slip, got, name)
				}
			}
		}
	}
	for _, word := range []string{"", "xyzzy", "cat", "postgres", "-", strings.Repeat("x", 10_000)} {
		if got := closest(word, names); got != "" {
			t.Errorf("%.20q: %s", word, got)
		}
	}
	if got := closest("c", nil); got != "" {
		t.Errorf("of no names: %s", got)
	}
}
