// Package turn compares kfw's assembler with those of the official Go clients: how fast they put a stream together, and
// whether these clients read from kfw's chunks the turn that kfw let through. It is a module of its own, so that kfw does
// not depend on them.
//
//	go test -bench . ./...
package turn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicstream "github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/openai/openai-go/v3"
	openaistream "github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

// Bytes of a stream.
const (
	size      = 50 << 20
	smallSize = 4 << 20 // the time that anthropic-sdk-go takes grows with the square of it
)

// chat is a stream of OpenAI's chat completions, in which every chunk says delta.
func chat(delta string) []byte {
	var b bytes.Buffer
	chunk := func(delta, finish string) {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, finish)
	}
	chunk(`{"role":"assistant","content":""}`, "null")
	for b.Len() < size {
		chunk(delta, "null")
	}
	chunk("{}", `"stop"`)
	b.WriteString("data: [DONE]\n\n")
	return b.Bytes()
}

// messages is a stream of Anthropic's messages, in which every delta says text.
func messages(text string) []byte {
	var b bytes.Buffer
	event := func(kind, members string) {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":\"%s\"%s}\n\n", kind, kind, members)
	}
	event("message_start", `,"message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
	event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
	for b.Len() < smallSize {
		event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"`+text+`"}`)
	}
	event("content_block_stop", `,"index":0`)
	event("message_delta", `,"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}`)
	event("message_stop", "")
	return b.Bytes()
}

func response(stream []byte) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(bytes.NewReader(stream))}
}

func withKfw(tb testing.TB, o turn.Options, stream []byte) turn.Turn {
	a := turn.New(o)
	const piece = 64 << 10
	for len(stream) > 0 {
		n := min(piece, len(stream))
		if err := a.Push(stream[:n]); err != nil {
			tb.Fatal(err)
		}
		stream = stream[n:]
		for {
			if _, ok := a.Next(); !ok {
				break
			}
		}
	}
	return a.Close()
}

func withOpenAI(tb testing.TB, stream []byte) openai.ChatCompletionAccumulator {
	var all openai.ChatCompletionAccumulator
	chunks := openaistream.NewStream[openai.ChatCompletionChunk](openaistream.NewDecoder(response(stream)), nil)
	for chunks.Next() {
		all.AddChunk(chunks.Current())
	}
	if err := chunks.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}

func withAnthropic(tb testing.TB, stream []byte) anthropic.Message {
	var all anthropic.Message
	events := anthropicstream.NewStream[anthropic.MessageStreamEventUnion](anthropicstream.NewDecoder(response(stream)), nil)
	for events.Next() {
		if err := all.Accumulate(events.Current()); err != nil {
			tb.Fatal(err)
		}
	}
	if err := events.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}

func BenchmarkText(b *testing.B) {
	stream := chat(`{"content":" a few words of prose, as they come"}`)
	b.Run("kfw", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			withKfw(b, turn.Options{}, stream)
		}
	})
	b.Run("openai-go", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			withOpenAI(b, stream)
		}
	})
	// Without any client: every chunk is decoded into the few members that are needed.
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			var text strings.Builder
			for line := range bytes.Lines(stream) {
				data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: "))
				if !ok || data[0] != '{' {
					continue
				}
				var chunk struct {
					Choices []struct{ Delta struct{ Content string } }
				}
				if err := json.Unmarshal(data, &chunk); err != nil {
					b.Fatal(err)
				}
				text.WriteString(chunk.Choices[0].Delta.Content)
			}
		}
	})
}

func BenchmarkMessages(b *testing.B) {
	stream := messages(" a few words of prose, as they come")
	b.Run("kfw", func(b *testing.B) {
		b.SetBytes(smallSize)
		for b.Loop() {
			withKfw(b, turn.Options{}, stream)
		}
	})
	b.Run("anthropic-sdk-go", func(b *testing.B) {
		b.SetBytes(smallSize)
		for b.Loop() {
			withAnthropic(b, stream)
		}
	})
}

