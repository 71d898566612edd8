package summarize

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// repositories are larger records with others in an array two levels down, and these alone.
func repositories(seed uint64) (outer, inner []string) {
	r := rand.New(rand.NewPCG(seed, 11))
	number := 0
	for i := range 4 + r.IntN(20) {
		var edges []string
		for j := range r.IntN(3) * r.IntN(20) {
			number++
			edge := fmt.Sprintf(`{"number":%d,"node":{"state":%q,"at":"2031-01-%02dT%02d:00:00Z"},"score":%d`,
				number, []string{"open", "shut"}[r.IntN(2)], 1+j, i, r.IntN(900))
			if r.IntN(5) == 0 {
				edge += fmt.Sprintf(`,"by":%q`, nameOf(r.IntN(30)))
			}
			edges = append(edges, edge+`,"tags":[]}`)
		}
		outer = append(outer, fmt.Sprintf(`{"name":"r%d","issues":{"edges":[%s]}}`, i, strings.Join(edges, ",")))
		inner = append(inner, edges...)
	}
	return outer, inner
}

type nestedFacts struct {
	Records int
	At      string
	Fields  map[string]json.RawMessage
	Around  map[string]struct{ Records int }
}

// TestNestedRecords: the records in larger ones have the facts of the same records by themselves, however the larger
// ones come.
func TestNestedRecords(t *testing.T) {
	for seed := range uint64(30) {
		outer, inner := repositories(seed)
		if len(inner) < 40 {
			continue
		}
		var want nestedFacts
		decode(t, watched(recordsOf([]byte(strings.Join(inner, "\n")))).Facts(anyLength).JSON(), &want)
		all := strings.Join(outer, ",")
		var opened []structure.Record
		for i, o := range outer {
			opened = append(opened, structure.Record{Seq: i + 1, Path: fmt.Appendf(nil, "data.nodes.%d", i),
				Value: []byte(o)})
		}
		for name, records := range map[string][]structure.Record{
			"document": {{Seq: 1, Value: []byte(`{"data":{"nodes":[` + all + `]}}`)}},
			"opened":   opened,
			"lines":    recordsOf([]byte(strings.Join(outer, "\n"))),
		} {
			var got nestedFacts
			decode(t, watched(records).Facts(anyLength).JSON(), &got)
			if got.Records != len(inner) || !strings.HasSuffix(got.At, "issues.edges[]") {
				t.Fatalf("seed %d, %s: %d records at %s, want %d", seed, name, got.Records, got.At, len(inner))
			}
			isAround := false
			for _, around := range got.Around {
				isAround = isAround || around.Records == len(outer)
			}
			if !isAround {
				t.Errorf("seed %d, %s: %d larger records are not told: %v", seed, name, len(outer), got.Around)
			}
			for field, facts := range want.Fields {
				if strings.ReplaceAll(string(got.Fields[field]), `"in~"`, `"in"`) != string(facts) {
					t.Errorf("seed %d, %s: %s has %s, want %s", seed, name, field, got.Fields[field], facts)
				}
			}
		}
	}
}

// TestNestedOnceOpened: where some records came as chunks, those in a larger one that came whole are records, too.
func TestNestedOnceOpened(t *testing.T) {
	records := []structure.Record{
		{Seq: 1, Path: []byte("runs.0.results.0"), Value: []byte(`{"id":1}`)},
		{Seq: 2, Path: []byte("runs.0.results.1"), Value: []byte(`{"id":2}`)},
		{Seq: 3, Path: []byte("runs.1"), Value: []byte(`{"tool":"x","results":[{"id":3},{"id":4}]}`)},
	}
	var got nestedFacts
	decode(t, watched(records).Facts(anyLength).JSON(), &got)
	if got.Records != 4 || got.At != "runs[].results[]" {
		t.Errorf("%d records at %s", got.Records, got.At)
	}
}

