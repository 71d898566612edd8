package turn_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

// again is the turn that the chunks say that are made of a stream.
func again(t *testing.T, stream []byte) (first, second turn.Turn, chunks []byte) {
	t.Helper()
	a := turn.New(turn.Options{})
	if err := a.Push(stream); err != nil {
		t.Fatal(err)
	}
	first = a.Close()
	var x encode.Encoder
	for {
		e, ok := a.Next()
		if !ok {
			break
		}
		chunks = x.Append(chunks, &e)
	}
	second, _ = assembled(t, turn.Options{}, chunks, len(chunks)+1)
	return first, second, chunks
}

// TestChunks: the chunks that a turn is written in are read as the same turn.
func TestChunks(t *testing.T) {
	for protocol, stream := range samples() {
		t.Run(string(protocol), func(t *testing.T) { sameTurn(t, []byte(stream)) })
	}
}

// TestRecordedChunks is TestChunks for recorded streams.
func TestRecordedChunks(t *testing.T) {
	for path := range recorded(t, "turn*") {
		stream, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(path[strings.LastIndex(path, "/")+1:], func(t *testing.T) { sameTurn(t, stream) })
	}
}

func sameTurn(t *testing.T, stream []byte) {
	first, second, chunks := again(t, stream)
	if first.Complete != second.Complete {
		t.Fatalf("complete is %t, was %t: %s\n%s", second.Complete, first.Complete, second.Error, chunks)
	}
	if !first.Complete {
		return
	}
	for _, said := range []struct{ what, first, second string }{
		{"text", first.Text, second.Text},
		{"refusal", first.Refusal, second.Refusal},
		{"finish reason", first.FinishReason, second.FinishReason},
		{"class", string(first.Class), string(second.Class)},
		{"id", first.ID, second.ID},
		{"reasoning", thoughts(first), thoughts(second)},
		{"signatures and ids", wantedBack(first, stream), wantedBack(second, stream)},
		{"calls", calls(first, first), calls(second, first)},
	} {
		if said.first != said.second {
			t.Errorf("%s: %q, was %q\n%s", said.what, said.second, said.first, chunks)
		}
	}
}

func thoughts(t turn.Turn) (all string) {
	for _, r := range t.Reasoning {
		all += r.Text + r.Redacted
	}
	return strings.ReplaceAll(all, "\n\n", "")
}

// wantedBack is what a provider wants to see again with the next request: signatures, and the ids of its items.
func wantedBack(t turn.Turn, stream []byte) string {
	all := []string{t.TextSignature}
	for _, r := range t.Reasoning {
		if r.Signature != "" && bytes.Contains(stream, []byte(r.Signature)) {
			r.Signature = "one of the provider's" // which may sign again what it restates
		}
		if r.ID+r.Signature != "" {
			all = append(all, r.ID, r.Signature)
		}
	}
	for _, c := range t.Calls {
		all = append(all, c.ItemID, c.Signature)
	}
	return strings.Join(all, "|")
}

// calls are those of a turn, without ids where those of the first turn were made up.
func calls(t, first turn.Turn) (all string) {
	for i, c := range t.Calls {
		all += c.Name + "(" + c.Arguments + ")"
		if i < len(first.Calls) && !first.Calls[i].Minted {
			all += c.ID
		}
	}
	return all
}

