package turn_test

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/scripted"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

// asked is what a user says first, in the form of a protocol.
func asked(p turn.Protocol) string {
	switch p {
	case turn.Gemini:
		return `{"role":"user","parts":[{"text":"Add."}]}`
	case turn.BedrockConverse:
		return `{"role":"user","content":[{"text":"Add."}]}`
	case turn.GeminiInteractions:
		return `{"type":"user_input","content":[{"type":"text","text":"Add."}]}`
	}
	return `{"role":"user","content":"Add."}`
}

// nextRequest is the messages of a request that follows a turn.
func nextRequest(p turn.Protocol, messages ...turn.Message) []byte {
	next := string(encode.AppendMessages(nil, p, messages...))
	return []byte("[" + asked(p) + "," + strings.TrimPrefix(next, "["))
}

// TestNextRequest: a strict provider accepts the turn with the results of its calls, and the messages that take a turn
// back: at every cut of its call.
func TestNextRequest(t *testing.T) {
	for p, stream := range samples() {
		if p == turn.OpenAIChat {
			stream = strings.ReplaceAll(stream, `"reasoning_content":"Add them."`, `"content":""`) // OpenAI's has none
		}
		var options struct{ retry, ok turn.Options }
		options.retry.Advertised, options.ok.Advertised = []string{"subtract"}, []string{"add"}
		ok, _ := assembled(t, options.ok, []byte(stream), 1<<10)
		said, results := ok.Message(), turn.Message{Role: "user", Results: []turn.Result{}}
		for _, c := range ok.Calls {
			results.Results = append(results.Results, turn.Result{ID: c.ID, Name: c.Name, Text: "3", Minted: c.Minted})
		}
		if err := scripted.Check(p, nextRequest(p, said, results)); err != nil || len(results.Results) == 0 {
			t.Errorf("%s: the turn: %v: %s", p, err, nextRequest(p, said, results))
		}
		if err := scripted.Check(p, nextRequest(p, said)); err == nil {
			t.Errorf("%s: a turn without results is accepted", p)
		}
		for _, action := range []turn.Action{turn.Retry, turn.Skip} {
			a := turn.New(options.retry)
			var back []turn.Message
			for _, piece := range []byte(stream) {
				if err := a.Push([]byte{piece}); err != nil {
					t.Fatal(err)
				}
				for e, ok := a.Next(); ok; e, ok = a.Next() {
					if e.Kind == turn.InvalidCall {
						if err := a.Resolve(turn.Resolution{Action: action}); err != nil {
							t.Fatal(err)
						}
					}
					if e.Kind == turn.RolledBack {
						back = e.Messages
					}
				}
			}
			if err := scripted.Check(p, nextRequest(p, back...)); err != nil || back == nil {
				t.Errorf("%s: %s: %v: %s", p, action, err, nextRequest(p, back...))
			}
		}
	}
	if err := scripted.Check(turn.OpenAIChat, []byte(`[{"role":"user","content":"x","more":1}]`)); err == nil {
		t.Error("a member that is not known is accepted")
	}
}
