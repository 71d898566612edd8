package protocol

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"
)

// OpenAIChat is the chunk object of https://platform.openai.com/docs/api-reference/chat-streaming and what others add
// to it: reasoning_content (DeepSeek), reasoning (Groq, OpenRouter), reasoning_details
// (https://openrouter.ai/docs/use-cases/reasoning-tokens), parts of content (Mistral), calls without an index,
// arguments that are an object, errors in a chunk.
const OpenAIChat Name = "openai-chat"

func openAIChat() Spec {
	return Spec{
		Name: OpenAIChat,
		Recognizes: func(_ string, chunk gjson.Result) bool {
			return chunk.Get("choices").IsArray() || strings.HasPrefix(chunk.Get("object").String(), "chat.completion")
		},
		Class:       chatClass,
		New:         func() Decoder { return &chatDecoder{} },
		FindsErrors: true,
		LateID:      true,
	}
}

type chatDecoder struct{ details map[int]*detailParts }

// Types of signatures, and of parts of the reasoning. What is encrypted is in place of a text.
const (
	OpaqueReasoning    = "reasoning_opaque" // of Copilot, which has a member for it
	EncryptedReasoning = "reasoning.encrypted"
	SummaryReasoning   = "reasoning.summary"
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
			if w.next() == '[' {
				w.array(func() { d.choice(w, to) })
			} else {
				w.words("choices", to)
			}
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
	var failure, counters gjson.Result
	var reason, native string
	var numbered, said bool
	w.object(func(name string) {
		switch name {
		case "index":
			index, _ = w.number()
			numbered = true
		case "delta":
			if numbered && !said && w.next() == '{' { // most chunks: it is walked through once
				said = true
				d.delta(index, w, false, to)
			} else {
				delta = w.raw()
			}
		case "message": // all of it, after deltas or in their place
			message = w.raw()
		case "finish_reason":
			reason = w.text()
		case "native_finish_reason":
			native = w.text()
		case "error":
			failure = w.value()
		case "usage": // of Moonshot
			counters = w.value()
		}
	})
	if strings.HasPrefix(delta, "{") {
		d.delta(index, &walker{json: delta}, false, to)
	} else if !saysNothing(delta) {
		to.strange("delta")
	}
	if strings.HasPrefix(message, "{") {
		first := len(to.List)
		d.delta(index, &walker{json: message}, true, to)
		to.restate(first)
	} else if !saysNothing(message) {
		to.strange("message")
	}
	to.finish(index, reason, native, chatClass(reason, native))
	to.usage(counters)
	if failure.IsObject() {
		to.Fail(FailureOf(failure))
	}
}

// delta reads the members of a delta, or of a message as a whole. Their order does not matter: reasoning comes before
// text, text before calls.
func (d *chatDecoder) delta(choice int, w *walker, whole bool, to *Steps) {
	var text, content, details, calls, function string
	var role, refusal, reasoning, reasoningContent, opaque string
	var media []string
	w.object(func(name string) {
		switch name {
		case "role":
			role = w.text()
		case "content":
			if next := w.next(); next == '[' || next == '{' {
				content = w.raw()
			} else {
				text = w.words("delta.content", to)
			}
		case "refusal":
			refusal = w.words("delta.refusal", to)
		case "reasoning_content":
			reasoningContent = w.words("delta.reasoning_content", to)
		case "reasoning", "reasoning_text":
			reasoning = w.words("delta.reasoning", to)
		case "reasoning_opaque":
			opaque = w.text()
		case "reasoning_details":
			details = w.raw()
		case "tool_calls":
			calls = w.raw()
		case "function_call":
			function = w.raw()
		case "audio", "images", "annotations":
			if !saysNothing(w.raw()) {
				media = append(media, name)
			}
		}
	})
	to.begin("", "", role)
	for _, name := range media {
		to.Other("delta."+name, name != "annotations")
	}
	if reasoningContent == "" {
		reasoningContent = reasoning
	}
	if details == "" || !d.reasoningDetails(choice, gjson.Parse(details), to) {
		to.reason(choice, Key{}, "", reasoningContent)
	}
	if opaque != "" {
		to.Add(Step{Kind: SignStep, Choice: choice, Name: OpaqueReasoning, Signature: opaque})
	}
	if content != "" {
		for _, part := range gjson.Parse(content).Array() {
			d.part(choice, part, to)
		}
	} else {
		to.text(choice, Key{}, text)
	}
	to.refusal(choice, Key{}, refusal)
	if strings.HasPrefix(calls, "[") {
		w, place := &walker{json: calls}, 0
		w.array(func() {
			d.call(choice, w, Key{Index: place, None: true}, whole, to)
			place++
		})
	} else if !saysNothing(calls) {
		to.strangeCall()
	}
	if strings.HasPrefix(function, "{") { // the form before there were several
		call := gjson.Parse(function)
		to.callWith(Step{Choice: choice, Key: Key{None: true}, Name: Text(call.Get("name"))}, call.Get("arguments"))
	} else if !saysNothing(function) {
		to.strangeCall()
	}
}

