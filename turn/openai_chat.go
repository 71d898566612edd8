package turn

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"
)

// openAIChat is the chunk object of https://platform.openai.com/docs/api-reference/chat-streaming and what others add
// to it: reasoning_content (DeepSeek), reasoning (Groq, OpenRouter), reasoning_details
// (https://openrouter.ai/docs/use-cases/reasoning-tokens), parts of content (Mistral), calls without an index,
// arguments that are an object, errors in a chunk.
func openAIChat() codec {
	return codec{
		is: func(_ string, chunk gjson.Result) bool {
			return chunk.Get("choices").IsArray() || strings.HasPrefix(chunk.Get("object").String(), "chat.completion")
		},
		decoder:     func() decoder { return &chatDecoder{} },
		encoder:     func() encoder { return &chatEncoder{} },
		tellsErrors: true,
	}
}

type chatDecoder struct{}

// Types of signatures. What is encrypted is in place of a text.
const (
	opaqueReasoning    = "reasoning_opaque" // of Copilot, which has a member for it
	encryptedReasoning = "reasoning.encrypted"
)

func (d *chatDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	var id, model string
	var counters, failure gjson.Result
	first := len(to.list)
	to.add(step{kind: beginStep}) // what it says may come last
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
	to.list[first].id, to.list[first].name = id, model
	to.usage(counters)
	if failure.Exists() && failure.Type != gjson.Null {
		to.fail(failureOf(failure))
	}
}

func (d *chatDecoder) choice(w *walker, to *steps) {
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
		to.fail(failureOf(failure))
	}
}

// delta reads the members of a delta. Their order does not matter: reasoning comes before text, text before calls.
func (d *chatDecoder) delta(choice int, delta string, to *steps) {
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
		to.other("delta."+name, true)
	}
	if reasoningContent == "" {
		reasoningContent = reasoning
	}
	if details == "" || !d.details(choice, gjson.Parse(details), to) {
		to.reason(choice, key{}, "", reasoningContent)
	}
	if opaque != "" {
		to.add(step{kind: signStep, choice: choice, name: opaqueReasoning, signature: opaque})
	}
	if strings.HasPrefix(content, "[") {
		members(gjson.Parse(content), func(_ string, part gjson.Result) { d.part(choice, part, to) })
	} else {
		inner := &walker{json: content}
		to.text(choice, key{}, inner.text())
	}
	to.refusal(choice, key{}, refusal)
	if strings.HasPrefix(calls, "[") {
		w := &walker{json: calls}
		w.array(func() { d.call(choice, w, to) })
	}
	if strings.HasPrefix(function, "{") { // the form before there were several
		call := gjson.Parse(function)
		to.call(choice, key{none: true}, "", text(call.Get("name")), text(call.Get("arguments")))
	}
}

// details reads the parts of OpenRouter's reasoning, which say the same as its text, and more. It reports whether they
// have that text.
func (d *chatDecoder) details(choice int, details gjson.Result, to *steps) (said bool) {
	members(details, func(_ string, part gjson.Result) {
		at := key{index: int(part.Get("index").Int())}
		words := text(part.Get("text")) + text(part.Get("summary"))
		said = said || words != ""
		to.reason(choice, at, text(part.Get("id")), words)
		for _, name := range []string{"signature", "data"} {
			if signature := text(part.Get(name)); signature != "" {
				to.add(step{kind: signStep, choice: choice, key: at, signature: signature,
					name: text(part.Get("type")), text: text(part.Get("format"))})
			}
		}
	})
	return said
}

// part reads a part of a content that is a list: https://docs.mistral.ai/capabilities/reasoning
func (d *chatDecoder) part(choice int, part gjson.Result, to *steps) {
	switch kind := text(part.Get("type")); kind {
	case "text":
		to.text(choice, key{}, text(part.Get("text")))
	case "thinking":
		thinking := part.Get("thinking")
		to.reason(choice, key{}, "", text(thinking))
		members(thinking, func(_ string, piece gjson.Result) { to.reason(choice, key{}, "", text(piece.Get("text"))) })
	default:
		to.other("content."+kind, true)
	}
}

