package hosts

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/pipeline/encode"
)

// geminiCLI is Gemini CLI. Its hooks: docs/hooks/reference.md of google-gemini/gemini-cli.
type geminiCLI struct{}

// Name implements Host.
func (geminiCLI) Name() string { return "gemini-cli" }

// Traits implements Host.
func (geminiCLI) Traits() Traits {
	return Traits{
		Transcript: &Transcript{Said: geminiSaid,
			Places: []string{".gemini/tmp/*/chats/*.jsonl", ".gemini/tmp/*/chats/*/*.jsonl"}},
		ForgetsUnseen: true,
		Unread:        withDisplay,
		Reads:         []string{"read_file", "read_many_files"},
		Writes:        []string{"replace", "write_file"},
		Covered: []string{
			"results of all tools and of MCP servers, of failing commands too",
			"long outputs, all of them: the host cuts only what the hook has answered",
			"file reads: redacted, never shortened",
			"/clear and /compress: the ledger begins anew",
		},
		Uncovered: []string{
			"a changed result is marked as an error, since gemini-cli knows no other form: its text says the status",
			"files named with @ in a prompt: they fire no hook",
			"compression that the host starts by itself: no event says so, so the ledger goes on",
			"hooks of a project that the user has not trusted do not run, nor do those that settings list as disabled",
		},
	}
}

// IsFrom implements Host.
func (geminiCLI) IsFrom(event []byte) bool {
	switch gjson.GetBytes(event, "hook_event_name").String() {
	case "AfterTool", "BeforeTool", "PreCompress":
		return true
	}
	return false
}

// Read implements Host.
func (h geminiCLI) Read(event []byte) Event {
	e := readCommon(event, h.Traits(), "BeforeTool", "AfterTool")
	switch e.Name {
	case "AfterTool":
		isError := gjson.GetBytes(e.Response, "error").Exists()
		shown := gjson.GetBytes(e.Response, "returnDisplay").String()
		content, others := partsOf(e.Response, "llmContent", h.Traits())
		for _, t := range content {
			if t.IsUnseen {
				e.Texts = append(e.Texts, t)
				continue
			}
			e.beginLine()
			parts, status := geminiParts(t, shown)
			e.Texts = append(e.Texts, parts...)
			e.Status = status
		}
		if e.Status == "" && !isError && e.Tool != "run_shell_command" {
			e.Status = "this result is no error"
		}
		e.Status = withOthers(e.Status, others)
	case "SessionStart":
		e.Kind = Ignored
		if gjson.GetBytes(event, "source").String() == "clear" {
			e.Kind = Forgot
		}
	case "PreCompress": // comes before every turn with the trigger auto, whether or not anything is compressed then
		e.Kind = Ignored
		if gjson.GetBytes(event, "trigger").String() == "manual" {
			e.Kind = Forgot
		}
	}
	return e
}

// geminiSaid returns what a line of a transcript says.
func geminiSaid(line gjson.Result) (all []utterance) {
	texts := partTexts(line.Get("content"))
	switch line.Get("type").String() {
	case "user":
		return userSaid(texts...)
	case "gemini":
		for _, thought := range line.Get("thoughts").Array() {
			all = append(all, utterance{text: thought.Get("subject").String() + "\n" + thought.Get("description").String()})
		}
		all = append(all, agentSaid(texts...)...)
		for _, call := range line.Get("toolCalls").Array() {
			all = append(all, utterance{tool: call.Get("name").String(), input: []byte(call.Get("args").Raw)})
		}
	}
	return all
}

const untrusted, untrustedEnd = "<untrusted_context>\n", "\n</untrusted_context>"

var (
	// geminiLead begins the result of a shell command.
	geminiLead = lazy.Regexp(`^(?:(?:Command|Directory): [^\n]*\n)*Output: `)
	// geminiTrail is what stands after the output of a shell command.
	geminiTrail = lazy.Regexp(`(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*)+$`)
	exitCode    = lazy.Regexp(`(?m)\nExit Code: (\d{1,10})$`)
	otherEnd    = lazy.Regexp(`\n(?:Error|Signal): [^\n]`)
)

