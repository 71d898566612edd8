package turn

import (
	"strings"

	"github.com/tidwall/gjson"
)

// anthropicMessages is https://docs.anthropic.com/en/docs/build-with-claude/streaming
func anthropicMessages() codec {
	return codec{
		is: func(_ string, chunk gjson.Result) bool {
			return typed(chunk, "message_start", "message_delta", "message_stop", "content_block_")
		},
		decoder: func() decoder { return &anthropicDecoder{calls: make(map[int]bool)} },
		encoder: func() encoder { return &anthropicEncoder{} },
	}
}

type anthropicDecoder struct {
	begun bool
	calls map[int]bool // the open blocks that are calls of the caller's tools
}

func (d *anthropicDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	var at key
	var kind, delta string
	w := &walker{json: chunk.Raw}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "index":
			at.index, _ = w.number()
		case "delta":
			delta = w.raw()
		}
	})
	switch kind {
	case "message_start":
		if d.begun {
			to.fail(codeInconsistent, "a second message begins")
			return
		}
		d.begun = true
		message := chunk.Get("message")
		to.begin(text(message.Get("id")), text(message.Get("model")), text(message.Get("role")))
		to.usage(message.Get("usage"))
	case "content_block_start":
		d.block(at, chunk.Get("content_block"), to)
	case "content_block_delta":
		d.delta(at, delta, to)
	case "content_block_stop":
		delete(d.calls, at.index)
		to.end(0, at)
	case "message_delta":
		reason := text(chunk.Get("delta.stop_reason"))
		to.note(0, "stop_sequence", text(chunk.Get("delta.stop_sequence")))
		to.finish(0, reason, "", anthropicClass(reason))
		if counters := chunk.Get("usage"); counters.IsObject() { // they are cumulative
			to.add(step{kind: usageStep, json: counters, text: onlyCounters})
		}
	case "message_stop", "ping":
	case "error":
		to.fail(failureOf(chunk.Get("error")))
	default:
		to.other(kind, false)
	}
}

func (d *anthropicDecoder) block(at key, block gjson.Result, to *steps) {
	switch kind := text(block.Get("type")); kind {
	case "text":
		to.text(0, at, text(block.Get("text")))
	case "thinking":
		to.reason(0, at, "", text(block.Get("thinking")))
		to.sign(0, at, text(block.Get("signature")))
	case "redacted_thinking":
		to.add(step{kind: signStep, key: at, signature: text(block.Get("data")), flag: true})
	case "tool_use":
		d.calls[at.index] = true
		to.add(step{kind: callStep, key: at, id: text(block.Get("id")), name: text(block.Get("name")), flag: true})
		if input := block.Get("input"); input.IsObject() && input.Get("@this.@keys.#").Int() > 0 {
			to.add(step{kind: inputStep, key: at, json: input, flag: true})
		}
	default:
		ofTools := strings.HasSuffix(kind, "_use") || strings.HasSuffix(kind, "_result")
		to.add(step{kind: hostedStep, name: kind, flag: !ofTools})
	}
}

func (d *anthropicDecoder) delta(at key, delta string, to *steps) {
	var kind, said string
	w := &walker{json: delta}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "text", "thinking", "signature", "partial_json":
			said = w.text()
		}
	})
	switch kind {
	case "text_delta":
		to.text(0, at, said)
	case "thinking_delta":
		to.reason(0, at, "", said)
	case "signature_delta":
		to.sign(0, at, said)
	case "input_json_delta":
		if d.calls[at.index] {
			to.add(step{kind: callStep, key: at, text: said, flag: true})
		}
	case "citations_delta":
	default:
		to.other(kind, false)
	}
}

func anthropicClass(reason string) FinishClass {
	switch reason {
	case "end_turn", "stop_sequence", "pause_turn":
		return Stop
	case "tool_use":
		return ToolCalls
	case "max_tokens", "model_context_window_exceeded":
		return Length
	case "refusal":
		return Refusal
	}
	return Unknown
}

type anthropicEncoder struct{}

func (x *anthropicEncoder) encode(w *wire, e *Event) {
	switch e.Kind {
	case Started:
		counters := e.Usage
		if counters == "null" {
			counters = `{"input_tokens":0,"output_tokens":0}`
		}
		x.chunk(w, "message_start", `"message":{"id":`+quote(w.id)+`,"type":"message","role":"assistant","model":`+
			quote(w.model)+
			`,"content":[],"stop_reason":null,"stop_sequence":null,"usage":`+counters+`}`)
	case TextDelta:
		b, begins := w.block(e, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"text","text":""}`)
		}
		x.delta(w, b, `{"type":"text_delta","text":`+quote(e.Text)+`}`)
	case ReasonDelta:
		b, begins := w.block(e, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"thinking","thinking":"","signature":""}`)
		}
		x.delta(w, b, `{"type":"thinking_delta","thinking":`+quote(e.Text)+`}`)
	case ReasonEnded:
		x.sign(w, e)
	case CallEnded:
		b, _ := w.block(e, x.endBlock(w))
		x.begin(w, b, `{"type":"tool_use","id":`+quote(e.ID)+`,"name":`+quote(e.Name)+`,"input":{}}`)
		x.delta(w, b, `{"type":"input_json_delta","partial_json":`+quote(e.Arguments)+`}`)
		w.endBlock(x.endBlock(w))
	case TurnEnded:
		w.endBlock(x.endBlock(w))
		t := e.Turn
		if !t.Complete {
			x.chunk(w, "error", `"error":{"type":"turn_incomplete","message":`+quote(t.Error)+`}`)
			return
		}
		counters := t.Usage
		if counters == "null" {
			counters = `{"output_tokens":0}`
		}
		reason := reasonFor(&t.Answer, anthropicClass(t.FinishReason), "end_turn")
		x.chunk(w, "message_delta", `"delta":{"stop_reason":`+quote(reason)+`,"stop_sequence":`+
			quoteOrNull(t.StopSequence)+`},"usage":`+counters)
		w.chunk("message_stop", `{"type":"message_stop"}`)
	}
}

func (x *anthropicEncoder) sign(w *wire, e *Event) {
	if e.Hidden != "" {
		w.endBlock(x.endBlock(w))
		b, _ := w.block(e, x.endBlock(w))
		x.begin(w, b, `{"type":"redacted_thinking","data":`+quote(e.Hidden)+`}`)
	} else if e.Signature != "" {
		delta := Event{Kind: ReasonDelta, Block: e.Block}
		b, begins := w.block(&delta, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"thinking","thinking":"","signature":""}`)
		}
		x.delta(w, b, `{"type":"signature_delta","signature":`+quote(e.Signature)+`}`)
	}
	w.endBlock(x.endBlock(w))
}

func (x *anthropicEncoder) begin(w *wire, b *openBlock, block string) {
	x.chunk(w, "content_block_start", `"index":`+number(b.index)+`,"content_block":`+block)
}

func (x *anthropicEncoder) delta(w *wire, b *openBlock, delta string) {
	x.chunk(w, "content_block_delta", `"index":`+number(b.index)+`,"delta":`+delta)
}

func (x *anthropicEncoder) endBlock(w *wire) func(*openBlock) {
	return func(b *openBlock) { x.chunk(w, "content_block_stop", `"index":`+number(b.index)) }
}

func (x *anthropicEncoder) chunk(w *wire, kind, members string) {
	w.chunk(kind, `{"type":`+quote(kind)+`,`+members+`}`)
}
