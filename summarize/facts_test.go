package summarize

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/places"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
)

// summaryOf adds the records and spoils the bytes it lent for it.
func summaryOf(records []structure.Record) *Summary {
	s := NewSummary()
	for _, r := range records {
		lent := structure.Record{Seq: r.Seq, Top: r.Top, Path: bytes.Clone(r.Path), Value: bytes.Clone(r.Value),
			IsText: r.IsText}
		s.Add(lent)
		for i := range lent.Path {
			lent.Path[i] = '!'
		}
		for i := range lent.Value {
			lent.Value[i] = '!'
		}
	}
	return s
}

func anyLength(*facts.Tree) bool { return true }

// atMost has room for so many bytes of JSON.
func atMost(room int) func(*facts.Tree) bool {
	return func(reported *facts.Tree) bool { return reported.Len() <= room }
}

var factSeeds = []string{
	`{"a":1,"b":"x"}` + "\n" + `{"a":2.50,"b":"x","c":[1,{"d":null}]}` + "\n" + `{"a":"1","b":"null"}`,
	`{"t":"2026-01-02T03:04:05Z"}` + "\n" + `{"t":"2026-01-02T03:04:05.5+02:00"}`,
	`{"n":1e400}` + "\n" + `{"n":-0.000000000000000000000000000000000000000000000001}` + "\n" +
		`{"n":123456789012345678901234567890123456789012345678901234567890}`,
	"GET /x/1 200\nGET /x/2 404\nuser=ann did\nuser=bob did\n\n<num> <*>",
	`{"` + strings.Repeat("k", 300) + `":1,"\u0041\ud800\"\\.[":"\ud83d\ude00\/"}` + "\n" + `"s"` +
		"\n[]\n[[[[[[[[[[1]]]]]]]]]]\n{}\nnull",
	`{"long":"` + strings.Repeat(`é\n`, 100) + `"}`,
}

func FuzzFactsFit(f *testing.F) {
	for _, seed := range append(factSeeds, tableSeeds...) {
		f.Add([]byte(seed), uint16(100))
	}
	f.Fuzz(func(t *testing.T, input []byte, limit uint16) {
		records := recordsOf(input)
		s := summaryOf(records)
		if s.records != len(records) {
			t.Fatalf("%d records, want %d", s.records, len(records))
		}
		fits := func(facts []byte) bool { return len(facts) <= int(limit) }
		facts := s.Facts(atMost(int(limit))).JSON()
		if facts != nil && (!fits(facts) || !json.Valid(facts) || utf8.Valid(input) && !utf8.Valid(facts)) {
			t.Fatalf("limit %d: %s", limit, facts)
		}
		if all := s.Facts(anyLength).JSON(); facts == nil && fits(all) {
			t.Fatal("nothing fits, but all does")
		} else if !json.Valid(all) {
			t.Fatalf("not JSON: %s", all)
		}
		if again := summaryOf(records).Facts(atMost(int(limit))).JSON(); !bytes.Equal(again, facts) {
			t.Fatalf("the same records give\n%s\n%s", facts, again)
		}
		if name := twin(facts); name != "" {
			t.Fatalf("the name %q twice in one object: %s", name, facts)
		}
	})
}

// FuzzNotJSON lends what should be JSON and is not: the answer is then worth
// nothing, but there is one.
func FuzzNotJSON(f *testing.F) {
	for _, seed := range []string{`{"a":`, `{"a" 1}`, `[1,,`, `"`, `{"a":"\`, ``, `}`, `[}`, `{]`, `:`, `[:`,
		`{"\u`, `-`, `1e`, `{"a":1e999999999999}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		s := NewSummary()
		records := []structure.Record{{Seq: 1, Value: value}, {Seq: 2, Path: value, Value: value}}
		for range 2 {
			for _, r := range records {
				s.Add(r)
			}
		}
		s.Facts(anyLength).JSON()
		new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(records), 2, 1<<30,
			func(t tabulate.Table) bool { return len(t.Rows) < 10 }, isShorter)
	})
}

