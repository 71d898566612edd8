package turn

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// Turn is a model's answer as the provider's call without streaming would have returned it, after redaction and with
// the calls that were let through.
type Turn struct {
	Complete bool // it ended with a finish reason and without an error
	ID       string
	Model    string
	Role     string
	RawUsage string // as JSON; null if the provider sent none
	Error    string // what the provider or a policy said, or a code of this package
	// ErrorCode is the provider's code of its error, if it gave one: a word, or the number of a status.
	ErrorCode string
	Code      string // of this package, why it is not complete; "blocked" if that is because of its calls
	Answer
	Others    []Answer // if several answers were asked for, all but the first
	Hosted    []string // types of the items that the provider's own tools made
	Malformed int      // lines that were no JSON
	Replaced  int      // U+FFFD that stand for bytes that were no UTF-8, and for halves of characters
	Blocked   int      // calls that a verdict did not let through
}

// Usage is what a turn cost, in tokens, as the provider reports it. Those read from a cache are among
// the input only where the provider counts them so.
type Usage struct {
	Input, Output         int
	CacheRead, CacheWrite int
	Reasoning             int // of the output
	Total                 int // as the provider reports it; 0 if it does not
	Reported              bool
}

// Usage returns what the turn cost.
func (t *Turn) Usage() Usage { return ParseUsage(t.RawUsage) }

// ParseUsage returns the cost that an Event of the kind UsageTold tells, or the RawUsage of a Turn.
func ParseUsage(raw string) Usage {
	counters := gjson.Parse(raw)
	reported := false
	first := func(paths ...string) int {
		for _, path := range paths {
			if counter := counters.Get(path); counter.Type == gjson.Number {
				reported = true
				return int(counter.Int())
			}
		}
		return 0
	}
	u := Usage{
		Input: first("prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount", "tokens.input_tokens",
			"prompt_eval_count", "total_input_tokens"),
		Output: first("completion_tokens", "output_tokens", "outputTokens", "candidatesTokenCount",
			"tokens.output_tokens",
			"eval_count", "total_output_tokens"),
	}
	u.Reported = reported
	u.CacheRead = first("prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens",
		"cache_read_input_tokens", "cacheReadInputTokens", "cachedContentTokenCount", "prompt_cache_hit_tokens",
		"total_cached_tokens")
	u.CacheWrite = first("cache_creation_input_tokens", "cacheWriteInputTokens")
	u.Reasoning = first("completion_tokens_details.reasoning_tokens", "output_tokens_details.reasoning_tokens",
		"thoughtsTokenCount", "total_thought_tokens")
	u.Total = first("total_tokens", "totalTokens", "totalTokenCount")
	return u
}

// Answer is one of the answers of a turn: reasoning, then text, then calls, whatever the order that they came in.
type Answer struct {
	Choice        int
	Reasoning     []Reasoning
	Text          string
	TextSignature string     // the last one
	TextParts     []TextPart // if there are several signatures
	Refusal       string
	Calls         []Call
	FinishReason  string // as the provider said it; empty if it did not
	NativeReason  string // what the model's own provider said, if that is told
	StopSequence  string
	Grounded      bool // the provider names sources
	Class         FinishClass
}

// TextPart is a part of the text that the provider signs by itself.
type TextPart struct {
	Text      string `json:"text"`
	Signature string `json:"signature"`
}

// Reasoning is one part of it.
type Reasoning struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"` // "tool_plan", or empty
	Text      string `json:"text"`
	Signature string `json:"signature"` // or the encrypted content
	Redacted  string `json:"redacted"`  // content that the provider does not show
	// What the provider calls a part of this sort, the format of its signature and the number that it gave the part, if
	// there are several.
	Type   string `json:"type"`
	Format string `json:"format"`
	Index  int    `json:"index"`
}

// Call is a call of a tool.
type Call struct {
	ID, ItemID, Name string
	RepairedFrom     string
	Minted           bool
	Arguments        string // JSON if Valid, else what there is of it
	Valid            bool
	Incomplete       bool // the input ended before the call did
	Custom           bool // the tool takes text: Arguments are no JSON
	Signature        string
}

// FinishClass is why a turn ended, in words that are the same for all providers.
type FinishClass = protocol.Class

// The classes.
const (
	Unknown       = protocol.Unknown // it did not say, or nothing that is known
	Stop          = protocol.Stop
	ToolCalls     = protocol.ToolCalls
	Pause         = protocol.Pause // the provider goes on once the turn is sent back as it is
	Length        = protocol.Length
	ContentFilter = protocol.ContentFilter
	Refusal       = protocol.Refusal
	Failed        = protocol.Failed
)

