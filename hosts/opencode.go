package hosts

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
)

// openCode is OpenCode. Its plugins: packages/plugin/src/index.ts of anomalyco/opencode.
type openCode struct{}

// Name implements Host.
func (openCode) Name() string { return "opencode" }

// Traits implements Host.
func (openCode) Traits() Traits {
	return Traits{
		Reads:  []string{"read"},
		Writes: []string{"edit", "multiedit", "write", "patch", "apply_patch"},
		Texts:  []string{"output", "content.#.text", "content.#.resource.text"},
		Unread: mediaMembers,
		Covered: []string{
			"results of all tools and of MCP servers, of failing commands too, in subagents too",
			"the status of a failing command, which opencode does not say, where the result is changed",
			"long outputs, all of them: the hook reads the file that the host puts them into, and redacts that file",
			"file reads: redacted, line numbers intact, never shortened",
			"compaction: the ledger begins anew",
		},
		Uncovered: []string{
			"what a command says while it runs, which opencode.db keeps",
			"with any plugin, opencode asks a package registry for @opencode-ai/plugin at its start",
		},
	}
}

// IsFrom implements Host.
func (h openCode) IsFrom(event []byte) bool { return isPluginOf(event, h.Name()) }

// opencodeSpill is where opencode puts a long output.
var opencodeSpill = lazy.Regexp(`^/(?:[^/\n]+/)*opencode/tool-output/tool_[A-Za-z0-9]+$`)

// Read implements Host.
func (h openCode) Read(event []byte) Event {
	e := readCommon(event, h.Traits(), "tool.execute.before", "tool.execute.after")
	switch e.Name {
	case "tool.execute.after":
		path := gjson.GetBytes(e.Response, "metadata.outputPath").String()
		if filepath.Clean(path) != path || !opencodeSpill().MatchString(path) {
			path = ""
		}
		pointer := "...output truncated...\n\nFull output saved to: " + path + "\n\n"
		e.readInPlace(h.Traits())
		all := e.Texts
		e.Texts = nil
		for _, t := range all {
			top, _, _ := strings.Cut(t.path, ".")
			t.IsUnseen = t.IsUnseen || top != "output" && top != "content"
			t.IsBody = t.IsBody && !t.IsUnseen
			if path != "" && t.path == "output" && strings.HasPrefix(t.Value, pointer) {
				e.Spill = &Spill{Path: path, Pointers: []int{len(e.Texts)}, Text: len(e.Texts) + 1, IsNamed: true}
				e.Texts = append(e.Texts, t.apart(len(pointer), len(t.Value))...)
				continue
			}
			e.Texts = append(e.Texts, t)
		}
		if code := gjson.GetBytes(e.Response, "metadata.exit"); isExitCode(code) && code.Int() != 0 {
			e.Status = "exit status " + strconv.FormatInt(code.Int(), 10)
		} else if e.Tool == "bash" && !code.Exists() {
			e.Status = notReported
		}
	case "session.compacted":
		e.Kind = Forgot
	}
	return e
}

// Answer implements Host. opencode does not say the status, so the answer does.
func (openCode) Answer(e *Event, texts []string) []byte {
	if e.Status != "" {
		texts = append([]string(nil), texts...)
		for i, t := range e.Texts {
			if !t.IsUnseen {
				texts[i] = e.statusLine() + texts[i]
				break
			}
		}
	}
	return pluginAnswer(e, texts)
}

// Deny implements Host.
func (openCode) Deny(_ *Event, reason string) []byte { return pluginDenial(reason) }

// Rewrite implements Host: no result needs it.
func (openCode) Rewrite(*Event, string) []byte { return nil }

// Setup implements Host.
func (h openCode) Setup(p Place) Setup {
	dir := filepath.Join(p.Home, ".config", "opencode")
	if config := p.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(config) {
		dir = filepath.Join(config, "opencode")
	}
	servers := dir
	if p.Project != "" {
		dir, servers = filepath.Join(p.Project, ".opencode"), p.Project
	}
	keys := [][]string{{"mcp"}}
	return Setup{
		Servers: []ServerFile{{filepath.Join(servers, "opencode.json"), keys},
			{filepath.Join(servers, "opencode.jsonc"), keys}},
		Path:    filepath.Join(dir, "plugin", "kfw.js"),
		Program: "opencode",
		File:    pluginFile("opencode.js", p.hookWords(h.Name()), h.Traits().Writes),
	}
}

// Hooks implements Host.
func (openCode) Hooks(settings []byte) ([]Hook, bool, error) {
	return pluginHooks(settings, "tool.execute.after")
}

// Probe implements Host.
func (h openCode) Probe(text string) []byte {
	return pluginProbe(h.Name(), "tool.execute.after", "bash", `{"title":"","output":`+string(quoted(text))+
		`,"metadata":{"exit":0}}`)
}

// Shown implements Host.
func (openCode) Shown(event, answer []byte) string { return pluginShown(event, answer, "output") }
