package sessiontest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/session"
)

// shown stores a response as one that was shown, which cost 10 tokens, and returns its handle.
func shown(t *testing.T, f session.Session, result, call string) string {
	t.Helper()
	h := f.NewHandle("from "+call, "all")
	check(t, h.Keep(nil, []byte("the response "+result), nil, 0))
	check(t, h.CommitShown(session.Shown{Result: []byte(result), Call: []byte(call)}, 10, call))
	return must[string](t)(h.Name())
}

// testAgain: in any order of responses, references, resets and removals, Again finds the last equal
// response that was shown since the last reset and can be read, or else the last one of the same
// call, and the ledger has all that was spent.
func testAgain(t *testing.T, next func() Place) {
	type response struct {
		id, result, call string
		entry            int
	}
	for seed := range uint64(testdepth.Cases(10)) {
		r := rand.New(rand.NewPCG(seed, 3))
		f := open(next(), session.Settings{})
		var live []response
		used, entries := 0, 0
		for range 60 {
			result, call := fmt.Sprint("r", r.IntN(6)), fmt.Sprint("c", r.IntN(4))
			switch r.IntN(8) {
			case 0:
				if entries > 0 && r.IntN(4) == 0 {
					check(t, f.Reset())
					live, used = nil, 0
				}
			case 1:
				if len(live) > 0 {
					i := r.IntN(len(live))
					check(t, f.Remove(live[i].id))
					live = append(live[:i:i], live[i+1:]...)
				}
			case 2, 3, 4:
				entries++
				used += 10
				live = append(live, response{shown(t, f, result, call), result, call, entries})
			default:
				var equal, last *response
				for i := range live {
					if live[i].result == result {
						equal = &live[i]
					}
					if live[i].call == call {
						last = &live[i]
					}
				}
				tokens := r.IntN(8) - 2
				var asked *session.Earlier
				got, isReferred, err := f.Again(session.Shown{Result: []byte(result), Call: []byte(call)}, "again",
					func(e *session.Earlier) int {
						asked = e
						return tokens
					})
				check(t, err)
				if (asked != nil) != (equal != nil) || isReferred != (equal != nil && tokens >= 0) {
					t.Fatalf("seed %d: asked %v, referred %v, of %v", seed, asked, isReferred, equal)
				}
				want := last
				if equal != nil {
					got, want = asked, equal
				}
				if (got != nil) != (want != nil) {
					t.Fatalf("seed %d: got %v, want %v", seed, got, want)
				}
				if got != nil {
					var b strings.Builder
					if _, err := got.WriteTo(&b); err != nil {
						t.Fatal(err)
					}
					if got.Info().ID != want.id || b.String() != "the response "+want.result ||
						got.Info().From != "from "+want.call ||
						got.Ago != entries-want.entry+1 {
						t.Fatalf("seed %d: %+v, %d ago, %q, want %+v of %d entries", seed, got.Info(), got.Ago,
							b.String(), want, entries)
					}
				}
				if isReferred {
					entries++
					used += tokens
				}
			}
			if entries > 0 {
				if s := must[session.Status](t)(f.Status()); s.Used != used {
					t.Fatalf("seed %d: used %d, want %d", seed, s.Used, used)
				}
			}
		}
	}
}

// testAgainExpired: a response that has expired is not found, and one that was referred to lives
// on.
func testAgainExpired(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	shown(t, f, "r", "c")
	shown(t, f, "s", "d")
	back := func(by time.Duration) { p.Age(by) }
	refer := func(result string) bool {
		_, isReferred, err := f.Again(session.Shown{Result: []byte(result), Call: []byte("x")}, "again",
			func(*session.Earlier) int { return 1 })
		check(t, err)
		return isReferred
	}
	back(session.DefaultTTL - time.Minute)
	if !refer("r") {
		t.Error("not found before it has expired")
	}
	back(2 * time.Minute)
	if !refer("r") {
		t.Error("gone although it was referred to")
	}
	if refer("s") {
		t.Error("found after it has expired")
	}
}

// testAgainNoFile: without a file there is nothing earlier, and none is made.
func testAgainNoFile(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	last, isReferred, err := f.Again(session.Shown{Result: []byte("r"), Call: []byte("c")}, "again",
		func(*session.Earlier) int { return 0 })
	if last != nil || isReferred || err != nil {
		t.Error(last, isReferred, err)
	}
	if p.IsMade() {
		t.Error("a session was made")
	}
}

