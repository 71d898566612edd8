package turn

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// Limits of what one turn may take, so that no producer can fill the memory.
const (
	maxLineDefault = 64 << 20  // bytes
	contentMax     = 256 << 20 // bytes of text, reasoning and arguments
	blocksMax      = 1 << 17
	choicesMax     = 128
	typesMax       = 256 // of items that are counted
	hostedMax      = 4096
)

// Options are what an Assembler is told. The zero value reads any protocol and lets everything through.
type Options struct {
	Protocol Protocol // or Auto, which is what empty means
	MaxLine  int      // bytes of one line, event or frame; 64 MiB if it is 0

	// Advertised are the names of the tools of the request; nil if any name may be called. Allowed are those of them
	// that may be called; nil if all may.
	Advertised, Allowed []string
	// Policies are asked about every chunk, one after the other: what one passes on is what the
	// next one sees. Of a call that waits for an answer all are asked, and the strictest answer
	// counts, that of the program among them. A complete call that none answers is allowed, unless
	// Judge is set.
	Policies []Policy
	// Judge has every complete call wait for a verdict: see [Assembler.Decide]. What is allowed
	// comes after all text. A call that the end of the input cut off is judged by none, and is not
	// in the turn then.
	Judge bool
	// StreamArguments has the arguments of a call told as they come, before they are judged.
	StreamArguments bool

	// NewRedactor makes what redacts one block after another; nil if nothing is. RedactArguments returns the
	// arguments of a call as they may be shown; nil if they are shown as they are. RedactJSON returns a chunk as it may
	// be shown; if it is nil, chunks are shown only if nothing is redacted.
	NewRedactor     func() Redactor
	RedactArguments func(arguments string) string
	RedactJSON      func(chunk string) string
}

// Errors of whoever drives an Assembler, and not of the stream.
var (
	ErrAwaiting   = errors.New("turn: a call awaits a resolution or a verdict")
	ErrNotAwaited = errors.New("turn: no call awaits that")
	ErrNotAllowed = errors.New("turn: the call can't be repaired to a name that is not allowed")
	ErrNotJSON    = errors.New("turn: arguments that are no JSON")
	ErrClosed     = errors.New("turn: the input has been closed")
)

// Assembler makes a turn of a stream. It does no I/O: bytes are pushed, events are pulled.
type Assembler struct {
	core     core
	stream   stream
	policies policies
	identity identity
	choices  choices
	tally    tally
	phase    phase
	turn     *Turn // at the end
}

// phase is how far the end of a turn has come.
type phase uint8

const (
	streaming phase = iota
	settling        // nothing more is read: calls that a finish reason left open are settled
	closing         // what was open with the input has ended
)

// identity is what a turn says of itself.
type identity struct {
	id, model, role string
	begun           bool // the start was reported
	mixed           bool // there were several ids before a finish reason
	spliced         bool // another message follows the one that finished
}

// set takes in a step that says who answers. The first of each text counts, unless the step is the last word.
func (i *identity) set(s *protocol.Step, finished bool) {
	if s.ID != "" && s.ID != i.id && i.id != "" {
		i.spliced = finished && !i.mixed && !s.Flag
		i.mixed = i.mixed || !finished
	}
	for _, known := range []struct {
		to   *string
		text string
	}{{&i.id, s.ID}, {&i.model, s.Name}, {&i.role, s.Text}} {
		if known.text != "" && *known.to != known.text && (*known.to == "" || s.Flag) {
			*known.to = strings.Clone(known.text)
		}
	}
}

// New returns an Assembler of one turn.
func New(o Options) *Assembler {
	a := &Assembler{
		core: core{
			events: outbox{policed: len(o.Policies) > 0},
			redact: redactors{newRedactor: o.NewRedactor, arguments: o.RedactArguments,
				json: o.RedactJSON},
			gate: newGate(&o),
		},
		stream:  stream{in: wire.NewReader(cmp.Or(o.MaxLine, maxLineDefault))},
		choices: choices{byIndex: make(map[int]*choice)},
	}
	if o.Protocol != "" && o.Protocol != Auto {
		a.stream.use(o.Protocol)
	}
	for _, p := range o.Policies {
		next := &station{policy: p}
		next.outlet = Outlet{a: a, from: next}
		a.policies.stations = append(a.policies.stations, next)
	}
	a.choices.first = a.choices.at(0, &a.core)
	return a
}

