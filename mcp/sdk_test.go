//lint:file-ignore SA1019 what newer revisions deprecate is what older ones are tested by

package mcp_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kfw-dev/kfw/internal/mcp/results"
)

// eras are the revisions of the protocol before and after it was made anew.
var eras = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

const longLine = "a line of which there are many, said by " + planted + "\n"

// newServer returns a server that has all that the protocol has, with planted secrets in what it says.
func newServer(started chan<- struct{}) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "tested", Version: "1"}, &sdk.ServerOptions{
		Instructions: "write to " + planted, PageSize: 3,
		CompletionHandler: func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{planted}}}, nil
		},
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
	})
	type arguments struct {
		Text string `json:"text"`
	}
	add := func(name string, call func(context.Context, *sdk.CallToolRequest, string) (*sdk.CallToolResult, error)) {
		sdk.AddTool(s, &sdk.Tool{Name: name, Description: "about " + name},
			func(ctx context.Context, r *sdk.CallToolRequest, in arguments) (*sdk.CallToolResult, any, error) {
				result, err := call(ctx, r, in.Text)
				return result, nil, err
			})
	}
	text := func(text string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	}
	add("echo", func(_ context.Context, _ *sdk.CallToolRequest, in string) (*sdk.CallToolResult, error) {
		return text("you said " + in), nil
	})
	add("fails", func(context.Context, *sdk.CallToolRequest, string) (*sdk.CallToolResult, error) {
		return nil, errors.New("it was " + planted)
	})
	add("long", func(context.Context, *sdk.CallToolRequest, string) (*sdk.CallToolResult, error) {
		return text(strings.Repeat(longLine, 1000)), nil
	})
	add("mixed", func(context.Context, *sdk.CallToolRequest, string) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Meta: sdk.Meta{"who": planted}, Content: []sdk.Content{
			&sdk.ImageContent{Data: []byte("image"), MIMEType: "image/png"},
			&sdk.AudioContent{Data: []byte("audio"), MIMEType: "audio/wav"},
			&sdk.ResourceLink{URI: "file:///" + planted, Name: "link"},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", Text: planted}},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///b", Blob: []byte(planted)}},
		}}, nil
	})
	add("waits", func(ctx context.Context, _ *sdk.CallToolRequest, _ string) (*sdk.CallToolResult, error) {
		started <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	add("reports", func(ctx context.Context, r *sdk.CallToolRequest, _ string) (*sdk.CallToolResult, error) {
		err := errors.Join(
			r.Session.NotifyProgress(ctx,
				&sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Message: planted,
					Progress: 1}),
			r.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "error", Data: map[string]any{"who": planted}}))
		return text("reported"), err
	})
	add("asks", func(ctx context.Context, r *sdk.CallToolRequest, _ string) (*sdk.CallToolResult, error) {
		if r.Params.InputResponses != nil {
			return text("answered"), nil
		}
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{
			"e": &sdk.ElicitParams{Message: "is it " + planted,
				RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}},
		}, RequestState: planted}, nil
	})
	type found struct {
		Who string `json:"who"`
		N   int    `json:"n"`
	}
	sdk.AddTool(s, &sdk.Tool{Name: "structured"},
		func(context.Context, *sdk.CallToolRequest, arguments) (*sdk.CallToolResult, found, error) {
			return nil, found{planted, 3}, nil
		})
	resource := func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: "by " +
			planted}}}, nil
	}
	s.AddResource(&sdk.Resource{Name: "one", URI: "file:///one"}, resource)
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "any", URITemplate: "file:///any/{x}"}, resource)
	s.AddPrompt(&sdk.Prompt{Name: "p"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Description: "about " + planted,
			Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "ask " + planted}}}}, nil
	})
	return s
}

