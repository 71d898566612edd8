package turn_test

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
)

// samples are streams of every protocol and framing, each with a text, reasoning where there is such a thing, and a
// call.
func samples() map[turn.Protocol]string {
	return map[turn.Protocol]string{
		turn.OpenAIChat: `data: {"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}

: keep alive

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"reasoning_content":"Add them."}}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":"One moment, café \ud83d\ude00"}}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"add","arguments":"{\"a\":"}}]}}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":null}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: {"id":"c1","model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}

data: [DONE]

`,
		turn.AnthropicMessages: "event: message_start\r\n" +
			`data: {"type":"message_start","message":{"id":"m1","model":"m","role":"assistant","content":[],` +
			`"usage":{"input_tokens":3,"output_tokens":1}}}` + "\r\n\r\n" +
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}` +
			"\r\n\r\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",` +
			`"thinking":"Add them."}}` + "\r\n\r\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}` +
			"\r\n\r\n" +
			`data: {"type":"content_block_stop","index":0}` + "\r\n\r\n" +
			`data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}` + "\r\n\r\n" +
			`data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"One moment."}}` +
			"\r\n\r\n" +
			`data: {"type":"content_block_stop","index":1}` + "\r\n\r\n" +
			`data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1",` +
			`"name":"add","input":{}}}` + "\r\n\r\n" +
			`data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta",` +
			`"partial_json":"{\"a\":1}"}}` + "\r\n\r\n" +
			`data: {"type":"content_block_stop","index":2}` + "\r\n\r\n" +
			`data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}` +
			"\r\n\r\n" +
			`data: {"type":"message_stop"}`,
		turn.OpenAIResponses: `event: response.created
data: {"type":"response.created","response":{"id":"r1","model":"m","status":"in_progress","output":[]}}

data: {"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[]}}

data: {"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"Add "}

data: {"type":"response.reasoning_summary_text.done","output_index":0,"summary_index":0,"text":"Add them."}

data: {"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","encrypted_content":"c2ln","summary":[{"type":"summary_text","text":"Add them."}]}}

data: {"type":"response.output_item.added","output_index":1,"item":{"type":"message","id":"m_1","content":[]}}

data: {"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"One moment."}

data: {"type":"response.output_item.done","output_index":1,"item":{"type":"message","id":"m_2","content":[{"type":"output_text","text":"One moment."}]}}

data: {"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"fc_1","call_id":"call_a","name":"add","arguments":""}}

data: {"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"a\":1}"}

data: {"type":"response.function_call_arguments.done","output_index":2,"arguments":"{\"a\":1}"}

data: {"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","id":"fc_1","call_id":"call_a","name":"add","arguments":"{\"a\":1}"}}

data: {"type":"response.completed","response":{"id":"r1","model":"m","status":"completed","output":[],"usage":{"input_tokens":3,"output_tokens":4}}}

`,
		turn.Gemini: `data: {"candidates":[{"content":{"parts":[{"text":"Add them.","thought":true}],"role":"model"}}],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"m","responseId":"g1"}

data: {"candidates":[{"content":{"parts":[{"text":"One moment."},{"functionCall":{"name":"add","args":{"a":1}},"thoughtSignature":"c2ln"}]}}]}

data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"add","willContinue":true}}]}}]}

data: {"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.list[0].a","stringValue":"on","willContinue":true}],"willContinue":true}}]}}]}

data: {"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.list[0].a","stringValue":"e"},{"jsonPath":"$.n","numberValue":2}]}},{"text":"","thoughtSignature":"dGV4dA=="}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4,"totalTokenCount":7}}

`,
		turn.GeminiInteractions: `{"event_type":"interaction.created","interaction":{"id":"v1","model":"m"}}
{"event_type":"step.start","index":0,"step":{"type":"thought"}}
{"event_type":"step.delta","index":0,"delta":{"type":"thought_signature","signature":"c2ln"}}
{"event_type":"step.stop","index":0}
{"event_type":"step.start","index":1,"step":{"type":"model_output"}}
{"event_type":"step.delta","index":1,"delta":{"type":"text","text":"One moment."}}
{"event_type":"step.stop","index":1}
{"event_type":"step.start","index":2,"step":{"type":"function_call","id":"f1","name":"add","arguments":{}}}
{"event_type":"step.delta","index":2,"delta":{"type":"arguments_delta","arguments":"{\"a\":1}"}}
{"event_type":"step.stop","index":2}
{"event_type":"interaction.completed","interaction":{"id":"v1","status":"requires_action","usage":{"total_input_tokens":3,"total_output_tokens":4}}}
`,
		turn.BedrockConverse: frames(
			"messageStart", `{"role":"assistant"}`,
			"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Add them."}}}`,
			"contentBlockStop", `{"contentBlockIndex":0}`,
			"contentBlockDelta", `{"contentBlockIndex":1,"delta":{"text":"One moment."}}`,
			"contentBlockStop", `{"contentBlockIndex":1}`,
			"contentBlockStart", `{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t1","name":"add"}}}`,
			"contentBlockDelta", `{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\"a\":1}"}}}`,
			"contentBlockStop", `{"contentBlockIndex":2}`,
			"messageStop", `{"stopReason":"tool_use"}`,
			"metadata", `{"usage":{"inputTokens":3,"outputTokens":4}}`),
		turn.CohereV2: `event: message-start
data: {"type":"message-start","id":"c1","delta":{"message":{"role":"assistant"}}}

data: {"type":"tool-plan-delta","delta":{"message":{"tool_plan":"Add them."}}}

data: {"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}

data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"One moment."}}}}

data: {"type":"content-end","index":0}

data: {"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"t1","type":"function","function":{"name":"add","arguments":""}}}}}

data: {"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{\"a\":1}"}}}}}

data: {"type":"tool-call-end","index":0}

data: {"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"input_tokens":3,"output_tokens":4}}}}

`,
		turn.Ollama: `{"model":"m","message":{"role":"assistant","content":"","thinking":"Add them."},"done":false}
{"model":"m","message":{"role":"assistant","content":"One moment."},"done":false}
{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"add","arguments":{"a":1}}}]},"done":false}
{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":4}
`,
	}
}

