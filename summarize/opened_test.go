package summarize

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// summaryOfOpened is that of records of which some come member by member: those that isOpened says.
func summaryOfOpened(records []map[string]string, names []string, isOpened func(i int) bool) string {
	s := NewWatchfulSummary()
	seq := 0
	add := func(top int, path, value string) {
		seq++
		s.Add(Record{Seq: seq, Top: top, Path: []byte(path), Value: []byte(value)})
	}
	for i, r := range records {
		var members []string
		for _, name := range names {
			if isOpened(i) {
				add(i+1, name, r[name])
			}
			members = append(members, fmt.Sprintf("%q:%s", name, r[name]))
		}
		if !isOpened(i) {
			add(i+1, "", "{"+strings.Join(members, ",")+"}")
		}
	}
	return string(s.Facts(anyLength))
}

// TestOpenedRecordsWithRecords: what is told of records in larger ones does not depend on which of these came in parts.
func TestOpenedRecordsWithRecords(t *testing.T) {
	var records []map[string]string
	for i := range 40 {
		var spans []string
		for j := range 6 {
			spans = append(spans, fmt.Sprintf(`{"op":"o%d","us":%d,"host":"h%d"}`, (i+j)%4, 100+i*7+j, j%3))
		}
		records = append(records, map[string]string{"id": fmt.Sprint(i), "spans": "[" + strings.Join(spans, ",") + "]", "body": `"x"`})
	}
	names := []string{"id", "spans", "body"}
	want := summaryOfOpened(records, names, func(int) bool { return false })
	if !strings.Contains(want, `"records":240,"at":"spans[]"`) {
		t.Fatal(want)
	}
	for last := 21; last < 40; last++ {
		if got := summaryOfOpened(records, names, func(i int) bool { return 20 <= i && i < last }); got != want {
			t.Fatalf("of 20 to %d in parts\n%s\nis told, not\n%s", last, got, want)
		}
	}
}

// TestOpenedRecordsAfterEnvelopes: an object in a string is told of a record in parts, whatever the record before was.
func TestOpenedRecordsAfterEnvelopes(t *testing.T) {
	s := NewWatchfulSummary()
	for i := range 10 {
		s.Add(Record{Seq: i + 1, Top: i + 1, Value: fmt.Appendf(nil, `{"id":%d,"body":"x"}`, i)})
	}
	s.Add(Record{Seq: 11, Top: 11, Value: []byte(`{"text":"{\"a\":\"` + strings.Repeat("a", 99) + `\",\"b\":2}"}`)})
	s.Add(Record{Seq: 12, Top: 12, Path: []byte("id"), Value: []byte(`12`)})
	s.Add(Record{Seq: 13, Top: 12, Path: []byte("body"), Value: []byte(`"{\"inner\":1,\"other\":2}"`)})
	if facts := string(s.Facts(anyLength)); !strings.Contains(facts, `"body.inner":{`) || !strings.Contains(facts, `"text.b":{`) {
		t.Error(facts)
	}
}

// TestPlacesPastTheCaps: what stands at the same place of many elements is one field, also past the caps.
func TestPlacesPastTheCaps(t *testing.T) {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, `"o%d":{`, i)
		for j := range 32 {
			fmt.Fprintf(&b, `"m%d":1,`, j)
		}
		b.WriteString(`"z":1},`)
	}
	more := func(records ...Record) int {
		s := NewSummary()
		s.Add(Record{Seq: 1, Top: 1, Value: []byte("{" + b.String() + `"end":1}`)})
		for _, r := range records {
			s.Add(r)
		}
		var facts struct {
			More int `json:"more_fields"`
		}
		decode(t, s.Facts(anyLength), &facts)
		return facts.More
	}
	var elements []Record
	for i := range 50 {
		elements = append(elements, Record{Seq: 2 + i, Path: fmt.Appendf(nil, "zz.%d.a", i), Value: []byte(`1`)})
	}
	if none, one, many := more(), more(elements[0]), more(elements...); one != none+1 || many != one {
		t.Errorf("%d fields more, %d with one element, %d with %d", none, one, many, len(elements))
	}
}

