package hosts

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/pipeline/encode"
)

// Place is where a host's settings are, and what init writes into them.
type Place struct {
	Home    string              // of the user
	Project string              // directory whose settings are meant; empty for the user's own
	Getenv  func(string) string // the environment of init
	Kfw     string              // path of kfw, or with Project its name
	Wrap    bool                // commands are rewritten to say how they failed
	Plugin  bool                // the plugin of Setup is written
	MCP     bool                // kfw mcp is put in front of MCP servers

	Instructs bool   // the model is told what a page is
	Config    string // path of the user's kfw.yaml; not used with Project
	State     string // path of the state directory; not used with Project
}

// Setup is the settings file of a host, and what init adds to it.
type Setup struct {
	Path     string
	Empty    string       // what a file that is not there begins as; by itself {}
	File     []byte       // all of the file, which is one of kfw's own; Hooks is empty then
	More     []string     // other files of the place that the host reads hooks from
	Servers  []ServerFile // where the host looks for MCP servers
	Program  string       // of the host
	Hooks    []Addition   // in the order of the file
	Plugin   []OwnFile    // what init adds with Place.Plugin; nil if the host has no such plugin
	CanWrap  bool         // the host takes another command from a hook that does not allow it
	Allow    *Addition    // what lets a model run kfw expand without being asked; nil if the host has no such rule
	AfterAdd string       // what the user has to do; empty for nothing
	Doubt    string       // why a hook that is there may not run; empty if it will
}

// OwnFile is a file that is all of kfw's own.
type OwnFile struct {
	Path string
	Text []byte
}

// What a settings file may be. A repository has some of them, and what stands there is read before the user has said
// that he trusts it.
const (
	mostSettings = 16 << 20 // bytes
	mostValues   = 50_000   // the parser needs about a kilobyte for each
)

// readSettings reads a settings file. The error is fs.ErrNotExist if it is not there, else an *Unparsable.
func readSettings(path string) ([]byte, error) {
	limit := safefile.Limit{Bytes: mostSettings, Values: mostValues}
	switch filepath.Ext(path) {
	case ".json", ".jsonc":
		limit.Syntax = safefile.JSON
	case ".toml":
		limit.Syntax = safefile.TOML
	}
	text, err := safefile.Read(path, limit)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = &Unparsable{path, err.Error()}
	}
	return text, err
}

// timeout is how long a host waits for the hook, in seconds. After it the original goes to the model, so it is long.
const timeout = 30

// hookWords is the command of the hook, as words.
func (p Place) hookWords(host string) []string {
	words := []string{p.Kfw, "hook", "--host", host}
	if p.Project == "" {
		words = append(words, "--config", p.Config, "--state", p.State)
	}
	return words
}

// directory is where a host keeps its settings: in the project, where a variable says, or in the user's home.
func (p Place) directory(name, variable string) string {
	if p.Project != "" {
		return filepath.Join(p.Project, name)
	}
	if dir := p.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(p.Home, name)
}

// handler is one hook of a settings file in JSON. Other members of a handler are not looked at.
type handler struct {
	Type       string   `json:"type,omitempty"`
	Name       string   `json:"name,omitempty"`
	Command    string   `json:"command,omitempty"`
	Args       []string `json:"args,omitempty"`
	Bash       string   `json:"bash,omitempty"`       // the command, in the settings of Copilot
	PowerShell string   `json:"powershell,omitempty"` // the same, on Windows
	Matcher    string   `json:"matcher,omitempty"`
	Timeout    any      `json:"timeout,omitempty"`    // a number of seconds, or of what the host counts in
	TimeoutSec any      `json:"timeoutSec,omitempty"` // the same, in the settings of Copilot
}

// group is what a settings file has for an event: some hooks with a matcher, or one hook.
type group struct {
	handler
	Hooks []handler
}

func (g group) handlers() []handler {
	if len(g.Hooks) > 0 {
		return g.Hooks
	}
	return []handler{g.handler}
}

// group adds a group of one handler for an event.
func (h handler) group(event, matcher string) Addition {
	group, _ := json.Marshal(struct { // strings and numbers have no errors
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}{matcher, []handler{h}})
	return Addition{Keys: []string{"hooks", event}, Value: string(group)}
}

// alone adds a handler for an event, in settings that have no groups.
func (h handler) alone(event string) Addition {
	value, _ := json.Marshal(h) // has no errors
	return Addition{Keys: []string{"hooks", event}, Value: string(value)}
}

// anyOf is a matcher for tools of these names.
func anyOf(tools []string) string { return strings.Join(tools, "|") }

