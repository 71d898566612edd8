package summarize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
)

// recordsOf makes records of an input: a line of valid JSON is a record, any
// other line is text.
func recordsOf(input []byte) []structure.Record {
	var records []structure.Record
	for line := range bytes.SplitSeq(input, []byte("\n")) {
		isText := !json.Valid(line)
		if isText {
			line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
		}
		records = append(records, structure.Record{Seq: len(records) + 1, Value: line, IsText: isText})
	}
	return records
}

func bytesOf(t tabulate.Table) int { return len(t.Columns) + len(t.Rows) }

func isShorter(a, b tabulate.Table) bool { return bytesOf(a) < bytesOf(b) }

// valuesOf undoes Tabulate: the decoded records of a table that omits nothing.
func valuesOf(t *testing.T, table tabulate.Table) []any {
	t.Helper()
	var columns, rows []any
	decode(t, table.Columns, &columns)
	decode(t, table.Rows, &rows)
	var names []string
	constants := map[string]any{}
	var missing any
	for _, column := range columns {
		switch c := column.(type) {
		case string:
			names = append(names, c)
		case map[string]any:
			for name, value := range c {
				if name == "@missing" {
					missing = value
				} else {
					constants[name] = value
				}
			}
		default:
			t.Fatalf("a column is a %T", column)
		}
	}
	for i, row := range rows {
		record := map[string]any{}
		switch row := row.(type) {
		case map[string]any:
			record = row
		case []any:
			if len(columns) == 0 {
				continue // the record itself
			}
			if len(row) > len(names) {
				t.Fatalf("row %d has %d cells for %d columns", i, len(row), len(names))
			}
			for j, cell := range row {
				if missing == nil || !reflect.DeepEqual(cell, missing) {
					setPath(record, names[j], cell)
				}
			}
		default:
			continue
		}
		for name, value := range constants {
			setPath(record, name, value)
		}
		rows[i] = unwrapped(record)
	}
	return rows
}

func setPath(record map[string]any, path string, value any) {
	parts := splitPath(path)
	for _, part := range parts[:len(parts)-1] {
		if record[part] == nil {
			record[part] = map[string]any{}
		}
		inner, ok := record[part].(map[string]any)
		if !ok {
			return // a name twice in one object
		}
		record = inner
	}
	record[parts[len(parts)-1]] = value
}

// onlyElement is the part of a path, "[]", that stands for the only element of an array.
const onlyElement = "\x00only"

// unwrapped returns a decoded value with each array of one object as an object with onlyElement, as setPath makes it.
func unwrapped(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = unwrapped(v[i])
		}
		if len(v) == 1 {
			if object, ok := v[0].(map[string]any); ok && len(object) > 0 {
				return map[string]any{onlyElement: object}
			}
		}
	case map[string]any:
		for name := range v {
			v[name] = unwrapped(v[name])
		}
	}
	return value
}

