package encode

import (
	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
)

type ollamaEncoder struct{}

func (x *ollamaEncoder) encode(w *writer, e *turn.Event) {
	w.framing = wire.Lines
	switch e.Kind {
	case turn.TextDelta:
		x.message(w, `"content":`+quote(e.Text))
	case turn.ReasonDelta:
		x.message(w, `"content":"","thinking":`+quote(e.Text))
	case turn.CallEnded:
		id := ""
		if !e.Call.Minted {
			id = `"id":` + quote(e.Call.ID) + `,`
		}
		x.message(w, `"content":"","tool_calls":[{`+id+`"function":{"name":`+quote(e.Call.Name)+`,"arguments":`+
			object(&e.Call)+`}}]`)
	case turn.OtherItem:
		if e.Other.Raw != "" {
			w.chunk("", turn.OneLine(e.Other.Raw))
		}
	case turn.TurnEnded:
		t := e.Turn
		if !t.Complete {
			w.chunk("", `{"error":`+quote(t.Error)+`}`)
			return
		}
		counters := ""
		if len(t.RawUsage) > len("{}") && t.RawUsage[0] == '{' {
			counters = "," + t.RawUsage[1:len(t.RawUsage)-1]
		}
		w.chunk("", x.head(w)+`"message":{"role":"assistant","content":""},"done":true,"done_reason":`+
			quote(t.FinishReason)+counters+`}`)
	}
}

func (x *ollamaEncoder) head(w *writer) string {
	return `{"model":` + quote(w.model) + `,"created_at":"1970-01-01T00:00:00Z",`
}

func (x *ollamaEncoder) message(w *writer, members string) {
	w.chunk("", x.head(w)+`"message":{"role":"assistant",`+members+`},"done":false}`)
}
