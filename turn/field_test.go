package turn_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

func lines(chunks ...string) string { return strings.Join(chunks, "\n") + "\n" }

// TestField holds turns to what recordings from the field showed, a kind each. What is written as
// chunks is the same turn.
func TestField(t *testing.T) {
	const created = `{"type":"response.created","response":{"id":"r1","model":"m","output":[]}}`
	completed := func(items string) string {
		return `{"type":"response.completed","response":{"id":"r1","model":"m","status":"completed","output":[` +
			items + `]}}`
	}
	item := func(kind, index, members string) string {
		return `{"type":"response.output_item.` + kind + `","output_index":` + index + `,"item":{` + members + `}}`
	}
	const callA = `"type":"function_call","id":"fc_a","call_id":"a","name":"x","arguments":"{\"n\":1}"`
	const callB = `"type":"function_call","id":"fc_b","call_id":"b","name":"x","arguments":"{\"n\":2}"`
	const said = `"type":"message","id":"m_1","content":[{"type":"output_text","text":"One moment."}]`
	const thought = `"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Hm."}]`
	start := func(message string) string {
		return `{"type":"message_start","message":{"id":"m1","model":"m",` + message + `}}`
	}
	const stop = `{"type":"message_stop"}`
	for _, test := range []struct {
		name, stream           string
		text, reasoning, calls string
		reason                 string
		class                  turn.FinishClass
	}{
		{"responses: two calls at one place", lines(created, item("added", "0", callA), item("added", "0", callB),
			item("done", "0", callA), item("done", "0", callB), completed("{"+callA+"},{"+callB+"}")),
			"", "", `x({"n":1})a x({"n":2})b`, "completed", turn.ToolCalls},
		{"responses: gaps between the places", lines(created, item("done", "2", said), item("done", "5", callA),
			completed("{"+said+"},{"+callA+"}")),
			"One moment.", "", `x({"n":1})a`, "completed", turn.ToolCalls},
		{"responses: another order in the end", lines(created, item("done", "0", thought), item("done", "1", said),
			item("done", "2", callA), item("done", "3", callB),
			completed("{"+callB+"},{"+callA+"},{"+said+"},{"+thought+"}")),
			"One moment.", "Hm.", `x({"n":1})a x({"n":2})b`, "completed", turn.ToolCalls},
		{"responses: ids that change", lines(created, item("done", "0", said), item("done", "1", callA),
			completed(strings.Replace("{"+said+"},{"+callA+"}", "m_1", "m_9", 1))),
			"One moment.", "", `x({"n":1})a`, "completed", turn.ToolCalls},
		{"responses: why it is not complete", lines(created, item("done", "0", said),
			`{"type":"response.incomplete","response":{"id":"r1","model":"m","status":"incomplete",`+
				`"incomplete_details":{"reason":"max_output_tokens"},"output":[]}}`),
			"One moment.", "", "", "max_output_tokens", turn.Length},
		{"responses: a filter", lines(created, item("done", "0", said),
			`{"type":"response.incomplete","response":{"id":"r1","model":"m","status":"incomplete",`+
				`"incomplete_details":{"reason":"content_filter"},"output":[]}}`),
			"One moment.", "", "", "content_filter", turn.ContentFilter},
		{"responses: a custom tool", lines(created, item("added", "0",
			`"type":"custom_tool_call","id":"ct_1","call_id":"a","name":"shell","input":""`),
			`{"type":"response.custom_tool_call_input.delta","output_index":0,"item_id":"ct_1","delta":"ls "}`,
			`{"type":"response.custom_tool_call_input.delta","output_index":0,"item_id":"ct_1","delta":"-l"}`,
			`{"type":"response.custom_tool_call_input.done","output_index":0,"item_id":"ct_1","input":"ls -l"}`,
			item("done", "0", `"type":"custom_tool_call","id":"ct_1","call_id":"a","name":"shell","input":"ls -l"`),
			completed(`{"type":"custom_tool_call","id":"ct_1","call_id":"a","name":"shell","input":"ls -l"}`)),
			"", "", "shell(ls -l)a", "completed", turn.ToolCalls},
		{"responses: an item that comes with its first delta", lines(created, item("added", "0",
			`"type":"message","id":"m_1","content":[{"type":"output_text","text":"gut"}]`),
			`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"guten "}`,
			`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Tag"}`,
			completed(`{"type":"message","id":"m_1","content":[{"type":"output_text","text":"guten Tag"}]}`)),
			"guten Tag", "", "", "completed", turn.Stop},
		{"chat: a custom tool",
			chat(`{"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"shell","input":"ls "}}]}`,
				`{"tool_calls":[{"index":0,"custom":{"input":"-l"}}]}`) + finish,
			"", "", "shell(ls -l)a", "tool_calls", turn.ToolCalls},
		{"anthropic: a message that begins with content", lines(
			start(`"role":"assistant","content":[{"type":"text","text":"One moment."},{"type":"tool_use","id":"a",`+
				`"name":"x","input":{"n":1}}],"stop_reason":"tool_use"`), stop),
			"One moment.", "", `x({"n":1})a`, "tool_use", turn.ToolCalls},
		{"anthropic: a message that was pre-filled",
			lines(start(`"role":"assistant","content":[{"type":"text","text":"One "}]`),
				`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"moment."}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, stop),
			"One moment.", "", "", "end_turn", turn.Stop},
		{"gemini: an empty finish first",
			lines(`{"responseId":"g","candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}]}`,
				`{"responseId":"g","candidates":[{"content":{"parts":[{"text":"One moment."}]},`+
					`"finishReason":"STOP"}]}`),
			"One moment.", "", "", "STOP", turn.Stop},
		{"gemini: an array", "[" + `{"responseId":"g","candidates":[{"content":{"parts":[{"text":"One "}]}}]}` +
			"\n,\n" +
			`{"responseId":"g","candidates":[{"content":{"parts":[{"text":"moment."}]},"finishReason":"STOP"}]}` + "]",
			"One moment.", "", "", "STOP", turn.Stop},
		{"printed over several lines",
			"{\n  \"responseId\": \"g\",\n  \"candidates\": [\n    {\"content\": {\"parts\": [{\"text\": \"One " +
				"moment.\"}]},\n    \"finishReason\": \"STOP\"}\n  ]\n}\n",
			"One moment.", "", "", "STOP", turn.Stop},
		{"an emoji cut in two", chat(`{"content":"\ud83d"}`, `{"content":"\ude00 ok"}`,
			callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"{\"e\":\"\ud83d"}`),
			callDelta(`"index":0,"function":{"arguments":"\ude00\"}"}`)) + finish,
			"\U0001f600 ok", "", "x({\"e\":\"\U0001f600\"})a", "tool_calls", turn.ToolCalls},
		{"half an emoji", chat(`{"content":"a\ud83d"}`, `{"content":"b"}`) + finish, "a\ufffdb", "", "", "tool_calls",
			turn.Stop},
		{"chat: the last chunk is the whole message", chat(`{"reasoning_content":"Hm."}`, `{"content":"One moment."}`,
			callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}`)) +
			`data: {"id":"c1","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{` +
			`"role":"assistant","reasoning_content":"Hm.","content":[{"type":"text","text":"One "},` +
			`{"type":"text","text":"moment."}],"tool_calls":[{"id":"a","function":{"name":"x","arguments":"{\"n\": 1}"}},` +
			`{"id":"b","function":{"name":"x","arguments":"{\"n\":2}"}}]}}]}` + "\n\n",
			"One moment.", "Hm.", `x({"n":1})a x({"n":2})b`, "tool_calls", turn.ToolCalls},
		{"anthropic: the whole message after its blocks", lines(start(`"role":"assistant","content":[]`),
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"One moment."}}`,
			`{"type":"content_block_stop","index":1}`,
			`{"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"a","name":"x"}}`,
			`{"type":"content_block_delta","index":4,"delta":{"type":"input_json_delta","partial_json":"{\"n\":1}"}}`,
			`{"type":"content_block_stop","index":4}`,
			`{"type":"message","id":"m1","role":"assistant","content":[{"type":"text","text":"One moment."},`+
				`{"type":"tool_use","id":"a","name":"x","input":{ "n": 1 }}],"stop_reason":"tool_use"}`, stop),
			"One moment.", "", `x({"n":1})a`, "tool_use", turn.ToolCalls},
		{"anthropic: arguments after the end of the block", lines(start(`"role":"assistant","content":[]`),
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"x"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\":1}"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, stop),
			"", "", `x({"n":1})a`, "tool_use", turn.ToolCalls},
		{"anthropic: a pause", lines(start(`"role":"assistant","content":[{"type":"text","text":"One moment."}]`),
			`{"type":"message_delta","delta":{"stop_reason":"pause_turn"}}`, stop),
			"One moment.", "", "", "pause_turn", turn.Pause},
		{"arguments that are a list", chat(callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":[1]}`)) +
			finish,
			"", "", "x([1])a", "tool_calls", turn.ToolCalls},
		{"arguments that are a number", chat(callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":7}`)) +
			finish,
			"", "", "x(7)a", "tool_calls", turn.ToolCalls},
		{"a late id", chat(callDelta(`"index":0,"function":{"name":"x"}`),
			callDelta(`"index":0,"id":"a","function":{"arguments":"{\"n\":1}"}`)) + finish,
			"", "", `x({"n":1})a`, "tool_calls", turn.ToolCalls},
		{"a late id with the name again", chat(callDelta(`"index":0,"function":{"name":"x","arguments":"{\"n\":"}`),
			callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":"1}"}`)) + finish,
			"", "", `x({"n":1})a`, "tool_calls", turn.ToolCalls},
		{"a late id without an index", chat(callDelta(`"function":{"name":"x"}`),
			callDelta(`"id":"a","function":{"arguments":"{\"n\":1}"}`)) + finish,
			"", "", `x({"n":1})a`, "tool_calls", turn.ToolCalls},
		{"calls that end in another order", lines(start(`"role":"assistant","content":[]`),
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"x",`+
				`"input":{}}}`,
			`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"b","name":"x",`+
				`"input":{}}}`,
			`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"n\":2}"}}`,
			`{"type":"content_block_stop","index":1}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\":1}"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, stop), "", "", `x({"n":1})a x({"n":2})b`,
			"tool_use", turn.ToolCalls},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, events := assembled(t, turn.Options{}, []byte(test.stream), 64)
			var all []string
			for _, c := range got.Calls {
				all = append(all, c.Name+"("+c.Arguments+")"+c.ID)
			}
			if !got.Complete || got.Text != test.text || thoughts(got) != test.reasoning ||
				strings.Join(all, " ") != test.calls ||
				got.FinishReason != test.reason || got.Class != test.class {
				t.Errorf("got %q, %q, %q, %s, %s\n%s", got.Text, thoughts(got), all, got.FinishReason, got.Class,
					events)
			}
			if said := spokenBy(t, events); said != got.Text {
				t.Errorf("events say %q, the turn %q", said, got.Text)
			}
			sameTurn(t, []byte(test.stream))
		})
	}
}

