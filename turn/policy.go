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

// Chunk is one chunk of a stream as the provider sent it.
type Chunk struct {
	Event string // its type, if the framing has one
	JSON  string // not redacted; empty at the end of the input
	At    int64  // line, or number of the binary frame, from 1
	Last  bool   // the input has ended
}

// Outlet is what a policy passes a stream on through. A policy that calls nothing of it passes the
// chunk on. While a call waits only its answer counts, and End; the strictest answer of all policies and the program
// is what becomes of the call.
type Outlet struct {
	a     *Assembler
	from  *station
	reply reply
}

// reply is what a policy did with a chunk.
type reply struct {
	act           act
	text          string // for replaces
	code, message string // for ends
}

type act uint8

const (
	forwards act = iota
	holds
	replaces
	ends
)

// Forward passes on the chunk, and what was held before it.
func (o *Outlet) Forward() { o.reply.act = forwards }

// Hold keeps the chunk until another one is forwarded or replaced. What is held at the end of the
// input is not passed on, and the turn is not complete.
func (o *Outlet) Hold() { o.reply.act = holds }

// Replace takes back the content of the chunk and what was held before it, in the turn, too, and
// has a text in its place. The text may be empty.
func (o *Outlet) Replace(text string) { o.reply = reply{act: replaces, text: text} }

// End takes back what was held and the content of the chunk, and ends the turn with an error.
// Nothing more is read.
func (o *Outlet) End(code, message string) {
	o.reply = reply{act: ends, code: code, message: message}
}

// Decide answers the call that waits, if it is a complete one: see [Assembler.Decide].
func (o *Outlet) Decide(v Verdict) error { return o.a.answer(v, o.from) }

// Resolve answers the call that waits, if it is not allowed: see [Assembler.Resolve].
func (o *Outlet) Resolve(r Resolution) error { return o.a.Resolve(r) }

// Answered reports whether the program, or a policy before this one, has answered the call that waits. It is for
// policies that say what becomes of a call if nothing else does.
func (o *Outlet) Answered() bool { return o.a.core.gate.answers.given() }

// policies are the policies of a turn, in the order that they are asked in, and the chunk that they are asked about.
type policies struct {
	stations []*station
	chunk    Chunk
	unseen   bool // they are still to be asked about the chunk
	asking   bool // one of them is asked about the call that waits
}

// station is one policy, and what it holds of the stream.
type station struct {
	policy Policy
	outlet Outlet
	held   []Event // in order of arrival
	holds  bool    // it held the last chunk
}

// ask returns what the policy does with a chunk.
func (p *station) ask(chunk Chunk, now Snapshot) reply {
	p.outlet.reply = reply{}
	p.policy.Chunk(chunk, now, &p.outlet)
	return p.outlet.reply
}

// consult asks all policies about the events of a chunk, and passes on what they do.
func (a *Assembler) consult(chunk Chunk) {
	fresh := a.core.events.takeFresh()
	events := fresh
	for _, p := range a.policies.stations {
		// What has no JSON is no chunk that a policy sees: it is held if the chunk before it was.
		says := reply{}
		if p.holds {
			says.act = holds
		}
		if (chunk.JSON != "" || chunk.Last) && !a.core.outcome.stopped {
			says = p.ask(chunk, Snapshot{a: a})
		}
		if chunk.Last && says.act == holds {
			says = reply{act: ends, code: codeHeld, message: "a policy held the end of the turn"}
		}
		events = a.follow(p, says, events)
	}
	a.core.events.pass(fresh, events)
}

// follow obeys the reply of a policy, and returns the events that pass: of the new ones and of those that it held.
func (a *Assembler) follow(p *station, says reply, events []Event) (passed []Event) {
	out := &a.core.events
	p.holds = says.act == holds
	if says.act == forwards && len(p.held)+len(out.fresh) == 0 {
		return events
	}
	answers := out.drain() // what the policy answered about a call
	p.held = append(p.held, events...)
	switch says.act {
	case holds:
		for _, e := range p.held { // whoever answers them must see them
			if e.asks() {
				passed = append(passed, e)
			}
		}
		p.held = append(slices.DeleteFunc(p.held, func(e Event) bool { return e.asks() }), answers...)
		return passed
	case forwards:
		passed = p.held
	case replaces:
		passed = a.choices.takeBack(p.held)
		a.choices.first.prose.addNotice(a.core.redact.whole(says.text))
	case ends:
		passed = a.choices.takeBack(p.held)
		a.stop(says.code, says.message)
	}
	p.held = nil
	return append(append(passed, answers...), out.drain()...)
}

