package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/places"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestFrequentValues: the counts are those of Space-Saving as its paper has it, which looks at all entries each time,
// and an entry is found where it is.
func TestFrequentValues(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for round := range 60 {
		var counts fields.ValueCounts
		var want []fields.ValueCount
		room := places.RoomForValues
		different := 1 + random.IntN(4*fields.MaxValues)
		for range 3000 {
			i := min(random.IntN(different), random.IntN(different))
			value := fmt.Appendf(nil, `"v%d"`, i)
			hash := sketch.Hash(value)
			if round%2 == 0 {
				hash = uint64(i%5) | uint64(i)<<32 // many end the same
			}
			at := -1
			for j := range want {
				if want[j].Hash == hash {
					at = j
				}
			}
			if got := counts.Index(hash); got != at {
				t.Fatalf("%s is at %d, not %d", value, got, at)
			}
			switch {
			case at >= 0:
				want[at].Count++
				counts.Entries[at].Count++
				continue
			case len(want) < fields.MaxValues:
				want = append(want, fields.ValueCount{Hash: hash, Count: 1})
				counts.Add(hash, value, &room)
			default:
				least := 0
				for j := range want {
					if want[j].Count < want[least].Count {
						least = j
					}
				}
				want[least] = fields.ValueCount{Hash: hash, Count: want[least].Count + 1, Over: want[least].Count}
				counts.Replace(hash, value)
			}
		}
		if len(counts.Entries) != len(want) {
			t.Fatalf("%d entries, not %d", len(counts.Entries), len(want))
		}
		for i, w := range want {
			if e := counts.Entries[i]; e.Hash != w.Hash || e.Count != w.Count || e.Over != w.Over {
				t.Fatalf("entry %d is %v, not %v", i, e, w)
			}
		}
	}
}

// anyRecord makes a record whose fields are all that a plain value must not be, and some that it may be.
func anyRecord(random *rand.Rand, i int) []byte {
	few := func(values ...string) string { return values[min(random.IntN(len(values)), random.IntN(len(values)))] }
	b := fmt.Appendf(nil, `{"id":%d`, i)
	put := func(name, value string) { b = fmt.Appendf(b, `,%q:%s`, name, value) }
	put("state", few(`"open"`, `"paid"`, `"sent"`, `"failed"`, `null`, `"no error"`))
	put("ok", few("true", "false", "null"))
	put("size", few("1", "2", `"n/a"`, "40", "1e9", `"3"`))
	put("took", few(`"1ms"`, `"20ms"`, `"2s"`, `"-"`, `"300ms"`))
	put("host", few(`"node-1"`, `"node-2"`, `"node-3"`, `"edge"`))
	put("turn", fmt.Sprintf(`"t-%d"`, i%7))
	put("day", few(`"2031-01-02T10:00:00Z"`, `"2031-01-03T10:00:00Z"`, `"2031-09-03T10:00:00Z"`))
	put("msg", few(`"all is well"`, `"well"`, `"it failed once more"`, `null`, `"turn 9 of 9 in f00d1234"`,
		`"read /a/b/c for you"`, `"read /a/b/d for you"`, `"first line of it\nsecond"`,
		fmt.Sprintf(`"job %d is done"`, i%20), `"job 9000000 is done"`))
	put("late", few(`"a"`, `"b"`))
	if i > 300 {
		put("late", few(`"one two three"`, `"a"`, `"four five six 7"`))
		put("form", few(`"begun by hand"`,
			fmt.Sprintf(`"ended by %s after %d s"`, [...]string{"hand", "foot", "sea"}[random.IntN(1+i/500)], i%7)))
	}
	if i > 400 {
		put("many", fmt.Sprintf(`"%s"`, nameOf(min(random.IntN(200), random.IntN(200), random.IntN(200)))))
	}
	if random.IntN(150) == 0 {
		put("seldom", few(`"x"`, `"y"`))
	}
	put("list", "["+few(`"a"`, `"b","a"`, `"c","c","c"`)+"]")
	return append(b, '}')
}

