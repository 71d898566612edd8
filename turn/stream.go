package turn

import (
	"github.com/kfw-dev/kfw/turn/protocol"
	"github.com/kfw-dev/kfw/turn/wire"
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

// Framing is how the chunks of a stream are told apart.
type Framing = wire.Framing

// The framings.
const (
	ServerSentEvents = wire.ServerSentEvents
	Lines            = wire.Lines
	BinaryFrames     = wire.BinaryFrames
	JSONArray        = wire.JSONArray
)
