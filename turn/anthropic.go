package turn

import (
	"strings"

	"github.com/tidwall/gjson"
)

// anthropicMessages is https://docs.anthropic.com/en/docs/build-with-claude/streaming
func anthropicMessages() codec {
	return codec{
		is: func(_ string, chunk gjson.Result) bool {
			return typed(chunk, "message_start", "message_delta", "message_stop", "content_block_")
		},
		decoder: func() decoder { return &anthropicDecoder{calls: make(map[int]bool)} },
	}
}

type anthropicDecoder struct {
	begun bool
	calls map[int]bool // the open blocks that are calls of the caller's tools
}

func (d *anthropicDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	at := key{index: int(chunk.Get("index").Int())}
	switch kind := text(chunk.Get("type")); kind {
	case "message_start":
		if d.begun {
			to.fail(codeInconsistent, "a second message begins")
			return
		}
		d.begun = true
		message := chunk.Get("message")
		to.begin(text(message.Get("id")), text(message.Get("model")), text(message.Get("role")))
		to.usage(message.Get("usage"))
	case "content_block_start":
		d.block(at, chunk.Get("content_block"), to)
	case "content_block_delta":
		d.delta(at, chunk.Get("delta"), to)
	case "content_block_stop":
		delete(d.calls, at.index)
		to.end(0, at)
	case "message_delta":
		reason := text(chunk.Get("delta.stop_reason"))
		to.note(0, "stop_sequence", text(chunk.Get("delta.stop_sequence")))
		to.finish(0, reason, "", anthropicClass(reason))
		if counters := chunk.Get("usage"); counters.IsObject() { // they are cumulative
			to.add(step{kind: usageStep, json: counters, text: onlyCounters})
		}
	case "message_stop", "ping":
	case "error":
		to.fail(failureOf(chunk.Get("error")))
	default:
		to.other(kind, false)
	}
}

func (d *anthropicDecoder) block(at key, block gjson.Result, to *steps) {
	switch kind := text(block.Get("type")); kind {
	case "text":
		to.text(0, at, text(block.Get("text")))
	case "thinking":
		to.reason(0, at, "", text(block.Get("thinking")))
		to.sign(0, at, text(block.Get("signature")))
	case "redacted_thinking":
		to.add(step{kind: signStep, key: at, signature: text(block.Get("data")), flag: true})
	case "tool_use":
		d.calls[at.index] = true
		to.add(step{kind: callStep, key: at, id: text(block.Get("id")), name: text(block.Get("name")), flag: true})
		if input := block.Get("input"); input.IsObject() && input.Get("@this.@keys.#").Int() > 0 {
			to.add(step{kind: inputStep, key: at, json: input, flag: true})
		}
	default:
		ofTools := strings.HasSuffix(kind, "_use") || strings.HasSuffix(kind, "_result")
		to.add(step{kind: hostedStep, name: kind, flag: !ofTools})
	}
}

func (d *anthropicDecoder) delta(at key, delta gjson.Result, to *steps) {
	switch kind := text(delta.Get("type")); kind {
	case "text_delta":
		to.text(0, at, text(delta.Get("text")))
	case "thinking_delta":
		to.reason(0, at, "", text(delta.Get("thinking")))
	case "signature_delta":
		to.sign(0, at, text(delta.Get("signature")))
	case "input_json_delta":
		if d.calls[at.index] {
			to.add(step{kind: callStep, key: at, text: text(delta.Get("partial_json")), flag: true})
		}
	case "citations_delta":
	default:
		to.other(kind, false)
	}
}

func anthropicClass(reason string) FinishClass {
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
