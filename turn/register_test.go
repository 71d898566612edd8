package turn_test

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// acme reads a protocol of lines such as {"say":"Hi"}, {"do":"add","id":"a","with":{"n":1}} and {"over":"done"}.
type acme struct{}

func (acme) Decode(_ string, chunk gjson.Result, to *protocol.Steps) {
	at := protocol.Key{None: true} // its calls have no numbers
	switch {
	case chunk.Get("say").Exists():
		to.Add(protocol.Step{Kind: protocol.TextStep, Text: protocol.Text(chunk.Get("say"))})
	case chunk.Get("do").Exists():
		to.Add(protocol.Step{Kind: protocol.CallStep, Key: at, ID: chunk.Get("id").String(), Name: chunk.Get("do").String()})
		to.Add(protocol.Step{Kind: protocol.InputStep, Key: at, JSON: chunk.Get("with")})
	case chunk.Get("over").Exists():
		why := chunk.Get("over").String()
		to.Add(protocol.Step{Kind: protocol.FinishStep, Text: why, Class: protocol.Stop})
		to.Add(protocol.Step{Kind: protocol.DoneStep})
	default:
		to.Other("unknown", true)
	}
}

// A protocol from outside: what its chunks look like, and what each of them says.
func ExampleRegister() {
	turn.Register(protocol.Spec{
		Name: "acme",
		Recognizes: func(_ string, chunk gjson.Result) bool {
			return chunk.Get("say").Exists() || chunk.Get("do").Exists()
		},
		New:   func() protocol.Decoder { return acme{} },
		Class: func(string, string) protocol.Class { return protocol.Stop },
	})
	a := turn.New(turn.Options{Advertised: []string{"add"}})
	if err := a.Push([]byte(`{"say":"One moment."}
{"do":"add","id":"a","with":{"n":1}}
{"over":"done"}
`)); err != nil {
		fmt.Println(err)
	}
	for e, ok := a.Next(); ok; e, ok = a.Next() {
		fmt.Println(string(e.AppendJSON(nil)))
	}
	// Output:
	// {"e":"start","id":null,"model":null,"protocol":"acme"}
	// {"e":"text","d":"One moment."}
	// {"e":"call","k":2,"id":"a","name":"add"}
	// {"e":"call_end","k":2,"id":"a","name":"add","args":{"n":1},"valid":true}
	// {"e":"turn","complete":true,"turn":{"message_id":null,"model":null,"role":null,"reasoning":[],"text":"One moment.","tool_calls":[{"id":"a","name":"add","arguments":{"n":1},"arguments_text":"{\"n\":1}"}],"finish_reason":"done","finish_class":"tool_calls","usage":null}}
}