// Push takes in the next bytes of the stream, cut anywhere. It does not keep b. While a call awaits a resolution or a
// verdict the error is ErrAwaiting, and nothing was taken in.
func (a *Assembler) Push(b []byte) error {
	return a.accept(func() {
		a.stream.note(b)
		a.stream.in.Push(b)
	})
}

// PushChunk takes in a chunk that is already cut out of its stream and decoded: a JSON object. It
// does not keep it.
func (a *Assembler) PushChunk(chunk json.RawMessage) error {
	return a.accept(func() {
		a.stream.note(chunk)
		a.stream.in.PushItem(chunk)
	})
}

// accept calls push, or returns why no input can be taken now. What comes after the turn has ended is dropped.
func (a *Assembler) accept(push func()) error {
	switch {
	case a.core.gate.waiting != nil:
		return ErrAwaiting
	case a.stream.in.Ended():
		return ErrClosed
	case !a.Stopped():
		push()
	}
	return nil
}

// Next returns the next event, or false if more has to be pushed, or a call awaits a resolution or a verdict, or there
// is no other one. The turn comes with the end of the input, or as soon as the provider says that its answer is at its
// end. What is pushed after that is read for what the turn cost.
func (a *Assembler) Next() (Event, bool) {
	for {
		if next, ok := a.core.events.next(); ok {
			return next, true
		}
		if !a.advance() {
			return Event{}, false
		}
	}
}

// End ends the input. Events still are to be pulled: the last one is the turn.
func (a *Assembler) End() { a.stream.in.End() }

// Close ends the input and returns the turn. A call that awaits an answer gets none: it is not let
// through. Events that were not pulled yet still are.
func (a *Assembler) Close() Turn {
	a.End()
	for a.turn == nil {
		for a.advance() {
		}
		if a.core.gate.waiting != nil {
			a.unanswered()
		}
	}
	return *a.turn
}

// unanswered answers the call that waits, as nothing else does.
func (a *Assembler) unanswered() {
	var err error
	if a.core.gate.waiting.whole {
		err = a.Decide(Verdict{Action: Block, Why: "it was not judged", FailSafe: true})
	} else {
		err = a.Resolve(Resolution{Action: Fail})
	}
	if err != nil {
		panic(err) // it is the one that waits
	}
}

// Stopped reports whether the rest of the stream can be skipped: nothing in it counts, not even
// usage.
func (a *Assembler) Stopped() bool {
	return a.core.outcome.reads >= readNothing && !a.core.outcome.over
}

// Finished reports whether every answer has a finish reason, or the turn has failed. More may follow, but where the
// protocol has no end of its own a stream that is silent then is at its end.
func (a *Assembler) Finished() bool {
	return a.core.outcome.failed || !slices.ContainsFunc(a.choices.order,
		func(c *choice) bool { return !c.finish.reached })
}

// advance does the next piece of work, and reports whether there was one.
func (a *Assembler) advance() bool {
	switch {
	case a.core.outcome.reads == readOver:
		return a.readLate()
	case a.core.gate.waiting != nil:
		return a.askWaiting()
	}
	if next, ok := a.core.due.take(); ok {
		a.do(next)
		return true
	}
	if next := a.stream.step(); next != nil {
		a.apply(next)
		return true
	}
	if a.policies.unseen {
		a.policies.unseen = false
		a.consult(a.policies.chunk)
		return true
	}
	over := a.core.outcome.over || a.Stopped()
	if !over {
		if next, ok := a.stream.in.Next(); ok {
			a.policies.chunk = Chunk{Event: next.Event, JSON: next.JSON, At: next.At}
			a.policies.unseen = len(a.policies.stations) > 0
			a.read(next)
			return true
		}
	}
	switch {
	case a.phase == streaming && (a.stream.in.Ended() || over):
		a.phase = settling
		a.settle()
	case !a.stream.in.Ended() && !a.core.outcome.over:
		return false
	case a.phase == settling:
		a.phase = closing
		a.close()
	default:
		a.end()
	}
	return true
}

