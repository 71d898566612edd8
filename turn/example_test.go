package turn_test

import (
	"fmt"

	"github.com/kfw-dev/kfw/turn"
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
				fmt.Println("there is no", e.Name)
				if err := a.Resolve(turn.Resolution{Action: turn.Repair, Name: e.Allowed[0]}); err != nil {
					fmt.Println(err)
				}
			case turn.AwaitVerdict:
				fmt.Println("judging:", e.Name, e.Arguments)
				if err := a.Decide(turn.Verdict{Action: turn.Allow}); err != nil {
					fmt.Println(err)
				}
			case turn.CallEnded:
				fmt.Println("call:", e.Name, e.Arguments)
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