// answers asks a server all that a client can ask, and returns what it said, by what was asked.
func answers(t *testing.T, era string, server, client sdk.Transport, started <-chan struct{},
	s *sdk.Server) map[string]string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go func() { _ = s.Run(ctx, server) }() // it ends with its client
	said := make(map[string]string)
	var mu sync.Mutex
	note := func(what string, value any, err error) {
		b, jsonErr := json.Marshal(value)
		if jsonErr != nil {
			t.Error(jsonErr)
		}
		mu.Lock()
		defer mu.Unlock()
		said[what] = fmt.Sprintf("%s %v", b, err)
	}
	reported := make(chan struct{}, 10)
	c := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			note("elicitation", r.Params, nil)
			return &sdk.ElicitResult{Action: "decline"}, nil
		},
		CreateMessageHandler: func(_ context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			note("sampling", r.Params, nil)
			return &sdk.CreateMessageResult{Role: "assistant", Model: "m", Content: &sdk.TextContent{Text: "x"}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			note("progress", r.Params, nil)
			reported <- struct{}{}
		},
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) {
			note("log", r.Params, nil)
			reported <- struct{}{}
		},
	})
	session, err := c.Connect(ctx, client, &sdk.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	note("initialize", session.InitializeResult(), nil)
	isLegacy := session.InitializeResult().ProtocolVersion < "2026"
	if isLegacy {
		note("ping", nil, session.Ping(ctx, nil))
		note("level", nil, session.SetLoggingLevel(ctx, &sdk.SetLoggingLevelParams{Level: "debug"}))
		note("subscribe", nil, session.Subscribe(ctx, &sdk.SubscribeParams{URI: "file:///one"}))
		for one := range s.Sessions() {
			result, err := one.CreateMessage(ctx, &sdk.CreateMessageParams{SystemPrompt: "as " + planted, MaxTokens: 5,
				Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: "say " + planted}}}})
			note("sampled", result, err)
			roots, err := one.ListRoots(ctx, nil)
			note("roots", roots, err)
		}
	}
	var tools []string
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.Name == "kfw_expand" {
			note("added", tool, nil)
			continue
		}
		b, _ := json.Marshal(tool)
		tools = append(tools, string(b))
	}
	note("tools", tools, nil)
	resources, err := session.ListResources(ctx, nil)
	note("resources", resources, err)
	templates, err := session.ListResourceTemplates(ctx, nil)
	note("templates", templates, err)
	prompts, err := session.ListPrompts(ctx, nil)
	note("prompts", prompts, err)
	prompt, err := session.GetPrompt(ctx, &sdk.GetPromptParams{Name: "p"})
	note("prompt", prompt, err)
	for _, uri := range []string{"file:///one", "file:///any/x", "file:///none"} {
		read, err := session.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
		note("read "+uri, read, err)
	}
	completed, err := session.Complete(ctx,
		&sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "p"},
			Argument: sdk.CompleteParamsArgument{Name: "x"}})
	note("complete", completed, err)
	for _, tool := range []string{"echo", "fails", "long", "mixed", "structured", "reports", "asks", "none"} {
		params := &sdk.CallToolParams{Name: tool, Arguments: map[string]any{"text": planted}}
		if tool == "reports" {
			params.SetProgressToken("token of " + planted)
		}
		result, err := session.CallTool(ctx, params)
		note(tool, result, err)
	}
	if isLegacy {
		<-reported // the notice of progress, and the log
		<-reported
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			result, err := session.CallTool(ctx,
				&sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": fmt.Sprint(i)}})
			note(fmt.Sprint("at once ", i), result, err)
		})
	}
	all.Wait()
	waiting, give := context.WithCancel(ctx)
	go func() {
		<-started
		give()
	}()
	result, err := session.CallTool(waiting, &sdk.CallToolParams{Name: "waits", Arguments: map[string]any{"text": ""}})
	note("cancelled", result, err)
	expanded, err := session.CallTool(ctx,
		&sdk.CallToolParams{Name: "kfw_expand", Arguments: map[string]any{"handle": "h1"}})
	note("expanded", expanded, err)
	return said
}

// TestSDK: a client of the official SDK gets from a server of it through kfw what it gets without, except for what is
// redacted, shortened and dropped.
func TestSDK(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			started := make(chan struct{}, 1)
			near, far := sdk.NewInMemoryTransports()
			bare := answers(t, era, near, far, started, newServer(started))

			p, said := newProxy(t, func(o *results.Options) { o.Budget = 1000 })
			fromClient, toProxy := io.Pipe()
			fromProxy, toClient := io.Pipe()
			fromServer, toProxyBack := io.Pipe()
			fromProxyBack, toServer := io.Pipe()
			p.Open(toClient)
			var both sync.WaitGroup
			both.Go(func() {
				if err := p.ToServer(fromClient, toServer); err != nil {
					t.Error(err)
				}
				toServer.Close()
			})
			both.Go(func() {
				if err := p.ToClient(fromServer); err != nil && !errors.Is(err, io.ErrClosedPipe) {
					t.Error(err)
				}
			})
			through := answers(t, era, &sdk.IOTransport{Reader: fromProxyBack, Writer: toProxyBack},
				&sdk.IOTransport{Reader: fromProxy, Writer: toProxy}, started, newServer(started))
			toProxyBack.Close()
			toProxy.Close()
			both.Wait()
			if len(said.lines) > 0 {
				t.Error(said.lines)
			}
			if bare["initialize"] != through["initialize"] || !strings.Contains(bare["initialize"], era) {
				t.Errorf("%s, %s", bare["initialize"], through["initialize"])
			}
			compareAnswers(t, bare, through)
		})
	}
}

func compareAnswers(t *testing.T, bare, through map[string]string) {
	passes := map[string]bool{"initialize": true, "complete": true}
	for what, want := range bare {
		got := through[what]
		if !passes[what] {
			want = strings.ReplaceAll(want, planted, marker)
		}
		switch what {
		case "long":
			var result sdk.CallToolResult
			if err := json.NewDecoder(bytes.NewReader([]byte(got))).Decode(&result); err != nil {
				t.Error(err)
				continue
			}
			shown := result.Content[0].(*sdk.TextContent).Text
			if len(shown) > 4500 || !strings.Contains(shown, `kfw_expand {"handle":"h1"`) ||
				strings.Contains(shown, planted) {
				t.Errorf("long: %s", shown)
			}
			continue
		case "structured":
			want = strings.Replace(want, `,"structuredContent":{"n":3,"who":"`+marker+`"}`, "", 1)
		case "tools":
			if !strings.Contains(want, "outputSchema") || strings.Contains(got, "outputSchema") {
				t.Errorf("tools: %s", got)
			}
			continue
		case "expanded":
			if !strings.Contains(got, `{\"handle\":\"h1\"}`) {
				t.Errorf("expanded: %s", got)
			}
			continue
		case "mixed": // what is no text passes
			want = strings.Replace(want, `"who":"`+marker, `"who":"`+planted, 1)
			of := base64.StdEncoding.EncodeToString
			want = strings.Replace(want, of([]byte(planted)), of([]byte(marker)), 1)
		case "progress":
			want = strings.Replace(want, "token of "+marker, "token of "+planted, 1)
		case "prompt":
			want = strings.Replace(want, "about "+marker, "about "+planted, 1)
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", what, got, want)
		}
	}
	for what, got := range through {
		if _, isThere := bare[what]; !isThere && what != "added" {
			t.Errorf("%s: only through kfw: %s", what, got)
		}
	}
}
