package cmd

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestClosest: of a name with one letter left out, added, or two exchanged, the name is found; of
// another word none is.
func TestClosest(t *testing.T) {
	var names []string
	for _, c := range root(streams{}).Commands() {
		names = append(names, c.Name())
	}
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

// TestWord: what a message shows of a word has no control character, nothing that a rule matches,
// and an end.
func TestWord(t *testing.T) {
	for given, want := range map[string]string{
		"strem":                              "strem",
		"":                                   `""`,
		"a\x1b[31m\nb":                       "a\ufffd[31m b",
		strings.Repeat("é", 61):              strings.Repeat("é", 60) + "...",
		"AKIAQYLPMN5HFIQR7XYA":               "[REDACTED:aws_access_key]",
		strings.Repeat("a ", 30) + "x@y.org": strings.Repeat("a ", 30) + "...",
	} {
		got := word(given)
		if strings.HasPrefix(want, "[REDACTED") {
			got, want = got[:min(len(got), 10)], want[:10]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}
