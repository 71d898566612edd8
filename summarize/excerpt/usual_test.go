package excerpt

import (
	"fmt"
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

// TestVerdictsOfOneTest: what a tool says while a test runs and what it says of it at the end are two counts.
func TestVerdictsOfOneTest(t *testing.T) {
	e := New(nil, 500, nil, nil)
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("beds/test_%c.py::test_water %s [%3d%%]", 'a'+i%20, []string{"PASSED", "FAILED"}[i/37], i))
	}
	for i := range 3 {
		lines = append(lines, fmt.Sprintf("FAILED beds/test_%c.py::test_water - 2 is not 3", 'r'+i))
	}
	for _, u := range unitsOf(lines) {
		e.Watch(u)
	}
	want := []Count{{Text: "PASSED", N: 37, isLast: true}, {Text: "… FAILED", N: 3, isLast: true}, {Text: "FAILED …", N: 3}}
	if got := e.Verdicts(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
}
