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
		encoder:  func() encoder { return &responsesEncoder{ids: make(map[string]bool)} },
		restates: true,
	}
}

type responsesDecoder struct {
	begun bool
	items map[int]bool // hosted items that were told already
}

func (d *responsesDecoder) decode(_ string, chunk gjson.Result, to *steps) {
	var at key
	var kind, delta string
	var content, summary int
	w := &walker{json: chunk.Raw}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "output_index":
			at.index, _ = w.number()
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
		at.part = content
		to.text(0, at, delta)
	case "response.output_text.done":
		at.part = content
		d.restate(textBlock, at, text(chunk.Get("text")), to)
	case "response.refusal.delta":
		at.part = content
		to.refusal(0, at, delta)
	case "response.refusal.done":
		at.part = content
		d.restate(refusalBlock, at, text(chunk.Get("refusal")), to)
	case "response.reasoning_summary_text.delta":
		at.part = summaryPart(summary)
		to.reason(0, at, "", delta)
	case "response.reasoning_summary_text.done":
		at.part = summaryPart(summary)
		d.restate(reasoningBlock, at, text(chunk.Get("text")), to)
	case "response.reasoning_text.delta":
		at.part = contentPart(content)
		to.reason(0, at, "", delta)
	case "response.reasoning_text.done":
		at.part = contentPart(content)
		d.restate(reasoningBlock, at, text(chunk.Get("text")), to)
	case "response.function_call_arguments.delta":
		to.add(step{kind: callStep, key: at, text: delta, flag: true})
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
func summaryPart(index int) int { return index * 2 }
func contentPart(index int) int { return index*2 + 1 }

func (d *responsesDecoder) begin(response gjson.Result, to *steps) {
	to.add(step{kind: beginStep, id: text(response.Get("id")), name: text(response.Get("model")), text: "assistant",
		flag: true})
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
		to.add(step{kind: itemStep, key: at, id: id})
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
			to.add(step{kind: hostedStep, name: kind, flag: isForCaller(kind)})
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

func (d *responsesDecoder) reasoning(index int, item gjson.Result, complete bool, to *steps) {
	for _, list := range []struct {
		name string
		part func(int) int
	}{{"summary", summaryPart}, {"content", contentPart}} {
		count := 0
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
	to.finish(0, status, detail, responsesClass(status, detail))
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

type responsesEncoder struct {
	sequence int
	output   []byte          // the items that are complete, separated by commas
	ids      map[string]bool // of the provider's items, that were given to one

	// Of the item that is being written.
	id        string
	summary   []summaryText
	signature string
}

// summaryText is a text of a reasoning item, which may have several.
type summaryText struct {
	block int // of the event
	text  []byte
}

func (x *responsesEncoder) encode(w *wire, e *Event) {
	switch e.Kind {
	case Started:
		x.chunk(w, "response.created", `"response":`+x.response(w, "in_progress", "", "", "null"))
	case TextDelta, RefusalDelta:
		b, begins := w.block(e, x.endBlock(w))
		if begins {
			x.begin(w, b, "msg", e.Item)
			x.chunk(w, "response.output_item.added", at(b)+`,"item":`+x.message("in_progress", ""))
			x.chunk(w, "response.content_part.added", x.at(b)+`,"content_index":0,"part":`+contentOf(b))
		}
		b.text = append(b.text, e.Text...)
		kind := "response.output_text.delta"
		if e.Kind == RefusalDelta {
			kind = "response.refusal.delta"
		}
		x.chunk(w, kind, x.at(b)+`,"content_index":0,"delta":`+quote(e.Text))
	case ReasonDelta:
		b := x.reasoning(w, e)
		i := x.summaryOf(w, b, e.Block)
		x.summary[i].text = append(x.summary[i].text, e.Text...)
		x.chunk(w, "response.reasoning_summary_text.delta", x.at(b)+summaryAt(i)+`,"delta":`+quote(e.Text))
	case ReasonEnded:
		if e.Signature != "" || e.Item != "" && !x.ids[e.Item] {
			x.reasoning(w, e) // which ends with the item: another text of it may follow
			x.signature = e.Signature
		}
	case CallEnded:
		b, _ := w.block(e, x.endBlock(w))
		w.open = nil
		x.begin(w, b, "fc", e.Item)
		item := func(status, arguments string) string {
			return `{"type":"function_call","id":` + quote(x.id) + `,"call_id":` + quote(e.ID) + `,"name":` +
				quote(e.Name) +
				`,"arguments":` + quote(arguments) + `,"status":"` + status + `"}`
		}
		x.chunk(w, "response.output_item.added", at(b)+`,"item":`+item("in_progress", ""))
		x.chunk(w, "response.function_call_arguments.delta", x.at(b)+`,"delta":`+quote(e.Arguments))
		x.chunk(w, "response.function_call_arguments.done", x.at(b)+`,"name":`+quote(e.Name)+
			`,"arguments":`+quote(e.Arguments))
		x.itemDone(w, b, item("completed", e.Arguments))
	case TurnEnded:
		w.endBlock(x.endBlock(w))
		x.end(w, e.Turn)
	}
}

func (x *responsesEncoder) end(w *wire, t *Turn) {
	w.id = t.ID
	switch {
	case !t.Complete:
		x.chunk(w, "response.failed", `"response":`+x.response(w, "failed", "", t.Error, t.Usage))
	case t.FinishReason == "completed":
		x.chunk(w, "response.completed", `"response":`+x.response(w, "completed", "", "", t.Usage))
	default:
		x.chunk(w, "response.incomplete", `"response":`+x.response(w, "incomplete", t.NativeReason, "", t.Usage))
	}
}

// response is the response as a whole, as far as it is there.
func (x *responsesEncoder) response(w *wire, status, why, failure, counters string) string {
	details, broke := "null", "null"
	if why != "" {
		details = `{"reason":` + quote(why) + `}`
	}
	if failure != "" {
		broke = `{"code":"server_error","message":` + quote(failure) + `}`
	}
	return `{"id":` + quote(w.id) + `,"object":"response","created_at":0,"status":"` + status + `","error":` + broke +
		`,"incomplete_details":` + details + `,"instructions":null,"metadata":{},"model":` + quote(w.model) +
		`,"output":[` + string(x.output) +
		`],"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto","tools":[],"top_p":null,"usage":` +
		counters + `}`
}

func (x *responsesEncoder) chunk(w *wire, kind, members string) {
	w.chunk(kind, `{"type":"`+kind+`","sequence_number":`+number(x.sequence)+`,`+members+`}`)
	x.sequence++
}

func at(b *openBlock) string { return `"output_index":` + number(b.index) }

// at is where the item that is being written stands, and which one it is.
func (x *responsesEncoder) at(b *openBlock) string { return at(b) + `,"item_id":` + quote(x.id) }

func summaryAt(i int) string { return `,"summary_index":` + number(i) }

// begin begins an item. It has the id that the provider gave it, for which the provider looks when it comes back. An id
// that is made up, for what is no item of the provider's, is like no other one, as no two of a request may be the same.
func (x *responsesEncoder) begin(w *wire, b *openBlock, kind, id string) {
	if id == "" || x.ids[id] {
		id = kind + "_" + strings.TrimPrefix(w.id, "resp_") + "_" + number(b.index)
	}
	x.ids[id] = true
	x.id, x.summary, x.signature = id, x.summary[:0], ""
}

// contentOf is the content of a message.
func contentOf(b *openBlock) string {
	if b.kind == RefusalDelta {
		return `{"type":"refusal","refusal":` + quote(string(b.text)) + `}`
	}
	return `{"type":"output_text","text":` + quote(string(b.text)) + `,"annotations":[]}`
}

func (x *responsesEncoder) message(status, content string) string {
	return `{"type":"message","id":` + quote(x.id) + `,"role":"assistant","status":"` + status +
		`","content":[` + content + `]}`
}

// reasoning is the block of a part of the reasoning, which is begun if it is not the open one.
func (x *responsesEncoder) reasoning(w *wire, e *Event) *openBlock {
	part := Event{Kind: ReasonDelta, Block: e.Part}
	b, begins := w.block(&part, x.endBlock(w))
	if begins {
		x.begin(w, b, "rs", e.Item)
		x.chunk(w, "response.output_item.added", at(b)+`,"item":{"type":"reasoning","id":`+quote(x.id)+`,"summary":[]}`)
	}
	return b
}

// summaryOf is the text of a block in the summary of the open item, which begins if there is none.
func (x *responsesEncoder) summaryOf(w *wire, b *openBlock, block int) (i int) {
	for ; i < len(x.summary); i++ {
		if x.summary[i].block == block {
			return i
		}
	}
	x.summary = append(x.summary, summaryText{block: block})
	x.chunk(w, "response.reasoning_summary_part.added", x.at(b)+summaryAt(i)+`,"part":{"type":"summary_text","text":""}`)
	return i
}

func (x *responsesEncoder) endReasoning(w *wire, b *openBlock) {
	var texts []string
	for i, said := range x.summary {
		words := quote(string(said.text))
		part := `{"type":"summary_text","text":` + words + `}`
		x.chunk(w, "response.reasoning_summary_text.done", x.at(b)+summaryAt(i)+`,"text":`+words)
		x.chunk(w, "response.reasoning_summary_part.done", x.at(b)+summaryAt(i)+`,"part":`+part)
		texts = append(texts, part)
	}
	x.itemDone(w, b, `{"type":"reasoning","id":`+quote(x.id)+`,"summary":[`+strings.Join(texts, ",")+
		`],"encrypted_content":`+quoteOrNull(x.signature)+`}`)
}

func (x *responsesEncoder) itemDone(w *wire, b *openBlock, item string) {
	x.chunk(w, "response.output_item.done", at(b)+`,"item":`+item)
	if len(x.output) > 0 {
		x.output = append(x.output, ',')
	}
	x.output = append(x.output, item...)
}

func (x *responsesEncoder) endBlock(w *wire) func(*openBlock) {
	return func(b *openBlock) {
		if b.kind == ReasonDelta {
			x.endReasoning(w, b)
			return
		}
		kind, member := "response.output_text.done", "text"
		if b.kind == RefusalDelta {
			kind, member = "response.refusal.done", "refusal"
		}
		x.chunk(w, kind, x.at(b)+`,"content_index":0,"`+member+`":`+quote(string(b.text)))
		x.chunk(w, "response.content_part.done", x.at(b)+`,"content_index":0,"part":`+contentOf(b))
		x.itemDone(w, b, x.message("completed", contentOf(b)))
	}
}
