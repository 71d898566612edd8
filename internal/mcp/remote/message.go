package remote

import (
	"bufio"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// firstModern is the first revision in which headers repeat what the body says, and which has no sessions.
const firstModern = "2026-07-28"

const (
	maxWord      = 4 << 10  // bytes of a name, an ID, or a URI
	maxArguments = 64 << 10 // bytes of arguments from which headers are taken
	maxTools     = 1024     // tools whose arguments are repeated in headers
)

// message is what is known of a message of the client.
type message struct {
	id        []byte // as it is written
	method    string
	name      string // of a tool or a prompt, or a URI: what Mcp-Name says
	version   string // the revision that it says, from 2026-07-28 on
	cancels   []byte // ID of the request that it gives up
	arguments []byte
}

func (m *message) isRequest() bool { return len(m.id) > 0 && m.method != "" }

func (m *message) isModern() bool { return m.version >= firstModern }

// parse reads a message. What is no JSON has neither ID nor method, and is for the server to complain of.
func parse(in io.Reader) *message {
	m := &message{}
	e := jsonx.NewEditor(false)
	e.Reset(bufio.NewReader(in), io.Discard)
	err := object(e, func(name string) (err error) {
		switch name {
		case "id":
			m.id, err = e.Capture(maxWord)
		case "method":
			m.method, err = word(e)
		case "params":
			err = m.params(e)
		default:
			err = e.Copy()
		}
		return err
	})
	if err != nil {
		return &message{}
	}
	switch m.method {
	case "tools/call", "prompts/get", "resources/read":
	default:
		m.name = ""
	}
	return m
}

func (m *message) params(e *jsonx.Editor) error {
	return object(e, func(name string) (err error) {
		switch name {
		case "name", "uri":
			m.name, err = word(e)
		case "requestId":
			m.cancels, err = e.Capture(maxWord)
		case "arguments":
			m.arguments, err = e.Capture(maxArguments)
		case "_meta":
			err = object(e, func(name string) (err error) {
				if name == "io.modelcontextprotocol/protocolVersion" {
					m.version, err = word(e)
					return err
				}
				return e.Copy()
			})
		default:
			err = e.Copy()
		}
		return err
	})
}

// object walks the next value if it is an object, and passes it if not.
func object(e *jsonx.Editor, member func(name string) error) error {
	kind, err := e.Kind()
	if err != nil {
		return err
	}
	if kind != jsonx.Object {
		return e.Copy()
	}
	return e.Object(func(name []byte) error { return member(string(name)) }, nil)
}

// word returns the next value, if it is a short string.
func word(e *jsonx.Editor) (string, error) {
	value, err := e.Capture(maxWord)
	if len(value) < 2 || value[0] != '"' {
		return "", err
	}
	return string(jsonx.AppendUnescaped(nil, value[1:len(value)-1])), err
}

// state is what the headers of a request depend on that was said before.
type state struct {
	mu       sync.Mutex
	session  string
	version  string // that was agreed on, before 2026-07-28
	isModern bool
	cancels  map[string]func() // of requests that wait, by ID
	params   map[string][]binding
	listens  bool
}

// binding is an argument of a tool that a header repeats.
type binding struct {
	path   []string
	header string
}

// headers sets those of a request.
func (s *Server) headers(r *http.Request, m *message) {
	for name, values := range s.o.Header {
		r.Header[name] = values
	}
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	if s.state.session != "" {
		r.Header.Set("Mcp-Session-Id", s.state.session)
	}
	switch {
	case !m.isModern():
		if s.state.version != "" {
			r.Header.Set("MCP-Protocol-Version", s.state.version)
		}
		return
	case m.method == "":
		return
	}
	r.Header.Set("MCP-Protocol-Version", m.version)
	r.Header.Set("Mcp-Method", headerValue(m.method))
	if m.name != "" {
		r.Header.Set("Mcp-Name", headerValue(m.name))
	}
	if m.method != "tools/call" {
		return
	}
	for _, b := range s.state.params[m.name] {
		value := gjson.ParseBytes(m.arguments)
		for _, name := range b.path {
			value = member(value, name)
		}
		switch value.Type {
		case gjson.String:
			r.Header.Set("Mcp-Param-"+b.header, headerValue(value.Str))
		case gjson.True, gjson.False, gjson.Number:
			r.Header.Set("Mcp-Param-"+b.header, value.Raw)
		}
	}
}

// member returns a member of an object, by its name as it stands.
func member(object gjson.Result, name string) (found gjson.Result) {
	if object.IsObject() {
		object.ForEach(func(key, value gjson.Result) bool {
			if key.Str == name {
				found = value
			}
			return true
		})
	}
	return found
}

// headerValue returns a text as a header says it: as it stands if it is plain ASCII, else in base64 (SEP-2243).
func headerValue(text string) string {
	const begin, end = "=?base64?", "?="
	isPlain := strings.TrimSpace(text) == text && !(strings.HasPrefix(text, begin) && strings.HasSuffix(text, end))
	for i := range len(text) {
		isPlain = isPlain && (text[i] >= ' ' && text[i] <= '~' || text[i] == '\t')
	}
	if isPlain {
		return text
	}
	return begin + base64.StdEncoding.EncodeToString([]byte(text)) + end
}

// learn takes from an answer what later headers depend on.
func (s *Server) learn(m *message, answer []byte) {
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	switch m.method {
	case "initialize":
		if version := gjson.GetBytes(answer, "result.protocolVersion").String(); len(version) < maxWord {
			s.state.version = version
		}
	case "tools/list":
		gjson.GetBytes(answer, "result.tools").ForEach(func(_, tool gjson.Result) bool {
			var all []binding
			bindings(tool.Get("inputSchema"), nil, &all)
			if s.state.params == nil {
				s.state.params = make(map[string][]binding)
			}
			if name := tool.Get("name").String(); len(all) > 0 && len(s.state.params) < maxTools {
				s.state.params[name] = all
			}
			return true
		})
	}
}

// bindings looks for the properties of a schema that headers repeat.
func bindings(schema gjson.Result, path []string, all *[]binding) {
	member(schema, "properties").ForEach(func(key, property gjson.Result) bool {
		at := append(path[:len(path):len(path)], key.String())
		if header := member(property, "x-mcp-header").String(); IsHeaderName(header) {
			*all = append(*all, binding{at, header})
		}
		bindings(property, at, all)
		return true
	})
}

// IsHeaderName reports whether text can be the name of a header, or a part of one (RFC 9110, 5.6.2).
func IsHeaderName(text string) bool {
	for i := range len(text) {
		c := text[i]
		isLetter := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !isLetter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return text != ""
}

// IsHeaderValue reports whether text can be the value of a header.
func IsHeaderValue(text string) bool {
	isControl := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	return !strings.ContainsFunc(text, isControl)
}
