package turn

import (
	"strings"

	"github.com/tidwall/gjson"
)

// geminiInteractions is https://ai.google.dev/gemini-api/docs/interactions
func geminiInteractions() codec {
	return codec{
		is: func(_ string, chunk gjson.Result) bool {
			kind := chunk.Get("event_type").String()
			return strings.HasPrefix(kind, "interaction.") || strings.HasPrefix(kind, "step.") || strings.HasPrefix(kind,
				"content.")
		},
		decoder: func() decoder { return &interactionsDecoder{calls: make(map[int]bool)} },
		encoder: func() encoder { return &interactionsEncoder{} },
	}
}

type interactionsDecoder struct {
	begun bool
	calls map[int]bool // the open steps that are calls of the caller's tools
}

func (d *interactionsDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	at := key{index: int(chunk.Get("index").Int())}
	interaction := chunk.Get("interaction")
	switch kind := text(chunk.Get("event_type")); kind {
	case "interaction.created", "interaction.start":
		if d.begun {
			to.fail(codeInconsistent, "a second interaction begins")
			return
		}
		d.begun = true
		to.begin(text(interaction.Get("id")), text(interaction.Get("model")), "")
	case "interaction.status_update":
	case "step.start":
		d.start(at, chunk.Get("step"), to)
	case "content.start":
		d.start(at, chunk.Get("content"), to)
	case "step.delta", "content.delta":
		d.delta(at, chunk.Get("delta"), to)
	case "step.stop", "content.stop":
		delete(d.calls, at.index)
		to.end(0, at)
	case "interaction.completed", "interaction.complete", "interaction.failed", "interaction.cancelled",
		"interaction.incomplete":
		status := text(interaction.Get("status"))
		if status == "" {
			status = strings.TrimPrefix(kind, "interaction.")
		}
		to.begin(text(interaction.Get("id")), text(interaction.Get("model")), "")
		to.usage(interaction.Get("usage"))
		to.finish(0, status, "", interactionsClass(status))
		if failure := interaction.Get("error"); failure.IsObject() {
			to.fail(failureOf(failure))
		}
	case "error":
		to.fail(failureOf(chunk.Get("error")))
	default:
		to.other(kind, false)
	}
}

func (d *interactionsDecoder) start(at key, begun gjson.Result, to *steps) {
	switch kind := text(begun.Get("type")); kind {
	case "model_output", "text":
		to.text(0, at, text(begun.Get("text")))
	case "thought":
		d.thought(at, begun, to)
	case "function_call":
		d.call(at, begun, to)
	default:
		to.hosted(kind)
	}
}

func (d *interactionsDecoder) thought(at key, thought gjson.Result, to *steps) {
	to.reason(0, at, "", text(thought.Get("content.text"))+text(thought.Get("text")))
	to.sign(0, at, text(thought.Get("signature")))
}

func (d *interactionsDecoder) call(at key, call gjson.Result, to *steps) {
	d.calls[at.index] = true
	to.add(step{kind: callStep, key: at, id: text(call.Get("id")), name: text(call.Get("name")),
		signature: text(call.Get("signature")), flag: true})
	if input := call.Get("arguments"); input.IsObject() && input.Get("@this.@keys.#").Int() > 0 {
		to.add(step{kind: inputStep, key: at, json: input, flag: true})
	}
}

func (d *interactionsDecoder) delta(at key, delta gjson.Result, to *steps) {
	switch kind := text(delta.Get("type")); kind {
	case "text":
		to.text(0, at, text(delta.Get("text")))
	case "thought", "thought_summary", "thought_signature":
		d.thought(at, delta, to)
	case "arguments_delta":
		if d.calls[at.index] {
			words := text(delta.Get("arguments"))
			to.add(step{kind: callStep, key: at, text: words, flag: true})
		}
	case "function_call":
		d.call(at, delta, to)
	default:
		if strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_result") {
			to.hosted(kind)
		} else {
			to.other(kind, !strings.Contains(kind, "annotation"))
		}
	}
}

func interactionsClass(status string) FinishClass {
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

type interactionsEncoder struct{}

func (x *interactionsEncoder) encode(w *wire, e *Event) {
	switch e.Kind {
	case Started:
		x.chunk(w, "interaction.created", `"interaction":`+x.interaction(w, "in_progress", ""))
	case TextDelta:
		b, begins := w.block(e, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"model_output"}`)
		}
		x.delta(w, b, `{"type":"text","text":`+quote(e.Text)+`}`)
	case ReasonDelta, ReasonEnded:
		delta := Event{Kind: ReasonDelta, Block: e.Block}
		b, begins := w.block(&delta, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"thought"}`)
		}
		if e.Kind == ReasonDelta {
			x.delta(w, b, `{"type":"thought_summary","content":{"type":"text","text":`+quote(e.Text)+`}}`)
			return
		}
		if e.Signature != "" {
			x.delta(w, b, `{"type":"thought_signature","signature":`+quote(e.Signature)+`}`)
		}
		w.endBlock(x.endBlock(w))
	case CallEnded:
		b, _ := w.block(e, x.endBlock(w))
		x.begin(w, b, `{"type":"function_call","id":`+quote(e.ID)+`,"signature":`+quote(e.Signature)+`,"name":`+
			quote(e.Name)+`,"arguments":{}}`)
		x.delta(w, b, `{"type":"arguments_delta","arguments":`+quote(e.Arguments)+`}`)
		w.endBlock(x.endBlock(w))
	case TurnEnded:
		w.endBlock(x.endBlock(w))
		t := e.Turn
		if !t.Complete {
			x.chunk(w, "error", `"error":{"code":"turn_incomplete","message":`+quote(t.Error)+`}`)
			return
		}
		status := reasonFor(&t.Answer, interactionsClass(t.FinishReason), "completed")
		x.chunk(w, "interaction.completed", `"interaction":`+x.interaction(w, status, t.Usage))
		if w.framing == ServerSentEvents {
			w.chunk("done", doneMark)
		}
	}
}

func (x *interactionsEncoder) interaction(w *wire, status, counters string) string {
	if counters != "" {
		counters = `,"usage":` + counters
	}
	return `{"id":` + quote(w.id) + `,"object":"interaction","model":` + quote(w.model) + `,"status":` +
		quote(status) + counters + `}`
}

func (x *interactionsEncoder) begin(w *wire, b *openBlock, begun string) {
	x.chunk(w, "step.start", `"index":`+number(b.index)+`,"step":`+begun)
}

func (x *interactionsEncoder) delta(w *wire, b *openBlock, delta string) {
	x.chunk(w, "step.delta", `"index":`+number(b.index)+`,"delta":`+delta)
}

func (x *interactionsEncoder) endBlock(w *wire) func(*openBlock) {
	return func(b *openBlock) { x.chunk(w, "step.stop", `"index":`+number(b.index)) }
}

func (x *interactionsEncoder) chunk(w *wire, kind, members string) {
	w.chunk(kind, `{"event_type":`+quote(kind)+`,`+members+`}`)
}
