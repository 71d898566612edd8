package encode_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

// provider is what a protocol can say.
type provider struct {
	stop, calls        string // finish reasons
	usage              string
	hasID, hasModel    bool
	signs, signsCalls  bool // reasoning, calls
	custom, severalIDs bool // it has custom tools, several answers
	framings           []turn.Framing
}

func providers() map[turn.Protocol]provider {
	text := []turn.Framing{turn.ServerSentEvents, turn.Lines}
	return map[turn.Protocol]provider{
		turn.OpenAIChat: {stop: "stop", calls: "tool_calls", usage: `{"prompt_tokens":3,"details":{"a":1}}`,
			hasID: true, hasModel: true, signsCalls: true, custom: true, severalIDs: true, framings: text},
		turn.OpenAIResponses: {stop: "completed", calls: "completed", usage: `{"input_tokens":3}`, hasID: true,
			hasModel: true, signs: true, custom: true, framings: text},
		turn.AnthropicMessages: {stop: "end_turn", calls: "tool_use", usage: `{"input_tokens":3,"output_tokens":4}`,
			hasID: true, hasModel: true, signs: true, framings: text},
		turn.Gemini: {stop: "STOP", calls: "STOP", usage: `{"promptTokenCount":3,"totalTokenCount":3}`,
			hasID: true, hasModel: true, signs: true, signsCalls: true, severalIDs: true, framings: text},
		turn.GeminiInteractions: {stop: "completed", calls: "requires_action", usage: `{"total_tokens":3}`, hasID: true,
			hasModel: true, signs: true, signsCalls: true, framings: text},
		turn.BedrockConverse: {stop: "end_turn", calls: "tool_use", usage: `{"inputTokens":3}`, signs: true,
			framings: append(text, turn.BinaryFrames)},
		turn.CohereV2: {stop: "COMPLETE", calls: "TOOL_CALL", usage: `{"tokens":{"input_tokens":3}}`,
			hasID: true, framings: text},
		turn.Ollama: {stop: "stop", calls: "stop", usage: `{"eval_count":3}`, hasModel: true, framings: text[1:]},
	}
}

// TestEveryProtocol: what is registered to be read has a way to be written, and a place in the tests of it.
func TestEveryProtocol(t *testing.T) {
	for _, p := range turn.Protocols() {
		start := turn.Event{Kind: turn.Started, Usage: "null", Origin: turn.Origin{ID: "i", Model: "m", Protocol: p}}
		failed := turn.Event{Kind: turn.TurnEnded, Turn: &turn.Turn{Error: "slow down", RawUsage: "null"},
			Origin: start.Origin}
		if chunks := string(encoded([]turn.Event{start, failed})); !strings.Contains(chunks, "slow down") {
			t.Errorf("%s is not written: %q", p, chunks)
		}
		if len(providers()[p].framings) == 0 || forms()[p] == nil {
			t.Errorf("%s has no turns or no messages in the tests", p)
		}
	}
}

