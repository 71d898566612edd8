// Package protocol reads the chunks of every provider: a chunk goes in, and what it says comes out
// as steps, which are the same for all protocols. A decoder knows one provider, and neither how
// chunks are framed nor what becomes of a turn. To add a protocol is a file and a line in [Names]
// and [Name.Spec].
package protocol

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Name is the way in which a provider writes a streamed answer.
type Name string

// The protocols. Auto is told apart from the first chunk that shows which it is.
const (
	Auto               Name = "auto"
	OpenAIChat         Name = "openai-chat"
	OpenAIResponses    Name = "openai-responses"
	AnthropicMessages  Name = "anthropic-messages"
	Gemini             Name = "gemini"
	GeminiInteractions Name = "gemini-interactions"
	BedrockConverse    Name = "bedrock-converse"
	CohereV2           Name = "cohere-v2"
	Ollama             Name = "ollama"
)

// Spec is one protocol: how to recognize it and how to read it.
type Spec struct {
	// is reports whether a chunk is one of this protocol and of no other that is asked after it.
	is func(event string, chunk gjson.Result) bool
	// New makes what translates the chunks of one stream into steps.
	New func() Decoder
	// Class returns the class of a finish reason and of the native one.
	Class func(reason, native string) Class
	// Restates is whether the whole of a block is said again after its deltas.
	Restates bool
	// FindsErrors is whether its decoder finds an error object wherever a chunk has one.
	FindsErrors bool
}

// Decoder translates a chunk, which is an object, into steps.
type Decoder interface {
	Decode(event string, chunk gjson.Result, to *Steps)
}

// Names returns the names of all protocols, in the order in which a chunk is asked for them.
func Names() []Name {
	return []Name{GeminiInteractions, OpenAIResponses, AnthropicMessages, CohereV2, BedrockConverse, Gemini,
		OpenAIChat, Ollama}
}

// Spec returns the protocol of that name; the zero Spec if there is none.
func (p Name) Spec() Spec {
	switch p {
	case OpenAIChat:
		return openAIChat()
	case OpenAIResponses:
		return openAIResponses()
	case AnthropicMessages:
		return anthropicMessages()
	case Gemini:
		return gemini()
	case GeminiInteractions:
		return geminiInteractions()
	case BedrockConverse:
		return bedrockConverse()
	case CohereV2:
		return cohereV2()
	case Ollama:
		return ollama()
	}
	return Spec{}
}

// Detect returns the protocol of a chunk, or Auto if it does not show.
func Detect(event string, chunk gjson.Result) Name {
	for _, p := range Names() {
		if p.Spec().is(event, chunk) {
			return p
		}
	}
	return Auto
}

// has reports whether an object has a member of that name.
func has(chunk gjson.Result, name string) bool { return chunk.Get(name).Exists() }

// typed reports whether an object's type begins with one of these.
func typed(chunk gjson.Result, begins ...string) bool {
	kind := chunk.Get("type").String()
	for _, begin := range begins {
		if strings.HasPrefix(kind, begin) {
			return true
		}
	}
	return false
}

// members calls visit with every member of an object, or every element of an array.
func members(of gjson.Result, visit func(name string, value gjson.Result)) {
	of.ForEach(func(name, value gjson.Result) bool {
		visit(name.Str, value)
		return true
	})
}

// FailureOf reads an error object, which is where a provider says what went wrong, in any protocol.
func FailureOf(of gjson.Result) (code, message string) {
	if of.Type == gjson.String {
		return "", of.Str
	}
	for _, name := range []string{"type", "code", "status"} {
		if said := of.Get(name); code == "" && said.Type != gjson.Null && said.String() != "error" {
			code = said.String()
		}
	}
	return code, of.Get("message").String()
}

// Class is why a turn ended, in words that are the same for all providers.
type Class string

// The classes.
const (
	Unknown       Class = "unknown" // it did not say, or nothing that is known
	Stop          Class = "stop"
	ToolCalls     Class = "tool_calls"
	Length        Class = "length"
	ContentFilter Class = "content_filter"
	Refusal       Class = "refusal"
	Failed        Class = "error"
)