// TestPathsOfOtherRecords: what stands out among records that are not where most are is told by its whole path.
func TestPathsOfOtherRecords(t *testing.T) {
	s := NewWatchfulSummary()
	seq := 0
	add := func(path, value string) {
		seq++
		s.Add(Record{Seq: seq, Top: 1, Path: []byte(path), Value: []byte(value)})
	}
	for i := range 900 {
		add(fmt.Sprintf("indices.%d", i), strconv.Itoa(i*7919%500))
	}
	for i := range 300 {
		n := float64(i*37%200)/100 - 1
		if i == 177 {
			n = 917.25
		}
		add(fmt.Sprintf("positions.%d", i), strconv.FormatFloat(n, 'f', -1, 64))
	}
	notables, _ := s.Notables()
	if len(notables) == 0 || notables[0].Why != "far out: positions[]" || string(notables[0].Data) != `{"positions[]":917.25}` {
		t.Errorf("%v", notables)
	}
}

// chunksOf are a document's chunks: the containers that isOpened says come in parts.
func chunksOf(document string, isOpened func(path string) bool) (chunks []Record) {
	var walk func(top int, path string, value gjson.Result)
	walk = func(top int, path string, value gjson.Result) {
		if !isOpened(path) {
			chunks = append(chunks, Record{Seq: len(chunks) + 1, Top: top, Path: []byte(path), Value: []byte(value.Raw)})
			return
		}
		i := 0
		value.ForEach(func(name, member gjson.Result) bool {
			top, part := top, name.Str
			if value.IsArray() {
				part = strconv.Itoa(i)
				if path == "" {
					top = i + 1
				}
			}
			i++
			walk(top, strings.TrimPrefix(path+"."+part, "."), member)
			return true
		})
	}
	walk(1, "", gjson.Parse(document))
	return chunks
}

// TestOpenedAnywhere: the facts of a document's records do not depend on which of them came in parts, wherever they are in it, nor on
// what of these came in parts in turn.
func TestOpenedAnywhere(t *testing.T) {
	record := func(i int) string {
		return fmt.Sprintf(`{"id":%d,"state":"s%d","d":{"x":%d,"y":{"z":"v%d"}},"tags":["a","b%d"],"none":null}`, i, i%3, i*7, i%4, i)
	}
	list := func(form string) string {
		var elements []string
		for i := range 20 {
			elements = append(elements, strings.NewReplacer("#", strconv.Itoa(i), "@", record(i)).Replace(form))
		}
		return strings.Join(elements, ",")
	}
	for name, c := range map[string]struct {
		document string
		opened   []string // what always comes in parts, and
		records  string   // where the records are, %d being which
	}{
		"an array at the top":    {`[` + list("@") + `]`, []string{""}, "%d"},
		"in an envelope":         {`{"total":20,"items":[` + list("@") + `],"next":null}`, []string{"", "items"}, "items.%d"},
		"in records":             {`{"items":[` + list(`{"k":#,"x":@}`) + `]}`, []string{"", "items"}, "items.%d"},
		"deep in records":        {`[` + list(`{"k":#,"x":{"y":@}}`) + `]`, []string{""}, "%d"},
		"in arrays in envelopes": {`{"a":{"b":[` + list("@") + `]}}`, []string{"", "a", "a.b"}, "a.b.%d"},
		"a map":                  {`{"m":{` + list(`"d#":@`) + `}}`, []string{"", "m"}, "m.d%d"},
		"a map at the top":       {`{` + list(`"d#":@`) + `}`, []string{""}, "d%d"},
	} {
		t.Run(name, func(t *testing.T) {
			facts := func(which ...int) string {
				opened := slices.Clone(c.opened)
				for _, i := range which {
					path := fmt.Sprintf(c.records, i)
					opened = append(opened, path, path+".x", path+".x.y", path+".d", path+".d.y")
				}
				s := watched(chunksOf(c.document, func(path string) bool { return slices.Contains(opened, path) }))
				return string(s.Facts(anyLength))
			}
			want := facts()
			if !strings.Contains(want, `"records":20,`) {
				t.Fatal(want)
			}
			for _, which := range [][]int{{2}, {19}, {7, 8, 13}, {3, 4, 5, 18, 19}} {
				if got := facts(which...); got != want {
					t.Errorf("with %v in parts\n%s\nis told, not\n%s", which, got, want)
				}
			}
		})
	}
}

// TestRecordsBesideLines: fields that all records have are not told with how many that are, though most of the response is lines, some
// of them rows of a table.
func TestRecordsBesideLines(t *testing.T) {
	s := NewWatchfulSummary()
	seq := 0
	add := func(r Record) {
		seq++
		r.Seq = seq
		s.Add(r)
	}
	for i := range 20 {
		add(Record{Top: i + 1, Value: fmt.Appendf(nil, `{"id":%d,"of":"a"}`, i)})
	}
	add(Record{Value: []byte("NAME     READY   AGE"), IsText: true})
	for i := range 30 {
		add(Record{Value: fmt.Appendf(nil, "pod-%d    1/1     %dm", 10+i, 10+i), IsText: true})
	}
	for i := range 60 {
		add(Record{Value: fmt.Appendf(nil, "thereafter-comes-a-longer-line %d of others", i), IsText: true})
	}
	facts := string(s.Facts(anyLength))
	for _, want := range []string{`"records":20,`, `"of":{"const":"a"}`, `"rows":30`, `"READY":{"values":{"1/1":30}}`} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in %s", want, facts)
		}
	}
}

