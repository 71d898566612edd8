package answers

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/guard"
)

// streams are answers of each protocol: a text, and then a call of wipe with the path /srv/data.
var streams = map[string]struct{ kind, body string }{
	"anthropic": {"text/event-stream; charset=utf-8", `event: message_start
data: {"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I look."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"wipe","input":{}}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"/srv"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"/data\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":20}}

event: message_stop
data: {"type":"message_stop"}

`},
	"chat": {"text/event-stream", `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"I look."},"finish_reason":null}]}

data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"wipe","arguments":""}}]},"finish_reason":null}]}

: keep-alive

data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":\"/srv/data\"}"}}]},"finish_reason":null}]}

data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":20,"total_tokens":29}}

data: [DONE]

`},
	"gemini": {"text/event-stream", `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"I look."}]}}],"modelVersion":"m"}

data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"wipe","args":{"path":"/srv/data"}}}]},"finishReason":"STOP"}],"modelVersion":"m"}

`},
	"ollama": {"application/x-ndjson", `{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"I look."},"done":false}
{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"wipe","arguments":{"path":"/srv/data"}}}]},"done":false}
{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}
`},
	"chat whole":      {"application/json", `{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"I look.","tool_calls":[{"id":"t1","type":"function","function":{"name":"wipe","arguments":"{\"path\":\"/srv/data\"}"}}]},"finish_reason":"tool_calls"}]}`},
	"anthropic whole": {"application/json", `{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"wipe","input":{"path":"/srv/data"}}],"stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":20}}`},
}

// judged returns what becomes of an answer, and its status.
func judged(t *testing.T, kind string, body io.Reader, policies ...turn.Policy) (string, int) {
	t.Helper()
	g := &Guard{Begin: func(*Question) ([]turn.Policy, func() error, error) {
		return append(policies, guard.Others{}), func() error { return nil }, nil
	}}
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {kind}},
		Body: io.NopCloser(body)}
	if err := g.Answer(&Question{}, answer); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), answer.StatusCode
}

func rule(t *testing.T, text string) guard.Rules {
	t.Helper()
	r, err := guard.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return guard.Rules{r}
}

// TestAllowedAnswersKeepTheirBytes: an answer whose calls are let through is what it was, wherever it is cut.
func TestAllowedAnswersKeepTheirBytes(t *testing.T) {
	for name, s := range streams {
		for cut, body := range map[string]io.Reader{"whole": strings.NewReader(s.body),
			"bytes":  iotest.OneByteReader(strings.NewReader(s.body)),
			"halves": iotest.HalfReader(strings.NewReader(s.body))} {
			if got, status := judged(t, s.kind, body, rule(t, "other")); inOrder(got) != inOrder(s.body) ||
				status != http.StatusOK {
				t.Errorf("%s in %s: %d\n%s", name, cut, status, got)
			}
		}
	}
}

// inOrder is a stream without pings, which need not wait.
func inOrder(stream string) string {
	return strings.NewReplacer("event: ping\ndata: {\"type\": \"ping\"}\n\n", "", ": keep-alive\n\n",
		"").Replace(stream)
}

// TestRefusedCallsDoNotPass: nothing of a refused call reaches the client, in no protocol and wherever it is cut; the
// text before it does.
func TestRefusedCallsDoNotPass(t *testing.T) {
	for name, s := range streams {
		for _, body := range []io.Reader{strings.NewReader(s.body), iotest.OneByteReader(strings.NewReader(s.body))} {
			got, status := judged(t, s.kind, body, rule(t, `wipe:path=~^/srv`))
			if strings.Contains(got, "/srv") || strings.Contains(got, `"t1"`) {
				t.Errorf("%s: %s", name, got)
			}
			isWhole := strings.HasSuffix(name, "whole")
			if isWhole && (status != http.StatusForbidden || !strings.Contains(got, "permission_error")) ||
				!isWhole && (!strings.Contains(got, "I look.") || !strings.Contains(got, "wipe was blocked") ||
					status != http.StatusOK) {
				t.Errorf("%s: %d %s", name, status, got)
			}
		}
	}
}

// TestTextPassesAtOnce: what comes before a call is there before the rest has come.
func TestTextPassesAtOnce(t *testing.T) {
	for name, s := range streams {
		if strings.HasSuffix(name, "whole") {
			continue
		}
		in, write := io.Pipe()
		g := &Guard{Begin: func(*Question) ([]turn.Policy, func() error, error) {
			return []turn.Policy{guard.Others{}}, func() error { return nil }, nil
		}}
		answer := &http.Response{Header: http.Header{"Content-Type": {s.kind}}, Body: in}
		if err := g.Answer(&Question{}, answer); err != nil {
			t.Fatal(err)
		}
		begin := s.body[:strings.Index(s.body, "I look.")+len("I look.")]
		begin = s.body[:len(begin)+strings.Index(s.body[len(begin):], "\n")+1]
		if s.kind != "application/x-ndjson" {
			begin += "\n"
		}
		go func() { _, _ = io.WriteString(write, begin) }() // the reader goes on to wait
		got := make([]byte, len(begin))
		if _, err := io.ReadFull(answer.Body, got); err != nil || string(got) != begin {
			t.Errorf("%s: %v %s", name, err, got)
		}
		_ = write.Close()
	}
}

// TestWriteBack: a call that writes a placeholder is blocked, unless the user has said it, whatever the escapes.
func TestWriteBack(t *testing.T) {
	for arguments, isBlocked := range map[string]bool{`[REDACTED:email]`: true, `\\u005bREDACTED:email]`: true,
		`REDACTED`: false} {
		for user, isSaid := range map[string]bool{`hello`: false, `write [REDACTED:email] there`: true} {
			stream := strings.ReplaceAll(streams["chat"].body, `/srv/data`, arguments)
			sent := []byte(`{"messages":[{"role":"user","content":"` + user +
				`"},{"role":"assistant","content":"it is [REDACTED:email]"},` +
				`{"role":"tool","content":"[REDACTED:email]"}]}`)
			got, _ := judged(t, "text/event-stream", strings.NewReader(stream), WriteBack{&Question{Body: sent}})
			if want := isBlocked && !isSaid; want != strings.Contains(got, "was blocked") ||
				want == strings.Contains(got, `"t1"`) {
				t.Errorf("%s, the user says %q: %s", arguments, user, got)
			}
		}
	}
}

// FuzzGuard: an answer without a refusal is what it was, and none has anything of a refused call, whatever the bytes
// are.
func FuzzGuard(f *testing.F) {
	for _, s := range streams {
		f.Add([]byte(s.body), 3)
	}
	f.Fuzz(func(t *testing.T, body []byte, cut int) {
		kind := "text/event-stream"
		if cut %= len(body) + 1; cut < 0 {
			kind, cut = "application/x-ndjson", -cut
		}
		got, _ := judged(t, kind, io.MultiReader(bytes.NewReader(body[:cut]), bytes.NewReader(body[cut:])),
			rule(t, "other"))
		if len(got) != len(body) && !strings.Contains(string(body), "other") {
			t.Errorf("%d bytes have become %d: %s", len(body), len(got), got)
		}
	})
}
