package budget

import (
	"strings"
	"testing"
)

func TestReferenceCounter(t *testing.T) {
	for _, name := range []string{"p50k_base", "r50k_base"} {
		counter := newCounter(t, name).(*referenceCounter)
		for _, text := range []string{"", "hello world\n", sampleLine, "naïve 漢字 it's 12345678\n\n  x", strings.Repeat("words, and more; ", 900), "a\xff\xe2\x82b"} {
			want := len(counter.encoding.EncodeOrdinary(string(replaceInvalid([]byte(text)))))
			if got := counter.Count([]byte(text)); got != want {
				t.Errorf("%s: got %d of %d bytes, want %d", name, got, len(text), want)
			}
			if got := tallied(t, name, []byte(text), 1); got != want {
				t.Errorf("%s: in parts got %d of %d bytes, want %d", name, got, len(text), want)
			}
		}
		// What cannot be merged in reasonable time is counted by its bytes; what stands beside it is exact.
		const before, after = `{"id":4711,"note":"`, `","status":"paid"}` + "\n"
		exact := len(counter.encoding.EncodeOrdinary(before)) + len(counter.encoding.EncodeOrdinary(after))
		for _, run := range []string{strings.Repeat("a", longestRun+1), strings.Repeat("a", 300_000), strings.Repeat(" ", 300_000), strings.Repeat("漢", 100_000)} {
			for _, got := range []int{counter.Count([]byte(before + run + after)), tallied(t, name, []byte(before+run+after), 2)} {
				if got < len(run) || got > len(run)+exact+len(before)+len(after) {
					t.Errorf("%s: got %d for a run of %d bytes between %d tokens", name, got, len(run), exact)
				}
			}
		}
	}
}
