package encode

import (
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/protocol"
)

type geminiEncoder struct{}

func (x *geminiEncoder) encode(w *writer, e *turn.Event) {
	signature := x.signature(e.Signature)
	switch e.Kind {
	case turn.TextDelta, turn.RefusalDelta:
		x.part(w, e.Choice, `{"text":`+quote(e.Text)+`}`)
	case turn.ReasonDelta:
		x.part(w, e.Choice, `{"text":`+quote(e.Text)+`,"thought":true}`)
	case turn.ReasonEnded:
		if signature != "" {
			x.part(w, e.Choice, `{"text":"","thought":true`+signature+`}`)
		}
	case turn.CallEnded:
		id := ""
		if !e.Minted {
			id = `"id":` + quote(e.ID) + `,`
		}
		x.part(w, e.Choice, `{"functionCall":{`+id+`"name":`+quote(e.Name)+`,"args":`+object(e.Arguments, e.Valid)+`}`+
			signature+`}`)
	case turn.TurnEnded:
		t := e.Turn
		if !t.Complete {
			w.chunk("", `{"error":{"code":500,"message":`+quote(t.Error)+`,"status":"INTERNAL"}}`)
			return
		}
		for _, a := range append([]turn.Answer{t.Answer}, t.Others...) {
			counters := ""
			if t.RawUsage != "null" {
				counters = `,"usageMetadata":` + t.RawUsage
			}
			reason := reasonFor(&a, protocol.Gemini.Spec().Class(a.FinishReason, ""), "STOP")
			w.chunk("", `{"candidates":[{"content":{"parts":[{"text":""`+x.signature(a.TextSignature)+
				`}],"role":"model"},"finishReason":`+quote(reason)+`,"index":`+number(a.Choice)+`}]`+counters+x.tail(w))
		}
	}
}

// signature is what a part has of it.
func (x *geminiEncoder) signature(signature string) string {
	if signature == "" {
		return ""
	}
	return `,"thoughtSignature":` + quote(signature)
}

func (x *geminiEncoder) part(w *writer, choice int, part string) {
	w.chunk("", `{"candidates":[{"content":{"parts":[`+part+`],"role":"model"},"index":`+number(choice)+`}]`+x.tail(w))
}

func (x *geminiEncoder) tail(w *writer) string {
	return `,"modelVersion":` + quote(w.model) + `,"responseId":` + quote(w.id) + `}`
}