// guarded is what kfw writes as chunks, with the first call blocked.
func guarded(t *testing.T, stream string) []byte {
	t.Helper()
	a := turn.New(turn.Options{Judge: true})
	if err := a.Push([]byte(stream)); err != nil {
		t.Fatal(err)
	}
	var x encode.Encoder
	var chunks []byte
	first := true
	drain := func() {
		for {
			e, ok := a.Next()
			if !ok {
				return
			}
			chunks = x.Append(chunks, &e)
			if e.Kind == turn.AwaitVerdict {
				verdict := turn.Verdict{Action: turn.Allow}
				if first {
					verdict = turn.Verdict{Action: turn.Block, Why: "it removes"}
				}
				first = false
				if err := a.Decide(verdict); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	a.End()
	drain()
	return chunks
}

const notice = "One moment.[The call of remove was blocked: it removes]"

func TestOpenAIReadsTheChunks(t *testing.T) {
	chunks := guarded(t, `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"One moment."}}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"remove","arguments":"{}"}},{"index":1,"id":"call_b","type":"function","function":{"name":"list","arguments":"{\"a\":1}"}}]}}]}

data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}

`)
	got := withOpenAI(t, chunks)
	choice := got.Choices[0]
	if choice.Message.Content != notice || choice.FinishReason != "tool_calls" || got.Usage.PromptTokens != 3 {
		t.Errorf("content %q, reason %q, usage %+v", choice.Message.Content, choice.FinishReason, got.Usage)
	}
	if calls := choice.Message.ToolCalls; len(calls) != 1 || calls[0].ID != "call_b" || calls[0].Function.Name != "list" || calls[0].Function.Arguments != `{"a":1}` {
		t.Errorf("calls %+v", calls)
	}
}

func TestAnthropicReadsTheChunks(t *testing.T) {
	chunks := guarded(t, `data: {"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Look first."}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}

data: {"type":"content_block_stop","index":0}

data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"One moment."}}

data: {"type":"content_block_stop","index":1}

data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"remove","input":{}}}

data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}

data: {"type":"content_block_stop","index":2}

data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t2","name":"list","input":{}}}

data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}

data: {"type":"content_block_stop","index":3}

data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}

data: {"type":"message_stop"}

`)
	got := withAnthropic(t, chunks)
	var text, thinking, signature string
	var calls []string
	for _, block := range got.Content {
		text += block.Text
		thinking += block.Thinking
		signature += block.Signature
		if block.Type == "tool_use" {
			calls = append(calls, block.ID+" "+block.Name+string(block.Input))
		}
	}
	if text != notice || thinking != "Look first." || signature != "c2ln" || len(calls) != 1 || calls[0] != `t2 list{"a":1}` {
		t.Errorf("text %q, thinking %q signed %q, calls %q", text, thinking, signature, calls)
	}
	if got.StopReason != "tool_use" || got.Usage.InputTokens != 3 || got.Usage.OutputTokens != 9 {
		t.Errorf("reason %q, usage %+v", got.StopReason, got.Usage)
	}
	if last := got.Content[len(got.Content)-1]; last.Type != "tool_use" {
		t.Errorf("a block of type %s follows the calls", last.Type)
	}
}

func TestResponsesReadsTheChunks(t *testing.T) {
	chunks := guarded(t, `data: {"type":"response.created","response":{"id":"r1","model":"m","status":"in_progress","output":[]}}

data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m_1","content":[]}}

data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"One moment."}

data: {"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m_1","content":[{"type":"output_text","text":"One moment."}]}}

data: {"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"call_a","name":"remove","arguments":"{}"}}

data: {"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","id":"fc_2","call_id":"call_b","name":"list","arguments":"{\"a\":1}"}}

data: {"type":"response.completed","response":{"id":"r1","model":"m","status":"completed","output":[],"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}}

`)
	events := openaistream.NewStream[responses.ResponseStreamEventUnion](openaistream.NewDecoder(response(chunks)), nil)
	var got responses.Response
	var next int64
	for events.Next() {
		event := events.Current()
		if event.SequenceNumber != next {
			t.Errorf("event %d has number %d", next, event.SequenceNumber)
		}
		next++
		if event.Type == "response.completed" {
			got = event.Response
		}
	}
	if err := events.Err(); err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, item := range got.Output {
		if item.Type == "function_call" {
			calls = append(calls, item.CallID+" "+item.Name)
		}
	}
	if got.OutputText() != notice || len(calls) != 1 || calls[0] != "call_b list" || got.Usage.InputTokens != 3 {
		t.Errorf("text %q, calls %q, usage %+v", got.OutputText(), calls, got.Usage)
	}
}
