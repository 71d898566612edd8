// Package protocol reads the chunks of every provider: a chunk goes in, and steps come out, which
// are the same for all protocols. A decoder knows one provider, but neither how chunks are framed
// nor what becomes of a turn. To add a protocol is a file and a line in the list of registered ones
// in protocol.go, where the steps to take are described.
package protocol

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Name is the way in which a provider writes a streamed answer. Each protocol has its own in its file.
type Name string

// Auto is in place of a protocol that the first chunk is to show.
const Auto Name = "auto"

// registered lists the protocols in the order in which a chunk is asked for them: the first that recognizes it reads
// the stream. To add a protocol:
//
//  1. Write a file with its [Name], a function that returns its [Spec], and its [Decoder], which makes a chunk into
//     [Steps]. What a step means stands at the kinds of steps in steps.go.
//  2. Add a line here: before every protocol whose Spec also recognizes its chunks, after those whose chunks it
//     recognizes itself.
//
// Nothing else has to change to read it. Turn.Usage, in result.go, lists the names of counters that it knows. To write
// it (kfw turn --format chunks, messages of a rollback) takes another file and a line, in writings of package encode. Its
// samples for the tests stand in fuzz_test.go of package turn, which also names the protocols, in stream.go.
var registered = []Spec{
	geminiInteractions(),
	openAIResponses(),
	anthropicMessages(),
	cohereV2(),
	bedrockConverse(),
	gemini(),
	openAIChat(),
	ollama(),
}

// Register adds a protocol. Its Recognizes is asked before those of the built-in protocols.
// Register panics if the name is taken or a function is missing. Call it from init, never while a
// stream is read.
func Register(s Spec) {
	if s.Name == "" || s.Name == Auto || s.Name.Spec().Name != "" || s.Recognizes == nil || s.New == nil ||
		s.Class == nil {
		panic("protocol: " + string(s.Name) + " is registered twice, or not whole")
	}
	registered = append([]Spec{s}, registered...)
}

// Spec is one protocol: how to recognize it and how to read it.
type Spec struct {
	Name Name
	// Recognizes reports whether a chunk is one of this protocol and of no other that is asked after it.
	Recognizes func(event string, chunk gjson.Result) bool
	// New returns a decoder for the chunks of one stream.
	New func() Decoder
	// Class returns the class of a finish reason and of the native one.
	Class func(reason, native string) Class
	// Restates is whether the whole of a block comes again after its deltas.
	Restates bool
	// FindsErrors is whether its decoder finds an error object wherever a chunk has one.
	FindsErrors bool
	// LateID is whether chunks without an id may come before the first that has one.
	LateID bool
}

// Decoder translates a chunk, which is an object, into steps.
type Decoder interface {
	Decode(event string, chunk gjson.Result, to *Steps)
}

// Names returns the names of all protocols, in the order in which a chunk is asked for them.
func Names() []Name {
	names := make([]Name, len(registered))
	for i := range registered {
		names[i] = registered[i].Name
	}
	return names
}

// Spec returns the protocol of that name; the zero Spec if there is none.
func (p Name) Spec() Spec {
	for i := range registered {
		if registered[i].Name == p {
			return registered[i]
		}
	}
	return Spec{}
}

// Detect returns the protocol of a chunk, or Auto if it does not show.
func Detect(event string, chunk gjson.Result) Name {
	for i := range registered {
		if registered[i].Recognizes(event, chunk) {
			return registered[i].Name
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
	Pause         Class = "pause" // the provider goes on with the turn once it is sent back as it is
	Length        Class = "length"
	ContentFilter Class = "content_filter"
	Refusal       Class = "refusal"
	Failed        Class = "error"
)