// TestNestedAfterOthers: what came before it was known where the records are is counted with them, and what that
// leaves unknown is an estimate.
func TestNestedAfterOthers(t *testing.T) {
	var records []structure.Record
	add := func(path, value string) {
		records = append(records, structure.Record{Seq: len(records) + 1, Path: []byte(path), Value: []byte(value)})
	}
	large := fmt.Sprintf(`{"n":%q,"items":[{"id":1,"t":["x"]},{"id":2,"t":["y","z"]}]}`, strings.Repeat("x", 300))
	for i := range 10 {
		add(fmt.Sprint("d.", i), large)
	}
	for i := range 12 {
		add(fmt.Sprint("d.10.items.", i), `{"id":3,"t":[]}`)
	}
	for i := range 3 {
		add(fmt.Sprint("d.", 11+i), large)
	}
	var facts struct {
		Records int
		Fields  map[string]map[string]any
		Around  map[string]map[string]any
	}
	decode(t, watched(records).Facts(anyLength).JSON(), &facts)
	if facts.Records != 38 {
		t.Errorf("%d records", facts.Records)
	}
	if id := facts.Fields["id"]; id["in"] != nil || id["in~"] != nil || id["n"] != nil {
		t.Errorf("id %v", id)
	}
	if in := facts.Fields["t[]"]["in"]; in != nil {
		t.Errorf("t[] is in %v as if that were known", in)
	}
	if of := facts.Around["d[]"]; fmt.Sprint(of["records"]) != "14" {
		t.Errorf("d[] %v", of)
	}
}

// TestDeepestRecords: where larger records hold larger records, the records are the smallest ones that are most of
// all; which was the first is shown only if it is known.
func TestDeepestRecords(t *testing.T) {
	steps := strings.TrimSuffix(strings.Repeat(`{"at":"x","by":"y","took":1},`, 12), ",")
	var b strings.Builder
	b.WriteString(`{"org":"o","jobs":[{"name":"n","kind":"k","user":"u","steps":[{"at":"first","by":"y","took":1}]}]}` + "\n")
	for i := range 9 {
		jobs := strings.TrimSuffix(strings.Repeat(fmt.Sprintf(`{"name":"n%d","kind":"k","user":"u","steps":[%s]},`,
			i, steps), 6), ",")
		fmt.Fprintf(&b, `{"org":"o%d","jobs":[%s]}`+"\n", i, jobs)
	}
	var facts struct {
		nestedFacts
		First map[string]any
	}
	decode(t, watched(recordsOf([]byte(b.String()))).Facts(anyLength).JSON(), &facts)
	if facts.At != "jobs[].steps[]" || facts.Records != 1+9*6*12 {
		t.Errorf("%d records at %s", facts.Records, facts.At)
	}
	if len(facts.First) > 0 && facts.First["at"] != "first" {
		t.Errorf("%v is told as the first", facts.First)
	}
}

// TestNotNested: what is a part of a record is none of its own.
func TestNotNested(t *testing.T) {
	for name, inner := range map[string]string{
		"few bytes": `"pad":"` + strings.Repeat("x", 400) +
			`","items":[{"a":1,"b":2,"c":3},{"a":1,"b":2,"c":3},{"a":1,"b":2,"c":3}]`,
		"pairs":   `"tags":[` + strings.Repeat(`{"key":"k","value":{"text":"v"}},`, 40) + `{}]`,
		"scalars": `"list":[` + strings.Repeat(`"abcdefgh",`, 40) + `{}]`,
	} {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, `{"id":%d,%s}`+"\n", i, inner)
		}
		if facts := factsOf(t, watched(recordsOf([]byte(b.String())))); facts.Records != 30 {
			t.Errorf("%s: %d records", name, facts.Records)
		}
	}
}

// TestSameMemberOfElements: members that are alike because they are the same one of several elements are no map of
// records.
func TestSameMemberOfElements(t *testing.T) {
	s := NewWholeSummary()
	seq := 0
	add := func(path, value string) {
		seq++
		s.Add(structure.Record{Seq: seq, Path: []byte(path), Value: []byte(value)})
	}
	for i := range 4 {
		add(fmt.Sprintf("sites.%d.owner", i), fmt.Sprintf(`{"name":"n%d","tags":[{"key":"a","value":"b"}]}`, i))
		add(fmt.Sprintf("sites.%d.racks.0.model", i), `{"name":"r","height":4}`)
		for j := range 50 {
			add(fmt.Sprintf("sites.%d.racks.0.units.%d", i, j), fmt.Sprintf(`{"id":%d,"up":%v}`, 50*i+j, j%2 == 0))
		}
	}
	var facts struct {
		Records int
		At      string
		Fields  map[string]json.RawMessage
		Around  map[string]json.RawMessage
	}
	decode(t, s.Facts(anyLength).JSON(), &facts)
	if facts.Records != 200 || facts.At != "sites[].racks[].units[]" || facts.Around["sites[].owner.name"] == nil {
		t.Errorf("%+v", facts)
	}
}

