package encode

import (
	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

type interactionsEncoder struct{}

func (x *interactionsEncoder) encode(w *writer, e *turn.Event) {
	switch e.Kind {
	case turn.Started:
		x.chunk(w, "interaction.created", `"interaction":`+x.interaction(w, "in_progress", ""))
	case turn.TextDelta:
		b, begins := w.block(e, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"model_output"}`)
		}
		x.delta(w, b, `{"type":"text","text":`+quote(e.Text)+`}`)
	case turn.ReasonDelta, turn.ReasonEnded:
		delta := turn.Event{Kind: turn.ReasonDelta, Block: e.Block}
		b, begins := w.block(&delta, x.endBlock(w))
		if begins {
			x.begin(w, b, `{"type":"thought"}`)
		}
		if e.Kind == turn.ReasonDelta {
			x.delta(w, b, `{"type":"thought_summary","content":{"type":"text","text":`+quote(e.Text)+`}}`)
			return
		}
		if e.Part.Signature != "" {
			x.delta(w, b, `{"type":"thought_signature","signature":`+quote(e.Part.Signature)+`}`)
		}
		w.endBlock(x.endBlock(w))
	case turn.CallEnded:
		b, _ := w.block(e, x.endBlock(w))
		x.begin(w, b, `{"type":"function_call","id":`+quote(e.Call.ID)+`,"signature":`+
			quote(e.Call.Signature)+`,"name":`+quote(e.Call.Name)+`,"arguments":{}}`)
		x.delta(w, b, `{"type":"arguments_delta","arguments":`+quote(e.Call.Arguments)+`}`)
		w.endBlock(x.endBlock(w))
	case turn.OtherItem:
		kind := gjson.Get(e.Other.Raw, "event_type").String()
		if chunk := w.passOn(e, "index", kind == "step.start" || kind == "content.start", x.endBlock(w)); chunk != "" {
			w.chunk(kind, chunk)
		}
	case turn.TurnEnded:
		w.endBlock(x.endBlock(w))
		t := e.Turn
		if !t.Complete {
			x.chunk(w, "error", `"error":{"code":`+codeOf(t)+`,"message":`+quote(t.Error)+`}`)
			return
		}
		status := reasonFor(t, &t.Answer, protocol.GeminiInteractions.Spec().Class(t.FinishReason, ""), "completed")
		x.chunk(w, "interaction.completed", `"interaction":`+x.interaction(w, status, t.RawUsage))
		if w.framing == wire.ServerSentEvents {
			w.chunk("done", wire.DoneMark)
		}
	}
}

func (x *interactionsEncoder) interaction(w *writer, status, counters string) string {
	if counters != "" {
		counters = `,"usage":` + counters
	}
	return `{"id":` + quote(w.id) + `,"object":"interaction","model":` + quote(w.model) + `,"status":` +
		quote(status) + counters + `}`
}

func (x *interactionsEncoder) begin(w *writer, b *openBlock, begun string) {
	x.chunk(w, "step.start", `"index":`+number(b.index)+`,"step":`+begun)
}

func (x *interactionsEncoder) delta(w *writer, b *openBlock, delta string) {
	x.chunk(w, "step.delta", `"index":`+number(b.index)+`,"delta":`+delta)
}

func (x *interactionsEncoder) endBlock(w *writer) func(*openBlock) {
	return func(b *openBlock) { x.chunk(w, "step.stop", `"index":`+number(b.index)) }
}

func (x *interactionsEncoder) chunk(w *writer, kind, members string) {
	w.chunk(kind, `{"event_type":`+quote(kind)+`,`+members+`}`)
}
