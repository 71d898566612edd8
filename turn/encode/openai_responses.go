package encode

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
)

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

func (x *responsesEncoder) encode(w *writer, e *turn.Event) {
	switch e.Kind {
	case turn.Started:
		x.chunk(w, "response.created", `"response":`+x.response(w, "in_progress", "", nil, "null"))
	case turn.TextDelta, turn.RefusalDelta:
		b, begins := w.block(e, x.endBlock(w))
		if begins {
			x.begin(w, b, "msg", e.Item)
			x.chunk(w, "response.output_item.added", at(b)+`,"item":`+x.message("in_progress", ""))
			x.chunk(w, "response.content_part.added", x.at(b)+`,"content_index":0,"part":`+contentOf(b))
		}
		b.text = append(b.text, e.Text...)
		kind := "response.output_text.delta"
		if e.Kind == turn.RefusalDelta {
			kind = "response.refusal.delta"
		}
		x.chunk(w, kind, x.at(b)+`,"content_index":0,"delta":`+quote(e.Text))
	case turn.ReasonDelta:
		b := x.reasoning(w, e)
		i := x.summaryOf(w, b, e.Block)
		x.summary[i].text = append(x.summary[i].text, e.Text...)
		x.chunk(w, "response.reasoning_summary_text.delta", x.at(b)+summaryAt(i)+`,"delta":`+quote(e.Text))
	case turn.ReasonEnded:
		if e.Part.Signature != "" || e.Item != "" && !x.ids[e.Item] {
			x.reasoning(w, e) // which ends with the item: another text of it may follow
			x.signature = e.Part.Signature
		}
	case turn.CallEnded:
		b, _ := w.block(e, x.endBlock(w))
		w.open = nil
		x.call(w, b, &e.Call)
	case turn.OtherItem:
		x.pass(w, e)
	case turn.TurnEnded:
		w.endBlock(x.endBlock(w))
		x.end(w, e.Turn)
	}
}

// call writes the item of a call, and in between its arguments.
func (x *responsesEncoder) call(w *writer, b *openBlock, c *turn.Call) {
	prefix, kind, of, member := "fc", "function_call", "response.function_call_arguments", "arguments"
	if c.Custom {
		prefix, kind, of, member = "ctc", "custom_tool_call", "response.custom_tool_call_input", "input"
	}
	x.begin(w, b, prefix, c.ItemID)
	item := func(status, arguments string) string {
		return `{"type":"` + kind + `","id":` + quote(x.id) + `,"call_id":` + quote(c.ID) +
			`,"name":` + quote(c.Name) + `,"` + member + `":` + quote(arguments) + `,"status":"` + status + `"}`
	}
	x.chunk(w, "response.output_item.added", at(b)+`,"item":`+item("in_progress", ""))
	x.chunk(w, of+".delta", x.at(b)+`,"delta":`+quote(c.Arguments))
	x.chunk(w, of+".done", x.at(b)+`,"name":`+quote(c.Name)+`,"`+member+`":`+quote(c.Arguments))
	x.itemDone(w, b, item("completed", c.Arguments))
}

// pass passes on a chunk of an item of the provider's own tools, or one that is about the text that is written.
func (x *responsesEncoder) pass(w *writer, e *turn.Event) {
	kind := gjson.Get(e.Other.Raw, "type").String()
	_, known := w.passed[gjson.Get(e.Other.Raw, "output_index").Raw]
	isItem := strings.HasPrefix(kind, "response.output_item.")
	chunk := w.passOn(e, "output_index", isItem && (!known || kind == "response.output_item.added"), x.endBlock(w))
	if chunk == "" {
		return
	}
	if !isItem && !known {
		chunk = replaced(replaced(chunk, "item_id", quote(x.id)), "content_index", "0")
	}
	w.chunk(kind, replaced(chunk, "sequence_number", number(x.sequence)))
	x.sequence++
	if kind == "response.output_item.done" {
		x.addOutput(gjson.Get(chunk, "item").Raw)
	}
}

// addOutput adds an item to the output of the response.
func (x *responsesEncoder) addOutput(item string) {
	if len(x.output) > 0 {
		x.output = append(x.output, ',')
	}
	x.output = append(x.output, item...)
}

func (x *responsesEncoder) end(w *writer, t *turn.Turn) {
	w.id = t.ID
	switch {
	case !w.begun:
		x.chunk(w, "error", `"code":`+quote(serverError(t))+`,"message":`+quote(t.Error)+`,"param":null`)
	case !t.Complete:
		x.chunk(w, "response.failed", `"response":`+x.response(w, "failed", "", t, t.RawUsage))
	case t.FinishReason == "completed":
		x.chunk(w, "response.completed", `"response":`+x.response(w, "completed", "", nil, t.RawUsage))
	default:
		why := incompleteReason(t)
		x.chunk(w, "response.incomplete", `"response":`+x.response(w, "incomplete", why, nil, t.RawUsage))
	}
}

