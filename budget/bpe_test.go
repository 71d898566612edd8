package budget

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// bpeCounters unpacks both vocabularies once for a whole test.
func bpeCounters(t testing.TB) map[string]*bpeCounter {
	t.Helper()
	counters := map[string]*bpeCounter{}
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		counters[name] = newCounter(t, name).(*bpeCounter)
	}
	return counters
}

func TestBPECounter(t *testing.T) {
	counters := bpeCounters(t)
	for _, test := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"", 0, 0},
		{"\n", 1, 1},
		{"hello world\n", 3, 3},
		{"\n \n", 1, 1},
		{"<|endoftext|>", 7, 7}, // as text, not as the special token
		{"�", 1, 1},
		{"\xff", 1, 1},
		{"\xe2\x82", 1, 1}, // one maximal subpart
		{"12345678", 3, 3},
	} {
		if got := counters["o200k_base"].Count([]byte(test.text)); got != test.o200k {
			t.Errorf("o200k_base of %q: got %d, want %d", test.text, got, test.o200k)
		}
		if got := counters["cl100k_base"].Count([]byte(test.text)); got != test.cl100k {
			t.Errorf("cl100k_base of %q: got %d, want %d", test.text, got, test.cl100k)
		}
	}
}

// What cannot be merged in reasonable time, or not with certainty, is counted by its bytes; what stands beside it is exact.
func TestBPECounterUpperBound(t *testing.T) {
	const before, after = `{"id":4711,"note":"`, `","status":"paid"}` + "\n"
	for name, counter := range bpeCounters(t) {
		exact := len(counter.encoding.EncodeOrdinary(before)) + len(counter.encoding.EncodeOrdinary(after))
		for _, run := range []string{
			strings.Repeat("a", longestRun+1),
			strings.Repeat("a", 1_000_000),
			strings.Repeat(" ", 1_000_000),
			strings.Repeat("=", 1_000_000),
			strings.Repeat("漢", 300_000),
			strings.Repeat("\u0301", 300_000),
			strings.Repeat("!\u0301", 300_000),
		} {
			got := counter.Count([]byte(before + run + after))
			if got < len(run) || got > len(run)+exact+len(before)+len(after) {
				t.Errorf("%s: got %d for a run of %d bytes between %d tokens", name, got, len(run), exact)
			}
		}
		if got, want := counter.Count([]byte("\u1c89")), len("\u1c89"); got != want {
			t.Errorf("%s: got %d for a letter newer than the tables, want its %d bytes", name, got, want)
		}
	}
}

// FuzzBPECounter holds the counters to the encoder over the whole text: never less, and the same wherever they claim to be.
func FuzzBPECounter(f *testing.F) {
	for _, seed := range []string{
		"", "\n", sampleLine, "it's I'LL we'd 'tis x's\n", "a  b\t\tc \n\n  d", "ab12cd 345678,9\r\n\r\n/", "naïve 漢字 ..., e\u0301!\u0301a",
		"a\xff\xe2\x82b", "ſ 'ſ it'ſ", "\u1c89\u0378", "CamelCaseWords/and/paths.go:12", strings.Repeat("word ", 1200), strings.Repeat("x", longestRun+7),
	} {
		f.Add(seed)
	}
	counters := bpeCounters(f)
	f.Fuzz(func(t *testing.T, text string) {
		valid := string(replaceInvalid([]byte(text)))
		if len(valid) > 3*longestRun {
			return // the reference takes the square of it
		}
		for name, counter := range counters {
			got, want := counter.Count([]byte(text)), len(counter.encoding.EncodeOrdinary(valid))
			if got < want || got > len(valid) {
				t.Errorf("%s: got %d, the encoder %d, bytes %d", name, got, want, len(valid))
			}
			if got != want && everyWordExact(valid) {
				t.Errorf("%s: got %d, want %d", name, got, want)
			}
		}
	})
}

func everyWordExact(text string) bool {
	for rest := []byte(text); len(rest) > 0; {
		size, exact := nextWord(rest)
		if !exact {
			return false
		}
		rest = rest[size:]
	}
	return utf8.ValidString(text)
}
