package redact

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// A scan in blocks finds in each line what one byte after another finds, once and in order, however long lines and texts
// are and however far it reads ahead.
func TestAnchorScanFindsEachOnce(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	a := rules.automaton
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"ghp_", "password", "https://hooks.airtable.com/workflows/v0/genericwebhook/", "pat", "ace", " ", "x", "words of prose, ", "\n"}
	type found struct {
		end int
		at  state
	}
	for size := range 400 {
		var text []byte
		for most := scanBlock - 100 + size*50; len(text) < most; {
			text = append(text, pieces[random.IntN(len(pieces)-1)]...)
			if random.IntN(1+size) == 0 {
				text = append(text, pieces[len(pieces)-1]...)
			}
		}
		s := &anchorScan{automaton: a}
		s.begin(text)
		for from := 0; from < len(text); {
			end := len(text)
			if n := bytes.IndexByte(text[from:], '\n'); n >= 0 {
				end = from + n
			}
			var want, got []found
			for at, st := from, state(0); at < end; {
				n, next := a.scan(st, text[at:end])
				if at, st = at+n, next; st >= a.hit {
					want = append(want, found{at, st})
				}
			}
			s.ahead = random.IntN(len(text) + 1)
			s.skip(from)
			for {
				at, st, ok := s.next(end)
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
