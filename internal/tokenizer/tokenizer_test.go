package tokenizer

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/budget"
)

func TestEncoding(t *testing.T) {
	for name, want := range map[string]string{
		"chars": "chars", "p50k_edit": "p50k_edit", "gpt-4o": "o200k_base", "gpt-4o-2024-08-06": "o200k_base",
		"gpt-4":       "cl100k_base",
		"gpt-4-turbo": "cl100k_base", "gpt-4.1-mini": "o200k_base", "gpt-5": "o200k_base",
		"gpt-5-mini": "o200k_base", "o3": "o200k_base",
		"o4-mini-high": "o200k_base", "ft:gpt-3.5-turbo:team::id": "cl100k_base", "text-davinci-003": "p50k_base",
		"gpt2":                   "r50k_base",
		"text-embedding-3-small": "cl100k_base", "gpt-50": "", "claude": "", "": "", "O200K_BASE": "",
	} {
		got, err := Encoding(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	_, err := NewCounter("no-such-tokenizer")
	if err == nil {
		t.Fatal("a name that is none was taken")
	}
	for _, name := range budget.Encodings() {
		if _, tallyErr := NewTally(name); tallyErr != nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v; the error of another: %v", name, tallyErr, err)
		}
	}
	if strings.Contains(err.Error(), "no-such-tokenizer") {
		t.Errorf("the error repeats the name: %v", err)
	}
}
