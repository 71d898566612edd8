package turn

import (
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// Snapshot is everything that was assembled of a turn so far. It is valid until more is pushed or
// pulled.
type Snapshot struct {
	a       *Assembler
	waiting *call
}

// Snapshot returns what was assembled so far.
func (a *Assembler) Snapshot() Snapshot { return Snapshot{a: a, waiting: a.core.gate.waiting} }

// Waiting returns the question about the call that waits for an answer: an InvalidCall or an
// AwaitVerdict.
func (s Snapshot) Waiting() (question Event, waits bool) {
	if s.waiting == nil {
		return Event{}, false
	}
	question = s.waiting.question()
	question.now = s
	return question, true
}

// Turn returns the turn so far. Calls that are not whole are Incomplete, and have the arguments
// that came of them.
func (s Snapshot) Turn() *Turn {
	t := s.a.result()
	t.Complete = false
	t.Calls = s.a.choices.first.callsSoFar()
	for i := range t.Others {
		t.Others[i].Calls = s.a.choices.byIndex[t.Others[i].Choice].callsSoFar()
	}
	return t
}

// ObjectKind is what an Object is.
type ObjectKind string

// The kinds of objects.
const (
	TextObject      ObjectKind = "text"
	RefusalObject   ObjectKind = "refusal"
	ReasoningObject ObjectKind = "reasoning"
	CallObject      ObjectKind = "call"
)

// Object is a text, a refusal, a piece of the reasoning or a call.
type Object struct {
	Kind     ObjectKind
	Block    int // its number in order of arrival, as events have it
	Choice   int
	ID       string // of a call, or of a part of the reasoning
	Name     string // of a call; the one that the model gave while it is not allowed
	Complete bool   // nothing more of it comes
	Allowed  bool   // a call is not waiting for an answer, and was not refused

	of   *block
	call *call
}

// Text returns the words of an object so far, redacted, or the arguments of a call.
func (o Object) Text() string {
	if o.call != nil {
		return o.call.shownArguments()
	}
	return string(o.of.content)
}

// Objects returns all objects in order of arrival.
func (s Snapshot) Objects() []Object {
	var all []Object
	for _, c := range s.a.choices.order {
		for _, b := range c.prose.order {
			all = append(all, b.object(c.finish.reached))
		}
		for _, called := range c.calls.order {
			all = append(all, called.object())
		}
	}
	slices.SortStableFunc(all, func(x, y Object) int { return cmp.Compare(x.Block, y.Block) })
	return all
}

func (b *block) object(finished bool) Object {
	o := Object{Kind: TextObject, Block: b.number, Choice: b.in.choice, Complete: b.closed || finished, Allowed: true,
		of: b}
	switch b.kind {
	case protocol.RefusalBlock:
		o.Kind = RefusalObject
	case protocol.ReasoningBlock:
		o.Kind, o.ID = ReasoningObject, b.in.group(b).id
	}
	return o
}

func (c *call) object() Object {
	return Object{Kind: CallObject, Block: c.number, Choice: c.in.index, ID: c.id, Name: cmp.Or(c.name, c.wireName),
		Complete: c.whole || c.ended,
		Allowed:  c.announced && c.fate != blockedCall && c != c.in.core.gate.waiting, call: c}
}