// askWaiting has the policies answer the call that waits. It reports whether there was something to do.
func (a *Assembler) askWaiting() bool {
	t := &a.core
	if len(a.policies.stations) == 0 {
		return false
	}
	if len(t.events.fresh) > 0 { // what comes before the call is passed on before a policy takes its time
		a.consult(a.policies.chunk)
		return true
	}
	if t.gate.answers.consulted {
		return false
	}
	t.gate.answers.consulted = true
	if ended := a.askAll(t.gate.waiting); ended {
		return true
	}
	switch c := t.gate.waiting; {
	case t.gate.answers.program == programOwes && !t.gate.answers.blocks():
		return false
	case t.gate.answers.given():
		a.conclude()
	case !c.whole || t.gate.judges:
		return false
	default:
		t.gate.answered() // none judges it
		c.allow()
	}
	return true
}

// askAll asks the policies about the call that waits, up to an answer that none can be stricter than. It reports
// whether one of them ended the turn. Whoever rewrote the arguments is not asked about them again.
func (a *Assembler) askAll(c *call) (ended bool) {
	said := &a.core.gate.answers
	a.policies.asking = true
	defer func() { a.policies.asking = false }()
	for _, p := range a.policies.stations {
		switch {
		case said.verdict != nil && said.verdict.Action == Fail, said.resolution != nil &&
			said.resolution.Action == Fail:
			return false
		case said.rewritten && said.from == p:
			continue
		}
		if says := p.ask(a.policies.chunk, Snapshot{a: a, waiting: c}); says.act == ends {
			a.core.events.enqueue(a.follow(p, says, nil))
			return true
		}
	}
	return false
}

// stop ends the turn with an error: nothing more is read or let through.
func (a *Assembler) stop(code, message string) {
	t := &a.core
	if c := t.gate.waiting; c != nil {
		c.fate = blockedCall
		t.gate.answered()
	}
	for _, c := range a.choices.order {
		c.prose.drop()
	}
	t.outcome.refused, t.outcome.stopped = true, true
	t.fail(cmp.Or(code, codePolicy), t.redact.whole(message))
	t.outcome.readOnly(readNothing)
}

// takeBack takes the content of events out of the turn, and returns the other events. They are the
// last ones of their blocks.
func (all *choices) takeBack(events []Event) (rest []Event) {
	for i := range slices.Backward(events) {
		e := &events[i]
		switch e.Kind {
		case TextDelta, RefusalDelta, ReasonDelta:
			if b := all.block(e); b != nil {
				b.takeBack(len(e.Text))
			}
		case ReasonEnded:
			if b := all.block(e); b != nil {
				g := b.in.group(b)
				g.signature, g.redacted = "", ""
			}
		case TextEnded:
			if b := all.block(e); b != nil {
				b.signed = ""
			}
		case CallBegan, CallEnded:
			if c := all.call(e); c != nil {
				c.fate = blockedCall
			}
		case ArgsDelta, Judged:
		default:
			rest = append(rest, *e)
		}
	}
	slices.Reverse(rest)
	return rest
}

// block returns the block that an event is about; nil if it is about another thing.
func (all *choices) block(e *Event) *block {
	for _, b := range slices.Backward(all.byIndex[e.Choice].prose.order) {
		if b.number == e.Block {
			return b
		}
	}
	return nil
}

// call returns the call that an event is about; nil if it is about another thing.
func (all *choices) call(e *Event) *call {
	for _, c := range slices.Backward(all.byIndex[e.Choice].calls.order) {
		if c.number == e.Block {
			return c
		}
	}
	return nil
}
