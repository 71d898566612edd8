package encode

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
)

// TestTextReadsOneWay: a value that reads like several ones is in quotes, wherever others may follow.
func TestTextReadsOneWay(t *testing.T) {
	got := string(Text{}.Append(nil, &Frame{
		Mode: budget.Summary, First: 1, Last: 9, Handle: "h1",
		Facts: []byte(`{"records":9,"first":{"note":"paid, sum=3","sum":4},"fields":{"note":` +
			`{"values":{"late, paid: 3":5,"due":4}},"kind":{"in":3,"const":"a, max 7"}}}`),
		Notable: []Notable{{Chunk: 3, Why: "rare note", Data: []byte(`{"note":"b, id=7","id":3}`), IsPart: true}},
	}))
	want := `kfw: summary of chunks 1 to 9
records: 9
first: note="paid, sum=3", sum=4
note: "late, paid: 3": 5, due: 4
kind: in 3, const "a, max 7"
kfw: chunk 3, rare note: note="b, id=7", id=3
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestTemplatesAsText: a count that is an estimate is marked.
func TestTemplatesAsText(t *testing.T) {
	for template, want := range map[string]string{
		`{"n":7,"line":"a <num>"}`:                          "7 x a <num>",
		`{"n":7,"line":"a <num>","first":2,"last":9}`:       "7 x a <num> (2 to 9)",
		`{"n":1,"line":"a 1","first":2}`:                    "1 x a 1 (2)",
		`{"n~":7,"line":"a <num>","first~":200,"last":900}`: "7~ x a <num> (200~ to 900)",
	} {
		if got := string(appendTemplate(nil, gjson.Parse(template))); got != want {
			t.Errorf("%s: %q, not %q", template, got, want)
		}
	}
}
