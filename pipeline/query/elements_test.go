package query

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/chunktest"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

func asChunks(kept []chunktest.Kept) iter.Seq2[split.Chunk, error] {
	return func(yield func(split.Chunk, error) bool) {
		for _, c := range kept {
			if !yield(c.Chunk(), nil) {
				return
			}
		}
	}
}

// sourcesOf returns the elements of a response as path and value, and checks their numbers.
func sourcesOf(t *testing.T, data string, max int, at string) (all []string) {
	t.Helper()
	place, err := ParsePlace(at, testinput.PlainRules(t))
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range Elements(asChunks(chunktest.Of(t, []byte(data), nil, redact.Auto, max, false)), place) {
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

// TestElementsOfOpened: the elements of a document are the same whether it is one chunk or so large that they were
// chunks before.
func TestElementsOfOpened(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	for range testdepth.Cases(50) {
		var inList, inMap []string
		for i := range 3 + random.IntN(40) {
			value := fmt.Sprintf(`{"n":%d,"of":{"kind":%q},"list":[1,"two",null]}`, i,
				strings.Repeat("k", random.IntN(9)))
			inList, inMap = append(inList, value), append(inMap, fmt.Sprintf(`"key.%d":%s`, i, value))
		}
		document := fmt.Sprintf(
			`{"kind":"List","a b":{"items":[%s]},"map":{%s},"of":{"kind":"top"},"d.ot":{"t.ed":[1,2]},"rest":[]}`,
			strings.Join(inList, ","), strings.Join(inMap, ","))
		places := map[string][]string{
			`a\ b.items`: inList, "a b.items": inList, "map": inMap, `a b.items.2.list`: {"1", `"two"`, "null"},
			"map.#": inMap, "map.*": inMap, "a b.items[]": inList,
			"of": {`"top"`}, "list": nil, "d.ot.t.ed": {"1", "2"}, `d\.ot.t\.ed`: {"1", "2"}, "d.ot.t": nil,
		}
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
			for _, max := range []int{0, 64} { // and in a record that is one of several
				var all []string
				for _, element := range sourcesOf(t, `[{"no":"more"},`+document+`]`, max, at) {
					all = append(all, element[strings.Index(element, " ")+1:])
				}
				for i := range paths {
					if len(all) != len(paths) || !strings.HasSuffix(paths[i], " "+all[i]) {
						t.Fatalf("%s of an element, in pieces of %d:\n%q\nnot\n%q", at, max, all, paths)
					}
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

// TestElementsThatAreOpened: of an element that is too large to be one chunk each part is shown, however it was cut.
func TestElementsThatAreOpened(t *testing.T) {
	var items []string
	for i := range 20 {
		items = append(items, fmt.Sprintf(`{"n":%d,"of":{"kind":"k%d"},"list":[%d,"two"],"text":%q}`, i, i, i,
			strings.Repeat("t", 40*(i%3))))
	}
	document := `{"kind":"List","items":[` + strings.Join(items, ",") + `]}`
	shown := strings.Join(sourcesOf(t, document, 64, "items"), "\n")
	for i := range items {
		for _, part := range []string{fmt.Sprintf(`"k%d"`, i), fmt.Sprintf(`[%d,"two"]`, i)} {
			if !strings.Contains(shown, part) {
				t.Errorf("%s of element %d is lost:\n%s", part, i, shown)
			}
		}
	}
}

// TestNoElements: the error names arrays by paths that lead to elements, however the document was cut.
func TestNoElements(t *testing.T) {
	item := `{"tags":["a","b"],"pad":"` + strings.Repeat("p", 30) + `"}`
	list := `{"list":{"items":[` + strings.Repeat(item+",", 9) + item + `]}}`
	for _, document := range []string{list, "[1," + list + "]", `{"content":[{"type":"text","text":` +
		strconv.Quote(list) + `}]}`} {
		for _, max := range []int{0, 64} {
			place, err := ParsePlace("absent", testinput.PlainRules(t))
			if err != nil {
				t.Fatal(err)
			}
			var none *NoElements
			if err := place.Known(asChunks(chunktest.Of(t, []byte(document), nil, redact.Auto, max,
				false))); !errors.As(err, &none) {
				t.Fatal(err)
			}
			if len(none.Largest) == 0 {
				t.Errorf("no array is named of\n%s\nin pieces of %d", document, max)
			}
			for _, at := range none.Largest {
				if len(sourcesOf(t, document, max, at)) == 0 {
					t.Errorf("in pieces of %d there is nothing at %s in\n%s", max, at, document)
				}
			}
		}
	}
}

// TestElementsOfTrees: the elements of a tree are all its nodes, whether it is one chunk or so
// large that they were chunks before: one that was too large for one chunk comes in parts then.
func TestElementsOfTrees(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 6))
	for range 30 {
		nodes := 0
		var node func(depth int, isMap bool) string
		node = func(depth int, isMap bool) string {
			nodes++
			own := fmt.Sprintf(`"n":%d`, nodes)
			if depth == 0 {
				return "{" + own + "}"
			}
			var within []string
			for i := range random.IntN(4) {
				name := ""
				if isMap {
					name = fmt.Sprintf(`"k.%d":`, i)
				}
				within = append(within, name+node(depth-1, isMap))
			}
			if isMap {
				return "{" + own + `,"of":{` + strings.Join(within, ",") + "}}"
			}
			return "{" + own + `,"of":[` + strings.Join(within, ",") + "]}"
		}
		for at, isMap := range map[string]bool{"of[**]": false, "of.**": true} {
			nodes = 0
			document := node(5, isMap)
			whole := sourcesOf(t, document, 0, at)
			if len(whole) != nodes-1 {
				t.Fatalf("%s: %d elements, not %d, of\n%s", at, len(whole), nodes-1, document)
			}
			for _, max := range []int{16, 64, 200} {
				opened := sourcesOf(t, document, max, at)
				for _, element := range whole {
					if path, source, _ := strings.Cut(element, " "); len(source) <= max &&
						!slices.Contains(opened, element) {
						t.Fatalf("%s, in pieces of %d: nothing is %s of\n%s", at, max, path, document)
					}
				}
				for _, part := range opened {
					path, _, _ := strings.Cut(part, " ")
					isIn := func(element string) bool {
						of, _, _ := strings.Cut(element, " ")
						return path == of || strings.HasPrefix(path, of+".")
					}
					if !slices.ContainsFunc(whole, isIn) {
						t.Fatalf("%s, in pieces of %d: %s is in no element of\n%s", at, max, path, document)
					}
				}
			}
		}
	}
}
