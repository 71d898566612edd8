package encode

import (
	"cmp"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/protocol"
)

type chatEncoder struct {
	spoke map[int]bool // choices that have said who speaks
	calls map[int]int  // by choice
	parts map[int]int  // of the reasoning, in order of arrival, by their number
}

func (x *chatEncoder) encode(w *writer, e *turn.Event) {
	switch e.Kind {
	case turn.Started:
		x.spoke, x.calls, x.parts = make(map[int]bool), make(map[int]int), make(map[int]int)
		x.delta(w, 0, `"content":""`)
	case turn.TextDelta:
		x.delta(w, e.Choice, `"content":`+quote(e.Text))
	case turn.RefusalDelta:
		x.delta(w, e.Choice, `"refusal":`+quote(e.Text))
	case turn.ReasonDelta:
		x.part(e)
		x.delta(w, e.Choice, `"reasoning_content":`+quote(e.Text))
	case turn.ReasonEnded:
		if e.Signature != "" {
			x.delta(w, e.Choice, x.signature(e))
		}
	case turn.CallEnded:
		extra := ""
		if e.Signature != "" {
			extra = `,"extra_content":{"google":{"thought_signature":` + quote(e.Signature) + `}}`
		}
		x.delta(w, e.Choice, `"tool_calls":[{"index":`+number(x.calls[e.Choice])+`,"id":`+quote(e.ID)+
			`,"type":"function","function":{"name":`+
			quote(e.Name)+`,"arguments":`+quote(e.Arguments)+`}`+extra+`}]`)
		x.calls[e.Choice]++
	case turn.TurnEnded:
		x.end(w, e.Turn)
	}
}

// part numbers the parts of the reasoning.
func (x *chatEncoder) part(e *turn.Event) int {
	if _, known := x.parts[e.Part]; !known {
		x.parts[e.Part] = len(x.parts)
	}
	return x.parts[e.Part]
}

// signature is the member of a delta that signs a part of the reasoning, the one that the provider has it in.
func (x *chatEncoder) signature(e *turn.Event) string {
	if e.SignatureType == protocol.OpaqueReasoning {
		return `"reasoning_opaque":` + quote(e.Signature)
	}
	detail := `{"type":` + quote(cmp.Or(e.SignatureType, "reasoning.text"))
	if e.ID != "" {
		detail += `,"id":` + quote(e.ID)
	}
	if e.SignatureFormat != "" {
		detail += `,"format":` + quote(e.SignatureFormat)
	}
	member := "signature"
	if e.SignatureType == protocol.EncryptedReasoning {
		member = "data"
	}
	return `"reasoning_details":[` + detail + `,"index":` + number(x.part(e)) + `,"` + member + `":` +
		quote(e.Signature) + `}]`
}

func (x *chatEncoder) head(w *writer) string {
	return `{"id":` + quote(w.id) + `,"object":"chat.completion.chunk","created":0,"model":` + quote(w.model) +
		`,"choices":[`
}

func (x *chatEncoder) delta(w *writer, choice int, members string) {
	if !x.spoke[choice] {
		x.spoke[choice] = true
		members = `"role":"assistant",` + members
	}
	w.chunk("", x.head(w)+`{"index":`+number(choice)+`,"delta":{`+members+`},"finish_reason":null}]}`)
}

func (x *chatEncoder) end(w *writer, t *turn.Turn) {
	if !t.Complete {
		w.chunk("", `{"error":{"message":`+quote(t.Error)+`,"code":"turn_incomplete"}}`)
		w.done()
		return
	}
	for _, a := range append([]turn.Answer{t.Answer}, t.Others...) {
		reason := reasonFor(&a, protocol.OpenAIChat.Spec().Class(a.FinishReason, a.NativeReason), "stop")
		native := ""
		if a.NativeReason != "" {
			native = `,"native_finish_reason":` + quote(a.NativeReason)
		}
		w.chunk("", x.head(w)+`{"index":`+number(a.Choice)+`,"delta":{},"finish_reason":`+quote(reason)+native+`}]}`)
	}
	if t.Usage != "null" {
		w.chunk("", x.head(w)+`],"usage":`+t.Usage+`}`)
	}
	w.done()
}
