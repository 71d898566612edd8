package turn

import "github.com/tidwall/gjson"

// cohereV2 is https://docs.cohere.com/v2/docs/streaming
func cohereV2() codec {
	return codec{
		is: func(_ string, chunk gjson.Result) bool {
			return typed(chunk, "message-start", "message-end", "content-start", "content-delta", "content-end", "tool-plan-delta",
				"tool-call-start", "tool-call-delta", "tool-call-end", "citation-start", "citation-end")
		},
		decoder: func() decoder { return &cohereDecoder{} },
	}
}

type cohereDecoder struct{ begun bool }

// Content and calls are numbered apart, and the plan has no number.
const (
	coherePlan  = -1
	cohereCalls = 1 // the part of a call's key
)

func (d *cohereDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	at := key{index: int(chunk.Get("index").Int())}
	message := chunk.Get("delta.message")
	switch kind := text(chunk.Get("type")); kind {
	case "message-start":
		if d.begun {
			to.fail(codeInconsistent, "a second message begins")
			return
		}
		d.begun = true
		to.begin(text(chunk.Get("id")), "", text(message.Get("role")))
	case "content-start", "content-delta":
		content := message.Get("content")
		to.reason(0, at, "", text(content.Get("thinking")))
		to.text(0, at, text(content.Get("text")))
	case "content-end":
		to.end(0, at)
	case "tool-plan-delta":
		if plan := text(message.Get("tool_plan")); plan != "" {
			to.add(step{kind: reasonStep, key: key{index: coherePlan}, name: "tool_plan", text: plan})
		}
	case "tool-call-start", "tool-call-delta":
		at.part = cohereCalls
		call := message.Get("tool_calls")
		to.add(step{kind: callStep, key: at, id: text(call.Get("id")), name: text(call.Get("function.name")),
			text: text(call.Get("function.arguments")), flag: true})
	case "tool-call-end":
		at.part = cohereCalls
		to.end(0, at)
	case "message-end":
		delta := chunk.Get("delta")
		reason := text(delta.Get("finish_reason"))
		to.usage(delta.Get("usage"))
		to.finish(0, reason, "", cohereClass(reason))
		if failure := text(delta.Get("error")); failure != "" {
			to.fail(reason, failure)
		}
	case "citation-start", "citation-end":
	default:
		to.other(kind, false)
	}
}

func cohereClass(reason string) FinishClass {
	switch reason {
	case "COMPLETE", "STOP_SEQUENCE":
		return Stop
	case "TOOL_CALL":
		return ToolCalls
	case "MAX_TOKENS":
		return Length
	case "ERROR_TOXIC":
		return ContentFilter
	case "ERROR", "TIMEOUT", "ERROR_LIMIT":
		return Failed
	}
	return Unknown
}
