package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
)

// filtered is what is written of a response, and what that costs. It fails the test when the ledger or the handle tells
// another story.
func filtered(t *testing.T, data []byte, tokens, maxChunk int, encoding encode.Encoding, sizes []byte) (out string,
	spent int) {
	t.Helper()
	return filteredBy(t, fit.Digest, data, tokens, maxChunk, encoding, sizes)
}

// live returns the frames of a response by plan live.
func live(t *testing.T, data string, tokens, maxChunk int) (out string) {
	t.Helper()
	out, _ = filteredBy(t, fit.Live, []byte(data), tokens, maxChunk, encode.JSON{}, nil)
	return out
}

func filteredBy(t *testing.T, plan fit.Plan, data []byte, tokens, maxChunk int, encoding encode.Encoding,
	sizes []byte) (out string, spent int) {
	t.Helper()
	m := new(memory)
	fw := m.firewall(t, tokens)
	fw.Plan, fw.Encoding, fw.MaxChunk = plan, encoding, maxChunk
	b := &tally{cost: fw.Cost}
	if err := fw.Run(&testinput.Pieces{Data: data, Sizes: sizes}, b); err != nil {
		t.Fatal(err)
	}
	if spent = b.spent; spent > tokens || spent != m.spent {
		t.Fatalf("%d tokens written, %d on the ledger, %d in the budget", spent, m.spent, tokens)
	}
	if !bytes.Equal(m.kept, data) || m.named > 0 && m.named != len(data) {
		t.Fatal("the handle does not hold the response")
	}
	return b.String(), spent
}

// holdPromises holds a response to the promises at some budgets: never over budget, nothing silent, never worse than
// the response raw, and the same however it is cut.
func holdPromises(t *testing.T, data []byte, maxChunk int, random *rand.Rand, budgets ...int) {
	t.Helper()
	const ample = 1 << 40
	whole, wholeCost := filtered(t, data, ample, maxChunk, encode.JSON{}, nil)
	wholeText, wholeTextCost := filtered(t, data, ample, maxChunk, encode.Text{}, nil)
	var costs []int // of each chunk raw
	for line := range strings.Lines(whole) {
		if gjson.Get(line, "data").Exists() {
			costs = append(costs, (len([]rune(line))+3)/4)
		}
	}
	if chunks := int(gjson.Get(lastLine(whole), "totals.chunks").Int()); chunks != len(costs) {
		t.Fatalf("%d of %d chunks are shown where there is room for all", len(costs), chunks)
	}
	least := new(memory).firewall(t, 0)
	textLeast := new(memory).firewall(t, 0)
	textLeast.Encoding = encode.Text{}
	for _, more := range append(budgets, max(0, wholeCost-least.Least())) {
		tokens := least.Least() + more
		out, spent := filtered(t, data, tokens, maxChunk, encode.JSON{}, nil)
		if problem := brokenPromise(out, data, tokens); problem != "" {
			t.Fatalf("%d tokens: %s", tokens, problem)
		}
		if problem := unaccounted(out, costs, maxChunk > 0); problem != "" {
			t.Fatalf("%d tokens: %s", tokens, problem)
		}
		if spent > wholeCost || tokens >= wholeCost && leavesOut(out) && !leavesOut(whole) {
			t.Fatalf("%d tokens of %d, all of it raw costs %d", spent, tokens, wholeCost)
		}
		sizes := make([]byte, 1+random.IntN(20))
		for i := range sizes {
			sizes[i] = byte(random.IntN(256))
		}
		if cut, _ := filtered(t, data, tokens, maxChunk, encode.JSON{}, sizes); cut != out {
			t.Fatalf("%d tokens: cut in pieces, the output is another", tokens)
		}
		tokens = textLeast.Least() + more
		out, spent = filtered(t, data, tokens, maxChunk, encode.Text{}, nil)
		first, _, _ := strings.Cut(out, "\n")
		isSaid := out == wholeText ||
			strings.HasPrefix(first, encode.OwnPrefix) && strings.Contains(first, "; any of it: kfw expand h1")
		if spent > wholeTextCost || !isSaid {
			t.Fatalf("%d tokens of %d as text, all of it raw costs %d; what is left out is said: %v", spent, tokens,
				wholeTextCost, isSaid)
		}
		if cut, _ := filtered(t, data, tokens, maxChunk, encode.Text{}, sizes); cut != out {
			t.Fatalf("%d tokens: cut in pieces, the text is another", tokens)
		}
	}
}

// leavesOut says whether less than all is shown. With an ample budget that is what stands too deep.
func leavesOut(out string) bool { return gjson.Get(lastLine(out), "handle").Exists() }

func lastLine(out string) string {
	return out[strings.LastIndexByte(strings.TrimSuffix(out, "\n"), '\n')+1:]
}