// geminiParts takes apart what the host has written around an output, and says how the command ended.
// shown is the output as the user sees it: where it is what follows the lead, the output ends where it does.
func geminiParts(t Text, shown string) (parts []Text, status string) {
	from, to := 0, len(t.Value)
	isWrapped := strings.HasPrefix(t.Value, untrusted) && strings.HasSuffix(t.Value, untrustedEnd)
	if isWrapped && len(t.Value) >= len(untrusted)+len(untrustedEnd) {
		from, to = len(untrusted), to-len(untrustedEnd)
	}
	lead := geminiLead().FindString(t.Value[from:to])
	if lead == "" {
		return t.apart(from, to), ""
	}
	from += len(lead)
	end := to
	if shown != "" && strings.HasPrefix(t.Value[from:to], shown+"\n") {
		end = from + len(shown)
	} else if at := geminiTrail().FindStringIndex(t.Value[from:to]); at != nil {
		end = from + at[0]
	}
	trail := t.Value[end:to]
	switch code := exitCode().FindStringSubmatch(trail); {
	case code != nil:
		status = "exit status " + code[1]
	case !otherEnd().MatchString(strings.ReplaceAll(trail, ": (none)", "")):
		status = "exit status 0"
	}
	if end < to {
		end++ // the line feed belongs to the output
	}
	return t.apart(from, end), status
}

// Answer implements Host. A refusal replaces a result, and marks it as an error: so it says the status.
func (h geminiCLI) Answer(e *Event, texts []string) []byte {
	reason := joined(e.shown(texts))
	if e.Status != "" { // at the end, so that lines keep their numbers
		inner, isWrapped := strings.CutSuffix(reason, untrustedEnd)
		reason = strings.TrimSuffix(inner, "\n") + "\n" + encode.OwnPrefix + e.Status
		if isWrapped {
			reason += untrustedEnd
		}
	}
	return h.Deny(e, reason)
}

// Deny implements Host.
func (geminiCLI) Deny(_ *Event, reason string) []byte {
	return append(append([]byte(`{"decision":"deny","reason":`), quoted(reason)...), "}\n"...)
}

// Rewrite implements Host: no result needs it.
func (geminiCLI) Rewrite(*Event, string) []byte { return nil }

// Setup implements Host. Gemini CLI counts in milliseconds.
func (h geminiCLI) Setup(p Place) Setup {
	hook := handler{Type: "command", Name: "kfw", Command: shellLine(p.hookWords(h.Name())), Timeout: timeout * 1000}
	dir := p.directory(".gemini", "")
	return Setup{
		Path:    filepath.Join(dir, "settings.json"),
		Servers: []ServerFile{mcpServers(dir, "settings.json")},
		Program: "gemini",
		Hooks: []Addition{hook.group("AfterTool", ".*"), hook.group("SessionStart", "clear"),
			hook.group("PreCompress", "manual"), hook.group("BeforeTool", anyOf(h.Traits().Writes))},
	}
}

// Hooks implements Host.
func (geminiCLI) Hooks(settings []byte) ([]Hook, bool, error) { return hooksIn(settings, "AfterTool") }

// Probe implements Host.
func (geminiCLI) Probe(text string) []byte {
	said := strings.TrimSuffix(text, "\n")
	return []byte(`{"session_id":"` + probeSession + `","transcript_path":"","cwd":"/","hook_event_name":"AfterTool",` +
		`"timestamp":"2026-01-01T00:00:00.000Z","tool_name":"run_shell_command",` +
		`"tool_input":{"command":"cat notes.txt"},"tool_response":{"llmContent":` +
		string(quoted(untrusted+"Output: "+said+"\nProcess Group PGID: 7"+untrustedEnd)) +
		`,"returnDisplay":` + string(quoted(said)) + `}}`)
}

// Shown implements Host.
func (geminiCLI) Shown(event, answer []byte) string {
	if v := gjson.GetBytes(answer, "reason"); v.Exists() {
		return v.String()
	}
	return gjson.GetBytes(event, "tool_response.llmContent").String()
}
