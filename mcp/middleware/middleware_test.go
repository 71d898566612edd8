//lint:file-ignore SA1019 what newer revisions deprecate is what older ones are tested by

package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/mcp/middleware"
)

const (
	planted = "planted.person@example.com"
	marker  = "[REDACTED:email]"
	large   = "9007199254740993" // a float is another number
)

var eras = []string{"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"}

type arguments struct {
	Text string `json:"text"`
}

type found struct {
	N   int    `json:"n"`
	Who string `json:"who"`
}

// newServer returns a server that says a planted secret wherever it can.
func newServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "tested", Version: "1"}, nil)
	add := func(name string, call func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error)) {
		sdk.AddTool(s, &sdk.Tool{Name: name, Description: "about " + name},
			func(ctx context.Context, r *sdk.CallToolRequest, _ arguments) (*sdk.CallToolResult, any, error) {
				result, err := call(ctx, r)
				return result, nil, err
			})
	}
	text := func(text string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	}
	add("clean", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return text("<ok>"), nil })
	add("secret", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text("by " + planted), nil
	})
	add("fails", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, errors.New("it was " + planted)
	})
	add("breaks", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, &jsonrpc.Error{Code: -32001, Message: planted, Data: json.RawMessage(`{"who":"` + planted + `"}`)}
	})
	add("long", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var b strings.Builder
		for i := range 3000 {
			fmt.Fprintf(&b, "line %d of many, said by %s\n", i+1, planted)
		}
		return text(b.String()), nil
	})
	add("mixed", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{
			&sdk.ImageContent{Data: []byte("image"), MIMEType: "image/png"},
			&sdk.ResourceLink{URI: "file:///" + planted, Name: "link"},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", Text: planted}},
		}}, nil
	})
	add("reports", func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		err := errors.Join(
			r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: "t", Message: planted, Progress: 1}),
			r.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "error",
				Data: json.RawMessage(`{"n":` + large + `,"who":"` + planted + `"}`)}))
		return text("reported"), err
	})
	add("asks", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if r.Params.InputResponses != nil {
			return text("answered"), nil
		}
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{
			"e": &sdk.ElicitParams{Message: "is it " + planted,
				RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}},
		}}, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "structured"},
		func(context.Context, *sdk.CallToolRequest, arguments) (*sdk.CallToolResult, found, error) {
			return nil, found{3, planted}, nil
		})
	s.AddTool(&sdk.Tool{Name: "named", InputSchema: json.RawMessage(`{"type":"object","maxProperties":` + large + `}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{StructuredContent: map[string]int{planted: 1}}, nil
		})
	s.AddResource(&sdk.Resource{Name: "one", URI: "file:///one"},
		func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: "by " + planted}}}, nil
		})
	s.AddPrompt(&sdk.Prompt{Name: "p"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{
			Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "ask " + planted}}}}, nil
	})
	return s
}

// client is a client of the SDK, and what the server said to it besides answers.
type client struct {
	*sdk.ClientSession
	mu   sync.Mutex
	said map[string]string
	came chan struct{}
}

func (c *client) note(what string, value any, err error) string {
	b, jsonErr := json.Marshal(value)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said[what] = fmt.Sprintf("%s %v %v", b, err, jsonErr)
	return c.said[what]
}

// connect connects a client of a revision of the protocol with a server.
func connect(t *testing.T, s *sdk.Server, era string) *client {
	t.Helper()
	near, far := sdk.NewInMemoryTransports()
	c := &client{said: make(map[string]string), came: make(chan struct{}, 10)}
	of := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			c.note("elicitation", r.Params, nil)
			return &sdk.ElicitResult{Action: "decline"}, nil
		},
		CreateMessageHandler: func(_ context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			c.note("sampling", r.Params, nil)
			return &sdk.CreateMessageResult{Role: "assistant", Model: "m", Content: &sdk.TextContent{Text: "x"}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			c.note("progress", r.Params, nil)
			c.came <- struct{}{}
		},
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) {
			c.note("log", r.Params, nil)
			c.came <- struct{}{}
		},
	})
	go func() { _ = s.Run(t.Context(), near) }() // it ends with its client
	var err error
	if c.ClientSession, err = of.Connect(t.Context(), far, &sdk.ClientSessionOptions{ProtocolVersion: era}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// call returns the result of a tool as JSON, and the error.
func (c *client) call(t *testing.T, tool, members string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	result, err := c.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(members)})
	return c.note(tool, result, err)
}

// answers asks for all that a client can ask for.
func (c *client) answers(t *testing.T, s *sdk.Server, era string) map[string]string {
	t.Helper()
	ctx := t.Context()
	c.note("initialize", c.InitializeResult(), nil)
	var tools []string
	for tool, err := range c.Tools(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, string(b))
	}
	c.said["tools"] = strings.Join(tools, "\n")
	read, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: "file:///one"})
	c.note("resource", read, err)
	prompt, err := c.GetPrompt(ctx, &sdk.GetPromptParams{Name: "p"})
	c.note("prompt", prompt, err)
	if era < "2026" {
		if err := c.SetLoggingLevel(ctx, &sdk.SetLoggingLevelParams{Level: "debug"}); err != nil {
			t.Error(err)
		}
		for one := range s.Sessions() {
			result, err := one.CreateMessage(ctx, &sdk.CreateMessageParams{SystemPrompt: "as " + planted, MaxTokens: 5,
				Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: "say " + planted}}}})
			c.note("sampled", result, err)
		}
	}
	for _, tool := range []string{"clean", "secret", "fails", "breaks", "long", "mixed", "reports", "asks", "structured",
		"named", "none"} {
		c.call(t, tool, `{"text":""}`)
	}
	if era < "2026" {
		<-c.came // progress, and the log
		<-c.came
	}
	return c.said
}

// newGuard returns a guard that fails the test with what it notes.
func newGuard(t *testing.T, o middleware.Options) *middleware.Guard {
	t.Helper()
	if o.Note == nil {
		o.Note = func(line string) { t.Error(line) }
	}
	g, err := middleware.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// TestGuard: a client gets from a guarded server what it gets without, except for what is redacted, shortened and
// dropped.
func TestGuard(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			open := newServer()
			bare := connect(t, open, era).answers(t, open, era)
			guarded := newServer()
			newGuard(t, middleware.Options{Budget: 1000}).Protect(guarded)
			c := connect(t, guarded, era)
			said := c.answers(t, guarded, era)
			if len(bare) != len(said) || len(bare) < 15 {
				t.Errorf("%d answers, %d without a guard", len(said), len(bare))
			}
			for what, want := range bare {
				want, got := strings.ReplaceAll(want, planted, marker), said[what]
				switch what {
				case "long":
					if len(got) > 5000 || !strings.Contains(got, `3000 lines, `) ||
						!strings.Contains(got, `kfw_expand {\"handle\":\"h1\"`) || strings.Contains(got, planted) {
						t.Errorf("long: %s", got)
					}
					continue
				case "structured":
					want = strings.Replace(want, `,"structuredContent":{"n":3,"who":"`+marker+`"}`, "", 1)
				case "named":
					want = strings.Replace(want, `"content":[]`, `"content":[{"type":"text","text":"{\"`+marker+`\":1}"}]`, 1)
					want = strings.Replace(want, `,"structuredContent":{"`+marker+`":1}`, "", 1)
				case "tools":
					if !strings.Contains(want, "outputSchema") || strings.Contains(got, "outputSchema") {
						t.Errorf("tools: %s", got)
					}
					if n := strings.Count(got, `"name":"kfw_expand"`); n != 1 {
						t.Errorf("kfw_expand is listed %d times", n)
					}
					continue
				}
				if got != want {
					t.Errorf("%s:\n got %s\nwant %s", what, got, want)
				}
			}
			if got := c.call(t, "kfw_expand", `{"handle":"h1","lines":"2999-3000"}`); !strings.Contains(got,
				`line 2999 of many, said by [REDACTED:email]\nline 3000 of many, said by [REDACTED:email]\n`) {
				t.Errorf("expanded: %s", got)
			}
			if got := c.call(t, "kfw_expand", `{"handle":"h9"}`); !strings.Contains(got, `"isError":true`) {
				t.Errorf("a handle that is not there: %s", got)
			}
		})
	}
}

