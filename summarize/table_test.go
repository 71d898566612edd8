package summarize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// recordsOf makes records of an input: a line of valid JSON is a record, any
// other line is text.
func recordsOf(input []byte) []Record {
	var records []Record
	for line := range bytes.SplitSeq(input, []byte("\n")) {
		isText := !json.Valid(line)
		if isText {
			line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
		}
		records = append(records, Record{Seq: len(records) + 1, Value: line, IsText: isText})
	}
	return records
}

// valuesOf undoes Tabulate: the decoded records of a table that omits nothing.
func valuesOf(t *testing.T, table Table) []any {
	t.Helper()
	var columns, rows []any
	decode(t, table.Columns, &columns)
	decode(t, table.Rows, &rows)
	var names []string
	constants := map[string]any{}
	for _, column := range columns {
		switch c := column.(type) {
		case string:
			names = append(names, c)
		case map[string]any:
			for name, value := range c {
				constants[name] = value
			}
		default:
			t.Fatalf("a column is a %T", column)
		}
	}
	for i, row := range rows {
		cells, isCells := row.([]any)
		if !isCells || len(columns) == 0 {
			continue // the record itself
		}
		record := map[string]any{}
		for name, value := range constants {
			setPath(record, name, value)
		}
		if len(cells) > len(names) {
			t.Fatalf("row %d has %d cells for %d columns", i, len(cells), len(names))
		}
		for j, cell := range cells {
			setPath(record, names[j], cell)
		}
		rows[i] = record
	}
	return rows
}

func setPath(record map[string]any, path string, value any) {
	parts := splitPath(path)
	for _, part := range parts[:len(parts)-1] {
		inner, ok := record[part].(map[string]any)
		if !ok {
			inner = map[string]any{}
			record[part] = inner
		}
		record = inner
	}
	record[parts[len(parts)-1]] = value
}

// splitPath cuts a gjson path at the dots that are not escaped.
func splitPath(path string) []string {
	parts := []string{""}
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '\\' && i+1 < len(path):
			i++
		case path[i] == '.':
			parts = append(parts, "")
			continue
		}
		parts[len(parts)-1] += path[i : i+1]
	}
	return parts
}

func decode(t *testing.T, b []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("not JSON: %v: %s", err, b)
	}
	if d.More() {
		t.Fatalf("more than one JSON value: %s", b)
	}
}

var tableSeeds = []string{
	`{"a":1,"b":null}` + "\n" + `{"a":"null","b":""}` + "\n" + `{"a":""}` + "\n" + `{"b":[]}` + "\n" + `{}`,
	`{"a":{"b":{"c":1},"d":[1,{"e":2}]},"x":"same"}` + "\n" + `{"a":{"b":{"c":2},"d":[]},"x":"same"}` + "\n" + `{"a":{},"x":"same"}`,
	`{"a.b":1,"c":1}` + "\n" + `{"a":{"b":2},"c":1}` + "\n" + `{"a\\":{"b":2},"c":1}` + "\n" + `{"a\\.b":2,"c":1}`,
	`{"a":1,"a":2}` + "\n" + `{"a":{"b":1},"a":{"c":2}}` + "\n" + `{"":1,"@this":2}` + "\n" + `{"":{"":3},"*":2,"x[":1,"\u0061\u00e9\ud83d\ude00":4}`,
	`[1,2]` + "\n" + `{"a":1}` + "\n" + `7` + "\n" + `"text"` + "\n" + "plain \"text\" \\ \t\x01",
	` { "k" : [ 1 , 2 ] , "l" : { "m" : 1e3 } } ` + "\n" + `{"k":[1,2],"l":{"m":1000}}`,
	`{"a":1}` + "\n" + `{"a":1}`,
	`{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"j":1}}}}}}}}}}`,
	"line one\nline two is longer than the others\n\nline four",
}