// words are the program and the arguments of a handler; nil if it is none that starts a program.
func (h handler) words() []string {
	switch {
	case h.line() == "" || h.Type != "" && h.Type != "command":
		return nil
	case len(h.Args) > 0:
		return append([]string{h.Command}, h.Args...)
	}
	return shellWords(h.line())
}

// line is the command of a handler as it stands in the settings.
func (h handler) line() string {
	if len(h.Args) > 0 {
		return shellLine(append([]string{h.Command}, h.Args...))
	}
	return cmp.Or(h.Command, h.Bash, h.PowerShell)
}

// isOwn reports whether a handler starts kfw hook.
func (h handler) isOwn() bool { return isHook(h.words()) }

func isHook(words []string) bool {
	return len(words) > 1 && words[1] == "hook" && strings.HasPrefix(filepath.Base(words[0]), "kfw")
}

// shellWords splits a command as a shell does that has quotes only. It is nil for a command that needs more of a shell.
func shellWords(command string) (words []string) {
	var word strings.Builder
	inWord := false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == ' ' || c == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		case c == '\'' || c == '"':
			end := strings.IndexByte(command[i+1:], c)
			if end < 0 || c == '"' && strings.ContainsAny(command[i+1:i+1+end], "\\$`") {
				return nil
			}
			word.WriteString(command[i+1 : i+1+end])
			inWord = true
			i += end + 1
		case c == '\\' && i+1 < len(command):
			i++
			word.WriteByte(command[i])
			inWord = true
		case c == '~' && inWord && isPlainTilde(command[:i]):
			word.WriteByte(c)
		case strings.IndexByte(";&|$`<>(){}*?[]~#!\n\r", c) >= 0:
			return nil
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}

// isPlainTilde reports whether a shell leaves a tilde after this unexpanded.
func isPlainTilde(before string) bool {
	_, size := utf8.DecodeLastRuneInString(before)
	short := before[len(before)-size:] + "~"
	return encode.QuotedForShell(short) == short
}

// shellLine is words as a shell reads them.
func shellLine(words []string) string {
	var line []string
	for _, w := range words {
		line = append(line, encode.QuotedForShell(w))
	}
	return strings.Join(line, " ")
}

// decoded reads a JSON value that may have comments.
func decoded[T any](v *hujson.Value) (to T, ok bool) {
	plain := v.Clone()
	plain.Standardize()
	return to, json.Unmarshal(plain.Pack(), &to) == nil
}

// isOwnEntry reports whether an element of the settings is what init has added: a handler, a group that has nothing
// else, or the rule for kfw expand.
func isOwnEntry(keys []string, element *hujson.Value) bool {
	switch {
	case len(keys) == 2 && keys[0] == "hooks":
		g, ok := decoded[group](element)
		return ok && !slices.ContainsFunc(g.handlers(), func(h handler) bool { return !h.isOwn() })
	case len(keys) == 3 && keys[0] == "hooks" && keys[2] == "hooks":
		h, ok := decoded[handler](element)
		return ok && h.isOwn()
	case slices.Equal(keys, []string{"permissions", "allow"}):
		rule, ok := decoded[string](element)
		inner := strings.TrimSuffix(strings.TrimPrefix(rule, "Bash("), " *)")
		program, isExpand := strings.CutSuffix(inner, " expand")
		return ok && isExpand && inner != rule && strings.HasPrefix(filepath.Base(program), "kfw")
	}
	return false
}

// Hook is a hook of a settings file.
type Hook struct {
	Event   string
	IsAfter bool     // it runs when a tool has ended
	Words   []string // the program and its arguments; nil if no program is started, or a shell has to read the command
	Line    string   // the command as it stands there
	IsKfw   bool
}

// hooksIn lists the hooks of a settings file in JSON. after is the event in which a tool has ended.
func hooksIn(source []byte, after string) (all []Hook, isDisabled bool, err error) {
	v, err := hujson.Parse(source)
	if err != nil {
		return nil, false, err
	}
	settings, ok := decoded[struct {
		DisableAllHooks bool
		Hooks           map[string]json.RawMessage
	}](&v)
	if !ok {
		return nil, false, errNotSettings
	}
	for event, value := range settings.Hooks {
		var groups []group
		if json.Unmarshal(value, &groups) != nil {
			continue // some hosts have other settings beside the events
		}
		for _, g := range groups {
			for _, h := range g.handlers() {
				all = append(all, Hook{Event: event, IsAfter: event == after, Words: h.words(), Line: h.line(),
					IsKfw: h.isOwn()})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Hook) int { return strings.Compare(a.Event, b.Event) })
	return all, settings.DisableAllHooks, nil
}
