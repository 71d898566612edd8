// Package hosts stands between an agent host (Claude Code, Codex, ...) and the results of its tools.
//
// What comes in is one hook event, as the host writes it on the standard input of a hook. What goes out is
// the answer in that host's shape, or nothing. Two things always hold: an answer differs from the host's own
// response in values and names that were redacted or shortened and nowhere else, and every leaf that the host would
// give to the model has been searched for secrets, except the members that Traits.Unread lists.
//
//   - host.go: [Host], and the list of all of them; event.go: [Event]
//   - claudecode.go, codex.go, gemini.go, copilot.go, opencode.go, qwen.go, cline.go, cursor.go: one host each: its
//     events, its answers, its settings, what it does not cover
//   - plugin.go: plugins of the hosts that take no program as a hook
//   - response.go: the leaves of a response, and the response with others in their place; content.go: the texts of a
//     response in whose place one text stands
//   - door.go: [Door], which takes an event to an answer
//   - repeat.go: results that were shown before; change.go: the lines in which two results differ
//   - unread.go: events that can't be read, or not all of them
//   - fold.go: long lists as one text
//   - filter.go: what a text goes through; lines.go: the same with line numbers intact
//   - transcript.go: what the reader of a result wants to know: its call, and what was said and called before
//   - own.go: files whose path somebody else may have chosen
//   - spill.go: files into which a host puts long outputs
//   - writeback.go: writes that would put a placeholder in the place of a secret
//   - wrap.go: commands that say how they failed
//   - policy.go: [Policy], what is done with the results of which tool
//   - expand.go: commands that read a handle, whose results stay as they are
//   - state.go: where sessions are; log.go: what no host shows
//   - settings.go, edit.go: a host's settings file, and how an entry gets into it and out again
//   - install.go: init and uninstall; mcpservers.go: the same for MCP servers; prove.go: what doctor finds
package hosts

import "github.com/tidwall/gjson"

// Host is one agent host.
type Host interface {
	// Name is what --host and kfw init call it.
	Name() string
	// Traits is what is fixed of the host.
	Traits() Traits
	// IsFrom reports whether an event, which is valid JSON, is one of this host.
	IsFrom(event []byte) bool
	// Read understands an event, which is valid JSON.
	Read(event []byte) Event
	// Answer returns what makes the host show these texts in place of those of the event. There is one for
	// each text of the event.
	Answer(e *Event, texts []string) []byte
	// Deny returns what makes the host not run the tool of the event, for a reason that the model sees.
	Deny(e *Event, reason string) []byte
	// Rewrite returns what makes the host run the commands of the event in another form, in which the hook sees all
	// that they say; nil if they stay as they are. pipe is a command that writes what the model is to see of its
	// standard input.
	Rewrite(e *Event, pipe string) []byte
	// Setup is where the host's settings are and what init puts there.
	Setup(p Place) Setup
	// Hooks lists the hooks of a settings file. isDisabled says that the file turns all off.
	Hooks(settings []byte) (all []Hook, isDisabled bool, err error)
	// Probe returns an event as the host writes it, in which a shell command has said text.
	Probe(text string) []byte
	// Shown returns what the model sees of Probe's event after an answer, which may be empty.
	Shown(event, answer []byte) string
}

// Traits is what is fixed of a host.
type Traits struct {
	// Reads are the tools whose results are files, or feed an edit: a model that gets them shortened edits what it has
	// not seen.
	Reads []string
	// Writes are the tools that write files. Their results are treated as those of Reads.
	Writes []string
	// Texts are the places where a response has the text of a tool: names from the top, joined by dots, # for an
	// element of an array. A string there is read as text. All other values are read as JSON, with their names.
	Texts []string
	// Unread are the members that pass without a look. All others are looked at, known or not.
	Unread []Member
	// TakesAny says that the host takes any JSON in the place of a list or an object of a response.
	TakesAny bool
	// MostBytes is how large an answer's texts may be together before the host cuts them; 0 is any size.
	MostBytes int
	// Transcript is the record of a conversation; nil if events do not name one.
	Transcript *Transcript
	// ForgetsUnseen says that the host may empty or compact the model's context without an event.
	ForgetsUnseen bool
	// Covered is what of the host passes kfw, and Uncovered what does not. Each line is a sentence without its period.
	Covered, Uncovered []string
}

// All returns every host that there is. A new one is a file and a line here.
func All() []Host {
	return []Host{
		claudeCode{},
		codex{},
		geminiCLI{},
		copilot{},
		openCode{},
		qwenCode{},
		cline{},
		cursor{},
	}
}

// Names returns the names of all hosts.
func Names() []string {
	var names []string
	for _, h := range All() {
		names = append(names, h.Name())
	}
	return names
}

// hostOf returns the host that an event is from, by its members: Claude Code if no other host knows it.
func hostOf(event []byte) Host {
	for _, h := range All() {
		if h.IsFrom(event) {
			return h
		}
	}
	return claudeCode{}
}

func has(event []byte, member string) bool { return gjson.GetBytes(event, member).Exists() }

// Named returns the host with this name, or nil.
func Named(name string) Host {
	for _, h := range All() {
		if h.Name() == name {
			return h
		}
	}
	return nil
}
