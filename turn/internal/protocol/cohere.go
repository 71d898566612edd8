package protocol

import (
	"github.com/tidwall/gjson"
)

// CohereV2 is https://docs.cohere.com/v2/docs/streaming
const CohereV2 Name = "cohere-v2"

func cohereV2() Spec {
	return Spec{
		Name: CohereV2,
		Recognizes: func(_ string, chunk gjson.Result) bool {
			return isChatResponse(chunk) || typed(chunk, "message-start", "message-end",
				"content-start", "content-delta", "content-end", "tool-plan-delta",
				"tool-call-start", "tool-call-delta", "tool-call-end", "citation-start", "citation-end")
		},
		Class: func(reason, _ string) Class { return cohereClass(reason) },
		New:   func() Decoder { return &cohereDecoder{} },
	}
}

type cohereDecoder struct{ begun bool }

// Content and calls are numbered apart, and the plan has no number.
const (
	coherePlan  = -1
	cohereCalls = 1 // the part of a call's key
)

// isChatResponse reports whether a chunk is an answer that was not streamed.
func isChatResponse(chunk gjson.Result) bool {
	return chunk.Get("message").IsObject() && has(chunk, "finish_reason") && has(chunk, "id") && !has(chunk, "type")
}

// whole reads an answer that was not streamed.
func (d *cohereDecoder) whole(chunk gjson.Result, to *Steps) {
	message := chunk.Get("message")
	to.begin(Text(chunk.Get("id")), "", Text(message.Get("role")))
	if plan := Text(message.Get("tool_plan")); plan != "" {
		to.Add(Step{Kind: ReasonStep, Key: Key{Index: coherePlan}, Name: "tool_plan", Text: plan})
	}
	var at Key
	content := message.Get("content")
	if content.Type == gjson.String {
		to.text(0, at, Text(content))
	} else if !content.IsArray() {
		to.words(content, "content")
	}
	members(content, func(_ string, content gjson.Result) {
		d.content(at, content, to)
		to.end(0, at)
		at.Index++
	})
	at = Key{Part: cohereCalls}
	members(message.Get("tool_calls"), func(_ string, call gjson.Result) {
		d.call(at, call, to)
		to.end(0, at)
		at.Index++
	})
	reason := Text(chunk.Get("finish_reason"))
	to.usage(chunk.Get("usage"))
	to.finish(0, reason, "", cohereClass(reason))
	to.done()
}

func (d *cohereDecoder) content(at Key, content gjson.Result, to *Steps) {
	to.reason(0, at, "", to.words(content.Get("thinking"), "content.thinking"))
	to.text(0, at, to.words(content.Get("text"), "content.text"))
	if !has(content, "text") && !has(content, "thinking") && !saysNothing(content.Raw) {
		to.Other("content."+Text(content.Get("type")), true)
	}
}

func (d *cohereDecoder) call(at Key, call gjson.Result, to *Steps) {
	if !call.IsObject() {
		to.strangeCall()
		return
	}
	to.callWith(Step{Key: at, ID: Text(call.Get("id")), Name: Text(call.Get("function.name")), Flag: true},
		call.Get("function.arguments"))
}

func (d *cohereDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	if isChatResponse(chunk) {
		d.whole(chunk, to)
		return
	}
	at := Key{Index: int(chunk.Get("index").Int())}
	message := chunk.Get("delta.message")
	switch kind := Text(chunk.Get("type")); kind {
	case "message-start":
		if d.begun {
			to.contradict("a second message begins")
			return
		}
		d.begun = true
		to.begin(Text(chunk.Get("id")), "", Text(message.Get("role")))
	case "content-start", "content-delta":
		if content := message.Get("content"); content.IsObject() {
			d.content(at, content, to)
		} else {
			to.text(0, at, to.words(content, "content"))
		}
	case "content-end":
		to.end(0, at)
	case "tool-plan-delta":
		if plan := to.words(message.Get("tool_plan"), "tool_plan"); plan != "" {
			to.Add(Step{Kind: ReasonStep, Key: Key{Index: coherePlan}, Name: "tool_plan", Text: plan})
		}
	case "tool-call-start", "tool-call-delta":
		at.Part = cohereCalls
		d.call(at, message.Get("tool_calls"), to)
	case "tool-call-end":
		at.Part = cohereCalls
		to.end(0, at)
	case "message-end":
		delta := chunk.Get("delta")
		reason := Text(delta.Get("finish_reason"))
		to.usage(delta.Get("usage"))
		to.finish(0, reason, "", cohereClass(reason))
		if failure := Text(delta.Get("error")); failure != "" {
			to.Fail(reason, failure)
		}
		to.done()
	default:
		to.Other(kind, false)
	}
}

func cohereClass(reason string) Class {
	switch reason {
	case "COMPLETE", "STOP_SEQUENCE":
		return Stop
	case "TOOL_CALL":
		return ToolCalls
	case "MAX_TOKENS":
		return Length
	case "ERROR_TOXIC":
		return ContentFilter
	case "ERROR", "TIMEOUT", "ERROR_LIMIT":
		return Failed
	}
	return Unknown
}
