package remote_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kfw-dev/kfw/internal/mcp/remote"
)

// notes are what a server had noted.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

// open returns the server at a URL.
func open(t *testing.T, url string) (*remote.Server, *notes) {
	said := new(notes)
	s, err := remote.Open(remote.Options{URL: url, Header: http.Header{"Authorization": {"Bearer planted"}},
		Spool: t.TempDir(), Note: said.add, Wait: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return s, said
}

// asked writes lines to a server, closes it, and returns the lines that it said.
func asked(t *testing.T, s *remote.Server, lines ...string) (all []string) {
	go func() {
		if _, err := io.WriteString(s, strings.Join(lines, "\n")+"\n"); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	in := bufio.NewScanner(s)
	in.Buffer(nil, 1<<30)
	for in.Scan() {
		all = append(all, strings.TrimSpace(in.Text()))
	}
	return all
}

// TestSDK: a client of the official SDK reaches servers of it by HTTP, of every kind and in both eras.
func TestSDK(t *testing.T) {
	for _, era := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		for name, o := range map[string]*sdk.StreamableHTTPOptions{
			"events": {}, "json": {JSONResponse: true}, "stateless": {Stateless: true},
			"resumes": {EventStore: sdk.NewMemoryEventStore(nil)},
		} {
			t.Run(era+" "+name, func(t *testing.T) {
				server := sdk.NewServer(&sdk.Implementation{Name: "tested", Version: "1"}, nil)
				type arguments struct {
					Region string `json:"region"`
				}
				schema := json.RawMessage(
					`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`)
				sdk.AddTool(server, &sdk.Tool{Name: "echo ü", InputSchema: schema},
					func(_ context.Context, _ *sdk.CallToolRequest, in arguments) (*sdk.CallToolResult, any, error) {
						return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "in " + in.Region}}},
							nil, nil
					})
				sdk.AddTool(server, &sdk.Tool{Name: "echo", InputSchema: schema},
					func(_ context.Context, _ *sdk.CallToolRequest, in arguments) (*sdk.CallToolResult, any, error) {
						return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "in " + in.Region}}},
							nil, nil
					})
				started := make(chan struct{}, 1)
				sdk.AddTool(server, &sdk.Tool{Name: "waits"},
					func(ctx context.Context, _ *sdk.CallToolRequest, _ arguments) (*sdk.CallToolResult, any, error) {
						started <- struct{}{}
						<-ctx.Done()
						return nil, nil, ctx.Err()
					})
				handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, o)
				web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Authorization") != "Bearer planted" {
						t.Error("a request without its header")
					}
					handler.ServeHTTP(w, r)
				}))
				defer web.Close()
				s, said := open(t, web.URL)
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, nil)
				session, err := client.Connect(ctx, &sdk.IOTransport{Reader: io.NopCloser(s), Writer: s},
					&sdk.ClientSessionOptions{ProtocolVersion: era})
				if err != nil {
					t.Fatal(err, said.lines)
				}
				tools, err := session.ListTools(ctx, nil)
				if err != nil || len(tools.Tools) != 3 {
					t.Fatal(tools, err)
				}
				var all sync.WaitGroup
				for i := range 8 {
					all.Go(func() {
						result, err := session.CallTool(ctx,
							&sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"region": fmt.Sprint(i, " é")}})
						if err != nil || result.Content[0].(*sdk.TextContent).Text != fmt.Sprint("in ", i, " é") {
							t.Error(result, err)
						}
					})
				}
				all.Wait()
				waiting, give := context.WithCancel(ctx)
				go func() {
					<-started
					give()
				}()
				result, err := session.CallTool(waiting,
					&sdk.CallToolParams{Name: "waits", Arguments: map[string]any{}})
				if ctx.Err() != nil {
					t.Errorf("a call is not given up: %v %v", result, err)
				}
				if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "none"}); err == nil {
					t.Error("a tool that is not there")
				}
				session.Close()
				if len(said.lines) > 0 {
					t.Error(said.lines)
				}
			})
		}
	}
}

