package turn

import (
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/turn/protocol"
	"github.com/kfw-dev/kfw/turn/wire"
)

// Action is what becomes of a call.
type Action string

// What becomes of a call whose name is not allowed.
const (
	Fail   Action = "fail"   // the turn ends: nothing more is read
	Repair Action = "repair" // it goes on under another name
	Skip   Action = "skip"   // the turn is abandoned, and the next request goes on without the call
	Retry  Action = "retry"  // the turn is abandoned, and the next request asks for another call
)

// What becomes of a complete call. Fail is an answer, too: the turn ends.
const (
	Allow   Action = "allow"
	Block   Action = "block"   // a text takes its place that says so
	Replace Action = "replace" // a text takes its place
	Rewrite Action = "rewrite" // it goes out with other arguments
)

// Resolution is the answer to an InvalidCall.
type Resolution struct {
	Action   Action
	Name     string // for Repair: one that is allowed
	Feedback string // for Skip and Retry: what the model is told; a sentence that names what is allowed if it is empty
}

// Verdict is the answer to an AwaitVerdict.
type Verdict struct {
	Action    Action
	Text      string // for Replace
	Arguments string // for Rewrite: JSON, or a text if the tool is a custom one
	Why       string // for Block, Fail: the reason
	FailSafe  bool   // for Block: there was no answer that could be understood
}

// PeerFeedback is what a model is told of calls that were good, in a turn that was abandoned for another one.
const PeerFeedback = "Tool not executed because another tool call in the same assistant turn was invalid."

// Resolve says what becomes of the call of the last InvalidCall. After an error nothing has changed.
func (a *Assembler) Resolve(r Resolution) error {
	known := a.waiting
	switch {
	case known == nil || known.announced:
		return ErrNotAwaited
	case r.Action == Repair && !a.allowed[r.Name]:
		return ErrNotAllowed
	case !slices.Contains([]Action{Fail, Repair, Skip, Retry}, r.Action):
		return ErrNotAwaited
	}
	a.waiting, a.asked = nil, nil
	a.emit(Event{Kind: Resolved, Block: known.number, Choice: known.choice.index, Action: r.Action, Name: r.Name})
	if r.Action == Repair {
		a.announce(known, r.Name)
		return nil
	}
	a.failed, a.refused = true, true
	known.blocked = true
	for _, c := range a.order {
		a.flush(c)
	}
	broke := Event{Kind: Broke, Code: codeRefused, Message: "a call of a tool that is not allowed",
		Name:       a.redactWhole(known.wireName),
		Advertised: a.o.Advertised, Allowed: a.o.Allowed}
	if r.Action == Fail {
		a.state = deaf
	} else {
		a.emit(Event{Kind: RolledBack, Messages: a.rollback(known, r)})
		broke.Code, broke.Message = codeAbandoned, "the turn was abandoned for a call of a tool that is not allowed"
		a.state = usageOnly
	}
	a.failure = broke.Code
	a.emit(broke)
	return nil
}

// rollback is what the next request says of the turn that was abandoned. Arguments that were cut
// off stay what came of them.
func (a *Assembler) rollback(invalid *call, r Resolution) []Message {
	c := invalid.choice
	answer := c.answer(a)
	said := Message{Role: "assistant", Reasoning: answer.Reasoning, Text: answer.Text}
	told := Message{Role: "user", Results: []Result{}}
	for _, known := range c.callOrder {
		one := a.callOf(known)
		one.Arguments = a.argumentsOf(known)
		one.Valid, one.Incomplete = known.custom || wire.Valid(one.Arguments), false
		feedback := PeerFeedback
		switch {
		case known == invalid:
			one.Name = a.redactWhole(known.wireName)
			feedback = r.Feedback
			if feedback == "" {
				feedback = invalidFeedback(r.Action, a.o.Allowed)
			}
		case known.blocked, !known.announced:
			continue
		}
		if one.Arguments == "" && !one.Custom {
			one.Arguments, one.Valid = "{}", true
		}
		one.RepairedFrom = ""
		said.Calls = append(said.Calls, one)
		told.Results = append(told.Results, Result{ID: one.ID, Name: one.Name, Text: feedback})
	}
	return []Message{said, told}
}

func invalidFeedback(action Action, allowed []string) string {
	text := "Tool not executed: there is no tool of that name."
	if action == Skip {
		return text + " Go on without it."
	}
	if len(allowed) == 0 {
		return text + " No tool may be called."
	}
	text += " Call one of these: "
	for i, name := range allowed {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text + "."
}

// Decide says what becomes of the call of the last AwaitVerdict. After an error nothing has changed.
func (a *Assembler) Decide(v Verdict) error {
	known := a.waiting
	switch {
	case known == nil || !known.complete || !slices.Contains([]Action{Allow, Block, Replace, Rewrite, Fail}, v.Action):
		return ErrNotAwaited
	case v.Action == Rewrite && !known.custom && !wire.Valid(v.Arguments):
		return ErrNotJSON
	}
	a.waiting, a.asked = nil, nil
	v.Why, v.Text = a.redactWhole(v.Why), a.redactWhole(v.Text)
	told := Event{Kind: Judged, Block: known.number, Choice: known.choice.index, Action: v.Action, Text: v.Text,
		Why: v.Why, FailSafe: v.FailSafe}
	if v.Action == Rewrite {
		known.final, known.valid = a.shown(v.Arguments), true
		told.Arguments, told.Valid, told.Custom = known.final, true, known.custom
	}
	a.emit(told)
	switch v.Action {
	case Allow, Rewrite:
		known.held = !known.blocked // a policy may have taken it back
		return nil
	case Fail:
		known.blocked = true
		for _, c := range a.order {
			a.flush(c)
		}
		a.refused = true
		a.fail(codeDenied, cmp.Or(v.Why, "a call that is not allowed"))
		a.state = deaf
		return nil
	}
	known.blocked = true
	notice := v.Text
	if v.Action == Block {
		notice = "[The call of " + a.redactWhole(known.name) + " was blocked"
		if v.Why != "" {
			notice += ": " + v.Why
		}
		notice += "]"
	}
	a.addText(known.choice, notice)
	return nil
}

// addText adds a text of kfw's own to a choice. What comes of a text before it goes on after it.
func (a *Assembler) addText(c *choice, text string) {
	if text == "" || !a.number() || !a.grow(len(text)) {
		return
	}
	if c.text != nil && !a.spec.Restates {
		a.close(c.text)
	}
	b := &block{number: a.blocks, choice: c, kind: protocol.TextBlock, content: []byte(text), closed: true}
	c.order = append(c.order, b)
	a.send(b, true)
}
