package hosts

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
)

// claudeCode is Claude Code. Its hooks: https://code.claude.com/docs/en/hooks.
type claudeCode struct{}

// Name implements Host.
func (claudeCode) Name() string { return "claude-code" }

// IsFrom implements Host.
func (claudeCode) IsFrom(event []byte) bool {
	return has(event, "prompt_id") && !has(event, "tool_call_id")
}

// Read implements Host.
func (h claudeCode) Read(event []byte) Event {
	e := readCommon(event, h.Traits(), "PreToolUse", "PostToolUse")
	if has(event, "cursor_version") { // Cursor runs the hooks of Claude Code, and takes no answer from them
		e.Kind = Ignored
		return e
	}
	switch gjson.GetBytes(event, "kfw").String() { // a member that only a plugin of the user can write
	case "aside":
		e.Kind = Ignored
		return e
	case "plugin":
		e.isPlugin = true
	}
	switch e.Name {
	case "PostToolUse":
		e.readInPlace(h.Traits())
		var parts []Text
		for _, t := range e.Texts {
			if lead := claudeLead().FindString(t.Value); e.isPlugin && t.path == "" && lead != "" {
				parts = append(parts, t.apart(len(lead), len(t.Value))...)
				continue
			}
			parts = append(parts, withoutStatus(t)...)
		}
		e.Texts = parts
		e.Spill = spillOf(&e)
	case "SessionStart":
		e.Kind = Ignored
		if source := gjson.GetBytes(event, "source").String(); source == "clear" || source == "compact" {
			e.Kind = Forgot
		}
	}
	return e
}

// claudeLead begins the result of a command that fails, which only the plugin sees.
var claudeLead = lazy.Regexp(`^Exit code -?\d+\n`)

// claudeSaid returns what a line of a transcript says.
func claudeSaid(line gjson.Result) (all []utterance) {
	content := line.Get("message.content")
	switch line.Get("type").String() {
	case "user":
		switch {
		case line.Get("isMeta").Bool():
			return nil
		case line.Get("isCompactSummary").Bool():
			return agentSaid(partTexts(content)...)
		}
		return userSaid(partTexts(content)...)
	case "assistant":
		for _, part := range content.Array() {
			switch part.Get("type").String() {
			case "text":
				all = append(all, utterance{text: part.Get("text").String()})
			case "thinking":
				all = append(all, utterance{text: part.Get("thinking").String()})
			case "tool_use":
				all = append(all, utterance{tool: part.Get("name").String(), input: []byte(part.Get("input").Raw)})
			}
		}
	}
	return all
}

// claudeAgent returns the path of a subagent's transcript, which is in a directory beside the
// transcript of the session.
func claudeAgent(path, agent string) string {
	return filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-"+agent+".jsonl")
}

// Answer implements Host: the response with other strings in it. A string in place of an object is silently ignored.
func (claudeCode) Answer(e *Event, texts []string) []byte {
	answer := []byte(`{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":`)
	response := replaced(e.Response, e.Texts, texts)
	if e.IsWhole { // or the host shows a preview in place of it, and where the original is
		response = withoutMembers(response, e.Spill.Keys)
	}
	answer = append(answer, response...)
	return append(answer, "}}\n"...)
}

// Setup implements Host. The handler has its arguments as a list, so that no shell reads them.
func (h claudeCode) Setup(p Place) Setup {
	words := p.hookWords(h.Name())
	hook := handler{Type: "command", Command: words[0], Args: words[1:], Timeout: timeout}
	dir := p.directory(".claude", "CLAUDE_CONFIG_DIR")
	rule := "Bash(" + p.Kfw + " expand *)"
	hooks := []Addition{hook.group("PostToolUse", "*"), hook.group("SessionStart", "clear|compact"),
		hook.group("PreToolUse", anyOf(h.Traits().Writes))}
	if p.Wrap {
		hook.Args = append(hook.Args[:len(hook.Args):len(hook.Args)], "--wrap")
		hooks = append(hooks, hook.group("PreToolUse", "Bash"))
	}
	user := p.Home
	if config := p.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(config) {
		user = config
	}
	servers := ServerFile{filepath.Join(user, ".claude.json"),
		[][]string{{"mcpServers"}, {"projects", "*", "mcpServers"}}}
	if p.Project != "" {
		servers = mcpServers(p.Project, ".mcp.json")
	}
	plugin := filepath.Join(dir, "skills", "kfw")
	return Setup{
		Servers: []ServerFile{servers},
		Plugin: []OwnFile{
			{filepath.Join(plugin, ".claude-plugin", "plugin.json"), []byte(claudePlugin)},
			{filepath.Join(plugin, "hooks", "hooks.json"), []byte(`{"modules": ["./register.js"]}` + "\n")},
			{filepath.Join(plugin, "hooks", "register.js"), pluginFile("claude-code.js", words)},
		},
		CanWrap: true,
		Path:    filepath.Join(dir, "settings.json"),
		More:    []string{filepath.Join(dir, "settings.local.json")},
		Program: "claude",
		Hooks:   hooks,
		Allow:   &Addition{Keys: []string{"permissions", "allow"}, Value: string(quoted(rule))},
	}
}

