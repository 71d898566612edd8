package protocol

import (
	"strings"

	"github.com/tidwall/gjson"
)

// openAIChat is the chunk object of https://platform.openai.com/docs/api-reference/chat-streaming and what others add
// to it: reasoning_content (DeepSeek), reasoning (Groq, OpenRouter), reasoning_details
// (https://openrouter.ai/docs/use-cases/reasoning-tokens), parts of content (Mistral), calls without an index,
// arguments that are an object, errors in a chunk.
func openAIChat() Spec {
	return Spec{
		is: func(_ string, chunk gjson.Result) bool {
			return chunk.Get("choices").IsArray() || strings.HasPrefix(chunk.Get("object").String(), "chat.completion")
		},
		Class:       chatClass,
		New:         func() Decoder { return &chatDecoder{} },
		FindsErrors: true,
	}
}

type chatDecoder struct{}

// Types of signatures. What is encrypted is in place of a text.
const (
	OpaqueReasoning    = "reasoning_opaque" // of Copilot, which has a member for it
	EncryptedReasoning = "reasoning.encrypted"
)

func (d *chatDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	var id, model string
	var counters, failure gjson.Result
	first := len(to.List)
	to.Add(Step{Kind: BeginStep}) // what it says may come last
	w := &walker{json: chunk.Raw}
	w.object(func(name string) {
		switch name {
		case "id":
			id = w.text()
		case "model":
			model = w.text()
		case "choices":
			w.array(func() { d.choice(w, to) })
		case "usage":
			counters = w.value()
		case "error":
			failure = w.value()
		}
	})
	to.List[first].ID, to.List[first].Name = id, model
	to.usage(counters)
	if failure.Exists() && failure.Type != gjson.Null {
		to.Fail(FailureOf(failure))
	}
}

func (d *chatDecoder) choice(w *walker, to *Steps) {
	var index int
	var delta, message string
	var failure gjson.Result
	var reason, native string
	w.object(func(name string) {
		switch name {
		case "index":
			index, _ = w.number()
		case "delta":
			delta = w.raw()
		case "message":
			message = w.raw()
		case "finish_reason":
			reason = w.text()
		case "native_finish_reason":
			native = w.text()
		case "error":
			failure = w.value()
		}
	})
	if !strings.HasPrefix(delta, "{") {
		delta = message // an answer that is not streamed after all
	}
	d.delta(index, delta, to)
	to.finish(index, reason, native, chatClass(reason, native))
	if failure.IsObject() {
		to.Fail(FailureOf(failure))
	}
}

// delta reads the members of a delta. Their order does not matter: reasoning comes before text, text before calls.
func (d *chatDecoder) delta(choice int, delta string, to *Steps) {
	var content, details, calls, function string
	var role, refusal, reasoning, reasoningContent, opaque string
	var media []string
	w := &walker{json: delta}
	w.object(func(name string) {
		switch name {
		case "role":
			role = w.text()
		case "content":
			content = w.raw()
		case "refusal":
			refusal = w.text()
		case "reasoning_content":
			reasoningContent = w.text()
		case "reasoning", "reasoning_text":
			reasoning = w.text()
		case "reasoning_opaque":
			opaque = w.text()
		case "reasoning_details":
			details = w.raw()
		case "tool_calls":
			calls = w.raw()
		case "function_call":
			function = w.raw()
		case "audio", "images":
			if said := w.raw(); said != "null" && said != "[]" {
				media = append(media, name)
			}
		}
	})
	to.begin("", "", role)
	for _, name := range media {
		to.Other("delta."+name, true)
	}
	if reasoningContent == "" {
		reasoningContent = reasoning
	}
	if details == "" || !d.details(choice, gjson.Parse(details), to) {
		to.reason(choice, Key{}, "", reasoningContent)
	}
	if opaque != "" {
		to.Add(Step{Kind: SignStep, Choice: choice, Name: OpaqueReasoning, Signature: opaque})
	}
	if strings.HasPrefix(content, "[") {
		members(gjson.Parse(content), func(_ string, part gjson.Result) { d.part(choice, part, to) })
	} else {
		inner := &walker{json: content}
		to.text(choice, Key{}, inner.text())
	}
	to.refusal(choice, Key{}, refusal)
	if strings.HasPrefix(calls, "[") {
		w := &walker{json: calls}
		w.array(func() { d.call(choice, w, to) })
	}
	if strings.HasPrefix(function, "{") { // the form before there were several
		call := gjson.Parse(function)
		to.call(choice, Key{None: true}, "", text(call.Get("name")), text(call.Get("arguments")))
	}
}

// details reads the parts of OpenRouter's reasoning, which say the same as its text, and more. It reports whether they
// have that text.
func (d *chatDecoder) details(choice int, details gjson.Result, to *Steps) (said bool) {
	members(details, func(_ string, part gjson.Result) {
		at := Key{Index: int(part.Get("index").Int())}
		words := text(part.Get("text")) + text(part.Get("summary"))
		said = said || words != ""
		to.reason(choice, at, text(part.Get("id")), words)
		for _, name := range []string{"signature", "data"} {
			if signature := text(part.Get(name)); signature != "" {
				to.Add(Step{Kind: SignStep, Choice: choice, Key: at, Signature: signature,
					Name: text(part.Get("type")), Text: text(part.Get("format"))})
			}
		}
	})
	return said
}

// part reads a part of a content that is a list: https://docs.mistral.ai/capabilities/reasoning
func (d *chatDecoder) part(choice int, part gjson.Result, to *Steps) {
	switch kind := text(part.Get("type")); kind {
	case "text":
		to.text(choice, Key{}, text(part.Get("text")))
	case "thinking":
		thinking := part.Get("thinking")
		to.reason(choice, Key{}, "", text(thinking))
		members(thinking, func(_ string, piece gjson.Result) { to.reason(choice, Key{}, "", text(piece.Get("text"))) })
	default:
		to.Other("content."+kind, true)
	}
}

func (d *chatDecoder) call(choice int, w *walker, to *Steps) {
	var id, callee, arguments, extra string
	at := Key{None: true}
	w.object(func(name string) {
		switch name {
		case "index":
			if index, ok := w.number(); ok {
				at = Key{Index: index}
			}
		case "id":
			id = w.text()
		case "function":
			w.object(func(name string) {
				switch name {
				case "name":
					callee = w.text()
				case "arguments":
					arguments = w.raw()
				}
			})
		case "extra_content":
			extra = w.raw()
		}
	})
	next := Step{Kind: CallStep, Choice: choice, Key: at, ID: id, Name: callee}
	if extra != "" { // https://ai.google.dev/gemini-api/docs/thought-signatures#openai
		next.Signature = text(gjson.Get(extra, "google.thought_signature"))
	}
	if strings.HasPrefix(arguments, "{") {
		to.Add(next)
		to.Add(Step{Kind: InputStep, Choice: choice, Key: at, ID: id, JSON: gjson.Parse(arguments)})
		return
	}
	inner := &walker{json: arguments}
	next.Text = inner.text()
	to.Add(next)
}

func chatClass(reason, native string) Class {
	switch strings.ToLower(native) {
	case "length", "max_tokens", "max_output_tokens", "model_length":
		return Length
	}
	switch reason {
	case "stop", "eos", "end_turn":
		return Stop
	case "tool_calls", "function_call":
		return ToolCalls
	case "length", "max_tokens", "model_length":
		return Length
	case "content_filter", "sensitive":
		return ContentFilter
	case "error", "insufficient_system_resource", "network_error":
		return Failed
	}
	return Unknown
}
