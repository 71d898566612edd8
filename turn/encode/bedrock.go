package encode

import (
	"strings"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

type bedrockEncoder struct{}

func (x *bedrockEncoder) encode(w *writer, e *turn.Event) {
	switch e.Kind {
	case turn.Started:
		x.chunk(w, "messageStart", `{"role":"assistant"}`)
	case turn.TextDelta:
		b, _ := w.block(e, x.endBlock(w))
		x.delta(w, b, `{"text":`+quote(e.Text)+`}`)
	case turn.ReasonDelta:
		b, _ := w.block(e, x.endBlock(w))
		x.delta(w, b, `{"reasoningContent":{"text":`+quote(e.Text)+`}}`)
	case turn.ReasonEnded:
		delta := turn.Event{Kind: turn.ReasonDelta, Block: e.Block}
		if e.Part.Redacted != "" {
			b, _ := w.block(&delta, x.endBlock(w))
			x.delta(w, b, `{"reasoningContent":{"redactedContent":`+quote(e.Part.Redacted)+`}}`)
		}
		if e.Part.Signature != "" {
			b, _ := w.block(&delta, x.endBlock(w))
			x.delta(w, b, `{"reasoningContent":{"signature":`+quote(e.Part.Signature)+`}}`)
		}
		w.endBlock(x.endBlock(w))
	case turn.CallEnded:
		b, _ := w.block(e, x.endBlock(w))
		x.chunk(w, "contentBlockStart", `{"contentBlockIndex":`+number(b.index)+`,"start":{"toolUse":{"toolUseId":`+
			quote(e.Call.ID)+`,"name":`+quote(e.Call.Name)+`}}}`)
		x.delta(w, b, `{"toolUse":{"input":`+quote(e.Call.Arguments)+`}}`)
		w.endBlock(x.endBlock(w))
	case turn.OtherItem:
		x.pass(w, e)
	case turn.TurnEnded:
		w.endBlock(x.endBlock(w))
		t := e.Turn
		if !t.Complete {
			exception := "modelStreamErrorException"
			if strings.HasSuffix(t.ErrorCode, "Exception") {
				exception = t.ErrorCode
			}
			x.write(w, exception, true, `{"message":`+quote(t.Error)+`}`)
			return
		}
		x.chunk(w, "messageStop", `{"stopReason":`+quote(reasonFor(t, &t.Answer,
			protocol.BedrockConverse.Spec().Class(t.FinishReason, ""), "end_turn"))+`}`)
		if t.RawUsage != "null" {
			x.chunk(w, "metadata", `{"usage":`+t.RawUsage+`,"metrics":{"latencyMs":0}}`)
		}
	}
}

// pass passes on a chunk, in which the event is under its name if the framing has none.
func (x *bedrockEncoder) pass(w *writer, e *turn.Event) {
	event, path := e.Other.Event, "contentBlockIndex"
	if event == "" {
		path = "contentBlockDelta." + path
	}
	chunk := w.passOn(e, path, false, x.endBlock(w))
	switch {
	case chunk == "":
	case w.framing == wire.BinaryFrames:
		w.out = wire.AppendFrame(w.out, event, false, []byte(chunk))
	default:
		w.chunk(event, chunk)
	}
}

func (x *bedrockEncoder) delta(w *writer, b *openBlock, delta string) {
	x.chunk(w, "contentBlockDelta", `{"contentBlockIndex":`+number(b.index)+`,"delta":`+delta+`}`)
}

func (x *bedrockEncoder) endBlock(w *writer) func(*openBlock) {
	return func(b *openBlock) { x.chunk(w, "contentBlockStop", `{"contentBlockIndex":`+number(b.index)+`}`) }
}

func (x *bedrockEncoder) chunk(w *writer, event, json string) { x.write(w, event, false, json) }

func (x *bedrockEncoder) write(w *writer, event string, failure bool, json string) {
	if w.framing == wire.BinaryFrames {
		w.out = wire.AppendFrame(w.out, event, failure, []byte(json))
		return
	}
	w.chunk("", `{`+quote(event)+`:`+json+`}`)
}