// splitPath cuts a gjson path at the dots and brackets that are not escaped.
func splitPath(path string) []string {
	parts := []string{""}
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '\\' && i+1 < len(path):
			i++
		case path[i] == '.':
			parts = append(parts, "")
			continue
		case path[i] == '[':
			parts = append(parts, onlyElement)
			i++
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

func FuzzTableHoldsTheRecords(f *testing.F) {
	for _, seed := range tableSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if bytes.Contains(input, []byte(`\u`)) && bytes.Contains(bytes.ToLower(input), []byte(`\ud`)) ||
			!utf8.Valid(input) {
			t.Skip("Go decodes different lone surrogates and bytes to the same character")
		}
		records := recordsOf(input)
		table, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(records), len(records), 1<<30,
			func(tabulate.Table) bool { return true }, isShorter)
		if !ok || table.Omitted != (tabulate.Omitted{}) {
			t.Fatalf("ok %v, omitted %+v", ok, table.Omitted)
		}
		got := valuesOf(t, table)
		if len(got) != len(records) {
			t.Fatalf("%d rows of %d records", len(got), len(records))
		}
		for i, r := range records {
			var want any = string(r.Value)
			if !r.IsText {
				if decode(t, r.Value, &want); r.Kind() == jsonx.Object {
					want = unwrapped(want)
				}
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
		fits := func(t tabulate.Table) bool { return len(t.Columns)+len(t.Rows) <= int(limit) }
		table, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(records), len(records)+3, 1<<30, fits,
			isShorter)
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
		var used tabulate.Tabulator
		used.Tabulate(tabulate.RecordSlice(recordsOf([]byte(tableSeeds[len(input)%len(tableSeeds)]))), 9, 1<<30,
			fits, isShorter)
		again, _ := used.Tabulate(tabulate.RecordSlice(records), len(records)+3, 1<<30, fits, isShorter)
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
		omitted       tabulate.Omitted
	}{
		{
			name:    "constant column is said once",
			input:   `{"kind":"Pod","n":1,"s":"aaaa"}` + "\n" + `{"kind":"Pod","n":2,"s":"bbbb"}`,
			limit:   1000,
			columns: `["n","s",{"kind":"Pod"}]`,
			rows:    `[[1,"aaaa"],[2,"bbbb"]]`,
		},
		{
			name: "a missing cell is left out at the end, and marked before it",
			input: `{"long":1,"middle":2,"name":3}` + "\n" + `{"long":1,"middle":2,"name":3}` + "\n" +
				`{"long":1,"middle":5,"name":3}` + "\n" + `{"long":4,"middle":2}` + "\n" + `{"long":4,"name":6}`,
			limit:   1000,
			columns: `["long","middle","name",{"@missing":"-"}]`,
			rows:    `[[1,2,3],[1,2,3],[1,5,3],[4,2],[4,"-",6]]`,
		},
		{
			name: "the mark of a missing cell is no cell",
			input: `{"long":"-","middle":2,"name":3}` + "\n" + `{"long":"\u002d-","middle":2,"name":4}` + "\n" +
				`{"long":"","middle":null,"name":"null"}` + "\n" + `{"middle":5,"long":3}` + "\n" +
				`{"long":6,"name":7}`,
			limit:   1000,
			columns: `["long","middle","name",{"@missing":"---"}]`,
			rows:    `[["-",2,3],["\u002d-",2,4],["",null,"null"],[3,5],[6,"---",7]]`,
		},
		{
			name:    "nested names are dotted",
			input:   `{"meta":{"name":"x","id":1}}` + "\n" + `{"meta":{"name":"y","id":2}}`,
			limit:   1000,
			columns: `["meta.name","meta.id"]`,
			rows:    `[["x",1],["y",2]]`,
		},
		{
			name:    "the only element of an array is nested",
			input:   `{"of":[{"name":"x"}],"id":1}` + "\n" + `{"of":[{"name":"y"}],"id":2}` + "\n" + `{"of":[],"id":2}`,
			limit:   1000,
			columns: `["id","of[].name","of",{"@missing":"-"}]`,
			rows:    `[[1,"x"],[2,"y"],[2,"-",[]]]`,
		},
		{
			name: "an array that has several elements in some record is a cell in all",
			input: `{"id":1,"of":[{"name":"x"}]}` + "\n" + `{"id":2,"of":[{"name":"y"},{"name":"z"}]}` + "\n" +
				`{"id":3,"of":[]}`,
			limit:   1000,
			columns: `["id","of"]`,
			rows:    `[[1,[{"name":"x"}]],[2,[{"name":"y"},{"name":"z"}]],[3,[]]]`,
		},
		{
			name:    "records that have nothing in common stay records",
			input:   `{"a":1}` + "\n" + `{"b":2}` + "\n" + `{"c":3}`,
			limit:   1000,
			columns: `[]`,
			rows:    `[{"a":1},{"b":2},{"c":3}]`,
		},
		{
			name:    "a long string is cut, and a long array between its elements",
			input:   `{"s":"` + strings.Repeat("é", 400) + `","l":[` + strings.Repeat("[10],", 400) + `1],"n":1}`,
			limit:   1100,
			columns: `["s","l","n"]`,
			rows: `[["` + strings.Repeat("é", 169) + `…` + strings.Repeat("é", 84) + `",[` + strings.Repeat("[10],",
				98) + `"… 303 more"],1]]`,
			omitted: tabulate.Omitted{Cells: 2},
		},
		{
			name:    "the first rows and the last one are kept",
			input:   "l1\nl2\nl3\nl4\nl5\nl6",
			limit:   len(`["l1","l2","l6"]`) + len(`[]`),
			columns: `[]`,
			rows:    `["l1","l2","l6"]`,
			omitted: tabulate.Omitted{Rows: 3, After: 2},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			records := recordsOf([]byte(test.input))
			fits := func(t tabulate.Table) bool { return bytesOf(t) <= test.limit }
			table, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(records), len(records), 1<<30, fits,
				isShorter)
			if !ok {
				t.Fatal("nothing fits")
			}
			if string(table.Columns) != test.columns || string(table.Rows) != test.rows ||
				table.Omitted != test.omitted {
				t.Errorf("got  %s %s %+v\nwant %s %s %+v", table.Columns, table.Rows, table.Omitted, test.columns,
					test.rows, test.omitted)
			}
		})
	}
}

