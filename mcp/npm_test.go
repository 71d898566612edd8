package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kfw-dev/kfw/internal/mcp/results"
)

// TestNPM asks servers of the protocol's own project, bare and through kfw, and compares their answers. They come from
// npm, so it runs where KFW_NPM is set: .ci/run does that where npm is there.
func TestNPM(t *testing.T) {
	if os.Getenv("KFW_NPM") == "" {
		t.Skip("KFW_NPM is not set: no servers from npm")
	}
	dir := t.TempDir()
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--prefix", dir,
		"@modelcontextprotocol/server-everything@2026", "@modelcontextprotocol/server-filesystem@2026")
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm can't install the servers: %v\n%s", err, out)
	}
	files := filepath.Join(dir, "files")
	for name, text := range map[string]string{"a.txt": "by " + planted + "\n", "b.json": "{\"a\":\"é😀\"}\n",
		"long.log": strings.Repeat(longLine, 3000)} {
		if err := os.MkdirAll(files, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	for _, s := range []struct {
		argv  []string
		calls map[string]any
	}{
		{[]string{filepath.Join(bin, "mcp-server-everything"), "stdio"}, map[string]any{
			"echo": map[string]any{"message": "write to " + planted}, "get-sum": map[string]any{"a": 1, "b": 2},
			"get-tiny-image":         nil,
			"get-annotated-message":  map[string]any{"messageType": "error", "includeImage": true},
			"get-resource-links":     map[string]any{"count": 3},
			"get-structured-content": map[string]any{"location": "Chicago"}, "none": nil,
		}},
		{[]string{filepath.Join(bin, "mcp-server-filesystem"), files}, map[string]any{
			"list_directory": map[string]any{"path": files}, "directory_tree": map[string]any{"path": files},
			"read_text_file": map[string]any{"path": filepath.Join(files, "a.txt")},
			"read_multiple_files": map[string]any{"paths": []string{filepath.Join(files, "a.txt"),
				filepath.Join(files, "b.json")}},
			"read_file":  map[string]any{"path": filepath.Join(files, "long.log")},
			"write_file": map[string]any{"path": "/etc/passwd", "content": "x"},
		}},
	} {
		t.Run(filepath.Base(s.argv[0]), func(t *testing.T) {
			bare := askAll(t, s.argv, s.calls, nil)
			through := askAll(t, s.argv, s.calls,
				func(in io.Reader, out io.Writer, server io.WriteCloser, said io.Reader) {
					p, notes := newProxy(t, func(o *results.Options) { o.Budget = 1000 })
					p.Open(out)
					var both sync.WaitGroup
					both.Go(func() {
						_ = p.ToServer(in, server)
						server.Close()
					})
					_ = p.ToClient(said)
					both.Wait()
					if len(notes.lines) > 0 {
						t.Error(notes.lines)
					}
				})
			for what, want := range bare {
				got := through[what]
				if what != "initialize" {
					want = strings.ReplaceAll(want, planted, marker)
				}
				if what == "read_file" {
					if len(got) > 6000 || !strings.Contains(got, "kfw_expand") || strings.Contains(got, planted) {
						t.Errorf("%s: %s", what, got)
					}
				} else if got != want {
					t.Errorf("%s:\n got %s\nwant %s", what, got, want)
				}
			}
		})
	}
}

// askAll asks a server by the official SDK. between, if not nil, passes on what both sides say, until the client is
// gone.
func askAll(t *testing.T, argv []string, calls map[string]any,
	between func(in io.Reader, out io.Writer, server io.WriteCloser, said io.Reader)) map[string]string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, argv[0], argv[1:]...)
	server, err := command.StdinPipe()
	said, outErr := command.StdoutPipe()
	if err = errors.Join(err, outErr, command.Start()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = command.Process.Signal(os.Interrupt) // server-everything does not end with its input
		_ = command.Wait()
	}()
	transport := &sdk.IOTransport{Reader: said, Writer: server}
	if between != nil {
		in, toProxy := io.Pipe()
		fromProxy, out := io.Pipe()
		go between(in, out, server, said)
		transport = &sdk.IOTransport{Reader: fromProxy, Writer: toProxy}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, nil)
	session, err := client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	answers := make(map[string]string)
	note := func(what string, value any, err error) {
		b, _ := json.Marshal(value)
		answers[what] = fmt.Sprintf("%s %v", b, err)
	}
	note("initialize", session.InitializeResult(), nil)
	var tools []*sdk.Tool
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.OutputSchema = nil; tool.Name != "kfw_expand" {
			tools = append(tools, tool)
		}
	}
	note("tools", tools, nil)
	if session.InitializeResult().Capabilities.Prompts != nil {
		prompts, err := session.ListPrompts(ctx, nil)
		note("prompts", prompts, err)
		resources, err := session.ListResources(ctx, nil)
		note("resources", resources, err)
	}
	for tool, arguments := range calls {
		result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if result != nil {
			result.StructuredContent = nil
		}
		note(tool, result, err)
	}
	return answers
}
