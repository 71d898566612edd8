package encode

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/protocol"
)

// AppendMessages appends the messages of a turn.RolledBack as a JSON array in the form that a
// request of a protocol has: the messages of most, the items of OpenAI's responses, the contents of
// Gemini, the steps of its interactions. Arguments that are not whole stay the text that came of
// them; where the protocol has an object for arguments, that text is its only member,
// partial_arguments.
func AppendMessages(dst []byte, p turn.Protocol, messages []turn.Message) []byte {
	f, known := forms[p]
	if !known {
		f = forms[protocol.OpenAIChat]
	}
	var all []string
	for i := range messages {
		all = append(all, f.messages(&messages[i])...)
	}
	return append(append(append(dst, '['), strings.Join(all, ",")...), ']')
}

// input is the arguments of a call as an object.
func input(c *turn.Call) string {
	if c.Valid && !c.Custom && gjson.Parse(c.Arguments).IsObject() {
		return turn.OneLine(c.Arguments)
	}
	return `{"partial_arguments":` + quote(c.Arguments) + `}`
}

// list is a list in JSON.
func list(elements []string) string { return "[" + strings.Join(elements, ",") + "]" }

// message is a message with a content, or none if there is nothing in it.
func message(role, member string, content []string) []string {
	if len(content) == 0 {
		return nil
	}
	return []string{`{"role":"` + role + `","` + member + `":` + list(content) + `}`}
}

// toolMessages is a message of the role tool for each result.
func toolMessages(m *turn.Message, members func(r turn.Result) string) (all []string) {
	for _, r := range m.Results {
		all = append(all, `{"role":"tool",`+members(r)+`,"content":`+quote(r.Text)+`}`)
	}
	return all
}

func toolCallID(r turn.Result) string { return `"tool_call_id":` + quote(r.ID) }

func chatMessages(m *turn.Message) []string {
	if m.Results != nil {
		return toolMessages(m, toolCallID)
	}
	said := `{"role":"assistant","content":` + quoteOrNull(m.Text)
	if words := wordsOf(m.Reasoning); words != "" {
		said += `,"reasoning_content":` + quote(words)
	}
	var calls []string
	for i := range m.Calls {
		c := &m.Calls[i]
		calls = append(calls, `{"id":`+quote(c.ID)+chatCall(c)+`}`)
	}
	return []string{said + callsMember(calls) + `}`}
}

// callsMember is the member of a message that has its calls.
func callsMember(calls []string) string {
	if len(calls) == 0 {
		return ""
	}
	return `,"tool_calls":` + list(calls)
}

func wordsOf(parts []turn.Reasoning) string {
	var all []string
	for i := range parts {
		if parts[i].Text != "" {
			all = append(all, parts[i].Text)
		}
	}
	return strings.Join(all, "\n\n")
}

func cohereMessages(m *turn.Message) []string {
	if m.Results != nil {
		return toolMessages(m, toolCallID)
	}
	said := `{"role":"assistant"`
	if m.Text != "" {
		said += `,"content":` + quote(m.Text)
	}
	if words := wordsOf(m.Reasoning); words != "" {
		said += `,"tool_plan":` + quote(words)
	}
	var calls []string
	for i := range m.Calls {
		c := &m.Calls[i]
		calls = append(calls, `{"id":`+quote(c.ID)+`,"type":"function","function":{"name":`+quote(c.Name)+
			`,"arguments":`+quote(c.Arguments)+`}}`)
	}
	return []string{said + callsMember(calls) + `}`}
}

func ollamaMessages(m *turn.Message) []string {
	if m.Results != nil {
		return toolMessages(m, func(r turn.Result) string { return `"tool_name":` + quote(r.Name) })
	}
	said := `{"role":"assistant","content":` + quote(m.Text)
	if words := wordsOf(m.Reasoning); words != "" {
		said += `,"thinking":` + quote(words)
	}
	var calls []string
	for i := range m.Calls {
		calls = append(calls, `{"function":{"name":`+quote(m.Calls[i].Name)+`,"arguments":`+input(&m.Calls[i])+`}}`)
	}
	return []string{said + callsMember(calls) + `}`}
}

