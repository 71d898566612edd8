package hosts

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// codex is the command-line program Codex. Its hooks: https://developers.openai.com/codex/hooks.
type codex struct{}

// mostOfReason is how much of a reason Codex gives to the model, in bytes, less some room. It cuts the rest at 2,500
// tokens, which it takes for 10,000 bytes, and puts all of it into a file.
const mostOfReason = 9000

// Name implements Host.
func (codex) Name() string { return "codex" }

// IsFrom implements Host.
func (codex) IsFrom(event []byte) bool { return has(event, "turn_id") && !has(event, "prompt_id") }

// Read implements Host.
func (h codex) Read(event []byte) Event {
	e := readCommon(event, h.Traits(), "PreToolUse", "PostToolUse")
	switch e.Name {
	case "PostToolUse":
		var others int
		e.Texts, others = resultTexts(e.Response, h.Traits())
		e.Status = withOthers("", others)
		if e.Tool == "Bash" {
			e.Status = exitStatus(e.Record, e.ID)
		}
	case "SessionStart":
		e.Kind = Ignored
		if source := gjson.GetBytes(event, "source").String(); source == "clear" || source == "compact" {
			e.Kind = Forgot
		}
	case "PostCompact":
		e.Kind = Forgot
	}
	return e
}

// Answer implements Host. The only form that replaces a result is a refusal with a reason, and the reason is all that
// the model sees: so it says the status.
func (codex) Answer(e *Event, texts []string) []byte {
	var reason strings.Builder
	reason.WriteString(e.statusLine())
	for _, t := range e.shown(texts) {
		if reason.WriteString(t); t != "" && !strings.HasSuffix(t, "\n") {
			reason.WriteString("\n")
		}
	}
	answer := append([]byte(`{"decision":"block","reason":`), quoted(reason.String())...)
	return append(answer, "}\n"...)
}

// Deny implements Host.
func (codex) Deny(_ *Event, reason string) []byte { return denial(reason) }

// Rewrite implements Host. Codex takes another input only with an "allow", which kfw never answers.
func (codex) Rewrite(*Event, string) []byte { return nil }

// codexSaid returns what a line of a transcript says. Its events repeat what the agent has said.
func codexSaid(line gjson.Result) []utterance {
	item := line.Get("payload")
	kind := item.Get("type").String()
	if line.Get("type").String() == "event_msg" {
		if kind == "user_message" {
			return userSaid(item.Get("message").String())
		}
		return nil
	}
	switch kind {
	case "message":
		switch texts := partTexts(item.Get("content")); item.Get("role").String() {
		case "user":
			return userSaid(texts...)
		case "assistant":
			return agentSaid(texts...)
		}
	case "reasoning":
		return agentSaid(append(partTexts(item.Get("summary")), partTexts(item.Get("content"))...)...)
	case "function_call":
		return []utterance{{tool: item.Get("name").String(), input: []byte(item.Get("arguments").String())}}
	case "custom_tool_call":
		return []utterance{{tool: item.Get("name").String(), input: []byte(item.Get("input").Raw)}}
	case "local_shell_call":
		return []utterance{{tool: kind, input: []byte(item.Get("action.command").Raw)}}
	}
	return nil
}

// lastOfRecord is how much of the end of Codex's record of a conversation is looked at, in bytes: an entry for a
// command that has just ended stands there.
const lastOfRecord = 64 << 10

// notReported is said where a status is not known. It must not read as a success.
const notReported = "exit status not reported by the host"

// isExitCode reports whether a value can be the exit code of a program. A larger number is not said: it was not
// looked at.
func isExitCode(v gjson.Result) bool {
	return v.Type == gjson.Number && v.Int() >= math.MinInt32 && v.Int() <= math.MaxUint32
}

// exitStatus is how a command ended, from the record of the conversation: events do not say it.
func exitStatus(record, id string) string {
	lines, err := lastLines(record, lastOfRecord)
	if err != nil {
		return notReported
	}
	for _, line := range slices.Backward(lines) {
		if id == "" || !bytes.Contains(line, []byte("exit_code")) || !gjson.ValidBytes(line) {
			continue
		}
		for _, path := range []string{"item", "payload.item", "payload", "msg"} {
			item := gjson.GetBytes(line, path)
			isCall := item.Get("id").String() == id || item.Get("call_id").String() == id
			if code := item.Get("exit_code"); isCall && isExitCode(code) {
				return "exit status " + strconv.FormatInt(code.Int(), 10)
			}
		}
	}
	return notReported
}

// Setup implements Host.
func (h codex) Setup(p Place) Setup {
	hook := handler{Type: "command", Command: shellLine(p.hookWords(h.Name())), Timeout: timeout}
	doubt := ""
	dir := p.directory(".codex", "CODEX_HOME")
	config, err := readSettings(filepath.Join(dir, "config.toml"))
	if err != nil || !bytes.Contains(config, []byte("trusted_hash")) {
		doubt = "no hook has been trusted in codex yet (config.toml has no trusted_hash): start it and run /hooks"
	}
	return Setup{
		Doubt:   doubt,
		Path:    filepath.Join(dir, "hooks.json"),
		Servers: []ServerFile{{filepath.Join(dir, "config.toml"), [][]string{{"mcp_servers"}}}},
		Program: "codex",
		Hooks: []Addition{hook.group("PostToolUse", "*"), hook.group("SessionStart", "clear|compact"),
			hook.group("PostCompact", ""), hook.group("PreToolUse", anyOf(h.Traits().Writes))},
		AfterAdd: "start codex and trust the hook with /hooks: until then it does not run",
	}
}

// Hooks implements Host.
func (codex) Hooks(settings []byte) ([]Hook, bool, error) { return hooksIn(settings, "PostToolUse") }

// Traits implements Host.
func (codex) Traits() Traits {
	return Traits{
		Transcript: &Transcript{Said: codexSaid, Places: []string{".codex/sessions/*/*/*/rollout-*.jsonl"}},
		Writes:     []string{"apply_patch"},
		Unread:     mediaMembers,
		MostBytes:  mostOfReason,
		Covered: []string{
			"results of shell commands, failing ones too, of edits and of MCP servers",
			"the exit status is in the text that replaces a result",
		},
		Uncovered: []string{
			"the middle of a long output: the host cuts it before the hook, so no handle has it",
			"nested calls in code mode, and what the TUI shows: they have the original",
			"what the host keeps itself: ~/.codex/sessions and thread_history hold originals",
			"until you have trusted the hook with /hooks, and after each change of it, it does not run",
		},
	}
}

// Probe implements Host.
func (codex) Probe(text string) []byte {
	said, _ := json.Marshal(text) // a string has no errors
	return []byte(`{"session_id":"` + probeSession + `","turn_id":"turn_1","transcript_path":null,"cwd":"/",` +
		`"hook_event_name":"PostToolUse","model":"m","permission_mode":"default","tool_name":"Bash",` +
		`"tool_input":{"command":"cat notes.txt"},"tool_response":` + string(said) + `,"tool_use_id":"call_1"}`)
}

// Shown implements Host.
func (codex) Shown(event, answer []byte) string {
	if v := gjson.GetBytes(answer, "reason"); v.Exists() {
		return v.String()
	}
	return gjson.GetBytes(event, "tool_response").String()
}
