package redact

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kfw-dev/kfw/redact/internal/prefilter"
)

// A scan in blocks finds in each line what one byte after another finds, once and in order, however long lines and
// texts are and however far it reads ahead.
func TestAnchorScanFindsEachOnce(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	a := rules.set.Automaton
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"ghp_", "password", "https://hooks.airtable.com/workflows/v0/genericwebhook/", "pat", "ace",
		" ", "x", "words of prose, ", "\n"}
	type found struct {
		end int
		at  prefilter.State
	}
	for size := range 400 {
		var text []byte
		for most := prefilter.ScanBlock - 100 + size*50; len(text) < most; {
			text = append(text, pieces[random.IntN(len(pieces)-1)]...)
			if random.IntN(1+size) == 0 {
				text = append(text, pieces[len(pieces)-1]...)
			}
		}
		s := &prefilter.AnchorScan{Automaton: a}
		s.Begin(text)
		for from := 0; from < len(text); {
			end := len(text)
			if n := bytes.IndexByte(text[from:], '\n'); n >= 0 {
				end = from + n
			}
			var want, got []found
			for at, st := from, prefilter.State(0); at < end; {
				n, next := a.Scan(st, text[at:end])
				if at, st = at+n, next; st >= a.Hit {
					want = append(want, found{at, st})
				}
			}
			s.Ahead = random.IntN(len(text) + 1)
			s.Skip(from)
			for {
				at, st, ok := s.Next(end)
				if !ok {
					break
				}
				got = append(got, found{at, st})
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d bytes, line from %d to %d: found %d, want %d", len(text), from, end, len(got), len(want))
			}
			from = end + 1
		}
	}
}