// spokenBy is the text of the events of the first choice.
func spokenBy(t *testing.T, events string) (all string) {
	t.Helper()
	for line := range strings.Lines(events) {
		var e struct {
			E, D   string
			Choice int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.E == "text" && e.Choice == 0 {
			all += e.D
		}
	}
	return all
}

// TestRecordedTexts: events say what the turn says, unless a warning says that they did not.
func TestRecordedTexts(t *testing.T) {
	for path := range recorded(t, "turn*") {
		stream, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, events := assembled(t, turn.Options{}, stream, 1<<10)
		if said := spokenBy(t, events); said != got.Text && !strings.Contains(events, `"code":"restated"`) {
			t.Errorf("%s: events say %q, the turn %q", filepath.Base(path), said, got.Text)
		}
	}
}

// TestInvalidUTF8: what is no UTF-8 is U+FFFD, counted, and the same on every way out.
func TestInvalidUTF8(t *testing.T) {
	stream := chat("{\"content\":\"a\xffb \xe2\x82\"}", "{\"content\":\"\xac\"}",
		callDelta("\"index\":0,\"id\":\"\xff\",\"function\":{\"name\":\"x\xc3\",\"arguments\":\"{\\\"n\\\":\\\"\xfe\xed\xa0\\\"}\"}"),
		callDelta("\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"x\",\"arguments\":[\"\xff\"]}")) + finish +
		"data: {\"choices\":[],\"usage\":{\"n\":\"\xff\"}}\n\n"
	for _, piece := range []int{1, 1 << 10} {
		got, events := assembled(t, turn.Options{StreamArguments: true}, []byte(stream), piece)
		if !utf8.ValidString(events) || !utf8.Valid(got.AppendJSON(nil)) || !json.Valid(got.AppendJSON(nil)) {
			t.Errorf("no UTF-8: %q", events)
		}
		if got.Text != "a\ufffdb \u20ac" || got.Replaced == 0 || len(got.Calls) != 2 || !got.Calls[0].Valid ||
			got.Calls[0].Arguments != "{\"n\":\"\ufffd\ufffd\ufffd\"}" || spokenBy(t, events) != got.Text {
			t.Errorf("the turn is %s", got.AppendJSON(nil))
		}
		sameTurn(t, []byte(stream))
	}
}

// TestMergedUsage: counters are merged one by one, also in groups, and wherever they are told.
func TestMergedUsage(t *testing.T) {
	usage := func(members string) string {
		return `{"id":"c","model":"m","choices":[],"usage":{` + members + `}}`
	}
	got, _ := assembled(t, turn.Options{},
		[]byte(lines(`{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop",`+
			`"usage":{"prompt_tokens":3}}]}`,
			usage(`"prompt_tokens":null,"completion_tokens":4,"completion_tokens_details":{"reasoning_tokens":2,`+
				`"audio_tokens":0}`),
			usage(`"completion_tokens_details":{"audio_tokens":1}`))), 64)
	const want = `{"prompt_tokens":3,"completion_tokens":4,"completion_tokens_details":{"reasoning_tokens":2,` +
		`"audio_tokens":1}}`
	if got.RawUsage != want {
		t.Errorf("the usage is %s, want %s", got.RawUsage, want)
	}
}

// TestReasoningDetails: parts of the reasoning are distinguished by number, id and type, and stay in
// the chunks as they came.
func TestReasoningDetails(t *testing.T) {
	details := func(part string) string { return `{"reasoning_details":[{` + part + `}]}` }
	stream := []byte(chat(details(`"type":"reasoning.text","text":"Hm, ","format":"f-v1","index":0`),
		details(`"type":"reasoning.text","text":"yes.","index":0`),
		details(`"type":"reasoning.text","signature":"c2ln","index":0`),
		details(`"type":"reasoning.encrypted","id":"e1","data":"b25l","index":1`),
		details(`"type":"reasoning.encrypted","id":"e2","data":"dHdv","index":1`)) + finish)
	got, _, chunks := again(t, stream)
	if len(got.Reasoning) != 3 || got.Reasoning[0].Text != "Hm, yes." || got.Reasoning[1].Signature != "b25l" ||
		got.Reasoning[2].Signature != "dHdv" {
		t.Errorf("the reasoning is %+v", got.Reasoning)
	}
	for _, want := range []string{`"reasoning_details":[{"type":"reasoning.text","format":"f-v1","index":0,` +
		`"text":"Hm, "}]`,
		`{"type":"reasoning.text","format":"f-v1","index":0,"signature":"c2ln"}`, `"id":"e1","index":1,"data":"b25l"`,
		`"id":"e2","index":1,"data":"dHdv"`} {
		if !strings.Contains(string(chunks), want) {
			t.Errorf("no %s in\n%s", want, chunks)
		}
	}
	sameTurn(t, stream)
}

// TestOneText: a secret that is cut by a call, or by another text, leaks on none of the ways out
// that join texts.
func TestOneText(t *testing.T) {
	const secret, one, two = "ada.lovelace@example.com", "Write to ada.love", "lace@example.com today."
	delta := func(index, text string) string {
		return lines(`{"type":"content_block_start","index":`+index+`,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":`+index+`,"delta":{"type":"text_delta","text":"`+text+`"}}`,
			`{"type":"content_block_stop","index":`+index+`}`)
	}
	call := lines(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"x",`+
		`"input":{}}}`, `{"type":"content_block_stop","index":1}`)
	end := lines(`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`)
	start := lines(`{"type":"message_start","message":{"id":"m1","model":"m","role":"assistant","content":[]}}`)
	message := func(content string) string {
		return `{"model":"m","message":{"role":"assistant",` + content + `},"done":false}` + "\n"
	}
	for name, stream := range map[string]string{
		"two texts":      start + delta("0", one) + delta("1", two) + end,
		"a call between": start + delta("0", one) + call + delta("2", two) + end,
		"a call in a text": message(`"content":"`+one+`"`) +
			message(`"content":"","tool_calls":[{"function":{"name":"x","arguments":{}}}]`) +
			message(`"content":"`+two+`"`) + `{"model":"m","done":true,"done_reason":"stop"}` + "\n",
		"two parts, restated": lines(`{"type":"response.created","response":{"id":"r"}}`,
			`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"`+one+`"}`,
			`{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"`+one+`"}`,
			`{"type":"response.output_text.delta","output_index":0,"content_index":1,"delta":"`+two+`"}`,
			`{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message",`+
				`"content":[{"type":"output_text","text":"`+one+`"},{"type":"output_text","text":"`+two+`"}]}]}}`),
	} {
		for _, judged := range []bool{false, true} {
			o := redacting(t)
			o.Judge = judged
			got, _ := assembled(t, o, []byte(stream), 64)
			if !got.Complete || strings.Contains(got.Text, secret) || got.Text != "Write to [REDACTED:email] today." {
				t.Errorf("%s: the text is %q", name, got.Text)
			}
			a := turn.New(o)
			if err := a.Push([]byte(stream)); err != nil {
				t.Fatal(err)
			}
			var texts string
			var chunks []byte
			var x encode.Encoder
			a.End()
			for e, ok := a.Next(); ok; e, ok = a.Next() {
				if e.Kind == turn.TextDelta {
					texts += e.Text
				}
				chunks = x.Append(chunks, &e)
				if e.Kind == turn.AwaitVerdict {
					if err := a.Decide(turn.Verdict{Action: turn.Allow}); err != nil {
						t.Fatal(err)
					}
				}
			}
			joined, _ := assembled(t, turn.Options{}, chunks, 64)
			if strings.Contains(texts, secret) || strings.Contains(joined.Text, secret) {
				t.Errorf("%s: the texts are %q, those of the chunks %q", name, texts, joined.Text)
			}
		}
	}
}