// TestStructured: structured content that is kept is redacted in place, with its numbers; where that can't be, the
// result is withheld.
func TestStructured(t *testing.T) {
	s := newServer()
	newGuard(t, middleware.Options{KeepsStructured: true}).Protect(s)
	var wire recorder
	s.AddReceivingMiddleware(wire.middleware)
	c := connect(t, s, "2025-11-25")
	s.AddTool(&sdk.Tool{Name: "exact", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{StructuredContent: json.RawMessage(`{"n":` + large + `,"who":"` + planted + `"}`)}, nil
		})
	c.call(t, "exact", `{}`)
	if got := wire.last(t); !strings.Contains(got, `"structuredContent":{"n":`+large+`,"who":"`+marker+`"}`) {
		t.Errorf("kept: %s", got)
	}
	c.call(t, "named", `{}`)
	if got := wire.last(t); !strings.Contains(got, "kfw: withheld") || !strings.Contains(got, `"isError":true`) ||
		strings.Contains(got, planted) {
		t.Errorf("not withheld: %s", got)
	}
}

// recorder keeps the results of tools that leave the middleware before it.
type recorder struct {
	mu     sync.Mutex
	result sdk.Result
}

func (r *recorder) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		if method == "tools/call" {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.result = result
		}
		return result, err
	}
}

func (r *recorder) last(t *testing.T) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	b, err := json.Marshal(r.result)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPolicies: a tool whose policy is off passes, and one whose policy is redact is not shortened.
func TestPolicies(t *testing.T) {
	s := newServer()
	newGuard(t, middleware.Options{Budget: 1000, Policies: hosts.Policies{
		{Pattern: "secret", Treatment: hosts.Off}, {Pattern: "long", Treatment: hosts.Redact}}}).Protect(s)
	c := connect(t, s, "2025-11-25")
	if got := c.call(t, "secret", `{"text":""}`); !strings.Contains(got, planted) {
		t.Errorf("off: %s", got)
	}
	if got := c.call(t, "long", `{"text":""}`); strings.Count(got, marker) != 3000 || strings.Contains(got, planted) {
		t.Errorf("redact: %d lines", strings.Count(got, marker))
	}
}

