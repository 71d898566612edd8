package facts

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// FuzzTree: whatever is written is valid JSON as long as Len says, and a walk meets each fact once, in order.
func FuzzTree(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(20*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, size uint8) {
		r := rand.New(rand.NewPCG(seed, 2))
		var tree Tree
		var want []string
		var write func(depth int, in Shape)
		write = func(depth int, in Shape) {
			for n := range r.IntN(2 + int(size)%8) {
				isOpened := depth < 3 && r.IntN(3) == 0
				form := Named
				switch {
				case depth == 0:
					k := Kinds[r.IntN(len(Kinds))]
					form = k.Shape
					if tree.AreEstimates = r.IntN(4) == 0; isOpened {
						tree.Open(k)
					} else {
						tree.Count(k, n)
					}
					want = append(want, k.Name)
				case in.isArray():
					if isOpened {
						tree.OpenItem()
					} else {
						tree.AddItem()
						tree.Number(n)
					}
					want = append(want, "")
				default:
					name := string(rune('a' + n))
					if isOpened {
						tree.OpenNamed([]byte(name))
					} else {
						tree.CountNamed([]byte(name), n)
					}
					want = append(want, `"`+name+`"`)
				}
				if isOpened {
					write(depth+1, form)
					tree.Close()
				}
			}
		}
		write(0, Named)
		text := tree.JSON()
		if !json.Valid(text) || tree.Len() != len(text) {
			t.Fatalf("%d bytes, Len says %d: %s", len(text), tree.Len(), text)
		}
		var got []string
		var walk func(Fact)
		walk = func(fact Fact) {
			name := string(fact.Name())
			if k := fact.Kind(); k != nil {
				name = k.Name
				if label := fact.Label(); strings.TrimSuffix(label, "~") != strings.TrimSuffix(name, "~") {
					t.Fatalf("%s is called %s", name, label)
				}
			}
			if fact.IsOpened() != (len(fact.Value()) == 0) {
				t.Fatalf("%q has the value %q", name, fact.Value())
			}
			got = append(got, name)
			for in := range fact.Inside() {
				walk(in)
			}
		}
		for fact := range tree.All() {
			walk(fact)
		}
		if strings.Join(got, ",") != strings.Join(want, ",") {
			t.Fatalf("met %q, want %q", got, want)
		}
	})
}

// TestKinds: no two kinds of one scope have one name, and each says what it is.
func TestKinds(t *testing.T) {
	known := map[Scope]map[string]bool{}
	for _, k := range Kinds {
		if known[k.Scope] == nil {
			known[k.Scope] = map[string]bool{}
		}
		if known[k.Scope][k.Name] {
			t.Errorf("%s twice", k.Name)
		}
		known[k.Scope][k.Name] = true
		isPart := func(r rune) bool { return unicode.IsLower(r) || unicode.IsDigit(r) || r == '_' }
		if strings.TrimFunc(strings.TrimSuffix(k.Name, "~"), isPart) != "" || k.Says == "" {
			t.Errorf("%q says %q", k.Name, k.Says)
		}
	}
}

// TestTreeIsUsedAgain: the facts of the next response take no new memory.
func TestTreeIsUsedAgain(t *testing.T) {
	var tree Tree
	var text []byte
	write := func() {
		tree.Reset()
		tree.Count(Records, 7)
		tree.Open(Fields)
		for range 100 {
			tree.OpenNamed([]byte("name"))
			tree.AddText(Const, []byte("value"))
			tree.Close()
		}
		tree.Close()
		text = tree.Append(text[:0])
	}
	write()
	if n := testing.AllocsPerRun(10, write); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