// TestLastWord: when something else begins, what can't begin a secret is out; what can waits, and
// is redacted if it was one.
func TestLastWord(t *testing.T) {
	call := callDelta(`"index":0,"id":"a","function":{"name":"x","arguments":""}`)
	for text, want := range map[string]string{"One moment.": "One moment.", "Write to ada": "Write to "} {
		a := turn.New(redacting(t))
		if err := a.Push([]byte(chat(`{"content":"`+text+`"}`, call))); err != nil {
			t.Fatal(err)
		}
		out := ""
		for e, ok := a.Next(); ok; e, ok = a.Next() {
			out += e.Text
		}
		if out != want {
			t.Errorf("of %q there is %q before the call", text, out)
		}
	}
}

// TestErrorFirst: an error before the first chunk is written in the form of the protocol.
func TestErrorFirst(t *testing.T) {
	for p, want := range map[turn.Protocol]string{
		turn.Auto:               "data: {\"error\":{\"message\":\"no more today\",",
		turn.OpenAIChat:         "data: {\"error\":{\"message\":\"no more today\",",
		turn.OpenAIResponses:    "event: error\ndata: {\"type\":\"error\",",
		turn.AnthropicMessages:  "event: error\ndata: {\"type\":\"error\",\"error\":{",
		turn.Gemini:             "data: {\"error\":{\"code\":500,\"message\":\"no more today\"",
		turn.GeminiInteractions: "event: error\ndata: {\"event_type\":\"error\",",
		turn.Ollama:             "{\"error\":\"no more today\"}",
		turn.CohereV2:           "\"error\":\"no more today\",\"finish_reason\":\"ERROR\"",
		turn.BedrockConverse:    "modelStreamErrorException",
	} {
		stream := []byte("{\n  \"error\": {\"message\": \"no more today\", \"code\": \"rate_limit\"}\n}\n")
		a := turn.New(turn.Options{Protocol: p})
		if err := a.Push(stream); err != nil {
			t.Fatal(err)
		}
		a.Close()
		x := encode.Encoder{Protocol: p}
		var chunks []byte
		for e, ok := a.Next(); ok; e, ok = a.Next() {
			chunks = x.Append(chunks, &e)
		}
		if !strings.Contains(string(chunks), want) || !strings.Contains(string(chunks), "no more today") {
			t.Errorf("%s: %s", p, chunks)
		}
	}
}

