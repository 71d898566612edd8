package pipeline

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

// written is what a firewall writes of a response that comes in pieces of these sizes, with a pause before each.
func written(t *testing.T, fw *Firewall, data string, sizes []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := fw.Run(&testinput.Pieces{Data: []byte(data), Sizes: sizes}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// lax says which frame is less strict than the phases, the caller or the session allow; nothing if none is. A raw
// frame at the end is allowed to be: it makes the response whole.
func lax(out string, b fit.Budget, hasPhases bool) string {
	left := b.Tokens
	isWhole := !gjson.Get(lastLine(out), "handle").Exists()
	for line := range strings.Lines(out) {
		f := gjson.Parse(line)
		mode, err := budget.ParseMode(f.Get("mode").String())
		if err != nil {
			return err.Error()
		}
		ceiling := b.Allowed(left)
		if hasPhases && !(isWhole && mode == budget.Raw && !f.Get("is_final").Bool()) {
			ceiling = budget.Strictest(ceiling, budget.Phase(left, b.Tokens))
		}
		if mode < ceiling {
			return fmt.Sprintf("%d of %d left: %v is the least strict mode, not\n%s", left, b.Tokens, ceiling, line)
		}
		for key, least := range map[string]budget.Mode{"data": budget.Raw, "rows": budget.Table,
			"facts": budget.Summary, "notable": budget.Summary} {
			if f.Get(key).Exists() && least < ceiling {
				return fmt.Sprintf("%v allows no %s:\n%s", ceiling, key, line)
			}
		}
		left -= (len([]rune(line)) + 3) / 4
	}
	return ""
}

// TestCeilings: of every response, at every budget, no frame is less strict than its plan, the caller and the session
// allow, and what a frame of that mode may not show is not in it.
func TestCeilings(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(kindsOfResponses)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(5, 38))
			for range testdepth.Cases(6) {
				data := kindsOfResponses[kind](random, 1+random.IntN(400))
				for _, plan := range fit.Plans() {
					fw := new(memory).firewall(t, 0)
					fw.Plan, fw.Budget.Mode, fw.MaxChunk = plan, budget.Mode(random.IntN(4)), 1<<10
					fw.Budget.Tokens = fw.Least() + random.IntN(3000)
					if random.IntN(2) == 0 {
						fw.Budget.SessionTotal = fw.Budget.Tokens + random.IntN(9000)
						fw.Budget.SessionLeft = fw.Budget.Tokens +
							random.IntN(fw.Budget.SessionTotal-fw.Budget.Tokens+1)
					}
					out := written(t, fw, data, nil)
					if problem := lax(out, fw.Budget, plan == fit.Live); problem != "" {
						t.Fatalf("%s, %+v: %s", plan, fw.Budget, problem)
					}
					if fw.Budget.Mode == budget.HandleOnly && fw.Cost([]byte(out)) > 150 {
						t.Fatalf("handle_only costs %d tokens:\n%s", fw.Cost([]byte(out)), out)
					}
				}
			}
		})
	}
}

