package turn

import (
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Kind is what an event tells.
type Kind string

// The kinds of events. AwaitVerdict is for the caller of the Assembler alone and is no line of output.
const (
	Started      Kind = "start"      // ID, Model, Protocol, Framing, Usage so far
	TextDelta    Kind = "text"       // Text
	RefusalDelta Kind = "refusal"    // Text
	ReasonDelta  Kind = "reason"     // Block, Part, Text
	ReasonEnded  Kind = "reason_end" // Block, Part, ID, Signed, Signature, Hidden, Replaced
	CallBegan    Kind = "call"       // Block, ID, Minted, Name, RepairedFrom
	ArgsDelta    Kind = "args"       // Block, Text: only with Options.StreamArguments
	InvalidCall  Kind = "invalid"    // Block, ID, Name, Arguments, Advertised, Allowed, Now: Resolve is to be called
	Resolved     Kind = "resolved"   // Block, Action, Name
	RolledBack   Kind = "rollback"   // Messages
	AwaitVerdict Kind = "await"      // Block, ID, Name, Arguments, Valid, Now: Decide is to be called
	Judged       Kind = "verdict"    // Block, Action, Text, Why, FailSafe; of Rewrite Arguments
	CallEnded    Kind = "call_end"   // Block, ID, Name, Arguments, Valid: a call that is let through
	OtherItem    Kind = "other"      // Type, Count: how many of that type there were so far
	UsageTold    Kind = "usage"      // Usage
	Warned       Kind = "warn"       // Code, At
	Broke        Kind = "error"      // Code, Message; of a refused call Name, Advertised, Allowed
	TurnEnded    Kind = "turn"       // Turn, Protocol, Framing: always the last one
)

// Event is one thing that happened to a turn. The kind says which of the fields it has. Strings stay valid.
type Event struct {
	Kind   Kind
	Block  int // number of the block in order of arrival, from 1
	Choice int // which answer, if several were asked for
	Part   int // of the reasoning: the number of its first block

	// Item is the id of the item that a text, a call or a part of the reasoning is in, if the provider has items.
	Item string

	ID, Model string
	Protocol  Protocol
	Text      string
	Framing   Framing
	Signed    bool   // the part has a signature of the provider
	Signature string // this one, or that of a call
	// What the provider calls a part of the reasoning of this sort, the format that its signature
	// is in, if there are several, and the number that the provider gave the part.
	SignatureType, SignatureFormat string
	Index                          int
	Hidden                         string // content of the part that the provider does not show
	Replaced                       bool   // what the provider said in the end is not what it had streamed

	Name                string
	RepairedFrom        string // the name that the model gave
	Minted              bool   // the provider gives calls no id: this one was made up
	Arguments           string
	Valid               bool // the arguments are JSON, or those of a custom tool
	Custom              bool // the tool takes text: the arguments are no JSON
	Advertised, Allowed []string

	Action   Action
	Why      string
	FailSafe bool // blocked as there was no answer that could be understood
	Messages []Message

	Type          string
	Count         int
	Code, Message string
	At            int64  // line, or number of the binary frame, from 1
	Usage         string // JSON
	Turn          *Turn

	now Snapshot
}

// Now returns what was assembled before the question that an InvalidCall or an AwaitVerdict is. It
// is valid until the answer.
func (e *Event) Now() Snapshot { return e.now }

// asks reports whether an event is a question that waits for an answer.
func (e *Event) asks() bool { return e.Kind == InvalidCall || e.Kind == AwaitVerdict }

// Codes of warnings.
const (
	warnMalformedLine   = "malformed_line"
	warnIndexReused     = "index_reused"
	warnIDRotated       = "id_rotated"
	warnTruncatedArgs   = "truncated_args"
	warnAfterFinish     = "after_finish"
	warnExcludedContent = "excluded_content"
	warnNameConflict    = "name_conflict"
)

// Codes of errors. Those of a provider are passed on with its own code in the message's stead.
const (
	codeProvider     = "provider_error"
	codeInconsistent = "inconsistent"
	codeIncomplete   = "incomplete"
	codeRefused      = "invalid_call"
	codeDenied       = "call_denied"
	codePolicy       = "policy"
	codeHeld         = "held"
	codeAbandoned    = "abandoned"
	codeTooLong      = "line_too_long"
	codeTooLarge     = "too_large"
	codeCorrupt      = "corrupt_frame"
	codeUnknown      = "unknown_protocol"
)

// AppendJSON appends the event as a JSON object, without a line end.
func (e *Event) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"e":`...)
	dst = jsonx.AppendString(dst, string(e.Kind))
	if e.Block > 0 && e.Kind != TextDelta && e.Kind != RefusalDelta {
		dst = appendNumber(dst, "k", int64(e.Block))
	}
	if e.Choice > 0 {
		dst = appendNumber(dst, "choice", int64(e.Choice))
	}
	switch e.Kind {
	case Started:
		dst = appendOrNull(appendOrNull(dst, "id", e.ID), "model", e.Model)
		dst = appendText(dst, "protocol", string(e.Protocol))
	case TextDelta, RefusalDelta, ReasonDelta, ArgsDelta:
		dst = appendText(dst, "d", e.Text)
	case ReasonEnded:
		dst = appendNonEmpty(dst, "id", e.ID)
		dst = appendBool(appendBool(dst, "signed", e.Signed), "replaced", e.Replaced)
	case CallBegan:
		dst = appendFlag(appendText(dst, "id", e.ID), "minted", e.Minted)
		dst = appendNonEmpty(appendText(dst, "name", e.Name), "repaired_from", e.RepairedFrom)
	case InvalidCall:
		dst = appendText(appendText(appendText(dst, "id", e.ID), "name", e.Name), "args", e.Arguments)
		dst = appendStrings(appendStrings(dst, "advertised", e.Advertised), "allowed", e.Allowed)
	case Resolved:
		dst = appendNonEmpty(appendText(dst, "act", string(e.Action)), "name", e.Name)
	case RolledBack:
		dst = appendMessages(appendName(dst, "messages"), e.Messages)
	case Judged:
		dst = appendNonEmpty(appendNonEmpty(appendText(dst, "act", string(e.Action)), "text", e.Text), "why", e.Why)
		if e.Action == Rewrite {
			dst = appendArguments(dst, "args", e.Arguments, !e.Custom)
		}
		dst = appendFlag(dst, "failsafe", e.FailSafe)
	case CallEnded, AwaitVerdict:
		dst = appendText(appendText(dst, "id", e.ID), "name", e.Name)
		dst = appendBool(appendArguments(dst, "args", e.Arguments, e.Valid && !e.Custom), "valid", e.Valid)
		dst = appendFlag(dst, "custom", e.Custom)
	case OtherItem:
		dst = appendNumber(appendText(dst, "type", e.Type), "n", int64(e.Count))
	case UsageTold:
		dst = appendRaw(dst, "usage", e.Usage)
	case Warned:
		dst = appendNumber(appendText(dst, "code", e.Code), "at", e.At)
	case Broke:
		dst = appendText(appendText(dst, "code", e.Code), "message", e.Message)
		if e.Name != "" {
			dst = appendText(dst, "name", e.Name)
			dst = appendStrings(appendStrings(dst, "advertised", e.Advertised), "allowed", e.Allowed)
		}
	case TurnEnded:
		dst = appendBool(dst, "complete", e.Turn.Complete)
		if e.Turn.Blocked > 0 {
			dst = appendNumber(dst, "blocked", int64(e.Turn.Blocked))
		}
		dst = e.Turn.AppendJSON(appendName(dst, "turn"))
	}
	return append(dst, '}')
}

func appendNumber(dst []byte, name string, n int64) []byte {
	return strconv.AppendInt(appendName(dst, name), n, 10)
}

// appendArguments appends the arguments of a call: the value, or the text of it if it is none.
func appendArguments(dst []byte, name, arguments string, valid bool) []byte {
	if valid {
		return appendRaw(dst, name, OneLine(arguments))
	}
	return appendText(dst, name, arguments)
}
