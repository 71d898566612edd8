package results

import (
	"testing"

	"github.com/kfw-dev/kfw/mcp"
	"github.com/kfw-dev/kfw/redact"
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
