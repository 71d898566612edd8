package results

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/mcp"
	"github.com/kfw-dev/kfw/redact"
)

// BenchmarkRedacted compares the way of one large text through the proxy with the redaction of the same text.
func BenchmarkRedacted(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 10_000_000; i++ {
		fmt.Fprintf(&text, `2026-01-02T03:04:05.%03dZ INFO service=api request=%d message=\"handled the request %d\"\n`, i%1000, i, i)
	}
	rules, err := redact.Compile(redact.Options{})
	if err != nil {
		b.Fatal(err)
	}
	counter, err := budget.NewCounter("chars")
	if err != nil {
		b.Fatal(err)
	}
	plain := strings.NewReplacer(`\"`, `"`, `\n`, "\n").Replace(text.String())
	b.Run("redact", func(b *testing.B) {
		b.SetBytes(int64(len(plain)))
		for b.Loop() {
			_, _ = io.Copy(io.Discard, redact.NewReader(strings.NewReader(plain), rules, redact.Auto))
		}
	})
	line := []byte(`{"result":{"content":[{"type":"text","text":"` + text.String() +
		`"}]},"jsonrpc":"2.0","id":1}` + "\n")
	b.Run("proxy", func(b *testing.B) {
		b.SetBytes(int64(len(plain)))
		for b.Loop() {
			f := New(Options{Rules: rules, Whole: rules, Counter: counter,
				Policies: hosts.Policies{{Pattern: "*", Treatment: hosts.Redact}}})
			p := &mcp.Proxy{Redactor: f, Fitter: f, Spool: b.TempDir(), Note: func(s string) { b.Fatal(s) }}
			p.Open(io.Discard)
			if err := p.ToClient(bytes.NewReader(line)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
