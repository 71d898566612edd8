package turn

import (
	"strings"

	"github.com/tidwall/gjson"
)

// bedrockConverse is https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html, in binary
// frames, or as lines of JSON that hold the event under its name.
func bedrockConverse() codec {
	return codec{
		is: func(event string, chunk gjson.Result) bool {
			return bedrockEvent(event, chunk) != "" && !has(chunk, "type") && !has(chunk, "choices") && !has(chunk, "candidates")
		},
		decoder: func() decoder { return &bedrockDecoder{} },
		encoder: func() encoder { return &bedrockEncoder{} },
	}
}

type bedrockDecoder struct{ begun bool }

// bedrockEvent returns which event a chunk is.
func bedrockEvent(event string, chunk gjson.Result) string {
	known := func(name string) bool {
		switch name {
		case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata":
			return true
		}
		return strings.HasSuffix(name, "Exception")
	}
	if known(event) || event == exceptionEvent {
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

func (d *bedrockDecoder) decode(event string, chunk gjson.Result, to *steps) {
	kind := bedrockEvent(event, chunk)
	if kind != event && kind != "" {
		chunk = chunk.Get(kind)
	}
	at := key{index: int(chunk.Get("contentBlockIndex").Int())}
	switch kind {
	case "messageStart":
		if d.begun {
			to.fail(codeInconsistent, "a second message begins")
			return
		}
		d.begun = true
		to.begin("", "", text(chunk.Get("role")))
	case "contentBlockStart":
		if call := chunk.Get("start.toolUse"); call.IsObject() {
			to.add(step{kind: callStep, key: at, id: text(call.Get("toolUseId")), name: text(call.Get("name")), flag: true})
		}
	case "contentBlockDelta":
		members(chunk.Get("delta"), func(name string, value gjson.Result) {
			switch name {
			case "text":
				to.text(0, at, text(value))
			case "toolUse":
				to.add(step{kind: callStep, key: at, text: text(value.Get("input")), flag: true})
			case "reasoningContent":
				to.reason(0, at, "", text(value.Get("text")))
				to.sign(0, at, text(value.Get("signature")))
				if hidden := text(value.Get("redactedContent")); hidden != "" {
					to.add(step{kind: signStep, key: at, signature: hidden, flag: true})
				}
			case "citation":
			default:
				to.other(name, true)
			}
		})
	case "contentBlockStop":
		to.end(0, at)
	case "messageStop":
		reason := text(chunk.Get("stopReason"))
		to.finish(0, reason, "", bedrockClass(reason))
	case "metadata":
		to.usage(chunk.Get("usage"))
	case exceptionEvent:
		to.fail(failureOf(chunk))
	case "":
		to.other(event, false)
	default:
		to.fail(kind, text(chunk.Get("message")))
	}
}

func bedrockClass(reason string) FinishClass {
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

type bedrockEncoder struct{}

func (x *bedrockEncoder) encode(w *wire, e *Event) {
	switch e.Kind {
	case Started:
		x.chunk(w, "messageStart", `{"role":"assistant"}`)
	case TextDelta:
		b, _ := w.block(e, x.endBlock(w))
		x.delta(w, b, `{"text":`+quote(e.Text)+`}`)
	case ReasonDelta:
		b, _ := w.block(e, x.endBlock(w))
		x.delta(w, b, `{"reasoningContent":{"text":`+quote(e.Text)+`}}`)
	case ReasonEnded:
		delta := Event{Kind: ReasonDelta, Block: e.Block}
		if e.Hidden != "" {
			b, _ := w.block(&delta, x.endBlock(w))
			x.delta(w, b, `{"reasoningContent":{"redactedContent":`+quote(e.Hidden)+`}}`)
		}
		if e.Signature != "" {
			b, _ := w.block(&delta, x.endBlock(w))
			x.delta(w, b, `{"reasoningContent":{"signature":`+quote(e.Signature)+`}}`)
		}
		w.endBlock(x.endBlock(w))
	case CallEnded:
		b, _ := w.block(e, x.endBlock(w))
		x.chunk(w, "contentBlockStart", `{"contentBlockIndex":`+number(b.index)+`,"start":{"toolUse":{"toolUseId":`+
			quote(e.ID)+`,"name":`+quote(e.Name)+`}}}`)
		x.delta(w, b, `{"toolUse":{"input":`+quote(e.Arguments)+`}}`)
		w.endBlock(x.endBlock(w))
	case TurnEnded:
		w.endBlock(x.endBlock(w))
		t := e.Turn
		if !t.Complete {
			x.write(w, "modelStreamErrorException", true, `{"message":`+quote(t.Error)+`}`)
			return
		}
		x.chunk(w, "messageStop", `{"stopReason":`+quote(reasonFor(&t.Answer, bedrockClass(t.FinishReason), "end_turn"))+`}`)
		if t.Usage != "null" {
			x.chunk(w, "metadata", `{"usage":`+t.Usage+`,"metrics":{"latencyMs":0}}`)
		}
	}
}

func (x *bedrockEncoder) delta(w *wire, b *openBlock, delta string) {
	x.chunk(w, "contentBlockDelta", `{"contentBlockIndex":`+number(b.index)+`,"delta":`+delta+`}`)
}

func (x *bedrockEncoder) endBlock(w *wire) func(*openBlock) {
	return func(b *openBlock) { x.chunk(w, "contentBlockStop", `{"contentBlockIndex":`+number(b.index)+`}`) }
}

func (x *bedrockEncoder) chunk(w *wire, event, json string) { x.write(w, event, false, json) }

func (x *bedrockEncoder) write(w *wire, event string, failure bool, json string) {
	if w.framing == BinaryFrames {
		w.out = appendFrame(w.out, event, failure, []byte(json))
		return
	}
	w.chunk("", `{`+quote(event)+`:`+json+`}`)
}
