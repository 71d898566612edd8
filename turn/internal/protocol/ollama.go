package protocol

import (
	"github.com/tidwall/gjson"
)

// Ollama is https://docs.ollama.com/api/chat: lines of JSON in which every call is whole.
const Ollama Name = "ollama"

func ollama() Spec {
	return Spec{
		Name: Ollama,
		Recognizes: func(_ string, chunk gjson.Result) bool {
			return has(chunk, "done") && (chunk.Get("message").IsObject() || has(chunk, "model"))
		},
		Class: func(reason, _ string) Class { return ollamaClass(reason) },
		New:   func() Decoder { return &ollamaDecoder{} },
	}
}

type ollamaDecoder struct{ calls int }

func (d *ollamaDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	message := chunk.Get("message")
	to.begin("", Text(chunk.Get("model")), Text(message.Get("role")))
	to.reason(0, Key{}, "", to.words(message.Get("thinking"), "message.thinking"))
	to.text(0, Key{}, to.words(message.Get("content"), "message.content"))
	for _, call := range message.Get("tool_calls").Array() {
		at := Key{Index: d.calls, Part: callPart}
		d.calls++
		function := call.Get("function")
		if !function.IsObject() {
			to.strangeCall()
			return
		}
		to.Add(Step{Kind: CallStep, Key: at, ID: Text(call.Get("id")), Name: Text(function.Get("name")), Flag: true})
		to.input(0, at, function.Get("arguments"))
		to.end(0, at)
	}
	if failure := chunk.Get("error"); failure.Exists() {
		to.Fail(FailureOf(failure))
	}
	if !chunk.Get("done").Bool() {
		return
	}
	for _, name := range []string{"prompt_eval_count", "eval_count", "total_duration", "load_duration",
		"prompt_eval_duration", "eval_duration"} {
		if counter := chunk.Get(name); counter.Exists() {
			to.Add(Step{Kind: UsageStep, Name: name, JSON: counter})
		}
	}
	reason := Text(chunk.Get("done_reason"))
	if reason == "" {
		reason = "stop" // what older ones leave out
	}
	to.finish(0, reason, "", ollamaClass(reason))
	to.done()
}

func ollamaClass(reason string) Class {
	switch reason {
	case "stop", "load", "unload":
		return Stop
	case "length":
		return Length
	}
	return Unknown
}
