package asked

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/redact"
)

func rulesOf(t testing.TB, o redact.Options) *redact.Rules {
	t.Helper()
	rules, err := redact.Compile(o)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// weights returns the words of a line that are asked for, each with its weight.
func weights(q *question.Question, line string) string {
	var all []string
	for _, p := range q.Find(nil, []byte(line)) {
		all = append(all, fmt.Sprintf("%s:%.3g", line[p.Start:p.End], q.Weight(p.Word)))
	}
	return strings.Join(all, " ")
}

// TestQuestion: what each kind of block asks, and that blocks decay in their order.
func TestQuestion(t *testing.T) {
	for _, c := range []struct {
		name string
		add  func(a *Asked)
		line string
		want string
	}{
		{"nothing", func(*Asked) {}, "retry", ""},
		{"a text has blocks", func(a *Asked) { a.Text([]byte("[1] alpha\n[2] beta\n")) }, "alpha beta",
			"alpha:0.8 beta:1"},
		{"what is said is one block", func(a *Asked) { a.Said([]byte("alpha\n[2] beta")) }, "alpha beta",
			"alpha:1 beta:1"},
		{"nothing said is no block", func(a *Asked) { a.Said([]byte("alpha")); a.Said(nil); a.Call("", nil) }, "alpha",
			"alpha:1"},
		{"order", func(a *Asked) { a.Text([]byte("[1] alpha\n[2] beta")); a.Said([]byte("gamma")); a.Call("delta", nil) },
			"alpha beta gamma delta", "alpha:0.512 beta:0.64 gamma:0.8 delta:1"},
		{"a call: its tool, strings and numbers", func(a *Asked) {
			a.Call("list_orders", []byte(`{"query":"re\u0066und","issue":1182,"flags":["alpha",true]}`))
		}, "orders refund 1182 alpha query flags true", "orders:1 refund:1 1182:1 alpha:1"},
		{"names below the top", func(a *Asked) { a.Call("", []byte(`{"filter":{"status":"open"},"env":[{"HOME":"x"}]}`)) },
			"filter status open env home", "status:1 open:1 home:1"},
		{"an input that is a string", func(a *Asked) { a.Call("apply", []byte(`"alpha beta"`)) }, "alpha", "alpha:1"},
		{"an input that is no JSON", func(a *Asked) { a.Call("apply", []byte(`alpha {`)) }, "alpha", "alpha:1"},
		{"too large an input", func(a *Asked) { a.Call("write", []byte(`"`+strings.Repeat("alpha ", MaxInput/6+1)+`"`)) },
			"write alpha", "write:1"},
	} {
		a := By(rulesOf(t, redact.Options{Groups: redact.All}))
		c.add(a)
		if got := weights(a.Question(), c.line); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestRedacted: what a rule matches is no word of a question, nor is the placeholder; a choice of
// fields of the response does not apply.
func TestRedacted(t *testing.T) {
	for _, fields := range [][]string{nil, {"id"}} {
		a := By(rulesOf(t, redact.Options{Groups: redact.All, AllowFields: fields}))
		a.Text([]byte("alpha\npassword: hunterone77\n" + `{"password":"huntertwo77","beta":"gamma"}`))
		a.Said([]byte("mail ann.hunterthree@example.com now"))
		a.Call("login", []byte(`{"user":"delta","password":"hunterfour77"}`))
		a.Call("login", []byte(`password=hunterfive77 epsilon`))
		got := weights(a.Question(),
			"hunterone77 huntertwo77 hunterthree hunterfour77 hunterfive77 redacted email alpha beta gamma mail delta epsilon")
		if want := "alpha:0.512 beta:0.512 gamma:0.512 mail:0.64 delta:0.8 epsilon:1"; got != want {
			t.Errorf("fields %v: %q, want %q", fields, got, want)
		}
	}
}

// FuzzInput: whatever an input is, what is taken of it has a bound.
func FuzzInput(f *testing.F) {
	f.Add([]byte(`{"a":{"b":["c",1,{"d":null}]}}`))
	f.Add([]byte(strings.Repeat(`[`, 5000)))
	f.Add([]byte(`{"a":"` + strings.Repeat("x", MaxCall) + `","b":{"c":"d"}}`))
	rules := rulesOf(f, redact.Options{Groups: redact.All})
	f.Fuzz(func(t *testing.T, input []byte) {
		if n := len(Input(input)); n > MaxCall {
			t.Fatalf("%d bytes", n)
		}
		a := By(rules)
		a.Call("x", input)
		a.Text(input)
		a.Question()
	})
}
