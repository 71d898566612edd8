package query

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/chunktest"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/summarize"
)

// TestPathsOfNames: a dot of a name needs no mark where that leads nowhere else, and an object in a string is one.
func TestPathsOfNames(t *testing.T) {
	const record = `{"a.b":1,"a":{"c":2,"d.e":{"f.g.h":3}},"x":{"y":4},"x.y":5,"list":[{"k.l":6,"m":{"n":7}},{"k.l":8}],` +
		`"text":"{\"type\":\"paid\",\"deep\":{\"er.\":[9,10]},\"again\":\"{\\\"z\\\":1}\"}","broken":"{\"a\":}","1":{"2":11},"é.ü":12,` +
		`"p":{"q.r":13},"p.q":{"r":14},"h.#.w":15,"cut":"{\"a\":1","odd":{"b*.c":16,"#":{"#":{"e#":17}}}}`
	for path, want := range map[string]string{
		"a.b": "1", "a.c": "2", "a.d.e.f.g.h": "3", `a.d\.e.f\.g\.h`: "3", "x.y": "4", `x\.y`: "5",
		"list.#.k.l": "[6,8]", "list.0.k.l": "6",
		"list[].m.n": "[7]", "text.type": `"paid"`, "text.deep.er.": "[9,10]", `text.deep.er\.`: "[9,10]",
		"text.deep.er..1": "10", "text.again.z": "",
		"broken.a": "", "a.b.c": "", "list.2.k.l": "", "list.k.l": "", "1.2": "11", "é.ü": "12",
		"a.*": `[2,{"f.g.h":3}]`, "list[].*.n": "[7]", "p.*": "[13]", "*.q.r": "[13]", "nowhere.*": "",
		"a.d?e.f.g.h": "", "list.#": "2",
		"list.#(m).k.l": "", "text.deep.er*": "", "a": `{"c":2,"d.e":{"f.g.h":3}}`, "p.q.r": "13", "h.#.w": "",
		"cut.a": "", "odd.b*.c": "16", "odd.#.#.e#": "17", `list.#.k\.l`: "[6,8]",
	} {
		fields, err := ParseFields([]string{path}, testinput.PlainRules(t))
		if err != nil {
			t.Fatal(path, err)
		}
		if got := fields[0].in([]byte(record)); got.Raw != want {
			t.Errorf("%s is %s, not %s", path, got.Raw, want)
		}
		if is := fields[0].isIn([]byte(record), true); is != (want != "") && path != "list.#(m).k.l" {
			t.Errorf("%s is there: %v", path, is)
		}
	}
}

// TestLackOfElements: an element without what the rest of the path names has null there, in a record and as a chunk of
// its own.
func TestLackOfElements(t *testing.T) {
	const records = `{"id":1,"items":[{"a":{"b":1}},{"a":{}}],"of":{"x":{"n":1},"y":{}}}
{"id":2,"items":[{"a":{"b":2}}],"of":{"x":{"n":null}}}
{"id":3,"items":[],"of":{}}
{"id":4,"items":"[{\"a\":1},{\"a\":{\"b\":3}}]","of":{"x":{"n":2}}}
`
	for condition, want := range map[string]int{
		"items[].a.b=null": 2, "items[].a=null": 0, "items[].a.b!=null": 3, "of.*.n=null": 2, "items[].a.b!=1": 2,
		"items[0].a.b=1": 1, "items[1].a.b=3": 1, "items[0].a.b=null": 2, `items[].a.b="null"`: 0, "items[].a.b<3": 2,
	} {
		if got := countOf(t, []byte(records), 0, condition); got != want {
			t.Errorf("%s: %d, not %d", condition, got, want)
		}
	}
	const list = `{"kind":"List","items":[{"a":{"b":1}},{"a":{}},{"a":{"b":2}},{"a":{"b":null}}]}`
	if got := countOf(t, []byte(list), 16, "items[].a.b=null"); got != 2 {
		t.Errorf("of a list that is one record: %d", got)
	}
}

