package turn_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
	"github.com/kfw-dev/kfw/turn/guard"
)

// A stream in which the model calls a tool that it was not offered, under almost the right name.
func Example() {
	stream := `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Let me see."}}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","function":{"name":"weather","arguments":"{\"city\":"}}]}}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"Oslo\"}"}}]}}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":7}}

data: [DONE]

`
	a := turn.New(turn.Options{Advertised: []string{"get_weather"}, Judge: true})
	pull := func() {
		for e, ok := a.Next(); ok; e, ok = a.Next() {
			switch e.Kind {
			case turn.TextDelta:
				fmt.Println("text:", e.Text)
			case turn.InvalidCall: // told before anything of the call is
				fmt.Println("there is no", e.Call.Name)
				if err := a.Resolve(turn.Resolution{Action: turn.Repair, Name: e.Tools.Allowed[0]}); err != nil {
					fmt.Println(err)
				}
			case turn.AwaitVerdict:
				fmt.Println("judging:", e.Call.Name, e.Call.Arguments)
				if err := a.Decide(turn.Verdict{Action: turn.Allow}); err != nil {
					fmt.Println(err)
				}
			case turn.CallEnded:
				fmt.Println("call:", e.Call.Name, e.Call.Arguments)
			}
		}
	}
	for len(stream) > 0 {
		n := min(100, len(stream)) // as a connection would give it
		if err := a.Push([]byte(stream[:n])); err != nil {
			fmt.Println(err)
		}
		stream = stream[n:]
		pull()
	}
	a.End()
	pull()
	result := a.Close()
	fmt.Println(result.Complete, result.Class, result.Usage().Output)
	// Output:
	// text: Let me see.
	// there is no weather
	// judging: get_weather {"city":"Oslo"}
	// call: get_weather {"city":"Oslo"}
	// true tool_calls 7
}

// buffered is a policy that lets text pass at once, holds calls until all of them are whole, and
// answers with an error if one of them would remove something.
type buffered struct{}

func (buffered) Chunk(_ turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
	for _, o := range now.Objects() {
		switch {
		case o.Kind != turn.CallObject:
		case strings.Contains(o.Text(), "rm -rf"):
			to.End("forbidden", "nothing is removed here")
			return
		case !o.Complete:
			to.Hold()
		}
	}
}

// A policy of one's own, beside the rules of package guard: what it holds is never seen if the turn
// ends badly.
func ExamplePolicy() {
	rules := guard.Rules{}
	if rule, err := guard.ParseRule("delete_file"); err == nil {
		rules = append(rules, rule)
	}
	a := turn.New(turn.Options{Policies: []turn.Policy{rules, buffered{}}})
	var client bytes.Buffer
	var chunks encode.Encoder
	for _, chunk := range []string{
		`{"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":"I clean up."}}]}`,
		`{"id":"c1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a",` +
			`"function":{"name":"run","arguments":"{\"command\":\"rm "}}]}}]}`,
		`{"id":"c1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,` +
			`"function":{"arguments":"-rf build\"}"}}]}}]}`,
	} {
		if err := a.PushChunk([]byte(chunk)); err != nil {
			fmt.Println(err)
		}
		for e, ok := a.Next(); ok; e, ok = a.Next() {
			client.Write(chunks.Append(nil, &e))
		}
	}
	a.Close()
	for e, ok := a.Next(); ok; e, ok = a.Next() {
		client.Write(chunks.Append(nil, &e))
	}
	for line := range strings.Lines(client.String()) {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Println(line)
		}
	}
	// Output:
	// {"id":"c1","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}
	// {"id":"c1","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":"I clean up."},"finish_reason":null}]}
	// {"error":{"message":"nothing is removed here","code":"turn_incomplete"}}
}

// An HTTP response of a provider, in which a call of a tool that was not offered takes the turn
// back: the rest is read for what it cost, and the next request has the messages that say so.
func ExampleAssembler_Resolve() {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for _, chunk := range []string{
			`{"type":"message_start","message":{"id":"m1","model":"m","role":"assistant","content":[],` +
				`"usage":{"input_tokens":12,"output_tokens":1}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Let me see."}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"weather",` +
				`"input":{}}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta",` +
				`"partial_json":"{\"city\":\"Oslo\"}"}}`, `{"type":"content_block_stop","index":1}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":34}}`,
			`{"type":"message_stop"}`,
		} {
			if _, err := io.WriteString(w, "data: "+chunk+"\n\n"); err != nil {
				return
			}
		}
	}))
	defer provider.Close()
	response, err := http.Get(provider.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()

	a := turn.New(turn.Options{Advertised: []string{"get_forecast", "get_time"}})
	buf := make([]byte, 512)
	for !a.Stopped() {
		n, readErr := response.Body.Read(buf)
		if err := a.Push(buf[:n]); err != nil {
			fmt.Println(err)
		}
		if readErr != nil {
			a.End()
		}
		for e, ok := a.Next(); ok; e, ok = a.Next() {
			switch e.Kind {
			case turn.InvalidCall:
				fmt.Printf("%s is not offered; so far: %q\n", e.Call.Name, e.Now().Turn().Text)
				answer := turn.Resolution{Action: turn.Retry}
				if name, ok := guard.Nearest(e.Call.Name, e.Tools.Allowed, nil); ok {
					answer = turn.Resolution{Action: turn.Repair, Name: name}
				}
				if err := a.Resolve(answer); err != nil {
					fmt.Println(err)
				}
			case turn.RolledBack:
				fmt.Println(string(encode.AppendMessages(nil, turn.AnthropicMessages, e.Messages...)))
			case turn.TurnEnded:
				fmt.Println(e.Turn.Complete, e.Turn.Usage().Input, e.Turn.Usage().Output)
			}
		}
		if readErr != nil {
			break
		}
	}
	// Output:
	// weather is not offered; so far: "Let me see."
	// [{"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"t1","name":"weather","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Tool not executed: there is no tool of that name. Call one of these: get_forecast, get_time.","is_error":true}]}]
	// false 12 34
}