// TestMapOfScalars: a document that is one value by each of many names has records, each of which is shown by its name.
func TestMapOfScalars(t *testing.T) {
	var members []string
	for i := range 400 {
		value := fmt.Sprintf("%q", fmt.Sprintf("2026-03-%02dT10:%02d:00Z", 1+i/60, i%60))
		switch i {
		case 123:
			value = `"2009-01-01T00:00:00Z"`
		case 321:
			value = "null"
		}
		members = append(members, fmt.Sprintf(`"v1.%d":%s`, i, value))
	}
	s := watched(recordsOf([]byte(`{"name":"x","time":{` + strings.Join(members, ",") + `}}`)))
	facts := factsOf(t, s)
	if at := gjson.GetBytes(s.Facts(anyLength).JSON(), "at").Str; facts.Records != 400 || at != "time.*" {
		t.Errorf("%d records at %q", facts.Records, at)
	}
}

// TestTreesOfMaps: so are the members of a map whose members have a map of the same name.
func TestTreesOfMaps(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	all, own := 0, 0
	var tree func(depth int) string
	tree = func(depth int) string {
		var members []string
		for i := range 13 - random.IntN(3*depth) {
			all++
			if i%4 == 0 {
				own++
			}
			node := fmt.Sprintf(`"p%d":{"version":%q,"size":%d`, random.IntN(1e9),
				[]string{"own", "other"}[min(1, i%4)], random.IntN(90))
			if depth < 3 && i < 4 {
				node += `,"needs":{` + tree(depth+1) + "}"
			}
			members = append(members, node+"}")
		}
		return strings.Join(members, ",")
	}
	document := `{"name":"app","needs":{` + tree(1) + "," + tree(1) + "}}"
	s := watched(recordsOf([]byte(document)))
	facts := gjson.ParseBytes(s.Facts(anyLength).JSON())
	if int(facts.Get("records").Int()) != all || facts.Get("at").Str != "needs.**" ||
		int(facts.Get("fields.version.values.own").Int()) != own {
		t.Errorf("%d, %d of them own: %s", all, own, facts.Raw)
	}
}

// TestNoTrees: a member called as the array that its object is in, or a map in another of its name beside other
// values, makes no tree.
func TestNoTrees(t *testing.T) {
	list := func(n int, format string, separator string) string {
		var all []string
		for i := range n {
			all = append(all, strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
		}
		return strings.Join(all, separator)
	}
	for document, want := range map[string]string{
		`{"value":[` + list(400, `{"id":%d,"value":9%d}`, ",") +
			`],"count":400}`: "value[] 400 max 9399",
		`{"data":{"page":1,"data":{` + list(300, `"k%d":{"id":%d,"state":"up","value":%d}`, ",") +
			`}}}`: "data.data.* 300 max 299",
		`{"items":[` + list(3, `{"spec":{"items":[`+list(200, `{"a":%d,"value":%d,"c":3}`, ",")+`]}}`, ",") +
			`]}`: "items[].spec.items[] 600 max 199",
		`{"data":{"page":1,"at":{"id":1,"data":{` + list(300, `"k%d":{"id":%d,"state":"up","value":%d}`, ",") +
			`}}}}`: "data.at.data.* 300 max 299",
		`{"data":{"at":{"in":{"data":{` + list(300, `"k%d":{"id":%d,"state":"up","value":%d}`, ",") +
			`}}}}}`: "data.at.in.data.* 300 max 299",
		`{"items":[{"spec":{"items":[` + list(300, `{"a":%d,"value":%d,"c":3}`, ",") +
			`]}}]}`: "items[].spec.items[] 300 max 299",
		`{"data":[` + list(200, `{"id":%d,"data":{"size":%d},"value":%d}`, ",") +
			`]}`: "data[] 200 max 199",
	} {
		facts := gjson.ParseBytes(watched(recordsOf([]byte(document))).Facts(anyLength).JSON())
		if got := fmt.Sprint(facts.Get("at"), " ", facts.Get("records"), " max ",
			facts.Get("fields.value.max")); got != want {
			t.Errorf("%.40s: %s, not %s", document, got, want)
		}
	}
}