// FuzzTableTellsTheTruth: whatever there is room for, every cell is the value or a marked part of it, a missing one is
// told from null, "", "null" and the mark, rows that are not there are counted where they are missing, and the records
// themselves would not have been shorter.
func FuzzTableTellsTheTruth(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint16(60<<(seed%8)))
	}
	f.Fuzz(func(t *testing.T, seed uint64, limit uint16) {
		random := rand.New(rand.NewPCG(seed, 1))
		var records []structure.Record
		var all []map[string]any
		for n := 1 + random.IntN(30); len(records) < n; {
			record := randomObject(random, 0)
			value, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]any
			decode(t, value, &want)
			all = append(all, unwrapped(want).(map[string]any))
			records = append(records, structure.Record{Seq: len(records) + 1, Value: value})
		}
		fits := func(t tabulate.Table) bool { return bytesOf(t) <= int(limit) }
		table, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(records), len(records), 1<<30, fits,
			isShorter)
		if !ok {
			return
		}
		var rows []json.RawMessage
		decode(t, table.Rows, &rows)
		if len(rows)+table.Omitted.Rows != len(records) || (table.Omitted.Rows == 0) != (table.Omitted.After == 0) {
			t.Fatalf("%d rows of %d, omitted %+v", len(rows), len(records), table.Omitted)
		}
		shown := valuesOf(t, table)
		marks, minified := 0, len("[][]")
		for i, row := range shown {
			record := all[i]
			if table.Omitted.Rows > 0 && i >= table.Omitted.After {
				record = all[i+table.Omitted.Rows]
			}
			holds(t, row, record, &marks)
			if table.Omitted.Columns == 0 && table.Omitted.Cells == 0 && !reflect.DeepEqual(row, any(record)) {
				t.Errorf("row %d is %v, want %v", i, row, record)
			}
			object, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			minified += len(object) + len(",")
		}
		if marks > 0 && table.Omitted.Cells == 0 {
			t.Errorf("%d cells are cut and none is counted", marks)
		}
		if bytesOf(table) > minified {
			t.Errorf("%d bytes, and %d as records: %s %s", bytesOf(table), minified, table.Columns, table.Rows)
		}
	})
}

// randomObject returns a record of few names, with the values that are easily mistaken for each other.
func randomObject(random *rand.Rand, depth int) map[string]any {
	values := []any{nil, "", "null", "-", "--", "a.b", 0, -1, 7.5, true, "true", []any{}, map[string]any{}, "[]",
		strings.Repeat("word ", 30), []any{1, "two", nil, strings.Repeat("x", 40)},
		[]any{map[string]any{"k": strings.Repeat("é", 50)}},
		[]any{map[string]any{"k": 1, "l": []any{map[string]any{"k": nil}}}}, []any{map[string]any{"k": 1}, 2},
		"same", "same", "same", "same"}
	object := map[string]any{}
	for _, name := range []string{"id", "name", "a.b", "", "@missing", "status", "of", "kind"} {
		switch random.IntN(8) {
		case 0, 1:
		case 2:
			if depth < 2 {
				object[name] = randomObject(random, depth+1)
			}
		default:
			object[name] = values[random.IntN(len(values))]
		}
		if depth == 0 && name == "kind" {
			object[name] = "Thing"
		}
	}
	return object
}

// holds checks that what is shown is the value, or a marked part of it, and counts the marks.
func holds(t *testing.T, shown, value any, marks *int) {
	t.Helper()
	if reflect.DeepEqual(shown, value) {
		return
	}
	switch shown := shown.(type) {
	case string:
		of, _ := value.(string)
		if start, end, isCut := strings.Cut(shown, jsonx.Ellipsis); isCut && strings.HasPrefix(of, start) &&
			strings.HasSuffix(of, end) && len(start)+len(end) < len(of) || shown == jsonx.Ellipsis {
			*marks++
			return
		}
	case []any:
		of, isArray := value.([]any)
		// a cell, as it has several in other records
		if only, ok := value.(map[string]any); ok && !isArray && only[onlyElement] != nil {
			of = []any{only[onlyElement]}
		}
		n := len(shown) - 1
		for i := range n {
			if i < len(of) {
				holds(t, shown[i], of[i], marks)
			}
		}
		if shown[n] == fmt.Sprintf("… %d more", len(of)-n) {
			*marks++
			return
		}
		if len(shown) == len(of) {
			holds(t, shown[n], of[n], marks)
			return
		}
	case map[string]any:
		of, isObject := value.(map[string]any)
		if more, isCut := shown[jsonx.Ellipsis]; isCut {
			*marks++
			if more != fmt.Sprintf("%d more", len(of)-len(shown)+1) {
				t.Errorf("%v more, of %v is shown %v", more, value, shown)
			}
		}
		for name, v := range shown {
			if inner, has := of[name]; has {
				holds(t, v, inner, marks)
			} else if name != jsonx.Ellipsis {
				t.Errorf("%q is not in %v", name, value)
			}
		}
		if isObject {
			return
		}
	}
	t.Errorf("of %v is shown %v", value, shown)
}

