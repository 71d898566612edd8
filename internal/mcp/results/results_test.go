package results

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/mcp"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// TestQuestion: the tool and the arguments of a call are the question of its result, without what a rule matches.
func TestQuestion(t *testing.T) {
	rules, err := redact.Compile(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := New(Options{Rules: rules, Whole: rules})
	q := f.question(mcp.Call{Tool: "list_orders",
		Arguments: []byte(`{"query":"refund","password":"huntertwo77","where":{"status":"open"}}`)})
	for line, want := range map[string]int{"orders refund status open": 4, "query huntertwo77 password REDACTED": 0} {
		if got := len(q.Find(nil, []byte(line))); got != want {
			t.Errorf("%q has %d words, want %d", line, got, want)
		}
	}
	if q := f.question(mcp.Call{}); q != nil {
		t.Errorf("a call that is not known asks %d words", q.Len())
	}
}

// TestQuestionArrives: what shortens a result has the question of its call, and a result that is
// shown whole needs none.
func TestQuestionArrives(t *testing.T) {
	rules, err := redact.Compile(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	counter, err := budget.NewCounter("chars")
	if err != nil {
		t.Fatal(err)
	}
	file := file.At(filepath.Join(t.TempDir(), "s.kfw"), session.Settings{Total: session.NoTotal})
	defer file.Close()
	f := New(Options{Rules: rules, Whole: rules, Counter: counter, Counting: "chars", Budget: 1000, Session: file,
		Encoding: func() pipeline.Encoding { return encode.Text{} }, Describe: func(s string) string { return s },
		Note: func(s string) { t.Error(s) }})
	for _, lines := range []int{1, 5000} {
		r := f.Begin().(*Result)
		for range lines {
			fmt.Fprintln(r.Measure(), "a line of text")
		}
		asIs := r.Decide(mcp.Call{Tool: "search", Arguments: []byte(`{"query":"refund"}`)})
		if isShort := lines == 1; asIs != isShort || (r.firewall == nil) != isShort {
			t.Errorf("%d lines: as they are %v, %v", lines, asIs, r.firewall)
		}
		if r.firewall != nil && len(r.firewall.Question().Find(nil, []byte("search refund"))) != 2 {
			t.Error("the question does not arrive")
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}
