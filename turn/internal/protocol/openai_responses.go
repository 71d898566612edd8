package protocol

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"
)

// OpenAIResponses is https://platform.openai.com/docs/api-reference/responses-streaming
//
// What says something of an item is matched to it by the id of the call, then by that of the item,
// then by its place in the output: some producers give an item another id in every event, others
// give two items one place.
const OpenAIResponses Name = "openai-responses"

func openAIResponses() Spec {
	return Spec{
		Name: OpenAIResponses,
		Recognizes: func(_ string, chunk gjson.Result) bool {
			return typed(chunk, "response.") || chunk.Get("object").String() == "response" &&
				chunk.Get("output").IsArray()
		},
		Class:    responsesClass,
		New:      func() Decoder { return &responsesDecoder{at: make(map[int]int)} },
		Restates: true,
	}
}

type responsesDecoder struct {
	begun bool
	items []outputItem
	at    map[int]int    // the last item at a place in the output
	calls map[string]int // items by the id of their call
	ids   map[string]int // items by their own id
}

// outputItem is an item of the output, as far as it is known. Its number is the index of its key.
type outputItem struct {
	kind, id, call, name string
	place                int
	declared             bool // it was added or done, and not only written to
	done                 bool
	isHosted             bool // it was passed on as a hosted one
	inTerminal           bool // the terminal response has it
}

// Kinds of items that are in a turn.
const (
	messageItem   = "message"
	reasoningItem = "reasoning"
	functionItem  = "function_call"
	customItem    = "custom_tool_call"
)

// itemsMax bounds how many items are told apart.
const itemsMax = 1 << 17

func (d *responsesDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	var kind, delta, id string
	var isString bool
	var place, content, summary int
	w := &walker{json: chunk.Raw}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "output_index":
			place, _ = w.number()
		case "content_index":
			content, _ = w.number()
		case "summary_index":
			summary, _ = w.number()
		case "delta":
			if isString = w.next() == '"'; isString {
				delta = w.text()
			} else {
				delta = w.argument()
			}
		case "item_id":
			id = w.text()
		}
	})
	if ofCall := strings.Contains(kind, "_call"); delta != "" && !isString && !ofCall {
		if delta = ""; kind != "" {
			to.strange(kind)
		}
	}
	in := func(kind string, part int) Key { return Key{Index: d.written(kind, id, place), Part: part} }
	switch kind {
	case "response.output_text.delta":
		to.text(0, in(messageItem, content), delta)
	case "response.output_text.done":
		at := in(messageItem, content)
		d.restate(TextBlock, at, Text(chunk.Get("text")), true, to)
		to.end(0, at) // the next text goes on with what is held of it
	case "response.refusal.delta":
		to.refusal(0, in(messageItem, content), delta)
	case "response.refusal.done":
		at := in(messageItem, content)
		d.restate(RefusalBlock, at, Text(chunk.Get("refusal")), true, to)
		to.end(0, at)
	case "response.reasoning_summary_text.delta":
		to.reason(0, in(reasoningItem, summaryPart(summary)), "", delta)
	case "response.reasoning_summary_text.done":
		d.restate(ReasoningBlock, in(reasoningItem, summaryPart(summary)), Text(chunk.Get("text")), true, to)
	case "response.reasoning_text.delta":
		to.reason(0, in(reasoningItem, contentPart(content)), "", delta)
	case "response.reasoning_text.done":
		d.restate(ReasoningBlock, in(reasoningItem, contentPart(content)), Text(chunk.Get("text")), true, to)
	case "response.function_call_arguments.delta":
		to.Add(Step{Kind: CallStep, Key: in(functionItem, 0), Text: delta, Flag: true})
	case "response.function_call_arguments.done":
		to.input(0, in(functionItem, 0), chunk.Get("arguments"))
	case "response.custom_tool_call_input.delta":
		to.Add(Step{Kind: CallStep, Key: in(customItem, 0), Text: delta, Flag: true, Custom: true})
	case "response.custom_tool_call_input.done":
		to.input(0, in(customItem, 0), chunk.Get("input"))
	case "response.output_item.added":
		item := chunk.Get("item")
		d.item(d.added(item, place), item, false, to)
	case "response.output_item.done":
		item := chunk.Get("item")
		n := d.complete(item, place)
		if d.items[n].isHosted && !isForCaller(d.items[n].kind) { // it was told when it was added
			to.Other(kind, false)
		}
		d.item(n, item, true, to)
	case "response.created":
		if d.begun {
			to.contradict("a second response begins")
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
	case "response.content_part.added", "response.content_part.done",
		"response.reasoning_summary_part.added", "response.reasoning_summary_part.done":
	case "": // a response that was not streamed
		d.terminal("", chunk, to)
	default:
		to.Other(kind, false)
	}
}

