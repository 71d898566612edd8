package summarize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestVerdictsAreNotCountedAsWords: a failure that is in the list of tests and in the summary is not said to be two.
func TestVerdictsAreNotCountedAsWords(t *testing.T) {
	for _, shape := range []struct{ passed, failed, again string }{
		{"tests/test_x.py::test_%s PASSED", "tests/test_x.py::test_%s FAILED",
			"FAILED tests/test_x.py::test_%s - assert 1 == 2"},
		{"ok - %s", "not ok - %s", "failed: %s"}, {"test %s ... ok", "test %s ... FAILED", "    %s failed"},
		{"  %s: passed", "  %s: failed", "Failed test: %s"}, {"[done] %s", "[failed] %s", "failed jobs: %s"},
	} {
		var b strings.Builder
		again := ""
		for i := range 90 {
			if i%9 != 4 {
				fmt.Fprintf(&b, shape.passed+"\n", nameOf(i))
				continue
			}
			fmt.Fprintf(&b, shape.failed+"\n", nameOf(i))
			again += fmt.Sprintf(shape.again+"\n", nameOf(i))
		}
		words := gjson.GetBytes(watched(linesOf(b.String()+again)).Facts(anyLength).JSON(), "words~").Raw
		if lower := strings.ToLower(words); strings.Contains(lower, "fail") || strings.Contains(lower, "pass") {
			t.Errorf("%q: %s", shape.failed, words)
		}
	}
}