// frames is a binary event stream of events, each with its payload.
func frames(eventsAndPayloads ...string) string {
	var out []byte
	for i := 0; i < len(eventsAndPayloads); i += 2 {
		headers := header(":event-type", eventsAndPayloads[i]) + header(":message-type", "event")
		payload := eventsAndPayloads[i+1]
		frame := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)))
		frame = binary.BigEndian.AppendUint32(frame, uint32(len(headers)))
		frame = binary.BigEndian.AppendUint32(frame, crc32.ChecksumIEEE(frame))
		frame = append(append(frame, headers...), payload...)
		out = append(out, binary.BigEndian.AppendUint32(frame, crc32.ChecksumIEEE(frame))...)
	}
	return string(out)
}

func header(name, value string) string {
	return string(rune(len(name))) + name + "\x07\x00" + string(rune(len(value))) + value
}

// TestProtocols: what every sample says comes out the same, whatever the protocol.
func TestProtocols(t *testing.T) {
	for protocol, stream := range samples() {
		t.Run(string(protocol), func(t *testing.T) {
			got, events := assembled(t, turn.Options{}, []byte(stream), len(stream))
			if !got.Complete || !strings.Contains(events, `"protocol":"`+string(protocol)+`"`) {
				t.Errorf("not a complete turn of that protocol:\n%s", events)
			}
			if !strings.HasPrefix(got.Text, "One moment") || got.Class != turn.ToolCalls {
				t.Errorf("the text is %q, the class %s", got.Text, got.Class)
			}
			if len(got.Calls) == 0 || got.Calls[0].Name != "add" || got.Calls[0].Arguments != `{"a":1}` ||
				!got.Calls[0].Valid || got.Calls[0].ID == "" {
				t.Errorf("the calls are %+v", got.Calls)
			}
			if len(got.Reasoning) != 1 {
				t.Errorf("the reasoning is %+v", got.Reasoning)
			}
			if cost := got.Usage(); cost.Input != 3 || cost.Output != 4 && cost.Output != 9 || !cost.Reported {
				t.Errorf("the usage is %s", got.RawUsage)
			}
		})
	}
}