// TestErrorCodes: the code of a provider's error is the one in the chunks, where the protocol has a
// place for it.
func TestErrorCodes(t *testing.T) {
	exception := string(wire.AppendFrame(nil, "throttlingException", true, []byte(`{"message":"slow down"}`)))
	for _, test := range []struct{ stream, code, want string }{
		{`{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}`, "429",
			`"message":"slow down","code":429`},
		{`{"responseId":"g","candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n" +
			`{"error":{"code":503,"message":"slow down","status":"UNAVAILABLE"}}`, "503",
			`{"error":{"code":503,"message":"slow down","status":"UNAVAILABLE"}}`},
		{`{"responseId":"g","candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n" +
			`{"error":{"status":"RESOURCE_EXHAUSTED","message":"slow down"}}`, "RESOURCE_EXHAUSTED",
			`{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}`},
		{chat(`{"content":"a"}`) + `data: {"error":{"code":429,"message":"slow down"}}` + "\n\n", "429",
			`{"error":{"message":"slow down","code":429}}`},
		{`{"type":"error","error":{"type":"overloaded_error","message":"slow down"}}`, "overloaded_error",
			`"overloaded_error"`},
		{`{"throttlingException":{"message":"slow down"}}`, "throttlingException", `{"message":"slow down"}`},
		{exception, "throttlingException", exception},
		{`{"type":"response.created","response":{"id":"r"}}` + "\n" +
			`{"type":"response.failed","response":{"id":"r","status":"failed",` +
			`"error":{"code":"rate_limit_exceeded","message":"slow down"}}}`,
			"rate_limit_exceeded", `"error":{"code":"rate_limit_exceeded","message":"slow down"}`},
	} {
		got, _, chunks := again(t, []byte(test.stream))
		if got.Error != "slow down" || got.ErrorCode != test.code || !strings.Contains(string(chunks), test.want) {
			t.Errorf("%s: the error is %q, its code %q\n%s\nwant %s", test.stream, got.Error, got.ErrorCode, chunks,
				test.want)
		}
	}
	// A code of the provider's is a text like others.
	got, events := assembled(t, redacting(t),
		[]byte(`{"error":{"type":"inconsistent","message":"ada.lovelace@example.com"}}`), 64)
	more, also := assembled(t, redacting(t), []byte(`{"error":{"type":"ada.lovelace@example.com","message":"no"}}`), 64)
	if all := events + also + got.Error + more.ErrorCode; strings.Contains(all, "ada.lovelace") {
		t.Error(all)
	}
}

// TestBodies: an answer that was not streamed is a turn, however it is printed, and so is an error.
func TestBodies(t *testing.T) {
	for protocol, body := range map[turn.Protocol]string{
		turn.OpenAIChat: `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,` +
			`"message":{"role":"assistant","content":"Hi","tool_calls":[{"id":"a","type":"function",` +
			`"function":{"name":"x","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
		turn.AnthropicMessages: `{"id":"m1","type":"message","role":"assistant","model":"m",` +
			`"content":[{"type":"text","text":"Hi"},{"type":"tool_use","id":"a","name":"x","input":{}}],` +
			`"stop_reason":"tool_use"}`,
		turn.OpenAIResponses: `{"id":"r1","object":"response","model":"m","status":"completed",` +
			`"output":[{"type":"message","id":"m","content":[{"type":"output_text","text":"Hi"}]},` +
			`{"type":"function_call","id":"f","call_id":"a","name":"x","arguments":"{}"}]}`,
		turn.Gemini: `[{"candidates":[{"content":{"parts":[{"text":"Hi"},{"functionCall":{"name":"x",` +
			`"args":{}}}],"role":"model"},"finishReason":"STOP"}],"modelVersion":"m"}]`,
		turn.Ollama: `{"model":"m","message":{"role":"assistant","content":"Hi",` +
			`"tool_calls":[{"function":{"name":"x","arguments":{}}}]},"done":true,"done_reason":"stop"}`,
		turn.CohereV2: `{"id":"c","finish_reason":"TOOL_CALL","message":{"role":"assistant",` +
			`"content":[{"type":"text","text":"Hi"}],"tool_calls":[{"id":"a","type":"function",` +
			`"function":{"name":"x","arguments":"{}"}}]}}`,
		turn.BedrockConverse: `{"output":{"message":{"role":"assistant","content":[{"text":"Hi"},` +
			`{"toolUse":{"toolUseId":"a","name":"x","input":{}}}]}},"stopReason":"tool_use"}`,
	} {
		var printed bytes.Buffer
		if err := json.Indent(&printed, []byte(body), "", "  "); err != nil {
			t.Fatal(err)
		}
		for _, stream := range []string{body, body + "\n", printed.String(),
			strings.ReplaceAll(printed.String(), "\n", "\r\n")} {
			got, events := assembled(t, turn.Options{}, []byte(stream), 5)
			if !got.Complete || got.Text != "Hi" || len(got.Calls) != 1 || got.Calls[0].Name != "x" ||
				!strings.Contains(events, `"protocol":"`+string(protocol)+`"`) {
				t.Errorf("%s: %s of\n%s", protocol, events, stream)
			}
		}
	}
	for body, want := range map[string]string{`{"error":{"code":429,"message":"no more"}}`: "no more",
		`[{"error":{"code":429,"message":"no more"}}]`:                              "no more",
		`{"type":"error","error":{"type":"overloaded_error","message":"too much"}}`: "too much",
		`{"detail":"not here"}`: "not here", `{"message":"no token"}`: "no token"} {
		var printed bytes.Buffer
		if err := json.Indent(&printed, []byte(body), "", "  "); err != nil {
			t.Fatal(err)
		}
		for _, stream := range []string{body, printed.String()} {
			for _, p := range append(turn.Protocols(), turn.Auto) { // whichever kfw was told
				if got, _ := assembled(t, turn.Options{Protocol: p}, []byte(stream), 5); got.Complete ||
					got.Error != want {
					t.Errorf("%s: the error of %s is %q", p, stream, got.Error)
				}
			}
		}
	}
}

// TestWholeDiffers: however a provider cuts a text into deltas and ends its parts, it is warned of once the whole that the
// provider gives in the end differs from what it said before, and never else.
func TestWholeDiffers(t *testing.T) {
	for seed := range testdepth.Cases(1000) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		text := func(kind, name, text string) string {
			return lines(fmt.Sprintf(`{"type":"response.output_text.%s","output_index":0,"content_index":0,%q:%q}`, kind, name,
				text))
		}
		stream, whole := lines(`{"type":"response.created","response":{"id":"r"}}`), ""
		for n := range 1 + r.IntN(4) {
			part := fmt.Sprintf("part %d of it. ", n)
			whole += part
			if stream += text("delta", "delta", part); r.IntN(2) == 0 {
				stream += text("done", "text", whole)
			}
		}
		differs := r.IntN(2) == 0
		if differs {
			whole = "P" + whole[1:]
		}
		stream += lines(fmt.Sprintf(`{"type":"response.completed","response":{"id":"r","status":"completed","output":[`+
			`{"type":"message","content":[{"type":"output_text","text":%q}]}]}}`, whole))
		got, events := assembled(t, turn.Options{}, []byte(stream), 64)
		if warned := strings.Contains(events, `"code":"restated"`); warned != differs || !got.Complete {
			t.Errorf("seed %d: warned %t, want %t; complete %t\n%s\n%s", seed, warned, differs, got.Complete, stream, events)
		}
	}
}
