package encode

import (
	"strings"
	"testing"
)

// TestHeadOfPage: the first line of a page says what came, what became of it, and how to get any of it.
func TestHeadOfPage(t *testing.T) {
	failed := &Failure{Code: DriverFailed, Exit: 3}
	lines := Excerpt{Noun: Line, From: 7, To: 90}
	text := TextOf("", nil)
	for _, c := range []struct {
		encoding Encoding
		handle   string
		change   func(f *Frame)
		want     string
	}{
		{text, "h1", func(f *Frame) {}, "; any of it: kfw expand h1 --lines 7-90, or --grep WORD -C 3"},
		{text, "h1", func(f *Frame) { f.Excerpt.From = 0 }, "; any of it: kfw expand h1"},
		{text, "", func(f *Frame) { f.Error = failed }, "; exit status 3"},
		{text, "", func(f *Frame) { f.Error = &Failure{Code: DriverFailed, Exit: 137, Signal: 9} }, "; ended by signal 9"},
		{text, "", func(f *Frame) { f.Totals.Redactions = []RuleCount{{"email", 2}, {"iban", 1}} },
			"; redacted: email 2, iban 1"},
		{text, "", func(f *Frame) { f.Totals.SessionLeft, f.Totals.Blanks = 99, 1 }, "; session left  99"},
		{text, "", func(f *Frame) { f.Totals.Estimate = true }, "; tokens are an estimate"},
		{text, "h1", func(f *Frame) { f.NextOffset = 50 }, "; more: kfw expand h1 --offset 50"},
		{text, "h1", func(f *Frame) { f.Filtered = true }, "; any of it: kfw expand h1 and the same filters"},
		{TextOf("a b.kfw", []string{"--grep", "x"}), "h1", func(f *Frame) { f.Filtered = true },
			"; any of it: kfw expand h1 --session 'a b.kfw' --grep x"},
		{text.ByTool("kfw_expand", ""), "h1", func(f *Frame) {},
			`; any of it: kfw_expand {"handle":"h1","lines":"7-90"}`},
		{NumberedFrom(text, 100), "h1", func(f *Frame) {},
			"; any of it: kfw expand h1 --lines 107-190, or --grep WORD -C 3"},
	} {
		excerpt := lines
		f := &Frame{Final: true, Handle: c.handle, Excerpt: &excerpt,
			Totals: &Totals{Chunks: 99, Bytes: 1234, SessionLeft: -1}}
		c.change(f)
		if got := string(c.encoding.Append(nil, f)); got != "kfw: 99 lines, 1.2 kB"+c.want+"\n" {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestNumbersOfHandle: the numbers of a page are those of the handle, which holds the texts before
// it as well; those that lines bring with them stay.
func TestNumbersOfHandle(t *testing.T) {
	const body = "= facts: 3\n1: one\n2: 3: two\n… 4 lines\n  7→seven\na.go:8:eight\n9\tnine\n"
	f := &Frame{Final: true, Excerpt: &Excerpt{Noun: Line, Body: []byte(body)},
		Totals: &Totals{Chunks: 9, SessionLeft: -1}}
	got := string(NumberedFrom(Text{}, 20).Append(nil, f))
	const want = "= facts: 3\n21: one\n22: 3: two\n… 4 lines\n  7→seven\na.go:8:eight\n9\tnine\n"
	if _, shown, _ := strings.Cut(got, "\n"); shown != want || string(f.Excerpt.Body) != body {
		t.Errorf("got %q, want %q", shown, want)
	}
}
