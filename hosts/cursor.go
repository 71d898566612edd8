package hosts

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// cursor is the editor Cursor. Only results of MCP servers can be replaced there. Its hooks:
// https://cursor.com/docs/agent/hooks.
type cursor struct{}

// Name implements Host.
func (cursor) Name() string { return "cursor" }

// Traits implements Host.
func (cursor) Traits() Traits {
	return Traits{
		Texts:         []string{"content.#.text", "content.#.resource.text"},
		Unread:        mediaMembers,
		ForgetsUnseen: true,
		TakesAny:      true,
		Covered:       []string{"results of MCP servers that end well"},
		Uncovered: []string{
			"commands, file reads and all other tools of cursor itself: no hook can replace their results",
			"MCP results that are errors",
			"compaction: no event is known, so the ledger of a session only grows",
			"this host was not run against kfw: its forms are those that its documents give",
		},
	}
}

// IsFrom implements Host.
func (cursor) IsFrom(event []byte) bool { return has(event, "cursor_version") }

// Read implements Host. The output is JSON in a string.
func (h cursor) Read(event []byte) Event {
	e := Event{
		Name:    gjson.GetBytes(event, "hook_event_name").String(),
		Session: gjson.GetBytes(event, "conversation_id").String(),
		Tool:    gjson.GetBytes(event, "tool_name").String(),
		Input:   []byte(gjson.GetBytes(event, "tool_input").Raw),
	}
	output := gjson.GetBytes(event, "tool_output")
	switch {
	case e.Name == "":
	case e.Name != "postToolUse" || !strings.HasPrefix(e.Tool, "MCP:") || !output.Exists():
		e.Kind = Ignored
	default:
		e.Kind, e.Response = Result, []byte(output.String())
		if !json.Valid(e.Response) || !gjson.ParseBytes(e.Response).IsObject() {
			e.Texts = []Text{{Value: output.String(), IsBody: true}}
			return e
		}
		e.readInPlace(h.Traits())
	}
	return e
}

// Answer implements Host: the response with other values in it, or a text in its place.
func (cursor) Answer(e *Event, texts []string) []byte {
	answer := []byte(`{"updated_mcp_tool_output":`)
	if e.InPlace {
		answer = append(answer, replaced(e.Response, e.Texts, texts)...)
		return append(answer, "}\n"...)
	}
	answer = append(append(answer, `{"content":[{"type":"text","text":`...), quoted(joined(texts))...)
	return append(answer, "}]}}\n"...)
}

// Deny implements Host. No tool is refused here.
func (cursor) Deny(*Event, string) []byte { return nil }

// Rewrite implements Host.
func (cursor) Rewrite(*Event, string) []byte { return nil }

// Setup implements Host.
func (h cursor) Setup(p Place) Setup {
	hook := handler{Command: shellLine(p.hookWords(h.Name())), Matcher: "^MCP:", Timeout: timeout}
	dir := p.directory(".cursor", "")
	return Setup{
		Path:    filepath.Join(dir, "hooks.json"),
		Servers: []ServerFile{mcpServers(dir, "mcp.json")},
		Program: "cursor-agent",
		Empty:   `{"version": 1}`,
		Hooks:   []Addition{hook.alone("postToolUse")},
	}
}

// Hooks implements Host.
func (cursor) Hooks(settings []byte) ([]Hook, bool, error) { return hooksIn(settings, "postToolUse") }

// Probe implements Host.
func (cursor) Probe(text string) []byte {
	output := `{"content":[{"type":"text","text":` + string(quoted(text)) + `}]}`
	return []byte(`{"conversation_id":"` + probeSession + `","cursor_version":"2","hook_event_name":"postToolUse",` +
		`"tool_name":"MCP:notes","tool_input":{},"tool_output":` + string(quoted(output)) + `}`)
}

// Shown implements Host.
func (cursor) Shown(event, answer []byte) string {
	if v := gjson.GetBytes(answer, "updated_mcp_tool_output.content.0.text"); v.Exists() {
		return v.String()
	}
	return gjson.Get(gjson.GetBytes(event, "tool_output").String(), "content.0.text").String()
}