// TestTextOfOneRecord: a long text in one of many records does not make the response one of lines; where many have one, it is.
func TestTextOfOneRecord(t *testing.T) {
	for _, test := range []struct {
		every int
		want  string
	}{{40, `{"records":40,"at":"items[]","first":{"id":0,"text":"short"},"last":{"id":39,"text":"short"},`}, {4, `{"records":40,"fields":{"items[].id":{`}} {
		s := NewWatchfulSummary()
		seq := 0
		add := func(path, value string, isText bool) {
			seq++
			s.Add(Record{Seq: seq, Top: 1, Path: []byte(path), Value: []byte(value), IsText: isText})
		}
		for i := range 40 {
			path := fmt.Sprint("items.", i)
			if i%test.every != test.every/2 {
				add(path, fmt.Sprintf(`{"id":%d,"text":"short"}`, i), false)
				continue
			}
			add(path+".id", strconv.Itoa(i), false)
			path += ".text"
			for j := range 60 {
				add(path, fmt.Sprintf("line %d of a long text", j), true)
				path = ""
			}
		}
		if facts := string(s.Facts(anyLength)); !strings.HasPrefix(facts, test.want) || !strings.Contains(facts, `"lines":`) {
			t.Errorf("%s\nis not\n%s", facts, test.want)
		}
	}
}

// TestMembersAlike: two members of a record that are alike, as source and destination are, make it no map of such.
func TestMembersAlike(t *testing.T) {
	var items []string
	for i := range 12 {
		items = append(items, fmt.Sprintf(`{"id":%d,"src":{"ip":"a%d","port":%d},"dst":{"ip":"b%d","port":%d},"blob":"x"}`, i, i, i, i, i))
	}
	s := watched(chunksOf(`{"items":[`+strings.Join(items, ",")+`]}`, func(path string) bool { return strings.Count(path, ".") < 2 && !strings.HasSuffix(path, "x") }))
	facts := string(s.Facts(anyLength))
	for _, want := range []string{`"records":12,"at":"items[]"`, `"id":{"min":0,"max":11,`, `"src.ip":{`, `"dst.port":{`} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in\n%s", want, facts)
		}
	}
}

// TestFirstRecordWithText: a first record that begins with a long text is the first one, and counts.
func TestFirstRecordWithText(t *testing.T) {
	s := NewWatchfulSummary()
	seq := 0
	add := func(top int, path, value string, isText bool) {
		seq++
		s.Add(Record{Seq: seq, Top: top, Path: []byte(path), Value: []byte(value), IsText: isText})
	}
	for i := range 30 {
		if i > 0 {
			add(i+1, "", fmt.Sprintf(`{"text":"x","id":%d,"n":%d}`, i, i%3), false)
			continue
		}
		path := "text"
		for j := range 40 {
			add(1, path, fmt.Sprint("line ", j), true)
			path = ""
		}
		add(1, "id", "0", false)
		add(1, "n", "0", false)
	}
	if facts := string(s.Facts(anyLength)); !strings.HasPrefix(facts, `{"records":30,`) || !strings.Contains(facts, `"id":{"min":0,"max":29,`) {
		t.Error(facts)
	}
}

// TestRecordsBesideOneRow: a line that reads like a record hides no field of the records.
func TestRecordsBesideOneRow(t *testing.T) {
	s := NewWatchfulSummary()
	for i := range 300 {
		r := Record{Seq: i + 1, Top: i + 1, Value: fmt.Appendf(nil, `{"level":"%s","status":%d}`, []string{"info", "warn"}[i%2], 200+i%3)}
		switch {
		case i == 290:
			r.Value, r.IsText = []byte("level=info status=200 took=5"), true
		case i > 200:
			r.Value, r.IsText = fmt.Appendf(nil, "worker %d is done", i), true
		}
		s.Add(r)
	}
	if facts := string(s.Facts(anyLength)); !strings.Contains(facts, `"level":{`) || !strings.Contains(facts, `"status":{`) {
		t.Error(facts)
	}
}
