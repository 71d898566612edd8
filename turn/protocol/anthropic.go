package protocol

import (
	"strings"

	"github.com/tidwall/gjson"
)

// AnthropicMessages is https://docs.anthropic.com/en/docs/build-with-claude/streaming
const AnthropicMessages Name = "anthropic-messages"

func anthropicMessages() Spec {
	return Spec{
		Name: AnthropicMessages,
		recognizes: func(_ string, chunk gjson.Result) bool {
			return typed(chunk, "message_start", "message_delta", "message_stop", "content_block_") || isMessage(chunk)
		},
		Class: func(reason, _ string) Class { return anthropicClass(reason) },
		New:   func() Decoder { return &anthropicDecoder{calls: make(map[int]bool)} },
	}
}

type anthropicDecoder struct {
	begun bool
	ended bool         // there was a message_stop
	calls map[int]bool // the open blocks that are calls of the caller's tools

	known  map[string]bool // ids of the calls that the message began with
	reason string          // why the message ended, if it began with its end
}

// isMessage reports whether a chunk is a message that was not streamed.
func isMessage(chunk gjson.Result) bool {
	return chunk.Get("type").String() == "message" && chunk.Get("content").IsArray()
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
			to.contradict("a second message begins")
			return
		}
		d.begun = true
		d.begin(chunk.Get("message"), to)
	case "message":
		d.begin(chunk, to)
		d.stop(to)
	case "content_block_start":
		if d.ended {
			to.contradict("content after the end of the message")
			return
		}
		d.block(at, chunk.Get("content_block"), to)
	case "content_block_delta":
		d.delta(at, delta, to)
	case "content_block_stop":
		delete(d.calls, at.Index)
		to.end(0, at)
	case "message_delta":
		reason := Text(chunk.Get("delta.stop_reason"))
		if reason != "" {
			d.reason = ""
		}
		to.note(0, StopNote, Text(chunk.Get("delta.stop_sequence")))
		to.finish(0, reason, "", anthropicClass(reason))
		if counters := chunk.Get("usage"); counters.IsObject() { // they are cumulative
			to.Add(Step{Kind: UsageStep, JSON: counters, Text: OnlyCounters})
		}
	case "message_stop":
		d.ended = true
		d.stop(to)
	case "ping":
	case "error":
		to.Fail(FailureOf(chunk.Get("error")))
	default:
		to.Other(kind, false)
	}
}

// begin reads what a message begins with: if it was pre-filled or made by a program, content and
// why it ended.
func (d *anthropicDecoder) begin(message gjson.Result, to *Steps) {
	to.begin(Text(message.Get("id")), Text(message.Get("model")), Text(message.Get("role")))
	to.usage(message.Get("usage"))
	at := Key{Part: beganPart}
	members(message.Get("content"), func(_ string, block gjson.Result) {
		d.block(at, block, to)
		if d.calls[at.Index] {
			if d.known == nil {
				d.known = make(map[string]bool)
			}
			d.known[strings.Clone(Text(block.Get("id")))] = true
			delete(d.calls, at.Index)
		}
		to.end(0, at)
		at.Index++
	})
	d.reason = strings.Clone(Text(message.Get("stop_reason")))
	to.note(0, StopNote, Text(message.Get("stop_sequence")))
}

// beganPart is the part of the keys of blocks that a message began with: those that follow are
// numbered from 0, too.
const beganPart = 1

// stop ends a message that began with why it ended, if nothing said so after it.
func (d *anthropicDecoder) stop(to *Steps) {
	to.finish(0, d.reason, "", anthropicClass(d.reason))
	d.reason = ""
}

func (d *anthropicDecoder) block(at Key, block gjson.Result, to *Steps) {
	switch kind := Text(block.Get("type")); kind {
	case "text":
		to.text(0, at, Text(block.Get("text")))
	case "thinking":
		to.reason(0, at, "", Text(block.Get("thinking")))
		to.sign(0, at, Text(block.Get("signature")))
	case "redacted_thinking":
		to.Add(Step{Kind: SignStep, Key: at, Signature: Text(block.Get("data")), Flag: true})
	case "tool_use":
		if d.known[Text(block.Get("id"))] {
			return // the message began with it
		}
		d.calls[at.Index] = true
		to.Add(Step{Kind: CallStep, Key: at, ID: Text(block.Get("id")), Name: Text(block.Get("name")), Flag: true})
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
