package answer

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/turn"
)

// Format writes what an event is on standard output.
type Format func(to *jsonx.Parts, e *turn.Event)

// Text writes the text that an event has, of the first choice.
func Text(to *jsonx.Parts, e *turn.Event) {
	if e.Kind == turn.TextDelta && e.Choice == 0 {
		to.Raw(e.Text)
	}
}

// Turn writes the complete turn as a line of JSON.
func Turn(to *jsonx.Parts, e *turn.Event) {
	if e.Kind == turn.TurnEnded {
		e.Turn.WriteJSON(to)
		to.Raw("\n")
	}
}