// TestAnswers: what a server answers is one line each; what it does not answer is an error that quotes nothing.
func TestAnswers(t *testing.T) {
	const request = `{"jsonrpc":"2.0","id":"a","method":"x","params":{"s": 1}}`
	for _, c := range []struct {
		name  string
		serve http.HandlerFunc
		want  string
	}{
		{"JSON", answer(200, "application/json; charset=utf-8", "{\n  \"id\":\"a\",\n  \"result\":{}\n}\n"),
			`{   "id":"a",   "result":{} }`},
		{"events", answer(200, "text/event-stream",
			": comment\r\nid: 1\r\ndata:\r\n\r\nevent: message\ndata: {\"id\":\"a\",\ndata:\"result\":{}}\n\n"),
			`{"id":"a", "result":{}}`},
		{"an error", answer(400, "application/json", `{"id":"a","error":{"code":-32020,"message":"m"}}`),
			`{"id":"a","error":{"code":-32020,"message":"m"}}`},
		{"an error of another request", answer(400, "application/json", `{"id":"b","error":{}}`),
			"says HTTP 400 Bad Request"},
		{"no token", answer(401, "text/plain", "planted"),
			"says HTTP 401 Unauthorized: give it a token with --header-env"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/planted", http.StatusTemporaryRedirect)
		}, "redirects are not followed"},
		{"nothing", answer(200, "application/json", " \n"), "has an empty answer"},
		{"a page", answer(200, "text/html", "planted"), "answers with neither JSON nor events"},
		{"events that end", answer(200, "text/event-stream", "data: {\"method\":\"n\"}\n\n"), "ends its answer early"},
		{"accepted", answer(202, "", ""), "takes the request and has no answer to it"},
		{"events of other lines", answer(200, "text/event-stream",
			"\xef\xbb\xbfdata: {\"id\":\"a\",\rdata:\"result\":{}}\r\r"), `{"id":"a", "result":{}}`},
		{"no HTTP", func(w http.ResponseWriter, _ *http.Request) {
			connection, out, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = out.WriteString("HTTP/1.1 200 planted\r\nplanted\r\n\r\n")
			_ = out.Flush()
			_ = connection.Close()
		}, "can't be reached: what it says is not HTTP"},
	} {
		t.Run(c.name, func(t *testing.T) {
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if body, err := io.ReadAll(r.Body); err != nil || string(body) != request {
					t.Errorf("%v: the server got %q", err, body)
				}
				c.serve(w, r)
			}))
			defer web.Close()
			s, said := open(t, web.URL)
			got := strings.Join(asked(t, s, request), "\n")
			isError := c.want != "" && !strings.HasPrefix(c.want, "{")
			if !isError && got != c.want || isError &&
				!(strings.Contains(got, `"id":"a","error":{"code":-32603,"message":"kfw: the server `) &&
					strings.Contains(got, c.want)) {
				t.Errorf("%s", got)
			}
			if strings.Contains(got, "planted") || len(said.lines) > 0 {
				t.Errorf("%s %v", got, said.lines)
			}
		})
	}
	s, said := open(t, "http://127.0.0.1:1/planted?token=planted")
	got := asked(t, s, request, `{"method":"notice"}`)
	if len(got) != 1 || !strings.Contains(got[0], "can't be reached") || len(said.lines) != 1 ||
		strings.Contains(got[0]+said.lines[0], "planted") {
		t.Errorf("%v %v", got, said.lines)
	}
}

func answer(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// TestResumes: a stream that breaks before the answer is asked for again, from the last event on.
func TestResumes(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, "id: 7\nretry: 1\ndata: {\"method\":\"first\"}\n\n")
			return
		}
		if id := r.Header.Get("Last-Event-ID"); id != "7" {
			t.Errorf("after event %q", id)
		}
		_, _ = io.WriteString(w, "id: 8\ndata: {\"id\":1,\"result\":{}}\n\n")
	}))
	defer web.Close()
	s, _ := open(t, web.URL)
	if got := strings.Join(asked(t, s, `{"id":1,"method":"x"}`),
		" "); got != `{"method":"first"} {"id":1,"result":{}}` {
		t.Error(got)
	}
}

// TestLarge: messages larger than memory pass both ways, and memory is not asked for.
func TestLarge(t *testing.T) {
	long := strings.Repeat("x", 5_000_000)
	for _, kind := range []string{"application/json", "text/event-stream"} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			if kind == "text/event-stream" {
				_, _ = io.WriteString(w, "data: ")
			}
			_, _ = io.Copy(w, r.Body)
			_, _ = io.WriteString(w, "\n\n")
		}))
		s, _ := open(t, web.URL)
		line := `{"id":1,"method":"x","params":{"long":"` + long + `"},"result":{}}`
		if got := asked(t, s, line); len(got) != 1 || got[0] != line {
			t.Errorf("%s: %d lines", kind, len(got))
		}
		web.Close()
	}
}

// TestSessionEnds: whoever initializes again has no session, and no revision.
func TestSessionEnds(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if isFirst := strings.Contains(string(body), "initialize"); isFirst == (r.Header.Get("Mcp-Session-Id") != "") ||
			isFirst && r.Header.Get("MCP-Protocol-Version") != "" {
			t.Errorf("%s: %v", body, r.Header)
		}
		w.Header().Set("Mcp-Session-Id", "s")
		answer(200, "application/json", `{"id":1,"result":{"protocolVersion":"2025-06-18"}}`)(w, r)
	}))
	defer web.Close()
	s, _ := open(t, web.URL)
	in := bufio.NewReader(s)
	for _, method := range []string{"initialize", "x", "initialize", "x"} {
		if _, err := fmt.Fprintf(s, `{"id":1,"method":%q}`+"\n", method); err != nil {
			t.Fatal(err)
		}
		if _, err := in.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestHangs: a server that hangs on a notice does not keep the client from being read, nor kfw from its end.
func TestHangs(t *testing.T) {
	stop := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	}))
	defer web.Close()
	defer close(stop)
	said := new(notes)
	s, err := remote.Open(remote.Options{URL: web.URL, Spool: t.TempDir(), Note: said.add, Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	asked(t, s, `{"method":"notifications/x"}`, `{"id":1,"method":"x"}`, `{"method":"notifications/y"}`)
}

// TestPart: a line of which a part is lost is not sent.
func TestPart(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		t.Errorf("the server got %d bytes", len(body))
	}))
	defer web.Close()
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // no directory for a spool
		t.Fatal(err)
	}
	s, err := remote.Open(remote.Options{URL: web.URL, Spool: dir, Note: func(string) {}, Wait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if _, err := io.WriteString(s, `{"id":1,"method":"x","params":"`+strings.Repeat("x", 1<<20)+
			"\"}\n"); err == nil {
			t.Error("no error")
		}
		_ = s.Close()
	}()
	if _, err := io.Copy(io.Discard, s); err != nil {
		t.Error(err)
	}
}
