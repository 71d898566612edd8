package turn

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn/protocol"
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
	told := gjson.Parse(raw)
	reported := false
	first := func(paths ...string) int {
		for _, path := range paths {
			if counter := told.Get(path); counter.Type == gjson.Number {
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
	dst = appendOrNull(append(dst, '{'), "message_id", t.ID)
	dst = appendOrNull(appendOrNull(dst, "model", t.Model), "role", t.Role)
	dst = t.Answer.appendMembers(dst)
	dst = appendRaw(dst, "usage", t.RawUsage)
	if len(t.Hosted) > 0 {
		dst = appendStrings(dst, "hosted_items", t.Hosted)
	}
	if len(t.Others) > 0 {
		dst = appendNumber(dst, "choices_n", int64(len(t.Others)+1))
		dst = append(appendName(dst, "choices"), '[')
		for i := range t.Others {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendNumber(append(dst, '{'), "index", int64(t.Others[i].Choice))
			dst = append(t.Others[i].appendMembers(dst), '}')
		}
		dst = append(dst, ']')
	}
	if t.Malformed > 0 {
		dst = appendNumber(dst, "malformed", int64(t.Malformed))
	}
	if t.Replaced > 0 {
		dst = appendNumber(dst, "invalid_utf8", int64(t.Replaced))
	}
	if t.Blocked > 0 {
		dst = appendNumber(dst, "blocked", int64(t.Blocked))
	}
	dst = appendNonEmpty(appendNonEmpty(dst, "error", t.Error), "error_code", t.ErrorCode)
	return append(dst, '}')
}

func (a *Answer) appendMembers(dst []byte) []byte {
	dst = appendText(appendReasoning(appendName(dst, "reasoning"), a.Reasoning), "text", a.Text)
	dst = appendCalls(appendName(dst, "tool_calls"), a.Calls)
	dst = appendOrNull(dst, "finish_reason", a.FinishReason)
	dst = appendText(dst, "finish_class", string(a.Class))
	dst = appendNonEmpty(dst, "native_finish_reason", a.NativeReason)
	dst = appendNonEmpty(dst, "stop_sequence", a.StopSequence)
	dst = appendNonEmpty(dst, "text_signature", a.TextSignature)
	if len(a.TextParts) > 0 {
		dst = append(appendName(dst, "text_parts"), '[')
		for i, part := range a.TextParts {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendNonEmpty(appendText(append(dst, '{'), "text", part.Text), "signature", part.Signature), '}')
		}
		dst = append(dst, ']')
	}
	return appendNonEmpty(appendFlag(dst, "grounding", a.Grounded), "refusal", a.Refusal)
}

func appendReasoning(dst []byte, parts []Reasoning) []byte {
	dst = append(dst, '[')
	for i := range parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		r := &parts[i]
		dst = appendNonEmpty(appendText(append(dst, '{'), "text", r.Text), "id", r.ID)
		dst = appendNonEmpty(appendNonEmpty(dst, "signature", r.Signature), "redacted", r.Redacted)
		dst = appendNonEmpty(appendNonEmpty(appendNonEmpty(dst, "kind", r.Kind), "type", r.Type), "format", r.Format)
		if r.Index != 0 {
			dst = appendNumber(dst, "index", int64(r.Index))
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func appendCalls(dst []byte, calls []Call) []byte {
	dst = append(dst, '[')
	for i := range calls {
		if i > 0 {
			dst = append(dst, ',')
		}
		c := &calls[i]
		dst = appendNonEmpty(appendText(append(dst, '{'), "id", c.ID), "item_id", c.ItemID)
		dst = appendArguments(appendText(dst, "name", c.Name), "arguments", c.Arguments, c.Valid && !c.Custom)
		dst = appendText(dst, "arguments_text", c.Arguments)
		dst = appendFlag(dst, "invalid_json", !c.Valid && (c.Arguments != "" || !c.Incomplete))
		dst = appendFlag(dst, "custom", c.Custom)
		dst = appendFlag(appendFlag(dst, "incomplete", c.Incomplete), "minted", c.Minted)
		dst = append(appendNonEmpty(appendNonEmpty(dst, "repaired_from", c.RepairedFrom), "signature", c.Signature),
			'}')
	}
	return append(dst, ']')
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
