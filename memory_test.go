//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/cmd"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

// peak is kfw, and says on stderr what its resident peak was, in kB. What a parent is told of a child's peak
// (getrusage) includes the parent's own, from before the child's program was executed; so the child has to tell it.
func peak() {
	exit := cmd.Main()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			fmt.Fprint(os.Stderr, line)
		}
	}
	os.Exit(exit)
}

// shapes are inputs that grow in one way each: a beginning, what is repeated (%d in it is its number) and an end.
var shapes = map[string]struct{ begin, repeated, end string }{
	"records":          {"", `{"id":%d,"user":{"name":"ada"},"status":"ok"}` + "\n", ""},
	"fresh keys":       {"", `{"k%d":1,"k":{"n%d":[]}}` + "\n", ""},
	"one line":         {"", "word after word ", "\n"},
	"one array":        {"[", `{"id":%d,"v":"x"},`, "null]"},
	"one object":       {"{", `"key %d":{"v":"x"},`, `"last":null}`},
	"one string":       {`{"text":"`, `said \"so\" \u0041gain `, `"}`},
	"rows in a string": {`{"text":"[`, `{\"id\":%d,\"v\":\"\u0041 x\"},`, `null]"}`},
	"lines in one":     {`{"text":"`, `line %d of \"it\"\n`, `"}`},
	"escapes in one":   {`{"text":"a\n`, `\u006c\u0069\u006e\u0065 %d\u000a`, `"}`},
	"large strings":    {"", `{"id":%d,"text":"` + strings.Repeat(`line of it\n`, 6000) + `"}` + "\n", ""},
	"one number":       {"", "1234567890", "\n"},
	"nested brackets":  {"", "[", ""},
	"white space":      {"[" + strings.Repeat("1,\n", 3000), "        ", "1]"},
	"zero bytes":       {"", "\x00\x00\x00\x00", ""},
	"halves of UTF-8":  {"", "\xe2\x82\xf0\x9f", ""},
	"documents":        {"", "---\nid: %d\nuser:\n  name: ada\n", ""},
	"one list of YAML": {"kind: List\nitems:\n", "- id: %d\n  user:\n    name: ada\n", "last: true\n"},
	"one text of YAML": {"- id: 1\n  v: x\n- id: 2\n  v: |\n", "    line %d of it\n", "- id: 3\n"},
	"a secret, always": {"", "mail ada@example.com, password=hunter2 ", ""},
}

// TestMemoryDoesNotGrow compares the resident peak for 100 kB with that for 20 MB. The budget is one that neither
// fits, not even as a table, so that both are kept behind a handle: the database that this takes is opened only then.
//
// When the collector runs depends on what else the machine does, and moves a peak by some 2 MB. So the growth is
// compared up to four times: memory that grows with the input does so each time.
func TestMemoryDoesNotGrow(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("resident peak is read from /proc")
	}
	if testdepth.Race {
		t.Skip("the race detector's own memory grows")
	}
	const (
		small, large = 100_000, 20_000_000 // bytes
		most         = 2048                // kB
		budget       = 600
	)
	for _, name := range testdepth.Some(slices.Sorted(maps.Keys(shapes))) {
		shape := shapes[name]
		for _, format := range []string{"frames", "text"} {
			t.Run(name+", "+format, func(t *testing.T) {
				t.Parallel()
				peakOf := func(size int) (kB int) {
					p := program(t, "kfw-peak", t.TempDir(), "stream", "--format", format, "--budget", strconv.Itoa(budget))
					p.Stdin = &repeated{rest: []byte(shape.begin), text: shape.repeated, end: shape.end, size: size}
					out := p.run(t, 0)
					if format == "frames" {
						if problem := checkFrames(out, budget); problem != "" {
							t.Errorf("%d bytes: %s", size, problem)
						}
					} else if spent := tokensOfText(out); spent > budget || !strings.Contains(out, "; any of it: kfw expand h1") {
						t.Errorf("%d bytes, %d tokens: %.300s", size, spent, out)
					}
					if _, err := fmt.Sscanf(p.errs.String(), "VmHWM: %d kB", &kB); err != nil {
						t.Fatalf("stderr: %q: %v", p.errs.String(), err)
					}
					return kB
				}
				var all []string
				for range 4 {
					first, grown := peakOf(small), 0
					if grown = peakOf(large) - first; grown <= most {
						t.Logf("%d kB, %+d kB", first, grown)
						return
					}
					all = append(all, fmt.Sprintf("%d kB, %+d kB", first, grown))
				}
				t.Errorf("%d bytes, then %d bytes: %s", small, large, strings.Join(all, "; "))
			})
		}
	}
}

