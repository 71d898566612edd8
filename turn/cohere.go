package turn

import "github.com/tidwall/gjson"

// cohereV2 is https://docs.cohere.com/v2/docs/streaming
func cohereV2() codec {
	return codec{
		is: func(_ string, chunk gjson.Result) bool {
			return typed(chunk, "message-start", "message-end", "content-start", "content-delta", "content-end",
				"tool-plan-delta",
				"tool-call-start", "tool-call-delta", "tool-call-end", "citation-start", "citation-end")
		},
		decoder: func() decoder { return &cohereDecoder{} },
		encoder: func() encoder { return &cohereEncoder{} },
	}
}

type cohereDecoder struct{ begun bool }

// Content and calls are numbered apart, and the plan has no number.
const (
	coherePlan  = -1
	cohereCalls = 1 // the part of a call's key
)

func (d *cohereDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	at := key{index: int(chunk.Get("index").Int())}
	message := chunk.Get("delta.message")
	switch kind := text(chunk.Get("type")); kind {
	case "message-start":
		if d.begun {
			to.fail(codeInconsistent, "a second message begins")
			return
		}
		d.begun = true
		to.begin(text(chunk.Get("id")), "", text(message.Get("role")))
	case "content-start", "content-delta":
		content := message.Get("content")
		to.reason(0, at, "", text(content.Get("thinking")))
		to.text(0, at, text(content.Get("text")))
	case "content-end":
		to.end(0, at)
	case "tool-plan-delta":
		if plan := text(message.Get("tool_plan")); plan != "" {
			to.add(step{kind: reasonStep, key: key{index: coherePlan}, name: "tool_plan", text: plan})
		}
	case "tool-call-start", "tool-call-delta":
		at.part = cohereCalls
		call := message.Get("tool_calls")
		to.add(step{kind: callStep, key: at, id: text(call.Get("id")), name: text(call.Get("function.name")),
			text: text(call.Get("function.arguments")), flag: true})
	case "tool-call-end":
		at.part = cohereCalls
		to.end(0, at)
	case "message-end":
		delta := chunk.Get("delta")
		reason := text(delta.Get("finish_reason"))
		to.usage(delta.Get("usage"))
		to.finish(0, reason, "", cohereClass(reason))
		if failure := text(delta.Get("error")); failure != "" {
			to.fail(reason, failure)
		}
	case "citation-start", "citation-end":
	default:
		to.other(kind, false)
	}
}

func cohereClass(reason string) FinishClass {
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

type cohereEncoder struct{ calls int }

func (x *cohereEncoder) encode(w *wire, e *Event) {
	switch e.Kind {
	case Started:
		x.chunk(w, "message-start", `"id":`+quote(w.id)+
			`,"delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}`)
	case TextDelta:
		x.content(w, e, "text")
	case ReasonDelta:
		x.content(w, e, "thinking")
	case ReasonEnded:
		w.endBlock(x.endBlock(w))
	case CallEnded:
		w.endBlock(x.endBlock(w))
		at := `"index":` + number(x.calls)
		x.calls++
		x.chunk(w, "tool-call-start", at+`,"delta":{"message":{"tool_calls":{"id":`+quote(e.ID)+
			`,"type":"function","function":{"name":`+quote(e.Name)+`,"arguments":""}}}}`)
		x.chunk(w, "tool-call-delta", at+`,"delta":{"message":{"tool_calls":{"function":{"arguments":`+quote(e.Arguments)+
			`}}}}`)
		x.chunk(w, "tool-call-end", at)
	case TurnEnded:
		w.endBlock(x.endBlock(w))
		t := e.Turn
		if !t.Complete {
			x.chunk(w, "message-end", `"delta":{"error":`+quote(t.Error)+`,"finish_reason":"ERROR"}`)
			return
		}
		x.chunk(w, "message-end", `"delta":{"finish_reason":`+quote(reasonFor(&t.Answer, cohereClass(t.FinishReason),
			"COMPLETE"))+`,"usage":`+t.Usage+`}`)
		w.done()
	}
}

func (x *cohereEncoder) content(w *wire, e *Event, kind string) {
	b, begins := w.block(e, x.endBlock(w))
	at := `"index":` + number(b.index)
	if begins {
		x.chunk(w, "content-start", at+`,"delta":{"message":{"content":{"type":"`+kind+`","`+kind+`":""}}}`)
	}
	x.chunk(w, "content-delta", at+`,"delta":{"message":{"content":{"`+kind+`":`+quote(e.Text)+`}}}`)
}

func (x *cohereEncoder) endBlock(w *wire) func(*openBlock) {
	return func(b *openBlock) { x.chunk(w, "content-end", `"index":`+number(b.index)) }
}

func (x *cohereEncoder) chunk(w *wire, kind, members string) {
	w.chunk(kind, `{"type":`+quote(kind)+`,`+members+`}`)
}