func FuzzTableHoldsTheRecords(f *testing.F) {
	for _, seed := range tableSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if bytes.Contains(input, []byte(`\u`)) && bytes.Contains(bytes.ToLower(input), []byte(`\ud`)) || !utf8.Valid(input) {
			t.Skip("Go decodes different lone surrogates and bytes to the same character")
		}
		records := recordsOf(input)
		table, ok := new(Tabulator).Tabulate(records, len(records), 1<<30, func(Table) bool { return true })
		if !ok || table.Omitted != (Omitted{}) {
			t.Fatalf("ok %v, omitted %+v", ok, table.Omitted)
		}
		got := valuesOf(t, table)
		if len(got) != len(records) {
			t.Fatalf("%d rows of %d records", len(got), len(records))
		}
		for i, r := range records {
			var want any = string(r.Value)
			if !r.IsText {
				decode(t, r.Value, &want)
			}
			if !reflect.DeepEqual(got[i], want) {
				t.Errorf("row %d is %#v, want %#v, in columns %s rows %s", i, got[i], want, table.Columns, table.Rows)
			}
		}
	})
}

func FuzzTableFits(f *testing.F) {
	for _, seed := range tableSeeds {
		f.Add([]byte(seed), uint16(60))
	}
	f.Fuzz(func(t *testing.T, input []byte, limit uint16) {
		records := recordsOf(input)
		fits := func(t Table) bool { return len(t.Columns)+len(t.Rows) <= int(limit) }
		table, ok := new(Tabulator).Tabulate(records, len(records)+3, 1<<30, fits)
		if !ok {
			return
		}
		if !fits(table) || !json.Valid(table.Columns) || !json.Valid(table.Rows) {
			t.Fatalf("limit %d: %s %s", limit, table.Columns, table.Rows)
		}
		var rows []any
		decode(t, table.Rows, &rows)
		if len(rows) == 0 || len(rows)+table.Omitted.Rows != len(records)+3 {
			t.Errorf("%d rows and %d omitted of %d", len(rows), table.Omitted.Rows, len(records)+3)
		}
		var used Tabulator
		used.Tabulate(recordsOf([]byte(tableSeeds[len(input)%len(tableSeeds)])), 9, 1<<30, fits)
		again, _ := used.Tabulate(records, len(records)+3, 1<<30, fits)
		if !reflect.DeepEqual(again, table) {
			t.Error("a second call gives another table")
		}
	})
}

func TestTable(t *testing.T) {
	for _, test := range []struct {
		name          string
		input         string
		limit         int
		columns, rows string
		omitted       Omitted
	}{
		{
			name:    "constant column is said once",
			input:   `{"kind":"Pod","n":1,"s":"aaaa"}` + "\n" + `{"kind":"Pod","n":2,"s":"bbbb"}`,
			limit:   1000,
			columns: `["n","s",{"kind":"Pod"}]`,
			rows:    `[[1,"aaaa"],[2,"bbbb"]]`,
		},
		{
			name: "missing at the end is shorter, missing before it is an object",
			input: `{"long":1,"middle":2,"name":3}` + "\n" + `{"long":1,"middle":2,"name":3}` + "\n" +
				`{"long":1,"middle":5,"name":3}` + "\n" + `{"long":4,"middle":2}` + "\n" + `{"long":4,"name":6}`,
			limit:   1000,
			columns: `["long","middle","name"]`,
			rows:    `[[1,2,3],[1,2,3],[1,5,3],[4,2],{"long":4,"name":6}]`,
		},
		{
			name:    "nested names are dotted",
			input:   `{"meta":{"name":"x","id":1}}` + "\n" + `{"meta":{"name":"y","id":2}}`,
			limit:   1000,
			columns: `["meta.name","meta.id"]`,
			rows:    `[["x",1],["y",2]]`,
		},
		{
			name:    "records that have nothing in common stay records",
			input:   `{"a":1}` + "\n" + `{"b":2}` + "\n" + `{"c":3}`,
			limit:   1000,
			columns: `[]`,
			rows:    `[{"a":1},{"b":2},{"c":3}]`,
		},
		{
			name:    "a long string is cut, a long array left out",
			input:   `{"s":"` + strings.Repeat("é", 400) + `","l":[` + strings.Repeat("1,", 400) + `1],"n":1}`,
			limit:   620,
			columns: `["s","l","n"]`,
			rows:    `[["` + strings.Repeat("é", 253) + `…","…",1]]`,
			omitted: Omitted{Cells: 2},
		},
		{
			name:    "the first rows and the last one are kept",
			input:   "l1\nl2\nl3\nl4\nl5\nl6",
			limit:   len(`["l1","l2","l6"]`) + len(`[]`),
			columns: `[]`,
			rows:    `["l1","l2","l6"]`,
			omitted: Omitted{Rows: 3},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			records := recordsOf([]byte(test.input))
			table, ok := new(Tabulator).Tabulate(records, len(records), 1<<30, func(t Table) bool { return len(t.Columns)+len(t.Rows) <= test.limit })
			if !ok {
				t.Fatal("nothing fits")
			}
			if string(table.Columns) != test.columns || string(table.Rows) != test.rows || table.Omitted != test.omitted {
				t.Errorf("got  %s %s %+v\nwant %s %s %+v", table.Columns, table.Rows, table.Omitted, test.columns, test.rows, test.omitted)
			}
		})
	}
}

