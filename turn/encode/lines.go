package encode

import "github.com/kfw-dev/kfw/turn"

// Lines writes events as lines of JSON. An event that takes the turn back and the turn itself, if it is complete, have the
// messages that the next request needs, in the form of the provider: see AppendMessages.
type Lines struct{ protocol turn.Protocol }

// Append appends the line of an event. A question to the program has none.
func (l *Lines) Append(dst []byte, e *turn.Event) []byte {
	if e.Kind == turn.AwaitVerdict {
		return dst
	}
	if e.Origin.Protocol != "" {
		l.protocol = e.Origin.Protocol
	}
	dst = e.AppendJSON(dst)
	messages := e.Messages
	if e.Kind == turn.TurnEnded && e.Turn.Complete {
		messages = []turn.Message{e.Turn.Message()}
	}
	if messages != nil {
		dst = append(dst[:len(dst)-1], `,"messages":`...)
		dst = append(AppendMessages(dst, l.protocol, messages...), '}')
	}
	return append(dst, '\n')
}
