package protocol

import (
	"strings"

	"github.com/tidwall/gjson"
)

// GeminiInteractions is https://ai.google.dev/gemini-api/docs/interactions
const GeminiInteractions Name = "gemini-interactions"

func geminiInteractions() Spec {
	return Spec{
		Name: GeminiInteractions,
		Recognizes: func(_ string, chunk gjson.Result) bool {
			kind := chunk.Get("event_type").String()
			return strings.HasPrefix(kind, "interaction.") || strings.HasPrefix(kind, "step.") ||
				strings.HasPrefix(kind, "content.")
		},
		Class: func(reason, _ string) Class { return interactionsClass(reason) },
		New:   func() Decoder { return &interactionsDecoder{kinds: make(map[int]string)} },
	}
}

type interactionsDecoder struct {
	begun bool
	kinds map[int]string // of the steps that began, by index
}

func (d *interactionsDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	at := Key{Index: int(chunk.Get("index").Int())}
	interaction := chunk.Get("interaction")
	switch kind := Text(chunk.Get("event_type")); kind {
	case "interaction.created", "interaction.start":
		if d.begun {
			to.contradict("a second interaction begins")
			return
		}
		d.begun = true
		to.begin(Text(interaction.Get("id")), Text(interaction.Get("model")), "")
	case "interaction.status_update":
	case "step.start":
		d.start(at, chunk.Get("step"), to)
	case "content.start":
		d.start(at, chunk.Get("content"), to)
	case "step.delta", "content.delta":
		d.delta(at, chunk.Get("delta"), to)
	case "step.stop", "content.stop":
		to.end(0, at)
		if d.isHosted(at) {
			to.Other(kind, false)
		}
	case "interaction.completed", "interaction.complete", "interaction.failed", "interaction.cancelled",
		"interaction.incomplete":
		status := Text(interaction.Get("status"))
		if status == "" {
			status = strings.TrimPrefix(kind, "interaction.")
		}
		to.begin(Text(interaction.Get("id")), Text(interaction.Get("model")), "")
		to.usage(interaction.Get("usage"))
		to.finish(0, status, "", interactionsClass(status))
		if failure := interaction.Get("error"); failure.IsObject() {
			to.Fail(FailureOf(failure))
		}
		to.done()
	case "error":
		to.Fail(FailureOf(chunk.Get("error")))
	default:
		to.Other(kind, false)
	}
}

func (d *interactionsDecoder) start(at Key, begun gjson.Result, to *Steps) {
	kind := Text(begun.Get("type"))
	d.kinds[at.Index] = strings.Clone(kind)
	switch kind {
	case "model_output", "text":
		to.text(0, at, to.words(begun.Get("text"), "text"))
	case "thought":
		d.thought(at, begun, to)
	case "function_call":
		d.call(at, begun, to)
	default:
		to.hosted(kind)
	}
}

func (d *interactionsDecoder) thought(at Key, thought gjson.Result, to *Steps) {
	to.reason(0, at, "", Text(thought.Get("content.text"))+Text(thought.Get("text")))
	to.sign(0, at, Text(thought.Get("signature")))
}

func (d *interactionsDecoder) call(at Key, call gjson.Result, to *Steps) {
	to.Add(Step{Kind: CallStep, Key: at, ID: Text(call.Get("id")), Name: Text(call.Get("name")),
		Signature: Text(call.Get("signature")), Flag: true})
	if input := call.Get("arguments"); !saysNothing(input.Raw) {
		to.Add(Step{Kind: InputStep, Key: at, JSON: input, Flag: true})
	}
}

func (d *interactionsDecoder) delta(at Key, delta gjson.Result, to *Steps) {
	switch kind := Text(delta.Get("type")); kind {
	case "text":
		to.text(0, at, to.words(delta.Get("text"), "text"))
	case "thought", "thought_summary", "thought_signature":
		d.thought(at, delta, to)
	case "arguments_delta":
		if d.isHosted(at) {
			to.Other(kind, false)
		} else {
			to.Add(Step{Kind: CallStep, Key: at, Text: argument(delta.Get("arguments")), Flag: true})
		}
	case "function_call":
		d.call(at, delta, to)
	default:
		if strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_result") {
			to.hosted(kind)
		} else {
			to.Other(kind, !strings.Contains(kind, "annotation"))
		}
	}
}

// isHosted reports whether a step is of the provider's own tools.
func (d *interactionsDecoder) isHosted(at Key) bool {
	switch d.kinds[at.Index] {
	case "", "model_output", "text", "thought", "function_call":
		return false
	}
	return true
}

func interactionsClass(status string) Class {
	switch status {
	case "completed":
		return Stop
	case "requires_action":
		return ToolCalls
	case "incomplete":
		return Length
	case "failed", "cancelled":
		return Failed
	}
	return Unknown
}
