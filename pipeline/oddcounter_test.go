package pipeline

import (
	"bytes"
	"errors"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

// oddCounter counts as a program might: by no rule that is known.
type oddCounter func(line []byte) int

func (c oddCounter) Count(line []byte) int { return c(line) }

func (oddCounter) Bounds(bytes int) (least, most int) {
	if bytes == 0 {
		return 0, 0
	}
	return 0, budget.Unbounded
}

func hashOf(line []byte) int {
	h := fnv.New32a()
	h.Write(line)
	return int(h.Sum32())
}

// oddCounters are neither monotonic nor additive.
var oddCounters = map[string]oddCounter{
	"by a hash, few":       func(line []byte) int { return hashOf(line) % 7 },
	"by a hash, many":      func(line []byte) int { return hashOf(line) % 700 },
	"by a hash, spread":    func(line []byte) int { return 1 << (hashOf(line) % 32) },
	"nothing":              func([]byte) int { return 0 },
	"one":                  func([]byte) int { return 1 },
	"too many":             func([]byte) int { return 1<<32 - 1 },
	"long lines are cheap": func(line []byte) int { return 4000 / (1 + len(line)) },
	"by the last digit":    func(line []byte) int { return 3 * int(line[max(0, len(line)-3)]) },
	"squared":              func(line []byte) int { return len(line) * len(line) },
}

// TestOddCounters: whatever counts, by it what is written is within the budget, and on the ledger. A final frame may
// cost more than any before it; then there is none.
func TestOddCounters(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(kindsOfResponses)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(11, 5))
			data := []byte(kindsOfResponses[kind](random, 60))
			for _, name := range testdepth.Some(slices.Sorted(maps.Keys(oddCounters))) {
				for _, encoding := range []encode.Encoding{encode.JSON{}, encode.Text{}} {
					for _, tokens := range []int{random.IntN(50), random.IntN(5000), random.IntN(1 << 30)} {
						counter := budget.Scaled(oddCounters[name], []float64{1, 1.3}[random.IntN(2)])
						for _, plan := range fit.Plans() {
							holdBudget(t, name, counter, data, tokens, encoding, plan)
						}
					}
				}
			}
		})
	}
}

func holdBudget(t *testing.T, name string, counter budget.Counter, data []byte, tokens int,
	encoding encode.Encoding, plan fit.Plan) {
	t.Helper()
	m := new(memory)
	fw := m.firewall(t, tokens)
	fw.Counter, fw.Encoding, fw.Plan = counter, encoding, plan
	out := &tally{cost: fw.Cost}
	if err := fw.Run(bytes.NewReader(data), out); err != nil && !errors.Is(err, fit.ErrNoFinal) {
		t.Fatalf("%s, %d tokens: %v", name, tokens, err)
	}
	if out.spent > tokens || out.spent != m.spent {
		t.Fatalf("%s: %d tokens written, %d on the ledger, %d in the budget", name, out.spent, m.spent, tokens)
	}
}

// failingCounter counts so many lines and then fails.
type failingCounter struct {
	budget.Counter
	left int
}

var errCounter = errors.New("the counter has failed")

func (c *failingCounter) Count(line []byte) int {
	if c.left--; c.left < 0 {
		return budget.Failed
	}
	return c.Counter.Count(line)
}

func (*failingCounter) Bounds(bytes int) (least, most int) { return oddCounter(nil).Bounds(bytes) }

func (c *failingCounter) Err() error {
	if c.left < 0 {
		return errCounter
	}
	return nil
}

// watched is an output to which nothing may be written once the counter has failed.
type watched struct {
	bytes.Buffer
	counter *failingCounter
	written bool // after that
}

func (r *watched) Write(p []byte) (int, error) {
	r.written = r.written || r.counter.left < 0
	return r.Buffer.Write(p)
}

// A counter that fails ends the response, wherever that happens, with its error and without another write.
func TestFailingCounter(t *testing.T) {
	chars := new(memory).firewall(t, 0).Counter
	random := rand.New(rand.NewPCG(3, 9))
	for _, kind := range []string{"records", "log", "columns", "document", "nothing"} {
		data := []byte(kindsOfResponses[kind](random, 300))
		for _, page := range []bool{false, true} {
			for _, tokens := range []int{400, 3000, 1 << 40} {
				counts := &failingCounter{Counter: chars, left: 1 << 40}
				runFailing(t, data, tokens, page, counts)
				asked := 1<<40 - counts.left
				for _, left := range []int{0, 1, asked / 3, asked / 2, asked - 1} {
					if left < 0 || left >= asked {
						continue
					}
					counter := &failingCounter{Counter: chars, left: left}
					out, err := runFailing(t, data, tokens, page, counter)
					if !errors.Is(err, errCounter) || out.written {
						t.Errorf("%s, %d tokens, after %d of %d: %v; written after that: %v", kind, tokens, left,
							asked, err, out.written)
					}
				}
			}
		}
	}
}

func runFailing(t *testing.T, data []byte, tokens int, page bool, counter *failingCounter) (*watched, error) {
	t.Helper()
	fw := new(memory).firewall(t, tokens)
	fw.Counter = budget.Scaled(counter, 1.5)
	out, in := &watched{counter: counter}, bytes.NewReader(data)
	if page {
		return out, fw.Page(split.Chunks(redact.NewReader(in, fw.Rules, redact.Auto), 0, false, false), nil, out)
	}
	return out, fw.Run(in, out)
}

// endless is a response that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, "{\"a\":1}\n"), nil }

// When the counter has failed, no more of the response is read.
func TestFailingCounterStopsReading(t *testing.T) {
	fw := new(memory).firewall(t, 4000)
	fw.Counter = &failingCounter{Counter: fw.Counter, left: 20}
	if err := fw.Run(endless{}, &bytes.Buffer{}); !errors.Is(err, errCounter) {
		t.Errorf("got %v", err)
	}
}

// Bounds save counts, and decide nothing: without them the output is the same.
func TestBoundsDecideNothing(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(kindsOfResponses)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			exact, err := budget.NewCounter("o200k_base")
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(17, 2))
			data := []byte(kindsOfResponses[kind](random, 200))
			for n, tokens := range []int{200 + random.IntN(600), 300 + random.IntN(2000), 800 + random.IntN(4000),
				1 << 30} {
				var outputs [2]bytes.Buffer
				for i := range outputs {
					fw := new(memory).firewall(t, tokens)
					fw.Plan, fw.Counter = fit.Plans()[n%2], exact // by characters a page is measured in fractions
					if i > 0 {
						fw.Counter = oddCounter(exact.Count)
					}
					fw.Counter = budget.Scaled(fw.Counter, 1.1)
					if err := fw.Run(bytes.NewReader(data), &outputs[i]); err != nil {
						t.Fatal(err)
					}
				}
				if !bytes.Equal(outputs[0].Bytes(), outputs[1].Bytes()) {
					t.Errorf("%d tokens: with bounds\n%s\nwithout\n%s", tokens, &outputs[0], &outputs[1])
				}
			}
		})
	}
}