// TestWantedBack: what a provider wants back stands in the member that it was in.
func TestWantedBack(t *testing.T) {
	responses := func(chunks ...string) string {
		all := append([]string{`{"type":"response.created","response":{"id":"resp_7","model":"m"}}`}, chunks...)
		all = append(all, `{"type":"response.completed","response":{"id":"resp_7","model":"m","status":"completed",`+
			`"output":[]}}`)
		return "data: " + strings.Join(all, "\n\ndata: ") + "\n\n"
	}
	item := func(kind, index, members string) string {
		return `{"type":"response.output_item.` + kind + `","output_index":` + index + `,"item":{` + members + `}}`
	}
	for _, test := range []struct {
		name, stream string
		want         []string
	}{
		{"Copilot", chat(`{"reasoning_text":"Hm."}`, `{"reasoning_opaque":"c2ln"}`) + finish,
			[]string{`"delta":{"reasoning_opaque":"c2ln"}`}},
		{"OpenRouter, encrypted",
			chat(`{"reasoning_details":[{"type":"reasoning.summary","summary":"Hm.","format":"f-v1","index":0}]}`,
				`{"reasoning_details":[{"type":"reasoning.encrypted","data":"c2ln","id":"rs_1","format":"f-v1",`+
					`"index":1}]}`) + finish,
			[]string{`"reasoning_details":[{"type":"reasoning.encrypted","id":"rs_1","format":"f-v1","index":1,` +
				`"data":"c2ln"}]`}},
		{"OpenRouter, signed", chat(
			`{"reasoning_details":[{"type":"reasoning.text","text":"Hm.","format":"f-v1","index":0}]}`,
			`{"reasoning_details":[{"type":"reasoning.text","signature":"c2ln","format":"f-v1","index":0}]}`) + finish,
			[]string{`"reasoning_details":[{"type":"reasoning.text","format":"f-v1","index":0,"signature":"c2ln"}]`}},
		{"Google", chat(callDelta(
			`"index":0,"id":"a","function":{"name":"x","arguments":"{}"},`+
				`"extra_content":{"google":{"thought_signature":"c2ln"}}`)) + finish,
			[]string{`"arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]`}},
		{"an item with two texts", responses(
			item("added", "0", `"type":"reasoning","id":"rs_1","summary":[]`),
			`{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"One."}`,
			`{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"Two."}`,
			item("done", "0", `"type":"reasoning","id":"rs_1","encrypted_content":"c2ln",`+
				`"summary":[{"type":"summary_text","text":"One."},{"type":"summary_text","text":"Two."}]`)),
			[]string{`"output":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"One."},` +
				`{"type":"summary_text","text":"Two."}],"encrypted_content":"c2ln"}]`}},
		{"items without texts", responses(
			item("done", "0", `"type":"reasoning","id":"rs_1","encrypted_content":"c2ln","summary":[]`),
			item("done", "1", `"type":"function_call","id":"fc_1","call_id":"call_a","name":"x","arguments":"{}"`)),
			[]string{`"output":[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2ln"},` +
				`{"type":"function_call","id":"fc_1",`}},
		{"reasoning that is never ended", responses(
			item("added", "0", `"type":"reasoning","id":"rs_1","summary":[]`),
			`{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"One."}`,
			`{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"Two."}`),
			[]string{`"output":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"One."}],` +
				`"encrypted_content":null},{"type":"message","id":"msg_7_1","role":"assistant",` +
				`"status":"completed","content":[{"type":"output_text","text":"Two.","annotations":[]}]}]`}},
		{"a message, and what is made of its second part", responses(
			item("added", "0", `"type":"message","id":"msg_1","content":[]`),
			item("done", "0", `"type":"message","id":"msg_1","content":[{"type":"output_text","text":"One."},`+
				`{"type":"output_text","text":"Two."}]`)),
			[]string{`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
				`"content":[{"type":"output_text","text":"One."`,
				`{"type":"message","id":"msg_7_1","role":"assistant","status":"completed",` +
					`"content":[{"type":"output_text","text":"Two."`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, chunks := again(t, []byte(test.stream))
			for _, want := range test.want {
				if !bytes.Contains(chunks, []byte(want)) {
					t.Errorf("no %s in\n%s", want, chunks)
				}
			}
			sameTurn(t, []byte(test.stream))
		})
	}
}

// TestPassedOn: items of the provider's own tools and citations are in the chunks as they came, numbered with the other
// blocks, unless they ask the caller for something; and no secret is in them.
func TestPassedOn(t *testing.T) {
	anthropic := lines(`{"type":"message_start","message":{"id":"m1","model":"m","role":"assistant","content":[]}}`,
		`{"type":"content_block_start","index":3,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}}`,
		`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"x\"}"}}`,
		`{"type":"content_block_stop","index":3}`,
		`{"type":"content_block_start","index":5,"content_block":{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}}`,
		`{"type":"content_block_stop","index":5}`,
		`{"type":"content_block_start","index":7,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"One moment."}}`,
		`{"type":"content_block_delta","index":7,"delta":{"type":"citations_delta","citation":{"url":"u"}}}`,
		`{"type":"content_block_stop","index":7}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`)
	responses := lines(`{"type":"response.created","response":{"id":"r1","model":"m","output":[]}}`,
		`{"type":"response.output_item.added","output_index":4,"item":{"type":"web_search_call","id":"ws","status":"in_progress"}}`,
		`{"type":"response.web_search_call.searching","output_index":4,"item_id":"ws"}`,
		`{"type":"response.output_item.done","output_index":4,"item":{"type":"web_search_call","id":"ws","status":"completed"}}`,
		`{"type":"response.output_text.delta","output_index":6,"content_index":0,"delta":"One moment."}`,
		`{"type":"response.output_text.annotation.added","output_index":6,"content_index":0,"annotation_index":0,"annotation":{"url":"u"}}`,
		`{"type":"response.output_item.added","output_index":7,"item":{"type":"computer_call","id":"cc","action":{}}}`,
		`{"type":"response.completed","response":{"id":"r1","model":"m","status":"completed","output":[]}}`)
	gemini := lines(`{"responseId":"g","candidates":[{"content":{"parts":[{"executableCode":{"code":"1"}}]}}]}`,
		`{"responseId":"g","candidates":[{"content":{"parts":[{"text":"One moment."}]},"finishReason":"STOP"}]}`)
	for stream, want := range map[string][]string{
		anthropic: {`"index":0,"content_block":{"type":"server_tool_use"`,
			`"index":0,"delta":{"type":"input_json_delta"`,
			`"content_block_stop","index":0`, `"index":1,"content_block":{"type":"web_search_tool_result"`,
			`"content_block_stop","index":1`, `"index":2,"content_block":{"type":"text"`,
			`"index":2,"delta":{"type":"citations_delta"`, `"content_block_stop","index":2`},
		responses: {`"output_index":0,"item":{"type":"web_search_call"`, `searching","output_index":0`,
			`"output_index":0,"item":{"type":"web_search_call"`, `annotation.added","output_index":1`,
			`"output":[{"type":"web_search_call"`},
		gemini: {`"executableCode"`, `"text":"One moment."`},
	} {
		_, second, chunks := again(t, []byte(stream))
		rest := string(chunks)
		for _, next := range want {
			_, after, found := strings.Cut(rest, next)
			if !found {
				t.Errorf("%s is not in\n%s", next, chunks)
				break
			}
			rest = after
		}
		if !second.Complete || second.Text != "One moment." || strings.Contains(string(chunks), "computer_call") {
			t.Errorf("read again: %s", second.AppendJSON(nil))
		}
	}
	_, events := assembled(t, redacting(t), []byte(anthropic), 1<<10)
	if strings.Contains(events, `"raw"`) {
		t.Error("a chunk is shown that nothing redacts")
	}
}
