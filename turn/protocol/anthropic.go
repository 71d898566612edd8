package protocol

import (
	"strings"

	"github.com/tidwall/gjson"
)

// anthropicMessages is https://docs.anthropic.com/en/docs/build-with-claude/streaming
func anthropicMessages() Spec {
	return Spec{
		is: func(_ string, chunk gjson.Result) bool {
			return typed(chunk, "message_start", "message_delta", "message_stop", "content_block_")
		},
		Class: func(reason, _ string) Class { return anthropicClass(reason) },
		New:   func() Decoder { return &anthropicDecoder{calls: make(map[int]bool)} },
	}
}

type anthropicDecoder struct {
	begun bool
	calls map[int]bool // the open blocks that are calls of the caller's tools
}

func (d *anthropicDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	var at Key
	var kind, delta string
	w := &walker{json: chunk.Raw}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "index":
			at.Index, _ = w.number()
		case "delta":
			delta = w.raw()
		}
	})
	switch kind {
	case "message_start":
		if d.begun {
			to.Fail(Inconsistent, "a second message begins")
			return
		}
		d.begun = true
		message := chunk.Get("message")
		to.begin(text(message.Get("id")), text(message.Get("model")), text(message.Get("role")))
		to.usage(message.Get("usage"))
	case "content_block_start":
		d.block(at, chunk.Get("content_block"), to)
	case "content_block_delta":
		d.delta(at, delta, to)
	case "content_block_stop":
		delete(d.calls, at.Index)
		to.end(0, at)
	case "message_delta":
		reason := text(chunk.Get("delta.stop_reason"))
		to.note(0, "stop_sequence", text(chunk.Get("delta.stop_sequence")))
		to.finish(0, reason, "", anthropicClass(reason))
		if counters := chunk.Get("usage"); counters.IsObject() { // they are cumulative
			to.Add(Step{Kind: UsageStep, JSON: counters, Text: OnlyCounters})
		}
	case "message_stop", "ping":
	case "error":
		to.Fail(FailureOf(chunk.Get("error")))
	default:
		to.Other(kind, false)
	}
}

func (d *anthropicDecoder) block(at Key, block gjson.Result, to *Steps) {
	switch kind := text(block.Get("type")); kind {
	case "text":
		to.text(0, at, text(block.Get("text")))
	case "thinking":
		to.reason(0, at, "", text(block.Get("thinking")))
		to.sign(0, at, text(block.Get("signature")))
	case "redacted_thinking":
		to.Add(Step{Kind: SignStep, Key: at, Signature: text(block.Get("data")), Flag: true})
	case "tool_use":
		d.calls[at.Index] = true
		to.Add(Step{Kind: CallStep, Key: at, ID: text(block.Get("id")), Name: text(block.Get("name")), Flag: true})
		if input := block.Get("input"); input.IsObject() && input.Get("@this.@keys.#").Int() > 0 {
			to.Add(Step{Kind: InputStep, Key: at, JSON: input, Flag: true})
		}
	default:
		ofTools := strings.HasSuffix(kind, "_use") || strings.HasSuffix(kind, "_result")
		to.Add(Step{Kind: HostedStep, Name: kind, Flag: !ofTools})
	}
}

func (d *anthropicDecoder) delta(at Key, delta string, to *Steps) {
	var kind, said string
	w := &walker{json: delta}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "text", "thinking", "signature", "partial_json":
			said = w.text()
		}
	})
	switch kind {
	case "text_delta":
		to.text(0, at, said)
	case "thinking_delta":
		to.reason(0, at, "", said)
	case "signature_delta":
		to.sign(0, at, said)
	case "input_json_delta":
		if d.calls[at.Index] {
			to.Add(Step{Kind: CallStep, Key: at, Text: said, Flag: true})
		}
	case "citations_delta":
	default:
		to.Other(kind, false)
	}
}

func anthropicClass(reason string) Class {
	switch reason {
	case "end_turn", "stop_sequence", "pause_turn":
		return Stop
	case "tool_use":
		return ToolCalls
	case "max_tokens", "model_context_window_exceeded":
		return Length
	case "refusal":
		return Refusal
	}
	return Unknown
}
