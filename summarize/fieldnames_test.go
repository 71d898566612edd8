package summarize

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

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
