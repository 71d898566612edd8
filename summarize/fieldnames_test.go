package summarize

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestFieldsDirectives: lines after a directive that names their fields are rows, whether blanks or tabs part their
// cells; a dash is no value, and other directives among them are no rows, nor do they end the table.
func TestFieldsDirectives(t *testing.T) {
	for _, format := range []struct{ directive, row, none string }{
		{"#Version: 1.0\n#Fields: date time cs-method c-ip sc-status time-taken\n",
			"2031-05-02 10:%02d:%02d %s 10.9.2.%d %d %s\n", "-"},
		{"#Version: 1.0\n#Fields: date time cs-method c-ip sc-status time-taken\n",
			"2031-05-02\t10:%02d:%02d\t%s\t10.9.2.%d\t%d\t%s\n", "-"},
		{"#separator \\x09\n#fields\tdate\ttime\tcs-method\tc-ip\tsc-status\ttime-taken\n#types\ttime\ttime\tstring\taddr\tcount\tcount\n", "2031-05-02\t10:%02d:%02d\t%s\t10.9.2.%d\t%d\t%s\n", ""},
	} {
		text := format.directive
		for i := range 90 {
			if i == 60 {
				text += format.directive
			}
			taken := fmt.Sprint(i * 3)
			if i%3 == 2 {
				taken = format.none
			}
			text += fmt.Sprintf(format.row, i/60, i%60, []string{"GET", "POST"}[i%2], i*7%200,
				[]int{200, 404, 304}[i%3], taken)
		}
		s := watched(linesOf(text))
		facts := s.Facts(anyLength).JSON()
		if !json.Valid(facts) {
			t.Errorf("not JSON: %q", facts)
		}
		for path, want := range map[string]string{
			"rows": "90", "headers": "2", "fields.cs-method.values.POST": "45", "fields.sc-status.values.404": "30",
			"fields.time-taken.max": "264",
			"fields.time-taken.in":  "60", "fields.date.const": "2031-05-02", "fields.time.max": "10:01:29",
		} {
			if got := gjson.GetBytes(facts, path).String(); got != want {
				t.Errorf("%s is %s, want %s", path, got, want)
			}
		}
		notables, _ := s.Notables()
		for _, notable := range notables {
			if strings.Contains(notable.Why, "no row") {
				t.Errorf("%s is %s", shown(notable), notable.Why)
			}
		}
	}
}

// TestRowsOfDirectives: which lines after a directive are rows.
func TestRowsOfDirectives(t *testing.T) {
	const fields = "#Fields: date time a b c d\n"
	lines := func(n int, line string) string { return strings.Repeat(line+"\n", n) }
	full, some, none := "2031-01-01 10:01:10 10 x y 7", "2031-01-01 10:01:10 10 - - -", "- - - - - -"
	for name, test := range map[string]struct {
		text string
		rows int64
	}{
		"few values": {fields + lines(50, full) + lines(5, some) + lines(50, full), 105},
		"no values":  {"#Fields: a b c d\n" + lines(30, "1 x 2 3\n- - - -") + lines(2, "1 total 2 3"), 62},
		"other lines": {fields + lines(50, full) + lines(9, "a stack\n\tat a trace") + lines(50, full) +
			lines(3, "") + lines(50, full), 150},
		"quotes": {fields + lines(50, full) + lines(50, `2031-01-01 10:01:10 10 "x y" "" "z"`) +
			lines(50, `2031-01-01 10:01:10 "x y z" 1`), 100},
		"a quote between tabs":  {"#fields\ta\tb\tc\n" + lines(50, "1\t\"x\t3") + lines(50, "1\ty z\t3"), 100},
		"carriage returns":      {"#fields\ta\tb\tc\r\n" + lines(50, "1\tx\t3\r"), 50},
		"as many words as tabs": {fields + lines(50, full) + lines(50, none), 100},
	} {
		s := watched(linesOf(test.text))
		facts := s.Facts(anyLength).JSON()
		if rows := gjson.GetBytes(facts, "rows").Int(); rows != test.rows || !json.Valid(facts) {
			t.Errorf("%s: %d rows, want %d, in %s", name, rows, test.rows, facts)
		}
	}
}

// TestNoFieldsDirectives: lines that only begin like a directive name no fields.
func TestNoFieldsDirectives(t *testing.T) {
	for _, first := range []string{"#fields", "#Fields:", "#Fields: one", "#fieldset a b", "# fields: a b",
		`#Fields: "a" b`, `#Fields: a\x b`, "#Fields: a\x01 b", "#Fields: " + strings.Repeat("a", 40) + "é b"} {
		text := first + "\n"
		for i := range 20 {
			text += fmt.Sprintf("%s %s\n", nameOf(i), nameOf(i*i))
		}
		if s := watched(linesOf(text)); s.lines.table.Rows != 0 {
			t.Errorf("%q: %d rows", first, s.lines.table.Rows)
		}
	}
}
