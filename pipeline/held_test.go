package pipeline

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
)

// slowly runs a firewall of plan live, with a second as FlushAfter, in a bubble of synctest. It
// feeds each piece after a pause, and calls seen now and then with what has come out, and how much
// of the input is a second old.
func slowly(t *testing.T, fw *Firewall, pieces []string, pauses func(i int) time.Duration,
	seen func(out string, old int)) (out string) {
	fw.Plan, fw.FlushAfter = fit.Live, time.Second
	in, feed := io.Pipe()
	written := new(growing)
	ended := make(chan error)
	go func() { ended <- fw.Run(ReadAhead(in, fw.FlushAfter/10), written) }()
	type fed struct {
		upTo int
		at   time.Time
	}
	var all []fed
	size := 0
	look := func() {
		synctest.Wait()
		old := 0
		for _, f := range all {
			if time.Since(f.at) > time.Second {
				old = f.upTo
			}
		}
		seen(written.String(), old)
	}
	for i, piece := range pieces {
		if _, err := io.WriteString(feed, piece); err != nil {
			t.Fatal(err)
		}
		size += len(piece)
		all = append(all, fed{size, time.Now()})
		look()
		for pause := pauses(i); pause > 0; pause -= 300 * time.Millisecond {
			time.Sleep(min(pause, 300*time.Millisecond))
			look()
		}
	}
	feed.Close()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return written.String()
}

// growing is what was written so far.
type growing struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (g *growing) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.Write(b)
}

func (g *growing) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.String()
}

// undecided are lines of which the first ones leave it open what they are.
var undecided = map[string]func(i int) string{
	"labels":      func(i int) string { return fmt.Sprintf("info%d: listening on port %d\n", i, 8000+i) },
	"a label":     func(i int) string { return "info: one more\n" },
	"items":       func(i int) string { return fmt.Sprintf("- item %d\n", i) },
	"mappings":    func(i int) string { return fmt.Sprintf("- id: %d\n", i) },
	"comments":    func(i int) string { return fmt.Sprintf("# %d\n", i) },
	"markers":     func(i int) string { return "---\n" },
	"blocks":      func(i int) string { return []string{"key: |\n", "  one\n", "  two\n"}[min(i, 2)] },
	"open quotes": func(i int) string { return fmt.Sprintf("k%d: \"open\n", i) },
	"deep":        func(i int) string { return strings.Repeat("  ", min(i, 9)) + fmt.Sprintf("k%d:\n", i) },
	"documents":   func(i int) string { return []string{"a: 1\n", "b: 2\n", "---\n"}[i%3] },
	"list": func(i int) string {
		return []string{"kind: List\n", "items:\n", "- id: 1\n", "  of: x\n", "- id: 2\n", "  of: y\n"}[min(i, 2+i%4)]
	},
	"plain":         func(i int) string { return fmt.Sprintf("line %d\n", i) },
	"records":       func(i int) string { return fmt.Sprintf("{\"id\":%d}\n", i) },
	"words in rows": func(i int) string { return fmt.Sprintf("a%d b%d\n", i, i) },
	"brackets":      func(i int) string { return fmt.Sprintf("[warn %d]\n", i) },
	"wrapped base64": func(i int) string {
		return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7, byte(i), 99}, 19)) + "\n"
	},
}

// TestNothingHeldLong: whatever lines may be, each is out at most a second after it came, however
// slowly the next ones come, and the response is whole.
func TestNothingHeldLong(t *testing.T) {
	for kind, line := range undecided {
		for _, format := range []redact.Format{redact.Auto, redact.YAML} {
			t.Run(fmt.Sprintf("%s %d", kind, format), func(t *testing.T) {
				if format == redact.YAML && (kind == "markers" || kind == "comments" || kind == "open quotes") {
					t.Skip("none is a value of YAML, or ends one")
				}
				random := rand.New(rand.NewPCG(9, 1))
				for n := range testdepth.Cases(4) {
					var pieces []string
					for i := range 12 {
						pieces = append(pieces, line(i))
					}
					most := []time.Duration{50, 300, 1500, 3000}[n%4] * time.Millisecond
					synctest.Test(t, func(t *testing.T) {
						fw := new(memory).firewall(t, 100_000)
						fw.Encoding, fw.Input = encode.Text{}, format
						out := slowly(t, fw, pieces, func(int) time.Duration { return time.Duration(random.Int64N(int64(most))) },
							func(out string, old int) {
								if len(out) < old-len("---\n") { // a marker waits for what it stands before
									t.Fatalf("%d bytes are a second old, out is %q", old, out)
								}
							})
						if out != strings.Join(pieces, "") {
							t.Errorf("not whole: %q", out)
						}
					})
				}
			})
		}
	}
}

// TestWindowsHeldNoLonger: chunks that wait for a frame that speaks for several wait no longer than
// a second, also while more come all the time, and what they were held for before counts.
func TestWindowsHeldNoLonger(t *testing.T) {
	for _, kind := range []string{"records", "labels", "plain"} {
		for _, mode := range []budget.Mode{budget.Table, budget.Summary} {
			for _, pause := range []time.Duration{40, 90, 700, 2500} {
				var pieces []string
				for i := range 90 {
					pieces = append(pieces, undecided[kind](i))
				}
				synctest.Test(t, func(t *testing.T) {
					fw := new(memory).firewall(t, 100_000)
					fw.Budget.Mode = mode
					slowly(t, fw, pieces, func(int) time.Duration { return pause * time.Millisecond },
						func(out string, old int) {
							said := 0
							for line := range strings.Lines(out) {
								said = max(said, int(gjson.Get(line, "chunks.1").Int()))
							}
							for _, piece := range pieces[:said] {
								old -= len(piece)
							}
							if old > 0 {
								t.Fatalf("%s, %v, %d ms: of %d chunks only, and more are a second old", kind, mode, pause, said)
							}
						})
				})
			}
		}
	}
}

// TestOpenBlobIsNotHeld: the parts of a blob are shown after a second, though it may go on.
func TestOpenBlobIsNotHeld(t *testing.T) {
	blob := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00\xf3kfw of a blob\x99", 9000)))
	synctest.Test(t, func(t *testing.T) {
		fw := new(memory).firewall(t, 20_000)
		fw.MaxChunk = 1 << 10
		first := ""
		slowly(t, fw, []string{blob[:90_000], blob[90_000:]}, func(int) time.Duration { return 2 * time.Second },
			func(out string, old int) {
				if old == 90_000 && first == "" {
					first = out
				}
			})
		if last := lastLine(first); gjson.Get(last, "chunks.1").Int() < 8 {
			t.Errorf("after a second: %q", first)
		}
	})
}