func TestTableOfOpenedValues(t *testing.T) {
	everything := func(Table) bool { return true }
	for _, test := range []struct {
		name          string
		records       []Record
		columns, rows string
	}{
		{
			"of one array",
			[]Record{
				{Seq: 1, Path: []byte("items.0"), Value: []byte(`{"name":"a"}`)},
				{Seq: 2, Path: []byte("items.1"), Value: []byte(`{"name":"b"}`)},
				{Seq: 3, Path: []byte("items.2"), Value: []byte(`{}`)},
			},
			`["name",{"@path":"items.#"}]`, `[["a"],["b"],[]]`,
		},
		{
			"of a top-level array",
			[]Record{{Seq: 1, Path: []byte("0"), Value: []byte(`{"a":1}`)}, {Seq: 2, Path: []byte("1"), Value: []byte(`{"b":1}`)}},
			`[]`, `[{"a":1},{"b":1}]`,
		},
		{
			"from all over",
			[]Record{
				{Seq: 1, Path: []byte("kind"), Value: []byte(`"List"`)},
				{Seq: 2, Path: []byte("items.0"), Value: []byte(`[1, 2]`)},
				{Seq: 3, Path: []byte("note"), Value: []byte(`half a "text`), IsText: true},
				{Seq: 4, Path: []byte("items.1"), Value: []byte(`null`)},
			},
			`["@path","@value"]`, `[["kind","List"],["items.0",[1,2]],["note","half a \"text"],["items.1",null]]`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			table, ok := new(Tabulator).Tabulate(test.records, len(test.records), 1<<30, everything)
			if !ok || string(table.Columns) != test.columns || string(table.Rows) != test.rows || table.Omitted != (Omitted{}) {
				t.Errorf("got  %s %s %+v\nwant %s %s", table.Columns, table.Rows, table.Omitted, test.columns, test.rows)
			}
		})
	}
}

func TestTableAsksSeldom(t *testing.T) {
	records := logRecords(3000)
	for limit := 10; limit < 1<<20; limit *= 3 {
		asked := 0
		new(Tabulator).Tabulate(records, len(records), 1<<30, func(t Table) bool {
			asked++
			return len(t.Columns)+len(t.Rows) <= limit
		})
		if most := 4 * bits.Len(uint(len(records))); asked > most {
			t.Errorf("limit %d: asked %d times, want at most %d", limit, asked, most)
		}
	}
}

func TestTableOfNothing(t *testing.T) {
	if _, ok := new(Tabulator).Tabulate(nil, 0, 1<<30, func(Table) bool { return true }); ok {
		t.Error("a table of no records")
	}
	if _, ok := new(Tabulator).Tabulate(recordsOf([]byte(`{"a":1}`)), 1, 1<<30, func(Table) bool { return false }); ok {
		t.Error("a table that does not fit")
	}
}

func TestTableOfTooManyColumns(t *testing.T) {
	var record []byte
	for i := range 2 * maxColumns {
		record = fmt.Appendf(record, `,"column%d":%d`, i, i)
	}
	record = append(append([]byte{'{'}, record[1:]...), '}')
	input := append(append(bytes.Clone(record), '\n'), record...)
	table, ok := new(Tabulator).Tabulate(recordsOf(input), 2, 1<<30, func(Table) bool { return true })
	if !ok || table.Omitted != (Omitted{}) {
		t.Fatalf("ok %v, omitted %+v", ok, table.Omitted)
	}
	var want any
	decode(t, record, &want)
	for i, got := range valuesOf(t, table) {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("row %d is not the record", i)
		}
	}
}
