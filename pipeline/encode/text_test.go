package encode

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
)

// TestTextReadsOneWay: a value that reads like several ones is in quotes, wherever others may follow.
func TestTextReadsOneWay(t *testing.T) {
	var shown facts.Tree
	shown.Count(facts.Records, 9)
	shown.Open(facts.Fields)
	shown.OpenNamed([]byte("note"))
	shown.Open(facts.Values)
	shown.CountNamed([]byte("late, paid: 3"), 5)
	shown.CountNamed([]byte("due"), 4)
	shown.Close()
	shown.Close()
	shown.OpenNamed([]byte("kind"))
	shown.Count(facts.In, 3)
	shown.AddText(facts.Const, []byte("a, max 7"))
	shown.Close()
	shown.Close()
	got := string(Text{}.Append(nil, &Frame{
		Mode: budget.Summary, First: 1, Last: 9, Handle: "h1", Facts: &shown,
		Notable: []Notable{{Chunk: 3, Why: "rare note", Data: []byte("b, id=7"), IsText: true}},
	}))
	want := `kfw: summary of chunks 1 to 9
records: 9
note: "late, paid: 3": 5, due: 4
kind: in 3, const "a, max 7"
kfw: chunk 3, rare note: b, id=7
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestConstantsAsText: members of one object of which one value is shown share a line.
func TestConstantsAsText(t *testing.T) {
	var shown facts.Tree
	shown.Open(facts.Fields)
	for _, of := range [][2]string{
		{"kind", `"Bed"`}, {"limits.water", "2"}, {"limits.sun", `"4, or 5"`}, {`of\\.garden`, "1"},
		{"at.gate", "true"},
	} {
		shown.OpenNamed([]byte(of[0]))
		shown.Add(facts.Const)
		shown.Text = append(shown.Text, of[1]...)
		shown.Close()
	}
	shown.Close()
	const want = "kind: const Bed\nlimits.{water: 2, sun: \"4, or 5\"}\nof\\.garden: const 1\nat.gate: const true\n"
	if got := string(appendFacts(nil, &shown)); got != want {
		t.Errorf("%s", got)
	}
}

// TestTemplatesAsText: a count that is an estimate is marked.
func TestTemplatesAsText(t *testing.T) {
	for _, c := range []struct {
		n, first, last int
		isLate         bool
		want           string
	}{
		{7, 0, 0, false, "7 x a <num>\n"},
		{7, 2, 9, false, "7 x a <num> (2 to 9)\n"},
		{1, 2, 0, false, "1 x a <num> (2)\n"},
		{7, 200, 900, true, "7~ x a <num> (200~ to 900)\n"},
	} {
		var shown facts.Tree
		shown.Open(facts.Templates)
		shown.OpenItem()
		shown.AreEstimates = c.isLate
		shown.Count(facts.TemplateLines, c.n)
		if c.first > 0 {
			shown.Count(facts.TemplateFirst, c.first)
		}
		shown.AreEstimates = false
		shown.AddText(facts.TemplateText, []byte("a <num>"))
		if c.last > 0 {
			shown.Count(facts.TemplateLast, c.last)
		}
		shown.Close()
		shown.Close()
		if got := string(appendFacts(nil, &shown)); got != c.want {
			t.Errorf("%s: %q, not %q", shown.JSON(), got, c.want)
		}
	}
}

// TestCommandsAreWhole: the command that reads on works in a shell as it stands, with the filters
// of its page.
func TestCommandsAreWhole(t *testing.T) {
	long := strings.Repeat("x", maxFilters)
	for _, c := range []struct {
		session string
		filters []string
		want    string
	}{
		{"", nil, "kfw expand h1 --offset 7 and the same filters"},
		{"", []string{"--where", "a b='it''s'", "--limit", "3"},
			`kfw expand h1 --where 'a b='\''it'\'''\''s'\''' --limit 3 --offset 7`},
		{"my file.kfw", []string{"--at", "items[]"}, "kfw expand h1 --session 'my file.kfw' --at 'items[]' --offset 7"},
		{"s.kfw", []string{"--grep", long}, "kfw expand h1 --session s.kfw --offset 7 and the same filters"},
		{"a\nb", []string{"--grep", "a\nb", "--limit", "3"}, "kfw expand h1 --offset 7 and the same filters"},
	} {
		text := TextOf(c.session, c.filters)
		got := string(text.Append(nil, &Frame{Final: true, Handle: "h1", NextOffset: 7, Filtered: true}))
		if want := "kfw: page\nkfw: more: " + c.want + "\n"; got != want {
			t.Errorf("%q: %q, not %q", c.filters, got, want)
		}
		got = string(text.Append(nil, &Frame{Mode: budget.HandleOnly, Handle: "h1", First: 8, Last: 8, Filtered: true}))
		if want := "kfw: chunk 8 is not shown\nkfw: all of it: " + c.want + "\n"; got != want {
			t.Errorf("%q: %q, not %q", c.filters, got, want)
		}
	}
}

// TestNounsAgree: one is not several.
func TestNounsAgree(t *testing.T) {
	var shown facts.Tree
	shown.Count(facts.Records, 1)
	rows := []byte(`[[1],[2]]`)
	for want, f := range map[string]*Frame{
		"kfw: summary of chunk 3\n": {Mode: budget.Summary, First: 3, Last: 3, Facts: &shown},
		"kfw: table of chunk 3\n": {Mode: budget.Table, First: 3, Last: 3,
			Columns: []byte(`["a"]`), Rows: rows},
		"kfw: here 1 row is left out\n": {Mode: budget.Table, First: 3, Last: 5,
			Columns: []byte(`["a"]`), Rows: rows, Omitted: Omitted{Omitted: tabulate.Omitted{Rows: 1, After: 1}}},
		"kfw: 1 row, 1 column left out; 1 cell cut (…); ": {Mode: budget.Table, First: 3, Last: 5,
			Columns: []byte(`["a"]`), Rows: rows, Handle: "h1",
			Omitted: Omitted{Omitted: tabulate.Omitted{Rows: 1, Columns: 1, Cells: 1}}},
		"kfw: summary of the only chunk\n": {Final: true, Facts: &shown,
			Totals: &Totals{Chunks: 1, Bytes: 9, SessionLeft: -1}},
		"kfw: end: 1 chunk, 1 byte\n": {Final: true,
			Totals: &Totals{Chunks: 1, Bytes: 1, SessionLeft: -1}},
	} {
		if got := string(Text{}.Append(nil, f)); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

// TestFailureIsSaidOnce: a message that is the code again is left out.
func TestFailureIsSaidOnce(t *testing.T) {
	for want, f := range map[string]Failure{
		"not whole: interrupted (exit 130)":              {Code: "interrupted", Message: "interrupted", Exit: 130},
		"not whole: driver_timeout (exit 125): too long": {Code: "driver_timeout", Message: "too long", Exit: 125},
	} {
		if got := f.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
