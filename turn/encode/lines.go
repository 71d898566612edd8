package encode

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/turn"
)

// EventLines writes events as lines of JSON. An event that takes the turn back and the turn itself, if it is complete,
// have the messages that the next request needs, in the form of the provider: see AppendMessages.
type EventLines struct{ protocol turn.Protocol }

// Write writes the line of an event. A question to the program has none.
func (l *EventLines) Write(to *jsonx.Parts, e *turn.Event) {
	if e.Kind == turn.AwaitVerdict {
		return
	}
	if e.Origin.Protocol != "" {
		l.protocol = e.Origin.Protocol
	}
	messages := e.Messages
	if e.Kind == turn.TurnEnded && e.Turn.Complete {
		messages = []turn.Message{e.Turn.Message()}
	}
	e.WriteMembers(to)
	if messages != nil {
		to.Name("messages")
		writeMessages(to, l.protocol, messages)
	}
	to.Raw("}\n")
}
