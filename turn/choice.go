package turn

import (
	"strings"

	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// choice is one of the answers of a turn: what it says, its calls, and why it ended.
type choice struct {
	core     *core
	index    int
	prose    prose
	calls    calls
	finish   finish
	grounded bool
}

// finish is why a choice ended.
type finish struct {
	reached        bool // there was a finish reason
	late           bool // content came after it
	reason, native string
	class          FinishClass
	stopSequence   string
}

// choices are the answers of a turn. The first one is the turn.
type choices struct {
	first   *choice
	order   []*choice // of arrival; the first one is the first
	byIndex map[int]*choice
}

// at returns the choice of that index. If there is none, it makes one; nil if there are too many.
func (all *choices) at(index int, t *core) *choice {
	if index == 0 && all.first != nil {
		return all.first
	}
	c := all.byIndex[index]
	if c == nil && len(all.byIndex) < choicesMax {
		c = &choice{core: t, index: index, prose: prose{core: t, choice: index}, finish: finish{class: Unknown}}
		c.calls = calls{in: c, byKey: make(map[protocol.Key]*call), byID: make(map[string]*call)}
		all.byIndex[index] = c
		all.order = append(all.order, c)
	}
	return c
}

// flush ends all that the choices say, and sends what is held back.
func (all *choices) flush() {
	for _, c := range all.order {
		c.prose.flush()
	}
}

// apply takes in a step that is about one choice.
func (c *choice) apply(s *protocol.Step) {
	finished := c.finish.reached
	switch s.Kind {
	case protocol.TextStep:
		c.prose.open(protocol.TextBlock, s.Key, finished).write(s.Text)
	case protocol.RefusalStep:
		c.prose.open(protocol.RefusalBlock, s.Key, finished).write(s.Text)
	case protocol.ReasonStep:
		c.prose.reason(s, finished)
	case protocol.SignStep:
		c.prose.sign(s)
	case protocol.FormStep:
		c.prose.describe(s, finished)
	case protocol.SignTextStep:
		c.prose.signText(s, finished)
	case protocol.RestateStep:
		c.prose.restate(s, finished)
	case protocol.CallStep:
		c.calls.add(s)
	case protocol.InputStep:
		c.calls.input(s)
	case protocol.ItemStep:
		if s.ID != "" && !c.calls.setItem(s) {
			c.prose.setItem(s.Key.Index, s.ID)
		}
	case protocol.EndStep: // all parts of an item end with it
		c.prose.end(s.Key)
		c.calls.end(s.Key)
	case protocol.NoteStep:
		if s.Name == protocol.GroundingNote {
			c.grounded = true
		} else {
			c.finish.stopSequence = c.core.redact.whole(s.Text)
		}
	case protocol.FinishStep:
		c.end(s)
	}
}

// end takes in why a choice ended. The last reason counts, as some producers give one with every
// chunk.
func (c *choice) end(s *protocol.Step) {
	c.finish.reached = true
	c.finish.reason, c.finish.native, c.finish.class = strings.Clone(s.Text), strings.Clone(s.Name), s.Class
	c.prose.pause()
	c.prose.endReasoning()
	c.calls.finish()
}

// addsContent reports whether a step adds to what a choice says or calls.
func addsContent(s *protocol.Step) bool {
	switch s.Kind {
	case protocol.TextStep, protocol.RefusalStep, protocol.CallStep:
		return true
	case protocol.ReasonStep:
		return s.Text != ""
	}
	return false
}

// answer puts a choice together.
func (c *choice) answer() Answer {
	r := Answer{Choice: c.index, FinishReason: c.finish.reason, NativeReason: c.finish.native,
		StopSequence: c.finish.stopSequence, Class: c.finish.class,
		Grounded: c.grounded}
	c.prose.appendTo(&r)
	for _, called := range c.calls.order {
		if called.fate == passedCall || called.cutOff && !c.core.gate.judges {
			r.Calls = append(r.Calls, called.result())
		}
	}
	switch {
	case r.Class == Stop && len(r.Calls) > 0:
		r.Class = ToolCalls
	case r.Class == ToolCalls && len(r.Calls) == 0 && !c.core.outcome.failed:
		r.Class = Stop
	}
	return r
}

// callsSoFar returns the calls that were not refused, whole or not, and the one that waits for a
// resolution.
func (c *choice) callsSoFar() (soFar []Call) {
	for _, called := range c.calls.order {
		if called.fate != blockedCall && called.wireName != "" {
			soFar = append(soFar, called.soFar())
		}
	}
	return soFar
}

// rollback returns the two messages that the next request needs after the turn was abandoned for an invalid call.
// Arguments that were cut off stay as they came.
func (c *choice) rollback(invalid *call, r Resolution) []Message {
	answer := c.answer()
	said := answer.Message()
	said.Calls = nil
	results := Message{Role: "user", Results: []Result{}}
	for _, called := range c.calls.order {
		if called != invalid && (called.fate == blockedCall || !called.announced) {
			continue
		}
		one, feedback := called.soFar(), PeerFeedback
		one.Incomplete, one.RepairedFrom = false, ""
		if called == invalid {
			one.Name = c.core.redact.whole(called.wireName)
			if feedback = r.Feedback; feedback == "" {
				feedback = invalidFeedback(r.Action, c.core.gate.tools.Allowed)
			}
		}
		if one.Arguments == "" && !one.Custom {
			one.Arguments, one.Valid = "{}", true
		}
		said.Calls = append(said.Calls, one)
		results.Results = append(results.Results, Result{ID: one.ID, Name: one.Name, Text: feedback,
			Custom: one.Custom, Minted: one.Minted, Failed: true})
	}
	return []Message{said, results}
}
