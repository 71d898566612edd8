package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// kind is what an event is.
type kind uint8

const (
	said   kind = iota // a text of the agent or its user
	called             // a call of a tool
	gave               // what a tool gave
)

// event is what happened in a session.
type event struct {
	kind    kind
	text    string          // said or given; of a call its input
	id      string          // of a call, and of what it gave
	tool    string          // of a call
	input   json.RawMessage // of a call
	message string          // that has it: calls of one message are made at once
}

// session is a recorded session, in its order.
type session struct {
	id     string // empty if the file has one for each task
	task   string
	events []event
	isMCP  bool // all tools are of MCP servers
}

// block is a part of a message of Claude Code.
type block struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	Of       string          `json:"tool_use_id"`
	Content  json.RawMessage `json:"content"`
}

// textOf returns a string, or the texts of a list of blocks.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []block
	if json.Unmarshal(content, &blocks) != nil {
		return ""
	}
	for _, b := range blocks {
		text += b.Text
	}
	return text
}

// claudeCode reads a transcript: one JSON value a line. Other lines, and messages of subagents, are left out.
func claudeCode(file []byte) ([]session, error) {
	var s session
	seen := make(map[string]bool)
	for line := range bytes.Lines(file) {
		var one struct {
			SessionID string `json:"sessionId"`
			UUID      string `json:"uuid"`
			Side      bool   `json:"isSidechain"`
			Message   struct {
				ID      string          `json:"id"`
				Role    string          `json:"role"`
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(line, &one) != nil || one.Side || one.UUID != "" && seen[one.UUID] {
			continue
		}
		seen[one.UUID] = true
		if s.id == "" {
			s.id = one.SessionID
		}
		var blocks []block
		if json.Unmarshal(one.Message.Content, &blocks) != nil {
			blocks = []block{{Type: "text", Text: textOf(one.Message.Content)}}
		}
		for _, b := range blocks {
			switch b.Type {
			case "text", "thinking":
				if text := b.Text + b.Thinking; text != "" {
					s.events = append(s.events, event{kind: said, text: text})
				}
			case "tool_use":
				s.events = append(s.events, event{kind: called, text: string(b.Input), id: b.ID, tool: b.Name,
					input: b.Input, message: one.Message.ID})
			case "tool_result":
				s.events = append(s.events, event{kind: gave, text: textOf(b.Content), id: b.Of})
			}
		}
	}
	if s.id == "" || len(s.events) == 0 {
		return nil, nil
	}
	return []session{s}, nil
}

// chat is a message of a chat completion.
type chat struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Of      string          `json:"tool_call_id"`
	Calls   json.RawMessage `json:"tool_calls"`
}

// chatCall is a call in such a message.
type chatCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// conversation turns messages of chat into a session. The texts of results are taken out of their frame.
func conversation(task string, messages []chat, calls func(json.RawMessage) []chatCall,
	unframe func(string) string) session {
	s := session{task: task, isMCP: true}
	for i, m := range messages {
		text := textOf(m.Content)
		switch {
		case m.Role == "tool":
			s.events = append(s.events, event{kind: gave, text: unframe(text), id: m.Of})
			continue
		case text != "" && m.Role != "system":
			s.events = append(s.events, event{kind: said, text: text})
		}
		for _, c := range calls(m.Calls) {
			s.events = append(s.events, event{kind: called, text: c.Function.Arguments, id: c.ID, tool: c.Function.Name,
				input: valid(c.Function.Arguments), message: strconv.Itoa(i)})
		}
	}
	return s
}

func tauBench(file []byte) (all []session, err error) {
	var runs []struct {
		Task  int    `json:"task_id"`
		Trial int    `json:"trial"`
		Chat  []chat `json:"traj"`
	}
	if err := json.Unmarshal(file, &runs); err != nil {
		return nil, err
	}
	calls := func(raw json.RawMessage) (calls []chatCall) {
		_ = json.Unmarshal(raw, &calls) // a message without calls has none
		return calls
	}
	for _, r := range runs {
		task := fmt.Sprint(r.Task, " ", r.Trial)
		all = append(all, conversation(task, r.Chat, calls, func(text string) string { return text }))
	}
	return all, nil
}

// liveMCPBench reads runs whose calls and results are written as Python prints them.
func liveMCPBench(file []byte) (all []session, err error) {
	var runs []struct {
		Task string `json:"task_id"`
		Chat []chat `json:"messages"`
	}
	if err := json.Unmarshal(file, &runs); err != nil {
		return nil, err
	}
	for _, r := range runs {
		all = append(all, conversation(r.Task, r.Chat, printedCalls, unframed))
	}
	return all, nil
}

var (
	idForm        = regexp.MustCompile(`'id': `)
	argumentsForm = regexp.MustCompile(`'arguments': `)
	nameForm      = regexp.MustCompile(`'name': `)
	textForm      = regexp.MustCompile(`TextContent\(type='text', text=`)
)

// printedCalls reads a list of calls that Python has printed.
func printedCalls(raw json.RawMessage) (all []chatCall) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return nil
	}
	after := func(form *regexp.Regexp) (value string) {
		if at := form.FindStringIndex(text); at != nil {
			var used int
			value, used = pythonString(text[at[1]:])
			if form == nameForm {
				text = text[at[1]+used:]
			}
		}
		return value
	}
	for idForm.MatchString(text) {
		var c chatCall
		c.ID, c.Function.Arguments = after(idForm), after(argumentsForm)
		if c.Function.Name = after(nameForm); c.Function.Name == "" {
			break
		}
		all = append(all, c)
	}
	return all
}

// unframed returns the texts of a result that Python has printed. Within may be a result of MCP as JSON.
func unframed(text string) string {
	var b strings.Builder
	for _, at := range textForm.FindAllStringIndex(text, -1) {
		one, _ := pythonString(text[at[1]:])
		var inner struct {
			Content []block `json:"content"`
		}
		if json.Unmarshal([]byte(one), &inner) == nil && len(inner.Content) > 0 {
			one = ""
			for _, c := range inner.Content {
				one += c.Text
			}
		}
		b.WriteString(one)
	}
	if b.Len() == 0 {
		return text
	}
	return b.String()
}

// pythonString reads a string as Python prints it, which text begins with, and returns how many bytes it takes. One
// that is cut off ends with the text.
func pythonString(text string) (value string, used int) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return "", 0
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			return b.String(), i + 1
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
		default:
			i++
			if r, _, _, err := strconv.UnquoteChar(text[i-1:], text[i]); err == nil && strings.IndexByte("xuU", text[i]) >= 0 {
				b.WriteRune(r)
				i += map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[i]]
				continue
			}
			if at := strings.IndexByte("ntr", text[i]); at >= 0 {
				b.WriteByte("\n\t\r"[at])
			} else {
				b.WriteByte(text[i])
			}
		}
	}
	return b.String(), len(text)
}
