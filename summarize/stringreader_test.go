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
