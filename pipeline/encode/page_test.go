package encode

import (
	"reflect"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
)

// TestHeadOfPage: the first line of a page says what came, what became of it, and how to get any of it.
func TestHeadOfPage(t *testing.T) {
	failed := &Failure{Code: DriverFailed, Exit: 3}
	text := TextOf("", nil)
	for _, c := range []struct {
		encoding Encoding
		handle   string
		change   func(f *Frame)
		want     string
	}{
		{text, "h1", func(f *Frame) {}, "; any of it: kfw expand h1 --lines 7-90, or --grep WORD -C 3"},
		{text, "h1", func(f *Frame) { f.Excerpt.Page.From = 0 }, "; any of it: kfw expand h1"},
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
		f := &Frame{Final: true, Handle: c.handle, Excerpt: &Excerpt{Noun: Line, Page: &excerpt.Page{From: 7, To: 90}},
			Totals: &Totals{Chunks: 99, Bytes: 1234, SessionLeft: -1}}
		c.change(f)
		if got := string(c.encoding.Append(nil, f)); got != "kfw: 99 lines, 1.2 kB"+c.want+"\n" {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// pageOfText is a page of lines.
func pageOfText() *excerpt.Page {
	return &excerpt.Page{From: 3, To: 6, Parts: []excerpt.Part{
		{Section: &excerpt.Section{First: 1, Last: 9, Name: "a / b", Facts: []byte("= facts: 3\n"), LeftOut: 4}},
		{Line: &excerpt.Line{Number: 1, Text: []byte("one")}},
		{Line: &excerpt.Line{Number: 2, Text: []byte("3: two"), IsCut: true}},
		{Line: &excerpt.Line{Number: 2, Text: []byte("\"too\""), IsLater: true, Note: "2 hits"}},
		{Gap: &excerpt.Gap{Units: 4, Noun: Line}},
		{Line: &excerpt.Line{Number: 7, Text: []byte("  7→seven"), BringsNumber: true}},
	}}
}

// TestNumbersOfHandle: the numbers of a page are those of the handle, which holds the texts before
// it as well; those that lines bring with them stay.
func TestNumbersOfHandle(t *testing.T) {
	page := pageOfText()
	f := &Frame{Final: true, Excerpt: &Excerpt{Noun: Line, Page: page}, Totals: &Totals{Chunks: 9, SessionLeft: -1}}
	got := string(NumberedFrom(Text{}, 20).Append(nil, f))
	const want = "= a / b, 21 to 29: facts: 3\n21: one\n22: 3: two…\n22: …\"too\"  ‹2 hits›\n… 4 lines\n  7→seven\n"
	if _, shown, _ := strings.Cut(got, "\n"); shown != want || !reflect.DeepEqual(page, pageOfText()) {
		t.Errorf("got %q, want %q", shown, want)
	}
}

// TestSectionsOfFrame: in a frame a page is its sections. Pieces of a line are one text.
func TestSectionsOfFrame(t *testing.T) {
	page := pageOfText()
	page.Parts[0].Section.Facts = []byte(`{"rows":3}`)
	page.Parts = append(page.Parts, excerpt.Part{Section: &excerpt.Section{First: 10, Last: 12,
		Facts:   []byte(`{"rows":2}`),
		LeftOut: 3}})
	f := &Frame{Final: true, Mode: budget.Summary, Handle: "h1", Excerpt: &Excerpt{Noun: Line, Page: page}, Left: 7}
	const want = `{"seq":0,"mode":"summary","handle":"h1",` +
		`"sections":[{"chunks":[1,9],"name":"a / b","facts":{"rows":3},` +
		`"lines":[{"chunk":1,"text":"one"},{"chunk":2,"text":"3: two…\"too\"","note":"2 hits"},` +
		`{"chunk":7,"text":"  7→seven"}],"left_out":4},{"chunks":[10,12],"facts":{"rows":2},"left_out":3}],` +
		`"left":7,"is_final":true}` + "\n"
	if got := string(JSON{}.Append(nil, f)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