// AppendJSON appends the turn as a JSON object. Whether it is complete is not in it: see [Event].
func (t *Turn) AppendJSON(dst []byte) []byte {
	p := jsonx.Parts{B: dst}
	t.WriteJSON(&p)
	return p.B
}

// WriteJSON is AppendJSON in parts.
func (t *Turn) WriteJSON(to *jsonx.Parts) {
	m := members{to}
	m.Raw("{")
	t.writeMembers(m)
	m.Raw("}")
}

func (t *Turn) writeMembers(m members) {
	m.orNull("message_id", t.ID)
	m.orNull("model", t.Model)
	m.orNull("role", t.Role)
	t.Answer.write(m)
	m.raw("usage", t.RawUsage)
	if len(t.Hosted) > 0 {
		m.strings("hosted_items", t.Hosted)
	}
	if len(t.Others) > 0 {
		m.number("choices_n", int64(len(t.Others)+1))
		m.list("choices", len(t.Others), func(i int) {
			m.Raw("{")
			m.number("index", int64(t.Others[i].Choice))
			t.Others[i].write(m)
			m.Raw("}")
		})
	}
	m.count("malformed", t.Malformed)
	m.count("invalid_utf8", t.Replaced)
	m.count("blocked", t.Blocked)
	m.nonEmpty("error", t.Error)
	m.nonEmpty("error_code", t.ErrorCode)
}

func (a *Answer) write(m members) {
	m.list("reasoning", len(a.Reasoning), func(i int) { a.Reasoning[i].write(m) })
	m.text("text", a.Text)
	m.list("tool_calls", len(a.Calls), func(i int) { a.Calls[i].write(m) })
	m.orNull("finish_reason", a.FinishReason)
	m.text("finish_class", string(a.Class))
	m.nonEmpty("native_finish_reason", a.NativeReason)
	m.nonEmpty("stop_sequence", a.StopSequence)
	m.nonEmpty("text_signature", a.TextSignature)
	if len(a.TextParts) > 0 {
		m.list("text_parts", len(a.TextParts), func(i int) {
			m.Raw("{")
			m.text("text", a.TextParts[i].Text)
			m.nonEmpty("signature", a.TextParts[i].Signature)
			m.Raw("}")
		})
	}
	m.flag("grounding", a.Grounded)
	m.nonEmpty("refusal", a.Refusal)
}

func (r *Reasoning) write(m members) {
	m.Raw("{")
	m.text("text", r.Text)
	for _, member := range []struct{ name, text string }{{"id", r.ID}, {"signature", r.Signature},
		{"redacted", r.Redacted}, {"kind", r.Kind}, {"type", r.Type}, {"format", r.Format}} {
		m.nonEmpty(member.name, member.text)
	}
	m.count("index", r.Index)
	m.Raw("}")
}

func (c *Call) write(m members) {
	m.Raw("{")
	m.text("id", c.ID)
	m.nonEmpty("item_id", c.ItemID)
	m.text("name", c.Name)
	m.arguments("arguments", c.Arguments, c.Valid && !c.Custom)
	m.text("arguments_text", c.Arguments)
	m.flag("invalid_json", !c.Valid && (c.Arguments != "" || !c.Incomplete))
	m.flag("custom", c.Custom)
	m.flag("incomplete", c.Incomplete)
	m.flag("minted", c.Minted)
	m.nonEmpty("repaired_from", c.RepairedFrom)
	m.nonEmpty("signature", c.Signature)
	m.Raw("}")
}

// OneLine returns JSON without the line ends that may stand between its tokens.
func OneLine(json string) string {
	if !strings.ContainsAny(json, "\n\r") {
		return json
	}
	return gjson.Get(json, "@ugly").Raw
}

// Message is what a turn says, or what became of its calls, as the next request has it.
type Message struct {
	Role          string // assistant or user
	Reasoning     []Reasoning
	Text          string
	TextSignature string
	TextParts     []TextPart
	Calls         []Call
	Results       []Result // nil if the assistant says it; exactly one for each call
}

// Result is what a model is told of one of its calls.
type Result struct {
	ID, Name, Text string
	Custom         bool // the tool takes text
	Minted         bool // the provider gave the call no id
	Failed         bool // it was not executed, or failed
}

// Message returns what the assistant says in an answer.
func (a *Answer) Message() Message {
	return Message{Role: "assistant", Reasoning: a.Reasoning, Text: a.Text, TextSignature: a.TextSignature,
		TextParts: a.TextParts, Calls: a.Calls}
}