// countOf returns how many chunks of a text satisfy a condition. A record of more than most bytes is opened.
func countOf(t *testing.T, text []byte, most int, condition string) (count int) {
	t.Helper()
	all := chunktest.Of(t, text, nil, redact.Auto, most, false)
	f, err := filterOf(nil, []string{condition}, nil, testinput.PlainRules(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Known(chunktest.Page(all, 0)); err != nil {
		t.Errorf("%s: %v", condition, err)
	}
	for range Where(chunktest.Page(all, 0), f) {
		count++
	}
	return count
}

// TestPathsThatOthersHaveToo: a path that some record has as it is written is not that of a name with dots in others,
// and in a list it leads to objects and objects in strings.
func TestPathsThatOthersHaveToo(t *testing.T) {
	var records strings.Builder
	for i := range 200 {
		fmt.Fprintf(&records, `{"n":%d,"a.b":%d,"only.dots":%d,"list":[{"x":%d},"{\"x\": %d}"],"lists":[{"y":[{"z":1},{"z":2}]},{"y":[{"z":3}]}]}`+"\n", i, i%3, i, i, 1000+i)
		fmt.Fprintf(&records, `{"n":%d,"a":{"b":%d},"told":[{"k":%d}]}`+"\n", i, i%3, i)
		fmt.Fprintf(&records, `{"told":"[{\"k\":%d}]"}`+"\n", i)
	}
	for condition, want := range map[string]int{
		"a.b=1": 67, `a\.b=1`: 67, "a.b>=0": 200, `a\.b>=0`: 200, "only.dots<10": 10, "list[].x=4": 1,
		"list[].x=1004": 1, "list.#.x>1189": 10, "a.b=null": 400, "told.#.k=7": 2, "told.0.k=8": 2,
		"lists.#.y.#.z=3": 200,
	} {
		if got := countOf(t, []byte(records.String()), 0, condition); got != want {
			t.Errorf("%s: %d, not %d", condition, got, want)
		}
	}
	f, err := filterOf([]string{"lists.#.y.#.z"}, nil, nil, testinput.PlainRules(t))
	if err != nil {
		t.Fatal(err)
	}
	c := split.Chunk{Seq: 1, Kind: split.JSON, Source: []byte(`{"lists":[{"y":[{"z":1},{"z":2}]},{"y":[{"z":3}]}]}`)}
	if f.project(&c, nil); string(c.Source) != `{"lists.#.y.#.z":[[1,2],[3]]}` {
		t.Errorf("%s", c.Source)
	}
}

// TestPathsOfFactsAreFound: whatever dots there are in names, no path of the facts is that of two fields, and each
// leads to the value of its field.
func TestPathsOfFactsAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	names := []string{"a", "b", "a.b", "b.a", "a..b", ".a", "a.", "a.b.a", "b.a.b.a"}
	values := 0
	var object func(depth int) string
	object = func(depth int) string {
		var members []string
		for _, i := range random.Perm(len(names))[:1+random.IntN(4)] {
			values++
			value := strconv.Itoa(values)
			if depth < 4 && random.IntN(2) == 0 {
				value = object(depth + 1)
			}
			members = append(members, fmt.Sprintf("%q:%s", names[i], value))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	rules := testinput.PlainRules(t)
	for range 3000 {
		record := object(1)
		s := summarize.NewSummary()
		s.Add(structure.Record{Seq: 1, Value: []byte(record)})
		facts := gjson.ParseBytes(s.Facts(func(*facts.Tree) bool { return true }).JSON())
		seen := map[string]bool{}
		facts.Get("fields").ForEach(func(path, field gjson.Result) bool {
			if seen[path.Str] {
				t.Fatalf("%s is the path of two fields: %s", path.Str, facts.Raw)
			}
			seen[path.Str] = true
			fields, err := ParseFields([]string{path.Str}, rules)
			if err != nil {
				t.Fatal(err)
			}
			if got := fields[0].in([]byte(record)); got.Raw != field.Get("const").Raw {
				t.Fatalf("%s is %q in %s, not %s", path.Str, got.Raw, record, field.Raw)
			}
			return true
		})
		if len(seen) == 0 {
			t.Fatalf("no fields: %s", facts.Raw)
		}
	}
}

func TestConditions(t *testing.T) {
	const record = `{"n":10,"s":"ten","t":"10","f":1.50,"yes":true,"no":false,"nil":null,"word":"true",
		"id":9007199254740993,"neg":-9007199254740993,"at":"2026-03-02T06:01:14Z","o":{"k":"v","a.b":"dot"},
		"tags":["red","blue"],"empty":[],"e":"caf\u00e9\n","deep":[[1],[2,[3]]],
		"items":[{"id":1,"price":5},{"id":2,"price":7.5,"name":"x=y"}]}`
	for condition, want := range map[string]bool{
		"n=10": true, "n = 10.0": true, "n==10": true, "n=1e1": true, "n!=10": false, "n>9": true, "n<9": false,
		"n>=10": true, "n<=10": true, "n<10": false,
		`n="10"`: false, `n!="10"`: true, `n='10'`: false, `t='10'`: true, `s='ten'`: true, `s!='ten'`: false,
		`s~'^t.n$'`:  true,
		`yes='true'`: false, `word='true'`: true, `s=''`: false, `o.k = 'v'`: true, `nil='null'`: false,
		`s='t"n'`: false, "n=ten": false, "n>abc": false, "n<abc": false, "n~^1": true, "n~1$": false,
		"t=10": true, `t="10"`: true, "t>9": false, "f=1.5": true, "f~1.50": true,
		"s=ten": true, `s = "ten"`: true, "s!=ten": false, "s<tfn": true, "s>=ten": true, "s~^t.n$": true,
		"s~T": false, "s~(?i)T": true, `s~"e.$"`: true, "s=": false, "s!=": true, `s>""`: true, `s~""`: true,
		"yes=true": true, "yes!=true": false, "yes=false": false, `yes="true"`: false, "no=false": true,
		"yes>false": false, "word=true": true, `word="true"`: true, "yes~true": false,
		"nil=null": true, "nil!=null": false, `nil="null"`: false, "nil<1": false, "n!=null": true,
		"none=null": true, "none!=null": false, "none!=1": true, "none=1": false, "none<1": false, `none~""`: false,
		"id=9007199254740993": true, "id=9007199254740992": false, "id>9007199254740992": true,
		"id<9007199254740994": true, "id=9007199254740993.0": true,
		"neg<-9007199254740992": true, "neg>-9007199254740994": true, "neg=-9007199254740993": true,
		"neg<9007199254740993": true,
		"at>=2026-03-02":       true, "at<2026-03-02T07:00:00Z": true, "at>2026-04": false,
		"o.k=v": true, `o.a\.b=dot`: true, "o=v": false, "o!=v": true, "o~v": false, "o<v": false,
		"@this!=1": true, "@this=1": false,
		"tags=red": true, "tags=green": false, "tags!=red": true, "tags.#=2": true, "tags.0=red": true,
		"tags~^b": true, "tags[]=blue": true, "items[].price>7": true, "items[].price>8": false,
		"deep[][]=2": true, "empty=x": false, "empty!=x": false, "empty.#=0": true,
		"deep=3": true, "deep=4": false, `e="café\n"`: true, "e~é": true,
		"items.#.price>7": true, "items.#.price>8": false, "items.#.name=x=y": true, "items.#.name!=x=y": false,
		"items.#.none!=1": false, "none.#.id!=1": false,
		"items.#(price>6).id=2": true, "items.#(price>6)#.id=1": false, `items.#(name="x=y").id=2`: true,
		"items.#(price>9).id!=2": false,
	} {
		c, err := ParseCondition(condition)
		if err != nil {
			t.Errorf("%s: %v", condition, err)
		} else if got := c.isMet(c.in([]byte(record))); got != want {
			t.Errorf("%s: %v", condition, got)
		}
	}
	for _, scalar := range []string{`"{\"a\":1}"`, "1", "true", " null "} {
		if c, err := ParseCondition("a=1"); err != nil || c.isMet(c.in([]byte(scalar))) {
			t.Errorf("%s has a field; %v", scalar, err)
		}
	}
}

func TestBadFilters(t *testing.T) {
	for condition, want := range map[string]string{
		"": "no operator", "a": "no operator", `a\=1`: "no operator", "#(a=1": "no operator",
		"a!1": "no operator", "a.**.b[**].c.**=1": "more than 2 trees", "<ip>": "no operator",
		"<5": "a path is missing", "=1": "a path is missing", " ~x": "a path is missing",
		"a=~b": "~ alone", "a!~b": "~ alone", "a~(": "missing closing", `a="b`: "quotation mark",
		`a='b`: "quotation mark", `a='`: "quotation mark", `a='b"`: "quotation mark", "a.b =~ ^c": `write a.b~^c`,
		`a="`: "quotation mark", `a="\q"`: "not a JSON string", `a="b"c"`: "not a JSON string",
		"a>": `"a>" has no value`, "a <= ": "has no value", "a~": "has no value",
		"@pretty=1": "not supported", "a.@dig:b=1": "not supported", `a\.@dig:b=1`: "not supported",
		"a|@values=1": "not supported", "{a,b}=1": "not supported",
		"a.[b]=1": "not supported", `!"lie"=1`: "no operator", "#(@keys)=1": "not supported",
		"[a]=1": "not supported", "..#.a=1": "two dots", strings.Repeat("a", maxQuery+1) + "=1": "longer",
	} {
		if _, err := ParseCondition(condition); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", condition, err, want)
		}
	}
	for _, fields := range []string{"", " ", "a,,b", ",", `!"lie"`, "a|!1", "@this.@keys"} {
		if _, err := ParseFields([]string{fields}, testinput.PlainRules(t)); err == nil {
			t.Errorf("%q: no error", fields)
		}
	}
}

func TestProjection(t *testing.T) {
	const record = `{"id": 1, "a.b":{"c":[1, 2]},"@timestamp":"now","items":[{"n":1},{"n":null},{}],"nil":null,"none":[]}`
	for fields, want := range map[string]string{
		"id": `{"id":1}`, `a\.b.c,id`: `{"a\\.b.c":[1, 2],"id":1}`, " nil , missing ": `{"nil":null}`,
		"@timestamp": `{"@timestamp":"now"}`,
		"items.#.n":  `{"items.#.n":[1,null]}`, "items.#,none": `{"items.#":3,"none":[]}`,
		`items.#(n=1)#.n`:   `{"items.#(n=1)#.n":[1]}`,
		`items.#(n==",").n`: `{}`, "items.#.m": `{}`,
	} {
		f, err := filterOf([]string{fields}, nil, nil, testinput.PlainRules(t))
		if err != nil {
			t.Fatal(err)
		}
		c := split.Chunk{Seq: 1, Source: []byte(record)}
		if f.project(&c, nil); string(c.Source) != want {
			t.Errorf("%s: %s, want %s", fields, c.Source, want)
		}
	}
}

func TestUnknownPath(t *testing.T) {
	const first = `{"kind":"Pod","status":{"phase":"Failed","message":""},"items":[{"price":1},{"prize":2}],"text":"{\"paid\":1}","\u001b":1}`
	records := strings.Repeat(first+"\n", 3) + `{"late":[]}`
	all := chunktest.Of(t, []byte(records), nil, redact.Auto, 0, false)
	for path, want := range map[string]string{
		"kind": "", "late": "", "items.#.prize": "", "items.#": "", "items.1.prize": "", "items[].prize": "",
		"items[]": "", "[]": "", "items.#(price>5).price": "", "@this": "",
		"knd": "kind", "Status.Phase": "status.phase", "phase": "status.phase", ".kind": "kind",
		"items.#.prise": "items.#.price", "items[0].price": "", "items[].prise": "items.#.price",
		"late.#.x": "late", "text.paid": "", "text.payed": "text.paid",
	} {
		f, err := filterOf([]string{path}, []string{"kind=Pod"}, nil, testinput.PlainRules(t))
		if err != nil {
			t.Fatal(err)
		}
		err = f.Known(chunktest.Page(all, 0))
		unknown, ok := errors.AsType[*UnknownPath](err)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", path, err)
		case want != "" && (!ok || unknown.Path != path || len(unknown.Nearest) != 3 || unknown.Nearest[0] != want):
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	f, err := filterOf([]string{"a"}, nil, nil, testinput.PlainRules(t))
	if err != nil {
		t.Fatal(err)
	}
	text := chunktest.Of(t, []byte("only\ntext\n"), nil, redact.Auto, 0, false)
	if err := f.Known(chunktest.Page(text, 0)); err == nil ||
		!strings.Contains(err.Error(), "no record with fields") {
		t.Errorf("of text: %v", err)
	}
}

// TestUnknownPathInBoundedMemory: however many paths there are, only so many are gathered.
func TestUnknownPathInBoundedMemory(t *testing.T) {
	var there pathSet
	for i := range 10 * maxPaths {
		there.add(gjson.Parse(fmt.Sprintf(`{"a%d":[[{"b%d":{"%s":1}}]]}`, i, i, strings.Repeat("k", 2*split.MaxPath))))
	}
	if len(there.paths) > maxPaths || len(there.seen) > maxPaths {
		t.Errorf("%d paths were gathered", len(there.paths))
	}
}

var benchRecords = []chunktest.Kept{
	{Source: `{"id":123456,"name":"u","status":"ok","amount":17.25,"tags":["b"],"zone":{"id":"b"},"note":"nothing to see here"}`},
	{Source: `{"id":123457,"name":"u","status":"failed","amount":1.25,"tags":["a"],"zone":{"id":"b"},"note":"nothing to \u0073ee"}`},
}

var benchFilters = map[string][3]string{
	"where":  {"", "status=gone", ""},
	"number": {"", "amount > 100", ""},
	"regexp": {"", "zone.id~^a", ""},
	"array":  {"", "tags=c", ""},
	"fields": {"id,zone.id", "", ""},
	"grep":   {"", "", "absent"},
}

func benchFilter(t testing.TB, name string) *Filter {
	some := func(s string) []string {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	f := benchFilters[name]
	filter, err := filterOf(some(f[0]), some(f[1]), some(f[2]), testinput.PlainRules(t))
	if err != nil {
		t.Fatal(err)
	}
	return filter
}

func benchChunks(filter *Filter, n int) iter.Seq2[split.Chunk, error] {
	sources := [][]byte{[]byte(benchRecords[0].Source), []byte(benchRecords[1].Source)}
	return Where(func(yield func(split.Chunk, error) bool) {
		for i := range n {
			if !yield(split.Chunk{Seq: i + 1, Source: sources[i%2]}, nil) {
				return
			}
		}
	}, filter)
}

func TestWhereDoesNotAllocate(t *testing.T) {
	for name := range benchFilters {
		filter := benchFilter(t, name)
		run := func(n int) float64 {
			return testing.AllocsPerRun(10, func() {
				for _, err := range benchChunks(filter, n) {
					if err != nil {
						t.Fatal(err)
					}
				}
			})
		}
		const dropped = 400 // the race detector makes pools, as regexp has, forget at random
		if few, many := run(10), run(1000); many > few+dropped {
			t.Errorf("%s: %v allocations for 1000 chunks, %v for 10", name, many, few)
		}
	}
}

func BenchmarkWhere(b *testing.B) {
	for name := range benchFilters {
		b.Run(name, func(b *testing.B) {
			const chunks = 1000
			filter := benchFilter(b, name)
			b.SetBytes(chunks / 2 * int64(len(benchRecords[0].Source)+len(benchRecords[1].Source)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range benchChunks(filter, chunks) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
