package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestBreaks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	const text = "package a\n\nvar x = 1 + 1\n\nfunc f(n int) (m int) {\n\tif n < 2 && n != 0 {\n\t\tf(1)\n\t\tm = n\n\t\tn++\n\t}\n\treturn m\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := breaks(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range all {
		got = append(got, b.what)
		if string(b.text) == text {
			t.Errorf("%s changes nothing", b.what)
		}
	}
	const want = "&& -> ||, < -> <=, != -> ==, without f(1), without m = n, ++ -> --"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("breaks are %s, want %s", s, want)
	}
}

func TestFailedTest(t *testing.T) {
	for out, want := range map[string]string{
		"ok  \ta\t0.1s\n": "",
		"--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/b (0.1s)\n--- FAIL: TestC (0s)\nFAIL\n":  "TestA",
		"--- FAIL: TestA (9s)\npanic: test timed out after 9s\n\trunning tests:\n\t\tTestA\n": slow,
	} {
		if got := failedTest([]byte(out)); got != want {
			t.Errorf("%q, want %q, in %s", got, want, out)
		}
	}
}

func TestFilesOf(t *testing.T) {
	files, err := filesOf(nil)
	if err != nil {
		t.Fatal(err)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(files, func(file string) bool { return strings.HasSuffix(filepath.ToSlash(file), name) })
	}
	if !has("/redact/text.go") || !has("/internal/summarize/drain/template.go") || has("/internal/truth/text.go") {
		t.Errorf("%d files: %q", len(files), files)
	}
}