// TestSingleValuesAreNotFrequent: of many values those that came once are not told as the most frequent.
func TestSingleValuesAreNotFrequent(t *testing.T) {
	var records []structure.Record
	for i := range 40 {
		name := nameOf(i)
		if i%4 == 0 {
			name = "idle"
		}
		records = append(records,
			structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"name":%q,"only":%q}`, name, nameOf(i))})
	}
	facts := factsOf(t, watched(records))
	if f := facts.Fields["name"]; len(f.Top) != 1 || f.Top["idle"] != 10 || f.Distinct != 31 {
		t.Errorf("%+v", f)
	}
	if f := facts.Fields["only"]; len(f.Top) != 0 || f.Distinct != 40 {
		t.Errorf("%+v", f)
	}
}

// TestFrequentValuesAmongMany: where more values came than a sketch has room for, no value of another field is said
// to have come often that came once.
func TestFrequentValuesAmongMany(t *testing.T) {
	var records []structure.Record
	for i := range 4000 {
		record := []byte("{")
		for field := range 40 {
			record = fmt.Appendf(record, `"f%d":"u-%d",`, field, i*7919)
		}
		if i%20 == 0 {
			record = fmt.Appendf(record, `"order":"o%d",`, i)
		}
		records = append(records, structure.Record{Seq: i + 1, Value: fmt.Appendf(record, `"of":"%d"}`, i%90)})
	}
	var facts struct {
		Fields map[string]struct {
			Top map[string]int `json:"top~"`
		}
	}
	decode(t, watched(records).Facts(anyLength).JSON(), &facts)
	if top := facts.Fields["order"].Top; len(top) > 0 {
		t.Errorf("%v", top)
	}
}

// TestNoLongerUnique: a value that comes often after many that were all different is found, nearly as often as it
// came, and no other is.
func TestNoLongerUnique(t *testing.T) {
	const unique, n, odd = 900, 10_000, "zebra"
	s := NewWholeSummary()
	came := 0
	for i := range n {
		value := fmt.Sprintf("k%x", i*7919)
		if i > unique && i%3 == 0 {
			value = odd
			came++
		}
		s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"u":%q}`, value)})
	}
	var facts struct {
		Fields struct {
			U struct {
				Top map[string]int `json:"top~"`
			}
		}
	}
	decode(t, s.Facts(anyLength).JSON(), &facts)
	if shown := facts.Fields.U.Top; shown[odd] > came || shown[odd] < came-20 || len(shown) != 1 {
		t.Errorf("%v, where it came %d times", shown, came)
	}
}

// TestTopOfWindow: without a sketch no value is told to come more often than it did.
func TestTopOfWindow(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	s := NewSummary()
	came := map[string]int{}
	for i := range 2000 {
		value := fmt.Sprint("v", random.IntN(80))
		came[value]++
		s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"u":%q}`, value)})
	}
	var facts struct {
		Fields struct {
			U struct {
				Top map[string]int `json:"top~"`
			}
		}
	}
	decode(t, s.Facts(anyLength).JSON(), &facts)
	for value, n := range facts.Fields.U.Top {
		if n > came[value] {
			t.Errorf("%s is told to come %d times, not %d", value, n, came[value])
		}
	}
	if len(facts.Fields.U.Top) == 0 {
		t.Error("none is told")
	}
}

// TestRareIsNotFrequent: a value that has come once or twice is not told as frequent, however many others there are.
func TestRareIsNotFrequent(t *testing.T) {
	s := NewWholeSummary()
	const records, places, different = 6000, 100, 70
	for i := range records {
		var b strings.Builder
		b.WriteByte('{')
		for place := range places {
			fmt.Fprintf(&b, `"p%d":"v-%d",`, place, (i+place)%different)
		}
		fmt.Fprintf(&b, `"once":"of %d"}`, i-i%5/4*4) // or twice
		s.Add(structure.Record{Seq: i + 1, Value: []byte(b.String())})
	}
	gjson.GetBytes(s.Facts(anyLength).JSON(), `fields.once.top~`).ForEach(func(value, n gjson.Result) bool {
		t.Errorf("%s came %d times?", value, n.Int())
		return true
	})
}

// TestConstantOfSome: a value that all have that have the field is shown with how many those are.
func TestConstantOfSome(t *testing.T) {
	s := NewSummary()
	for i := range 90 {
		more := ""
		if i%3 == 0 {
			more = `,"scope":"optional","n":7`
		}
		s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"kind":"lib"%s}`, more)})
	}
	want := `{"records":90,"fields":{"kind":{"const":"lib"},"scope":{"values":{"optional":30}},"n":{"values":{"7":30}}}}`
	if facts := s.Facts(anyLength).JSON(); string(facts) != want {
		t.Errorf("%s", facts)
	}
}
