package truth

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// responsesOfPages are 12 lines, and as many records.
func responsesOfPages() (lines, records Response) {
	b := newBuilder(rand.New(rand.NewPCG(1, 41)))
	for i := range 12 {
		text := fmt.Sprintf("sowed row %d", i+1)
		switch i {
		case 4:
			text = "\x1b[31mhail\x1b[0m on row 5"
		case 5:
			text = "watering 1%\rwatering 99%\rwatered row 6"
		case 6:
			text = "kfw: 3 lines\v= rows: 3"
		}
		b.line("%s", text)
	}
	var values []any
	for i := range 12 {
		values = append(values, object{{"id", i + 1}, {"crop", "winter wheat"}})
	}
	return b.done(), recordsOf(values, nil)
}

const truePage = `kfw: 12 lines, 196 B; any of it: kfw expand h1 --lines 8-10, or --grep WORD -C 3
1: sowed row 1
… 2 lines
4: sowed …
4: …4
5: hail on row 5
6: watered row 6
7: kfw: 3 lines\v= rows: 3
… 3 lines: sowed row <num>
11: sowed row 11
… 1 line
`

const trueRecords = `kfw: 12 records, 375 B; any of it: kfw expand h1 --where NAME=VALUE
2: {"id":2,"crop":"winter wheat"}
5: crop="winter wheat" id=5
7: {"id":7,…
… 9 records
`

// TestPage: pages that are true are called so, and each change of a true page that makes it false is told.
func TestPage(t *testing.T) {
	lines, records := responsesOfPages()
	for _, test := range []struct{ name, page, old, changed string }{
		{"a true page", truePage, "", ""},
		{"another line", truePage, "1: sowed row 1\n", "1: sowed row 2\n"},
		{"another number", truePage, "5: hail", "6: hail"},
		{"a line twice", truePage, "5: hail on row 5\n", "5: hail on row 5\n5: hail on row 5\n"},
		{"a line that is cut and does not say so", truePage, "5: hail on row 5", "5: hail on row"},
		{"a line that is not cut and says so", truePage, "5: hail on row 5", "5: hail on row 5…"},
		{"pieces in another order", truePage, "4: sowed …\n4: …4\n", "4: …4\n4: sowed …\n"},
		{"codes for colours", truePage, "5: hail", "5: \x1b[31mhail"},
		{"a state that is not the last", truePage, "6: watered", "6: watering 1%"},
		{"a line break", truePage, `\v= rows`, "\v= rows"},
		{"a gap too large", truePage, "… 2 lines", "… 3 lines"},
		{"a gap too small", truePage, "… 3 lines", "… 2 lines"},
		{"no gap at the end", truePage, "… 1 line\n", ""},
		{"a template of no line", truePage, "sowed row <num>\n", "sowed bed <num>\n"},
		{"a template of no line beside another", truePage, "row <num>\n", "row <num>, hail <num>\n"},
		{"a range that is shown", truePage, "8-10", "7-10"},
		{"a range past the end", truePage, "8-10", "8-13"},
		{"another count", truePage, "12 lines", "13 lines"},
		{"another size", truePage, "196 B", "197 B"},
		{"a status", truePage, "; any of it", "; exit status 1; any of it"},
		{"a redaction", truePage, "; any of it", "; redacted: email 1; any of it"},
		{"a warning", truePage, "1: sowed", "kfw: line 3, column 4: broken JSON: x\n1: sowed"},
		{"a line without a number", truePage, "1: sowed", "sowed"},
		{"a false fact", truePage, "1: sowed", "= 3 x sowed row <num 1..12>\n1: sowed"},
		{"a fact after lines", truePage, "… 2 lines", "= rows: 3\n… 2 lines"},
		{"records for lines", truePage, "12 lines", "12 records"},

		{"a true page of records", trueRecords, "", ""},
		{"another record", trueRecords, `{"id":2`, `{"id":3`},
		{"another value", trueRecords, "id=5", "id=6"},
		{"another name", trueRecords, "crop=\"winter", "field=\"winter"},
		{"a value that is cut", trueRecords, `crop="winter wheat"`, `crop="winter"`},
		{"records in another order", trueRecords, "5: crop=\"winter wheat\" id=5\n7: {\"id\":7,…\n",
			"7: {\"id\":7,…\n5: crop=\"winter wheat\" id=5\n"},
		{"another count of the others", trueRecords, "… 9", "… 8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			forms, err := ReadForms("statements.md")
			if err != nil {
				t.Fatal(err)
			}
			r := &lines
			if test.page == trueRecords {
				r = &records
			}
			page := strings.Replace(test.page, test.old, test.changed, 1)
			said, err := ParseText(page, r, forms)
			var problems []string
			if err != nil {
				problems = append(problems, err.Error())
			} else {
				problems = Judge(r, said, true)
			}
			if isTrue := test.old == ""; isTrue != (len(problems) == 0) {
				t.Errorf("%q\n%s", problems, page)
			}
		})
	}
}

// TestItems: a list is cut between its values, whatever is in them: quotes, brackets, commas.
func TestItems(t *testing.T) {
	values := []string{"a", "a b", "-", "1,5", `"a, b"`, `"say \"a, b\""`, `{"a":1,"b":[2, 3]}`, `[1, "x, y"]`, "[x", "{y",
		"]", "}z", "a[1]", `k="x, y"`, `k=[1, {"a":", "}]`, "[REDACTED:email]", "[x, y"}
	for seed := range testdepth.Cases(2000) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var want []string
		for range 1 + r.IntN(5) {
			value := values[r.IntN(len(values))]
			if value == "[x, y" { // no JSON, so its comma is one of the list
				want = append(want, "[x", "y")
				continue
			}
			want = append(want, value)
		}
		if got := items(strings.Join(want, ", ")); !slices.Equal(got, want) {
			t.Errorf("%q is %q", want, got)
		}
	}
}
