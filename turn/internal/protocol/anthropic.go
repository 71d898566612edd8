package protocol

import (
	"strings"

	"github.com/tidwall/gjson"
)

// AnthropicMessages is https://docs.anthropic.com/en/docs/build-with-claude/streaming
const AnthropicMessages Name = "anthropic-messages"

func anthropicMessages() Spec {
	return Spec{
		Name: AnthropicMessages,
		Recognizes: func(_ string, chunk gjson.Result) bool {
			return typed(chunk, "message_start", "message_delta", "message_stop", "content_block_") || isMessage(chunk)
		},
		Class: func(reason, _ string) Class { return anthropicClass(reason) },
		New:   func() Decoder { return &anthropicDecoder{at: make(map[Key]int)} },
	}
}

type anthropicDecoder struct {
	begun  bool
	reason string // why the message ended, if it began with its end
	blocks []anthropicBlock
	at     map[Key]int // of blocks, the last one with each key
}

// anthropicBlock is a block that began.
type anthropicBlock struct {
	key      Key
	kind, id string
}

// isMessage reports whether a chunk is a message that was not streamed.
func isMessage(chunk gjson.Result) bool {
	return chunk.Get("type").String() == "message" && chunk.Get("content").IsArray()
}

func (d *anthropicDecoder) Decode(_ string, chunk gjson.Result, to *Steps) {
	var at Key
	var kind, delta string
	w := &walker{json: chunk.Raw}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "index":
			at.Index, _ = w.number()
		case "delta":
			delta = w.raw()
		}
	})
	switch kind {
	case "message_start":
		if d.begun {
			to.contradict("a second message begins")
			return
		}
		d.begun = true
		d.begin(chunk.Get("message"), to)
	case "message": // all of it, after its blocks or in their place
		first := len(to.List)
		d.begin(chunk, to)
		to.restate(first)
		d.stop(to)
	case "content_block_start":
		block := chunk.Get("content_block")
		for _, known := range d.blocks { // the message began with it
			if known.key.Part != beganPart {
				break
			}
			if known.id != "" && known.id == Text(block.Get("id")) {
				return
			}
		}
		d.block(at, block, false, to)
	case "content_block_delta":
		d.delta(at, delta, to)
	case "content_block_stop":
		to.end(0, at)
		if d.isHosted(at) {
			to.Other(kind, false)
		}
	case "message_delta":
		reason := Text(chunk.Get("delta.stop_reason"))
		if reason != "" {
			d.reason = ""
		}
		to.note(0, StopNote, Text(chunk.Get("delta.stop_sequence")))
		to.finish(0, reason, "", anthropicClass(reason))
		if counters := chunk.Get("usage"); counters.IsObject() { // they are cumulative
			to.Add(Step{Kind: UsageStep, JSON: counters, Text: OnlyCounters})
		}
	case "message_stop":
		d.stop(to)
		to.done()
	case "ping":
	case "error":
		to.Fail(FailureOf(chunk.Get("error")))
	default:
		to.Other(kind, false)
	}
}

// begin reads the start of a message. It may already have content and a stop reason: if it was
// pre-filled, made by a program, or is the whole message. Blocks that came before are matched by
// kind, and calls by id.
func (d *anthropicDecoder) begin(message gjson.Result, to *Steps) {
	to.begin(Text(message.Get("id")), Text(message.Get("model")), Text(message.Get("role")))
	to.usage(message.Get("usage"))
	known := make(map[anthropicBlock][]Key)
	for _, b := range d.blocks {
		of := anthropicBlock{kind: b.kind, id: b.id}
		known[of] = append(known[of], b.key)
	}
	content := message.Get("content")
	if content.Type == gjson.String {
		to.text(0, Key{Part: beganPart}, Text(content))
	}
	next := Key{Part: beganPart}
	members(content, func(_ string, block gjson.Result) {
		of := anthropicBlock{kind: Text(block.Get("type")), id: Text(block.Get("id"))}
		at := next
		if same := known[of]; len(same) > 0 {
			at, known[of] = same[0], same[1:]
		} else {
			next.Index++
		}
		d.block(at, block, true, to)
		to.end(0, at)
	})
	d.reason = strings.Clone(Text(message.Get("stop_reason")))
	to.note(0, StopNote, Text(message.Get("stop_sequence")))
}

