package turn

import "github.com/kfw-dev/kfw/internal/jsonx"

// Kind is what an event reports.
type Kind string

// The kinds of events, each with the fields that its events have. AwaitVerdict is for the caller of the Assembler
// alone and is no line of output.
const (
	Started      Kind = "start"      // Origin, Usage so far
	TextDelta    Kind = "text"       // Block, Choice, Item, Text
	TextEnded    Kind = "text_end"   // Block, Choice, Part: a text that is signed
	RefusalDelta Kind = "refusal"    // Block, Choice, Item, Text
	ReasonDelta  Kind = "reason"     // Block, Choice, Item, Text, Part: without a signature
	ReasonEnded  Kind = "reason_end" // Block, Choice, Item, Part
	CallBegan    Kind = "call"       // Block, Choice, Call: without arguments
	ArgsDelta    Kind = "args"       // Block, Choice, Text: only with Options.StreamArguments
	InvalidCall  Kind = "invalid"    // Block, Choice, Call, Tools, Now: Resolve is to be called
	Resolved     Kind = "resolved"   // Block, Choice, Resolution
	RolledBack   Kind = "rollback"   // Messages
	AwaitVerdict Kind = "await"      // Block, Choice, Call, Now: Decide is to be called
	Judged       Kind = "verdict"    // Block, Choice, Call, Verdict
	CallEnded    Kind = "call_end"   // Block, Choice, Call: it is let through
	OtherItem    Kind = "other"      // Other
	UsageTold    Kind = "usage"      // Usage
	Warned       Kind = "warn"       // Notice
	Broke        Kind = "error"      // Notice; if a call was refused Call: its name, and Tools
	TurnEnded    Kind = "turn"       // Turn, Origin: the last one, unless the cost is told after it
)

// Event is one thing that happened to a turn. The kind says which of the fields it has: the others are zero. Strings
// stay valid. What its pointers point to must not be changed.
type Event struct {
	Kind   Kind
	Block  int    // number of the block in order of arrival, from 1
	Choice int    // which answer, if several were asked for
	Item   string // id of the item that a text or a part of the reasoning is in, if the provider has items
	Text   string // what follows of a text, of a part of the reasoning or of arguments

	Origin     Origin
	Part       Part
	Call       Call
	Tools      Tools
	Resolution *Resolution // its Name is that of a repaired call
	Verdict    *Verdict    // redacted
	Messages   []Message
	Other      Other
	Notice     Notice
	Usage      string // JSON
	Turn       *Turn

	now Snapshot
}

// Origin is who answers, and how. At the end of a turn it has no ID and no Model: the Turn has them.
type Origin struct {
	ID, Model string
	Protocol  Protocol
	Framing   Framing
}

// Part is a part of the reasoning.
type Part struct {
	Number int    // of its first block
	ID     string // empty if the provider gives none
	// What the provider calls a part of this sort, the format that its signature is in, if there are several, and the
	// number that the provider gave the part.
	SignatureType, SignatureFormat string
	Index                          int

	Signed    bool   // there is a signature, or content that is not shown
	Signature string // the provider's
	Redacted  string // content that the provider does not show
	Replaced  bool   // what the provider said in the end is not what it had streamed
}

// Tools are the names of the tools of the request, and of those that may be called.
type Tools struct{ Advertised, Allowed []string }

// Other is an item that is not part of the turn.
type Other struct {
	Type  string
	Count int    // how many of that type there were so far
	Event string // of the chunk that it came in
	// Raw is that chunk as the provider sent it, redacted, unless the chunk says something else, too, or the item asks
	// the caller to do something.
	Raw string
}

// Notice is a warning or an error.
type Notice struct {
	Code, Message string
	At            int64 // of a warning: line, or number of the binary frame, from 1
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
	warnIDTwice         = "id_twice"
	warnInvalidUTF8     = "invalid_utf8"
	warnRestated        = "restated"
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

// AppendJSON appends the event as a JSON object, without a line end. Messages are not in it: they have the form of
// their protocol, which encode.AppendMessages gives them.
func (e *Event) AppendJSON(dst []byte) []byte {
	p := jsonx.Parts{B: dst}
	e.WriteMembers(&p)
	return append(p.B, '}')
}

// WriteMembers is AppendJSON in parts, without the brace at the end.
func (e *Event) WriteMembers(to *jsonx.Parts) {
	m := members{to}
	m.Raw(`{"e":`)
	m.String(string(e.Kind))
	if e.Kind != TextDelta && e.Kind != RefusalDelta {
		m.count("k", e.Block)
	}
	m.count("choice", e.Choice)
	switch e.Kind {
	case Started:
		m.orNull("id", e.Origin.ID)
		m.orNull("model", e.Origin.Model)
		m.text("protocol", string(e.Origin.Protocol))
	case TextDelta, RefusalDelta, ReasonDelta, ArgsDelta:
		m.text("d", e.Text)
	case ReasonEnded:
		m.nonEmpty("id", e.Part.ID)
		m.bool("signed", e.Part.Signed)
		m.bool("replaced", e.Part.Replaced)
	case TextEnded:
		m.bool("signed", e.Part.Signed)
	case CallBegan:
		m.text("id", e.Call.ID)
		m.flag("minted", e.Call.Minted)
		m.text("name", e.Call.Name)
		m.nonEmpty("repaired_from", e.Call.RepairedFrom)
	case InvalidCall:
		m.text("id", e.Call.ID)
		m.text("name", e.Call.Name)
		m.text("args", e.Call.Arguments)
		e.Tools.write(m)
	case Resolved:
		m.text("act", string(e.Resolution.Action))
		m.nonEmpty("name", e.Resolution.Name)
	case Judged:
		e.Verdict.write(m, !e.Call.Custom)
	case CallEnded, AwaitVerdict:
		c := &e.Call
		m.text("id", c.ID)
		m.text("name", c.Name)
		m.arguments("args", c.Arguments, c.Valid && !c.Custom)
		m.bool("valid", c.Valid)
		m.flag("custom", c.Custom)
	case OtherItem:
		m.text("type", e.Other.Type)
		m.number("n", int64(e.Other.Count))
		if e.Other.Raw != "" {
			m.raw("raw", OneLine(e.Other.Raw))
		}
	case UsageTold:
		m.raw("usage", e.Usage)
	case Warned:
		m.text("code", e.Notice.Code)
		m.number("at", e.Notice.At)
	case Broke:
		m.text("code", e.Notice.Code)
		m.text("message", e.Notice.Message)
		if e.Call.Name != "" {
			m.text("name", e.Call.Name)
			e.Tools.write(m)
		}
	case TurnEnded:
		m.bool("complete", e.Turn.Complete)
		m.count("blocked", e.Turn.Blocked)
		if e.Turn.Code != "" {
			m.raw("error", "{")
			m.text("code", e.Turn.Code)
			m.Raw("}")
		}
		m.Name("turn")
		e.Turn.WriteJSON(to)
	}
}

func (t *Tools) write(m members) {
	m.strings("advertised", t.Advertised)
	m.strings("allowed", t.Allowed)
}

func (v *Verdict) write(m members, isJSON bool) {
	m.text("act", string(v.Action))
	m.nonEmpty("text", v.Text)
	m.nonEmpty("why", v.Why)
	if v.Action == Rewrite {
		m.arguments("args", v.Arguments, isJSON)
	}
	m.flag("failsafe", v.FailSafe)
}
