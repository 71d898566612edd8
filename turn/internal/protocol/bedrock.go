package protocol

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/wire"
)

// BedrockConverse is https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html, in binary
// frames, or as lines of JSON that hold the event under its name.
const BedrockConverse Name = "bedrock-converse"

func bedrockConverse() Spec {
	return Spec{
		Name: BedrockConverse,
		Recognizes: func(event string, chunk gjson.Result) bool {
			if isConverse(chunk) || event == wire.ExceptionEvent {
				return true
			}
			return bedrockEvent(event, chunk) != "" && !has(chunk, "type") && !has(chunk, "choices") &&
				!has(chunk, "candidates")
		},
		Class: func(reason, _ string) Class { return bedrockClass(reason) },
		New:   func() Decoder { return &bedrockDecoder{} },
	}
}

type bedrockDecoder struct {
	begun    bool
	finished bool // only what it cost is still to come
}

// bedrockEvent returns which event a chunk is.
func bedrockEvent(event string, chunk gjson.Result) string {
	known := func(name string) bool {
		switch name {
		case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata":
			return true
		}
		return strings.HasSuffix(name, "Exception")
	}
	if known(event) || event == wire.ExceptionEvent {
		return event
	}
	found := ""
	members(chunk, func(name string, value gjson.Result) {
		if found == "" && known(name) && value.IsObject() {
			found = strings.Clone(name)
		}
	})
	return found
}

// isConverse reports whether a chunk is an answer that was not streamed.
func isConverse(chunk gjson.Result) bool {
	return chunk.Get("output.message.content").IsArray() && has(chunk, "stopReason")
}

// whole reads an answer that was not streamed.
func (d *bedrockDecoder) whole(chunk gjson.Result, to *Steps) {
	message := chunk.Get("output.message")
	to.begin("", "", Text(message.Get("role")))
	var at Key
	members(message.Get("content"), func(_ string, block gjson.Result) {
		to.text(0, at, to.words(block.Get("text"), "text"))
		reasoning := block.Get("reasoningContent")
		to.reason(0, at, "", Text(reasoning.Get("reasoningText.text")))
		to.sign(0, at, Text(reasoning.Get("reasoningText.signature")))
		if hidden := Text(reasoning.Get("redactedContent")); hidden != "" {
			to.Add(Step{Kind: SignStep, Key: at, Signature: hidden, Flag: true})
		}
		if call := block.Get("toolUse"); call.IsObject() {
			to.Add(Step{Kind: CallStep, Key: at, ID: Text(call.Get("toolUseId")), Name: Text(call.Get("name")),
				Flag: true})
			to.input(0, at, call.Get("input"))
		} else if !saysNothing(call.Raw) {
			to.strangeCall()
		}
		to.end(0, at)
		at.Index++
	})
	reason := Text(chunk.Get("stopReason"))
	to.usage(chunk.Get("usage"))
	to.finish(0, reason, "", bedrockClass(reason))
	to.done()
}

func (d *bedrockDecoder) Decode(event string, chunk gjson.Result, to *Steps) {
	if isConverse(chunk) {
		d.whole(chunk, to)
		return
	}
	kind := bedrockEvent(event, chunk)
	if kind != event && kind != "" {
		chunk = chunk.Get(kind)
	}
	at := Key{Index: int(chunk.Get("contentBlockIndex").Int())}
	switch kind {
	case "messageStart":
		if d.begun {
			to.contradict("a second message begins")
			return
		}
		d.begun = true
		to.begin("", "", Text(chunk.Get("role")))
	case "contentBlockStart":
		if call := chunk.Get("start.toolUse"); call.IsObject() {
			to.callWith(Step{Key: at, ID: Text(call.Get("toolUseId")), Name: Text(call.Get("name")), Flag: true},
				call.Get("input"))
		} else if !saysNothing(call.Raw) {
			to.strangeCall()
		}
	case "contentBlockDelta":
		members(chunk.Get("delta"), func(name string, value gjson.Result) {
			switch name {
			case "text":
				to.text(0, at, to.words(value, "text"))
			case "toolUse":
				to.Add(Step{Kind: CallStep, Key: at, Text: argument(value.Get("input")), Flag: true})
			case "reasoningContent":
				to.reason(0, at, "", to.words(value.Get("text"), "reasoningContent.text"))
				to.sign(0, at, Text(value.Get("signature")))
				if hidden := Text(value.Get("redactedContent")); hidden != "" {
					to.Add(Step{Kind: SignStep, Key: at, Signature: hidden, Flag: true})
				}
			default:
				to.Other(name, name != "citation")
			}
		})
	case "contentBlockStop":
		to.end(0, at)
	case "messageStop":
		reason := Text(chunk.Get("stopReason"))
		to.finish(0, reason, "", bedrockClass(reason))
		d.finished = reason != ""
	case "metadata":
		to.usage(chunk.Get("usage"))
		if d.finished {
			to.done()
		}
	case wire.ExceptionEvent:
		to.Fail(FailureOf(chunk))
	case "":
		to.Other(event, false)
	default:
		to.Fail(kind, Text(chunk.Get("message")))
	}
}

func bedrockClass(reason string) Class {
	switch reason {
	case "end_turn", "stop_sequence":
		return Stop
	case "tool_use":
		return ToolCalls
	case "max_tokens", "model_context_window_exceeded":
		return Length
	case "guardrail_intervened", "content_filtered":
		return ContentFilter
	case "malformed_model_output", "malformed_tool_use":
		return Failed
	}
	return Unknown
}