// beganPart is the part of the keys of blocks that a message began with: those that follow are
// numbered from 0, too.
const beganPart = 1

// stop ends a message that began with why it ended, if nothing said so after it.
func (d *anthropicDecoder) stop(to *Steps) {
	to.finish(0, d.reason, "", anthropicClass(d.reason))
	d.reason = ""
}

// block reads a block that begins, or one that is whole.
func (d *anthropicDecoder) block(at Key, block gjson.Result, whole bool, to *Steps) {
	began := anthropicBlock{key: at, kind: strings.Clone(Text(block.Get("type"))),
		id: strings.Clone(Text(block.Get("id")))}
	n, known := d.at[at]
	known = known && d.blocks[n] == began
	if !known && len(d.blocks) < itemsMax {
		d.at[at] = len(d.blocks)
		d.blocks = append(d.blocks, began)
	}
	switch began.kind {
	case "text":
		to.text(0, at, to.words(block.Get("text"), "text.text"))
	case "thinking":
		to.reason(0, at, "", to.words(block.Get("thinking"), "thinking.thinking"))
		to.sign(0, at, Text(block.Get("signature")))
	case "redacted_thinking":
		to.Add(Step{Kind: SignStep, Key: at, Signature: Text(block.Get("data")), Flag: true})
	case toolUse:
		to.Add(Step{Kind: CallStep, Key: at, ID: began.id, Name: Text(block.Get("name")), Flag: true})
		if input := block.Get("input"); !saysNothing(input.Raw) {
			to.Add(Step{Kind: InputStep, Key: at, JSON: input, Flag: !whole})
		}
	default:
		if began.kind == "" && !block.IsObject() {
			to.strangeCall()
			return
		}
		if known {
			return
		}
		uses := strings.HasSuffix(began.kind, "_use")
		hosted := Step{Kind: HostedStep, Name: began.kind, Flag: !uses && !strings.HasSuffix(began.kind, "_result")}
		if uses && began.kind != "server_tool_use" && began.kind != "mcp_tool_use" {
			hosted.Text = NotPassedOn
		}
		to.Add(hosted)
	}
}

// toolUse is the kind of a block that calls one of the caller's tools.
const toolUse = "tool_use"

// isHosted reports whether a block is of the provider's own tools: its arguments are no call of the caller's.
func (d *anthropicDecoder) isHosted(at Key) bool {
	n, known := d.at[at]
	if !known {
		return false
	}
	switch d.blocks[n].kind {
	case "text", "thinking", "redacted_thinking", toolUse:
		return false
	}
	return true
}

func (d *anthropicDecoder) delta(at Key, delta string, to *Steps) {
	var kind, said string
	w := &walker{json: delta}
	w.object(func(name string) {
		switch name {
		case "type":
			kind = w.text()
		case "text", "thinking", "signature":
			said = w.words("delta."+name, to)
		case "partial_json":
			said = w.argument()
		}
	})
	switch kind {
	case "text_delta":
		to.text(0, at, said)
	case "thinking_delta":
		to.reason(0, at, "", said)
	case "signature_delta":
		to.sign(0, at, said)
	case "input_json_delta":
		if d.isHosted(at) {
			to.Other(kind, false)
		} else {
			to.Add(Step{Kind: CallStep, Key: at, Text: said, Flag: true})
		}
	default:
		to.Other(kind, false)
	}
}

func anthropicClass(reason string) Class {
	switch reason {
	case "end_turn", "stop_sequence":
		return Stop
	case "pause_turn":
		return Pause
	case "tool_use":
		return ToolCalls
	case "max_tokens", "model_context_window_exceeded":
		return Length
	case "refusal":
		return Refusal
	}
	return Unknown
}
