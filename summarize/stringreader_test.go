package summarize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestEnvelopes: the facts of JSON in the string of an envelope are those of the same JSON in place of the string,
// however the string is written.
func TestEnvelopes(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	for range 100 {
		rows := make([]any, 5+random.IntN(60))
		for i := range rows {
			rows[i] = map[string]any{
				"id": i, "state": nameOf(random.IntN(4)), "note": `a "b" \ c` + "\n\té€😀",
				"in": map[string]any{"n": random.IntN(9), "text": `{"n": x}`},
			}
		}
		var payload any = rows
		if random.IntN(2) == 0 {
			payload = map[string]any{"rows": rows, "next": nil}
		}
		text, err := json.Marshal(payload)
		if random.IntN(2) == 0 {
			text, err = json.MarshalIndent(payload, "", "  ")
			text = append(text, '\n')
		}
		if err != nil {
			t.Fatal(err)
		}
		quoted, err := json.Marshal(string(text))
		if random.IntN(2) == 0 {
			quoted = bytes.ReplaceAll(jsonx.AppendCanonicalString(nil, text), []byte("n"), []byte(`\u006e`))
			quoted = bytes.ReplaceAll(quoted, []byte(`\\u006e`), []byte(`\n`))
		}
		if err != nil || !json.Valid(quoted) {
			t.Fatal(err, string(quoted))
		}
		envelope := `{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":%s}],"isError":false}}`
		got := watched(recordsOf([]byte(fmt.Sprintf(envelope, quoted))))
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			t.Fatal(err)
		}
		want := watched(recordsOf([]byte(fmt.Sprintf(envelope, &compact))))
		if got, want := string(got.Facts(anyLength).JSON()), string(want.Facts(anyLength).JSON()); got != want {
			t.Fatalf("%s\n%s\nnot\n%s", quoted, got, want)
		}
	}
}

// TestTextsOfEnvelopes: a text that is most of the first record is shown by its lines, and what is around it as fields.
func TestTextsOfEnvelopes(t *testing.T) {
	text := "ID  STATE   NODE\n"
	for i := range 180 {
		text += fmt.Sprintf("%-3d %-7s n%d\r\n", i, []string{"up", "down"}[i%7/6], i%3)
	}
	envelope := fmt.Appendf(nil, `{"id":7,"content":[{"type":"text","text":%s}],"s":"{\"x\":1}"}`,
		jsonx.AppendCanonicalString(nil, text))
	facts, alone := factsOf(t, watched(recordsOf(envelope))),
		factsOf(t, watched(linesOf(strings.ReplaceAll(text, "\r", ""))))
	if facts.Lines != 181 || facts.Rows != alone.Rows || facts.Rows != 180 {
		t.Errorf("%+v, not %+v", facts, alone)
	}
	for name, field := range alone.Fields {
		if got := facts.Fields[name]; fmt.Sprint(got.Values, got.Min, got.Max,
			got.Distinct) != fmt.Sprint(field.Values, field.Min, field.Max, field.Distinct) {
			t.Errorf("%s: %+v, not %+v", name, got, field)
		}
	}
	if _, ok := facts.Fields["content[].type"]; !ok || len(facts.Fields) != len(alone.Fields)+4 {
		t.Errorf("%+v", facts.Fields)
	}
	for _, records := range []string{
		`{"id":7}` + "\n" + string(envelope), // not the first
		fmt.Sprintf(`{%s:1}`, jsonx.AppendCanonicalString(nil, text)),
		fmt.Sprintf(`{"text":%s,"more":%q}`, jsonx.AppendCanonicalString(nil, text), strings.Repeat("x", 2*len(text))),
		fmt.Sprintf(`{"a":%s,"b":%s,"more":%q}`, jsonx.AppendCanonicalString(nil, text),
			jsonx.AppendCanonicalString(nil, text[:len(text)-20]), strings.Repeat("x", len(text))),
		fmt.Sprintf(`{"text":%s}`, jsonx.AppendCanonicalString(nil, strings.ReplaceAll(text, "\r\n", " "))),
		fmt.Sprintf(`{"text":%s}`, jsonx.AppendCanonicalString(nil, text[:600])),
	} {
		if facts := factsOf(t, watched(recordsOf([]byte(records)))); facts.Lines > 0 {
			t.Errorf("%.60s: %d lines", records, facts.Lines)
		}
	}
}

