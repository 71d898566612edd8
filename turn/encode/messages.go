package encode

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// AppendMessages appends messages, those of a turn.RolledBack or of a turn and its results, as a JSON array in the form
// that a request of a protocol has, ready to append to it: the messages of most, the items of OpenAI's responses, the
// contents of Gemini, the steps of its interactions. Where arguments have to be an object, others are the only member
// of one, partial_arguments, as a text.
func AppendMessages(dst []byte, p turn.Protocol, messages ...turn.Message) []byte {
	parts := jsonx.Parts{B: dst}
	writeMessages(&parts, p, messages)
	return parts.B
}

func writeMessages(to *jsonx.Parts, p turn.Protocol, messages []turn.Message) {
	to.Raw("[")
	for i := range messages {
		writingOf(p).messages(messageWriter{to}, &messages[i])
	}
	to.Raw("]")
}

// messageWriter writes the messages of a request.
type messageWriter struct{ *jsonx.Parts }

// element writes what begins an element of a list: JSON without its end.
func (w messageWriter) element(begin string) {
	w.Comma()
	w.Raw(begin)
}

// text writes a member.
func (w messageWriter) text(name, text string) {
	w.Name(name)
	w.String(text)
}

// nonEmpty writes a member if it has a text.
func (w messageWriter) nonEmpty(name, text string) {
	if text != "" {
		w.text(name, text)
	}
}

// flag writes a member that is true, or nothing.
func (w messageWriter) flag(name string, set bool) {
	if set {
		w.Name(name)
		w.Raw("true")
	}
}

// input writes the arguments of a call as an object.
func (w messageWriter) input(name string, c *turn.Call) {
	w.Name(name)
	w.Raw(object(c))
}

// inputText writes the arguments of a call as the text of an object, as it came if it is one.
func (w messageWriter) inputText(name string, c *turn.Call) {
	if isObject(c) {
		w.text(name, c.Arguments)
		return
	}
	w.text(name, object(c))
}

func isObject(c *turn.Call) bool {
	return c.Valid && !c.Custom && len(c.Arguments) > 0 && gjson.Parse(c.Arguments).IsObject()
}

// tool writes a message of the role tool for each result.
func (w messageWriter) tool(m *turn.Message, member string, of func(r *turn.Result) string) {
	for i := range m.Results {
		r := &m.Results[i]
		w.element(`{"role":"tool"`)
		w.text(member, of(r))
		w.text("content", r.Text)
		w.Raw("}")
	}
}

func idOf(r *turn.Result) string { return r.ID }

// calls writes the member of a message that has its calls, if there are some.
func (w messageWriter) calls(m *turn.Message, call func(c *turn.Call)) {
	if len(m.Calls) == 0 {
		return
	}
	w.Name("tool_calls")
	w.Raw("[")
	for i := range m.Calls {
		call(&m.Calls[i])
	}
	w.Raw("]")
}

// words writes a member that has the reasoning with text of a kind, if there is some.
func (w messageWriter) words(name string, parts []turn.Reasoning, kind string) (some bool) {
	var all string
	for i := range parts {
		if r := &parts[i]; r.Text != "" && r.Kind == kind && r.Type == "" {
			if all != "" {
				all += "\n\n"
			}
			all += r.Text
		}
	}
	w.nonEmpty(name, all)
	return all != ""
}

// message writes a message with a list as its content, unless there is nothing in it.
func (w messageWriter) message(role, member string, is bool, content func()) {
	if !is {
		return
	}
	w.element(`{"role":"` + role + `","` + member + `":[`)
	content()
	w.Raw("]}")
}

func chatMessages(w messageWriter, m *turn.Message) {
	if m.Results != nil {
		w.tool(m, "tool_call_id", idOf)
		return
	}
	w.element(`{"role":"assistant"`)
	w.Name("content")
	if m.Text == "" {
		w.Raw("null")
	} else {
		w.String(m.Text)
	}
	w.words("reasoning_content", m.Reasoning, "")
	w.details(m.Reasoning)
	w.calls(m, func(c *turn.Call) {
		w.element(`{`)
		w.text("id", c.ID)
		if c.Custom {
			w.Raw(`,"type":"custom","custom":{`)
			w.text("name", c.Name)
			w.text("input", c.Arguments)
			w.Raw("}}")
			return
		}
		w.Raw(`,"type":"function","function":{`)
		w.text("name", c.Name)
		w.inputText("arguments", c)
		w.Raw("}")
		if c.Signature != "" {
			w.Raw(`,"extra_content":{"google":{`)
			w.text("thought_signature", c.Signature)
			w.Raw("}}")
		}
		w.Raw("}")
	})
	w.Raw("}")
}

