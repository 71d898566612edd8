//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFilesOfOthers hands each command what somebody else may have put in the place of a file: what never ends, what
// makes a reader wait, what is no file, and what is nested without end. Each says at once what is wrong with it.
func TestFilesOfOthers(t *testing.T) {
	const large = 10_000_000
	kinds := map[string]func(path string) error{
		"fifo": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"zero": func(path string) error { return os.Symlink("/dev/zero", path) },
		"dir":  func(path string) error { return os.Mkdir(path, 0o700) },
		"loop": func(path string) error {
			return errors.Join(os.Symlink(path+".other", path), os.Symlink(path, path+".other"))
		},
		"deep":   func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte{'['}, large), 0o600) },
		"quotes": func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte{'"'}, large), 0o600) },
	}
	const event = `{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{},` +
		`"tool_response":{"stdout":"to ada@example.com","stderr":""}}`
	for kind, make := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for _, c := range []struct {
				command, file, in string
				status            int
				said              string // on standard error, or of a hook in its answer
			}{
				{"count --tokenizer ./f.json", "f.json", "", 2, "kfw: --tokenizer: ./f.json: "},
				{"turn --tools @f", "f", "", 2, "kfw: --tools: f: "},
				{"redact --rules f", "f", "", 2, "kfw: f: "},
				{"stream", "kfw.yaml", "", 2, "kfw: kfw.yaml: "},
				{"stream", ".config/kfw/kfw.yaml", "", 2, "/kfw.yaml: "},
				{"invoke x --params {}", "kfw.yaml", "", 2, "kfw: kfw.yaml: "},
				{"mcp --config f -- cat", "f", "", 2, "kfw: f: "},
				{"hook --host claude-code --config f", "f", event, 0, "kfw: withheld: "},
				{"hook --host claude-code --config none --state f", "f", event, 0, "[REDACTED:email]"},
				{"stream --session f -- echo x", "f", "", 123, "kfw: f: "},
				{"expand h1 --session f", "f", "", 123, "kfw: f: "},
				{"handles --session f", "f", "", 123, "kfw: f: "},
				{"budget --session f", "f", "", 123, "kfw: f: "},
				{"init claude-code", ".claude/settings.json", "", 125, "/settings.json: "},
				{"init codex --mcp", ".codex/config.toml", "", 125, "/config.toml: "},
				{"init gemini-cli --project --uninstall", ".gemini/settings.json", "", 125, "/settings.json: "},
				{"init cline", ".cline/plugins/kfw.ts", "", 125, "/kfw.ts: "},
				{"doctor cursor", ".cursor/hooks.json", "", 1, "can't be read as settings"},
			} {
				state := t.TempDir()
				path := filepath.Join(state, c.file)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), make(path)); err != nil {
					t.Fatal(err)
				}
				p := kfw(t, state, strings.Fields(c.command)...)
				p.Stdin = strings.NewReader(c.in)
				out := p.run(t, c.status)
				if !strings.Contains(out+p.errs.String(), c.said) || p.errs.Len() > 2000 {
					t.Errorf("%s: %.300s%.300s", c.command, out, p.errs.String())
				}
			}
		})
	}
}