// twin returns a name that an object in the JSON value has twice.
func twin(value []byte) string {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	type level struct {
		isObject, wantsValue bool
		names                map[string]bool
	}
	var levels []level
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		top := len(levels) - 1
		switch token {
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:top]
			continue
		}
		if top >= 0 && levels[top].isObject {
			if name, ok := token.(string); ok && !levels[top].wantsValue {
				if levels[top].names[name] && !strings.Contains(name, "\uFFFD") {
					return name
				}
				levels[top].names[name] = true
				levels[top].wantsValue = true
				continue
			}
			levels[top].wantsValue = false
		}
		if token == json.Delim('{') || token == json.Delim('[') {
			levels = append(levels, level{isObject: token == json.Delim('{'), names: map[string]bool{}})
		}
	}
}

// fieldFacts is what the facts say about one field.
type fieldFacts struct {
	In, N        int
	Types        map[string]int
	Const        any
	Values, Top  map[string]int
	Distinct     int
	Min, Max     json.Number
	Mean, Sum    json.Number
	From, To     string
	MeanEstimate json.Number `json:"mean~"`
	DistinctMany int         `json:"distinct~"`
	Numerals     int
}

type allFacts struct {
	Records      int
	Fields       map[string]fieldFacts
	Keys         map[string]fieldFacts
	MoreKeys     int      `json:"more_keys"`
	OtherFields  []string `json:"other_fields"`
	MoreFields   int      `json:"more_fields"`
	MoreFieldsEs int      `json:"more_fields~"`
	Lines, Rows  int
	Templates    []struct {
		N, First, Last int
		Line           string
	}
	MoreLines     int `json:"more_lines"`
	MoreTemplates int `json:"more_templates"`
}

func factsOf(t *testing.T, s *Summary) (facts allFacts) {
	t.Helper()
	decode(t, s.Facts(anyLength).JSON(), &facts)
	return facts
}

func rational(t *testing.T, literal json.Number) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(literal.String())
	if !ok {
		t.Fatalf("%q is not a number", literal)
	}
	return r
}