// claudePlugin is what the host has to know of the plugin.
const claudePlugin = `{"name": "kfw", "version": "1.0.0", "description": "Every tool result goes through kfw hook.", ` +
	`"author": {"name": "kfw"}, "homepage": "https://github.com/kfw-dev/kfw", "license": "Apache-2.0", ` +
	`"network": {"hosts": []}}` + "\n"

// Deny implements Host.
func (claudeCode) Deny(_ *Event, reason string) []byte { return denial(reason) }

// denial is the refusal of a tool in the shape that several hosts share.
func denial(reason string) []byte {
	answer := []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
		`"permissionDecisionReason":`)
	return append(append(answer, quoted(reason)...), "}}\n"...)
}

// Rewrite implements Host. It makes no decision: the host checks its rules on the rewritten command.
func (claudeCode) Rewrite(e *Event, _ string) []byte {
	input := withCommands(e.Input, "command", func(command string) string { return command + statusSuffix })
	if e.Tool != "Bash" || input == nil {
		return nil
	}
	answer := []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":`)
	return append(append(answer, input...), "}}\n"...)
}

// Hooks implements Host.
func (claudeCode) Hooks(settings []byte) ([]Hook, bool, error) {
	return hooksIn(settings, "PostToolUse")
}

// Traits implements Host.
func (claudeCode) Traits() Traits {
	return Traits{
		Transcript: &Transcript{Said: claudeSaid, OfAgent: claudeAgent,
			Places: []string{".claude/projects/*/*.jsonl", ".claude/projects/*/*/subagents/*.jsonl"}},
		Reads:  []string{"Read", "NotebookRead"},
		Writes: []string{"Edit", "MultiEdit", "Write", "NotebookEdit"},
		Texts: []string{"", "stdout", "stderr", "file.content", "content", "result", "#.text", "content.#.text",
			"#.resource.text"},
		Unread: mediaMembers,
		Covered: []string{
			"results of all tools and of MCP servers, in subagents too",
			"long outputs, all of them: the hook reads the file that the host puts them into, and redacts that file",
			"file reads: redacted, line numbers intact, never shortened",
			"/clear and compaction: the ledger begins anew",
		},
		Uncovered: []string{
			"a command that fails (kfw init --plugin or --wrap covers it)",
			"an MCP result that is an error: no hook can replace it (kfw init --plugin or --mcp covers it)",
			"files named with @ in a prompt: they fire no hook",
			"what the host keeps itself: its transcripts hold some originals",
			"hooks are off where settings say disableAllHooks, and ~/.claude is not read in cloud sessions",
		},
	}
}

// Probe implements Host.
func (claudeCode) Probe(text string) []byte {
	said, _ := json.Marshal(text) // a string has no errors
	return []byte(`{"session_id":"` + probeSession + `","transcript_path":"","cwd":"/","permission_mode":"default",` +
		`"hook_event_name":"PostToolUse","tool_name":"Bash",` +
		`"tool_input":{"command":"cat notes.txt","description":"show notes"},` +
		`"tool_response":{"stdout":` + string(said) + `,"stderr":"","interrupted":false,"isImage":false,` +
		`"noOutputExpected":false},` +
		`"tool_use_id":"toolu_01","duration_ms":5}`)
}

// Shown implements Host.
func (claudeCode) Shown(event, answer []byte) string {
	if v := gjson.GetBytes(answer, "hookSpecificOutput.updatedToolOutput.stdout"); v.Exists() {
		return v.String()
	}
	return gjson.GetBytes(event, "tool_response.stdout").String()
}
