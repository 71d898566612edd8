package terminal

import (
	"strings"
	"testing"
)

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
		got := Word(given)
		if strings.HasPrefix(want, "[REDACTED") {
			got, want = got[:min(len(got), 10)], want[:10]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}
