package hosts

import (
	"path/filepath"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
)

// cline is the third version of the command-line program Cline. Its plugins: docs/sdk/plugins.mdx
// of cline/cline.
type cline struct{}

// mostOfResult is how much of a result cline gives to the model, in bytes, less some room. It cuts the
// middle out of more than 8,000 characters.
const mostOfResult = 7500

// Name implements Host.
func (cline) Name() string { return "cline" }

// Traits implements Host.
func (cline) Traits() Traits {
	return Traits{
		Reads:  []string{"read_files", "read_file"},
		Writes: []string{"editor", "apply_patch", "write_to_file", "replace_in_file"},
		Texts: []string{"output", "output.#.result", "output.content.#.text",
			"output.content.#.resource.text"},
		Unread:        mediaMembers,
		MostBytes:     mostOfResult,
		ForgetsUnseen: true,
		TakesAny:      true,
		Covered: []string{
			"results of all tools and of MCP servers, of failing commands too",
			"file reads: redacted, line numbers intact, never shortened",
		},
		Uncovered: []string{
			"the middle of an output of more than 48,000 characters: cline cuts it before the hook (kfw init --wrap covers it)",
			"compaction: the host has no event for it, so the ledger of a session only grows",
			"a cline without its npm packages loads no plugin, and says so in its log only",
		},
	}
}

// IsFrom implements Host.
func (h cline) IsFrom(event []byte) bool { return isPluginOf(event, h.Name()) }

// clineLead begins the result of a command that fails.
var clineLead = lazy.Regexp(`^\[Command exited with code -?\d+\]\n`)

// Read implements Host.
func (h cline) Read(event []byte) Event {
	e := readCommon(event, h.Traits(), "beforeTool", "afterTool")
	if e.Name == "afterTool" {
		e.readInPlace(h.Traits())
		var parts []Text
		for _, t := range e.Texts {
			if t.path == "output.#.result" {
				parts = append(parts, t.apart(len(clineLead().FindString(t.Value)), len(t.Value))...)
				continue
			}
			parts = append(parts, t)
		}
		e.Texts = parts
	}
	if commands := gjson.GetBytes(event, "tool_input.commands").Array(); len(commands) == 1 {
		e.Command = commands[0].String()
	}
	return e
}

// Answer implements Host.
func (cline) Answer(e *Event, texts []string) []byte { return pluginAnswer(e, texts) }

// Deny implements Host.
func (cline) Deny(_ *Event, reason string) []byte { return pluginDenial(reason) }

// Rewrite implements Host: cline cuts a long output before the hook sees it.
func (cline) Rewrite(e *Event, pipe string) []byte {
	input := withCommands(e.Input, "commands", func(command string) string { return piped(command, pipe) })
	if e.Tool != "run_commands" || input == nil {
		return nil
	}
	return append(append([]byte(`{"input":`), input...), "}\n"...)
}

// Setup implements Host.
func (h cline) Setup(p Place) Setup {
	words, before := p.hookWords(h.Name()), h.Traits().Writes
	if p.Wrap {
		words, before = append(words, "--wrap"), append(before, "run_commands")
	}
	dir := p.directory(".cline", "")
	var servers []ServerFile
	if p.Project == "" {
		servers = []ServerFile{mcpServers(dir, "data/settings/cline_mcp_settings.json")}
	}
	return Setup{
		Servers: servers,
		CanWrap: true,
		Path:    filepath.Join(dir, "plugins", "kfw.ts"),
		Program: "cline",
		File:    pluginFile("cline.ts", words, before),
	}
}

// Hooks implements Host.
func (cline) Hooks(settings []byte) ([]Hook, bool, error) { return pluginHooks(settings, "afterTool") }

// Probe implements Host.
func (h cline) Probe(text string) []byte {
	return pluginProbe(h.Name(), "afterTool", "run_commands",
		`{"output":[{"query":"cat notes.txt","result":`+string(quoted(text))+`,"success":true}]}`)
}

// Shown implements Host.
func (cline) Shown(event, answer []byte) string { return pluginShown(event, answer, "output.0.result") }