func TestTableOfOpenedValues(t *testing.T) {
	everything := func(tabulate.Table) bool { return true }
	for _, test := range []struct {
		name          string
		records       []structure.Record
		columns, rows string
	}{
		{
			"of one array",
			[]structure.Record{
				{Seq: 1, Path: []byte("items.0"), Value: []byte(`{"name":"a"}`)},
				{Seq: 2, Path: []byte("items.1"), Value: []byte(`{"name":"b"}`)},
				{Seq: 3, Path: []byte("items.2"), Value: []byte(`{}`)},
			},
			`["name",{"@path":"items.#"}]`, `[["a"],["b"],[]]`,
		},
		{
			"of a top-level array",
			[]structure.Record{{Seq: 1, Path: []byte("0"), Value: []byte(`{"a":1}`)},
				{Seq: 2, Path: []byte("1"), Value: []byte(`{"b":1}`)}},
			`[]`, `[{"a":1},{"b":1}]`,
		},
		{
			"from all over",
			[]structure.Record{
				{Seq: 1, Path: []byte("kind"), Value: []byte(`"List"`)},
				{Seq: 2, Path: []byte("items.0"), Value: []byte(`[1, 2]`)},
				{Seq: 3, Path: []byte("note"), Value: []byte(`half a "text`), IsText: true},
				{Seq: 4, Path: []byte("items.1"), Value: []byte(`null`)},
			},
			`["@path","@value"]`, `[["kind","List"],["items.0",[1,2]],["note","half a \"text"],["items.1",null]]`,
		},
		{
			"of one array, with what is around it",
			[]structure.Record{
				{Seq: 1, Path: []byte("kind"), Value: []byte(`"List"`)},
				{Seq: 2, Path: []byte("items.0"), Value: []byte(`{"name":"a","size":1}`)},
				{Seq: 3, Path: []byte("items.1"), Value: []byte(`{"name":"b","size":2}`)},
				{Seq: 4, Path: []byte("items.2"), Value: []byte(`{"name":"c","size":3}`)},
				{Seq: 5, Path: []byte("note"), Value: []byte(`half a "text`), IsText: true},
			},
			`["name","size",{"@path":"items.#"},{"@around":{"kind":"List","note":"half a \"text"}}]`,
			`[["a",1],["b",2],["c",3]]`,
		},
		{
			"of two documents",
			[]structure.Record{
				{Seq: 1, Top: 1, Path: []byte("items.8"), Value: []byte(`{"name":"a"}`)},
				{Seq: 2, Top: 1, Path: []byte("items.9"), Value: []byte(`{"name":"b"}`)},
				{Seq: 3, Top: 1, Path: []byte("end"), Value: []byte(`true`)},
				{Seq: 4, Top: 2, Path: []byte("page"), Value: []byte(`2`)},
			},
			`["@path","name","@value",{"@missing":"-"}]`,
			`[["items.8","a"],["items.9","b"],["end","-",true],["page","-",2]]`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			table, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(test.records), len(test.records),
				1<<30, everything, isShorter)
			if !ok || string(table.Columns) != test.columns || string(table.Rows) != test.rows ||
				table.Omitted != (tabulate.Omitted{}) {
				t.Errorf("got  %s %s %+v\nwant %s %s", table.Columns, table.Rows, table.Omitted, test.columns,
					test.rows)
			}
		})
	}
}

