package excerpt

import (
	"fmt"
	"strings"
	"testing"
)

func TestTotalsOfHits(t *testing.T) {
	for name, c := range map[string]struct {
		line  func(i int) string
		files int // 0: no hits
	}{
		"grep -rn":       {func(i int) string { return fmt.Sprintf("beds/plot-%d-a.go:%d: sow(%d)", i%4, i, i) }, 4},
		"of Windows":     {func(i int) string { return fmt.Sprintf(`C:\beds\plot%d.go:%d:sow`, i%4, i) }, 4},
		"no suffix":      {func(i int) string { return fmt.Sprintf("Makefile:%d:sow", i) }, 1},
		"compiler":       {func(i int) string { return fmt.Sprintf("beds/plot%d.c:%d:7: error: no water", i%4, i) }, 0},
		"users":          {func(i int) string { return fmt.Sprintf("user%d:x:%d:%d::/home/u:/bin/sh", i, i, i) }, 0},
		"times":          {func(i int) string { return fmt.Sprintf("10:%02d:12 watered", i) }, 0},
		"names and time": {func(i int) string { return fmt.Sprintf("shed: 10:%02d:12 watered", i) }, 0},
	} {
		e := New(nil, 500, nil, nil)
		var lines []string
		for i := range 40 {
			lines = append(lines, c.line(i))
		}
		for _, u := range unitsOf(lines) {
			e.Watch(u)
		}
		var want []Count
		if c.files > 0 {
			want = []Count{{Text: totalHits, N: 40}, {Text: totalFiles, N: c.files}}
		}
		if got := e.Totals(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestTotalsOfLongHunks: a diff is one by the lines of its hunks, however few these are.
func TestTotalsOfLongHunks(t *testing.T) {
	lines := []string{"--- a/beds.txt", "+++ b/beds.txt", "@@ -1,900 +1,1000 @@"}
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf("%c bed %d", " +"[i/900], i))
	}
	e := New(nil, 500, nil, nil)
	for _, u := range unitsOf(lines) {
		e.Watch(u)
	}
	want := []Count{{Text: totalFiles, N: 1}, {Text: totalAdded, N: 100}, {Text: totalRemoved, N: 0}}
	if got := e.Totals(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
}

// TestSubjects: of a log of commits a page shows what they are about.
func TestSubjects(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("commit %07x4e5b0d3255bfef95601890afd80709ab", i*7919), "Author: Ann", "",
			fmt.Sprintf("    water bed %d less", i), "",
			"    It was too wet there, and so was everything that is near it.", "")
	}
	page := pageOf("", 400, lines)
	if n := strings.Count(page, "    water bed "); n < 12 {
		t.Errorf("%d subjects in\n%s", n, page)
	}
}

// TestVerdictsOfOneTest: what a tool says while a test runs and what it says of it at the end are two counts.
func TestVerdictsOfOneTest(t *testing.T) {
	e := New(nil, 500, nil, nil)
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("beds/test_%c.py::test_water %s [%3d%%]", 'a'+i%20,
			[]string{"PASSED", "FAILED"}[i/37], i))
	}
	for i := range 3 {
		lines = append(lines, fmt.Sprintf("FAILED beds/test_%c.py::test_water - 2 is not 3", 'r'+i))
	}
	for _, u := range unitsOf(lines) {
		e.Watch(u)
	}
	want := []Count{{Text: "PASSED", N: 37, isLast: true}, {Text: "… FAILED", N: 3, isLast: true},
		{Text: "FAILED …", N: 3}}
	if got := e.Verdicts(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
}
