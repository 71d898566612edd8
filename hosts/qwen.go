package hosts

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
)

// qwenCode is Qwen Code. Its hooks: docs/users/features/hooks.md of QwenLM/qwen-code.
type qwenCode struct{}

// Name implements Host.
func (qwenCode) Name() string { return "qwen-code" }

// Traits implements Host.
func (qwenCode) Traits() Traits {
	return Traits{
		Transcript: &Transcript{Said: qwenSaid, Places: []string{".qwen/projects/*/chats/*.jsonl"}},
		Reads:      []string{"read_file", "read_many_files"},
		Writes:     []string{"edit", "write_file"},
		Unread:     withDisplay,
		Covered: []string{
			"results of all tools and of MCP servers that end well",
			"long outputs, all of them: the event has what the host has cut",
			"file reads: redacted, never shortened",
			"/clear and compaction: the ledger begins anew",
		},
		Uncovered: []string{
			"a command that fails, and an MCP result that is an error: no hook of qwen-code can replace these",
			"the form that replaces a result is documented as one that stops the agent; in qwen-code 0.24.4 the agent goes on",
			"files named with @ in a prompt: they fire no hook",
			"originals in ~/.qwen/tmp and in the chats of ~/.qwen/projects",
		},
	}
}

// IsFrom implements Host.
func (qwenCode) IsFrom(event []byte) bool { return has(event, "tool_call_id") }

// Read implements Host.
func (h qwenCode) Read(event []byte) Event {
	e := readCommon(event, h.Traits(), "PreToolUse", "PostToolUse")
	switch e.Name {
	case "PostToolUse":
		shown := gjson.GetBytes(e.Response, "returnDisplay").String()
		content, others := partsOf(e.Response, "llmContent", h.Traits())
		e.Status = withOthers("", others)
		for _, t := range content {
			if t.IsUnseen {
				e.Texts = append(e.Texts, t)
				continue
			}
			e.beginLine()
			if parts, spill := qwenSpill(t, shown, len(e.Texts)); spill != nil && e.Spill == nil {
				e.Texts, e.Spill = append(e.Texts, parts...), spill
				continue
			}
			parts, _ := geminiParts(t, shown)
			e.Texts = append(e.Texts, parts...)
		}
	case "PostToolUseFailure":
		e.Kind = Ignored // there is no answer that replaces this
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

// qwenSaid returns what a line of a transcript says.
func qwenSaid(line gjson.Result) (all []utterance) {
	parts := line.Get("message.parts")
	switch line.Get("type").String() {
	case "user":
		return userSaid(partTexts(parts)...)
	case "assistant":
		for _, part := range parts.Array() {
			if call := part.Get("functionCall"); call.Exists() {
				all = append(all, utterance{tool: call.Get("name").String(), input: []byte(call.Get("args").Raw)})
				continue
			}
			all = append(all, utterance{text: part.Get("text").String()})
		}
	}
	return all
}

var (
	// qwenPointer begins a result of which the host has cut the middle.
	qwenPointer = lazy.Regexp(
		`^Tool output was too large and has been truncated\.\nThe full output has been saved to: [^\n]+\n(?:[^\n]+\n)*\nTruncated part of the output:\n`)
	// qwenSaved ends what the user sees of it.
	qwenSaved = lazy.Regexp(`\n?Output too long and was saved to: [^\n]+$`)
)

// qwenSpill takes apart a result of which the host has cut the middle. The event has all of it in what the user sees.
// before is the number of texts before it.
func qwenSpill(t Text, shown string, before int) ([]Text, *Spill) {
	pointer := qwenPointer().FindString(t.Value)
	saved := qwenSaved().FindStringIndex(shown)
	if pointer == "" || saved == nil || saved[0] == 0 {
		return nil, nil
	}
	lead := geminiLead().FindString(t.Value[len(pointer):])
	parts := t.apart(len(pointer), len(t.Value))
	inner, _ := geminiParts(parts[1], "")
	parts = append(parts[:1], inner...)
	spill := &Spill{Inline: shown[:saved[0]] + "\n", Pointers: []int{before}, Text: before + 1}
	if lead != "" {
		spill.Text++
	}
	return parts, spill
}

// Answer implements Host: what is documented as the reason of a stop takes the place of the result.
func (qwenCode) Answer(e *Event, texts []string) []byte {
	reason := e.statusLine() + joined(e.shown(texts))
	answer := append([]byte(`{"continue":false,"stopReason":`), quoted(reason)...)
	return append(answer, "}\n"...)
}

// Deny implements Host.
func (qwenCode) Deny(_ *Event, reason string) []byte { return denial(reason) }

// Rewrite implements Host. Qwen Code ignores another input.
func (qwenCode) Rewrite(*Event, string) []byte { return nil }

// Setup implements Host.
func (h qwenCode) Setup(p Place) Setup {
	hook := handler{Type: "command", Name: "kfw", Command: shellLine(p.hookWords(h.Name())), Timeout: timeout}
	dir := p.directory(".qwen", "")
	return Setup{
		Path:    filepath.Join(dir, "settings.json"),
		Servers: []ServerFile{mcpServers(dir, "settings.json")},
		Program: "qwen",
		Hooks: []Addition{hook.group("PostToolUse", "*"), hook.group("SessionStart", "clear|compact"),
			hook.group("PreToolUse", anyOf(h.Traits().Writes))},
	}
}

// Hooks implements Host.
func (qwenCode) Hooks(settings []byte) ([]Hook, bool, error) { return hooksIn(settings, "PostToolUse") }

// Probe implements Host.
func (qwenCode) Probe(text string) []byte {
	said := strings.TrimSuffix(text, "\n")
	return []byte(`{"session_id":"` + probeSession +
		`","transcript_path":"","cwd":"/","hook_event_name":"PostToolUse",` +
		`"timestamp":"2026-01-01T00:00:00.000Z","permission_mode":"default","prompt_id":"p","tool_name":"run_shell_command",` +
		`"tool_input":{"command":"cat notes.txt"},"tool_response":{"llmContent":` +
		string(quoted("Command: cat notes.txt\nDirectory: (root)\nOutput: "+said+
			"\nError: (none)\nExit Code: 0\nSignal: (none)")) +
		`,"returnDisplay":` + string(quoted(said)) + `},"tool_use_id":"t","tool_call_id":"call_1","duration_ms":5}`)
}

// Shown implements Host.
func (qwenCode) Shown(event, answer []byte) string {
	if v := gjson.GetBytes(answer, "stopReason"); v.Exists() {
		return v.String()
	}
	return gjson.GetBytes(event, "tool_response.llmContent").String()
}
