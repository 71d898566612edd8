//go:build unix

package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestDeterministic gives kfw the same bytes at once, again, and cut in pieces of any size: the same bytes come out,
// and the handle holds the same. Only --flush-after may depend on time, so it is far away.
func TestDeterministic(t *testing.T) {
	sample, err := os.ReadFile("testdata/samples/orders.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]string{
		"sample":    string(sample),
		"one array": "[" + strings.ReplaceAll(strings.TrimSpace(string(sample)), "\n", " ,\r\n\t") + "]",
		"lines": strings.Repeat(
			"10:00:01 caf\u00e9 ada@example.com\r\n10:00:02 \U0001F600 \xe2\x82 password=hunter2\n\n"+
				"{\"a\":1}\n{\"token\": \"x\\u0041y\"}\n", 200),
		"broken": strings.Repeat(
			"{\"a\":[1,2,{\"b\":\"ada\\u0040example.com\"}]}\n{\"a\":,}\n[1,\x00]\n\"half \xf0\x9f\n", 200),
		"large": `{"items":[` + strings.Repeat(`{"card":4111111111111111,"n":[1,2,3]},`, 3000) + `null],"log":"` +
			strings.Repeat(`a line\n`, 20000) + `"}`,
	}
	for name, input := range inputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, format := range [][]string{{"frames"}, {"text"},
				{"text", "--about", "[user] ada and the card\n[Grep] half a line"}} {
				whole, stored := filtered(t, strings.NewReader(input), format)
				if !strings.Contains(whole, "h1") {
					t.Fatal("the input is too short to be left out in part")
				}
				for seed, most := range testdepth.Some([]int{300, 3000, len(input)}) {
					out, handle := filtered(t, &pieces{[]byte(input), most, rand.New(rand.NewPCG(uint64(seed), 1))},
						format)
					if out != whole {
						t.Errorf("%s, pieces of up to %d bytes: the output differs from byte %d on", format, most,
							differ(out, whole))
					}
					if handle != stored {
						t.Errorf("%s, pieces of up to %d bytes: the handle differs from byte %d on", format, most,
							differ(handle, stored))
					}
				}
			}
		})
	}
}

// filtered is what kfw writes and what the handle holds, with a new store.
func filtered(t *testing.T, in io.Reader, format []string) (out, handle string) {
	t.Helper()
	state := t.TempDir()
	args := []string{"stream", "--budget", "1500", "--flush-after", "1h", "--format"}
	p := kfw(t, state, append(args, format...)...)
	p.Stdin = in
	out = p.run(t, 0)
	return out, kfw(t, state, "expand", "h1", "--raw").run(t, 0)
}

func differ(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// pieces reads as all of rest, up to most bytes at a time.
type pieces struct {
	rest []byte
	most int
	rand *rand.Rand
}

func (r *pieces) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1+r.rand.IntN(r.most))], r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestPieces holds the cutter to what it says.
func TestPieces(t *testing.T) {
	text := bytes.Repeat([]byte("text"), 1000)
	got, err := io.ReadAll(&pieces{text, 10, rand.New(rand.NewPCG(1, 1))})
	if err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
