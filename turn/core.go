package turn

import (
	"slices"

	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// core is shared by all parts of a turn: where events go, how the turn ends, the redactor, and the checks of a call.
type core struct {
	events   outbox
	outcome  outcome
	redact   redactors
	gate     gate
	due      tasks
	at       int64 // the line or frame that is read, from 1
	blocks   int   // how many have a number
	size     int   // bytes of content
	replaced int   // bytes that were no UTF-8, and halves of characters
	restates bool  // see protocol.Spec
	final    bool  // no block changes any more
}

// emit adds an event.
func (t *core) emit(e Event) { t.events.add(e) }

// warn adds a warning about the line that is read.
func (t *core) warn(code string) { t.emit(Event{Kind: Warned, Notice: Notice{Code: code, At: t.at}}) }

// fail records that the turn is not going to be complete. Only the first failure counts.
func (t *core) fail(code, message string) {
	if t.outcome.fail(code, message) {
		t.emit(Event{Kind: Broke, Notice: Notice{Code: code, Message: message}})
	}
}

// refuse is fail for a stream that contradicts itself: nothing more of it is let through.
func (t *core) refuse(message string) {
	t.fail(codeInconsistent, message)
	t.outcome.refused = true
	t.outcome.readOnly(readUsage)
}

// overflow is fail for a stream that has more than a turn may have.
func (t *core) overflow(message string) {
	t.fail(codeTooLarge, message)
	t.outcome.readOnly(readUsage)
}

// lost counts what was no character in a text, and warns of it.
func (t *core) lost(h *protocol.Halves) {
	if h.Lost > 0 {
		t.replaced += h.Lost
		t.warn(warnInvalidUTF8)
		h.Lost = 0
	}
}

// joined is a text that comes in one piece, as UTF-8.
func (t *core) joined(text string) string {
	var h protocol.Halves
	text = h.Join(text) + h.End()
	t.lost(&h)
	return text
}

// number returns the number of a new block, or false if there is no room for one more.
func (t *core) number() (int, bool) {
	if t.blocks == blocksMax {
		t.overflow("more blocks than a turn may have")
		return 0, false
	}
	t.blocks++
	return t.blocks, true
}

// grow counts size bytes of content, and reports whether there is room for them.
func (t *core) grow(size int) bool {
	if t.size += size; t.size > contentMax {
		t.overflow("more content than a turn may have")
		return false
	}
	return true
}

// outcome is how a turn ends, as far as that is known, and how much of its stream is still read.
type outcome struct {
	reads        reads
	failed       bool   // the turn is not going to be complete
	refused      bool   // nothing more is let through
	stopped      bool   // a policy ended the turn
	over         bool   // the provider said that nothing follows
	failure      string // the error that the turn reports
	code         string // of it
	providerCode string // of the provider's error
}

// reads is how much of what still comes is read.
type reads uint8

const (
	readAll   reads = iota
	readUsage       // the turn is abandoned or inconsistent; its cost still counts
	readNothing
	readOver // the turn was told
)

// readOnly lowers how much is read. It never raises it.
func (o *outcome) readOnly(what reads) { o.reads = max(o.reads, what) }

// fail takes in a failure, and reports whether it is the first. The turn has the message of a provider, of a policy and
// of a verdict; of this package's own failures the code.
func (o *outcome) fail(code, message string) (first bool) {
	if o.failed {
		return false
	}
	o.failed = true
	o.failure, o.code = code, code
	if message != "" && (code == codeProvider || o.stopped || code == codeDenied) {
		o.failure = message
	}
	return true
}

// isWhole reports whether calls that were read so far may be let through.
func (o *outcome) isWhole() bool {
	return o.reads == readAll || o.reads == readNothing && !o.failed
}

// skips reports whether a step is not read any more.
func (o *outcome) skips(kind protocol.StepKind) bool {
	switch kind {
	case protocol.UsageStep, protocol.BeginStep, protocol.DoneStep:
		return o.reads >= readNothing || o.over
	}
	return o.reads >= readUsage || o.over
}

// outbox is where events wait to be pulled. If there are policies, the fresh events of a chunk wait for them first.
type outbox struct {
	policed bool
	queue   []Event // to be pulled
	head    int     // the next one of queue
	fresh   []Event // no policy has seen them
	spare   []Event // an empty buffer for fresh
}

// add adds an event.
func (o *outbox) add(e Event) {
	if o.policed {
		o.fresh = append(o.fresh, e)
		return
	}
	o.queue = append(o.queue, e)
}

// next returns the next event to be pulled.
func (o *outbox) next() (next Event, ok bool) {
	if o.head == len(o.queue) {
		o.queue, o.head = o.queue[:0], 0
		return Event{}, false
	}
	next = o.queue[o.head]
	o.queue[o.head] = Event{}
	o.head++
	return next, true
}

// takeFresh returns the events that no policy has seen. They stay valid until pass.
func (o *outbox) takeFresh() []Event {
	all := o.fresh
	o.fresh = o.spare
	return all
}

// pass queues what policies made of the events that takeFresh returned.
func (o *outbox) pass(taken, passed []Event) {
	if len(o.queue) == 0 && len(taken) > 0 && len(passed) > 0 && &passed[0] == &taken[0] { // nothing was changed
		o.queue, o.spare = passed, o.queue
		return
	}
	o.queue = append(o.queue, passed...)
	clear(taken)
	o.spare = taken[:0]
}

// drain returns the fresh events, which no policy is going to see, as a copy.
func (o *outbox) drain() []Event {
	all := slices.Clone(o.fresh)
	o.fresh = o.fresh[:0]
	return all
}

// enqueue has events pulled next, past the policies.
func (o *outbox) enqueue(events []Event) { o.queue = append(o.queue, events...) }

// task is what is left to do after a step: settle a call, or let the calls of a choice through.
type task struct {
	settle  *call
	release *choice
}

// tasks is what is left to do after a step, in order.
type tasks struct {
	list []task
	next int
}

func (t *tasks) add(next task) { t.list = append(t.list, next) }

// take returns the next task.
func (t *tasks) take() (next task, ok bool) {
	if t.next == len(t.list) {
		t.list, t.next = t.list[:0], 0
		return task{}, false
	}
	next = t.list[t.next]
	t.next++
	return next, true
}
