package redact

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// nearMisses are ways to change a text at a byte.
var nearMisses = []struct {
	name   string
	change func(text string, i int) string
}{
	{"cut", func(s string, i int) string { return s[:i] }},
	{"without", func(s string, i int) string { return s[:i] + s[i+1:] }},
	{"x", func(s string, i int) string { return s[:i] + "x" + s[i+1:] }},
	{"0", func(s string, i int) string { return s[:i] + "0" + s[i+1:] }},
	{"+a", func(s string, i int) string { return s[:i] + "a" + s[i:] }},
	{"+blank", func(s string, i int) string { return s[:i] + " " + s[i:] }},
	{"+quote", func(s string, i int) string { return s[:i] + `"` + s[i:] }},
	{"+escape", func(s string, i int) string { return s[:i] + "\x1b[-" + s[i:] }},
}

// TestNearMisses counts, for each example of a rule and each way to change it by one byte, how many of the changed
// texts the rule still matches, and how many any rule does. A rule that asks for less or for more than before has other
// counts. -update writes them to testdata/nearmisses.txt: look at each that is new.
func TestNearMisses(t *testing.T) {
	t.Parallel()
	rules := compile(t, Options{Groups: All})
	var b strings.Builder
	for _, x := range catalogue.Rules(names.NewNames()) {
		if x.Form == nil || x.Example == "" || len(x.Example) > 250 {
			continue
		}
		own := []byte(lex.MarkerStart + x.Name + "]")
		fmt.Fprintf(&b, "%s %d:", x.Name, len(x.Example))
		for _, way := range nearMisses {
			byOwn, byAny := 0, 0
			for i := range len(x.Example) {
				got := whole(rules, []byte(way.change(x.Example, i)))
				if bytes.Contains(got, own) {
					byOwn++
				}
				if bytes.Contains(got, []byte(lex.MarkerStart)) {
					byAny++
				}
			}
			fmt.Fprintf(&b, " %s %d/%d", way.name, byOwn, byAny)
		}
		b.WriteByte('\n')
	}
	const golden = "testdata/nearmisses.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(b.String(), "\n") {
		if i >= len(wanted) || line != wanted[i] {
			t.Fatalf("%s\nis in %s\n%s", line, golden, strings.Join(wanted[min(i, len(wanted)):min(i+1, len(wanted))], ""))
		}
	}
}
