package protocol

import (
	"strings"

	"github.com/tidwall/gjson"
)

// openAIResponses is https://platform.openai.com/docs/api-reference/responses-streaming
//
// Items are told apart by their place in the output: some producers give an item another id in every event.
func openAIResponses() Spec {
	return Spec{
		is:       func(_ string, chunk gjson.Result) bool { return typed(chunk, "response.") },
		Class:    responsesClass,
		New:      func() Decoder { return &responsesDecoder{} },
		Restates: true,
	}
}

type responsesDecoder struct {
	begun bool
	items map[int]bool // hosted items that were told already
}

func (d *responsesDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	var at Key
	var kind, delta string
	var content, summary int
	w := &walker{json: chunk.Raw}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "output_index":
			at.Index, _ = w.number()
		case "content_index":
			content, _ = w.number()
		case "summary_index":
			summary, _ = w.number()
		case "delta":
			delta = w.text()
		}
	})
	switch kind {
	case "response.output_text.delta":
		at.Part = content
		to.text(0, at, delta)
	case "response.output_text.done":
		at.Part = content
		d.restate(TextBlock, at, text(chunk.Get("text")), to)
	case "response.refusal.delta":
		at.Part = content
		to.refusal(0, at, delta)
	case "response.refusal.done":
		at.Part = content
		d.restate(RefusalBlock, at, text(chunk.Get("refusal")), to)
	case "response.reasoning_summary_text.delta":
		at.Part = summaryPart(summary)
		to.reason(0, at, "", delta)
	case "response.reasoning_summary_text.done":
		at.Part = summaryPart(summary)
		d.restate(ReasoningBlock, at, text(chunk.Get("text")), to)
	case "response.reasoning_text.delta":
		at.Part = contentPart(content)
		to.reason(0, at, "", delta)
	case "response.reasoning_text.done":
		at.Part = contentPart(content)
		d.restate(ReasoningBlock, at, text(chunk.Get("text")), to)
	case "response.function_call_arguments.delta":
		to.Add(Step{Kind: CallStep, Key: at, Text: delta, Flag: true})
	case "response.function_call_arguments.done":
		to.input(0, at, chunk.Get("arguments"))
	case "response.output_item.added":
		d.item(at.Index, chunk.Get("item"), false, to)
	case "response.output_item.done":
		d.item(at.Index, chunk.Get("item"), true, to)
	case "response.created":
		if d.begun {
			to.Fail(Inconsistent, "a second response begins")
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
			to.Fail(FailureOf(failure))
		} else {
			to.Fail(chunk.Get("code").String(), chunk.Get("message").String())
		}
	case "response.content_part.added", "response.content_part.done", "response.output_text.annotation.added",
		"response.reasoning_summary_part.added", "response.reasoning_summary_part.done":
	default:
		to.Other(kind, false)
	}
}

// A part of a reasoning item is of its summary or of its content.
func summaryPart(index int) int { return index * 2 }
func contentPart(index int) int { return index*2 + 1 }

func (d *responsesDecoder) begin(response gjson.Result, to *Steps) {
	to.Add(Step{Kind: BeginStep, ID: text(response.Get("id")), Name: text(response.Get("model")), Text: "assistant",
		Flag: true})
}

func (d *responsesDecoder) restate(kind string, at Key, words string, to *Steps) {
	if words != "" {
		to.Add(Step{Kind: RestateStep, Key: at, Name: kind, Text: words})
	}
}

// item reads an item of the output, which is complete or only begins.
func (d *responsesDecoder) item(index int, item gjson.Result, complete bool, to *Steps) {
	at := Key{Index: index}
	id := text(item.Get("id"))
	switch kind := text(item.Get("type")); kind {
	case "message":
		to.Add(Step{Kind: ItemStep, Key: at, ID: id})
		part := 0
		members(item.Get("content"), func(_ string, content gjson.Result) {
			at := Key{Index: index, Part: part}
			part++
			d.restate(TextBlock, at, text(content.Get("text")), to)
			d.restate(RefusalBlock, at, text(content.Get("refusal")), to)
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
		to.Add(Step{Kind: CallStep, Key: at, ID: text(item.Get("call_id")), Name: text(item.Get("name")), Flag: true})
		to.Add(Step{Kind: ItemStep, Key: at, ID: id})
		if arguments := item.Get("arguments"); text(arguments) != "" {
			to.input(0, at, arguments)
		}
	default:
		if d.items == nil {
			d.items = make(map[int]bool)
		}
		if !d.items[index] {
			d.items[index] = true
			to.Add(Step{Kind: HostedStep, Name: kind, Flag: isForCaller(kind)})
		}
	}
	if complete {
		to.end(0, at)
	}
}

// isForCaller reports whether an item asks the caller to do something in another form than a call of a function. Such
// items are not let through.
func isForCaller(kind string) bool {
	switch kind {
	case "custom_tool_call", "computer_call", "local_shell_call", "shell_call", "apply_patch_call", "mcp_approval_request":
		return true
	}
	return false
}

func (d *responsesDecoder) reasoning(index int, item gjson.Result, complete bool, to *Steps) {
	for _, list := range []struct {
		name string
		part func(int) int
	}{{"summary", summaryPart}, {"content", contentPart}} {
		count := 0
		members(item.Get(list.name), func(_ string, piece gjson.Result) {
			at := Key{Index: index, Part: list.part(count)}
			count++
			d.restate(ReasoningBlock, at, text(piece.Get("text")), to)
			if complete && at.Part > 0 {
				to.end(0, at)
			}
		})
	}
}

// terminal reads the response as a whole. Its output is what was meant, unless it is empty.
func (d *responsesDecoder) terminal(status string, response gjson.Result, to *Steps) {
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
	to.finish(0, status, detail, responsesClass(status, detail))
	if failure := response.Get("error"); failure.IsObject() {
		to.Fail(FailureOf(failure))
	} else if status == "failed" || status == "cancelled" {
		to.Fail(status, "")
	}
}

func responsesClass(status, detail string) Class {
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
