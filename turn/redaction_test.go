package turn_test

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/turn"
)

// redacting returns options with all rules on.
func redacting(t testing.TB) turn.Options {
	t.Helper()
	rules, err := redact.Compile(redact.Options{Groups: redact.All})
	if err != nil {
		t.Fatal(err)
	}
	return turn.Options{NewRedactor: func() turn.Redactor { return rules.Text() }}
}

// TestRedaction: a secret never leaves, wherever the deltas cut it, and neither in the whole that comes after them.
func TestRedaction(t *testing.T) {
	const secret, before, after = "ada.lovelace@example.com", "Write to ", " today, caf\u00e9 at nine."
	text := before + secret + after
	want := before + "[REDACTED:email]" + after
	o := redacting(t)
	check := func(name string, stream string) {
		t.Helper()
		got, events := assembled(t, o, []byte(stream), len(stream))
		if got.Text != want || !got.Complete {
			t.Errorf("%s: the text is %q", name, got.Text)
		}
		var told strings.Builder
		for line := range strings.Lines(events) {
			if strings.Contains(line, secret) || strings.Contains(line, "lovelace") {
				t.Errorf("%s: %s", name, line)
			}
			if _, d, ok := strings.Cut(line, `"e":"text","d":"`); ok {
				told.WriteString(strings.TrimSuffix(d, "\"}\n"))
			}
		}
		if told.String() != want {
			t.Errorf("%s: the events say %q", name, told.String())
		}
	}
	for i := 1; i < len(text); i++ {
		if text[i]&0xc0 == 0x80 {
			continue // no delta ends within a character
		}
		one, two := text[:i], text[i:]
		check("chat", chat(`{"content":"`+one+`"}`, `{"content":"`+two+`"}`)+strings.Replace(finish, "tool_calls", "stop", 1))
		check("responses", `{"type":"response.created","response":{"id":"r"}}
{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"`+one+`"}
{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"`+two+`"}
{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"`+text+`"}
{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"`+text+`"}]}]}}
`)
		check("responses cut short", `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"`+one+`"}
{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"`+text+`"}]}]}}
`)
	}
}