// details writes the reasoning that a provider has in parts of a type: OpenRouter's, and Copilot's.
func (w messageWriter) details(parts []turn.Reasoning) {
	listed := false
	for i := range parts {
		r := &parts[i]
		switch {
		case r.Type == protocol.OpaqueReasoning:
			w.text("reasoning_opaque", r.Signature)
			w.nonEmpty("reasoning_content", r.Text)
		case r.Type != "":
			listed = true
		}
	}
	if !listed {
		return
	}
	w.Name("reasoning_details")
	w.Raw("[")
	for i := range parts {
		r := &parts[i]
		if r.Type == "" || r.Type == protocol.OpaqueReasoning {
			continue
		}
		w.element("{")
		w.text("type", r.Type)
		w.nonEmpty("id", r.ID)
		w.nonEmpty("format", r.Format)
		w.Name("index")
		w.Raw(strconv.Itoa(r.Index))
		switch r.Type {
		case protocol.EncryptedReasoning:
			w.text("data", r.Signature)
		case protocol.SummaryReasoning:
			w.text("summary", r.Text)
			w.nonEmpty("signature", r.Signature)
		default:
			w.text("text", r.Text)
			w.nonEmpty("signature", r.Signature)
		}
		w.Raw("}")
	}
	w.Raw("]")
}

func cohereMessages(w messageWriter, m *turn.Message) {
	if m.Results != nil {
		w.tool(m, "tool_call_id", idOf)
		return
	}
	w.element(`{"role":"assistant"`)
	var thinking jsonx.Parts
	if (messageWriter{&thinking}).words("thinking", m.Reasoning, "") {
		w.Raw(`,"content":[{"type":"thinking",` + string(thinking.B) + `}`)
		if m.Text != "" {
			w.element(`{"type":"text"`)
			w.text("text", m.Text)
			w.Raw("}")
		}
		w.Raw("]")
	} else {
		w.nonEmpty("content", m.Text)
	}
	w.words("tool_plan", m.Reasoning, "tool_plan")
	w.calls(m, func(c *turn.Call) {
		w.element("{")
		w.text("id", c.ID)
		w.Raw(`,"type":"function","function":{`)
		w.text("name", c.Name)
		w.inputText("arguments", c)
		w.Raw("}}")
	})
	w.Raw("}")
}

func ollamaMessages(w messageWriter, m *turn.Message) {
	if m.Results != nil {
		w.tool(m, "tool_name", func(r *turn.Result) string { return r.Name })
		return
	}
	w.element(`{"role":"assistant"`)
	w.text("content", m.Text)
	w.words("thinking", m.Reasoning, "")
	w.calls(m, func(c *turn.Call) {
		w.element(`{"function":{`)
		w.text("name", c.Name)
		w.input("arguments", c)
		w.Raw("}}")
	})
	w.Raw("}")
}

func anthropicMessage(w messageWriter, m *turn.Message) {
	signed := func(r *turn.Reasoning) bool { return r.Redacted != "" || r.Signature != "" } // without it is refused
	w.message(m.Role, "content", hasContent(m, signed), func() {
		for i := range m.Results {
			r := &m.Results[i]
			w.element(`{"type":"tool_result"`)
			w.text("tool_use_id", r.ID)
			w.text("content", r.Text)
			w.flag("is_error", r.Failed)
			w.Raw("}")
		}
		for i := range m.Reasoning {
			switch r := &m.Reasoning[i]; {
			case r.Redacted != "":
				w.element(`{"type":"redacted_thinking"`)
				w.text("data", r.Redacted)
				w.Raw("}")
			case signed(r):
				w.element(`{"type":"thinking"`)
				w.text("thinking", r.Text)
				w.text("signature", r.Signature)
				w.Raw("}")
			}
		}
		if m.Text != "" {
			w.element(`{"type":"text"`)
			w.text("text", m.Text)
			w.Raw("}")
		}
		for i := range m.Calls {
			c := &m.Calls[i]
			w.element(`{"type":"tool_use"`)
			w.text("id", c.ID)
			w.text("name", c.Name)
			w.input("input", c)
			w.Raw("}")
		}
	})
}

// hasContent reports whether a message has something, of its reasoning only what is passed back.
func hasContent(m *turn.Message, passed func(*turn.Reasoning) bool) bool {
	for i := range m.Reasoning {
		if passed(&m.Reasoning[i]) {
			return true
		}
	}
	return len(m.Results)+len(m.Calls) > 0 || m.Text != "" || m.TextSignature != ""
}

