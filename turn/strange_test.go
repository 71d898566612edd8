package turn_test

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
)

// TestStrange: content that is of another type than it should be is in the turn, or there is a warning; what may be a
// call is in the turn as one, or the turn is refused. A null, an empty text, list or object is nothing.
func TestStrange(t *testing.T) {
	for p, forms := range map[turn.Protocol]struct{ content, calls []string }{
		turn.OpenAIChat: {[]string{`{"choices":[{"index":0,"delta":{"content":?}}]}`,
			`{"choices":[{"index":0,"delta":{"refusal":?}}]}`, `{"choices":[{"index":0,"delta":{"reasoning":?}}]}`,
			`{"choices":[{"index":0,"delta":{"content":[{"type":"text","text":?}]}}]}`,
			`{"choices":[{"index":0,"delta":?}]}`, `{"choices":[{"index":0,"message":{"content":?}}]}`},
			[]string{`{"choices":[{"index":0,"delta":{"tool_calls":?}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[?]}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":?}]}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":?}}]}}]}`,
				`{"choices":[{"index":0,"delta":{"function_call":?}}]}`}},
		turn.AnthropicMessages: {[]string{
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":?}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":?}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":?}}`},
			[]string{`{"type":"content_block_start","index":0,"content_block":?}`,
				`{"type":"content_block_delta","index":9,"delta":{"type":"input_json_delta","partial_json":?}}`}},
		turn.OpenAIResponses: {[]string{`{"type":"response.output_text.delta","output_index":0,"delta":?}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[?]}}`},
			[]string{`{"type":"response.function_call_arguments.delta","output_index":0,"delta":?}`}},
		turn.Gemini: {[]string{`{"candidates":[{"content":{"parts":[{"text":?}]}}]}`,
			`{"candidates":[{"content":{"parts":[?]}}]}`},
			[]string{`{"candidates":[{"content":{"parts":[{"functionCall":?}]}}]}`}},
		turn.BedrockConverse: {[]string{`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":?}}}`},
			[]string{`{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":?}}}`,
				`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":?}}}}`}},
		turn.CohereV2: {[]string{`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":?}}}}`,
			`{"type":"content-delta","index":0,"delta":{"message":{"content":?}}}`,
			`{"type":"tool-plan-delta","delta":{"message":{"tool_plan":?}}}`},
			[]string{`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":?}}}`}},
		turn.Ollama: {[]string{`{"model":"m","done":false,"message":{"content":?}}`},
			[]string{`{"model":"m","done":false,"message":{"tool_calls":[{"function":?}]}}`}},
		turn.GeminiInteractions: {[]string{`{"event_type":"step.delta","index":0,"delta":{"type":"text","text":?}}`},
			[]string{`{"event_type":"step.delta","index":0,"delta":{"type":"arguments_delta","arguments":?}}`}},
	} {
		for _, value := range []string{`42`, `{"a":"secret words"}`, `["secret words"]`, `true`, `"secret words"`} {
			for i, form := range append(forms.content, forms.calls...) {
				if value[0] == '{' && (i >= len(forms.content) || strings.HasSuffix(form, `"delta":?}]}`)) {
					continue // members that are not known are of no type
				}
				chunk := strings.Replace(form, "?", value, 1)
				got, events := assembled(t, turn.Options{Protocol: p}, []byte(chunk+"\n"), 1<<10)
				warned := strings.Contains(events, `"code":"excluded_content"`)
				refused := got.Error == "inconsistent"
				shown := strings.Contains(events, "secret words")
				if i < len(forms.content) && !warned && !refused && !shown || i >= len(forms.content) && !refused &&
					len(got.Calls) == 0 {
					t.Errorf("%s vanishes: %s", chunk, events)
				}
			}
		}
	}
}