// generated is a turn that is made of texts, and its events.
func generated(p turn.Protocol, of provider, texts []string, shape uint) (want turn.Turn, events []turn.Event) {
	next := func(n uint) uint {
		bits := shape % n
		shape = shape/n*7 + shape>>3 + 1
		return bits
	}
	pick := func() string { return texts[next(uint(len(texts)))] }
	framing := of.framings[next(uint(len(of.framings)))]
	want = turn.Turn{Complete: true, ID: "id_" + fmt.Sprint(shape), Model: "m", RawUsage: of.usage,
		Answer: turn.Answer{FinishReason: of.stop, Class: turn.Stop}}
	events = []turn.Event{{Kind: turn.Started, Usage: "null",
		Origin: turn.Origin{ID: want.ID, Model: want.Model, Protocol: p, Framing: framing}}}
	block := 0
	pieces := func(kind turn.Kind, e turn.Event) (all string) {
		for range 1 + next(3) {
			if e.Text = pick(); e.Text == "" {
				continue
			}
			e.Kind = kind
			events = append(events, e)
			all += e.Text
		}
		return all
	}
	for range next(3) {
		block++
		e := turn.Event{Block: block, Part: turn.Part{Number: block}}
		part := turn.Reasoning{}
		if p == turn.OpenAIResponses {
			e.Item = fmt.Sprintf("rs_%d", block)
			part.ID, e.Part.ID = e.Item, e.Item
		}
		part.Text = pieces(turn.ReasonDelta, e)
		if part.Text == "" {
			continue
		}
		if of.signs && next(2) == 1 {
			part.Signature = "sig" + fmt.Sprint(block)
			e.Part.Signature, e.Part.Signed = part.Signature, true
		}
		e.Kind, e.Text = turn.ReasonEnded, ""
		events = append(events, e)
		want.Reasoning = append(want.Reasoning, part)
	}
	if next(4) > 0 {
		block++
		want.Text = pieces(turn.TextDelta, turn.Event{Block: block})
	}
	for i := range next(4) {
		block++
		arguments, err := json.Marshal(map[string]any{pick(): pick(), "n": []any{i, nil, pick()}})
		if err != nil {
			panic(err)
		}
		c := turn.Call{ID: fmt.Sprintf("call_%d", block), Name: "tool_" + fmt.Sprint(i), Arguments: string(arguments),
			Valid: true}
		if of.custom && next(3) == 0 {
			c.Custom, c.Arguments = true, pick()
		}
		if of.signsCalls && next(2) == 0 && !c.Custom {
			c.Signature = "call_sig"
		}
		events = append(events, turn.Event{Kind: turn.CallEnded, Block: block, Call: c})
		want.Calls = append(want.Calls, c)
	}
	if len(want.Calls) > 0 {
		want.FinishReason, want.Class = of.calls, turn.ToolCalls
	}
	events = append(events, turn.Event{Kind: turn.TurnEnded, Turn: &want,
		Origin: turn.Origin{Protocol: p, Framing: framing}})
	return want, events
}

func encoded(events []turn.Event) (chunks []byte) {
	var x encode.Encoder
	for i := range events {
		chunks = x.Append(chunks, &events[i])
	}
	return chunks
}

func decoded(t *testing.T, o turn.Options, chunks []byte, piece int) turn.Turn {
	t.Helper()
	a := turn.New(o)
	for len(chunks) > 0 {
		n := min(piece, len(chunks))
		if err := a.Push(chunks[:n]); err != nil {
			t.Fatal(err)
		}
		chunks = chunks[n:]
		for _, ok := a.Next(); ok; _, ok = a.Next() {
		}
	}
	return a.Close()
}

// outline is what of a turn must be the same.
func outline(t *turn.Turn, of provider, p turn.Protocol) (all []string) {
	all = append(all, "text "+t.Text, fmt.Sprint("complete ", t.Complete), "finish "+t.FinishReason,
		"class "+string(t.Class), "usage "+t.RawUsage)
	if of.hasID {
		all = append(all, "id "+t.ID)
	}
	if of.hasModel {
		all = append(all, "model "+t.Model)
	}
	words := ""
	for _, r := range t.Reasoning {
		words += strings.ReplaceAll(r.Text, "\n", "") // line ends are also put between parts
		if r.Signature != "" && p != turn.Gemini {
			all = append(all, "signature "+r.Signature)
		}
	}
	all = append(all, "reasoning "+words)
	for _, c := range t.Calls {
		arguments := c.Arguments
		if !c.Custom {
			var any any
			if err := json.Unmarshal([]byte(arguments), &any); err != nil {
				arguments = "no JSON"
			} else {
				arguments = fmt.Sprint(any)
			}
		}
		all = append(all, fmt.Sprintf("call %s %s(%s) %s custom %t", c.ID, c.Name, arguments, c.Signature, c.Custom))
	}
	return all
}

