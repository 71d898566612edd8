package turn_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/kfw-dev/kfw/internal/scripted"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
	"github.com/kfw-dev/kfw/turn/guard"
)

// An agent: it asks a model, lets through what its rules and its own verdict allow, runs it, and asks again, until
// there is nothing to run.
func Example_loop() {
	provider := httptest.NewServer(&scripted.Server{Protocol: turn.AnthropicMessages, Script: conversation()})
	defer provider.Close()
	rule, err := guard.ParseRule(`add:a=~^666$`)
	if err != nil {
		fmt.Println(err)
		return
	}
	messages := []json.RawMessage{[]byte(`{"role":"user","content":"What is 1 + 2?"}`)}
	for range 8 {
		said, back, err := ask(provider.URL, messages, guard.Rules{rule})
		if err != nil {
			fmt.Println(err)
			return
		}
		next := back // a tool that was not offered: the model is told so
		if next == nil {
			next = []turn.Message{said.Message()}
			if len(said.Calls) > 0 {
				next = append(next, run(said.Calls))
			}
		}
		var more []json.RawMessage
		if err := json.Unmarshal(encode.AppendMessages(nil, turn.AnthropicMessages, next...), &more); err != nil {
			fmt.Println(err)
			return
		}
		messages = append(messages, more...)
		if back == nil && len(said.Calls) == 0 {
			fmt.Println(said.Text)
			return
		}
	}
	// Output:
	// the model has called sum, and is asked again
	// add({"a":1,"b":2}) is let through
	// add({"a":666,"b":2}) was blocked
	// It is 3.
}

// ask sends a request, and returns the turn, or the messages that take it back.
func ask(url string, messages []json.RawMessage, rules guard.Rules) (said turn.Turn, back []turn.Message, err error) {
	body, err := json.Marshal(map[string]any{"model": "m", "stream": true, "messages": messages})
	if err != nil {
		return said, nil, err
	}
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return said, nil, err
	}
	defer response.Body.Close()
	a := turn.New(turn.Options{Advertised: []string{"add"}, Policies: []turn.Policy{rules}, Judge: true})
	for buf := make([]byte, 32<<10); ; {
		n, readErr := response.Body.Read(buf)
		if err := a.Push(buf[:n]); err != nil {
			return said, nil, err
		}
		if readErr != nil {
			a.End()
		}
		for e, ok := a.Next(); ok; e, ok = a.Next() {
			switch e.Kind {
			case turn.InvalidCall:
				fmt.Printf("the model has called %s, and is asked again\n", e.Call.Name)
				err = a.Resolve(turn.Resolution{Action: turn.Retry})
			case turn.RolledBack:
				back = e.Messages
			case turn.AwaitVerdict: // the strictest of this answer and the rules' counts
				err = a.Decide(turn.Verdict{Action: turn.Allow})
			case turn.Judged:
				done := map[bool]string{true: "is let through", false: "was blocked"}[e.Verdict.Action == turn.Allow]
				fmt.Printf("%s(%s) %s\n", e.Call.Name, e.Call.Arguments, done)
			case turn.TurnEnded:
				if e.Turn.Complete || back != nil {
					return *e.Turn, back, nil
				}
				return said, nil, fmt.Errorf("%s: %s", e.Turn.Code, e.Turn.Error)
			}
			if err != nil {
				return said, nil, err
			}
		}
	}
}

// run runs calls, and returns what the model is told of them.
func run(calls []turn.Call) turn.Message {
	results := turn.Message{Role: "user"}
	for _, c := range calls {
		var n struct{ A, B int }
		err := json.Unmarshal([]byte(c.Arguments), &n)
		results.Results = append(results.Results, turn.Result{ID: c.ID, Name: c.Name, Text: fmt.Sprint(n.A + n.B),
			Failed: err != nil})
	}
	return results
}

// conversation is what the model says to each request.
func conversation() (script []string) {
	event := func(kind, members string) string {
		return "event: " + kind + "\ndata: {\"type\":\"" + kind + `"` + members + "}\n\n"
	}
	call := func(index, id, name, arguments string) string {
		return event("content_block_start", `,"index":`+index+`,"content_block":{"type":"tool_use","id":"`+id+`","name":"`+
			name+`","input":{}}`) + event("content_block_delta", `,"index":`+index+
			`,"delta":{"type":"input_json_delta","partial_json":"`+arguments+`"}`) +
			event("content_block_stop", `,"index":`+index)
	}
	text := func(text string) string {
		return event("content_block_start", `,"index":0,"content_block":{"type":"text","text":"`+text+`"}`) +
			event("content_block_stop", `,"index":0`)
	}
	for _, says := range []string{text("I sum.") + call("1", "a", "sum", "{}"),
		call("0", "b", "add", `{\"a\":1,\"b\":2}`) + call("1", "c", "add", `{\"a\":666,\"b\":2}`), text("It is 3.")} {
		script = append(script, event("message_start", `,"message":{"id":"m1","model":"m","role":"assistant","content":[]}`)+
			says+event("message_delta", `,"delta":{"stop_reason":"end_turn"}`)+event("message_stop", ""))
	}
	return script
}
