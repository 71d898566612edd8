package hosts

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
)

// copilot is GitHub's Copilot CLI. Its hooks: https://docs.github.com/en/copilot/reference/hooks-reference.
type copilot struct{}

// Name implements Host.
func (copilot) Name() string { return "copilot" }

// Traits implements Host.
func (copilot) Traits() Traits {
	return Traits{
		Reads:         []string{"view"},
		Writes:        []string{"edit", "create", "str_replace", "str_replace_editor", "apply_patch"},
		Texts:         []string{"textResultForLlm"},
		Unread:        mediaMembers,
		ForgetsUnseen: true,
		Covered: []string{
			"results of all tools and of MCP servers, of failing commands too",
			"long outputs, all of them: the hook reads the file that the host puts them into",
			"file reads: redacted, never shortened",
		},
		Uncovered: []string{
			"results of tools that the host itself calls failed: no hook can replace these",
			"the files of long outputs in the temporary directory, which keep the original",
			"originals in ~/.copilot/session-state",
			"compaction: the host has no event for it, so the ledger of a session only grows",
		},
	}
}

// IsFrom implements Host.
func (copilot) IsFrom(event []byte) bool { return has(event, "toolName") || has(event, "sessionId") }

var (
	// copilotTrail ends the result of a shell command.
	copilotTrail = lazy.Regexp(`(?:^|\n)(<(?:shellId|command)[^\n<>]* exit code -?\d+>\n?)$`)
	// copilotPointer begins a result of which the host shows the beginning only.
	copilotPointer = lazy.Regexp(`^Output too large to read at once \([^)\n]*\)\. Saved to: (/[^\n]+)\n` +
		`(?:[^\n]+\n)*\nPreview \([^)\n]*\):\n`)
	copilotSpill = lazy.Regexp(`^\d+-copilot-tool-output-[0-9a-f-]+\.txt$`)
)

// Read implements Host.
func (h copilot) Read(event []byte) Event {
	e := Event{
		Session: gjson.GetBytes(event, "sessionId").String(),
		Tool:    gjson.GetBytes(event, "toolName").String(),
		Command: gjson.GetBytes(event, "toolArgs.command").String(),
		Input:   []byte(gjson.GetBytes(event, "toolArgs").Raw),
	}
	result := gjson.GetBytes(event, "toolResult")
	switch {
	case result.IsObject():
	case e.Tool == "":
		return e
	case slices.Contains(h.Traits().Writes, e.Tool) && !result.Exists():
		e.Kind, e.Write = Before, writeOf(gjson.GetBytes(event, "toolArgs"), gjson.GetBytes(event, "cwd").String())
		return e
	default:
		e.Kind = Ignored
		return e
	}
	e.Kind, e.Name = Result, "postToolUse"
	e.Response = []byte(result.Raw)
	e.readInPlace(h.Traits())
	all := e.Texts
	e.Texts = nil
	for _, t := range all {
		t.IsUnseen = t.path != "textResultForLlm"
		if t.IsBody = !t.IsUnseen; t.IsUnseen {
			e.Texts = append(e.Texts, t)
			continue
		}
		from, to := 0, len(t.Value)
		if at := copilotTrail().FindStringSubmatchIndex(t.Value); at != nil {
			to = at[2]
		}
		pointer := copilotPointer().FindStringSubmatch(t.Value[:to])
		if pointer != nil {
			e.Spill = copilotSpillOf(pointer[1], len(e.Texts))
			from = len(pointer[0])
		}
		e.Texts = append(e.Texts, t.apart(from, to)...)
	}
	return e
}

// copilotSpillOf returns the file of a long output, nil if the path is none that the host makes. The text that names it
// is one that a tool could have written.
func copilotSpillOf(path string, text int) *Spill {
	temporary, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil || !copilotSpill().MatchString(filepath.Base(path)) {
		return nil
	}
	if dir := filepath.Dir(path); dir != filepath.Clean(os.TempDir()) && dir != temporary {
		return nil
	}
	return &Spill{Path: filepath.Join(temporary, filepath.Base(path)), Pointers: []int{text}, Text: text + 1}
}

// Answer implements Host.
func (copilot) Answer(e *Event, texts []string) []byte {
	answer := append([]byte(`{"modifiedResult":`), replaced(e.Response, e.Texts, texts)...)
	return append(answer, "}\n"...)
}

// Deny implements Host.
func (copilot) Deny(_ *Event, reason string) []byte {
	answer := []byte(`{"permissionDecision":"deny","permissionDecisionReason":`)
	return append(append(answer, quoted(reason)...), "}\n"...)
}

// Rewrite implements Host: no result needs it.
func (copilot) Rewrite(*Event, string) []byte { return nil }

// Setup implements Host. The file is one of many that the host reads.
func (h copilot) Setup(p Place) Setup {
	line := shellLine(p.hookWords(h.Name()))
	after := handler{Type: "command", Bash: line, TimeoutSec: timeout}
	if runtime.GOOS == "windows" {
		after.PowerShell = line
	}
	before := after
	before.Matcher = anyOf(h.Traits().Writes)
	user := p.directory(".copilot", "COPILOT_HOME")
	dir := filepath.Join(user, "hooks")
	servers := []ServerFile{mcpServers(user, "mcp-config.json")}
	if p.Project != "" {
		dir = filepath.Join(p.Project, ".github", "hooks")
		servers = []ServerFile{mcpServers(p.Project, ".mcp.json"), mcpServers(p.Project, ".github/mcp.json")}
	}
	return Setup{
		Servers: servers,
		Path:    filepath.Join(dir, "kfw.json"),
		Program: "copilot",
		Empty:   `{"version": 1}`,
		Hooks:   []Addition{after.alone("postToolUse"), before.alone("preToolUse")},
	}
}

// Hooks implements Host.
func (copilot) Hooks(settings []byte) ([]Hook, bool, error) { return hooksIn(settings, "postToolUse") }

// Probe implements Host.
func (copilot) Probe(text string) []byte {
	return []byte(`{"sessionId":"` + probeSession + `","timestamp":1767225600000,"cwd":"/","toolName":"bash",` +
		`"toolArgs":{"command":"cat notes.txt"},"toolResult":{"resultType":"success","textResultForLlm":` +
		string(quoted(text+"<shellId: 0 completed with exit code 0>")) + `}}`)
}

// Shown implements Host.
func (copilot) Shown(event, answer []byte) string {
	if v := gjson.GetBytes(answer, "modifiedResult.textResultForLlm"); v.Exists() {
		return v.String()
	}
	return gjson.GetBytes(event, "toolResult.textResultForLlm").String()
}