// unaccounted says which frame does not account for all of its chunks, or costs more than they do raw; nothing if none.
// inParts says that lines may come in parts, which a page shows under the number of the first.
func unaccounted(out string, costs []int, inParts bool) string {
	for line := range strings.Lines(out) {
		f := gjson.Parse(line)
		first, last := int(f.Get("chunks.0").Int()), int(f.Get("chunks.1").Int())
		n, mode := last-first+1, f.Get("mode").String()
		rows := int(f.Get("rows.#").Int() + f.Get("omitted.rows").Int())
		for _, notable := range f.Get("notable").Array() {
			if at := int(notable.Get("chunk").Int()); at < first || at > last || notable.Get("why").String() == "" {
				return fmt.Sprintf("frame %s, of %d to %d, tells of chunk %d", f.Get("seq").Raw, first, last, at)
			}
		}
		switch {
		case f.Get("is_final").Bool():
			if first > 0 && (first != 1 || last != len(costs)) {
				return fmt.Sprintf("the final frame speaks for %d to %d of %d", first, last, len(costs))
			}
			if problem := unaccountedIn(f.Get("sections").Array(), len(costs), inParts); problem != "" {
				return problem
			}
			continue
		case mode == "table" && n == 1: // its rows are those of a document
		case mode == "table" && (rows > n || rows < n && !strings.Contains(f.Get("columns").Raw, `{"@around":`)),
			mode == "summary" && int(f.Get("omitted.rows").Int()) != n:
			return fmt.Sprintf("frame %s, of %d to %d, shows %d rows and omits %d", f.Get("seq").Raw, first, last,
				f.Get("rows.#").Int(), f.Get("omitted.rows").Int())
		case mode == "raw" || mode == "handle_only":
			continue
		}
		raw := 0
		for _, cost := range costs[first-1 : last] {
			raw += cost
		}
		if cost := (len([]rune(line)) + 3) / 4; cost > raw {
			return fmt.Sprintf("frame %s costs %d, what it speaks for %d", f.Get("seq").Raw, cost, raw)
		}
	}
	return ""
}

// unaccountedIn says which section of a page is out of order, or does not account for its chunks; nothing if none.
func unaccountedIn(sections []gjson.Result, chunks int, inParts bool) string {
	next := int64(1)
	for _, s := range sections {
		first, last := s.Get("chunks.0").Int(), s.Get("chunks.1").Int()
		shown := map[int64]bool{}
		for _, line := range s.Get("lines").Array() {
			at := line.Get("chunk").Int()
			if shown[at] = true; at < max(first, next) || at > last {
				return fmt.Sprintf("a section of %d to %d shows chunk %d after %d", first, last, at, next)
			}
			next = at
		}
		said := int64(len(shown)) + s.Get("left_out").Int()
		if first < 1 || last > int64(chunks) || said > last-first+1 || said < last-first+1 && !inParts {
			return fmt.Sprintf("a section of %d to %d shows %d chunks and leaves out %d", first, last, len(shown),
				s.Get("left_out").Int())
		}
		next = last + 1
	}
	return ""
}

// TestPromises: responses of every kind and length, at budgets from the smallest that works to more than they need.
func TestPromises(t *testing.T) {
	lengths := []int{3, 40}
	if testdepth.All() {
		lengths = append(lengths, 400)
	}
	for _, kind := range slices.Sorted(maps.Keys(kindsOfResponses)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for seed, n := range lengths {
				random := rand.New(rand.NewPCG(uint64(seed), 7))
				data := []byte(kindsOfResponses[kind](random, n))
				budgets := []int{random.IntN(30), random.IntN(300), random.IntN(3000)}
				holdPromises(t, data, []int{1 << 10, 8 << 10, 64 << 10}[random.IntN(3)], random, budgets...)
			}
		})
	}
}

// TestPromisesOverData is TestPromises over what tools really gave. Of long files it takes the beginning.
func TestPromisesOverData(t *testing.T) {
	const (
		longest = 60_000
		oneIn   = 24 // of the many small ones
	)
	var files []string
	for _, folder := range []string{"bench", "data"} {
		err := filepath.WalkDir("../../shared/"+folder, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, name)
			}
			return err
		})
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip("there is no data beside the project")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var chosen []string
	for i, name := range files {
		if i%oneIn == 0 || strings.Contains(name, "/dev/") {
			chosen = append(chosen, name)
		}
	}
	for i, name := range testdepth.Some(chosen) {
		t.Run(strings.TrimPrefix(name, "../../shared/"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(uint64(i), 9))
			holdPromises(t, data[:min(len(data), longest)], 64<<10, random, random.IntN(500), 500+random.IntN(6000))
		})
	}
}
