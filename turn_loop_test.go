package main

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/scripted"
	"github.com/kfw-dev/kfw/turn"
)

// TestTurnLoop runs the agent of docs/turn-loop.sh against a strict provider: a tool that was not offered, a call that
// a rule blocks beside one that runs, and the answer.
func TestTurnLoop(t *testing.T) {
	t.Parallel()
	for _, needed := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip(needed + " is not here")
		}
	}
	chunk := func(delta, reason string) string {
		return `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + reason +
			`}]}` + "\n\n"
	}
	call := func(index, id, name, arguments string) string {
		return chunk(`{"tool_calls":[{"index":`+index+`,"id":"`+id+`","type":"function","function":{"name":"`+name+
			`","arguments":"`+arguments+`"}}]}`, "null")
	}
	const end = "data: [DONE]\n\n"
	provider := &scripted.Server{Protocol: turn.OpenAIChat, Script: []string{
		chunk(`{"role":"assistant","content":"I sum."}`, "null") + call("0", "a", "sum", `{\"a\":1`) + end,
		call("0", "b", "add", `{\"a\":1,\"b\":2}`) + call("1", "c", "add", `{\"a\":666,\"b\":2}`) +
			chunk("{}", `"tool_calls"`) + end,
		chunk(`{"content":"It is 3."}`, `"stop"`) + end,
	}}
	server := httptest.NewServer(provider)
	defer server.Close()
	request := filepath.Join(t.TempDir(), "request.json")
	if err := os.WriteFile(request, []byte(`{"model":"m","stream":true,"messages":[{"role":"user","content":"What is 1 + 2?"}],`+
		`"tools":[{"type":"function","function":{"name":"add","parameters":{}}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command("sh", "docs/turn-loop.sh", server.URL, request).Output()
	requests := provider.Requests()
	if err != nil || string(said) != "It is 3.\n" || len(requests) != 3 {
		t.Fatalf("%v: %s\n%s", err, said, strings.Join(requests, "\n"))
	}
	for i, want := range []string{"", "Tool not executed: there is no tool of that name. Call one of these: add.",
		"The call of add was blocked: a rule forbids it"} {
		if !strings.Contains(requests[i], want) {
			t.Errorf("request %d has no %q: %s", i, want, requests[i])
		}
	}
}
