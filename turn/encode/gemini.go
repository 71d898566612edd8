package encode

import (
	"strconv"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

type geminiEncoder struct{}

func (x *geminiEncoder) encode(w *writer, e *turn.Event) {
	switch e.Kind {
	case turn.TextDelta, turn.RefusalDelta:
		x.part(w, e.Choice, `{"text":`+quote(e.Text)+`}`)
	case turn.TextEnded:
		x.part(w, e.Choice, `{"text":""`+x.signature(e.Part.Signature)+`}`)
	case turn.ReasonDelta:
		x.part(w, e.Choice, `{"text":`+quote(e.Text)+`,"thought":true}`)
	case turn.ReasonEnded:
		if e.Part.Signature != "" {
			x.part(w, e.Choice, `{"text":"","thought":true`+x.signature(e.Part.Signature)+`}`)
		}
	case turn.CallEnded:
		c, id := &e.Call, ""
		if !c.Minted {
			id = `"id":` + quote(c.ID) + `,`
		}
		x.part(w, e.Choice, `{"functionCall":{`+id+`"name":`+quote(c.Name)+`,"args":`+object(c)+`}`+
			x.signature(c.Signature)+`}`)
	case turn.OtherItem:
		if e.Other.Raw != "" {
			w.chunk("", turn.OneLine(e.Other.Raw))
		}
	case turn.TurnEnded:
		t := e.Turn
		if !t.Complete {
			code, status := geminiStatus(t.ErrorCode)
			w.chunk("", `{"error":{"code":`+number(code)+`,"message":`+quote(t.Error)+`,"status":`+quote(status)+`}}`)
			return
		}
		for _, a := range append([]turn.Answer{t.Answer}, t.Others...) {
			counters := ""
			if t.RawUsage != "null" {
				counters = `,"usageMetadata":` + t.RawUsage
			}
			reason := reasonFor(t, &a, protocol.Gemini.Spec().Class(a.FinishReason, ""), "STOP")
			w.chunk("", `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":`+quote(reason)+`,"index":`+number(a.Choice)+`}]`+counters+x.tail(w))
		}
	}
}

// geminiStatus returns the number and the word of a status, of which an error has either:
// https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto
func geminiStatus(code string) (number int, status string) {
	const internal = 500
	statuses := []struct {
		number int
		status string
	}{{400, "INVALID_ARGUMENT"}, {401, "UNAUTHENTICATED"}, {403, "PERMISSION_DENIED"}, {404, "NOT_FOUND"},
		{409, "ABORTED"}, {429, "RESOURCE_EXHAUSTED"}, {499, "CANCELLED"}, {internal, "INTERNAL"},
		{501, "NOT_IMPLEMENTED"}, {503, "UNAVAILABLE"}, {504, "DEADLINE_EXCEEDED"}}
	for _, known := range statuses {
		if code == known.status || code == strconv.Itoa(known.number) {
			return known.number, known.status
		}
	}
	if number, err := strconv.Atoi(code); err == nil && number > 0 {
		return number, "UNKNOWN"
	}
	return internal, "INTERNAL"
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