func responsesItems(w messageWriter, m *turn.Message) {
	for i := range m.Results {
		r := &m.Results[i]
		kind := "function_call_output"
		if r.Custom {
			kind = "custom_tool_call_output"
		}
		w.element(`{"type":"` + kind + `"`)
		w.text("call_id", r.ID)
		w.text("output", r.Text)
		w.Raw("}")
	}
	for i := range m.Reasoning {
		r := &m.Reasoning[i]
		if r.ID == "" {
			continue // it is no item of the provider's
		}
		w.element(`{"type":"reasoning"`)
		w.text("id", r.ID)
		w.Raw(`,"summary":[`)
		if r.Text != "" {
			w.Raw(`{"type":"summary_text"`)
			w.text("text", r.Text)
			w.Raw("}")
		}
		w.Raw(`]`)
		w.Name("encrypted_content")
		w.Raw(quoteOrNull(r.Signature))
		w.Raw("}")
	}
	if m.Text != "" {
		w.element(`{"type":"message","role":"assistant"`)
		w.text("content", m.Text)
		w.Raw("}")
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		kind := "function_call"
		if c.Custom {
			kind = "custom_tool_call"
		}
		w.element(`{"type":"` + kind + `"`)
		w.nonEmpty("id", c.ItemID)
		w.text("call_id", c.ID)
		w.text("name", c.Name)
		if c.Custom {
			w.text("input", c.Arguments)
		} else {
			w.inputText("arguments", c)
		}
		w.Raw("}")
	}
}

func geminiContent(w messageWriter, m *turn.Message) {
	role := "user"
	if m.Results == nil {
		role = "model"
	}
	w.message(role, "parts", hasContent(m, func(*turn.Reasoning) bool { return true }), func() {
		for i := range m.Results {
			r := &m.Results[i]
			member := "output"
			if r.Failed {
				member = "error"
			}
			w.element(`{"functionResponse":{`)
			w.givenID(r.ID, r.Minted)
			w.text("name", r.Name)
			w.Raw(`,"response":{`)
			w.text(member, r.Text)
			w.Raw("}}}")
		}
		for i := range m.Reasoning {
			r := &m.Reasoning[i]
			w.element("{")
			w.text("text", r.Text)
			w.Raw(`,"thought":true`)
			w.nonEmpty("thoughtSignature", r.Signature)
			w.Raw("}")
		}
		texts := m.TextParts
		if texts == nil && (m.Text != "" || m.TextSignature != "") {
			texts = []turn.TextPart{{Text: m.Text, Signature: m.TextSignature}}
		}
		for _, text := range texts {
			w.element("{")
			w.text("text", text.Text)
			w.nonEmpty("thoughtSignature", text.Signature)
			w.Raw("}")
		}
		for i := range m.Calls {
			c := &m.Calls[i]
			w.element(`{"functionCall":{`)
			w.givenID(c.ID, c.Minted)
			w.text("name", c.Name)
			w.input("args", c)
			w.Raw("}")
			w.nonEmpty("thoughtSignature", c.Signature)
			w.Raw("}")
		}
	})
}

// givenID writes the id of a call, if the provider gave it.
func (w messageWriter) givenID(id string, minted bool) {
	if !minted {
		w.text("id", id)
	}
}

func interactionSteps(w messageWriter, m *turn.Message) {
	for i := range m.Results {
		r := &m.Results[i]
		w.element(`{"type":"function_result"`)
		w.text("call_id", r.ID)
		w.text("name", r.Name)
		w.text("result", r.Text)
		w.flag("is_error", r.Failed)
		w.Raw("}")
	}
	for i := range m.Reasoning {
		if r := &m.Reasoning[i]; r.Signature != "" {
			w.element(`{"type":"thought"`)
			w.text("signature", r.Signature)
			w.Raw("}")
		}
	}
	if m.Text != "" {
		w.element(`{"type":"model_output","content":[{"type":"text"`)
		w.text("text", m.Text)
		w.Raw("}]}")
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		w.element(`{"type":"function_call"`)
		w.text("id", c.ID)
		w.text("name", c.Name)
		w.input("arguments", c)
		w.nonEmpty("signature", c.Signature)
		w.Raw("}")
	}
}

func bedrockMessage(w messageWriter, m *turn.Message) {
	signed := func(r *turn.Reasoning) bool { return r.Redacted != "" || r.Signature != "" }
	w.message(m.Role, "content", hasContent(m, signed), func() {
		for i := range m.Results {
			r := &m.Results[i]
			status := "success"
			if r.Failed {
				status = "error"
			}
			w.element(`{"toolResult":{`)
			w.text("toolUseId", r.ID)
			w.Raw(`,"content":[{`)
			w.text("text", r.Text)
			w.Raw(`}],"status":"` + status + `"}}`)
		}
		for i := range m.Reasoning {
			switch r := &m.Reasoning[i]; {
			case r.Redacted != "":
				w.element(`{"reasoningContent":{`)
				w.text("redactedContent", r.Redacted)
				w.Raw("}}")
			case signed(r):
				w.element(`{"reasoningContent":{"reasoningText":{`)
				w.text("text", r.Text)
				w.text("signature", r.Signature)
				w.Raw("}}}")
			}
		}
		if m.Text != "" {
			w.element("{")
			w.text("text", m.Text)
			w.Raw("}")
		}
		for i := range m.Calls {
			c := &m.Calls[i]
			w.element(`{"toolUse":{`)
			w.text("toolUseId", c.ID)
			w.text("name", c.Name)
			w.input("input", c)
			w.Raw("}}")
		}
	})
}
