package fit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/summarize"
)

// Summed up worker the reading or at once, whatever the sizes: the summary is the same, and lent bytes are not kept.
func TestWorkerIsInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 20 {
		atOnce, later := summarize.NewWholeSummary(), summarize.NewWholeSummary()
		b := newWorker(later)
		for i := range random.IntN(3000) {
			note := bytes.Repeat([]byte{'x'}, random.IntN(40))
			if random.IntN(400) == 0 {
				note = bytes.Repeat([]byte{'y'}, random.IntN(2*batchBytes))
			}
			value := fmt.Appendf(nil, `{"n":%d,"state":"%c","note":"%s"}`, i*random.IntN(9), 'a'+rune(i/500), note)
			var path []byte
			if i%2 == 0 {
				path = fmt.Appendf(nil, "items.%d", i)
			}
			atOnce.Add(structure.Record{Seq: i + 1, Path: path, Value: value})
			b.add(structure.Record{Seq: i + 1, Path: path, Value: value})
			clear(value)
			clear(path)
			if random.IntN(1000) == 0 {
				b.wait()
			}
		}
		b.wait()
		b.end()
		if got, want := tellsOf(later), tellsOf(atOnce); got != want {
			t.Fatalf("%s\nat once:\n%s", got, want)
		}
	}
}

func tellsOf(s *summarize.Summary) string {
	return string(s.Facts(func(shown *facts.Tree) bool { return shown.Len() < 4000 }).JSON())
}