// FuzzRoundTrip: what is written of a turn is read as the same turn, in each protocol and framing.
func FuzzRoundTrip(f *testing.F) {
	for shape := range uint(200) {
		f.Add("One moment.", " \U0001f600 \u00e9\"\\\n", "\ndata: [DONE]\n\n", shape*shape*31+shape, uint8(shape))
	}
	f.Fuzz(func(t *testing.T, x, y, z string, shape uint, piece uint8) {
		texts := []string{strings.ToValidUTF8(x, ""), strings.ToValidUTF8(y, ""), strings.ToValidUTF8(z, ""), "a", ""}
		for p, of := range providers() {
			want, events := generated(p, of, texts, shape)
			chunks := encoded(events)
			got := decoded(t, turn.Options{}, chunks, int(piece)+1)
			if g, w := outline(&got, of, p), outline(&want, of, p); !slices.Equal(g, w) {
				t.Errorf("%s: the turn is\n%q\nwant\n%q\n%s", p, g, w, chunks)
			}
			if again := encoded(events); string(again) != string(chunks) {
				t.Errorf("%s: other chunks the second time", p)
			}
		}
	})
}

// TestFailures: a turn that failed is an error of its protocol, before and after the first chunk,
// which says what went wrong, and the provider's code where the protocol has one.
func TestFailures(t *testing.T) {
	for p, of := range providers() {
		for _, framing := range of.framings {
			for _, begun := range []bool{true, false} {
				for _, code := range []string{"", "throttlingException", "429"} {
					failed := turn.Turn{Error: "slow \"down\"", ErrorCode: code, RawUsage: "null"}
					var events []turn.Event
					if begun {
						events = append(events, turn.Event{Kind: turn.Started, Usage: "null",
							Origin: turn.Origin{ID: "i", Model: "m", Protocol: p, Framing: framing}},
							turn.Event{Kind: turn.TextDelta, Block: 1, Text: "a"})
					}
					events = append(events, turn.Event{Kind: turn.TurnEnded, Turn: &failed,
						Origin: turn.Origin{Protocol: p, Framing: framing}})
					chunks := encoded(events)
					got := decoded(t, turn.Options{Protocol: p}, chunks, 1<<10)
					if got.Complete || got.Error != failed.Error {
						t.Errorf("%s, %s, begun %t: %+v\n%s", p, framing, begun, got, chunks)
					}
					if carries := p != turn.Ollama && p != turn.CohereV2 &&
						(p != turn.BedrockConverse || code != "429") &&
						(p != turn.Gemini || code == "429"); carries && code != "" && got.ErrorCode != code {
						t.Errorf("%s, %s, begun %t: the code is %q, was %q\n%s", p, framing, begun, got.ErrorCode,
							code, chunks)
					}
				}
			}
		}
	}
}

// forms says where the messages of a request have what, as paths of gjson.
func forms() map[turn.Protocol]map[string]string {
	return map[turn.Protocol]map[string]string{
		turn.OpenAIChat: {"text": `#(role=="assistant").content`, "id": `#.tool_calls.#.id|@flatten`,
			"name": `#.tool_calls.#.function.name|@flatten`, "arguments": `#.tool_calls.#.function.arguments|@flatten`,
			"result": `#(role=="tool")#.tool_call_id`, "feedback": `#(role=="tool")#.content`},
		turn.OpenAIResponses: {"text": `#(type=="message").content`, "id": `#(type=="function_call")#.call_id`,
			"name": `#(type=="function_call")#.name`, "arguments": `#(type=="function_call")#.arguments`,
			"result":   `#(type=="function_call_output")#.call_id`,
			"feedback": `#(type=="function_call_output")#.output`},
		turn.AnthropicMessages: {"text": `0.content.#(type=="text").text`, "id": `0.content.#(type=="tool_use")#.id`,
			"name": `0.content.#(type=="tool_use")#.name`, "arguments": `0.content.#(type=="tool_use")#.input`,
			"result": `1.content.#.tool_use_id`, "feedback": `1.content.#.content`},
		turn.Gemini: {"text": `0.parts.#(text!="").text`, "id": `0.parts.#.functionCall.id`,
			"name": `0.parts.#.functionCall.name`, "arguments": `0.parts.#.functionCall.args`,
			"result": `1.parts.#.functionResponse.id`, "feedback": `1.parts.#.functionResponse.response.error`},
		turn.GeminiInteractions: {"text": `#(type=="model_output").content.0.text`,
			"id":   `#(type=="function_call")#.id`,
			"name": `#(type=="function_call")#.name`, "arguments": `#(type=="function_call")#.arguments`,
			"result": `#(type=="function_result")#.call_id`, "feedback": `#(type=="function_result")#.result`},
		turn.BedrockConverse: {"text": `0.content.#(text!="").text`, "id": `0.content.#.toolUse.toolUseId`,
			"name": `0.content.#.toolUse.name`, "arguments": `0.content.#.toolUse.input`,
			"result": `1.content.#.toolResult.toolUseId`, "feedback": `1.content.#.toolResult.content.0.text`},
		turn.CohereV2: {"text": `0.content`, "id": `0.tool_calls.#.id`, "name": `0.tool_calls.#.function.name`,
			"arguments": `0.tool_calls.#.function.arguments`,
			"result":    `#(role=="tool")#.tool_call_id`, "feedback": `#(role=="tool")#.content`},
		turn.Ollama: {"text": `0.content`, "name": `0.tool_calls.#.function.name`,
			"arguments": `0.tool_calls.#.function.arguments`, "feedback": `#(role=="tool")#.content`},
	}
}