// readLate reads usage that comes after the end of the answer. It reports whether there was some.
func (a *Assembler) readLate() bool {
	next, ok := a.stream.in.Next()
	if !ok || a.stream.decoder == nil || !a.core.outcome.over {
		return false
	}
	a.stream.forget()
	if next.Fault != wire.NoFault || next.Done {
		return true
	}
	before := a.tally.usageJSON()
	a.stream.decode(next, true)
	for s := a.stream.step(); s != nil; s = a.stream.step() {
		if s.Kind == protocol.UsageStep {
			a.tally.takeUsage(s)
		}
	}
	if now := a.tally.usageJSON(); now != before {
		a.core.events.enqueue([]Event{{Kind: UsageTold, Usage: now}})
	}
	return true
}

// read takes in an item of the stream.
func (a *Assembler) read(next wire.Item) {
	t := &a.core
	t.at = next.At
	a.stream.forget()
	switch {
	case next.Done:
		t.outcome.over = true
	case next.Fault == wire.Malformed:
		a.tally.malformed++
		t.warn(warnMalformedLine)
	case next.Fault == wire.TooLong:
		t.fail(codeTooLong, "a line is longer than one may be")
		t.outcome.readOnly(readUsage)
	case next.Fault == wire.Corrupt:
		t.fail(codeCorrupt, "a frame of the event stream is broken")
		t.outcome.readOnly(readNothing)
	default:
		a.stream.decode(next, a.identity.begun)
		t.restates = a.stream.spec.Restates
	}
}

// apply takes in what a chunk says.
func (a *Assembler) apply(s *protocol.Step) {
	t := &a.core
	if t.outcome.skips(s.Kind) {
		return
	}
	switch s.Kind {
	case protocol.BeginStep:
		a.identity.set(s, a.choices.first.finish.reached)
	case protocol.UsageStep:
		a.tally.takeUsage(s)
	}
	a.begin(s.Kind)
	switch s.Kind {
	case protocol.BeginStep, protocol.UsageStep:
	case protocol.HostedStep, protocol.OtherStep:
		a.tally.excluded = a.tally.excluded || s.Flag
		kind := t.redact.whole(s.Name)
		if s.Kind == protocol.HostedStep {
			a.tally.addHosted(kind)
		}
		item := a.tally.count(kind)
		item.Other.Event, item.Other.Raw = a.stream.item.Event, a.rawOf(s)
		t.emit(item)
	case protocol.FailStep:
		if s.Flag {
			t.refuse(s.Text)
			return
		}
		if !t.outcome.failed {
			t.outcome.providerCode = t.redact.whole(s.Name)
		}
		t.fail(codeProvider, t.redact.whole(cmp.Or(s.Text, s.Name)))
	case protocol.DoneStep:
		t.outcome.over = true
	default:
		a.applyTo(a.choices.at(s.Choice, t), s)
	}
}

// rawOf returns the chunk of an item that is not part of the turn, as it may be shown.
func (a *Assembler) rawOf(s *protocol.Step) string {
	if s.Text == protocol.NotPassedOn || !a.stream.isPassedOn() {
		return ""
	}
	return strings.Clone(a.core.redact.chunk(a.stream.item.JSON))
}

// begin reports the start of the turn, once: with the first step that says something of it. Some producers send chunks
// without an id before those that have one.
func (a *Assembler) begin(with protocol.StepKind) {
	i := &a.identity
	switch with {
	case protocol.FailStep, protocol.DoneStep, protocol.OtherStep:
		return
	case protocol.BeginStep:
		if i.id == "" && a.stream.spec.LateID || a.stream.hasSteps() {
			return
		}
	}
	if !i.begun {
		i.begun = true
		a.core.emit(Event{Kind: Started, Usage: a.tally.usageJSON(), Origin: Origin{ID: i.id, Model: i.model,
			Protocol: a.stream.spec.Name, Framing: a.stream.in.Framing()}})
	}
}

