package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// call is a tool call.
type call struct {
	tool  string
	input map[string]string
}

// step is one tool call of a conversation.
type step struct {
	name string
	// call returns the tool call, given the result of the step before; nil ends the conversation.
	call func(before string) *call
}

// request is what standIn reads of a request.
type request struct {
	hasTools bool
	results  map[string]string // by the ID of the call
}

// protocol is the part of a provider's streaming API that an agent needs to run tools.
type protocol interface {
	path() string
	read(body []byte) (request, error)
	// write streams an answer: the tool call c with this ID, or the word "done" if c is nil.
	write(w io.Writer, id string, c *call)
}

// standIn is an HTTP handler in the place of a provider. It asks for the tool calls of its steps,
// one after the other, and keeps the results. It derives the next step from the results in the
// request, so a repeated request gets the same answer.
type standIn struct {
	protocol protocol
	steps    []step

	mu      sync.Mutex
	results map[string]string // by the name of the step
	bodies  []string          // of all requests
	err     error             // the first request that could not be read
}

// ServeHTTP implements http.Handler. An agent also asks for what standIn does not have, such as
// lists of models: 404.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && r.Header.Get("Content-Encoding") != "" {
		err = errors.New("a compressed request")
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	s.bodies = append(s.bodies, string(body))
	if r.Method != http.MethodPost || r.URL.Path != s.protocol.path() {
		http.NotFound(w, r)
		return
	}
	got, err := s.protocol.read(body)
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	id, c := s.next(got)
	s.protocol.write(w, id, c)
}

func (s *standIn) fail(w http.ResponseWriter, err error) {
	if s.err == nil {
		s.err = err
	}
	http.Error(w, "unreadable", http.StatusBadRequest)
}

// next keeps the results of a request and returns the first call without one. A request that offers
// no tools is not part of the conversation: agents ask for titles and summaries, too.
func (s *standIn) next(got request) (id string, c *call) {
	if !got.hasTools {
		return "", nil
	}
	before := ""
	for _, step := range s.steps {
		id := "call_" + step.name
		result, found := got.results[id]
		if !found {
			return id, step.call(before)
		}
		s.results[step.name], before = result, result
	}
	return "", nil
}

// textOf returns the text of a tool result: a string, or parts that have text.
func textOf(content json.RawMessage) (string, error) {
	var text string
	if len(content) == 0 || json.Unmarshal(content, &text) == nil {
		return text, nil
	}
	var parts []struct{ Text string }
	if err := json.Unmarshal(content, &parts); err != nil {
		return "", err
	}
	for _, p := range parts {
		text += p.Text
	}
	return text, nil
}

// sendEvent writes a server-sent event. members are the JSON members of its data after the
// type. A failure to write is not looked at: an agent that is gone gets no results.
func sendEvent(w io.Writer, kind, members string) {
	fmt.Fprintf(w, "event: %s\ndata: {\"type\":%s%s}\n\n", kind, jsonOf(kind), members)
}

// jsonOf returns v as JSON. v is made of strings and maps of strings, which have no errors.
func jsonOf(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// messages is Anthropic's Messages API: https://docs.anthropic.com/en/api/messages-streaming.
type messages struct{}

func (messages) path() string { return "/v1/messages" }

func (messages) read(body []byte) (request, error) {
	var r struct {
		Tools    []json.RawMessage
		Messages []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return request{}, err
	}
	got := request{hasTools: len(r.Tools) > 0, results: make(map[string]string)}
	for _, m := range r.Messages {
		if strings.HasPrefix(string(m.Content), `"`) { // text only
			continue
		}
		var blocks []struct {
			Type    string
			ID      string `json:"tool_use_id"`
			Content json.RawMessage
		}
		if err := json.Unmarshal(m.Content, &blocks); err != nil {
			return request{}, err
		}
		for _, b := range blocks {
			if b.Type != "tool_result" {
				continue
			}
			text, err := textOf(b.Content)
			if err != nil {
				return request{}, err
			}
			got.results[b.ID] = text
		}
	}
	return got, nil
}

func (messages) write(w io.Writer, id string, c *call) {
	block, delta, reason := `{"type":"text","text":""}`, `{"type":"text_delta","text":"done"}`, "end_turn"
	if c != nil {
		block = fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":{}}`, jsonOf(id), jsonOf(c.tool))
		delta = fmt.Sprintf(`{"type":"input_json_delta","partial_json":%s}`, jsonOf(jsonOf(c.input)))
		reason = "tool_use"
	}
	sendEvent(w, "message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
	sendEvent(w, "content_block_start", `,"index":0,"content_block":`+block)
	sendEvent(w, "content_block_delta", `,"index":0,"delta":`+delta)
	sendEvent(w, "content_block_stop", `,"index":0`)
	sendEvent(w, "message_delta", `,"delta":{"stop_reason":"`+reason+`","stop_sequence":null},"usage":{"output_tokens":1}`)
	sendEvent(w, "message_stop", "")
}

// responses is OpenAI's Responses API:
// https://platform.openai.com/docs/api-reference/responses-streaming.
type responses struct{}

func (responses) path() string { return "/v1/responses" }

func (responses) read(body []byte) (request, error) {
	var r struct {
		Tools []json.RawMessage
		Input []struct {
			Type   string
			ID     string `json:"call_id"`
			Output json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return request{}, err
	}
	got := request{hasTools: len(r.Tools) > 0, results: make(map[string]string)}
	for _, item := range r.Input {
		if item.Type != "function_call_output" {
			continue
		}
		text, err := textOf(item.Output)
		if err != nil {
			return request{}, err
		}
		got.results[item.ID] = text
	}
	return got, nil
}

func (responses) write(w io.Writer, id string, c *call) {
	item := `{"type":"message","role":"assistant","id":"msg_1","content":[{"type":"output_text","text":"done"}]}`
	if c != nil {
		item = fmt.Sprintf(`{"type":"function_call","id":"item_1","call_id":%s,"name":%s,"arguments":%s}`,
			jsonOf(id), jsonOf(c.tool), jsonOf(jsonOf(c.input)))
	}
	sendEvent(w, "response.created", `,"response":{"id":"resp_1"}`)
	sendEvent(w, "response.output_item.done", `,"output_index":0,"item":`+item)
	sendEvent(w, "response.completed", `,"response":{"id":"resp_1","usage":{"input_tokens":1,"input_tokens_details":null,`+
		`"output_tokens":1,"output_tokens_details":null,"total_tokens":2}}`)
}
