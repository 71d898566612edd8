package summarize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestRows: what stands at one place of arrays that are alike is one field; a list is one in all.
func TestRows(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("1,", structure.MostCells+1), ",")
	for _, test := range []struct {
		in     string
		fields []string
	}{
		{`{"value":[1700000000.1,"42"]}`, []string{"value.0", "value.1"}},
		{`{"value":[null,1,"42"]}` + "\n" + `{"value":[3,4,"5"]}`, []string{"value.0", "value.1", "value.2"}},
		{`{"values":[[1,2],[3,4]]}`, []string{"values[].0", "values[].1"}},
		{`{"values":[[1,"2"]]}`, []string{"values[].0", "values[].1"}},
		{`{"tags":["a","b"]}`, []string{"tags[]"}},
		{`{"tags":["a",null,"b"]}`, []string{"tags[]"}},
		{`{"tags":[["a","b"],["c"]]}`, []string{"tags[][]"}},
		{`{"x":[["a",{"b":1}],["c",{"b":2}]]}`, []string{"x[][]", "x[][].b"}},
		{`{"x":[[1],[2]]}`, []string{"x[][]"}},
		{`{"x":[[` + long + `],[` + long + `]]}`, []string{"x[][]"}},
		{`[1,"a"]` + "\n" + `[2,"b",[3]]`, []string{"0", "1", "2[]"}},
	} {
		var facts struct{ Fields map[string]any }
		decode(t, summaryOf(recordsOf([]byte(test.in))).Facts(anyLength).JSON(), &facts)
		var fields []string
		for name := range facts.Fields {
			fields = append(fields, name)
		}
		slices.Sort(fields)
		if !slices.Equal(fields, test.fields) {
			t.Errorf("%s: %q, want %q", test.in, fields, test.fields)
		}
	}
}

// TestCellsPastTheCapAreTold: no cell is left out in silence.
func TestCellsPastTheCapAreTold(t *testing.T) {
	row := `[0,"a"` + strings.Repeat(`,1`, structure.MostCells) + `]`
	facts := summaryOf(recordsOf([]byte("[0,\"a\"]\n" + row))).Facts(anyLength).JSON()
	if !bytes.Contains(facts, []byte(`"more_fields":2`)) {
		t.Errorf("%s", facts)
	}
}

