package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLimits: a text is all there, or there is none and the error says why.
func TestLimits(t *testing.T) {
	deep := func(n int, begin string) string { return strings.Repeat(begin, n) }
	for _, test := range []struct {
		text   string
		syntax Syntax
		err    string
	}{
		{"0123456789", Plain, ""},
		{deep(1000, "["), Plain, ""},
		{strings.Repeat("x", 20_001), Plain, "larger than 20000 bytes"},
		{deep(MostDepth, "["), JSON, ""},
		{deep(MostDepth+1, "["), JSON, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `{"a":`), JSON, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `["]",`), JSON, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `["\"]",`), JSON, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `["\\",`), JSON, "nested deeper than 512 levels"},
		{deep(MostDepth+1, "[// ]\n"), JSON, "nested deeper than 512 levels"},
		{deep(MostDepth+1, "[/* ] // \" */"), JSON, "nested deeper than 512 levels"},
		{deep(MostDepth+1, "[/**/"), JSON, "nested deeper than 512 levels"},
		{`"` + deep(1000, "[") + `"`, JSON, ""},
		{"//" + deep(1000, "[") + "\n/*" + deep(1000, "{") + "*/", JSON, ""},
		{deep(1001, "[],"), JSON, "more than 2000 values"},
		{deep(2001, ","), JSON, "more than 2000 values"},
		{deep(700, "[]"), JSON, ""},
		{"a = " + deep(MostDepth+1, "["), TOML, "nested deeper than 512 levels"},
		{deep(MostDepth+1, "a={b="), TOML, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `["]",`), TOML, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `[']\',`), TOML, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `["\"]",`), TOML, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `["",'',`), TOML, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `["""]"]""""",`), TOML, "nested deeper than 512 levels"},
		{deep(MostDepth+1, `['''\]'''',`), TOML, "nested deeper than 512 levels"},
		{deep(MostDepth+1, "[# ]\"\n"), TOML, "nested deeper than 512 levels"},
		{deep(1000, "[a]\n"), TOML, ""},
		{"a = \"\"\"" + deep(1000, "[") + "\n\"" + deep(1000, "{") + "\"\"\"", TOML, ""},
		{"# " + deep(1000, "["), TOML, ""},
	} {
		limit := Limit{Bytes: 20_000, Syntax: test.syntax, Values: 2000}
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		text, err := Read(path, limit)
		again, errAgain := ReadAll(strings.NewReader(test.text), limit)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != test.err || err == nil && string(text) != test.text || string(again) != string(text) ||
			(errAgain == nil) != (err == nil) {
			t.Errorf("%.20q: %q, %v, %v, want %q", test.text, text, err, errAgain, test.err)
		}
	}
}
