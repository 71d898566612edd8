package summarize

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
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
		facts.Fields["2"].Values["lost"] != 1 {
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