// TestSessionLeft: what a final frame says is left of the session is what is left once the frame is
// charged, whatever it costs itself. What is left is near a power of ten, where the number has a
// digit more or less.
func TestSessionLeft(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(kindsOfResponses)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			exact, err := budget.NewCounter("o200k_base")
			if err != nil {
				t.Fatal(err)
			}
			chars := new(memory).firewall(t, 0).Counter
			random := rand.New(rand.NewPCG(7, 38))
			for n := range testdepth.Cases(24) {
				m := new(memory)
				fw := m.firewall(t, 0)
				fw.Counter = []budget.Counter{chars, exact, budget.Scaled(exact, 1.3)}[n%3]
				fw.Plan, fw.Encoding = fit.Plans()[n/3%2], []encode.Encoding{encode.JSON{}, encode.Text{}}[n/6%2]
				fw.Budget.Tokens = fw.LeastPage() + random.IntN(600)
				data := kindsOfResponses[kind](random, 1+random.IntN(60))
				written := func(left int) *tally {
					m.spent = 0
					fw.Budget.SessionLeft, fw.Budget.SessionTotal = left, 2*left
					if n%2 == 0 {
						fw.Budget.SessionTotal = left
					}
					out := &tally{cost: fw.Cost}
					if n/12%2 == 0 {
						err = fw.Run(strings.NewReader(data), out)
					} else {
						redacted := redact.NewReader(strings.NewReader(data), fw.Rules, redact.Auto)
						fw.Handle, fw.Limit = named("h1"), 5
						err = fw.Page(split.Chunks(redacted, 0, false, false), redacted, out)
					}
					if err != nil {
						t.Fatal(err)
					}
					return out
				}
				written(100_000)
				for around := range 5 {
					for _, power := range []int{100, 1000, 10_000} {
						left := max(fw.Budget.Tokens, power+m.spent+around-2)
						out := written(left)
						said := sessionLeftIn(out.String())
						hasTotals := strings.Contains(out.String(), "totals") || strings.Contains(out.String(), "; any of it: ")
						if said != "" && said != strconv.Itoa(left-m.spent) || said == "" && hasTotals {
							t.Fatalf("said %s, left %d: %s", said, left-m.spent, out)
						}
						if out.spent != m.spent || out.spent > fw.Budget.Tokens {
							t.Fatalf("%d tokens written, %d charged, %d allowed", out.spent, m.spent, fw.Budget.Tokens)
						}
					}
				}
			}
		})
	}
}

// named is a handle that is there already.
type named string

func (named) Keep(_, _, _ []byte, _ uint8) error { return nil }
func (named) Tail([]byte) error                  { return nil }
func (n named) Name() (string, error)            { return string(n), nil }

// sessionLeftIn returns the number that a response says is left of the session, nothing if none.
func sessionLeftIn(out string) string {
	last := lastLine(out)
	if left := gjson.Get(last, "totals.session_left"); left.Exists() {
		return left.Raw
	}
	if _, left, ok := strings.Cut(last, ", session left "); ok {
		left, _, _ = strings.Cut(left, ",")
		return strings.TrimSpace(left)
	}
	for line := range strings.Lines(out) { // of a page, which may follow what was written at once
		if _, left, ok := strings.Cut(line, "; session left "); ok && strings.HasPrefix(line, "kfw: ") {
			left, _, _ = strings.Cut(left, ";")
			return strings.TrimSpace(left)
		}
	}
	return ""
}

// TestPlansIgnoreTime: the same response gives the same bytes, however slowly it comes. By plan live that holds as
// long as no chunk waits for FlushAfter; by plan digest always.
func TestPlansIgnoreTime(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(kindsOfResponses)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(6, 38))
			for _, n := range []int{3, 200} {
				data := kindsOfResponses[kind](random, n)
				sizes := []byte{byte(random.IntN(256)), byte(random.IntN(256)), byte(random.IntN(9))}
				if n == 3 {
					sizes = []byte{0} // each byte comes alone
				}
				for range testdepth.Cases(4) {
					for _, encoding := range []encode.Encoding{encode.JSON{}, encode.Text{}} {
						plan := fit.Plans()[random.IntN(2)]
						more, mode := random.IntN([]int{60, 2000}[random.IntN(2)]), budget.Mode(random.IntN(4))
						run := func(flushAfter time.Duration, sizes []byte) string {
							fw := new(memory).firewall(t, 0)
							fw.Plan, fw.Encoding, fw.FlushAfter, fw.Budget.Mode = plan, encoding, flushAfter, mode
							fw.Budget.Tokens = fw.Least() + more
							return written(t, fw, data, sizes)
						}
						slow := time.Hour
						if plan == fit.Digest {
							slow = time.Nanosecond // no chunk may wait at all, if time played a part
						}
						if atOnce, inPieces := run(time.Hour, nil), run(slow, sizes); atOnce != inPieces {
							t.Fatalf("%s, %v, %T, the least and %d tokens: at once\n%s\nin pieces\n%s", plan,
								mode, encoding, more, atOnce, inPieces)
						}
					}
				}
			}
		})
	}
}

