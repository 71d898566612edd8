package pipeline

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/budget"
)

// TestTextReadsOneWay: a value that reads like several ones is in quotes, wherever others may follow.
func TestTextReadsOneWay(t *testing.T) {
	got := string(AppendText(nil, &Frame{
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