// TestWhichTexts: the texts of a record that comes member by member are shown with others, those of a response that
// goes on and those in JSON in strings are not, and a text does not go on with the one before.
func TestWhichTexts(t *testing.T) {
	text := jsonx.AppendCanonicalString(nil,
		strings.Repeat("this line is one of a text that is told by its lines, all forty\n", 40))
	record := fmt.Appendf(nil, `{"id":1,"output":%s}`, text)

	s := NewWholeSummary()
	s.Add(structure.Record{Seq: 1, Top: 1, Value: record})
	s.Add(structure.Record{Seq: 2, Top: 2, Path: []byte("id"), Value: []byte("2")})
	s.Add(structure.Record{Seq: 3, Top: 2, Path: []byte("output"), Value: text})
	if facts := factsOf(t, s); facts.Lines != 80 {
		t.Errorf("%d lines with those of a record that came member by member", facts.Lines)
	}

	s = NewWholeSummary()
	s.Add(structure.Record{Seq: 7, Top: 7, Value: record})
	if facts := factsOf(t, s); facts.Lines > 0 {
		t.Errorf("%d lines of a window", facts.Lines)
	}

	list := []byte(`{"list":[`)
	for i := range 4 {
		inner := fmt.Appendf(nil, `{"n":%d,"text":%s}`, i, text)
		list = append(jsonx.AppendCanonicalString(append(list, `{"body":`...), inner), "},"...)
	}
	s = NewWholeSummary()
	s.Add(structure.Record{Seq: 1, Top: 1, Value: append(list, `{}]}`...)})
	if facts := factsOf(t, s); facts.Lines > 0 {
		t.Errorf("%d lines in JSON in strings", facts.Lines)
	}

	rows := ""
	for i := range 30 {
		rows += fmt.Sprintf("%d up n%d\n", i, i%3)
	}
	header := jsonx.AppendCanonicalString(nil,
		strings.Repeat("this line is one of a text that is told by its lines, all forty\n", 40)+"ID STATE NODE\n")
	together := fmt.Appendf(nil, `{"output":%s}`+"\n"+`{"output":%s}`, header, jsonx.AppendCanonicalString(nil, rows))
	if facts := factsOf(t, watched(recordsOf(together))); facts.Lines != 71 || facts.Fields["STATE"].Const != nil {
		t.Errorf("a header in one text and rows in the next: %+v", facts)
	}
}

// TestPathsAreNoTexts: a string with a backslash before an n has one line.
func TestPathsAreNoTexts(t *testing.T) {
	text := strings.Repeat("a line of a text that is told by its lines, as it is long enough\n", 60)
	records := fmt.Appendf(nil, `{"output":%s}`+"\n", jsonx.AppendCanonicalString(nil, text))
	for range 20 {
		records = append(records, `{"output":"C:\\new\\none"}`+"\n"...)
	}
	if facts := factsOf(t, watched(recordsOf(bytes.TrimSpace(records)))); facts.Lines != 60+20 || facts.Records != 21 {
		t.Errorf("%d lines, %d records", facts.Lines, facts.Records)
	}
}

// TestMostAreNoEnvelopes: where most records have JSON in a string that is not most of them, it is a string in all of
// them.
func TestMostAreNoEnvelopes(t *testing.T) {
	s := NewSummary()
	for i := range 200 {
		note := strings.Repeat("what was thought of it before it was called ", 8)
		if i%50 == 2 {
			note = "ok"
		}
		s.Add(structure.Record{Seq: i + 1,
			Value: fmt.Appendf(nil, `{"note":%q,"calls":[{"f":{"name":"open","arguments":"{\"path\": \"/srv/a%d\", \"mode\": \"r\", \"more\": [%d, 2, 3, 4, 5, 6, 7, 8, 9]}"}}]}`, note, i, i)})
	}
	facts := s.Facts(anyLength).JSON()
	field := gjson.GetBytes(facts, "fields").Get(`calls\[\]\.f\.arguments`)
	if !field.Exists() || field.Get("types").Exists() || strings.Contains(string(facts), "arguments.path") {
		t.Errorf("%s", facts)
	}
}

// TestObjectsAtOnePlace: strings with JSON at one place are all strings or all objects, however deep in its record
// each of them is.
func TestObjectsAtOnePlace(t *testing.T) {
	const policy = `{"attributes":{"policy":"{\"version\": 3, \"allow\": true}"}}`
	whole := func(s *Summary, i int) {
		s.Add(structure.Record{Seq: i + 1, Top: 1, Path: fmt.Appendf(nil, "list.%d", i),
			Value: fmt.Appendf(nil, `{"name":"n%d","parts":[%s]}`, i, policy)})
	}
	opened := func(s *Summary, i int) {
		s.Add(structure.Record{Seq: i + 1, Top: 1, Path: fmt.Appendf(nil, "list.40.parts.%d", i),
			Value: []byte(policy)})
	}
	for name, order := range map[string][2]func(*Summary, int){"whole first": {whole, opened},
		"opened first": {opened, whole}} {
		s := NewSummary()
		for i := range 60 {
			order[i/40](s, i)
		}
		if facts := s.Facts(anyLength).JSON(); bytes.Contains(facts, []byte(`"types"`)) ||
			!bytes.Contains(facts, []byte("policy")) {
			t.Errorf("%s: %s", name, facts)
		}
	}
}

// TestStatusAroundText: of the result of a tool that wrote much, the few short values around that are shown first, and
// what it says of why it failed stands out.
func TestStatusAroundText(t *testing.T) {
	source := rand.New(rand.NewPCG(7, 8))
	var text strings.Builder
	for i := range 500 {
		for range 3 + source.IntN(9) {
			fmt.Fprintf(&text, "%s%d ", []string{"take", "give", "put", "left", "right", "seen"}[source.IntN(6)],
				source.IntN(90))
		}
		text.WriteString([]string{"error: odd\n", "ok\n", "warning\n"}[i%3])
	}
	s := NewWholeSummary()
	s.Add(structure.Record{Seq: 1, Top: 1,
		Value: fmt.Appendf(nil, `{"name":"bash","exit_code":3,"stdout":%s,"stderr":"wrote 3 of 4 parts\nfatal: no space left on the device"}`,
			jsonx.AppendCanonicalString(nil, []byte(text.String())))})
	facts := string(s.Facts(atMost(400)).JSON())
	for _, want := range []string{`"name":{"const":"bash"}`, `"exit_code":{"const":3}`,
		`"stderr":{"const":"wrote 3 of 4`} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in\n%s", want, facts)
		}
	}
	if strings.Contains(facts, `"stdout":{`) {
		t.Errorf("the text is told as a value, too: %s", facts)
	}
}
