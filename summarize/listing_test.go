package summarize

import (
	"fmt"
	"strings"
	"testing"
)

// TestListing: what is told of files is what counting gives; what is around them are lines.
func TestListing(t *testing.T) {
	var text strings.Builder
	total, most := 0, 0
	for i := range 40 {
		fmt.Fprintf(&text, "/srv/app/%c:\ntotal %d\n", 'a'+i, i)
		for j := range 1 + i%7 {
			size := i * 7919 % (90 + j)
			total, most = total+size, max(most, size)
			fmt.Fprintf(&text, "-rw-r--r-- %d ann staff %6d Jan %2d 15:%02d file-%d\n", 1+j%2, size, 1+i%28, j, j)
		}
		text.WriteByte('\n')
	}
	var facts struct {
		Rows   int
		Fields map[string]struct {
			Max, Sum int
			Const    string
			Distinct int
		}
	}
	decode(t, watched(linesOf(text.String())).Facts(anyLength).JSON(), &facts)
	size, owner := facts.Fields["size"], facts.Fields["owner"]
	if size.Max != most || size.Sum != total || owner.Const != "ann" || facts.Fields["name"].Distinct != 7 ||
		facts.Rows != strings.Count(text.String(), "staff") {
		t.Errorf("%+v, want %d at most and %d in all", facts, most, total)
	}
}

// TestNamesOfFiles: the name of a file is a text, whatever it reads like.
func TestNamesOfFiles(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{"2024", "true", "null", `"q"`, "1.5"} {
		fmt.Fprintf(&text, "-rw-r--r-- 1 17 staff 5 Jan  2 15:04 %s\n", name)
	}
	facts := string(watched(linesOf(text.String())).Facts(anyLength).JSON())
	if strings.Contains(facts, "types") || !strings.Contains(facts, `"name":{"distinct":5`) ||
		!strings.Contains(facts, `"size":{"const":5}`) {
		t.Error(facts)
	}
}
