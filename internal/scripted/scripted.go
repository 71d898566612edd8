// Package scripted is a model's provider for tests: it answers each request with the next stream of a script, and
// refuses, as strict providers do, one whose messages it can't have: with a member that is not known, a call that is
// answered twice or not at all, or arguments that are no object.
package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/kfw-dev/kfw/turn"
)

// Server answers requests of a protocol. It is an http.Handler.
type Server struct {
	Protocol turn.Protocol
	Script   []string // streams, one for each request

	mu       sync.Mutex
	requests []string
}

// Requests returns the bodies of the requests so far.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

// ServeHTTP answers a request: 200 and a stream, 400 and why not, or 410 at the end of the script.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var request map[string]json.RawMessage
	if err := json.Unmarshal(body, &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := Check(s.Protocol, request[shapes[s.Protocol].member]); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if len(s.requests) == len(s.Script) {
		http.Error(w, "the script is at its end", http.StatusGone)
		return
	}
	_, _ = io.WriteString(w, s.Script[len(s.requests)])
	s.requests = append(s.requests, string(body))
}

// said is what a message says, in whatever form.
type said struct {
	role    string
	calls   []call
	results []string // ids of the calls that they are about, or names where there are no ids
	says    bool     // there is a text, or something else
}

type call struct {
	id        string
	arguments json.RawMessage // an object
}

// shape is how a request has its messages.
type shape struct {
	member    string // of the request
	read      func(messages []byte) ([]said, error)
	alternate bool // who speaks changes with each message
}

var shapes = map[turn.Protocol]shape{
	turn.OpenAIChat:         {"messages", readChat, false},
	turn.OpenAIResponses:    {"input", readItems, false},
	turn.AnthropicMessages:  {"messages", readAnthropic, true},
	turn.Gemini:             {"contents", readGemini, true},
	turn.GeminiInteractions: {"input", readSteps, false},
	turn.BedrockConverse:    {"messages", readBedrock, true},
	turn.CohereV2:           {"messages", readCohere, false},
	turn.Ollama:             {"messages", readOllama, false},
}

// Check reports what is wrong with the messages of a request.
func Check(p turn.Protocol, messages []byte) error {
	s, known := shapes[p]
	if !known {
		return errors.New("no such protocol: " + string(p))
	}
	all, err := s.read(messages)
	if err != nil {
		return err
	}
	if len(all) == 0 || all[0].role != "user" {
		return errors.New("the user does not speak first")
	}
	open, ids := map[string]int{}, map[string]bool{}
	for i, m := range all {
		if s.alternate && i > 0 && m.role == all[i-1].role {
			return fmt.Errorf("message %d: the %s speaks twice", i, m.role)
		}
		if !m.says && len(m.calls)+len(m.results) == 0 {
			return fmt.Errorf("message %d is empty", i)
		}
		for _, id := range m.results {
			if open[id] == 0 {
				return fmt.Errorf("message %d: %q is the result of no call, or the second one", i, id)
			}
			if open[id]--; open[id] == 0 {
				delete(open, id)
			}
		}
		if len(m.results) == 0 && len(m.calls) == 0 && len(open) > 0 {
			return fmt.Errorf("message %d: a call before it has no result", i)
		}
		for _, c := range m.calls {
			var object map[string]any
			if err := json.Unmarshal(c.arguments, &object); err != nil || object == nil {
				return fmt.Errorf("message %d: the arguments %s are no object", i, c.arguments)
			}
			if c.id == "" || ids[c.id] && p != turn.Ollama && p != turn.Gemini {
				return fmt.Errorf("message %d: %q is no id of one call", i, c.id)
			}
			ids[c.id] = true
			open[c.id]++
		}
	}
	if len(open) > 0 {
		return errors.New("a call has no result")
	}
	return nil
}