// testShownAtOnce: responses that are shown and referred to at once each have a handle of their
// own, and the ledger has each of them.
func testShownAtOnce(t *testing.T, next func() Place) {
	p := next()
	var all sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]bool{}
	used := 0
	for i := range 8 {
		f := open(p, session.Settings{})
		all.Go(func() {
			for j := range 5 {
				s := session.Shown{Result: fmt.Append(nil, j), Call: []byte("c")}
				_, isReferred, err := f.Again(s, "again", func(*session.Earlier) int { return 3 })
				if err != nil {
					t.Error(err)
				}
				cost, id := 3, ""
				if !isReferred {
					h := f.NewHandle("x", "all")
					if err := h.Keep(nil, fmt.Append(nil, "response ", j), nil, 0); err != nil {
						t.Error(err)
					}
					if err := h.CommitShown(s, 100+i, "x"); err != nil {
						t.Error(err)
					}
					cost = 100 + i
					if id, err = h.Name(); err != nil {
						t.Error(err)
					}
				}
				mu.Lock()
				used += cost
				if id != "" && ids[id] {
					t.Errorf("%s twice", id)
				}
				ids[id] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if s := must[session.Status](t)(open(p, session.Settings{}).Status()); s.Used != used {
		t.Errorf("used %d, want %d", s.Used, used)
	}
}

// testLines: in any order of responses, of readers that have got them, of resets and removals, the lines known are
// those that the reader got since the last reset by handles that can be read, each with the last of these. A response
// in part says to which question it was from then on.
func testLines(t *testing.T, next func() Place) {
	type response struct {
		id     string
		number int
		lines  []uint64
		asked  string
		given  bool
	}
	for seed := range uint64(testdepth.Cases(20)) {
		r := rand.New(rand.NewPCG(seed, 4))
		f := open(next(), session.Settings{})
		var live []response
		for number := 1; number < 40; number++ {
			id := shown(t, f, fmt.Sprint("r", number), "c")
			h := f.NewHandle("part", "all")
			check(t, h.Keep(nil, []byte("another response"), nil, 0))
			check(t, h.CommitShown(session.Shown{Result: fmt.Append(nil, "p", number), Call: []byte("d"), InPart: true}, 10,
				"c"))
			one := response{must[string](t)(h.Name()), number, nil, "", false}
			live = append(live, one)
			switch i := r.IntN(len(live)); r.IntN(5) {
			case 0:
				check(t, f.Remove(live[i].id))
				live = append(live[:i:i], live[i+1:]...)
			case 1:
				if r.IntN(5) == 0 {
					check(t, f.Reset())
					check(t, f.Give(session.Given{Handle: one.id, Of: []byte("of"), Lines: []uint64{9}, Asked: []byte("q")}))
					live = nil
				}
			default:
				g := session.Given{Handle: live[i].id, Of: []byte("of"), Asked: fmt.Append(nil, "q", number), As: []string{id}}
				for range r.IntN(20) {
					g.Lines = append(g.Lines, uint64(r.IntN(60))<<58|uint64(r.IntN(2)))
				}
				check(t, f.Give(g))
				live[i].lines, live[i].asked, live[i].given = g.Lines, string(g.Asked), true
			}
			want := map[uint64]string{}
			for _, one := range live {
				for _, line := range one.lines {
					want[line] = one.id
				}
			}
			if got := must[map[uint64]string](t)(f.ShownLines([]byte("of"))); !maps.Equal(got, want) {
				t.Fatalf("seed %d: %v, want %v", seed, got, want)
			}
			if got := must[map[uint64]string](t)(f.ShownLines([]byte("others"))); len(got) > 0 {
				t.Fatalf("seed %d: %v", seed, got)
			}
			for i, one := range live {
				if i%5 != number%5 {
					continue
				}
				asked := session.Shown{Result: fmt.Append(nil, "p", one.number)}
				_, _, err := f.Again(asked, "again", func(e *session.Earlier) int {
					if e.Info().ID != one.id || !e.InPart || string(e.Asked) != one.asked {
						t.Errorf("seed %d: %+v, want %+v", seed, e, one)
					}
					return -1
				})
				check(t, err)
			}
		}
	}
}

// testLinesExpired: the lines of a handle that has expired are not known, and not kept.
func testLinesExpired(t *testing.T, next func() Place) {
	p := next()
	f := open(p, session.Settings{})
	id := shown(t, f, "r", "c")
	check(t, f.Give(session.Given{Handle: id, Asked: []byte("q"), Of: []byte("of"), Lines: []uint64{1, 2}}))
	p.Age(2 * session.DefaultTTL)
	if got := must[map[uint64]string](t)(f.ShownLines([]byte("of"))); len(got) > 0 {
		t.Error(got)
	}
	if _, err := f.Handle(id); err == nil {
		t.Error("it can be read")
	}
}
