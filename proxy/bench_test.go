package proxy

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
)

// conversation is a request of so many turns, each with a tool's answer of so many bytes.
func conversation(b testing.TB, turns, bytes int) string {
	b.Helper()
	var all []string
	for i := range turns {
		var text strings.Builder
		for n := 0; text.Len() < bytes; n++ {
			fmt.Fprintf(&text, "%6d\t\tcase %d: return s.handle(ctx, request.Part(%d)) // of turn %d\n", n+1, n, n*7, i)
		}
		result, err := json.Marshal(text.String())
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_use","id":"t%d","name":"Read","input":{"file_path":"/work/x.go"}}]}`+
			`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]}`, i, i, result))
	}
	return `{"model":"m","messages":[` + strings.Join(all, ",") + `]}`
}

func BenchmarkRequest(b *testing.B) {
	body := conversation(b, 60, 3200)
	r := newRequest(newReused(b), false)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := r.rewrite(strings.NewReader(body), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// reused is a Redactor whose readers are used again.
type reused struct{ text, json *redact.Reader }

func newReused(t testing.TB) *reused {
	t.Helper()
	rules := newPlain(t).rules
	return &reused{redact.NewReader(nil, rules, redact.Auto), redact.NewReader(nil, rules, redact.JSON)}
}

func (r *reused) Result(text io.Reader) io.Reader { return r.Text(text) }
func (r *reused) Text(text io.Reader) io.Reader   { r.text.Reset(text, redact.Auto); return r.text }
func (r *reused) JSON(value io.Reader) io.Reader  { r.json.Reset(value, redact.JSON); return r.json }
