package turn

import (
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/turn/protocol"
	"github.com/kfw-dev/kfw/turn/wire"
)

// Snapshot is everything that was assembled of a turn so far. It is valid until more is pushed or
// pulled.
type Snapshot struct {
	a       *Assembler
	waiting *call
}

// Snapshot returns what was assembled so far.
func (a *Assembler) Snapshot() Snapshot { return Snapshot{a: a, waiting: a.waiting} }

// Waiting returns the question about the call that waits for an answer: an InvalidCall or an
// AwaitVerdict.
func (s Snapshot) Waiting() (question Event, waits bool) {
	switch {
	case s.waiting == nil:
		return Event{}, false
	case s.waiting.complete:
		return s.a.event(AwaitVerdict, s.waiting), true
	}
	return s.a.invalid(s.waiting), true
}

// Turn returns the turn so far. Calls that are not whole are Incomplete, and have the arguments
// that came of them.
func (s Snapshot) Turn() *Turn {
	t := s.a.result()
	t.Complete = false
	t.Calls = s.a.first.calling(s.a)
	for i := range t.Others {
		t.Others[i].Calls = s.a.choices[t.Others[i].Choice].calling(s.a)
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
	a    *Assembler
}

// Text returns the words of an object so far, redacted, or the arguments of a call.
func (o Object) Text() string {
	if o.call != nil {
		return o.a.argumentsOf(o.call)
	}
	return string(o.of.content)
}

// Objects returns all objects in order of arrival.
func (s Snapshot) Objects() []Object {
	var all []Object
	for _, c := range s.a.order {
		for _, b := range c.order {
			o := Object{Block: b.number, Choice: c.index, Complete: b.closed || c.finished, of: b, Allowed: true}
			switch b.kind {
			case protocol.TextBlock:
				o.Kind = TextObject
			case protocol.RefusalBlock:
				o.Kind = RefusalObject
			case protocol.ReasoningBlock:
				o.Kind, o.ID = ReasoningObject, c.group(b).id
			}
			all = append(all, o)
		}
		for _, known := range c.callOrder {
			all = append(all, Object{Kind: CallObject, Block: known.number, Choice: c.index, ID: known.id,
				Name: cmp.Or(known.name, known.wireName), Complete: known.complete || known.ended,
				Allowed: known.announced && !known.blocked && known != s.a.waiting, call: known, a: s.a})
		}
	}
	slices.SortStableFunc(all, func(x, y Object) int { return cmp.Compare(x.Block, y.Block) })
	return all
}

// argumentsOf returns the arguments of a call so far, as they may be seen.
func (a *Assembler) argumentsOf(known *call) string {
	if known.complete {
		return known.final
	}
	return a.shown(string(known.arguments))
}

// calling returns the calls of a choice that were not refused, whole or not, and the one that waits
// for a resolution.
func (c *choice) calling(a *Assembler) (calls []Call) {
	for _, known := range c.callOrder {
		if known.blocked || known.wireName == "" {
			continue
		}
		one := a.callOf(known)
		one.Arguments = a.argumentsOf(known)
		one.Name = cmp.Or(one.Name, a.redactWhole(known.wireName))
		one.Valid = known.custom || wire.Valid(one.Arguments)
		one.Incomplete = !known.complete
		calls = append(calls, one)
	}
	return calls
}