func anthropicMessage(m *turn.Message) []string {
	var content []string
	for _, r := range m.Results {
		content = append(content, `{"type":"tool_result","tool_use_id":`+quote(r.ID)+`,"content":`+quote(r.Text)+
			`,"is_error":true}`)
	}
	for _, r := range m.Reasoning {
		switch {
		case r.Redacted != "":
			content = append(content, `{"type":"redacted_thinking","data":`+quote(r.Redacted)+`}`)
		case r.Signature != "": // without one it is refused
			content = append(content, `{"type":"thinking","thinking":`+quote(r.Text)+
				`,"signature":`+quote(r.Signature)+`}`)
		}
	}
	if m.Text != "" {
		content = append(content, `{"type":"text","text":`+quote(m.Text)+`}`)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		content = append(content, `{"type":"tool_use","id":`+quote(c.ID)+`,"name":`+quote(c.Name)+
			`,"input":`+input(c)+`}`)
	}
	return message(m.Role, "content", content)
}

func responsesItems(m *turn.Message) (items []string) {
	for _, r := range m.Results {
		items = append(items, `{"type":"function_call_output","call_id":`+quote(r.ID)+`,"output":`+quote(r.Text)+`}`)
	}
	for _, r := range m.Reasoning {
		if r.ID == "" {
			continue // it is no item of the provider's
		}
		var summary []string
		if r.Text != "" {
			summary = []string{`{"type":"summary_text","text":` + quote(r.Text) + `}`}
		}
		items = append(items, `{"type":"reasoning","id":`+quote(r.ID)+`,"summary":`+list(summary)+
			`,"encrypted_content":`+quoteOrNull(r.Signature)+`}`)
	}
	if m.Text != "" {
		items = append(items, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":`+
			quote(m.Text)+`}]}`)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		kind, member := "function_call", "arguments"
		if c.Custom {
			kind, member = "custom_tool_call", "input"
		}
		items = append(items, `{"type":"`+kind+`","call_id":`+quote(c.ID)+`,"name":`+quote(c.Name)+`,"`+member+`":`+
			quote(c.Arguments)+`}`)
	}
	return items
}

func geminiContent(m *turn.Message) []string {
	var parts []string
	for _, r := range m.Results {
		parts = append(parts, `{"functionResponse":{"id":`+quote(r.ID)+`,"name":`+quote(r.Name)+`,"response":{"error":`+
			quote(r.Text)+`}}}`)
	}
	x := geminiEncoder{}
	for _, r := range m.Reasoning {
		parts = append(parts, `{"text":`+quote(r.Text)+`,"thought":true`+x.signature(r.Signature)+`}`)
	}
	if m.Text != "" {
		parts = append(parts, `{"text":`+quote(m.Text)+`}`)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		parts = append(parts, `{"functionCall":{"id":`+quote(c.ID)+`,"name":`+quote(c.Name)+`,"args":`+input(c)+`}`+
			x.signature(c.Signature)+`}`)
	}
	role := "user"
	if m.Results == nil {
		role = "model"
	}
	return message(role, "parts", parts)
}

func interactionSteps(m *turn.Message) (steps []string) {
	for _, r := range m.Results {
		steps = append(steps, `{"type":"function_result","call_id":`+quote(r.ID)+`,"name":`+quote(r.Name)+`,"result":`+
			quote(r.Text)+`,"is_error":true}`)
	}
	for _, r := range m.Reasoning {
		if r.Signature != "" {
			steps = append(steps, `{"type":"thought","signature":`+quote(r.Signature)+`}`)
		}
	}
	if m.Text != "" {
		steps = append(steps, `{"type":"model_output","content":[{"type":"text","text":`+quote(m.Text)+`}]}`)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		steps = append(steps, `{"type":"function_call","id":`+quote(c.ID)+`,"name":`+quote(c.Name)+
			`,"arguments":`+input(c)+`}`)
	}
	return steps
}

func bedrockMessage(m *turn.Message) []string {
	var content []string
	for _, r := range m.Results {
		content = append(content, `{"toolResult":{"toolUseId":`+quote(r.ID)+`,"content":[{"text":`+quote(r.Text)+
			`}],"status":"error"}}`)
	}
	for _, r := range m.Reasoning {
		switch {
		case r.Redacted != "":
			content = append(content, `{"reasoningContent":{"redactedContent":`+quote(r.Redacted)+`}}`)
		case r.Signature != "":
			content = append(content, `{"reasoningContent":{"reasoningText":{"text":`+quote(r.Text)+`,"signature":`+
				quote(r.Signature)+`}}}`)
		}
	}
	if m.Text != "" {
		content = append(content, `{"text":`+quote(m.Text)+`}`)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		content = append(content, `{"toolUse":{"toolUseId":`+quote(c.ID)+`,"name":`+quote(c.Name)+
			`,"input":`+input(c)+`}}`)
	}
	return message(m.Role, "content", content)
}
