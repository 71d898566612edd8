package encode

import (
	"cmp"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

type chatEncoder struct {
	spoke map[int]bool // choices that have said who speaks
	calls map[int]int  // by choice
}

func (x *chatEncoder) encode(w *writer, e *turn.Event) {
	switch e.Kind {
	case turn.Started:
		x.spoke, x.calls = make(map[int]bool), make(map[int]int)
		x.delta(w, 0, `"content":""`)
	case turn.TextDelta:
		x.delta(w, e.Choice, `"content":`+quote(e.Text))
	case turn.RefusalDelta:
		x.delta(w, e.Choice, `"refusal":`+quote(e.Text))
	case turn.ReasonDelta:
		if e.Part.SignatureType == "" || e.Part.SignatureType == protocol.OpaqueReasoning {
			x.delta(w, e.Choice, `"reasoning_content":`+quote(e.Text))
			return
		}
		member := "text"
		if e.Part.SignatureType == protocol.SummaryReasoning {
			member = "summary"
		}
		x.delta(w, e.Choice, `"reasoning":`+quote(e.Text)+`,`+detail(&e.Part, member, e.Text))
	case turn.ReasonEnded:
		if e.Part.Signature != "" {
			x.delta(w, e.Choice, signature(&e.Part))
		}
	case turn.CallEnded:
		x.delta(w, e.Choice, `"tool_calls":[{"index":`+number(x.calls[e.Choice])+`,"id":`+quote(e.Call.ID)+
			chatCall(&e.Call)+`}]`)
		x.calls[e.Choice]++
	case turn.OtherItem:
		if e.Other.Raw != "" {
			w.chunk("", turn.OneLine(e.Other.Raw))
		}
	case turn.TurnEnded:
		x.end(w, e.Turn)
	}
}

// chatCall is what a call is, without its number and id.
func chatCall(c *turn.Call) string {
	if c.Custom {
		return `,"type":"custom","custom":{"name":` + quote(c.Name) + `,"input":` + quote(c.Arguments) + `}`
	}
	extra := ""
	if c.Signature != "" {
		extra = `,"extra_content":{"google":{"thought_signature":` + quote(c.Signature) + `}}`
	}
	return `,"type":"function","function":{"name":` + quote(c.Name) + `,"arguments":` + quote(c.Arguments) + `}` + extra
}

// signature is the member of a delta that signs a part of the reasoning, the one that the provider has it in.
func signature(p *turn.Part) string {
	switch p.SignatureType {
	case protocol.OpaqueReasoning:
		return `"reasoning_opaque":` + quote(p.Signature)
	case protocol.EncryptedReasoning:
		return detail(p, "data", p.Signature)
	}
	return detail(p, "signature", p.Signature)
}

// detail is the member of a delta that has a piece of a part of the reasoning.
func detail(p *turn.Part, member, text string) string {
	return `"reasoning_details":[` + detailOf(p, member, text) + `]`
}

// detailOf is a piece of a part of the reasoning.
func detailOf(p *turn.Part, member, text string) string {
	said := `{"type":` + quote(cmp.Or(p.SignatureType, "reasoning.text"))
	if p.ID != "" {
		said += `,"id":` + quote(p.ID)
	}
	if p.SignatureFormat != "" {
		said += `,"format":` + quote(p.SignatureFormat)
	}
	return said + `,"index":` + number(p.Index) + `,"` + member + `":` + quote(text) + `}`
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
		w.chunk("", `{"error":{"message":`+quote(t.Error)+`,"code":`+codeOf(t)+`}}`)
		w.done()
		return
	}
	for _, a := range append([]turn.Answer{t.Answer}, t.Others...) {
		reason := reasonFor(t, &a, protocol.OpenAIChat.Spec().Class(a.FinishReason, a.NativeReason), "stop")
		native := ""
		if a.NativeReason != "" {
			native = `,"native_finish_reason":` + quote(a.NativeReason)
		}
		w.chunk("", x.head(w)+`{"index":`+number(a.Choice)+`,"delta":{},"finish_reason":`+quote(reason)+native+`}]}`)
	}
	if t.RawUsage != "null" {
		w.chunk("", x.head(w)+`],"usage":`+t.RawUsage+`}`)
	}
	w.done()
}