// TestNumbersInStrings: strings have the facts of numbers when all of them are written as such, and one far out
// stands out.
func TestNumbersInStrings(t *testing.T) {
	s := NewWholeSummary()
	for i := range 400 {
		load := fmt.Sprintf("%d.%d", 20+i%7, i%10)
		if i == 250 {
			load = "912.5"
		}
		usual, most, half := fmt.Sprint(i*7919%1000), fmt.Sprint(i), fmt.Sprint(i)
		if i%8 == 7 {
			most = "n" + most
		}
		if i == 2 || i == 300 {
			usual = "n/a"
		}
		if i%2 == 1 {
			half = "n" + half
		}
		s.Add(structure.Record{Seq: i + 1,
			Value: fmt.Appendf(nil, `{"load":%q,"usual":%q,"code":"0%d","most":%q,"half":%q}`, load, usual, i%90,
				most, half)})
	}
	facts := factsOf(t, s)
	if load := facts.Fields["load"]; load.Min != "20.0" || load.Max != "912.5" || load.Numerals != 0 {
		t.Errorf("loads: %+v", load)
	}
	if f := facts.Fields["usual"]; f.Min != "0" || f.Max != "999" || f.Numerals != 398 {
		t.Errorf("usual: %+v", f)
	}
	for _, name := range []string{"code", "most", "half"} {
		if f := facts.Fields[name]; f.Min != "" || f.Mean != "" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestFactsAgreeWithCounting compares with counts, bounds and sums that are
// computed from all the values at once.
func TestFactsAgreeWithCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for round := range 50 {
		var records []structure.Record
		values := map[string]int{}
		numbers := map[string][]*big.Rat{}
		has := map[string]int{}
		count := 1 + random.IntN(400)
		for i := range count {
			record := `{"id":` + fmt.Sprint(i)
			if random.IntN(3) > 0 {
				value := string(rune('a' + random.IntN(1+round%8)))
				values[value]++
				has["state"]++
				record += fmt.Sprintf(`,"state":%q`, value)
			}
			for _, name := range []string{"small", "price", "wide"} {
				literal := map[string]string{
					"small": fmt.Sprint(random.IntN(2000) - 1000),
					"price": fmt.Sprintf("%.2f", random.NormFloat64()*1e4),
					"wide":  fmt.Sprintf("%de%d", random.Int64()-1<<62, random.IntN(8)-4),
				}[name]
				number, _ := new(big.Rat).SetString(literal)
				numbers[name] = append(numbers[name], number)
				record += fmt.Sprintf(`,%q:%s`, name, literal)
			}
			records = append(records, structure.Record{Seq: i + 1, Value: []byte(record + "}")})
		}
		facts := factsOf(t, summaryOf(records))
		if facts.Records != count {
			t.Errorf("%d records, want %d", facts.Records, count)
		}
		if state := facts.Fields["state"]; len(values) > 1 {
			for value, n := range values {
				if state.Values[value] != n {
					t.Errorf("state=%s %d times, want %d", value, state.Values[value], n)
				}
			}
			if has["state"] != count && state.In != has["state"] {
				t.Errorf("state in %d records, want %d", state.In, has["state"])
			}
		}
		if count <= fields.MaxFewValues {
			continue // numbers are then few values
		}
		for name, all := range numbers {
			least, greatest, sum := all[0], all[0], new(big.Rat)
			for _, n := range all {
				sum.Add(sum, n)
				if n.Cmp(least) < 0 {
					least = n
				}
				if n.Cmp(greatest) > 0 {
					greatest = n
				}
			}
			f := facts.Fields[name]
			for what, pair := range map[string][2]*big.Rat{
				"min": {rational(t, f.Min), least}, "max": {rational(t, f.Max), greatest},
				"sum": {rational(t, f.Sum), sum},
			} {
				if pair[0].Cmp(pair[1]) != 0 {
					t.Errorf("%s of %s is %v, want %v", what, name, pair[0], pair[1])
				}
			}
			mean := new(big.Rat).Quo(sum, big.NewRat(int64(count), 1))
			if f.Mean != "" {
				if rational(t, f.Mean).Cmp(mean) != 0 {
					t.Errorf("mean of %s is %v, want %v", name, f.Mean, mean)
				}
				continue
			}
			off := new(big.Rat).Sub(rational(t, f.MeanEstimate), mean)
			if limit := new(big.Rat).Mul(new(big.Rat).Abs(mean), big.NewRat(1, 100_000)); off.Abs(off).Cmp(limit) > 0 {
				t.Errorf("mean of %s is about %v, want %v", name, f.MeanEstimate, mean)
			}
		}
	}
}

func TestFacts(t *testing.T) {
	nineMore := ""
	for i := 2; i < 11; i++ {
		nineMore += fmt.Sprintf("\n{\"a\":%d,\"s\":\"v%d\"}", i, i)
	}
	for _, test := range []struct{ name, input, want string }{
		{
			"constant, few values, types",
			`{"k":"Pod","on":true,"v":null}` + "\n" + `{"k":"Pod","on":false,"v":"null"}` + "\n" +
				`{"k":"Pod","on":true,"v":7}`,
			`{"records":3,"fields":{"k":{"const":"Pod"},"on":{"values":{"true":2,"false":1}},` +
				`"v":{"distinct":3,"values":{"null":1,"\"null\"":1,"7":1},"min":7,"max":7,"mean":7,"sum":7,"types":{"null":1,"number":1,"string":1}}}}`,
		},
		{
			"some null, many values",
			`{"a":null,"s":null}` + strings.Repeat("\n"+`{"a":1,"s":"x"}`, 2) + nineMore,
			`{"records":12,"fields":{"a":{"min":1,"max":10,"distinct":10,"top":{"1":2},"nulls":1},` +
				`"s":{"distinct":10,"top":{"x":2},"len":[1,3],"nulls":1}}}`,
		},
		{
			"arrays, missing, empty",
			`{"tags":["a","b"]}` + "\n" + `{"tags":[]}` + "\n" + `{"o":{}}`,
			`{"records":3,"fields":{"tags":{"values":{"[]":1},"in":2},"tags[]":{"values":{"a":1,"b":1},"in":1,"n":2},"o":{"const":{},"in":1}}}`,
		},
		{
			"lines",
			"GET /a/1 200\nGET /b/22 404\nstopped\nGET /c 7",
			`{"lines":4,"templates":[{"n":3,"line":"GET <path> <num 7..404>","first":1,"last":4},{"n":1,"line":"stopped","first":3}]}`,
		},
		{
			"both",
			`{"a":1}` + "\nplain",
			`{"records":1,"fields":{"a":{"const":1}},"lines":1,"templates":[{"n":1,"line":"plain","first":2}]}`,
		},
		{
			"a value that is no object",
			"1\n[2,3]",
			`{"records":2,"fields":{"@this":{"values":{"1":1},"min":1,"max":1,"mean":1,"sum":1,"types":{"number":1,"array":1}},"0":{"const":2,"in":1},"1":{"const":3,"in":1}}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := summaryOf(recordsOf([]byte(test.input))).Facts(anyLength).JSON(); string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestDeepFields: what an answer of an API nests twelve levels deep has facts, too.
func TestDeepFields(t *testing.T) {
	const names = "data.organization.repositories.nodes.issues.edges.node.author.team.lead.name.first"
	value := `"Ada"`
	parts := strings.Split(names, ".")
	for _, name := range slices.Backward(parts) {
		value = `{"` + name + `":` + value + `}`
	}
	if facts := factsOf(t, summaryOf(recordsOf([]byte(value)))); facts.Fields[names].Const != "Ada" {
		t.Errorf("%+v", facts.Fields)
	}
}

func TestFactsOfOpenedValues(t *testing.T) {
	s := summaryOf([]structure.Record{
		{Seq: 1, Path: []byte("kind"), Value: []byte(`"List"`)},
		{Seq: 2, Path: []byte("items.0"), Value: []byte(`{"name":"a"}`)},
		{Seq: 3, Path: []byte("items.1"), Value: []byte(`{"name":"b"}`)},
		{Seq: 4, Path: []byte(`items.2.labels.app\.io/x`), Value: []byte(`"c"`)},
	})
	want := `{"records":4,"fields":{"kind":{"const":"List","in":1},"items[].name":{"values":{"a":1,"b":1},"in":2},"items[].labels.app.io/x":{"const":"c","in":1}}}`
	if got := s.Facts(anyLength).JSON(); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestFactsShedDetail(t *testing.T) {
	s := summaryOf(logRecords(2000))
	all := len(s.Facts(anyLength).JSON())
	last := 0
	for limit := 0; limit < all+17; limit += 17 {
		asked := 0
		facts := s.Facts(func(reported *facts.Tree) bool {
			asked++
			return reported.Len() <= limit
		}).JSON()
		if most := 3 + bits.Len(uint(len(s.teller.steps))); asked > most {
			t.Fatalf("limit %d: asked %d times, want at most %d", limit, asked, most)
		}
		if facts == nil {
			if last > 0 {
				t.Fatalf("limit %d: nothing, though less fitted", limit)
			}
			continue
		}
		var decoded allFacts
		decode(t, facts, &decoded)
		if shown := len(decoded.Fields) + len(decoded.OtherFields) + decoded.MoreFields; shown != 12 {
			t.Fatalf("limit %d: %d fields shown, named or counted, want 12: %s", limit, shown, facts)
		}
		last = len(facts)
	}
	if last != all {
		t.Errorf("all %d bytes were never shown", all)
	}
}

func TestReset(t *testing.T) {
	first, second := logRecords(500), append(logLines(500), logRecords(30)...)
	s := summaryOf(first)
	s.Facts(anyLength).JSON()
	s.Reset()
	for _, r := range second {
		s.Add(r)
	}
	if got, want := s.Facts(anyLength).JSON(), summaryOf(second).Facts(anyLength).JSON(); !bytes.Equal(got, want) {
		t.Errorf("after Reset\n%s\nwant\n%s", got, want)
	}
}

// TestEstimates holds the estimates to what their sketches promise.
func TestEstimates(t *testing.T) {
	const n = 50_000
	s := NewSummary()
	for i := range n {
		v := (i*7919)%n + 1
		s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"n":%d,"negative":-%d.5,"name":"x%d"}`, v, v, v)})
	}
	facts := factsOf(t, s)
	if d := facts.Fields["name"].DistinctMany; d < n*95/100 || d > n {
		t.Errorf("about %d names, want %d within 5 %%", d, n)
	}
}

