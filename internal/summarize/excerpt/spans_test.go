package excerpt

import (
	"maps"
	"strings"
	"testing"
)

// TestSpans: a declaration ends with the sign that closes it, or before the next unit that is not further in.
func TestSpans(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         map[int]string
	}{
		{"braces", "func sow(bed int) {\n\twater(bed)\n\n\tfor {\n\t}\n}\n\nfunc dig() {}\n", map[int]string{1: "6"}},
		{"arguments on lines of their own", "func sow(\n\tbed int,\n) error {\n\twater(bed)\n\treturn nil\n}\n",
			map[int]string{1: "6"}},
		{"a brace on its own line", "class Bed\n{\n  int a;\n  int b;\n  int c;\n}\n", map[int]string{1: "6"}},
		{"indentation", "def sow(bed):\n    a()\n    b()\n\n    c()\n    d()\n\nwater()\n", map[int]string{1: "~6"}},
		{"one within another",
			"class Bed:\n    def sow(self):\n        a()\n        b()\n        c()\n        d()\n\n    x = 1\ny\n",
			map[int]string{1: "~8", 2: "~5"}},
		{"end", "def sow(bed)\n  a\n  b\n  c\nend\n", map[int]string{1: "5"}},
		{"short ones", "func dig() {\n\ta()\n\tb()\n}\nx\n", map[int]string{}},
		{"what is not closed", "func sow() {\n\ta()\n\tb()\n\tc()\n\td()\n", map[int]string{}},
	} {
		var s spans
		for i, line := range strings.Split(c.source, "\n") {
			s.see(i+1, []byte(line))
		}
		got := map[int]string{}
		for n, length := range s.of {
			got[n] = length.String()
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLengths: a page says how long the declarations of a source are, and of what the first time.
func TestLengths(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, "func sow"+string(rune('a'+i%26))+strings.Repeat("x", i/26)+"(bed int) {")
		for range 4 + i%9 {
			n := len(lines)
			lines = append(lines, "\twater(bed, "+string([]rune{rune('g' + n%19), rune('g' + n/19%19)})+"z);")
		}
		lines = append(lines, "}", "")
	}
	page := pageOf("", 300, lines)
	if !strings.Contains(page, "{  ‹6 lines›\n") || !strings.Contains(page, "{  ‹7›\n") || strings.Count(page,
		" lines›") != 1 {
		t.Errorf("no lengths on\n%s", page)
	}
}