// applyTo takes in a step that is about one choice.
func (a *Assembler) applyTo(c *choice, s *protocol.Step) {
	switch {
	case c == nil:
		a.core.fail(codeTooLarge, "more answers at once than may be")
		return
	case c.finish.reached && addsContent(s) && !a.goesOn(c):
		return
	}
	c.apply(s)
	a.pose()
}

// goesOn takes in that a choice goes on after its finish reason: some producers give one with
// every chunk. It reports false if what follows is of another message.
func (a *Assembler) goesOn(c *choice) bool {
	if a.identity.spliced {
		a.core.refuse("another message follows the finish reason")
		return false
	}
	if !c.finish.late {
		c.finish.late = true
		a.core.warn(warnAfterFinish)
	}
	return true
}

// pose asks what becomes of the call that now waits, if there is one.
func (a *Assembler) pose() {
	if question, waits := a.Snapshot().Waiting(); waits {
		a.core.emit(question)
	}
}

// do does what a step left to do.
func (a *Assembler) do(next task) {
	if next.release != nil {
		next.release.prose.flush()
		next.release.calls.release()
		return
	}
	next.settle.settle()
	a.pose()
}

// settle settles the calls that a finish reason left open, as more of them might have followed, and
// lets calls through. What an error of the provider left open is cut off.
func (a *Assembler) settle() {
	for _, c := range a.choices.order {
		for _, called := range c.calls.order {
			if c.finish.reached && c.finish.class != protocol.Failed && !called.whole {
				a.core.due.add(task{settle: called})
			}
		}
		a.core.due.add(task{release: c})
	}
}

// close ends what is open with the input.
func (a *Assembler) close() {
	t := &a.core
	for _, c := range a.choices.order {
		c.prose.flush()
		if !t.outcome.refused {
			c.calls.cutOff()
		}
		c.calls.release()
	}
	switch {
	case t.outcome.failed:
	case a.stream.decoder == nil:
		why := "the answer is empty"
		if words := a.stream.firstWords(&t.redact); words != "" {
			why = "nothing that is known to be a model's answer:" + words
		}
		t.fail(codeUnknown, why)
	case !a.choices.first.finish.reached:
		t.fail(codeIncomplete, "the stream ended before the turn did")
	}
	for _, c := range a.choices.order[1:] {
		if !c.finish.reached {
			t.fail(codeIncomplete, "the stream ended before one of the answers did")
		}
	}
	if len(a.policies.stations) > 0 {
		a.policies.chunk = Chunk{At: t.at, Last: true}
		a.consult(a.policies.chunk)
	}
}

// end reports the turn. No policy is asked about it.
func (a *Assembler) end() {
	t := &a.core
	if a.tally.excluded {
		t.warn(warnExcludedContent)
	}
	if !a.tally.usage.empty() {
		t.emit(Event{Kind: UsageTold, Usage: a.tally.usageJSON()})
	}
	t.final = true
	a.turn = a.result()
	t.outcome.reads = readOver
	t.emit(Event{Kind: TurnEnded, Turn: a.turn,
		Origin: Origin{Protocol: a.stream.spec.Name, Framing: a.stream.in.Framing()}})
	t.events.enqueue(t.events.drain())
}

// result puts the turn together.
func (a *Assembler) result() *Turn {
	out := &a.core.outcome
	t := &Turn{Complete: !out.failed, ID: a.identity.id, Model: a.identity.model, Role: a.identity.role,
		RawUsage: a.tally.usageJSON(), Error: out.failure, ErrorCode: out.providerCode, Code: out.code,
		Answer: a.choices.first.answer(),
		Hosted: a.tally.hosted, Malformed: a.tally.malformed, Replaced: a.core.replaced}
	for _, c := range a.choices.order {
		if c != a.choices.first {
			t.Others = append(t.Others, c.answer())
		}
		for _, called := range c.calls.order {
			if called.whole && called.fate == blockedCall {
				t.Blocked++
			}
		}
	}
	return t
}
