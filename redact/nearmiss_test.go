package redact

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/nearmiss"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// longestExample is how long an example is that is changed at each byte.
const longestExample = 250

// TestNearMisses counts, for each example of a rule and each way to change it by one byte, how many of the changed
// texts the rule still matches, and how many any rule does; of the lines of operand_test.go, the latter. -update writes
// them: look at each that is new.
func TestNearMisses(t *testing.T) {
	if testdepth.Race {
		t.Skip("nothing runs beside anything here, and it takes a minute")
	}
	t.Parallel()
	rules := compile(t, Options{Groups: All})
	var b strings.Builder
	for _, x := range catalogue.Rules(names.NewNames()) {
		if x.Form == nil || x.Example == "" || len(x.Example) > longestExample {
			continue
		}
		fmt.Fprintf(&b, "%s %d:", x.Name, len(x.Example))
		for _, way := range nearmiss.Ways {
			own := 0
			any := way.Count(x.Example, func(text string) bool {
				got := string(whole(rules, []byte(text)))
				if strings.Contains(got, lex.MarkerStart+x.Name+"]") {
					own++
				}
				return strings.Contains(got, lex.MarkerStart)
			})
			fmt.Fprintf(&b, " %s %d/%d", way.Name, own, any)
		}
		b.WriteByte('\n')
	}
	for _, line := range strings.Split(withValue+withoutValue, "\n") {
		fmt.Fprintf(&b, "%q:", line)
		for _, way := range nearmiss.Ways {
			n := way.Count(line, func(text string) bool {
				return strings.Contains(string(whole(rules, []byte(text))), lex.MarkerStart)
			})
			fmt.Fprintf(&b, " %s %d", way.Name, n)
		}
		b.WriteByte('\n')
	}
	nearmiss.Compare(t, "testdata/nearmisses.txt", b.String(), *update)
}