func TestManyFieldsAreCounted(t *testing.T) {
	s := NewSummary()
	const n = 3000
	for i := range n {
		s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"key%d":%d}`, i, i)})
	}
	facts := factsOf(t, s)
	shown := len(facts.Fields) + len(facts.OtherFields)
	if shown > places.MaxFields {
		t.Errorf("%d fields, want at most %d", shown, places.MaxFields)
	}
	var raw struct {
		Fields map[string]struct {
			OtherKeys int `json:"other_keys~"`
		}
	}
	decode(t, s.Facts(anyLength).JSON(), &raw)
	if keys := raw.Fields["*"].OtherKeys; keys < (n-places.RootMembers)*95/100 || keys > n-places.RootMembers {
		t.Errorf("about %d further names, want %d", keys, n-places.RootMembers)
	}
}

// TestMemoryIsBounded adds new values only, so many of them that growth would show.
func TestMemoryIsBounded(t *testing.T) {
	const most = 440_000
	typical := logRecords(5000)
	for _, test := range []struct {
		name   string
		record func(dst []byte, i int) []byte
		isText bool
	}{
		{"typical", func(dst []byte, i int) []byte { return append(dst, typical[i%len(typical)].Value...) }, false},
		{"names", func(dst []byte, i int) []byte {
			return fmt.Appendf(dst, `{"name%d":{"inner%d":%d,"more%d":"%d"},"list":[{"x%d":1.%d}]}`, i, i, i, i, i,
				i, i)
		}, false},
		{"long names", func(dst []byte, i int) []byte {
			return fmt.Appendf(dst, `{"%0120d":"%0200d","a":"%0500d"}`, i, i, i)
		}, false},
		{"many fields with many values", func(dst []byte, i int) []byte {
			dst = append(dst, '{')
			for field := range 40 {
				dst = fmt.Appendf(dst, `"%d-%d":"%080d",`, field, i%6, i*(field+1)%1000)
			}
			return append(dst, `"end":1}`...)
		}, false},
		{"lines", func(dst []byte, i int) []byte {
			for word := range 30 {
				dst = fmt.Appendf(dst, "%s ", strings.Repeat(string(rune('a'+(i>>(word%17))%26)), 1+(i+word)%60))
			}
			return dst
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			s := NewSummary()
			var value []byte
			runtime.GC()
			runtime.GC() // what the first one moved to a victim cache
			runtime.ReadMemStats(&before)
			n := 200_000
			if test.name != "names" {
				n = 20_000
			}
			for i := range n {
				value = test.record(value[:0], i)
				s.Add(structure.Record{Seq: i + 1, Value: value, IsText: test.isText})
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > most {
				t.Errorf("grew by %d bytes, want at most %d", grown, most)
			} else {
				t.Logf("grew by %d bytes", grown)
			}
			runtime.KeepAlive(s)
			runtime.KeepAlive(typical)
		})
	}
}

// The keys of a map, of which each is in few records, leave the room to what is told of all records.
func TestKeysOfMapsComeAfterNames(t *testing.T) {
	var records []structure.Record
	for i := range 300 {
		value := fmt.Appendf(nil,
			`{"id":"pack-%d","needs":{"dependency-%d":"^%d.0.0","dependency-%d":"~1.%d.0"},"peculiarities":"%x"}`,
			i, i%37, i%5, (i+11)%37, i%7, sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
		records = append(records, structure.Record{Seq: i + 1, Value: value})
	}
	facts := string(summaryOf(records).Facts(atMost(699)).JSON())
	if !strings.Contains(facts, "peculiarities") || strings.Count(facts, "dependency-") > 5 {
		t.Errorf("of maps that all differ too many keys are told: %s", facts)
	}
}

// TestObjectsInStrings: the facts of an object that is in a string as JSON are those of the object in its place, but
// that its type is that of a string; what is in a string within, or is no object, is a string.
func TestObjectsInStrings(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for _, form := range []string{`{"id":%[2]d,"payload":%[1]s}`, `{"a":{"payload":%[1]s},"z":null}`,
		`{"x":[1,2],"payload":%[1]s,"other":%[1]s}`} {
		var plain, inStrings []structure.Record
		for i := range 200 {
			object := fmt.Sprintf(`{"n":%d,"state":%q,"deep":{"er":[%d,null]},"text":"größer \"\u0041\n\u00e9 %d"}`,
				random.IntN(1000),
				[]string{"up", "down", "a\"b"}[random.IntN(3)], i, i)
			if random.IntN(9) == 0 {
				object = fmt.Sprintf(`{"n":"none","only":%d}`, i)
			}
			plain = append(plain, structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, form, object, i)})
			inStrings = append(inStrings,
				structure.Record{Seq: i + 1,
					Value: fmt.Appendf(nil, form, jsonx.AppendCanonicalString(nil, object), i)})
		}
		for name, summary := range map[string]func() *Summary{"plain": NewSummary, "watchful": NewWholeSummary} {
			want, got := summary(), summary()
			for i := range plain {
				want.Add(plain[i])
				got.Add(inStrings[i])
			}
			var facts, inFacts any // the order of fields may be another
			decode(t, want.Facts(anyLength).JSON(), &facts)
			decode(t, got.Facts(anyLength).JSON(), &inFacts)
			if !reflect.DeepEqual(facts, inFacts) {
				t.Fatalf("%s, %s: of objects\n%v\nof objects in strings\n%v", form, name, facts, inFacts)
			}
		}
	}
	for value, want := range map[string]string{
		`{"v":"{\"a\":\"{\\\"b\\\":1}\"}"}`: `"v.a":{"const":"{\"b\":1}"}`,
		`{"v":"{\"a\":1"}`:                  `"v":{"const":"{\"a\":1"}`,
		`{"v":"{\"a\":}"}`:                  `"v":{"const":"{\"a\":}"}`,
		`{"v":"[{\"a\":1}]"}`:               `"v":{"const":"[{\"a\":1}]"}`,
		`{"v":"{} \"{}"}`:                   `"v":{"const":"{} \"{}"}`,
		`{"a":{"b":{"v":"{\"c\":1}"}}}`:     `"a.b.v":{"const":"{\"c\":1}"}`,
		`{"a":{"v":"{\"c\":1}"}}`:           `"a.v.c":{"const":1}`,
		`"{\"c\":1}"`:                       `"@this":{"const":"{\"c\":1}"}`,
	} {
		if facts := string(summaryOf([]structure.Record{{Seq: 1, Value: []byte(value)}}).Facts(anyLength).JSON()); !strings.Contains(facts, want) {
			t.Errorf("%s: %s, not %s", value, facts, want)
		}
	}
}

// TestObjectsInStringsBesideOthers: an object in a string is never taken for what stands elsewhere in its record, nor
// for records that others have in its place.
func TestObjectsInStringsBesideOthers(t *testing.T) {
	for _, test := range []struct {
		beside       string
		records, max int
	}{
		{strings.Repeat("x", 900), 432, 58007},
		{"", 480, 59007}, // of an envelope they are records
	} {
		var records []structure.Record
		for i := range 60 {
			events := `{"events":[`
			for j := range 8 {
				events += fmt.Sprintf(`{"id":%d,"size":%d,"host":"h%d","state":"ok"},`, 1000*i+j, 3*j, j%3)
			}
			events = strings.TrimSuffix(events, ",") + "]}"
			beside := ""
			if i%10 == 9 {
				events, beside = string(jsonx.AppendCanonicalString(nil, events)), test.beside
			}
			records = append(records,
				structure.Record{Seq: i + 1,
					Value: fmt.Appendf(nil, `{"n":%d,"payload":%s,"beside":%q}`, i, events, beside)})
		}
		var facts struct {
			Records int
			Fields  map[string]struct{ Min, Max int }
		}
		decode(t, watched(records).Facts(anyLength).JSON(), &facts)
		if id := facts.Fields["id"]; facts.Records != test.records || id.Min != 0 || id.Max != test.max {
			t.Errorf("%+v, not %+v", facts, test)
		}
	}
	items := strings.Repeat(`{"id":7,"name":"a"},`, 400)
	document := `{"items":[` + strings.TrimSuffix(items, ",") +
		`],"payload":"{\"order\":[{\"id\":900000,\"total\":5},{\"id\":900001,\"total\":6}],\"x\":1}"}`
	text := string(watched([]structure.Record{{Seq: 1, Value: []byte(document)}}).Facts(anyLength).JSON())
	if !strings.Contains(text,
		`"payload.order[].id":{"values":{"900000":1,"900001":1},"min":900000,"max":900001,"n":2}`) {
		t.Errorf("%s", text)
	}
}

// TestObjectsInStringsOfRecords: how deep a string is counts from its record.
func TestObjectsInStringsOfRecords(t *testing.T) {
	item := `{"id":7,"x":{"payload":"{\"state\":\"up\"}"}},`
	document := `{"list":{"items":[` + strings.TrimSuffix(strings.Repeat(item, 400), ",") + `]}}`
	facts := string(watched([]structure.Record{{Seq: 1, Value: []byte(document)}}).Facts(anyLength).JSON())
	if !strings.Contains(facts, `"x.payload.state":{"const":"up"}`) {
		t.Errorf("%s", facts)
	}
}

// TestTextsBesideObjectsInStrings: objects in strings are not counted with the strings beside them.
func TestTextsBesideObjectsInStrings(t *testing.T) {
	var records []structure.Record
	for i := range 390 {
		value := fmt.Sprintf(`{"m":"the pump %d is on"}`, i)
		switch {
		case i < 90:
			value = fmt.Sprintf(`{"m":"{\"x\":%d}"}`, i)
		case i%2 == 0:
			value = fmt.Sprintf(`{"m":"now valve %d was shut again"}`, i)
		}
		records = append(records, structure.Record{Seq: i + 1, Value: []byte(value)})
	}
	facts := string(watched(records).Facts(anyLength).JSON())
	for _, want := range []string{`"types":{"string":300,"object":90}`, `"the pump <num 91..389> is on":150`,
		`"min":0,"max":89`} {
		if !strings.Contains(facts, want) || strings.Contains(facts, "more_texts") {
			t.Errorf("%s: no %s", facts, want)
		}
	}
}

// TestNullsAreTold: however little is shown of a field, how many of its values are null is.
func TestNullsAreTold(t *testing.T) {
	var records []structure.Record
	for i := range 200 {
		value := fmt.Sprintf(`{"id":%d,"s":"%d%s"}`, i, i%7, strings.Repeat("long", 20))
		if i == 77 {
			value = `{"id":77,"s":null}`
		}
		records = append(records, structure.Record{Seq: i + 1, Value: []byte(value)})
	}
	s := summaryOf(records)
	for most := 200; most < 1500; most += 10 {
		facts := string(s.Facts(atMost(most - 1)).JSON())
		if strings.Contains(facts, `"s":{`) && strings.Count(facts, `"null":1`)+strings.Count(facts, `"nulls":1`) != 1 {
			t.Errorf("%s", facts)
		}
	}
	for values, want := range map[string]string{
		`null,1,2,3,4,5,6,7,8,9,10,10`: `"nulls":1}`, `null,null,null,1,2,3,4,5,6,7,8,9,10,10`: `"nulls":3}`,
		`null,"a","a"`: `"values":{"a":2,"null":1}`, `null,null`: `"const":null`, `null,1,"a"`: `"types":{"null":1,`,
	} {
		records = records[:0]
		for value := range strings.SplitSeq(values, ",") {
			records = append(records, structure.Record{Seq: len(records) + 1, Value: []byte(`{"v":` + value + `}`)})
		}
		facts := string(summaryOf(records).Facts(anyLength).JSON())
		if !strings.Contains(facts, want) || strings.Contains(facts, "nulls") && strings.Contains(facts, `"null":`) {
			t.Errorf("%s: %s", values, facts)
		}
	}
}

// TestNullIsNoDistinctValue: null, which is counted by itself, is none of the values that differ.
func TestNullIsNoDistinctValue(t *testing.T) {
	for _, form := range []string{`%d`, `"v%d"`, `"2031-05-02T10:00:00.%03dZ"`} {
		for _, n := range []int{12, 40, 63, 64, 65, 150} {
			for _, nulls := range []int{0, 1, 30} {
				var records []structure.Record
				for i := range n + nulls {
					value := fmt.Sprintf(form, i)
					if i < nulls {
						value = `null`
					}
					records = append(records, structure.Record{Seq: i + 1, Value: []byte(`{"v":` + value + `}`)})
				}
				facts := summaryOf(records).Facts(anyLength).JSON()
				of := gjson.GetBytes(facts, "fields.v")
				if of.Get("distinct").Int() != int64(n) || of.Get("nulls").Int() != int64(nulls) {
					t.Errorf("%s: %d values and %d nulls: %s", form, n, nulls, facts)
				}
			}
		}
	}
}

// TestLengths: how long strings are is shown in bytes as they read, whatever they are written as.
func TestLengths(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for range 50 {
		var records []structure.Record
		least, most := 1<<30, 0
		for i := range 30 {
			var text strings.Builder
			for range random.IntN(40) {
				text.WriteString([]string{"a", "\n", "\"", "\x1f", "é", "x\\"}[random.IntN(6)])
			}
			fmt.Fprintf(&text, "%d", i)
			least, most = min(least, text.Len()), max(most, text.Len())
			records = append(records,
				structure.Record{Seq: i + 1,
					Value: append(jsonx.AppendCanonicalString([]byte(`{"s":`), []byte(text.String())), '}')})
		}
		var facts struct {
			Fields map[string]struct{ Len [2]int }
		}
		decode(t, summaryOf(records).Facts(anyLength).JSON(), &facts)
		if got := facts.Fields["s"].Len; got != [2]int{least, most} {
			t.Fatalf("%v, not from %d to %d", got, least, most)
		}
	}
}