// A part of a reasoning item is of its summary or of its content.
func summaryPart(index int) int { return index * 2 }
func contentPart(index int) int { return index*2 + 1 }

// written returns the item that a delta belongs to, which is made if there is none.
func (d *responsesDecoder) written(kind, id string, place int) int {
	n, isThere := d.at[place]
	isThere = isThere && d.items[n].kind == kind
	if isThere && (id == "" || d.items[n].id == id) {
		return n
	}
	if known, ok := d.ids[id]; ok && d.items[known].kind == kind {
		return known
	}
	if isThere {
		return n
	}
	return d.open(outputItem{kind: kind, id: id, place: place})
}

// open makes an item.
func (d *responsesDecoder) open(item outputItem) int {
	if len(d.items) == itemsMax {
		return itemsMax - 1
	}
	item.kind, item.name = strings.Clone(item.kind), strings.Clone(item.name)
	d.items = append(d.items, item)
	n := len(d.items) - 1
	d.at[item.place] = n
	d.items[n].id, d.items[n].call = "", ""
	d.identify(n, item.id, item.call)
	return n
}

// identify notes the ids of an item. It keeps those that the item has.
func (d *responsesDecoder) identify(n int, id, call string) {
	if d.ids == nil {
		d.ids, d.calls = make(map[string]int), make(map[string]int)
	}
	item := &d.items[n]
	if id != "" {
		id = strings.Clone(id)
		d.ids[id] = n
		item.id = cmp.Or(item.id, id)
	}
	if call != "" && item.call == "" {
		item.call = strings.Clone(call)
		d.calls[item.call] = n
	}
}

// describe returns what an item says of itself.
func describe(item gjson.Result, place int) outputItem {
	return outputItem{kind: Text(item.Get("type")), id: Text(item.Get("id")), call: Text(item.Get("call_id")),
		name: Text(item.Get("name")), place: place}
}

// isSame reports whether an item of the output can be the one described: of the same kind, and no
// other call.
func (known *outputItem) isSame(item outputItem) bool {
	return known.kind == item.kind && (known.name == "" || item.name == "" || known.name == item.name)
}

// byID returns the item that has the same id of a call, or the same id.
func (d *responsesDecoder) byID(item outputItem) (n int, ok bool) {
	if n, ok = d.calls[item.call]; ok && d.items[n].kind == item.kind {
		return n, true
	}
	n, ok = d.ids[item.id]
	if ok && d.items[n].isSame(item) && (item.call == "" || d.items[n].call == "") {
		return n, true
	}
	return 0, false
}

// added returns the item that begins.
func (d *responsesDecoder) added(item gjson.Result, place int) int {
	described := describe(item, place)
	n, ok := d.byID(described)
	if !ok {
		n, ok = d.at[place]
		ok = ok && d.items[n].isSame(described) && !d.items[n].declared
	}
	return d.declare(n, ok, described)
}

// complete returns the item that is done.
func (d *responsesDecoder) complete(item gjson.Result, place int) int {
	described := describe(item, place)
	n, ok := d.byID(described)
	if !ok {
		n, ok = d.at[place]
		ok = ok && d.items[n].isSame(described) && !d.items[n].done
	}
	n = d.declare(n, ok, described)
	d.items[n].done = true
	return n
}

func (d *responsesDecoder) declare(n int, known bool, described outputItem) int {
	if known {
		d.identify(n, described.id, described.call)
	} else {
		n = d.open(described)
	}
	d.items[n].declared = true
	return n
}

func (d *responsesDecoder) begin(response gjson.Result, to *Steps) {
	to.Add(Step{Kind: BeginStep, ID: Text(response.Get("id")), Name: Text(response.Get("model")), Text: "assistant",
		Flag: true})
}

// restate says what a text is: as a whole, or unless more of it comes.
func (d *responsesDecoder) restate(kind string, at Key, words string, whole bool, to *Steps) {
	if words != "" {
		to.Add(Step{Kind: RestateStep, Key: at, Name: kind, Text: words, Flag: !whole})
	}
}