// TestPhases: of a long response of small records, plan live writes all four modes, each while its share is left, and
// handle_only once.
func TestPhases(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 38))
	for range 15 {
		tokens := 900 + random.IntN(6000)
		var data strings.Builder
		for i := range 2 * tokens {
			fmt.Fprintf(&data, `{"id":%d,"state":"%c","note":"%s"}`+"\n", i, 'a'+random.IntN(3),
				strings.Repeat("n", random.IntN(60)))
		}
		fw := new(memory).firewall(t, tokens)
		fw.Plan = fit.Live
		out := written(t, fw, data.String(), nil)
		if problem := brokenPromise(out, []byte(data.String()), tokens); problem != "" {
			t.Fatalf("%d tokens: %s", tokens, problem)
		}
		if problem := lax(out, fw.Budget, true); problem != "" {
			t.Fatal(problem)
		}
		left, counts := tokens, map[string]int{}
		for line := range strings.Lines(out) {
			f, share := gjson.Parse(line), 100*float64(left)/float64(tokens)
			mode := f.Get("mode").String()
			left -= (len(line) + 3) / 4
			if f.Get("is_final").Bool() {
				continue
			}
			counts[mode]++
			if most := map[string]float64{"raw": 100, "table": 60, "summary": 30,
				"handle_only": 30}[mode]; share > most {
				t.Errorf("%d tokens: %s at %.1f %%", tokens, mode, share)
			}
		}
		if len(counts) != 4 || counts["handle_only"] != 1 {
			t.Errorf("%d tokens: %v", tokens, counts)
		}
	}
}

// TestTextAddsNothing: as text by plan digest, a response that fits is the redacted response byte for byte, at the
// smallest budget that it fits and at all others, in any pieces; if it does not fit, the text never costs more.
func TestTextAddsNothing(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(kindsOfResponses)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(8, 38))
			for range testdepth.Cases(5) {
				data := kindsOfResponses[kind](random, random.IntN(80))
				want := string(encode.Text{}.Append(nil,
					&encode.Frame{Final: true, Whole: true, Source: verbatimOf(data)}))
				need := new(memory).firewall(t, 0).Cost([]byte(want))
				for _, tokens := range []int{need, need + random.IntN(500), need * 3, max(0, need-1)} {
					m := new(memory)
					fw := m.firewall(t, 0)
					fw.Encoding, fw.MaxChunk = encode.Text{}, 1<<10
					fw.Budget.Tokens = max(fw.Least(), tokens)
					got := written(t, fw, data, []byte{byte(random.IntN(256)), byte(random.IntN(40))})
					if fits := need <= fw.Budget.Tokens; fits && (got != want || m.named > 0) {
						t.Fatalf("%d of %d tokens: %q, not %q", need, fw.Budget.Tokens, got, want)
					} else if !fits && fw.Cost([]byte(got)) > need {
						t.Fatalf("%d of %d tokens: the text costs %d", need, fw.Budget.Tokens, fw.Cost([]byte(got)))
					}
				}
			}
		})
	}
}

// verbatimOf is the response as a text shows it whole.
func verbatimOf(data string) []byte {
	valid, _ := split.ReplaceInvalid(nil, []byte(data))
	text, _ := encode.AppendVerbatim(nil, valid, true)
	return text
}

// TestTextSaysFailure: what a response ended with is one more line, after a whole answer too.
func TestTextSaysFailure(t *testing.T) {
	for failure, want := range map[Failure]string{
		{Code: encode.DriverFailed, Exit: 1}:               "one\ntwo\nkfw: exit status 1\n",
		{Code: encode.DriverFailed, Exit: 143}:             "one\ntwo\nkfw: exit status 143\n",
		{Code: encode.DriverFailed, Exit: 143, Signal: 15}: "one\ntwo\nkfw: ended by signal 15\n",
		{Code: "driver_timeout", Exit: 125,
			Message: "it took 2 s"}: "one\ntwo\nkfw: not whole: driver_timeout (exit 125): it took 2 s\n",
	} {
		for _, data := range []string{"one\ntwo\n", "one\ntwo"} {
			fw := new(memory).firewall(t, 400)
			fw.Encoding, fw.Explain = encode.Text{}, func(error) Failure { return failure }
			var out bytes.Buffer
			err := fw.Run(&testinput.Pieces{Data: []byte(data), Err: io.ErrUnexpectedEOF}, &out)
			if err == nil || out.String() != want {
				t.Errorf("%v, %q, not %q", err, out.String(), want)
			}
		}
	}
}
