package turn

import (
	"strings"

	"github.com/tidwall/gjson"
)

// openAIResponses is https://platform.openai.com/docs/api-reference/responses-streaming
//
// Items are told apart by their place in the output: some producers give an item another id in every event.
func openAIResponses() codec {
	return codec{
		is:       func(_ string, chunk gjson.Result) bool { return typed(chunk, "response.") },
		decoder:  func() decoder { return &responsesDecoder{} },
		restates: true,
	}
}

type responsesDecoder struct {
	begun bool
	items map[int]bool // hosted items that were told already
}

func (d *responsesDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	kind := text(chunk.Get("type"))
	at := key{index: int(chunk.Get("output_index").Int())}
	switch kind {
	case "response.output_text.delta":
		at.part = int(chunk.Get("content_index").Int())
		to.text(0, at, text(chunk.Get("delta")))
	case "response.output_text.done":
		at.part = int(chunk.Get("content_index").Int())
		d.restate(textBlock, at, text(chunk.Get("text")), to)
	case "response.refusal.delta":
		at.part = int(chunk.Get("content_index").Int())
		to.refusal(0, at, text(chunk.Get("delta")))
	case "response.refusal.done":
		at.part = int(chunk.Get("content_index").Int())
		d.restate(refusalBlock, at, text(chunk.Get("refusal")), to)
	case "response.reasoning_summary_text.delta":
		at.part = summaryPart(chunk.Get("summary_index").Int())
		to.reason(0, at, "", text(chunk.Get("delta")))
	case "response.reasoning_summary_text.done":
		at.part = summaryPart(chunk.Get("summary_index").Int())
		d.restate(reasoningBlock, at, text(chunk.Get("text")), to)
	case "response.reasoning_text.delta":
		at.part = contentPart(chunk.Get("content_index").Int())
		to.reason(0, at, "", text(chunk.Get("delta")))
	case "response.reasoning_text.done":
		at.part = contentPart(chunk.Get("content_index").Int())
		d.restate(reasoningBlock, at, text(chunk.Get("text")), to)
	case "response.function_call_arguments.delta":
		to.add(step{kind: callStep, key: at, text: text(chunk.Get("delta")), flag: true})
	case "response.function_call_arguments.done":
		to.input(0, at, chunk.Get("arguments"))
	case "response.output_item.added":
		d.item(at.index, chunk.Get("item"), false, to)
	case "response.output_item.done":
		d.item(at.index, chunk.Get("item"), true, to)
	case "response.created":
		if d.begun {
			to.fail(codeInconsistent, "a second response begins")
			return
		}
		d.begun = true
		d.begin(chunk.Get("response"), to)
	case "response.queued", "response.in_progress":
		d.begin(chunk.Get("response"), to)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		d.terminal(strings.TrimPrefix(kind, "response."), chunk.Get("response"), to)
	case "error":
		if failure := chunk.Get("error"); failure.Exists() {
			to.fail(failureOf(failure))
		} else {
			to.fail(chunk.Get("code").String(), chunk.Get("message").String())
		}
	case "response.content_part.added", "response.content_part.done", "response.output_text.annotation.added",
		"response.reasoning_summary_part.added", "response.reasoning_summary_part.done":
	default:
		to.other(kind, false)
	}
}

// A part of a reasoning item is of its summary or of its content.
func summaryPart(index int64) int { return int(index) * 2 }
func contentPart(index int64) int { return int(index)*2 + 1 }

func (d *responsesDecoder) begin(response gjson.Result, to *steps) {
	to.add(step{kind: beginStep, id: text(response.Get("id")), name: text(response.Get("model")), text: "assistant", flag: true})
}

func (d *responsesDecoder) restate(kind string, at key, words string, to *steps) {
	if words != "" {
		to.add(step{kind: restateStep, key: at, name: kind, text: words})
	}
}

// item reads an item of the output, which is complete or only begins.
func (d *responsesDecoder) item(index int, item gjson.Result, complete bool, to *steps) {
	at := key{index: index}
	id := text(item.Get("id"))
	switch kind := text(item.Get("type")); kind {
	case "message":
		part := 0
		members(item.Get("content"), func(_ string, content gjson.Result) {
			at := key{index: index, part: part}
			part++
			d.restate(textBlock, at, text(content.Get("text")), to)
			d.restate(refusalBlock, at, text(content.Get("refusal")), to)
			if complete {
				to.end(0, at)
			}
		})
	case "reasoning":
		to.reason(0, at, id, "")
		d.reasoning(index, item, complete, to)
		if complete {
			to.sign(0, at, text(item.Get("encrypted_content")))
		}
	case "function_call":
		to.add(step{kind: callStep, key: at, id: text(item.Get("call_id")), name: text(item.Get("name")), flag: true})
		to.add(step{kind: itemStep, key: at, id: id})
		if arguments := item.Get("arguments"); text(arguments) != "" {
			to.input(0, at, arguments)
		}
	default:
		if d.items == nil {
			d.items = make(map[int]bool)
		}
		if !d.items[index] {
			d.items[index] = true
			to.hosted(kind)
		}
	}
	if complete {
		to.end(0, at)
	}
}

func (d *responsesDecoder) reasoning(index int, item gjson.Result, complete bool, to *steps) {
	for _, list := range []struct {
		name string
		part func(int64) int
	}{{"summary", summaryPart}, {"content", contentPart}} {
		count := int64(0)
		members(item.Get(list.name), func(_ string, piece gjson.Result) {
			at := key{index: index, part: list.part(count)}
			count++
			d.restate(reasoningBlock, at, text(piece.Get("text")), to)
			if complete && at.part > 0 {
				to.end(0, at)
			}
		})
	}
}

// terminal reads the response as a whole. Its output is what was meant, unless it is empty.
func (d *responsesDecoder) terminal(status string, response gjson.Result, to *steps) {
	d.begin(response, to)
	index := 0
	members(response.Get("output"), func(_ string, item gjson.Result) {
		d.item(index, item, true, to)
		index++
	})
	if said := text(response.Get("status")); said != "" {
		status = said
	}
	detail := text(response.Get("incomplete_details.reason"))
	to.usage(response.Get("usage"))
	reason := status
	if detail != "" {
		reason = detail
	}
	to.finish(0, reason, "", responsesClass(status, detail))
	if failure := response.Get("error"); failure.IsObject() {
		to.fail(failureOf(failure))
	} else if status == "failed" || status == "cancelled" {
		to.fail(status, "")
	}
}

func responsesClass(status, detail string) FinishClass {
	switch detail {
	case "max_output_tokens", "max_tokens":
		return Length
	case "content_filter":
		return ContentFilter
	}
	switch status {
	case "completed":
		return Stop
	case "incomplete":
		return Length
	case "failed", "cancelled":
		return Failed
	}
	return Unknown
}