// FuzzMessages: the messages that take a turn back have its text, its calls with their arguments,
// whole or not, and one result for each call, in the form of each protocol.
func FuzzMessages(f *testing.F) {
	f.Add("One moment.", `{"a":1}`, "no \"such\" tool\n", uint8(3))
	f.Add("", `{"a":`, "", uint8(1))
	f.Add("x", `[1]`, "y", uint8(2))
	f.Add("\u00e9\u2028", "{\n\"a\" :\r\n 1}", "</x>", uint8(4))
	f.Fuzz(func(t *testing.T, text, arguments, feedback string, count uint8) {
		text, arguments, feedback = strings.ToValidUTF8(text, ""), strings.ToValidUTF8(arguments, ""),
			strings.ToValidUTF8(feedback, "")
		messages := []turn.Message{{Role: "assistant", Text: text}, {Role: "user", Results: []turn.Result{}}}
		want := make(map[string][]string)
		for i := range int(count%4) + 1 {
			c := turn.Call{ID: fmt.Sprintf("call_%d", i), Name: fmt.Sprintf("tool_%d", i), Arguments: arguments,
				Valid: json.Valid([]byte(arguments))}
			messages[0].Calls = append(messages[0].Calls, c)
			messages[1].Results = append(messages[1].Results,
				turn.Result{ID: c.ID, Name: c.Name, Text: feedback, Failed: true})
			want["id"], want["name"] = append(want["id"], c.ID), append(want["name"], c.Name)
			want["result"], want["feedback"] = append(want["result"], c.ID), append(want["feedback"], feedback)
		}
		for p, paths := range forms() {
			got := string(encode.AppendMessages([]byte("x"), p, messages...))[1:]
			if !json.Valid([]byte(got)) {
				t.Fatalf("%s: no JSON: %s", p, got)
			}
			if said := gjson.Get(got, paths["text"]).String(); said != text {
				t.Errorf("%s: the text is %q, was %q\n%s", p, said, text, got)
			}
			for what, path := range paths {
				if what == "text" {
					continue
				}
				var all []string
				for _, one := range gjson.Get(got, path).Array() {
					all = append(all, one.String())
				}
				if what != "arguments" && !slices.Equal(all, want[what]) {
					t.Errorf("%s: %s is %q, want %q\n%s", p, what, all, want[what], got)
				}
				if what == "arguments" {
					if len(all) != len(want["id"]) {
						t.Errorf("%s: %d arguments\n%s", p, len(all), got)
					}
					for _, one := range all {
						sameArguments(t, p, one, arguments)
					}
				}
			}
		}
	})
}

// sameArguments checks that arguments are those of a call: the same text, or an object of the same
// value, or one that has what came of them.
func sameArguments(t *testing.T, p turn.Protocol, got, want string) {
	if got == want {
		return
	}
	var g, w any
	isJSON := json.Unmarshal([]byte(want), &w) == nil
	if _, isObject := w.(map[string]any); !isJSON || !isObject {
		w = map[string]any{"partial_arguments": want}
	}
	if json.Unmarshal([]byte(got), &g) != nil || !reflect.DeepEqual(g, w) {
		t.Errorf("%s: the arguments are %s, were %s", p, got, want)
	}
}