// item reads item n of the output, which is complete or only begins.
func (d *responsesDecoder) item(n int, item gjson.Result, complete bool, to *Steps) {
	at := Key{Index: n}
	known := &d.items[n]
	id := Text(item.Get("id"))
	switch kind := Text(item.Get("type")); kind {
	case messageItem:
		to.Add(Step{Kind: ItemStep, Key: at, ID: id})
		part := 0
		members(item.Get("content"), func(_ string, content gjson.Result) {
			at := Key{Index: n, Part: part}
			part++
			if content.Type == gjson.String {
				d.restate(TextBlock, at, Text(content), complete, to)
			} else if !has(content, "text") && !has(content, "refusal") {
				to.Other("content."+Text(content.Get("type")), true)
			}
			d.restate(TextBlock, at, to.words(content.Get("text"), "content.text"), complete, to)
			d.restate(RefusalBlock, at, to.words(content.Get("refusal"), "content.refusal"), complete, to)
			if complete {
				to.end(0, at)
			}
		})
	case reasoningItem:
		to.reason(0, at, id, "")
		d.reasoning(n, item, complete, to)
		if complete {
			to.sign(0, at, Text(item.Get("encrypted_content")))
		}
	case functionItem, customItem:
		custom := kind == customItem
		to.Add(Step{Kind: CallStep, Key: at, ID: known.call, Name: Text(item.Get("name")), Flag: true, Custom: custom})
		to.Add(Step{Kind: ItemStep, Key: at, ID: id})
		arguments := item.Get("arguments")
		if custom {
			arguments = item.Get("input")
		}
		if arguments.Type != gjson.Null && (arguments.Type != gjson.String || arguments.Str != "") {
			to.Add(Step{Kind: InputStep, Key: at, JSON: arguments, Flag: !complete && saysNothing(arguments.Raw)})
		}
	default:
		if !known.isHosted {
			known.isHosted = true
			hosted := Step{Kind: HostedStep, Name: kind}
			if isForCaller(kind) {
				hosted.Flag, hosted.Text = true, NotPassedOn
			}
			to.Add(hosted)
		}
	}
	if complete {
		to.end(0, at)
	}
}

// isForCaller reports whether an item asks the caller to do something in another form than a call
// of a tool. Such items are not let through.
func isForCaller(kind string) bool {
	switch kind {
	case "computer_call", "local_shell_call", "shell_call", "apply_patch_call", "mcp_approval_request":
		return true
	}
	return false
}

func (d *responsesDecoder) reasoning(n int, item gjson.Result, complete bool, to *Steps) {
	for _, list := range []struct {
		name string
		part func(int) int
	}{{"summary", summaryPart}, {"content", contentPart}} {
		count := 0
		members(item.Get(list.name), func(_ string, piece gjson.Result) {
			at := Key{Index: n, Part: list.part(count)}
			count++
			d.restate(ReasoningBlock, at, Text(piece.Get("text")), complete, to)
			if complete && at.Part > 0 {
				to.end(0, at)
			}
		})
	}
}

// terminal reads the response as a whole. Its output is what was meant, unless it is empty.
func (d *responsesDecoder) terminal(status string, response gjson.Result, to *Steps) {
	d.begin(response, to)
	output := response.Get("output").Array()
	for i, n := range d.match(output) {
		if n != unmatched {
			d.item(n, output[i], true, to)
		}
	}
	status = cmp.Or(Text(response.Get("status")), status)
	detail := Text(response.Get("incomplete_details.reason"))
	to.usage(response.Get("usage"))
	reason := status
	if status == "incomplete" {
		reason = cmp.Or(detail, status)
	}
	to.finish(0, reason, "", responsesClass(status, detail))
	if failure := response.Get("error"); failure.IsObject() {
		to.Fail(FailureOf(failure))
	} else if status == "failed" || status == "cancelled" {
		to.Fail(status, "")
	}
	to.done()
}

// unmatched is in place of the number of an item that the terminal output has twice.
const unmatched = -1

// match returns which item each one of the terminal output is: first those whose ids are known,
// then those at the same place, then the first one left of the same kind.
func (d *responsesDecoder) match(output []gjson.Result) []int {
	found := make([]int, len(output))
	described := make([]outputItem, len(output))
	for i := range d.items {
		d.items[i].inTerminal = false
	}
	pass := func(find func(i int) (n int, ok bool)) {
		for i := range output {
			if found[i] != unmatched {
				continue
			}
			if n, ok := find(i); ok && !d.items[n].inTerminal {
				found[i], d.items[n].inTerminal = n, true
			}
		}
	}
	for i := range output {
		found[i], described[i] = unmatched, describe(output[i], i)
	}
	pass(func(i int) (int, bool) { return d.byID(described[i]) })
	pass(func(i int) (int, bool) {
		n, ok := d.at[i]
		return n, ok && d.items[n].isSame(described[i])
	})
	next := make(map[string]int) // the first item of a kind and name that may be left
	pass(func(i int) (int, bool) {
		of := described[i].kind + " " + described[i].name
		for n := next[of]; n < len(d.items); n++ {
			if next[of] = n; !d.items[n].inTerminal && d.items[n].isSame(described[i]) {
				return n, true
			}
		}
		return 0, false
	})
	for i := range output {
		n := found[i]
		if _, twice := d.byID(described[i]); twice && n == unmatched {
			continue
		}
		found[i] = d.declare(n, n != unmatched, described[i])
		d.items[found[i]].inTerminal = true
	}
	return found
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
