package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoRegularFile: what is no regular file is refused, and nothing waits for it.
func TestNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	fifo, zero, empty := filepath.Join(dir, "fifo"), filepath.Join(dir, "zero"), filepath.Join(dir, "empty")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, zero, dir, "/dev/null"} {
		if text, err := Read(path, Limit{Bytes: 10}); err != errNotRegular {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	if text, err := Read(empty, Limit{Bytes: 10}); err != nil || len(text) > 0 {
		t.Errorf("%q, %v", text, err)
	}
	_, err := Read(filepath.Join(dir, "none"), Limit{Bytes: 10})
	if !os.IsNotExist(err) || strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}

// TestLimits: a text is all there, or there is none and the error says why.
func TestLimits(t *testing.T) {
	deep := func(n int, begin string) string { return strings.Repeat(begin, n) }
	for _, test := range []struct {
		text string
		form Form
		err  string
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
		limit := Limit{Bytes: 20_000, Form: test.form, Values: 2000}
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