// TestTableOfADocument: the records of a document are rows, and the rest of it is said once.
func TestTableOfADocument(t *testing.T) {
	for _, test := range []struct {
		name, before, record, after string
		columns, first              string
	}{
		{
			"an array", `{"kind" : "List","page":{"n":1,"items":[`,
			`{"id":%d,"note":"` + strings.Repeat("n", 90) + `%d"}`, `],"of":3},"ok":true}`,
			`["id","note",{"@path":"page.items.#"},{"@around":{"kind":"List","page":{"n":1,"of":3},"ok":true}}]`,
			`[0,"` + strings.Repeat("n", 90) + `0"]`,
		},
		{
			"a map", `{"more":{"packages":{`, `"p.%d":{"note":"` + strings.Repeat("n", 90) + `%d"}`, `}}}`,
			`["@path","note",{"@around":{"more":{}}}]`,
			`["more.packages.p\\.0","` + strings.Repeat("n", 90) + `0"]`,
		},
		{
			"nothing else", `[`, `{"id":%d,"note":"` + strings.Repeat("n", 90) + `%d"}`, `]`,
			`["id","note",{"@path":"#"}]`,
			`[0,"` + strings.Repeat("n", 90) + `0"]`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			document := []byte(test.before)
			for i := range 50 {
				if i > 0 {
					document = append(document, ", "...)
				}
				document = fmt.Appendf(document, test.record, i, i)
			}
			document = append(document, test.after...)
			records := []structure.Record{{Seq: 1, Value: document}}
			table, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(records), 1, 1<<30,
				func(tabulate.Table) bool { return true }, isShorter)
			if !ok || string(table.Columns) != test.columns || !bytes.HasPrefix(table.Rows, []byte("["+test.first)) {
				t.Errorf("got  %s %.200s\nwant %s [%s", table.Columns, table.Rows, test.columns, test.first)
			}
			var rows []any
			if decode(t, table.Rows, &rows); len(rows) != 50 || table.Omitted != (tabulate.Omitted{}) {
				t.Errorf("%d rows, omitted %+v", len(rows), table.Omitted)
			}
		})
	}
}

func TestTableAsksSeldom(t *testing.T) {
	records := logRecords(3000)
	for limit := 10; limit < 1<<20; limit *= 3 {
		asked := 0
		new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(records), len(records), 1<<30,
			func(t tabulate.Table) bool {
				asked++
				return len(t.Columns)+len(t.Rows) <= limit
			}, isShorter)
		if most := 4 * bits.Len(uint(len(records))); asked > most {
			t.Errorf("limit %d: asked %d times, want at most %d", limit, asked, most)
		}
	}
}

func TestTableOfNothing(t *testing.T) {
	if _, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(nil), 0, 1<<30,
		func(tabulate.Table) bool { return true }, isShorter); ok {
		t.Error("a table of no records")
	}
	nothing := func(tabulate.Table) bool { return false }
	if _, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(recordsOf([]byte(`{"a":1}`))), 1, 1<<30,
		nothing, isShorter); ok {
		t.Error("a table that does not fit")
	}
}

func TestTableOfTooManyColumns(t *testing.T) {
	var record []byte
	for i := range 2 * tabulate.MaxColumns {
		record = fmt.Appendf(record, `,"column%d":%d`, i, i)
	}
	record = append(append([]byte{'{'}, record[1:]...), '}')
	input := append(append(bytes.Clone(record), '\n'), record...)
	table, ok := new(tabulate.Tabulator).Tabulate(tabulate.RecordSlice(recordsOf(input)), 2, 1<<30,
		func(tabulate.Table) bool { return true }, isShorter)
	if !ok || table.Omitted != (tabulate.Omitted{}) {
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

var tableSeeds = []string{
	`{"a":1,"b":null}` + "\n" + `{"a":"null","b":""}` + "\n" + `{"a":""}` + "\n" + `{"b":[]}` + "\n" + `{}`,
	`{"a":{"b":{"c":1},"d":[1,{"e":2}]},"x":"same"}` + "\n" + `{"a":{"b":{"c":2},"d":[]},"x":"same"}` + "\n" +
		`{"a":{},"x":"same"}`,
	`{"a.b":1,"c":1}` + "\n" + `{"a":{"b":2},"c":1}` + "\n" + `{"a\\":{"b":2},"c":1}` + "\n" + `{"a\\.b":2,"c":1}`,
	`{"a":1,"a":2}` + "\n" + `{"a":{"b":1},"a":{"c":2}}` + "\n" + `{"":1,"@this":2}` + "\n" +
		`{"":{"":3},"*":2,"x[":1,"\u0061\u00e9\ud83d\ude00":4}`,
	`[1,2]` + "\n" + `{"a":1}` + "\n" + `7` + "\n" + `"text"` + "\n" + "plain \"text\" \\ \t\x01",
	` { "k" : [ 1 , 2 ] , "l" : { "m" : 1e3 } } ` + "\n" + `{"k":[1,2],"l":{"m":1000}}`,
	`{"a":1}` + "\n" + `{"a":1}`,
	`{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"j":1}}}}}}}}}}`,
	"line one\nline two is longer than the others\n\nline four",
}
