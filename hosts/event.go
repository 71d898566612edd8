package hosts

import (
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/encode"
)

// Kind is what an event is about.
type Kind uint8

const (
	Unknown  Kind = iota // nothing is done, and the log says so
	Ignored              // nothing is done
	Result               // a tool has ended
	Before               // a tool is about to run
	Forgot               // the host has emptied or compacted the model's context
	longName = 64        // bytes of a name that a log line shows
)

// Event is one event of a host.
type Event struct {
	Kind    Kind
	Name    string // as the host calls it
	Session string // the host's ID of it
	Agent   string // the ID of a subagent, which has a context of its own; empty for the main one

	Tool     string
	Command  string // of a tool that runs shell commands
	Write    write  // what a tool that writes is about to write
	Input    []byte // of the tool, JSON
	Response []byte // JSON, as it came
	Texts    []Text // what is looked at of Response, in order
	InPlace  bool   // the answer is Response with other values in it, so that all of it is looked at
	Took     time.Duration

	ID        string // of the call
	Record    string // path of the host's own record of the conversation
	Spill     *Spill // nil if the event has all of the output
	IsWhole   bool   // the output of Spill has taken the place of its beginning
	Status    string // what to say of how the tool ended, where the answer has to say it
	beginning []Text // what Texts were before that
	isPlugin  bool   // it is from a plugin that withholds a result without an answer: one that stays has an empty one
	isChanged bool   // Response is not as it came: more than Texts was redacted
	unread    error  // why Response is none that came, and all of the result is withheld; nil if it did come
}

// readCommon reads the members that the hosts whose events have Claude Code's shape share. after is the event in which
// a tool has ended, before the one in which it is about to run.
func readCommon(event []byte, traits Traits, before, after string) Event {
	e := Event{Kind: Unknown}
	for _, m := range []struct {
		name string
		to   *string
	}{
		{"hook_event_name", &e.Name}, {"session_id", &e.Session}, {"agent_id", &e.Agent}, {"tool_name", &e.Tool},
		{"tool_input.command", &e.Command}, {"tool_use_id", &e.ID}, {"transcript_path", &e.Record},
	} {
		if v := gjson.GetBytes(event, m.name); v.Type == gjson.String {
			*m.to = v.String()
		}
	}
	e.Command = strings.TrimSuffix(e.Command, statusSuffix)
	e.Input = []byte(gjson.GetBytes(event, "tool_input").Raw)
	e.Took = time.Duration(max(0, gjson.GetBytes(event, "duration_ms").Int())) * time.Millisecond
	if slices.Contains(traits.Writes, e.Tool) {
		e.Write = writeOf(gjson.GetBytes(event, "tool_input"), gjson.GetBytes(event, "cwd").String())
	}
	switch e.Name {
	case before:
		e.Kind = Before
	case after:
		if v := gjson.GetBytes(event, "tool_response"); v.Exists() {
			e.Kind, e.Response = Result, []byte(v.Raw)
		}
	}
	return e
}

// beginLine ends the last line of the shown text, if it is open.
func (e *Event) beginLine() {
	for i := len(e.Texts) - 1; i >= 0; i-- {
		if t := &e.Texts[i]; !t.IsUnseen {
			if !strings.HasSuffix(t.Value, "\n") {
				e.Texts = append(e.Texts, Text{Value: "\n"})
			}
			return
		}
	}
}

// shown returns those of the texts that the model gets.
func (e *Event) shown(texts []string) (all []string) {
	for i, t := range e.Texts {
		if !t.IsUnseen {
			all = append(all, texts[i])
		}
	}
	return all
}

// statusLine is the line that an answer has for Status, empty for none.
func (e *Event) statusLine() string {
	if e.Status == "" {
		return ""
	}
	return encode.OwnPrefix + e.Status + "\n"
}

// shortName is the name of an event as a log line shows it.
func (e *Event) shortName() string {
	return e.Name[:min(len(e.Name), longName)]
}
