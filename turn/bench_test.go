package turn_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
)

// chatStream is a stream of about that many bytes: delta is what each of its chunks says.
func chatStream(size int, first, delta string) []byte {
	var b strings.Builder
	chunk := func(delta, finish string) {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",`+
			`"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, finish)
	}
	chunk(first, "null")
	for b.Len() < size {
		chunk(delta, "null")
	}
	chunk("{}", `"stop"`)
	b.WriteString("data: [DONE]\n\n")
	return []byte(b.String())
}

// assemble pushes a stream in pieces and pulls all events.
func assemble(b *testing.B, o turn.Options, stream []byte, piece int) {
	a := turn.New(o)
	for len(stream) > 0 {
		n := min(piece, len(stream))
		if err := a.Push(stream[:n]); err != nil {
			b.Fatal(err)
		}
		stream = stream[n:]
		for {
			if _, ok := a.Next(); !ok {
				break
			}
		}
	}
	if !a.Close().Complete {
		b.Fatal("not complete")
	}
}

// BenchmarkStream reads 50 MB: long texts, arguments, many small chunks; and what a loop of
// encoding/json takes for them.
func BenchmarkStream(b *testing.B) {
	const size = 50 << 20
	call := `{"role":"assistant","tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"write",` +
		`"arguments":"[\""}}]}`
	for _, bench := range []struct {
		name   string
		stream []byte
	}{
		{"text", chatStream(size, `{"role":"assistant"}`, `{"content":"`+
			strings.Repeat("a word or two of prose ", 40)+`"}`)},
		{"arguments", append(chatStream(size, call, `{"tool_calls":[{"index":0,"function":{"arguments":"`+
			strings.Repeat("some argument ", 60)+`"}}]}`), '\n')},
		{"small", chatStream(size, `{"role":"assistant"}`, `{"content":" word"}`)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.stream)))
			b.ReportAllocs()
			for b.Loop() {
				assemble(b, turn.Options{}, bench.stream, 64<<10)
			}
		})
		b.Run(bench.name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(bench.stream)))
			for b.Loop() {
				loop(b, bench.stream)
			}
		})
	}
}

// loop is what a program does at least that reads a stream itself.
func loop(b *testing.B, stream []byte) {
	var text, arguments strings.Builder
	for line := range bytes.Lines(stream) {
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: "))
		if !ok || data[0] != '{' {
			continue
		}
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content   string
					ToolCalls []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
				}
			}
		}
		if err := json.Unmarshal(data, &chunk); err != nil {
			b.Fatal(err)
		}
		delta := chunk.Choices[0].Delta
		text.WriteString(delta.Content)
		for _, call := range delta.ToolCalls {
			arguments.WriteString(call.Function.Arguments)
		}
	}
}

// BenchmarkLinear has cases that a quadratic reader shows itself in: bytes per second must not fall as they get larger.
func BenchmarkLinear(b *testing.B) {
	for _, scale := range []int{1, 4} {
		call := `{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"write","arguments":""}}]}`
		one := `{"tool_calls":[{"index":0,"function":{"arguments":"12345678"}}]}`
		fragments := chatStream(scale*(1<<20)/8*len(one)*2, call, one)
		line := []byte(`data: {"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("x", scale*4<<20) +
			`"},"finish_reason":"stop"}]}` + "\n\n")
		var calls strings.Builder
		for i := range scale * 2500 {
			fmt.Fprintf(&calls, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d",`+
				`"function":{"name":"write","arguments":"{}"}}]}}]}`+"\n\n", i, i)
		}
		calls.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n")
		for _, bench := range []struct {
			name   string
			stream []byte
			piece  int
		}{
			{"fragments", fragments, 64 << 10},
			{"line", line, 1 << 10},
			{"calls", []byte(calls.String()), 64 << 10},
		} {
			b.Run(fmt.Sprintf("%s/%dx", bench.name, scale), func(b *testing.B) {
				b.SetBytes(int64(len(bench.stream)))
				b.ReportAllocs()
				for b.Loop() {
					assemble(b, turn.Options{}, bench.stream, bench.piece)
				}
			})
		}
	}
}
