package answer

import "github.com/kfw-dev/kfw/turn"

// Format appends what an event is on standard output.
type Format func(dst []byte, e *turn.Event) []byte

// Text appends the text that an event has, of the first choice.
func Text(dst []byte, e *turn.Event) []byte {
	if e.Kind == turn.TextDelta && e.Choice == 0 {
		dst = append(dst, e.Text...)
	}
	return dst
}

// Turn appends the complete turn as a line of JSON.
func Turn(dst []byte, e *turn.Event) []byte {
	if e.Kind == turn.TurnEnded {
		dst = append(e.Turn.AppendJSON(dst), '\n')
	}
	return dst
}
