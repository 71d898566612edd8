package turn

import (
	"cmp"
	"slices"
)

// Policy decides what becomes of a stream, chunk by chunk. If it also has a method Deny(name string)
// bool, no event shows the arguments of a call of such a name before the call is judged.
type Policy interface {
	// Chunk is called for each chunk after it was taken in and before anything of it is passed on.
	// For a call that waits for an answer it is called again, before and after the answer: while it
	// waits, now.Waiting has the question. A last time it is called at the end of the input.
	Chunk(chunk Chunk, now Snapshot, to *Outlet)
}

// denier is a Policy that knows the names of calls that it is going to block.
type denier interface {
	Deny(name string) bool
}

// denies reports whether a policy denies the tool of a call.
func (a *Assembler) denies(known *call) bool {
	for _, o := range a.outlets {
		if d, ok := o.policy.(denier); ok && (d.Deny(known.name) || d.Deny(known.wireName)) {
			return true
		}
	}
	return false
}

// Chunk is one chunk of a stream as the provider sent it.
type Chunk struct {
	Event string // its type, if the framing has one
	JSON  string // not redacted; empty at the end of the input
	At    int64  // line, or number of the binary frame, from 1
	Last  bool   // the input has ended
}

// Outlet is what a policy passes a stream on through. A policy that calls nothing of it passes the
// chunk on. While a call waits only its answer counts, and End.
type Outlet struct {
	a       *Assembler
	policy  Policy
	held    []Event // in order of arrival
	act     outletAct
	text    string
	code    string
	message string
}

type outletAct uint8

const (
	forwards outletAct = iota
	holds
	replaces
	ends
)

// Forward passes on the chunk, and what was held before it.
func (o *Outlet) Forward() { o.act = forwards }

// Hold keeps the chunk until another one is forwarded or replaced. What is held at the end of the
// input is not passed on, and the turn is not complete.
func (o *Outlet) Hold() { o.act = holds }

// Replace takes back the content of the chunk and what was held before it, in the turn, too, and
// has a text in its place. The text may be empty.
func (o *Outlet) Replace(text string) { o.act, o.text = replaces, text }

// End takes back what was held and the content of the chunk, and ends the turn with an error.
// Nothing more is read.
func (o *Outlet) End(code, message string) { o.act, o.code, o.message = ends, code, message }

// Decide answers the call that waits, if it is a complete one: see [Assembler.Decide].
func (o *Outlet) Decide(v Verdict) error { return o.a.Decide(v) }

// Resolve answers the call that waits, if it is not allowed: see [Assembler.Resolve].
func (o *Outlet) Resolve(r Resolution) error { return o.a.Resolve(r) }

// consult asks all policies about the events of a chunk, and passes on what they do.
func (a *Assembler) consult(chunk Chunk) {
	all := a.fresh
	a.fresh = a.seen
	events := all
	for _, o := range a.outlets {
		events = o.pass(chunk, events)
	}
	if len(a.queue) == 0 && len(all) > 0 && len(events) > 0 && &events[0] == &all[0] { // nothing was changed
		a.queue, a.seen = events, a.queue
		return
	}
	a.queue = append(a.queue, events...)
	clear(all)
	a.seen = all[:0]
}

// pass returns what a policy lets pass of the events of a chunk, and of those that it held.
func (o *Outlet) pass(chunk Chunk, events []Event) (passed []Event) {
	a := o.a
	if (chunk.JSON != "" || chunk.Last) && !a.stopped {
		o.act = forwards
		o.policy.Chunk(chunk, Snapshot{a: a}, o)
	}
	if chunk.Last && o.act == holds {
		o.End(codeHeld, "a policy held the end of the turn")
	}
	if o.act == forwards && len(o.held)+len(a.fresh) == 0 {
		return events
	}
	said := slices.Clone(a.fresh) // what it has answered
	a.fresh = a.fresh[:0]
	o.held = append(o.held, events...)
	switch o.act {
	case holds:
		asks := func(e Event) bool { return e.Kind == InvalidCall || e.Kind == AwaitVerdict }
		for _, e := range o.held { // whoever answers them must see them
			if asks(e) {
				passed = append(passed, e)
			}
		}
		o.held = append(slices.DeleteFunc(o.held, asks), said...)
		return passed
	case forwards:
		passed = o.held
	case replaces:
		passed = a.takeBack(o.held)
		a.addText(a.first, a.redactWhole(o.text))
	case ends:
		passed = a.takeBack(o.held)
		a.stop(o.code, o.message)
	}
	o.held, o.act = nil, forwards
	passed = append(append(passed, said...), a.fresh...)
	a.fresh = a.fresh[:0]
	return passed
}

// ask has the policies answer the call that waits. It reports whether there was something to do.
func (a *Assembler) ask() bool {
	if len(a.outlets) == 0 {
		return false
	}
	if len(a.fresh) > 0 { // what comes before the call is passed on before a policy takes its time
		a.consult(a.chunk)
		return true
	}
	known := a.waiting
	if a.asked == known {
		return false
	}
	a.asked = known
	for _, o := range a.outlets {
		act := o.act
		o.policy.Chunk(a.chunk, Snapshot{a: a, waiting: known}, o)
		if o.act == ends {
			a.queue = append(a.queue, o.pass(Chunk{}, nil)...)
			return true
		}
		o.act = act
		if a.waiting == nil {
			return true
		}
	}
	if !known.complete || a.o.Judge {
		return false
	}
	a.waiting, a.asked = nil, nil // none judges it
	known.held = !known.blocked   // a policy may have taken it back
	a.inOrder(known.choice)
	return true
}

// stop ends the turn with an error: nothing more is read or let through.
func (a *Assembler) stop(code, message string) {
	if a.waiting != nil {
		a.waiting.blocked = true
		a.waiting = nil
	}
	for _, c := range a.order {
		for _, b := range c.order {
			b.takeBack(0) // what is held back of it is not passed on
			b.closed = true
		}
	}
	a.refused, a.stopped = true, true
	a.fail(cmp.Or(code, codePolicy), a.redactWhole(message))
	a.state = max(a.state, deaf)
}

// takeBack takes the content of events out of the turn, and returns the other events. They are the
// last ones of their blocks.
func (a *Assembler) takeBack(events []Event) (rest []Event) {
	for i := range slices.Backward(events) {
		e := &events[i]
		switch e.Kind {
		case TextDelta, RefusalDelta, ReasonDelta:
			if b := a.blockOf(e); b != nil {
				b.takeBack(len(e.Text))
			}
		case ReasonEnded:
			if b := a.blockOf(e); b != nil {
				g := b.choice.group(b)
				g.signature, g.hidden = "", ""
			}
		case CallBegan, CallEnded:
			for _, known := range slices.Backward(a.choice(e.Choice).callOrder) {
				if known.number == e.Block {
					known.blocked, known.through, known.held = true, false, false
					break
				}
			}
		case ArgsDelta, Judged:
		default:
			rest = append(rest, *e)
		}
	}
	slices.Reverse(rest)
	return rest
}

// blockOf returns the block that an event is about.
func (a *Assembler) blockOf(e *Event) *block {
	for _, b := range slices.Backward(a.choice(e.Choice).order) {
		if b.number == e.Block {
			return b
		}
	}
	return nil
}

// takeBack takes the last n bytes that were sent out of a block. What its redactor holds goes with
// them.
func (b *block) takeBack(n int) {
	b.sent -= n
	b.content = b.content[:b.sent]
	b.redactor, b.cut = nil, true
	if c := b.carry(); c != nil && c.from == b {
		*c = carried{}
	}
}