// TestCuts: a stream that is cut in any way has the events of the whole.
func TestCuts(t *testing.T) {
	for protocol, stream := range samples() {
		_, whole := assembled(t, turn.Options{}, []byte(stream), len(stream))
		for piece := 1; piece <= 7; piece++ {
			if _, cut := assembled(t, turn.Options{}, []byte(stream), piece); cut != whole {
				t.Errorf("%s in pieces of %d:\n%s\nwhole:\n%s", protocol, piece, cut, whole)
			}
		}
	}
}

// TestRecordedCuts is TestCuts for recorded streams.
func TestRecordedCuts(t *testing.T) {
	for path := range recorded(t, "turn*") {
		stream, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, whole := assembled(t, turn.Options{}, stream, len(stream))
		for _, piece := range []int{1, 7, 64} {
			if _, cut := assembled(t, turn.Options{}, stream, piece); cut != whole {
				t.Errorf("%s differs in pieces of %d", path, piece)
			}
		}
	}
}

// fuzz holds whatever is read to what always holds: no panic, no error of the driver, the same events whatever the
// cuts, the turn as the last event, and calls that are let through only once they are allowed and whole.
func fuzz(f *testing.F, protocol turn.Protocol, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, stream []byte, piece uint8) {
		o := turn.Options{Protocol: protocol, MaxLine: 1 << 16, Advertised: []string{"add"}, Judge: piece&1 == 0,
			StreamArguments: piece&2 == 0}
		result, whole := assembled(t, o, stream, len(stream)+1)
		if _, cut := assembled(t, o, stream, int(piece)+1); cut != whole {
			t.Errorf("in pieces of %d:\n%s\nwhole:\n%s", int(piece)+1, cut, whole)
		}
		o.Advertised, o.Judge = nil, false
		plain, _ := assembled(t, o, stream, len(stream)+1)
		held := 0
		o.Policies = []turn.Policy{policyFunc(func(c turn.Chunk, now turn.Snapshot, to *turn.Outlet) {
			now.Objects()
			if held++; held%3 > 0 && !c.Last {
				to.Hold()
			}
		})}
		if policed, _ := assembled(t, o, stream, int(piece)+1); !reflect.DeepEqual(policed, plain) {
			t.Errorf("with a policy that holds chunks the turn is\n%+v\nwithout\n%+v", policed, plain)
		}
		lines := strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
		over := false
		for i, line := range lines {
			isTurn, isUsage := strings.HasPrefix(line, `{"e":"turn"`), strings.HasPrefix(line, `{"e":"usage"`)
			if over && !isUsage || isTurn && over || i == len(lines)-1 && !over && !isTurn {
				t.Errorf("the turn is not the last event:\n%s", whole)
			}
			over = over || isTurn
		}
		for _, c := range result.Calls {
			if c.Name != "add" {
				t.Errorf("a call of %q was let through", c.Name)
			}
		}
	})
}

func FuzzFraming(f *testing.F) {
	var seeds []string
	for _, stream := range samples() {
		seeds = append(seeds, stream)
	}
	fuzz(f, turn.Auto, append(seeds, "\ufeffdata: {\ndata: }\r\rdata:[DONE]\n", "{}\n{", "data: {}\ndata: {}\n\n")...)
}

func FuzzOpenAIChat(f *testing.F) { fuzz(f, turn.OpenAIChat, samples()[turn.OpenAIChat]) }
func FuzzOpenAIResponses(f *testing.F) {
	fuzz(f, turn.OpenAIResponses, samples()[turn.OpenAIResponses])
}
func FuzzAnthropicMessages(f *testing.F) {
	fuzz(f, turn.AnthropicMessages, samples()[turn.AnthropicMessages])
}
func FuzzGemini(f *testing.F) { fuzz(f, turn.Gemini, samples()[turn.Gemini]) }
func FuzzGeminiInteractions(f *testing.F) {
	fuzz(f, turn.GeminiInteractions, samples()[turn.GeminiInteractions])
}
func FuzzBedrockConverse(f *testing.F) {
	fuzz(f, turn.BedrockConverse, samples()[turn.BedrockConverse])
}
func FuzzCohereV2(f *testing.F) { fuzz(f, turn.CohereV2, samples()[turn.CohereV2]) }
func FuzzOllama(f *testing.F)   { fuzz(f, turn.Ollama, samples()[turn.Ollama]) }
