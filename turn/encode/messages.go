package encode

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/protocol"
)

// AppendMessages appends messages, those of a turn.RolledBack or of a turn and its results, as a JSON array in the form
// that a request of a protocol has, ready to append to it: the messages of most, the items of OpenAI's responses, the contents of
// Gemini, the steps of its interactions. Arguments that are not whole stay the text that came of
// them; where the protocol has an object for arguments, that text is its only member,
// partial_arguments.
func AppendMessages(dst []byte, p turn.Protocol, messages ...turn.Message) []byte {
	var all []string
	for i := range messages {
		all = append(all, formOf(p).messages(&messages[i])...)
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

// arguments is the arguments of a call as the text of an object, as it came if it is one.
func arguments(c *turn.Call) string {
	if c.Valid && !c.Custom && gjson.Parse(c.Arguments).IsObject() {
		return c.Arguments
	}
	return input(c)
}

// flag is a member that is true, or nothing.
func flag(name string, set bool) string {
	if !set {
		return ""
	}
	return `,"` + name + `":true`
}

// optional is a member that has a text, or nothing.
func optional(name, text string) string {
	if text == "" {
		return ""
	}
	return `,"` + name + `":` + quote(text)
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
	said += chatReasoning(m.Reasoning)
	var calls []string
	for i := range m.Calls {
		c := m.Calls[i]
		if !c.Custom {
			c.Arguments = arguments(&c)
		}
		calls = append(calls, `{"id":`+quote(c.ID)+chatCall(&c)+`}`)
	}
	return []string{said + callsMember(calls) + `}`}
}

// chatReasoning is the members that have the reasoning, those that the provider has it in.
func chatReasoning(parts []turn.Reasoning) (members string) {
	var details, words []string
	for i := range parts {
		r := &parts[i]
		switch r.Type {
		case "":
			if r.Text != "" {
				words = append(words, r.Text)
			}
		case protocol.OpaqueReasoning:
			members += `,"reasoning_opaque":` + quote(r.Signature)
		default:
			p := turn.Part{ID: r.ID, SignatureType: r.Type, SignatureFormat: r.Format, Index: r.Index}
			kind, text := "text", r.Text
			switch r.Type {
			case protocol.SummaryReasoning:
				kind = "summary"
			case protocol.EncryptedReasoning:
				kind, text = "data", r.Signature
			}
			one := detailOf(&p, kind, text)
			if r.Signature != "" && kind != "data" {
				one = one[:len(one)-1] + `,"signature":` + quote(r.Signature) + `}`
			}
			details = append(details, one)
		}
	}
	if len(words) > 0 {
		members += `,"reasoning_content":` + quote(strings.Join(words, "\n\n"))
	}
	if len(details) > 0 {
		members += `,"reasoning_details":` + list(details)
	}
	return members
}

// callsMember is the member of a message that has its calls.
func callsMember(calls []string) string {
	if len(calls) == 0 {
		return ""
	}
	return `,"tool_calls":` + list(calls)
}

// wordsOf is the reasoning that has text, and is of a kind.
func wordsOf(parts []turn.Reasoning, kind string) string {
	var all []string
	for i := range parts {
		if parts[i].Text != "" && parts[i].Kind == kind {
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
	if words := wordsOf(m.Reasoning, ""); words != "" {
		content := []string{`{"type":"thinking","thinking":` + quote(words) + `}`}
		if m.Text != "" {
			content = append(content, `{"type":"text","text":`+quote(m.Text)+`}`)
		}
		said += `,"content":` + list(content)
	} else if m.Text != "" {
		said += `,"content":` + quote(m.Text)
	}
	if words := wordsOf(m.Reasoning, "tool_plan"); words != "" {
		said += `,"tool_plan":` + quote(words)
	}
	var calls []string
	for i := range m.Calls {
		c := &m.Calls[i]
		calls = append(calls, `{"id":`+quote(c.ID)+`,"type":"function","function":{"name":`+quote(c.Name)+
			`,"arguments":`+quote(arguments(c))+`}}`)
	}
	return []string{said + callsMember(calls) + `}`}
}

func ollamaMessages(m *turn.Message) []string {
	if m.Results != nil {
		return toolMessages(m, func(r turn.Result) string { return `"tool_name":` + quote(r.Name) })
	}
	said := `{"role":"assistant","content":` + quote(m.Text)
	if words := wordsOf(m.Reasoning, ""); words != "" {
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
			flag("is_error", r.Failed)+`}`)
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
		kind := "function_call_output"
		if r.Custom {
			kind = "custom_tool_call_output"
		}
		items = append(items, `{"type":"`+kind+`","call_id":`+quote(r.ID)+`,"output":`+quote(r.Text)+`}`)
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
		items = append(items, `{"type":"message","role":"assistant","content":`+quote(m.Text)+`}`)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		kind, member, said := "function_call", "arguments", quote(arguments(c))
		if c.Custom {
			kind, member, said = "custom_tool_call", "input", quote(c.Arguments)
		}
		id := ""
		if c.ItemID != "" {
			id = `"id":` + quote(c.ItemID) + `,`
		}
		items = append(items, `{"type":"`+kind+`",`+id+`"call_id":`+quote(c.ID)+`,"name":`+quote(c.Name)+`,"`+member+
			`":`+said+`}`)
	}
	return items
}

func geminiContent(m *turn.Message) []string {
	var parts []string
	for _, r := range m.Results {
		member := "output"
		if r.Failed {
			member = "error"
		}
		parts = append(parts, `{"functionResponse":{`+givenID(r.ID, r.Minted)+`"name":`+quote(r.Name)+`,"response":{"`+
			member+`":`+quote(r.Text)+`}}}`)
	}
	x := geminiEncoder{}
	for _, r := range m.Reasoning {
		parts = append(parts, `{"text":`+quote(r.Text)+`,"thought":true`+x.signature(r.Signature)+`}`)
	}
	texts := m.TextParts
	if texts == nil && m.Text+m.TextSignature != "" {
		texts = []turn.TextPart{{Text: m.Text, Signature: m.TextSignature}}
	}
	for _, text := range texts {
		parts = append(parts, `{"text":`+quote(text.Text)+x.signature(text.Signature)+`}`)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		parts = append(parts, `{"functionCall":{`+givenID(c.ID, c.Minted)+`"name":`+quote(c.Name)+`,"args":`+input(c)+`}`+
			x.signature(c.Signature)+`}`)
	}
	role := "user"
	if m.Results == nil {
		role = "model"
	}
	return message(role, "parts", parts)
}

// givenID is the member of a call that has its id, if the provider gave it.
func givenID(id string, minted bool) string {
	if minted {
		return ""
	}
	return `"id":` + quote(id) + `,`
}

func interactionSteps(m *turn.Message) (steps []string) {
	for _, r := range m.Results {
		steps = append(steps, `{"type":"function_result","call_id":`+quote(r.ID)+`,"name":`+quote(r.Name)+`,"result":`+
			quote(r.Text)+flag("is_error", r.Failed)+`}`)
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
			`,"arguments":`+input(c)+optional("signature", c.Signature)+`}`)
	}
	return steps
}

func bedrockMessage(m *turn.Message) []string {
	var content []string
	for _, r := range m.Results {
		status := "success"
		if r.Failed {
			status = "error"
		}
		content = append(content, `{"toolResult":{"toolUseId":`+quote(r.ID)+`,"content":[{"text":`+quote(r.Text)+
			`}],"status":"`+status+`"}}`)
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
