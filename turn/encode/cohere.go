package encode

import (
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

type cohereEncoder struct{ calls int }

func (x *cohereEncoder) encode(w *writer, e *turn.Event) {
	switch e.Kind {
	case turn.Started:
		x.chunk(w, "message-start", `"id":`+quote(w.id)+
			`,"delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}`)
	case turn.TextDelta:
		x.content(w, e, "text")
	case turn.ReasonDelta:
		x.content(w, e, "thinking")
	case turn.ReasonEnded:
		w.endBlock(x.endBlock(w))
	case turn.CallEnded:
		w.endBlock(x.endBlock(w))
		at := `"index":` + number(x.calls)
		x.calls++
		x.chunk(w, "tool-call-start", at+`,"delta":{"message":{"tool_calls":{"id":`+quote(e.Call.ID)+
			`,"type":"function","function":{"name":`+quote(e.Call.Name)+`,"arguments":""}}}}`)
		x.chunk(w, "tool-call-delta", at+`,"delta":{"message":{"tool_calls":{"function":{"arguments":`+
			quote(e.Call.Arguments)+`}}}}`)
		x.chunk(w, "tool-call-end", at)
	case turn.OtherItem:
		if e.Other.Raw != "" {
			w.chunk(e.Other.Event, turn.OneLine(e.Other.Raw))
		}
	case turn.TurnEnded:
		w.endBlock(x.endBlock(w))
		t := e.Turn
		if !t.Complete {
			x.chunk(w, "message-end", `"delta":{"error":`+quote(t.Error)+`,"finish_reason":"ERROR"}`)
			return
		}
		x.chunk(w, "message-end", `"delta":{"finish_reason":`+quote(reasonFor(t, &t.Answer,
			protocol.CohereV2.Spec().Class(t.FinishReason, ""),
			"COMPLETE"))+`,"usage":`+t.RawUsage+`}`)
		w.done()
	}
}

func (x *cohereEncoder) content(w *writer, e *turn.Event, kind string) {
	b, begins := w.block(e, x.endBlock(w))
	at := `"index":` + number(b.index)
	if begins {
		x.chunk(w, "content-start", at+`,"delta":{"message":{"content":{"type":"`+kind+`","`+kind+`":""}}}`)
	}
	x.chunk(w, "content-delta", at+`,"delta":{"message":{"content":{"`+kind+`":`+quote(e.Text)+`}}}`)
}

func (x *cohereEncoder) endBlock(w *writer) func(*openBlock) {
	return func(b *openBlock) { x.chunk(w, "content-end", `"index":`+number(b.index)) }
}

func (x *cohereEncoder) chunk(w *writer, kind, members string) {
	w.chunk(kind, `{"type":`+quote(kind)+`,`+members+`}`)
}