// repeated reads as a text again and again, until size bytes have been read, and then as an end.
type repeated struct {
	rest []byte
	text string
	end  string
	size int
	n    int
}

func (r *repeated) Read(p []byte) (int, error) {
	for len(r.rest) < len(p) && r.size > 0 {
		before := len(r.rest)
		r.rest = append(r.rest, strings.ReplaceAll(r.text, "%d", strconv.Itoa(r.n))...)
		r.n++
		if r.size -= len(r.rest) - before; r.size <= 0 {
			r.rest = append(r.rest, r.end...)
		}
	}
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = append(r.rest[:0], r.rest[n:]...)
	return n, nil
}

// TestRepeated holds the generator of the shapes to what it says.
func TestRepeated(t *testing.T) {
	got, err := io.ReadAll(&repeated{rest: []byte("["), text: "%d,", end: "x]", size: 9})
	if err != nil || !bytes.Equal(got, []byte("[0,1,2,3,4,x]")) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestMemoryOfPages compares the resident peak of pages of a small response with that of a large one, for the flags of
// kfw expand that read all of it.
func TestMemoryOfPages(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("resident peak is read from /proc")
	}
	if testdepth.Race {
		t.Skip("the race detector's own memory grows")
	}
	const (
		small, large = 300_000, 12_000_000 // bytes
		most         = 3072                // kB
		line         = "2031-03-02T08:00:00Z INFO shop: order %d took=%d\n"
	)
	state := t.TempDir()
	for session, size := range map[string]int{"small.kfw": small, "large.kfw": large} {
		p := program(t, "kfw", state, "stream", "--mode", "handle_only", "--format", "text", "--session", session,
			"--total", "100000000")
		p.Stdin = &repeated{text: line, size: size}
		p.run(t, 0)
	}
	pages := [][]string{
		{"--grep", "nothing"},
		{"--grep", "order 1[0-9]*0 ", "-C", "500", "--tail", "3"},
		{"--sort=-took"},
		{"--where", "level=INFO", "--tail", "20"},
		{"--where", "took>3", "--count"},
		{"--grep", "0 took", "-v", "--fields", "took", "--lines", "2000-"},
	}
	for _, flags := range testdepth.Some(pages) {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			peakOf := func(session string) (kB int) {
				args := append([]string{"expand", "h1", "--session", session, "--budget", "4000"}, flags...)
				p := program(t, "kfw-peak", state, args...)
				p.run(t, 0)
				if _, err := fmt.Sscanf(p.errs.String(), "VmHWM: %d kB", &kB); err != nil {
					t.Fatalf("stderr: %q: %v", p.errs.String(), err)
				}
				return kB
			}
			var all []string
			for range 4 {
				first, grown := peakOf("small.kfw"), 0
				if grown = peakOf("large.kfw") - first; grown <= most {
					t.Logf("%d kB, %+d kB", first, grown)
					return
				}
				all = append(all, fmt.Sprintf("%d kB, %+d kB", first, grown))
			}
			t.Errorf("%d bytes, then %d bytes: %s", small, large, strings.Join(all, "; "))
		})
	}
}
