package turn

import (
	"github.com/tidwall/gjson"
)

// gemini is https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
func gemini() codec {
	return codec{
		is: func(_ string, chunk gjson.Result) bool {
			return chunk.Get("candidates").IsArray() || has(chunk, "usageMetadata") || has(chunk, "promptFeedback")
		},
		decoder: func() decoder { return &geminiDecoder{candidates: make(map[int]*geminiCandidate)} },
		encoder: func() encoder { return &geminiEncoder{} },
	}
}

type geminiDecoder struct{ candidates map[int]*geminiCandidate }

// geminiCandidate is what is known of one candidate: its parts have no numbers.
type geminiCandidate struct {
	thoughts  int  // runs of them
	thinking  bool // the last part was a thought
	calls     int
	whole     bool              // the arguments of the last call came at once
	streaming *partialArguments // of the last call, until it ends
}

func (d *geminiDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	to.begin(text(chunk.Get("responseId")), text(chunk.Get("modelVersion")), "")
	members(chunk.Get("candidates"), func(_ string, candidate gjson.Result) { d.candidate(candidate, to) })
	if reason := text(chunk.Get("promptFeedback.blockReason")); reason != "" {
		to.finish(0, reason, "", ContentFilter)
	}
	if counters := chunk.Get("usageMetadata"); has(counters, "totalTokenCount") { // zeros are left out of it
		to.add(step{kind: usageStep, json: counters, text: wholeUsage})
	} else {
		to.usage(counters)
	}
	if failure := chunk.Get("error"); failure.IsObject() {
		to.fail(failureOf(failure))
	}
}

func (d *geminiDecoder) candidate(candidate gjson.Result, to *steps) {
	index := int(candidate.Get("index").Int())
	c := d.candidates[index]
	if c == nil {
		c = &geminiCandidate{}
		if len(d.candidates) < choicesMax {
			d.candidates[index] = c
		}
	}
	to.begin("", "", text(candidate.Get("content.role")))
	if has(candidate, "groundingMetadata") {
		to.note(index, "grounding", "true")
	}
	members(candidate.Get("content.parts"), func(_ string, part gjson.Result) { c.part(index, part, to) })
	if reason := text(candidate.Get("finishReason")); reason != "" {
		c.endCall(index, to)
		to.finish(index, reason, "", geminiClass(reason))
	}
}

func (c *geminiCandidate) part(index int, part gjson.Result, to *steps) {
	signature := text(part.Get("thoughtSignature"))
	if part.Get("thought").Bool() {
		if !c.thinking {
			c.thinking = true
			c.thoughts++
		}
		at := key{index: c.thoughts}
		to.reason(index, at, "", text(part.Get("text")))
		to.sign(index, at, signature)
		return
	}
	if call := part.Get("functionCall"); call.IsObject() {
		c.thinking = false
		c.call(index, call, signature, to)
		return
	}
	if words := part.Get("text"); words.Exists() {
		c.thinking = c.thinking && text(words) == ""
		to.text(index, key{}, text(words))
		if signature != "" {
			to.add(step{kind: signTextStep, choice: index, signature: signature})
		}
		return
	}
	c.thinking = false
	members(part, func(name string, _ gjson.Result) {
		switch name {
		case "executableCode", "codeExecutionResult", "toolCall", "toolResponse":
			to.hosted(name)
		case "thoughtSignature", "thought", "partMetadata":
		default:
			to.other(name, true)
		}
	})
}

// call reads a call, which is whole unless it says that more follows.
func (c *geminiCandidate) call(index int, call gjson.Result, signature string, to *steps) {
	name := text(call.Get("name"))
	if name != "" {
		c.endCall(index, to)
		c.calls++
		to.add(step{kind: callStep, choice: index, key: key{index: c.calls}, id: text(call.Get("id")), name: name,
			signature: signature, flag: true})
		c.streaming, c.whole = &partialArguments{}, has(call, "args")
		if arguments := call.Get("args"); arguments.Exists() {
			to.input(index, key{index: c.calls}, arguments)
		}
	}
	if c.streaming == nil {
		return
	}
	members(call.Get("partialArgs"), func(_ string, part gjson.Result) {
		if !c.streaming.add(part) {
			to.fail(codeInconsistent, "a part of the arguments of a call has no place in them")
		}
	})
	if !call.Get("willContinue").Bool() {
		c.endCall(index, to)
	}
}

// endCall ends the call whose arguments came in parts.
func (c *geminiCandidate) endCall(index int, to *steps) {
	if c.streaming == nil {
		return
	}
	at := key{index: c.calls}
	switch {
	case c.streaming.root != nil:
		to.input(index, at, gjson.ParseBytes(c.streaming.root.appendJSON(nil)))
	case !c.whole:
		to.input(index, at, gjson.Parse("{}")) // none
	}
	c.streaming = nil
	to.end(index, at)
}

func geminiClass(reason string) FinishClass {
	switch reason {
	case "STOP":
		return Stop
	case "MAX_TOKENS":
		return Length
	case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY",
		"IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION":
		return ContentFilter
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
		"MALFORMED_RESPONSE", "NO_IMAGE", "IMAGE_OTHER", "OTHER":
		return Failed
	}
	return Unknown
}

type geminiEncoder struct{}

func (x *geminiEncoder) encode(w *wire, e *Event) {
	signature := x.signature(e.Signature)
	switch e.Kind {
	case TextDelta, RefusalDelta:
		x.part(w, e.Choice, `{"text":`+quote(e.Text)+`}`)
	case ReasonDelta:
		x.part(w, e.Choice, `{"text":`+quote(e.Text)+`,"thought":true}`)
	case ReasonEnded:
		if signature != "" {
			x.part(w, e.Choice, `{"text":"","thought":true`+signature+`}`)
		}
	case CallEnded:
		id := ""
		if !e.Minted {
			id = `"id":` + quote(e.ID) + `,`
		}
		x.part(w, e.Choice, `{"functionCall":{`+id+`"name":`+quote(e.Name)+`,"args":`+object(e.Arguments, e.Valid)+`}`+
			signature+`}`)
	case TurnEnded:
		t := e.Turn
		if !t.Complete {
			w.chunk("", `{"error":{"code":500,"message":`+quote(t.Error)+`,"status":"INTERNAL"}}`)
			return
		}
		for _, a := range append([]Answer{t.Answer}, t.Others...) {
			counters := ""
			if t.Usage != "null" {
				counters = `,"usageMetadata":` + t.Usage
			}
			reason := reasonFor(&a, geminiClass(a.FinishReason), "STOP")
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

func (x *geminiEncoder) part(w *wire, choice int, part string) {
	w.chunk("", `{"candidates":[{"content":{"parts":[`+part+`],"role":"model"},"index":`+number(choice)+`}]`+x.tail(w))
}

func (x *geminiEncoder) tail(w *wire) string {
	return `,"modelVersion":` + quote(w.model) + `,"responseId":` + quote(w.id) + `}`
}