// TestRowsOfADocument: its rows are its records, and the odd one among them is shown.
func TestRowsOfADocument(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"columns":["at","host","state"],"rows":[`)
	for i := range 300 {
		state := []string{"ready", "busy"}[i%2]
		if i == 170 {
			state = "lost"
		}
		fmt.Fprintf(&b, `[%d,"node-%d",%q],`, 1700000000+i*60, i%7, state)
	}
	document := []byte(strings.TrimSuffix(b.String(), ",") + "]}")
	s := watched([]structure.Record{{Seq: 1, Value: document}})
	var facts struct {
		Records int
		At      string
		Fields  map[string]struct{ Values map[string]int }
	}
	if decode(t, s.Facts(anyLength).JSON(), &facts); facts.Records != 300 || facts.At != "rows[]" ||
		facts.Fields["state"].Values["lost"] != 1 {
		t.Errorf("%+v", facts)
	}
	table, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice{{Seq: 1, Value: document}}, 1, 1<<30,
		func(tabulate.Table) bool { return true }, isShorter)
	if !ok || !bytes.HasPrefix(table.Rows, []byte(`[[1700000000,"node-0","ready"],`)) ||
		!bytes.Contains(table.Columns, []byte(`"columns":["at","host","state"]`)) {
		t.Errorf("%v %s %.100s", ok, table.Columns, table.Rows)
	}
}

// TestRowsOfNumbers: rows of one kind are the records of a document, too.
func TestRowsOfNumbers(t *testing.T) {
	document := `{"points":[[1,2]` + strings.Repeat(`,[10.25,20.5]`, structure.LeastSplit/10) + `]}`
	var facts struct {
		Records int
		At      string
	}
	s := watched([]structure.Record{{Seq: 1, Value: []byte(document)}})
	if decode(t, s.Facts(anyLength).JSON(), &facts); facts.Records != 1+structure.LeastSplit/10 || facts.At != "points[]" {
		t.Errorf("%+v", facts)
	}
}

// TestHeadings: where a response names the columns of its rows, what is said of them is what is said of records with
// such members, except where they are.
func TestHeadings(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	for range 40 {
		names := []string{"at", "host name", "a.b", "state", `\"x\"`, "größe", "[n]", "@x"}
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		names = names[:3+random.IntN(6)]
		var rows, objects, boxes []string
		for i := range 300 + random.IntN(100) {
			var row, object, box []string
			for j, name := range names {
				value := [...]string{strconv.Itoa(i), fmt.Sprintf("%q", "s"+strconv.Itoa(i%7)), "null", "true",
					strconv.Itoa(random.IntN(5)), `"x"`}[(j+random.IntN(2))%6]
				row = append(row, value)
				object = append(object, `"`+name+`":`+value)
				box = append(box, `{"v":`+value+`}`)
			}
			rows = append(rows, "["+strings.Join(row, ",")+"]")
			objects = append(objects, "{"+strings.Join(object, ",")+"}")
			boxes = append(boxes, `{"f":[`+strings.Join(box, ",")+"]}")
		}
		quoted := `["` + strings.Join(names, `","`) + `"]`
		called := [...]string{"name", "Name"}[random.IntN(2)]
		named := `[{"type":"t","` + called + `":"` + strings.Join(names, `"},{"type":"t","`+called+`":"`) + `"}]`
		want := fieldsOf(t, whole(`{"id":1,"rows":[`+strings.Join(objects, ",")+`]}`), "")
		for form, test := range map[string]struct {
			records []structure.Record
			under   string
			path    string
		}{
			"beside": {whole(`{"columns":` + quoted + `,"data":[` + strings.Join(rows, ",") + `]}`), "", "%d"},
			"after":  {whole(`{"data":[` + strings.Join(rows, ",") + `],"columns":` + quoted + `}`), "", "%d"},
			"schema": {whole(`{"a":{"fields":` + named + `},"b":{"data":[` + strings.Join(rows, ",") + `]}}`), "",
				"%d"},
			"boxes": {whole(`{"schema":{"fields":` + named + `},"rows":[` + strings.Join(boxes, ",") + `]}`),
				"f.", "f.%d.v"},
			"chunks":  {chunks("columns", quoted, "data", rows), "", "%d"},
			"chunks2": {chunks("schema", `{"fields":`+named+`}`, "rows", boxes), "f.", "f.%d.v"},
		} {
			got := fieldsOf(t, test.records, test.under)
			for name, facts := range got {
				column := slices.IndexFunc(names, func(n string) bool {
					var path string
					decode(t, append(structure.AppendPathName([]byte{'"'}, []byte(n), false), '"'), &path)
					return path == name
				})
				if path, _ := facts["path"].(string); column < 0 || path != fmt.Sprintf(test.path, column) {
					t.Errorf("%s: %q is at %q", form, name, path)
				}
				delete(facts, "path")
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s of %s:\n%v\nwant\n%v", form, quoted, got, want)
			}
		}
	}
}

func whole(document string) []structure.Record {
	return []structure.Record{{Seq: 1, Value: []byte(document)}}
}

// chunks are those of a document with two members, of which the second one is opened.
func chunks(first, value, second string, elements []string) []structure.Record {
	records := []structure.Record{{Seq: 1, Path: []byte(first), Value: []byte(value)}}
	for i, e := range elements {
		records = append(records,
			structure.Record{Seq: 2 + i, Path: fmt.Appendf(nil, "%s.%d", second, i), Value: []byte(e)})
	}
	return records
}

// fieldsOf returns the facts of the fields of records by their names, without what those all begin with.
func fieldsOf(t *testing.T, records []structure.Record, under string) map[string]map[string]any {
	t.Helper()
	var facts struct{ Fields map[string]map[string]any }
	decode(t, watched(records).Facts(anyLength).JSON(), &facts)
	fields := map[string]map[string]any{}
	for name, f := range facts.Fields {
		fields[strings.TrimPrefix(name, under)] = f
	}
	return fields
}

// TestNoHeadings: what may be names of something else are none of columns.
func TestNoHeadings(t *testing.T) {
	rows := `"rows":[[1,2,"3"],[4,5,"6"]]`
	for _, in := range []string{
		`{"fields":["x","y"],` + rows,
		`{"fields":["x","y","y"],` + rows,
		`{"fields":["x","y",""],` + rows,
		`{"fields":["x","y","17"],` + rows,
		`{"fields":["x","y",7],` + rows,
		`{"b":{"fields":["x","y","z"]},` + rows,
		`{"fields":["x","y","` + strings.Repeat("z", 2*fields.MaxValueLen) + `"],` + rows,
		`{"fields":[{"id":"x"},{"id":"y"},{"id":"z"}],` + rows,
		`{"fields":["x","y","z"],"columns":["u","v","w"],` + rows, // which of them?
		`{"aggregateTags":["x","y","z"],` + rows,
		`{"places":[{"name":"x"},{"name":"y"},{"name":"z"}],` + rows,
	} {
		if fields := fieldsOf(t, whole(in+"}"), "rows[]."); fields["0"] == nil || fields["x"] != nil {
			t.Errorf("%s: %v", in, fields)
		}
	}
	schema := `{"fields":[{"name":"x"},{"name":"y"}],`
	for _, in := range []string{
		schema + `"f":[{"v":1,"w":1},{"v":2}]}`,
		schema + `"f":[{"v":1},{}]}`,
		schema + `"f":[{"v":1},2]}`,
		schema + `"f":[{"v":1},{"w":2}]}`,
		schema + `"f":[{"v":[1]},{"v":2}]}`,
		schema + `"f":[{"v":1}]}`,
		`{"fields":[{"name":"x"}],"f":[{"v":1}]}`,
		schema + `"rows":[{"f":[{"v":1},{"v":2}]},{"f":[{"v":1},{"v":2}]}]}`, // as many rows as columns
		`{"labels":[{"name":"x"},{"name":"y"}],"f":[{"v":"a"},{"v":"b"}]}`,
	} {
		for name := range fieldsOf(t, whole(in), "") {
			if isRow := strings.HasPrefix(name, "rows[].f."); !isRow && strings.Contains(name+".", ".x.") {
				t.Errorf("%s: %s", in, name)
			}
		}
	}
}

// TestHeadingsThatChange: rows are called by the names of columns that were there when the first of them came, as long
// as no others come.
func TestHeadingsThatChange(t *testing.T) {
	same := `{"columns":["user","bytes"],"rows":[["ann",1],["bob",2]]}`
	fields := fieldsOf(t, recordsOf([]byte(same+"\n"+same)), "rows[].")
	if len(fields) != 3 || fmt.Sprintf("%v %v", fields["user"]["n"], fields["bytes"]["sum"]) != "4 6" {
		t.Errorf("%v", fields)
	}
	fields = fieldsOf(t, recordsOf([]byte(same+`
{"columns":["bytes","user"],"rows":[[7,"eve"],[8,"eve"]]}`)), "rows[].")
	if fmt.Sprintf("%v %v %v", fields["bytes"]["sum"], fields["0"]["sum"], fields["1"]["const"]) != "3 15 eve" {
		t.Errorf("%v", fields)
	}
}

// TestCellsOfHeadings: what is in a cell, or in none, is shown with where it is.
func TestCellsOfHeadings(t *testing.T) {
	schema := `{"schema":{"fields":[{"name":"id"},{"name":"to.c"}]}}` + "\n"
	fields := fieldsOf(t, recordsOf([]byte(schema+
		`{"f":[{"v.v":1},{"v.v":"x"}]}`+"\n"+`{"f":[{"v.v":2},{"v.v":{"city":"Oslo"}}]}`+"\n"+
		`{"f":[{"v.v":3},null,{"v.v":"more"}]}`+"\n"+`{"f":[{"v.v":4},{"v.v":5,"w":"kept"}]}`+"\n"+
		`{"f":[{"isNull":true},7]}`)), "f.")
	for name, want := range map[string]string{
		"id": `f.0.v\.v`, "to.c": `f.1.v\.v`, "to.c.city": `f.1.v\.v.city`, "2": "", "to.c.w": `f.1.v\.v.w`,
		"id.isNull": `f.0.v\.v.isNull`,
	} {
		if path, _ := fields[name]["path"].(string); fields[name] == nil || path != want {
			t.Errorf("%s is at %q, not %q: %v", name, path, want, fields)
		}
	}
	if fmt.Sprintf("%v", fields["id"]["max"]) != "4" {
		t.Errorf("%v", fields["id"])
	}
	fields = fieldsOf(t, recordsOf([]byte(schema+`{"f":[{"v":1},{"v":"x"}]}`+"\n"+
		`{"f":[{"v":2},{"v":{"f":[{"v":3},{"v":4}]}}]}`)), "f.")
	if f := fields["to.c.f[].v"]; f["path"] != "f.1.v.f[].v" {
		t.Errorf("%v", fields)
	}
	beside := `{"a":{"fields":[{"name":"u"},{"name":"v"},{"name":"w"}]},"columns":["x","y","z"],"rows":[[1,2,"3"],[4,5,"6"]],"b":{"fields":[{"name":"u"}]}}`
	if fields := fieldsOf(t, whole(beside), "rows[]."); fields["x"] == nil || fields["u"] != nil {
		t.Errorf("%v", fields)
	}
}

// TestRowsWithHeadingsAreNoHeadings: rows that have some are looked at when others beside them are called.
func TestRowsWithHeadingsAreNoHeadings(t *testing.T) {
	const in = `{"columns":["a","b"],"fields":[1,"x"],"second":[2,"y"]}`
	for kind, s := range map[string]*Summary{"": summaryOf(whole(in)), "watchful": watched(whole(in))} {
		var facts struct{ Fields map[string]any }
		if decode(t, s.Facts(anyLength).JSON(), &facts); facts.Fields["fields.a"] == nil || facts.Fields["second.b"] == nil {
			t.Errorf("%s: %v", kind, facts.Fields)
		}
	}
}

// TestAnyHeadings: whatever the arrays of a document are called, and whoever asks, its facts are JSON.
func TestAnyHeadings(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	names := []string{"columns", "fields", "name", "f", "v", "rows", "0"}
	var value func(depth int) string
	list := func(open, shut string, element func() string) string {
		elements := make([]string, random.IntN(4))
		for i := range elements {
			elements[i] = element()
		}
		return open + strings.Join(elements, ",") + shut
	}
	value = func(depth int) string {
		kind := random.IntN(10)
		switch {
		case depth == 0 || kind < 3:
			return [...]string{"1", `"x"`, "null", `"y"`, `"17"`, `"z"`}[random.IntN(6)]
		case kind < 6:
			return list("[", "]", func() string { return value(depth - 1) })
		case kind == 6:
			return `[{"name":"x"},{"name":"y"}]`
		case kind == 7:
			return `["x","y"]`
		}
		return list("{", "}", func() string { return `"` + names[random.IntN(len(names))] + `":` + value(depth-1) })
	}
	summaries := []*Summary{NewSummary(), NewWholeSummary()}
	for range testdepth.Cases(3000) {
		in := recordsOf([]byte(value(5) + "\n" + value(5)))
		for _, s := range summaries {
			s.Reset()
			for _, r := range in {
				s.Add(r)
			}
			if facts := s.Facts(anyLength).JSON(); !json.Valid(facts) {
				t.Fatalf("%v: %s", in, facts)
			}
		}
	}
}
