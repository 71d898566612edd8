package protocol

import (
	"github.com/tidwall/gjson"
)

// Gemini is https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
const Gemini Name = "gemini"

func gemini() Spec {
	return Spec{
		Name: Gemini,
		Recognizes: func(_ string, chunk gjson.Result) bool {
			return chunk.Get("candidates").IsArray() || has(chunk, "usageMetadata") || has(chunk, "promptFeedback")
		},
		Class: func(reason, _ string) Class { return geminiClass(reason) },
		New:   func() Decoder { return &geminiDecoder{candidates: make(map[int]*geminiCandidate)} },
	}
}

// candidatesMax bounds how many candidates are told apart.
const candidatesMax = 128

type geminiDecoder struct{ candidates map[int]*geminiCandidate }

// geminiCandidate is what is known of one candidate: its parts have no numbers.
type geminiCandidate struct {
	texts     int  // signed ones so far
	thoughts  int  // runs of them
	thinking  bool // the last part was a thought
	calls     int
	whole     bool              // the arguments of the last call came at once
	streaming *partialArguments // of the last call, until it ends
}

func (d *geminiDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	to.begin(Text(chunk.Get("responseId")), Text(chunk.Get("modelVersion")), "")
	members(chunk.Get("candidates"), func(_ string, candidate gjson.Result) { d.candidate(candidate, to) })
	if reason := Text(chunk.Get("promptFeedback.blockReason")); reason != "" {
		to.finish(0, reason, "", ContentFilter)
	}
	if counters := chunk.Get("usageMetadata"); has(counters, "totalTokenCount") { // zeros are left out of it
		to.Add(Step{Kind: UsageStep, JSON: counters, Text: WholeUsage})
	} else {
		to.usage(counters)
	}
	if failure := chunk.Get("error"); failure.IsObject() {
		to.Fail(FailureOf(failure))
	}
}

func (d *geminiDecoder) candidate(candidate gjson.Result, to *Steps) {
	index := int(candidate.Get("index").Int())
	c := d.candidates[index]
	if c == nil {
		c = &geminiCandidate{}
		if len(d.candidates) < candidatesMax {
			d.candidates[index] = c
		}
	}
	to.begin("", "", Text(candidate.Get("content.role")))
	if has(candidate, "groundingMetadata") {
		to.note(index, GroundingNote, "true")
	}
	for _, part := range candidate.Get("content.parts").Array() {
		c.part(index, part, to)
	}
	if reason := Text(candidate.Get("finishReason")); reason != "" {
		c.endCall(index, to)
		to.finish(index, reason, "", geminiClass(reason))
	}
}

func (c *geminiCandidate) part(index int, part gjson.Result, to *Steps) {
	at := Key{Index: c.texts}
	if !part.IsObject() {
		to.text(index, at, to.words(part, "part"))
		return
	}
	signature := Text(part.Get("thoughtSignature"))
	if part.Get("thought").Bool() {
		if !c.thinking {
			c.thinking = true
			c.thoughts++
		}
		at := Key{Index: c.thoughts}
		to.reason(index, at, "", to.words(part.Get("text"), "text"))
		to.sign(index, at, signature)
		return
	}
	if call := part.Get("functionCall"); call.IsObject() {
		c.thinking = false
		c.call(index, call, signature, to)
		return
	} else if !saysNothing(call.Raw) {
		to.strangeCall()
		return
	}
	if words := part.Get("text"); words.Exists() {
		c.thinking = c.thinking && Text(words) == ""
		to.text(index, at, to.words(words, "text"))
		if signature != "" {
			to.Add(Step{Kind: SignTextStep, Choice: index, Key: at, Signature: signature})
			c.texts++
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
			to.Other(name, true)
		}
	})
}

// call reads a call, which is whole unless it says that more follows.
func (c *geminiCandidate) call(index int, call gjson.Result, signature string, to *Steps) {
	name := Text(call.Get("name"))
	if name != "" {
		c.endCall(index, to)
		c.calls++
		to.Add(Step{Kind: CallStep, Choice: index, Key: Key{Index: c.calls, Part: callPart}, ID: Text(call.Get("id")),
			Name:      name,
			Signature: signature, Flag: true})
		c.streaming, c.whole = &partialArguments{}, has(call, "args")
		if arguments := call.Get("args"); arguments.Exists() {
			to.input(index, Key{Index: c.calls, Part: callPart}, arguments)
		}
	}
	if c.streaming == nil {
		to.strangeCall()
		return
	}
	members(call.Get("partialArgs"), func(_ string, part gjson.Result) {
		if !c.streaming.add(part) {
			to.contradict("a part of the arguments of a call has no place in them")
		}
	})
	if !call.Get("willContinue").Bool() {
		c.endCall(index, to)
	}
}

// endCall ends the call whose arguments came in parts.
func (c *geminiCandidate) endCall(index int, to *Steps) {
	if c.streaming == nil {
		return
	}
	at := Key{Index: c.calls, Part: callPart}
	switch {
	case c.streaming.root != nil:
		to.input(index, at, gjson.ParseBytes(c.streaming.root.appendJSON(nil)))
	case !c.whole:
		to.input(index, at, gjson.Parse("{}")) // none
	}
	c.streaming = nil
	to.end(index, at)
}

func geminiClass(reason string) Class {
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
