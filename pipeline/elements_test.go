package pipeline

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
)

// sourcesOf returns the elements of a response as path and value, and checks their numbers.
func sourcesOf(t *testing.T, data string, max int, at string) (all []string) {
	t.Helper()
	place, err := ParsePlace(at, plainRules(t))
	if err != nil {
		t.Fatal(err)
	}
	var chunks iter.Seq2[Chunk, error] = func(yield func(Chunk, error) bool) {
		for _, c := range chunksOf(t, []byte(data), nil, redact.Auto, max, false) {
			if !yield(c.chunk(), nil) {
				return
			}
		}
	}
	for c, err := range Elements(chunks, place) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Seq == 0 {
			continue
		}
		if all = append(all, string(c.Path)+" "+string(c.Source)); c.Seq != len(all) {
			t.Errorf("element %d has the number %d", len(all), c.Seq)
		}
	}
	return all
}

// TestElementsOfOpened: the elements of a document are the same whether it is one chunk or so large that they were chunks before.
func TestElementsOfOpened(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	for range 50 {
		var inList, inMap []string
		for i := range 3 + random.IntN(40) {
			value := fmt.Sprintf(`{"n":%d,"of":{"kind":%q},"list":[1,"two",null]}`, i, strings.Repeat("k", random.IntN(9)))
			inList, inMap = append(inList, value), append(inMap, fmt.Sprintf(`"key.%d":%s`, i, value))
		}
		document := fmt.Sprintf(`{"kind":"List","a b":{"items":[%s]},"map":{%s},"rest":[]}`, strings.Join(inList, ","), strings.Join(inMap, ","))
		places := map[string][]string{`a\ b.items`: inList, "a b.items": inList, "map": inMap, `a b.items.2.list`: {"1", `"two"`, "null"}, "map.#": inMap, "a b.items[]": inList}
		for range inList {
			places["a b.items.#.list"] = append(places["a b.items.#.list"], places["a b.items.2.list"]...)
		}
		for at, want := range places {
			var paths []string
			for _, max := range []int{0, 64} {
				elements := sourcesOf(t, document, max, at)
				if paths == nil {
					paths = elements
				}
				if !slices.Equal(elements, paths) {
					t.Fatalf("%s of\n%s\nin one piece %q\nin many %q", at, document, paths, elements)
				}
			}
			for i, element := range paths {
				if !strings.HasSuffix(element, " "+strings.TrimPrefix(want[i], fmt.Sprintf(`"key.%d":`, i))) {
					t.Errorf("element %d of %s: %s, not %s", i, at, element, want[i])
				}
			}
			if len(paths) != len(want) {
				t.Errorf("%s: %d elements, not %d", at, len(paths), len(want))
			}
		}
	}
}
