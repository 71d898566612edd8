package turn_test

import (
	"testing"

	"github.com/kfw-dev/kfw/turn"
)

// TestOpenCallOfFailedTurn: a call that an error of the provider left open is cut off, not a whole
// one with bad arguments.
func TestOpenCallOfFailedTurn(t *testing.T) {
	for finish, want := range map[string]bool{"error": true, "tool_calls": false} {
		stream := `data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"tool_calls":` +
			`[{"index":0,"id":"e","type":"function","function":{"name":"list","arguments":"{\"dir\":\"/s"}}]},` +
			`"finish_reason":null}]}` + "\n\n" +
			`data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"` +
			finish + `"}]}` + "\n\ndata: [DONE]\n\n"
		got, _ := assembled(t, turn.Options{}, []byte(stream), len(stream))
		if len(got.Calls) != 1 || got.Calls[0].Incomplete != want {
			t.Errorf("finish reason %s: calls %+v, want one that is incomplete: %v", finish, got.Calls, want)
		}
	}
}
