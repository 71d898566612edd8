package summarize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestFoldedForms: lines that came before it was known that those like them begin with any word are counted among
// these, and do not stand out by their template; those of other templates do. What comes after facts were asked for is
// counted, too.
func TestFoldedForms(t *testing.T) {
	var records []structure.Record
	add := func(verdict string) {
		i := len(records)
		records = append(records,
			structure.Record{Seq: i + 1,
				Value: fmt.Appendf(nil, "tests/test_%s.py::test_%s %s [ %d%%]", nameOf(i%7), nameOf(i), verdict,
					i/4), IsText: true})
	}
	for i := range 400 {
		verdict := "PASSED"
		if i == 20 || i == 230 {
			verdict = "BROKEN"
		} else if i == 30 {
			verdict = "skipped for now"
		}
		add(verdict)
	}
	s := watched(records)
	check := func(passed, last int) {
		t.Helper()
		facts := s.Facts(anyLength).JSON()
		form := gjson.GetBytes(facts, "templates.0")
		if form.Get("n").Int() != int64(passed) ||
			!strings.HasPrefix(form.Get("line").String(), "<*> PASSED [ <num 0..") ||
			form.Get("first").Int() != 1 || form.Get("last").Int() != int64(last) ||
			gjson.GetBytes(facts, "templates.#").Int() != 3 {
			t.Errorf("%s", facts)
		}
	}
	check(397, 400)
	for range 5 {
		add("PASSED")
		s.Add(records[len(records)-1])
	}
	s.Add(structure.Record{Seq: 406, Value: records[1].Value, IsText: true}) // its own template was given up
	check(403, 406)
}

// TestNotFolded: a line alone in its template stays so if those like it all begin with the same word.
func TestNotFolded(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "job %s is done now\n", nameOf(i))
	}
	facts := summaryOf(linesOf(text.String() + "web page is done now\n")).Facts(anyLength).JSON()
	if n := gjson.GetBytes(facts, "templates.0.n").Int(); n != 40 ||
		gjson.GetBytes(facts, "templates.1.line").String() != "web page is done now" {
		t.Errorf("%s", facts)
	}
}
