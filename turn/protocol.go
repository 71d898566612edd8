package turn

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Protocol is the way in which a provider writes a streamed answer.
type Protocol string

// The protocols. Auto is told apart from the first chunk that shows which it is.
const (
	Auto               Protocol = "auto"
	OpenAIChat         Protocol = "openai-chat"
	OpenAIResponses    Protocol = "openai-responses"
	AnthropicMessages  Protocol = "anthropic-messages"
	Gemini             Protocol = "gemini"
	GeminiInteractions Protocol = "gemini-interactions"
	BedrockConverse    Protocol = "bedrock-converse"
	CohereV2           Protocol = "cohere-v2"
	Ollama             Protocol = "ollama"
)

// codec is one protocol. What it decodes are steps, which are the same for all protocols; what becomes of them is the
// Assembler's. What it encodes is what the Assembler let through.
type codec struct {
	// is reports whether a chunk is one of this protocol and of no other that is asked after it.
	is func(event string, chunk gjson.Result) bool
	// decoder makes what translates the chunks of one stream into steps.
	decoder func() decoder
	// restates is whether the whole of a block is said again after its deltas.
	restates bool
	// tellsErrors is whether its decoder finds an error object wherever a chunk has one.
	tellsErrors bool
	// encoder makes what writes a turn as chunks of this protocol.
	encoder func() encoder
}

// decoder translates a chunk, which is an object, into steps.
type decoder interface {
	decode(event string, chunk gjson.Result, to *steps)
}

// Protocols returns the names of all protocols, in the order in which a chunk is asked for them.
func Protocols() []Protocol {
	return []Protocol{GeminiInteractions, OpenAIResponses, AnthropicMessages, CohereV2, BedrockConverse, Gemini,
		OpenAIChat, Ollama}
}

func (p Protocol) codec() codec {
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
	return codec{}
}

// detect returns the protocol of a chunk, or Auto if it does not show.
func detect(event string, chunk gjson.Result) Protocol {
	for _, p := range Protocols() {
		if p.codec().is(event, chunk) {
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

// text is a string, or nothing if it is null or something else.
func text(of gjson.Result) string {
	if of.Type != gjson.String {
		return ""
	}
	return of.Str
}

// failureOf reads an error object, which is where a provider says what went wrong, in any protocol.
func failureOf(of gjson.Result) (code, message string) {
	if of.Type == gjson.String {
		return "", of.Str
	}
	for _, name := range []string{"type", "code", "status"} {
		if code == "" && of.Get(name).Type != gjson.Null {
			code = of.Get(name).String()
		}
	}
	return code, of.Get("message").String()
}