// TestOwners: a connection reads no handles of another one, unless both have one owner.
func TestOwners(t *testing.T) {
	for _, isShared := range []bool{false, true} {
		o := middleware.Options{Budget: 1000}
		if isShared {
			o.Owner = func(context.Context, sdk.Request) string { return "one" }
		}
		s := newServer()
		newGuard(t, o).Protect(s)
		first, second := connect(t, s, "2025-11-25"), connect(t, s, "2025-11-25")
		first.call(t, "long", `{"text":""}`)
		got := second.call(t, "kfw_expand", `{"handle":"h1"}`)
		if strings.Contains(got, "line 1 of many") != isShared {
			t.Errorf("shared %v: %.200s", isShared, got)
		}
	}
}

// TestStateless: a server over HTTP without sessions reads on by the owner, and keeps nothing of a request without one.
func TestStateless(t *testing.T) {
	for _, isNamed := range []bool{false, true} {
		t.Setenv("TMPDIR", t.TempDir())
		o := middleware.Options{Budget: 1000}
		if isNamed {
			o.Owner = func(_ context.Context, r sdk.Request) string { return r.GetExtra().Header.Get("User-Agent") }
		}
		s := newServer()
		newGuard(t, o).Protect(s)
		at := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s },
			&sdk.StreamableHTTPOptions{Stateless: true}))
		defer at.Close()
		of := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, nil)
		to := &sdk.StreamableClientTransport{Endpoint: at.URL, DisableStandaloneSSE: true}
		session, err := of.Connect(t.Context(), to, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &client{ClientSession: session, said: make(map[string]string)}
		if got := c.call(t, "long", `{"text":""}`); !strings.Contains(got, `kfw_expand {\"handle\":\"h1\"`) ||
			strings.Contains(got, planted) {
			t.Errorf("long: %.300s", got)
		}
		got := c.call(t, "kfw_expand", `{"handle":"h1","lines":"2999"}`)
		if strings.Contains(got, "line 2999 of many") != isNamed {
			t.Errorf("with an owner %v: %.300s", isNamed, got)
		}
		session.Close()
		if isNamed {
			continue
		}
		for len(kept(t)) > 0 && t.Context().Err() == nil { // the test has a limit of its own
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// kept returns the sessions that guards have in the directory for temporary files.
func kept(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "kfw-mcp-*", "*.kfw*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestAtOnce: calls of one connection that run at the same time get each its own result.
func TestAtOnce(t *testing.T) {
	s := sdk.NewServer(&sdk.Implementation{Name: "tested", Version: "1"}, nil)
	var started sync.WaitGroup
	started.Add(20)
	sdk.AddTool(s, &sdk.Tool{Name: "echo"},
		func(_ context.Context, _ *sdk.CallToolRequest, in arguments) (*sdk.CallToolResult, any, error) {
			started.Done()
			started.Wait()
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: in.Text + " " + planted}}}, nil, nil
		})
	newGuard(t, middleware.Options{}).Protect(s)
	c := connect(t, s, "2025-11-25")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if got := c.call(t, "echo", fmt.Sprintf(`{"text":"call %d"}`, i)); !strings.Contains(got,
				fmt.Sprintf(`"call %d [REDACTED:email]"`, i)) {
				t.Errorf("call %d: %s", i, got)
			}
		})
	}
	all.Wait()
}

// TestFailsClosed: what can't be redacted does not pass, and leaves no file.
func TestFailsClosed(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp) // on Windows
	var noted []string
	g := newGuard(t, middleware.Options{Note: func(line string) { noted = append(noted, line) }})
	s := newServer()
	g.Protect(s)
	s.AddTool(&sdk.Tool{Name: "odd", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: planted}},
				StructuredContent: make(chan int)}, nil
		})
	c := connect(t, s, "2025-11-25")
	if got := c.call(t, "odd", `{}`); !strings.Contains(got, "kfw: withheld") || strings.Contains(got, planted) {
		t.Errorf("not JSON: %s", got)
	}
	c.call(t, "long", `{"text":""}`)
	if all, err := os.ReadDir(temp); err != nil || len(all) != 1 {
		t.Fatalf("directories: %v, %v", all, err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if got := c.call(t, "secret", `{"text":""}`); !strings.Contains(got, "kfw: withheld: the guard is closed") {
		t.Errorf("after the end: %s", got)
	}
	if all, err := os.ReadDir(temp); err != nil || len(all) != 0 {
		t.Errorf("left: %v, %v", all, err)
	}
	if len(noted) > 0 {
		t.Errorf("noted: %q", noted)
	}
}

// TestOptions: an option that can't be is an error that says which.
func TestOptions(t *testing.T) {
	for want, o := range map[string]middleware.Options{"Budget": {Budget: 10}, "Tokenizer": {Tokenizer: "none"}} {
		if g, err := middleware.New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", want, g, err)
		}
	}
}
