package hosts

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestEveryHost: an install in an empty home is found again, does not change when it is made again, and leaves nothing
// behind when it is taken out; a file of the user's comes back byte for byte; the planted secrets do not come through.
func TestEveryHost(t *testing.T) {
	for _, h := range All() {
		t.Run(h.Name(), func(t *testing.T) {
			home, state := t.TempDir(), t.TempDir()
			p := Place{Home: home, Getenv: func(string) string { return "" }, Kfw: "/opt/my tools/kfw",
				Config: "/c/kfw.yaml", State: "/s"}
			path := h.Setup(p).Path
			install := func() (*Change, error) {
				c, err := Install(h, p, state, false)
				if err == nil {
					err = c.Hook.Write()
				}
				return c.Hook, err
			}
			uninstall := func() {
				c, err := Uninstall(h, p, state)
				if err == nil {
					err = c.Hook.Write()
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if _, err := install(); err != nil {
				t.Fatal(err)
			}
			settings, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			hooks, isDisabled, err := h.Hooks(settings)
			if err != nil || isDisabled {
				t.Fatal(isDisabled, err)
			}
			after := 0
			for _, hook := range hooks {
				if !hook.IsKfw || hook.Words[0] != p.Kfw || strings.Join(hook.Words[2:4], " ") != "--host "+h.Name() {
					t.Errorf("%+v", hook)
				}
				if hook.IsAfter {
					after++
				}
			}
			if after != 1 {
				t.Errorf("%d hooks see results", after)
			}
			if c, err := install(); err != nil || !c.IsEmpty() {
				t.Errorf("a second install changes %s, %v", c.New, err)
			}
			uninstall()
			if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}

			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			for _, own := range []string{"{\n\t\"a\" : 1 // mine\n}\n", "// mine\n", ""} {
				if err := os.WriteFile(path, []byte(own), 0o600); err != nil {
					t.Fatal(err)
				}
				_, err := install()
				if _, isUnparsable := errors.AsType[*Unparsable](err); err != nil && !isUnparsable {
					t.Fatal(err)
				}
				if err == nil {
					uninstall()
				}
				if text, err := os.ReadFile(path); err != nil || string(text) != own {
					t.Errorf("%q has become %q, %v", own, text, err)
				}
			}
		})
		t.Run(h.Name()+" doctor", func(t *testing.T) {
			text, secrets := plantedSecrets()
			event := h.Probe(text)
			if of := hostOf(event); of.Name() != h.Name() {
				t.Errorf("its event is taken for one of %s", of.Name())
			}
			shown := h.Shown(event, door(t, h, t.TempDir()).Answer(bytes.NewReader(event)))
			if !strings.Contains(shown, "deploy finished") || !strings.Contains(h.Shown(event, nil), secrets[0]) {
				t.Errorf("shown: %s, without an answer: %s", shown, h.Shown(event, nil))
			}
			for _, s := range secrets {
				if strings.Contains(shown, s) {
					t.Errorf("a secret comes through: %s", shown)
				}
			}
		})
	}
}

// TestStatusStays: however much a result is shortened, the model sees how the command ended.
func TestStatusStays(t *testing.T) {
	long := manyLines(3000, "out # {}")
	for host, test := range map[string]struct{ event, said string }{
		"claude-code": {string(bash(long+"[exit 3]\n", "")), "[exit 3]"},
		"gemini-cli": {`{"hook_event_name":"AfterTool","session_id":"s","tool_name":"run_shell_command","tool_response":{"llmContent":` +
			string(quoted("<untrusted_context>\nOutput: "+long+
				"Exit Code: 3\nProcess Group PGID: 7\n</untrusted_context>")) + `}}`, "kfw: exit status 3"},
		"copilot": {`{"sessionId":"s","toolName":"bash","toolResult":{"resultType":"success","textResultForLlm":` +
			string(quoted(long+"<shellId: 0 completed with exit code 3>")) + `}}`,
			"<shellId: 0 completed with exit code 3>"},
		"opencode": {`{"host":"opencode","hook_event_name":"tool.execute.after","session_id":"s","tool_name":"bash","tool_response":{"output":` +
			string(quoted(long)) + `,"metadata":{"exit":3,"output":"x"}}}`, "kfw: exit status 3"},
		"cline": {`{"host":"cline","hook_event_name":"afterTool","session_id":"s","tool_name":"run_commands","tool_response":{"output":[{"query":"q","result":` +
			string(quoted("[Command exited with code 3]\n"+long)) + `,"success":false}]}}`,
			"[Command exited with code 3]"},
		"qwen-code": {`{"hook_event_name":"PostToolUse","session_id":"s","tool_call_id":"c","tool_name":"run_shell_command","tool_response":{"llmContent":` +
			string(quoted("Command: x\nDirectory: (root)\nOutput: "+long+
				"Error: (none)\nExit Code: 3\nSignal: (none)")) + `}}`, "\\nExit Code: 3\\n"},
	} {
		d := door(t, Named(host), t.TempDir())
		answer := string(d.Answer(strings.NewReader(test.event)))
		if !strings.Contains(answer, test.said) || len(answer) > 20000 || !strings.Contains(answer, "kfw expand h1") {
			t.Errorf("%s: %d bytes: %.300s ... %s", host, len(answer), answer, answer[max(0, len(answer)-300):])
		}
		e := d.Host.Read([]byte(test.event))
		file := d.session(&e)
		status, err := file.Status()
		var shown []string
		if path := map[string]string{"claude-code": "hookSpecificOutput.updatedToolOutput.stdout",
			"gemini-cli": "reason", "copilot": "modifiedResult.textResultForLlm",
			"opencode": "tool_response.output", "cline": "tool_response.output.0.result",
			"qwen-code": "stopReason"}[host]; path != "" {
			shown = append(shown, gjson.Get(answer, path).String())
		}
		if cost := d.Filter.cost(shown...); err != nil || status.Used < cost-1 || status.Used > cost+40 {
			t.Errorf("%s: %d tokens are on the ledger, %d were shown, %v", host, status.Used, cost, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestGeminiStatus: what a command itself says is not taken for its status.
func TestGeminiStatus(t *testing.T) {
	for said, want := range map[string]string{
		"Output: a\nProcess Group PGID: 7":                        "exit status 0",
		"Output: a\nExit Code: 3\nProcess Group PGID: 7":          "exit status 3",
		"Output: a\nExit Code: 0\nb\nProcess Group PGID: 7":       "exit status 0",
		"Output: (empty)\nSignal: 9\nProcess Group PGID: 7":       "",
		"Output: a\nError: spawn failed\nProcess Group PGID: 7":   "",
		"Output: a\nError: (none)\nExit Code: 0\nSignal: (none)":  "exit status 0",
		"Command was cancelled by user before it could complete.": "",
	} {
		if _, got := geminiParts(Text{Value: said, IsBody: true}, ""); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
	parts, status := geminiParts(Text{Value: "Output: Exit Code: 5\nExit Code: 5\nProcess Group PGID: 7",
		IsBody: true}, "Exit Code: 5\nExit Code: 5")
	if len(parts) != 3 || parts[1].Value != "Exit Code: 5\nExit Code: 5\n" || status != "exit status 0" {
		t.Errorf("%+v, %q", parts, status)
	}
}

// TestShellLine: a shell, and what reads settings, get the words of which a line was made. A path of Windows that has a
// short name needs no quotes, which PowerShell would take for a text.
func TestShellLine(t *testing.T) {
	short := "C:/Users/ANNLEE~1/kfw.exe"
	words := []string{short, "a b", "it's", "~", "~root", "x=~", "a:~/b", "-~", "", "\u00e9~1", `C:\x`, "$HOME", "a~",
		"a\tb"}
	line := shellLine(words)
	if !strings.HasPrefix(line, short+" ") {
		t.Errorf("quoted: %s", line)
	}
	if got := shellWords(line); !slices.Equal(got, words) {
		t.Errorf("%q are read from %s", got, line)
	}
	for _, needsShell := range []string{"~/kfw hook", "kfw x=~", "kfw a; b"} {
		if got := shellWords(needsShell); got != nil {
			t.Errorf("%q are read from %s", got, needsShell)
		}
	}
	needShell(t)
	for _, shell := range []string{"sh", "bash"} {
		out, err := exec.Command(shell, "-c", `printf '%s\n' `+line).Output()
		if want := strings.Join(words, "\n") + "\n"; err != nil || string(out) != want {
			t.Errorf("%s: %v: %q, want %q", shell, err, out, want)
		}
	}
}

// TestWriteBack: a write with a placeholder that its file does not have is refused, and no other.
func TestWriteBack(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	for name, text := range map[string]string{"secret.txt": "contact someone\n",
		"docs.txt": "[REDACTED:email] is a placeholder\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	patch := func(file, line string) string {
		return string(quoted("*** Begin Patch\n*** Update File: " + file + "\n@@\n-contact [REDACTED:email]\n+" +
			line + "\n*** End Patch\n"))
	}
	for host, before := range map[string]string{"claude-code": "PreToolUse", "gemini-cli": "BeforeTool",
		"opencode": "tool.execute.before", "codex": "PreToolUse"} {
		tool := Named(host).Traits().Writes[0]
		for input, isRefused := range map[string]bool{
			`{"file_path":"secret.txt","content":"contact [REDACTED:email]\n"}`:                                        true,
			`{"file_path":"docs.txt","content":"contact [REDACTED:email]\n"}`:                                          false,
			`{"file_path":"docs.txt","content":"contact [REDACTED:phone]\n"}`:                                          true,
			`{"file_path":"none.txt","content":"contact [REDACTED:email]\n"}`:                                          true,
			`{"filePath":"` + dir + `/secret.txt","old_string":"[REDACTED:email]","new_string":"someone"}`:             false,
			`{"filePath":"` + dir + `/secret.txt","old_string":"x","new_string":"[REDACTED:email#2]"}`:                 true,
			`{"path":"secret.txt","edits":[{"oldText":"x","newText":"y"},{"oldText":"x","newText":"[REDACTED:jwt]"}]}`: true,
			`{"input":` + patch("secret.txt", "contact [REDACTED:email]") +
				`}`: true,
			`{"input":` + patch("secret.txt", "contact someone") +
				`}`: false,
			`{"command":` + patch("docs.txt", "contact [REDACTED:email]") +
				`}`: false,
			`{"file_path":"secret.txt","content":"[REDACTED: no placeholder]"}`: false,
			`{}`: false, `"[REDACTED:email]"`: true, `7`: false,
		} {
			event := `{"host":"` + host + `","hook_event_name":"` + before + `","cwd":"` + dir +
				`","session_id":"s","tool_name":"` + tool + `","tool_input":` + input + `}`
			d := door(t, Named(host), t.TempDir())
			answer := string(d.Answer(strings.NewReader(event)))
			if got := strings.Contains(answer, "not written"); got != isRefused || !isRefused && answer != "" ||
				strings.Contains(answer, "allow") {
				t.Errorf("%s: %s: %s", host, input, answer)
			}
			d.Policies = Policies{{Pattern: tool, Treatment: Off}}
			if answer := d.Answer(strings.NewReader(event)); answer != nil {
				t.Errorf("%s, off: %s", host, answer)
			}
		}
	}
}

// TestServersOfEveryHost: in whatever order the hook and kfw mcp get into a host's files, all is as
// before when they are taken out, byte for byte; what is between them stays.
func TestServersOfEveryHost(t *testing.T) {
	for _, h := range All() {
		t.Run(h.Name(), func(t *testing.T) {
			home, state := t.TempDir(), t.TempDir()
			p := Place{Home: home, Getenv: func(string) string { return "" }, Kfw: "/opt/my tools/kfw",
				Config: "/c/kfw.yaml", State: "/s"}
			file := h.Setup(p).Servers[0]
			before := serversOf(file)
			if err := os.MkdirAll(filepath.Dir(file.Path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file.Path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			read := func() string {
				text, err := os.ReadFile(file.Path)
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			write := func(c Changes, err error) {
				t.Helper()
				for _, one := range c.All() {
					if err == nil {
						err = one.Write()
					}
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, order := range [][]bool{{true}, {false, true}, {true, false}, {true, true},
				{false, true, false, true}} {
				for _, p.MCP = range order {
					write(Install(h, p, state, false))
				}
				if n := strings.Count(read(), `"/opt/my tools/kfw"`); n != 2 {
					t.Errorf("%v: %d servers in\n%s", order, n, read())
				}
				write(Uninstall(h, p, state))
				if read() != before {
					t.Fatalf("%v:\n%s\nwas\n%s", order, read(), before)
				}
				for _, path := range []string{h.Setup(p).Path, filepath.Join(state, "init")} {
					if _, err := os.Stat(path); path != file.Path && !errors.Is(err, os.ErrNotExist) {
						t.Errorf("%v: %s is left: %v", order, path, err)
					}
				}
			}
		})
	}
}

// serversOf is a file with two servers in it, and more.
func serversOf(file ServerFile) string {
	if filepath.Ext(file.Path) == ".toml" {
		return "model = \"m\"\n[mcp_servers.a]\ncommand = \"x\" # a comment\n\n[mcp_servers.b]\ncommand = \"y\"\nargs = []\n"
	}
	a, b := `{"command": "x"}`, `{"command": "y", "args": []}`
	if file.Keys[0][0] == "mcp" {
		a, b = `{"command": ["x"]}`, `{"command": ["y", "z"]}`
	}
	return "{\n\t\"" + file.Keys[0][0] + "\": {\n\t\t\"a\": " + a + ",\n\t\t\"b\": " + b +
		"},\n\t\"theme\": \"dark\"}\n"
}

// FuzzSettings: whatever a host's settings are, an install is an error that writes nothing, or it is found again, and an
// uninstall makes of every file what it was, byte for byte.
func FuzzSettings(f *testing.F) {
	for i := range All() {
		for _, source := range []string{"", "{}", " \n", "[]", `{"hooks":{"PostToolUse":[{"hooks":[]}]}}`, "{\r\n}", "\x00",
			"{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"y\"]}} /* c */}\n", "// c\n{\"mcp\":{}}",
			"[mcp_servers.a]\ncommand = \"x\"\nargs = [\"y\"]\n"} {
			f.Add([]byte(source), []byte(source), uint8(i), true)
		}
	}
	f.Fuzz(func(t *testing.T, settings, servers []byte, host uint8, hasServers bool) {
		if bytes.Contains(settings, []byte("kfw")) || bytes.Contains(servers, []byte("kfw")) {
			return // what is kfw's own is taken out
		}
		h := All()[int(host)%len(All())]
		state := t.TempDir()
		p := Place{Home: t.TempDir(), Getenv: func(string) string { return "" }, Kfw: "/opt/kfw", Config: "/c/kfw.yaml",
			State: "/s", MCP: hasServers}
		files := map[string][]byte{}
		for _, file := range h.Setup(p).Servers {
			files[file.Path] = servers
		}
		files[h.Setup(p).Path] = settings
		for path, text := range files {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		check := func(when string) {
			for path, text := range files {
				if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%s: %s: %q, %v; it was %q", h.Name(), when, got, err, text)
				}
			}
		}
		write := func(all Changes) {
			for _, c := range all.All() {
				if err := c.Write(); err != nil {
					t.Fatal(err)
				}
			}
		}
		all, err := Install(h, p, state, false)
		if err != nil {
			check("after an error")
			return
		}
		write(all)
		hooks, _, err := State(h, p)
		if err != nil || !slices.ContainsFunc(hooks, func(h Hook) bool { return h.IsKfw }) {
			t.Errorf("%s: %v, %v", h.Name(), hooks, err)
		}
		if all, err = Uninstall(h, p, state); err != nil {
			t.Fatal(err)
		}
		write(all)
		check("uninstalled")
	})
}

// TestFilesOfInstructions: of every host it is known which file of a project it gives its model.
func TestFilesOfInstructions(t *testing.T) {
	for _, h := range All() {
		if instructionFiles[h.Name()].project == "" {
			t.Errorf("%s: no file", h.Name())
		}
	}
}
