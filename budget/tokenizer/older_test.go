package tokenizer

import (
	"strings"
	"testing"
)

func TestOlderCounter(t *testing.T) {
	for _, name := range []string{"p50k_base", "r50k_base"} {
		counter := newOlder(t, name)
		for _, text := range []string{"", "hello world\n", `{"seq":12,"status":"paid","total":129.9}` + "\n",
			"naïve 漢字 it's 12345678\n\n  x", strings.Repeat("words, and more; ", 900), "a\xffb"} {
			want := len(counter.encoding.EncodeOrdinary(strings.ToValidUTF8(text, "\uFFFD")))
			if got := counter.Count([]byte(text)); got != want {
				t.Errorf("%s: got %d of %d bytes, want %d", name, got, len(text), want)
			}
			if got := tallied(t, name, text); got != want {
				t.Errorf("%s: in parts got %d of %d bytes, want %d", name, got, len(text), want)
			}
		}
		// What cannot be merged in reasonable time is counted by its bytes; what stands beside it is exact.
		const before, after = `{"id":4711,"note":"`, `","status":"paid"}` + "\n"
		exact := len(counter.encoding.EncodeOrdinary(before)) + len(counter.encoding.EncodeOrdinary(after))
		for _, run := range []string{strings.Repeat("a", longestRun+1), strings.Repeat("a", 300_000),
			strings.Repeat(" ", 300_000), strings.Repeat("漢", 100_000)} {
			for _, got := range []int{counter.Count([]byte(before + run + after)), tallied(t, name, before+run+after)} {
				if got < len(run) || got > len(run)+exact+len(before)+len(after) {
					t.Errorf("%s: got %d for a run of %d bytes between %d tokens", name, got, len(run), exact)
				}
			}
		}
	}
}

func newOlder(t *testing.T, name string) *olderCounter {
	t.Helper()
	counter, err := NewCounter(name)
	if err != nil {
		t.Fatal(err)
	}
	return counter.(*olderCounter)
}

// tallied counts text in parts of three lengths in turn.
func tallied(t *testing.T, name, text string) int {
	t.Helper()
	tally, err := NewTally(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; len(text) > 0; i++ {
		n := min(len(text), []int{1, 700, 9000}[i%3])
		if _, err := tally.Write([]byte(text[:n])); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
	return tally.Tokens()
}

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
	for _, name := range Encodings() {
		if _, tallyErr := NewTally(name); tallyErr != nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v; the error of another: %v", name, tallyErr, err)
		}
	}
	if strings.Contains(err.Error(), "no-such-tokenizer") {
		t.Errorf("the error repeats the name: %v", err)
	}
}