func (d *chatDecoder) call(choice int, w *walker, to *steps) {
	var id, callee, arguments, extra string
	at := key{none: true}
	w.object(func(name string) {
		switch name {
		case "index":
			if index, ok := w.number(); ok {
				at = key{index: index}
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
	next := step{kind: callStep, choice: choice, key: at, id: id, name: callee}
	if extra != "" { // https://ai.google.dev/gemini-api/docs/thought-signatures#openai
		next.signature = text(gjson.Get(extra, "google.thought_signature"))
	}
	if strings.HasPrefix(arguments, "{") {
		to.add(next)
		to.add(step{kind: inputStep, choice: choice, key: at, id: id, json: gjson.Parse(arguments)})
		return
	}
	inner := &walker{json: arguments}
	next.text = inner.text()
	to.add(next)
}

func chatClass(reason, native string) FinishClass {
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

type chatEncoder struct {
	spoke map[int]bool // choices that have said who speaks
	calls map[int]int  // by choice
	parts map[int]int  // of the reasoning, in order of arrival, by their number
}

func (x *chatEncoder) encode(w *wire, e *Event) {
	switch e.Kind {
	case Started:
		x.spoke, x.calls, x.parts = make(map[int]bool), make(map[int]int), make(map[int]int)
		x.delta(w, 0, `"content":""`)
	case TextDelta:
		x.delta(w, e.Choice, `"content":`+quote(e.Text))
	case RefusalDelta:
		x.delta(w, e.Choice, `"refusal":`+quote(e.Text))
	case ReasonDelta:
		x.part(e)
		x.delta(w, e.Choice, `"reasoning_content":`+quote(e.Text))
	case ReasonEnded:
		if e.Signature != "" {
			x.delta(w, e.Choice, x.signature(e))
		}
	case CallEnded:
		extra := ""
		if e.Signature != "" {
			extra = `,"extra_content":{"google":{"thought_signature":` + quote(e.Signature) + `}}`
		}
		x.delta(w, e.Choice, `"tool_calls":[{"index":`+number(x.calls[e.Choice])+`,"id":`+quote(e.ID)+
			`,"type":"function","function":{"name":`+
			quote(e.Name)+`,"arguments":`+quote(e.Arguments)+`}`+extra+`}]`)
		x.calls[e.Choice]++
	case TurnEnded:
		x.end(w, e.Turn)
	}
}

// part numbers the parts of the reasoning.
func (x *chatEncoder) part(e *Event) int {
	if _, known := x.parts[e.Part]; !known {
		x.parts[e.Part] = len(x.parts)
	}
	return x.parts[e.Part]
}

// signature is the member of a delta that signs a part of the reasoning, the one that the provider has it in.
func (x *chatEncoder) signature(e *Event) string {
	if e.SignatureType == opaqueReasoning {
		return `"reasoning_opaque":` + quote(e.Signature)
	}
	detail := `{"type":` + quote(cmp.Or(e.SignatureType, "reasoning.text"))
	if e.ID != "" {
		detail += `,"id":` + quote(e.ID)
	}
	if e.SignatureFormat != "" {
		detail += `,"format":` + quote(e.SignatureFormat)
	}
	member := "signature"
	if e.SignatureType == encryptedReasoning {
		member = "data"
	}
	return `"reasoning_details":[` + detail + `,"index":` + number(x.part(e)) + `,"` + member + `":` +
		quote(e.Signature) + `}]`
}

func (x *chatEncoder) head(w *wire) string {
	return `{"id":` + quote(w.id) + `,"object":"chat.completion.chunk","created":0,"model":` + quote(w.model) +
		`,"choices":[`
}

func (x *chatEncoder) delta(w *wire, choice int, members string) {
	if !x.spoke[choice] {
		x.spoke[choice] = true
		members = `"role":"assistant",` + members
	}
	w.chunk("", x.head(w)+`{"index":`+number(choice)+`,"delta":{`+members+`},"finish_reason":null}]}`)
}

func (x *chatEncoder) end(w *wire, t *Turn) {
	if !t.Complete {
		w.chunk("", `{"error":{"message":`+quote(t.Error)+`,"code":"turn_incomplete"}}`)
		w.done()
		return
	}
	for _, a := range append([]Answer{t.Answer}, t.Others...) {
		reason := reasonFor(&a, chatClass(a.FinishReason, a.NativeReason), "stop")
		native := ""
		if a.NativeReason != "" {
			native = `,"native_finish_reason":` + quote(a.NativeReason)
		}
		w.chunk("", x.head(w)+`{"index":`+number(a.Choice)+`,"delta":{},"finish_reason":`+quote(reason)+native+`}]}`)
	}
	if t.Usage != "null" {
		w.chunk("", x.head(w)+`],"usage":`+t.Usage+`}`)
	}
	w.done()
}