// strictly reads JSON that has no members but those of a struct.
func strictly(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// inText is arguments that a string holds.
func inText(arguments string) json.RawMessage { return json.RawMessage(arguments) }

// says reports whether a content says something: a text, or a list that is not empty.
func says(content json.RawMessage) bool {
	return len(content) > 0 && string(content) != "null" && string(content) != `""` && string(content) != "[]"
}

type chatCall struct {
	ID       string
	Type     string
	Function struct{ Name, Arguments string }
}

func (c *chatCall) call() (call, error) {
	if c.Type != "function" || c.Function.Name == "" {
		return call{}, errors.New("a call that is none of a function")
	}
	return call{c.ID, inText(c.Function.Arguments)}, nil
}

// chatMessage is a message of OpenAI's chat completions, which Cohere has with one more member.
type chatMessage struct {
	Role       string
	Content    json.RawMessage
	ToolCalls  []chatCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
}

func (m *chatMessage) said() (one said, err error) {
	one = said{role: m.Role, says: says(m.Content)}
	for i := range m.ToolCalls {
		c, err := m.ToolCalls[i].call()
		if err != nil {
			return one, err
		}
		one.calls = append(one.calls, c)
	}
	if m.Role == "tool" {
		one.results = []string{m.ToolCallID}
	}
	return one, nil
}

func readChat(messages []byte) (all []said, err error) {
	var list []chatMessage
	if err := strictly(messages, &list); err != nil {
		return nil, err
	}
	for i := range list {
		one, err := list[i].said()
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func readCohere(messages []byte) (all []said, err error) {
	var list []struct {
		chatMessage
		ToolPlan string `json:"tool_plan"`
	}
	if err := strictly(messages, &list); err != nil {
		return nil, err
	}
	for i := range list {
		one, err := list[i].said()
		if err != nil {
			return nil, err
		}
		one.says = one.says || list[i].ToolPlan != ""
		all = append(all, one)
	}
	return all, nil
}

func readOllama(messages []byte) (all []said, err error) {
	var list []struct {
		Role, Content, Thinking string
		ToolCalls               []struct {
			Function struct {
				Name      string
				Arguments json.RawMessage
			}
		} `json:"tool_calls"`
		ToolName string `json:"tool_name"`
	}
	if err := strictly(messages, &list); err != nil {
		return nil, err
	}
	for _, m := range list {
		one := said{role: m.Role, says: m.Content != ""}
		for _, c := range m.ToolCalls {
			one.calls = append(one.calls, call{c.Function.Name, c.Function.Arguments})
		}
		if m.Role == "tool" {
			one.results = []string{m.ToolName}
		}
		all = append(all, one)
	}
	return all, nil
}

func readItems(items []byte) (all []said, err error) {
	var list []struct {
		Type, Role       string
		ID               string
		Content          json.RawMessage
		CallID           string `json:"call_id"`
		Name, Arguments  string
		Output           json.RawMessage
		Summary          []struct{ Type, Text string }
		EncryptedContent *string `json:"encrypted_content"`
	}
	if err := strictly(items, &list); err != nil {
		return nil, err
	}
	for _, item := range list {
		switch item.Type {
		case "", "message":
			all = append(all, said{role: item.Role, says: says(item.Content)})
		case "reasoning":
			if item.ID == "" || item.Summary == nil {
				return nil, errors.New("reasoning without an id or a summary")
			}
		case "function_call":
			one := call{item.CallID, inText(item.Arguments)}
			if last := len(all) - 1; last > 0 && len(all[last].calls) > 0 {
				all[last].calls = append(all[last].calls, one)
			} else {
				all = append(all, said{role: "assistant", calls: []call{one}})
			}
		case "function_call_output":
			all = append(all, said{role: "tool", results: []string{item.CallID}})
		default:
			return nil, errors.New("an item of the type " + item.Type)
		}
	}
	return all, nil
}

func readAnthropic(messages []byte) (all []said, err error) {
	var list []struct {
		Role    string
		Content json.RawMessage
	}
	if err := strictly(messages, &list); err != nil {
		return nil, err
	}
	for _, m := range list {
		one := said{role: m.Role}
		if one.says = m.Content[0] == '"' && says(m.Content); one.says {
			all = append(all, one)
			continue
		}
		var blocks []struct {
			Type, Text                string
			Thinking, Signature, Data string
			ID, Name                  string
			Input, Content            json.RawMessage
			ToolUseID                 string `json:"tool_use_id"`
			IsError                   bool   `json:"is_error"`
		}
		if err := strictly(m.Content, &blocks); err != nil {
			return nil, err
		}
		for _, b := range blocks {
			switch {
			case b.Type == "text" && b.Text != "", b.Type == "thinking" && b.Signature != "",
				b.Type == "redacted_thinking" && b.Data != "":
				one.says = true
			case b.Type == "tool_use" && m.Role == "assistant":
				one.calls = append(one.calls, call{b.ID, b.Input})
			case b.Type == "tool_result" && m.Role == "user":
				one.results = append(one.results, b.ToolUseID)
			default:
				return nil, errors.New("a block of the type " + b.Type)
			}
		}
		all = append(all, one)
	}
	return all, nil
}

func readGemini(contents []byte) (all []said, err error) {
	type named struct {
		ID, Name string
		Args     json.RawMessage
		Response json.RawMessage
	}
	var list []struct {
		Role  string
		Parts []struct {
			Text             *string
			Thought          bool
			ThoughtSignature string
			FunctionCall     *named
			FunctionResponse *named
		}
	}
	if err := strictly(contents, &list); err != nil {
		return nil, err
	}
	for _, m := range list {
		one := said{role: m.Role}
		for _, part := range m.Parts {
			switch {
			case part.FunctionCall != nil:
				one.calls = append(one.calls, call{part.FunctionCall.ID + " " + part.FunctionCall.Name,
					part.FunctionCall.Args})
			case part.FunctionResponse != nil:
				one.results = append(one.results, part.FunctionResponse.ID+" "+part.FunctionResponse.Name)
			case part.Text == nil:
				return nil, errors.New("a part without anything")
			default:
				one.says = true
			}
		}
		all = append(all, one)
	}
	return all, nil
}

func readSteps(steps []byte) (all []said, err error) {
	var list []struct {
		Type, Role, Signature string
		Content               []struct{ Type, Text string }
		ID, Name              string
		Arguments             json.RawMessage
		CallID                string `json:"call_id"`
		Result                json.RawMessage
		IsError               bool `json:"is_error"`
	}
	if err := strictly(steps, &list); err != nil {
		return nil, err
	}
	for _, s := range list {
		switch s.Type {
		case "user_input":
			all = append(all, said{role: "user", says: len(s.Content) > 0})
		case "model_output":
			all = append(all, said{role: "model", says: len(s.Content) > 0})
		case "thought":
		case "function_call":
			one := call{s.ID, s.Arguments}
			if last := len(all) - 1; last > 0 && len(all[last].calls) > 0 {
				all[last].calls = append(all[last].calls, one)
			} else {
				all = append(all, said{role: "model", calls: []call{one}})
			}
		case "function_result":
			all = append(all, said{role: "tool", results: []string{s.CallID}})
		default:
			return nil, errors.New("a step of the type " + s.Type)
		}
	}
	return all, nil
}

func readBedrock(messages []byte) (all []said, err error) {
	var list []struct {
		Role    string
		Content []struct {
			Text             string
			ReasoningContent *struct {
				ReasoningText   *struct{ Text, Signature string }
				RedactedContent string
			}
			ToolUse *struct {
				ToolUseID string `json:"toolUseId"`
				Name      string
				Input     json.RawMessage
			}
			ToolResult *struct {
				ToolUseID string `json:"toolUseId"`
				Content   []struct{ Text string }
				Status    string
			}
		}
	}
	if err := strictly(messages, &list); err != nil {
		return nil, err
	}
	for _, m := range list {
		one := said{role: m.Role}
		for _, b := range m.Content {
			switch {
			case b.ToolUse != nil:
				one.calls = append(one.calls, call{b.ToolUse.ToolUseID, b.ToolUse.Input})
			case b.ToolResult != nil:
				if b.ToolResult.Status != "success" && b.ToolResult.Status != "error" {
					return nil, errors.New("a result without a status")
				}
				one.results = append(one.results, b.ToolResult.ToolUseID)
			default:
				one.says = b.Text != "" || b.ReasoningContent != nil
			}
		}
		all = append(all, one)
	}
	return all, nil
}
