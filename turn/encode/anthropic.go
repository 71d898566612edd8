package encode

import (
	"cmp"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

type anthropicEncoder struct{}

func (x *anthropicEncoder) encode(w *writer, e *turn.Event) {
	switch e.Kind {
	case turn.Started:
		counters := e.Usage
		if counters == "null" {
			counters = `{"input_tokens":0,"output_tokens":0}`
		}
		x.chunk(w, "message_start", `"message":{"id":`+quote(w.id)+`,"type":"message","role":"assistant","model":`+
			quote(w.model)+
			`,"content":[],"stop_reason":null,"stop_sequence":null,"usage":`+counters+`}`)
	case turn.TextDelta:
		b, begins := w.block(e, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"text","text":""}`)
		}
		x.delta(w, b, `{"type":"text_delta","text":`+quote(e.Text)+`}`)
	case turn.ReasonDelta:
		b, begins := w.block(e, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"thinking","thinking":"","signature":""}`)
		}
		x.delta(w, b, `{"type":"thinking_delta","thinking":`+quote(e.Text)+`}`)
	case turn.ReasonEnded:
		x.sign(w, e)
	case turn.CallEnded:
		b, _ := w.block(e, x.endBlock(w))
		x.begin(w, b, `{"type":"tool_use","id":`+quote(e.Call.ID)+`,"name":`+quote(e.Call.Name)+`,"input":{}}`)
		x.delta(w, b, `{"type":"input_json_delta","partial_json":`+quote(e.Call.Arguments)+`}`)
		w.endBlock(x.endBlock(w))
	case turn.OtherItem:
		kind := gjson.Get(e.Other.Raw, "type").String()
		if chunk := w.passOn(e, "index", kind == "content_block_start", x.endBlock(w)); chunk != "" {
			w.chunk(kind, chunk)
		}
	case turn.TurnEnded:
		w.endBlock(x.endBlock(w))
		t := e.Turn
		if !t.Complete {
			x.chunk(w, "error", `"error":{"type":`+quote(cmp.Or(t.ErrorCode, incomplete))+`,"message":`+
				quote(t.Error)+`}`)
			return
		}
		counters := t.RawUsage
		if counters == "null" {
			counters = `{"output_tokens":0}`
		}
		reason := reasonFor(t, &t.Answer, protocol.AnthropicMessages.Spec().Class(t.FinishReason, ""), "end_turn")
		x.chunk(w, "message_delta", `"delta":{"stop_reason":`+quote(reason)+`,"stop_sequence":`+
			quoteOrNull(t.StopSequence)+`},"usage":`+counters)
		w.chunk("message_stop", `{"type":"message_stop"}`)
	}
}

func (x *anthropicEncoder) sign(w *writer, e *turn.Event) {
	if e.Part.Redacted != "" {
		w.endBlock(x.endBlock(w))
		b, _ := w.block(e, x.endBlock(w))
		x.begin(w, b, `{"type":"redacted_thinking","data":`+quote(e.Part.Redacted)+`}`)
	} else if e.Part.Signature != "" {
		delta := turn.Event{Kind: turn.ReasonDelta, Block: e.Block}
		b, begins := w.block(&delta, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"thinking","thinking":"","signature":""}`)
		}
		x.delta(w, b, `{"type":"signature_delta","signature":`+quote(e.Part.Signature)+`}`)
	}
	w.endBlock(x.endBlock(w))
}

func (x *anthropicEncoder) begin(w *writer, b *openBlock, block string) {
	x.chunk(w, "content_block_start", `"index":`+number(b.index)+`,"content_block":`+block)
}

func (x *anthropicEncoder) delta(w *writer, b *openBlock, delta string) {
	x.chunk(w, "content_block_delta", `"index":`+number(b.index)+`,"delta":`+delta)
}

func (x *anthropicEncoder) endBlock(w *writer) func(*openBlock) {
	return func(b *openBlock) { x.chunk(w, "content_block_stop", `"index":`+number(b.index)) }
}

func (x *anthropicEncoder) chunk(w *writer, kind, members string) {
	w.chunk(kind, `{"type":`+quote(kind)+`,`+members+`}`)
}
