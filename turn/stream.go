package turn

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// Protocol is the way in which a provider writes a streamed answer.
type Protocol = protocol.Name

// The protocols. Auto is recognized by the first chunk that shows which it is.
const (
	Auto               = protocol.Auto
	OpenAIChat         = protocol.OpenAIChat
	OpenAIResponses    = protocol.OpenAIResponses
	AnthropicMessages  = protocol.AnthropicMessages
	Gemini             = protocol.Gemini
	GeminiInteractions = protocol.GeminiInteractions
	BedrockConverse    = protocol.BedrockConverse
	CohereV2           = protocol.CohereV2
	Ollama             = protocol.Ollama
)

// Protocols returns the names of all protocols.
func Protocols() []Protocol { return protocol.Names() }

// Register adds a protocol from outside: see package protocol, whose Steps say what a chunk may be made into. Chunks of
// it are written as OpenAI's chat completions have them.
func Register(s protocol.Spec) { protocol.Register(s) }

// Framing is how the chunks of a stream are distinguished.
type Framing = wire.Framing

// The framings.
const (
	ServerSentEvents = wire.ServerSentEvents
	Lines            = wire.Lines
	BinaryFrames     = wire.BinaryFrames
	JSONArray        = wire.JSONArray
)

// stream makes steps of bytes: it cuts them into chunks, finds out which protocol the chunks are of, and decodes them.
type stream struct {
	in      *wire.Reader
	head    []byte           // of what is not known to be an answer
	spec    protocol.Spec    // of the protocol
	decoder protocol.Decoder // nil until the protocol is known
	item    wire.Item        // the chunk that is read
	steps   protocol.Steps   // of it
	next    int              // the first one of steps that was not taken
}

// headMax is how much of a stream that may be no answer is kept, in bytes. It is long enough for
// redaction to see a secret in the first words whole.
const headMax = 4 << 10

// note keeps the beginning of what may be no answer.
func (s *stream) note(b []byte) {
	if s.decoder == nil && len(s.head) < headMax {
		s.head = append(s.head, b[:min(len(b), headMax-len(s.head))]...)
	}
}

// firstWords returns the first words of what is no answer, without the marks of HTML.
func (s *stream) firstWords(redact *redactors) string {
	const first, most = headMax / 4, 80 // bytes: with marks, and shown
	words, text := "", redact.whole(protocol.Joined(string(s.head)))
	text = strings.ToValidUTF8(text[:min(len(text), first)], "")
	for _, word := range strings.Fields(tags().ReplaceAllString(text, " ")) {
		if len(words)+len(word) > most {
			return words + " …"
		}
		words += " " + word
	}
	return words
}

var tags = lazy.Regexp(`(?s)<(style|script).*?</(style|script)>|<[^>]*>`)

// use has the chunks read as those of a protocol.
func (s *stream) use(p Protocol) {
	s.spec = p.Spec()
	s.spec.Name = p
	if s.spec.New != nil {
		s.decoder = s.spec.New()
	}
}

// step returns the next step of the chunk that is read; nil if there is none. It is valid until more is read.
func (s *stream) step() *protocol.Step {
	if !s.hasSteps() {
		return nil
	}
	s.next++
	return &s.steps.List[s.next-1]
}

// hasSteps reports whether there are steps that were not taken.
func (s *stream) hasSteps() bool { return s.next < len(s.steps.List) }

// forget drops the steps of the last chunk.
func (s *stream) forget() {
	clear(s.steps.List)
	s.steps.List, s.next = s.steps.List[:0], 0
}

// isPassedOn reports whether the chunk contains nothing but an item that is not part of the turn.
func (s *stream) isPassedOn() bool {
	items := 0
	for i := range s.steps.List {
		switch s.steps.List[i].Kind {
		case protocol.OtherStep, protocol.HostedStep:
			items++
		case protocol.BeginStep, protocol.EndStep, protocol.ItemStep:
		default:
			return false
		}
	}
	return items == 1
}

// decode makes steps of a chunk. The turn has begun if a chunk before it said something.
func (s *stream) decode(from wire.Item, begun bool) {
	s.item = from
	chunk := gjson.Parse(from.JSON)
	if s.decoder == nil {
		if p := protocol.Detect(from.Event, chunk); p != Auto {
			s.use(p)
		}
	}
	if s.decoder == nil {
		if !s.failure(from.Event, chunk, begun) {
			s.steps.Other(chunk.Get("type").String(), false)
		}
		return
	}
	if !begun && isFromProxy(from.Event, chunk) && s.failure(from.Event, chunk, begun) {
		return
	}
	s.decoder.Decode(from.Event, chunk, &s.steps)
	mayFail := !s.spec.FindsErrors && strings.Contains(from.JSON, `"error"`)
	if mayFail || from.Event == errorEvent {
		for i := range s.steps.List {
			if s.steps.List[i].Kind == protocol.FailStep {
				return
			}
		}
		s.failure(from.Event, chunk, begun)
	}
}

// errorEvent is the type of an event or a chunk that is an error in any protocol.
const errorEvent = "error"

// failure adds a step for an error object where every protocol may have one. It reports whether there is one.
func (s *stream) failure(event string, chunk gjson.Result, begun bool) bool {
	failure := chunk.Get("error")
	switch {
	case failure.IsObject(), failure.Type == gjson.String && failure.Str != "":
		s.steps.Fail(protocol.FailureOf(failure))
	case event == errorEvent || chunk.Get("type").String() == errorEvent:
		s.steps.Fail(protocol.FailureOf(chunk))
	case !begun && isFromProxy(event, chunk):
		s.steps.Fail("", plainMessage(chunk))
	default:
		return false
	}
	return true
}

// isFromProxy reports whether the first chunk of a stream is from what stands before the provider: no protocol has such
// a chunk, and it has a message.
func isFromProxy(event string, chunk gjson.Result) bool {
	return plainMessage(chunk) != "" && protocol.Detect(event, chunk) == Auto
}

// plainMessage returns the message of an object that has one where a proxy writes it.
func plainMessage(chunk gjson.Result) string {
	for _, name := range []string{"message", "Message", "detail"} {
		if said := chunk.Get(name); said.Type == gjson.String {
			return said.Str
		}
	}
	return ""
}