// detailParts are the parts of OpenRouter's reasoning in one choice, in order of arrival.
type detailParts []detailPart

// detailPart tells a part apart: by index, id and type. A piece without an id belongs to the last
// part of that index and type, as only the first piece of a part may have it.
type detailPart struct {
	index    int64
	id, kind string
}

// detailsMax bounds how many parts are told apart in one choice.
const detailsMax = 1 << 12

// key returns the key of the part that a piece belongs to.
func (p *detailParts) key(piece detailPart) Key {
	for i := len(*p) - 1; i >= 0; i-- {
		known := &(*p)[i]
		if known.index != piece.index || known.kind != piece.kind {
			continue
		}
		if piece.id == "" || known.id == piece.id || known.id == "" && known.kind != EncryptedReasoning {
			known.id = cmp.Or(known.id, piece.id)
			return Key{Index: i + 1}
		}
	}
	if len(*p) < detailsMax {
		piece.id, piece.kind = strings.Clone(piece.id), strings.Clone(piece.kind)
		*p = append(*p, piece)
	}
	return Key{Index: len(*p)}
}

// reasoningDetails reads the parts of OpenRouter's reasoning, which say the same as its text, and
// more. It reports whether they have that text.
func (d *chatDecoder) reasoningDetails(choice int, details gjson.Result, to *Steps) (said bool) {
	parts := d.details[choice]
	if parts == nil {
		parts = &detailParts{}
		if d.details == nil {
			d.details = make(map[int]*detailParts)
		}
		if len(d.details) < detailsMax {
			d.details[choice] = parts
		}
	}
	members(details, func(_ string, part gjson.Result) {
		kind, id := Text(part.Get("type")), Text(part.Get("id"))
		at := parts.key(detailPart{index: part.Get("index").Int(), id: id, kind: kind})
		words := Text(part.Get("text")) + Text(part.Get("summary"))
		said = said || words != ""
		if words != "" || id != "" || has(part, "signature") || has(part, "data") {
			to.Add(Step{Kind: FormStep, Choice: choice, Key: at, Name: kind, Text: Text(part.Get("format")),
				Index: int(part.Get("index").Int())})
		}
		to.reason(choice, at, id, words)
		for _, name := range []string{"signature", "data"} {
			if signature := Text(part.Get(name)); signature != "" {
				to.Add(Step{Kind: SignStep, Choice: choice, Key: at, Signature: signature,
					Name: kind, Text: Text(part.Get("format"))})
			}
		}
	})
	return said
}

// part reads a part of a content that is a list: https://docs.mistral.ai/capabilities/reasoning
func (d *chatDecoder) part(choice int, part gjson.Result, to *Steps) {
	switch kind := Text(part.Get("type")); kind {
	case "text":
		to.text(choice, Key{}, to.words(part.Get("text"), "content.text"))
	case "thinking":
		thinking := part.Get("thinking")
		to.reason(choice, Key{}, "", Text(thinking))
		members(thinking, func(_ string, piece gjson.Result) {
			to.reason(choice, Key{}, "", to.words(piece.Get("text"), "content.thinking"))
		})
	default:
		to.Other("content."+kind, true)
	}
}

// call reads one of a list of calls. Without an index its place is all there is: in a message of the call itself, in a
// delta among those that came with it.
func (d *chatDecoder) call(choice int, w *walker, at Key, whole bool, to *Steps) {
	var id, callee, arguments, value, extra string
	var custom, strange bool
	strange = w.next() != '{'
	w.object(func(name string) {
		switch name {
		case "index":
			if index, ok := w.number(); ok {
				at = Key{Index: index}
			}
		case "id":
			id = w.text()
		case "function", "custom":
			custom = custom || name == "custom" && w.next() == '{'
			if w.next() != '{' {
				strange = strange || !saysNothing(w.raw())
				return
			}
			w.object(func(name string) {
				switch name {
				case "name":
					if w.next() == '"' {
						callee = w.text()
					} else {
						strange = strange || !saysNothing(w.raw())
					}
				case "arguments", "input":
					if w.next() == '"' {
						arguments = w.text()
					} else if value = w.raw(); value == "null" {
						value = ""
					}
				}
			})
		case "extra_content":
			extra = w.raw()
		}
	})
	switch {
	case strange:
		to.strangeCall()
		return
	case id == "null": // of producers that print one that is not there
		id = ""
	}
	at.None = at.None && (!whole || id != "")
	next := Step{Kind: CallStep, Choice: choice, Key: at, ID: id, Name: callee, Text: arguments, Custom: custom}
	if extra != "" { // https://ai.google.dev/gemini-api/docs/thought-signatures#openai
		next.Signature = Text(gjson.Get(extra, "google.thought_signature"))
	}
	to.Add(next)
	if value != "" {
		to.Add(Step{Kind: InputStep, Choice: choice, Key: at, ID: id, JSON: gjson.Parse(value),
			Flag: saysNothing(value)})
	}
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