// incompleteReason is why a response is not complete; nothing if the provider did not say.
func incompleteReason(t *turn.Turn) string {
	if t.FinishReason == "incomplete" {
		return ""
	}
	return t.FinishReason
}

func serverError(t *turn.Turn) string { return cmp.Or(t.ErrorCode, "server_error") }

// response is the response as a whole, as far as it is there.
func (x *responsesEncoder) response(w *writer, status, why string, failed *turn.Turn, counters string) string {
	details, broke := "null", "null"
	if why != "" {
		details = `{"reason":` + quote(why) + `}`
	}
	if failed != nil {
		broke = `{"code":` + quote(serverError(failed)) + `,"message":` + quote(failed.Error) + `}`
	}
	return `{"id":` + quote(w.id) + `,"object":"response","created_at":0,"status":"` + status + `","error":` + broke +
		`,"incomplete_details":` + details + `,"instructions":null,"metadata":{},"model":` + quote(w.model) +
		`,"output":[` + string(x.output) +
		`],"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto","tools":[],"top_p":null,"usage":` +
		counters + `}`
}

func (x *responsesEncoder) chunk(w *writer, kind, members string) {
	w.chunk(kind, `{"type":"`+kind+`","sequence_number":`+number(x.sequence)+`,`+members+`}`)
	x.sequence++
}

func at(b *openBlock) string { return `"output_index":` + number(b.index) }

// at is where the item that is being written stands, and which one it is.
func (x *responsesEncoder) at(b *openBlock) string { return at(b) + `,"item_id":` + quote(x.id) }

func summaryAt(i int) string { return `,"summary_index":` + number(i) }

// begin begins an item. It has the id that the provider gave it, for which the provider looks when it comes back. An id
// that is made up, for what is no item of the provider's, is like no other one, as no two of a request may be the same.
func (x *responsesEncoder) begin(w *writer, b *openBlock, kind, id string) {
	if id == "" || x.ids[id] {
		id = kind + "_" + strings.TrimPrefix(w.id, "resp_") + "_" + number(b.index)
	}
	x.ids[id] = true
	x.id, x.summary, x.signature = id, x.summary[:0], ""
}

// contentOf is the content of a message.
func contentOf(b *openBlock) string {
	if b.kind == turn.RefusalDelta {
		return `{"type":"refusal","refusal":` + quote(string(b.text)) + `}`
	}
	return `{"type":"output_text","text":` + quote(string(b.text)) + `,"annotations":[]}`
}

func (x *responsesEncoder) message(status, content string) string {
	return `{"type":"message","id":` + quote(x.id) + `,"role":"assistant","status":"` + status +
		`","content":[` + content + `]}`
}

// reasoning is the block of a part of the reasoning, which is begun if it is not the open one.
func (x *responsesEncoder) reasoning(w *writer, e *turn.Event) *openBlock {
	part := turn.Event{Kind: turn.ReasonDelta, Block: e.Part.Number}
	b, begins := w.block(&part, x.endBlock(w))
	if begins {
		x.begin(w, b, "rs", e.Item)
		x.chunk(w, "response.output_item.added", at(b)+`,"item":{"type":"reasoning","id":`+quote(x.id)+`,"summary":[]}`)
	}
	return b
}

// summaryOf is the text of a block in the summary of the open item, which begins if there is none.
func (x *responsesEncoder) summaryOf(w *writer, b *openBlock, block int) (i int) {
	for ; i < len(x.summary); i++ {
		if x.summary[i].block == block {
			return i
		}
	}
	x.summary = append(x.summary, summaryText{block: block})
	x.chunk(w, "response.reasoning_summary_part.added", x.at(b)+summaryAt(i)+
		`,"part":{"type":"summary_text","text":""}`)
	return i
}

func (x *responsesEncoder) endReasoning(w *writer, b *openBlock) {
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

func (x *responsesEncoder) itemDone(w *writer, b *openBlock, item string) {
	x.chunk(w, "response.output_item.done", at(b)+`,"item":`+item)
	x.addOutput(item)
}

func (x *responsesEncoder) endBlock(w *writer) func(*openBlock) {
	return func(b *openBlock) {
		if b.kind == turn.ReasonDelta {
			x.endReasoning(w, b)
			return
		}
		kind, member := "response.output_text.done", "text"
		if b.kind == turn.RefusalDelta {
			kind, member = "response.refusal.done", "refusal"
		}
		x.chunk(w, kind, x.at(b)+`,"content_index":0,"`+member+`":`+quote(string(b.text)))
		x.chunk(w, "response.content_part.done", x.at(b)+`,"content_index":0,"part":`+contentOf(b))
		x.itemDone(w, b, x.message("completed", contentOf(b)))
	}
}
