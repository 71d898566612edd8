// Package encode writes a turn in the form of a provider: its events as chunks of the stream again,
// and the messages that take a turn back.
package encode

import (
	"cmp"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// Encoder writes the events of a turn as chunks of the provider's own protocol, in the framing that
// they came in, so that a client of that provider can read the guarded turn. Calls come whole,
// blocks are numbered without gaps. Chunks of items that are no part of the turn, as those of the provider's own tools
// and citations, are passed on as they came, with the number that their block has here. Signatures, encrypted reasoning
// and the ids of items are in the members that the provider wants them back in.
//
// An error that comes before the first chunk is written as Protocol has it; as OpenAI's chat
// completions do, which most speak, if nothing says which protocol it is.
type Encoder struct {
	Protocol turn.Protocol

	writer  writer
	encoder encoder
}

// encoder writes a turn in one protocol.
type encoder interface {
	// encode appends what an event is to w.
	encode(w *writer, e *turn.Event)
}

// Append appends the chunks of an event, if it is part of what the provider would have said.
func (x *Encoder) Append(dst []byte, e *turn.Event) []byte {
	switch {
	case e.Kind == turn.Started:
		x.writer = writer{framing: e.Origin.Framing, id: e.Origin.ID, model: e.Origin.Model, begun: true}
		x.encoder = encoderOf(e.Origin.Protocol)
	case e.Kind == turn.TurnEnded && x.encoder == nil:
		p := cmp.Or(e.Origin.Protocol, x.Protocol)
		if p == turn.Auto || p == "" {
			p = turn.OpenAIChat
		}
		x.writer = writer{framing: framingOf(p, e.Origin.Framing)}
		x.encoder = encoderOf(p)
	}
	if x.encoder == nil {
		return dst // nothing of the turn was understood so far
	}
	x.writer.out = dst
	x.encoder.encode(&x.writer, e)
	dst, x.writer.out = x.writer.out, nil
	return dst
}

// writing is how a protocol is written.
type writing struct {
	encoder  func() encoder                     // for the chunks of one turn
	messages func(messageWriter, *turn.Message) // writes a message as a request has it, which may be several there
	framing  wire.Framing                       // of a stream of which nothing was read but an error
	asRead   bool                               // the framing that was read comes before that one
}

// writings has every protocol that can be written. To add one: its encoder and its messages in a file, and a line here.
var writings = map[protocol.Name]writing{
	protocol.OpenAIChat: {encoder: func() encoder { return &chatEncoder{} }, messages: chatMessages},
	protocol.OpenAIResponses: {encoder: func() encoder { return &responsesEncoder{ids: make(map[string]bool)} },
		messages: responsesItems},
	protocol.AnthropicMessages: {encoder: func() encoder { return &anthropicEncoder{} }, messages: anthropicMessage},
	protocol.Gemini:            {encoder: func() encoder { return &geminiEncoder{} }, messages: geminiContent},
	protocol.GeminiInteractions: {encoder: func() encoder { return &interactionsEncoder{} },
		messages: interactionSteps},
	protocol.BedrockConverse: {encoder: func() encoder { return &bedrockEncoder{} }, messages: bedrockMessage,
		framing: wire.BinaryFrames, asRead: true},
	protocol.CohereV2: {encoder: func() encoder { return &cohereEncoder{} }, messages: cohereMessages},
	protocol.Ollama: {encoder: func() encoder { return &ollamaEncoder{} }, messages: ollamaMessages,
		framing: wire.Lines},
}

// encoderOf returns what writes a turn in a protocol.
func encoderOf(p protocol.Name) encoder {
	return writingOf(p).encoder()
}

// writingOf returns the form of a protocol. One from outside is written as most are.
func writingOf(p protocol.Name) writing {
	if f, known := writings[p]; known {
		return f
	}
	return writings[protocol.OpenAIChat]
}

// framingOf returns the framing of a stream of which nothing was read but an error.
func framingOf(p turn.Protocol, read wire.Framing) wire.Framing {
	f := writings[p]
	if f.asRead && read != "" {
		return read
	}
	return cmp.Or(f.framing, wire.ServerSentEvents)
}

// writer is where chunks are written.
type writer struct {
	out       []byte
	framing   wire.Framing
	id, model string
	begun     bool
	blocks    int            // that were begun
	open      *openBlock     // nil: none
	passed    map[string]int // blocks of items that are passed on: by the number that the provider gave them
}

// openBlock is the block that is being written.
type openBlock struct {
	number int // of the event
	index  int // on the wire
	kind   turn.Kind
	text   []byte // of it
}

// chunk writes a chunk. Only some protocols name the event of a chunk.
func (w *writer) chunk(event, json string) {
	if w.framing == wire.Lines {
		w.out = append(append(w.out, json...), '\n')
		return
	}
	if event != "" {
		w.out = append(append(append(w.out, "event: "...), event...), '\n')
	}
	w.out = append(append(append(w.out, "data: "...), json...), "\n\n"...)
}

func (w *writer) done() {
	if w.framing != wire.Lines {
		w.out = append(w.out, "data: "+wire.DoneMark+"\n\n"...)
	}
}

// passOn returns the chunk of an item that is not part of the turn. Only the block number at path
// changes: a chunk that begins a block gets the next number, a chunk of an unknown block the number
// of the open one. The result is empty if there is nothing to pass on.
func (w *writer) passOn(e *turn.Event, path string, begins bool, end func(*openBlock)) string {
	chunk := turn.OneLine(e.Other.Raw)
	at := gjson.Get(chunk, path)
	if chunk == "" || !at.Exists() || at.Index == 0 {
		return chunk
	}
	n, known := w.passed[at.Raw]
	switch {
	case begins:
		w.endBlock(end)
		if w.passed == nil {
			w.passed = make(map[string]int)
		}
		n = w.blocks
		w.passed[at.Raw] = n
		w.blocks++
	case known:
	case w.open == nil:
		return ""
	default:
		n = w.open.index
	}
	return replaced(chunk, path, number(n))
}

// replaced is JSON with another value at a path, if there is one.
func replaced(json, path, value string) string {
	had := gjson.Get(json, path)
	if !had.Exists() || had.Index == 0 {
		return json
	}
	return json[:had.Index] + value + json[had.Index+len(had.Raw):]
}

// quote is a text as JSON.
func quote(text string) string { return string(jsonx.AppendString(nil, text)) }

// quoteOrNull is null for no text.
func quoteOrNull(text string) string {
	if text == "" {
		return "null"
	}
	return quote(text)
}

func number(n int) string { return strconv.Itoa(n) }

// incomplete is the code of a turn that failed without one of the provider's.
const incomplete = "turn_incomplete"

// codeOf is the code of a turn that failed, as JSON: a number if the provider's is one.
func codeOf(t *turn.Turn) string {
	if n, err := strconv.Atoi(t.ErrorCode); err == nil && number(n) == t.ErrorCode {
		return t.ErrorCode
	}
	return quote(cmp.Or(t.ErrorCode, incomplete))
}

// object is the arguments of a call where the protocol has an object for them: others are its only member.
func object(c *turn.Call) string {
	if isObject(c) {
		return turn.OneLine(c.Arguments)
	}
	return `{"partial_arguments":` + quote(c.Arguments) + `}`
}

// reasonFor returns the finish reason: the provider's, unless that announces calls and none was let
// through.
func reasonFor(t *turn.Turn, a *turn.Answer, said turn.FinishClass, stop string) string {
	if said == turn.ToolCalls && a.Class == turn.Stop && t.Blocked > 0 {
		return stop
	}
	return a.FinishReason
}

// block makes the block of an event the open one. It reports whether that begins one.
func (w *writer) block(e *turn.Event, end func(*openBlock)) (b *openBlock, begins bool) {
	if w.open != nil && w.open.number == e.Block && w.open.kind == e.Kind {
		return w.open, false
	}
	w.endBlock(end)
	w.open = &openBlock{number: e.Block, index: w.blocks, kind: e.Kind}
	w.blocks++
	return w.open, true
}

// endBlock ends the open block.
func (w *writer) endBlock(end func(*openBlock)) {
	if w.open != nil {
		end(w.open)
		w.open = nil
	}
}
