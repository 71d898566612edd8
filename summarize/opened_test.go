package summarize

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// summaryOfOpened is that of records of which some come member by member: those that isOpened says.
func summaryOfOpened(records []map[string]string, names []string, isOpened func(i int) bool) string {
	s := NewWholeSummary()
	seq := 0
	add := func(top int, path, value string) {
		seq++
		s.Add(structure.Record{Seq: seq, Top: top, Path: []byte(path), Value: []byte(value)})
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
	return string(s.Facts(anyLength).JSON())
}

// TestOpenedRecordsWithRecords: what is told of records in larger ones does not depend on which of these came in parts.
func TestOpenedRecordsWithRecords(t *testing.T) {
	var records []map[string]string
	for i := range 40 {
		var spans []string
		for j := range 6 {
			spans = append(spans, fmt.Sprintf(`{"op":"o%d","us":%d,"host":"h%d"}`, (i+j)%4, 100+i*7+j, j%3))
		}
		records = append(records,
			map[string]string{"id": fmt.Sprint(i), "spans": "[" + strings.Join(spans, ",") + "]", "body": `"x"`})
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

// TestOpenedRecordsAfterEnvelopes: an object in a string is shown of a record in parts, whatever the record before was.
func TestOpenedRecordsAfterEnvelopes(t *testing.T) {
	s := NewWholeSummary()
	for i := range 10 {
		s.Add(structure.Record{Seq: i + 1, Top: i + 1, Value: fmt.Appendf(nil, `{"id":%d,"body":"x"}`, i)})
	}
	s.Add(structure.Record{Seq: 11, Top: 11,
		Value: []byte(`{"text":"{\"a\":\"` + strings.Repeat("a", 99) + `\",\"b\":2}"}`)})
	s.Add(structure.Record{Seq: 12, Top: 12, Path: []byte("id"), Value: []byte(`12`)})
	s.Add(structure.Record{Seq: 13, Top: 12, Path: []byte("body"), Value: []byte(`"{\"inner\":1,\"other\":2}"`)})
	if facts := string(s.Facts(anyLength).JSON()); !strings.Contains(facts, `"body.inner":{`) ||
		!strings.Contains(facts, `"text.b":{`) {
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
	more := func(records ...structure.Record) int {
		s := NewSummary()
		s.Add(structure.Record{Seq: 1, Top: 1, Value: []byte("{" + b.String() + `"end":1}`)})
		for _, r := range records {
			s.Add(r)
		}
		var facts struct {
			More int `json:"more_fields"`
		}
		decode(t, s.Facts(anyLength).JSON(), &facts)
		return facts.More
	}
	var elements []structure.Record
	for i := range 50 {
		elements = append(elements,
			structure.Record{Seq: 2 + i, Path: fmt.Appendf(nil, "zz.%d.a", i), Value: []byte(`1`)})
	}
	if none, one, many := more(), more(elements[0]), more(elements...); one != none+1 || many != one {
		t.Errorf("%d fields more, %d with one element, %d with %d", none, one, many, len(elements))
	}
}

// chunksOf are a document's chunks: the containers that isOpened says come in parts.
func chunksOf(document string, isOpened func(path string) bool) (chunks []structure.Record) {
	var walk func(top int, path string, value gjson.Result)
	walk = func(top int, path string, value gjson.Result) {
		if !isOpened(path) {
			chunks = append(chunks, structure.Record{Seq: len(chunks) + 1, Top: top, Path: []byte(path),
				Value: []byte(value.Raw)})
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

// TestOpenedAnywhere: the facts of a document's records do not depend on which of them came in parts, wherever they
// are in it, nor on what of these came in parts in turn.
func TestOpenedAnywhere(t *testing.T) {
	record := func(i int) string {
		return fmt.Sprintf(`{"id":%d,"state":"s%d","d":{"x":%d,"y":{"z":"v%d"}},"tags":["a","b%d"],"none":null}`, i,
			i%3, i*7, i%4, i)
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
		"an array at the top": {`[` + list("@") + `]`, []string{""}, "%d"},
		"in an envelope": {`{"total":20,"items":[` + list("@") + `],"next":null}`, []string{"", "items"},
			"items.%d"},
		"in records":             {`{"items":[` + list(`{"k":#,"x":@}`) + `]}`, []string{"", "items"}, "items.%d"},
		"deep in records":        {`[` + list(`{"k":#,"x":{"y":@}}`) + `]`, []string{""}, "%d"},
		"in arrays in envelopes": {`{"a":{"b":[` + list("@") + `]}}`, []string{"", "a", "a.b"}, "a.b.%d"},
		"a map":                  {`{"m":{` + list(`"d#":@`) + `}}`, []string{"", "m"}, "m.d%d"},
		"a map at the top":       {`{` + list(`"d#":@`) + `}`, []string{""}, "d%d"},
	} {
		t.Run(name, func(t *testing.T) {
			facts := func(which ...int) (facts, unwatched string) {
				opened := slices.Clone(c.opened)
				for _, i := range which {
					path := fmt.Sprintf(c.records, i)
					opened = append(opened, path, path+".x", path+".x.y", path+".d", path+".d.y")
				}
				chunks := chunksOf(c.document, func(path string) bool { return slices.Contains(opened, path) })
				return string(watched(chunks).Facts(anyLength).JSON()), string(summaryOf(chunks).Facts(anyLength).JSON())
			}
			want, unwatched := facts()
			if !strings.Contains(want, `"records":20,`) {
				t.Fatal(want)
			}
			for _, which := range [][]int{{2}, {19}, {7, 8, 13}, {3, 4, 5, 18, 19}} {
				got, records := facts(which...)
				if got != want {
					t.Errorf("with %v in parts\n%s\nis told, not\n%s", which, got, want)
				}
				if counted := gjson.Get(records, "records").Int(); counted != gjson.Get(unwatched, "records").Int() {
					t.Errorf("with %v in parts there are %d records in\n%s, not as in\n%s", which, counted, records,
						unwatched)
				}
			}
		})
	}
}

// TestRecordsBesideLines: fields that all records have are not told with how many that are, though most of the
// response is lines, some of them rows of a table.
func TestRecordsBesideLines(t *testing.T) {
	s := NewWholeSummary()
	seq := 0
	add := func(r structure.Record) {
		seq++
		r.Seq = seq
		s.Add(r)
	}
	for i := range 20 {
		add(structure.Record{Top: i + 1, Value: fmt.Appendf(nil, `{"id":%d,"of":"a"}`, i)})
	}
	add(structure.Record{Value: []byte("NAME     READY   AGE"), IsText: true})
	for i := range 30 {
		add(structure.Record{Value: fmt.Appendf(nil, "pod-%d    1/1     %dm", 10+i, 10+i), IsText: true})
	}
	for i := range 60 {
		add(structure.Record{Value: fmt.Appendf(nil, "thereafter-comes-a-longer-line %d of others", i), IsText: true})
	}
	facts := string(s.Facts(anyLength).JSON())
	for _, want := range []string{`"records":20,`, `"of":{"const":"a"}`, `"rows":30`, `"READY":{"values":{"1/1":30}}`} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in %s", want, facts)
		}
	}
}

// TestTextOfOneRecord: a long text in one of many records does not make the response one of lines; where many have
// one, it is.
func TestTextOfOneRecord(t *testing.T) {
	for _, test := range []struct {
		every int
		want  string
	}{{40, `{"records":40,"at":"items[]","fields":`},
		{4, `{"records":40,"fields":{"items[].id":{`}} {
		s := NewWholeSummary()
		seq := 0
		add := func(path, value string, isText bool) {
			seq++
			s.Add(structure.Record{Seq: seq, Top: 1, Path: []byte(path), Value: []byte(value), IsText: isText})
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
		if facts := string(s.Facts(anyLength).JSON()); !strings.HasPrefix(facts, test.want) ||
			!strings.Contains(facts, `"lines":`) {
			t.Errorf("%s\nis not\n%s", facts, test.want)
		}
	}
}

// TestMembersAlike: two members of a record that are alike, as source and destination are, make it no map of such.
func TestMembersAlike(t *testing.T) {
	var items []string
	for i := range 12 {
		items = append(items, fmt.Sprintf(
			`{"id":%d,"src":{"ip":"a%d","port":%d},"dst":{"ip":"b%d","port":%d},"blob":"x"}`, i, i, i, i, i))
	}
	s := watched(chunksOf(`{"items":[`+strings.Join(items, ",")+`]}`,
		func(path string) bool { return strings.Count(path, ".") < 2 && !strings.HasSuffix(path, "x") }))
	facts := string(s.Facts(anyLength).JSON())
	for _, want := range []string{`"records":12,"at":"items[]"`, `"id":{"min":0,"max":11,`, `"src.ip":{`,
		`"dst.port":{`} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in\n%s", want, facts)
		}
	}
}

// TestMembersKnownBefore: what has come as a member of other records is no member of a map, though a new one beside
// it is like it.
func TestMembersKnownBefore(t *testing.T) {
	var chunks []structure.Record
	add := func(path, value string) {
		chunks = append(chunks, structure.Record{Seq: len(chunks) + 1, Top: 1, Path: []byte(path),
			Value: []byte(value)})
	}
	for i := range 10 {
		add(fmt.Sprint("items.", i), fmt.Sprintf(`{"id":%d,"d":{"from":{"ip":"a%d","port":%d}}}`, i, i, i))
	}
	add("items.10.id", "10")
	add("items.10.d.from", `{"ip":"a10","port":10}`)
	add("items.10.d.via", `{"ip":"v","port":7}`)
	facts := string(watched(chunks).Facts(anyLength).JSON())
	if !strings.Contains(facts, `"d.from.port":{"min":0,"max":10,"distinct":11}`) ||
		!strings.Contains(facts, `"d.via.port":{`) {
		t.Error(facts)
	}
}

// TestFirstRecordWithText: a first record that begins with a long text is the first one, and counts.
func TestFirstRecordWithText(t *testing.T) {
	s := NewWholeSummary()
	seq := 0
	add := func(top int, path, value string, isText bool) {
		seq++
		s.Add(structure.Record{Seq: seq, Top: top, Path: []byte(path), Value: []byte(value), IsText: isText})
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
	if facts := string(s.Facts(anyLength).JSON()); !strings.HasPrefix(facts, `{"records":30,`) ||
		!strings.Contains(facts, `"id":{"min":0,"max":29,`) {
		t.Error(facts)
	}
}

// TestRecordsBesideOneRow: a line that reads like a record hides no field of the records.
func TestRecordsBesideOneRow(t *testing.T) {
	s := NewWholeSummary()
	for i := range 300 {
		r := structure.Record{Seq: i + 1, Top: i + 1,
			Value: fmt.Appendf(nil, `{"level":"%s","status":%d}`, []string{"info", "warn"}[i%2], 200+i%3)}
		switch {
		case i == 290:
			r.Value, r.IsText = []byte("level=info status=200 took=5"), true
		case i > 200:
			r.Value, r.IsText = fmt.Appendf(nil, "worker %d is done", i), true
		}
		s.Add(r)
	}
	if facts := string(s.Facts(anyLength).JSON()); !strings.Contains(facts, `"level":{`) ||
		!strings.Contains(facts, `"status":{`) {
		t.Error(facts)
	}
}

// TestNamesThatBeginAlike: of two records in parts the name of one may begin as that of the other.
func TestNamesThatBeginAlike(t *testing.T) {
	s := NewWholeSummary()
	for i, name := range []string{"a", "b", "d12", "d1", "d"} {
		path := "m." + name
		if i < 2 {
			s.Add(structure.Record{Seq: i + 1, Top: 1, Path: []byte(path),
				Value: fmt.Appendf(nil, `{"id":%d,"of":"x"}`, i)})
			continue
		}
		s.Add(structure.Record{Seq: 2*i - 1, Top: 1, Path: []byte(path + ".id"), Value: fmt.Append(nil, i)})
		s.Add(structure.Record{Seq: 2 * i, Top: 1, Path: []byte(path + ".of"), Value: []byte(`"x"`)})
	}
	facts := string(s.Facts(anyLength).JSON())
	if !strings.HasPrefix(facts,
		`{"records":5,"at":"m.*","fields":`) {
		t.Error(facts)
	}
}

// TestRecordsInParts: the records in a part of a record are records, and elements that came in larger ones are
// counted with one that comes in parts.
func TestRecordsInParts(t *testing.T) {
	spans := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,{"op":"o%d","us":%d,"host":"a host with a long name, number %d"}`, i%4, i*7, i%3)
		}
		return "[" + b.String()[1:] + "]"
	}
	var chunks []structure.Record
	add := func(path, value string) {
		chunks = append(chunks, structure.Record{Seq: len(chunks) + 1, Top: 1, Path: []byte(path),
			Value: []byte(value)})
	}
	for i := range 6 {
		add(fmt.Sprintf("items.%d.id", i), strconv.Itoa(i))
		add(fmt.Sprintf("items.%d.spans", i), spans(90))
	}
	if facts := string(watched(chunks).Facts(anyLength).JSON()); !strings.HasPrefix(facts,
		`{"records":540,"at":"items[].spans[]"`) || !strings.Contains(facts, `"items[]":{"records":6}`) {
		t.Error(facts)
	}

	chunks = nil
	for i := range 10 {
		add(fmt.Sprint("items.", i),
			fmt.Sprintf(`{"id":%d,"note":"a note that is longer than what is in the array after it","spans":%s}`, i,
				spans(2)))
	}
	for i := range 3 {
		add(fmt.Sprintf("items.10.spans.%d.op", i), `"o0"`)
		add(fmt.Sprintf("items.10.spans.%d.us", i), "7")
	}
	if facts := string(watched(chunks).Facts(anyLength).JSON()); !strings.HasPrefix(facts,
		`{"records":23,"at":"items[].spans[]"`) || !strings.Contains(facts, `"items[]":{"records":11}`) {
		t.Error(facts)
	}
}

// TestWhatCameWholeCounts: a map in a record in parts has its first member, too; of arrays of scalars those that came
// whole count with one whose elements come one by one.
func TestWhatCameWholeCounts(t *testing.T) {
	var chunks []structure.Record
	add := func(path, value string) {
		chunks = append(chunks, structure.Record{Seq: len(chunks) + 1, Top: 1, Path: []byte(path),
			Value: []byte(value)})
	}
	for i := range 5 {
		add(fmt.Sprint("items.", i), fmt.Sprintf(`{"id":%d,"d":{"x":1}}`, i))
	}
	add("items.5.id", "5")
	for i := range 50 {
		add(fmt.Sprint("items.5.d.d", i),
			fmt.Sprintf(`{"v":%d,"w":"w"%s}`, i, []string{`,"odd":"o"`, "", `,"odd":"p"`}[i%3]))
	}
	if facts := string(watched(chunks).Facts(anyLength).JSON()); !strings.HasPrefix(facts,
		`{"records":50,"at":"items[].d.*"`) || !strings.Contains(facts, `"odd":{"values":{"o":17,"p":16},"in":33}`) {
		t.Error(facts)
	}

	chunks = nil
	for i := range 5 {
		add(fmt.Sprint("a.", i), fmt.Sprintf(`{"id":%d,"values":[1,2,3]}`, i))
	}
	add("a.5.id", "5")
	for i := range 50 {
		add(fmt.Sprint("a.5.values.", i), strconv.Itoa(i))
	}
	facts := string(watched(chunks).Facts(anyLength).JSON())
	if !strings.HasPrefix(facts, `{"records":65,"at":"a[].values[]"`) || strings.Contains(facts, `"in":`) ||
		strings.Contains(facts, `"in~":`) {
		t.Error(facts)
	}
}
