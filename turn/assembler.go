package turn

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn/protocol"
	"github.com/kfw-dev/kfw/turn/wire"
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

	// Advertised are the names of the tools of the request; nil if any name may be called. Allowed are those of them that
	// may be called; nil if all may.
	Advertised, Allowed []string
	// Policies are asked about every chunk, one after the other: what one passes on is what the
	// next one sees. Of a call that waits for an answer the first that gives one counts. A complete
	// call that none answers is allowed, unless Judge is set.
	Policies []Policy
	// Judge has every complete call wait for a verdict: see [Assembler.Decide]. What is allowed
	// comes after all text. A call that the end of the input cut off is judged by none, and is not
	// in the turn then.
	Judge bool
	// StreamArguments has the arguments of a call told as they come, before they are judged.
	StreamArguments bool

	// NewRedactor makes what redacts one block after another; nil if nothing is. RedactArguments returns the arguments of
	// a call as they may be shown; nil if they are shown as they are.
	NewRedactor     func() Redactor
	RedactArguments func(arguments string) string
}

// Redactor takes out of a text what must not be seen. If it also has a method Pause(dst []byte)
// []byte, which appends what is held back unless it may begin a match, texts that follow each other
// are redacted as one, and Pause is called where another block begins.
type Redactor interface {
	// Append redacts src, the next part of the text, and appends what no further part can change.
	Append(dst, src []byte) []byte
	// Flush ends the text, and appends the rest.
	Flush(dst []byte) []byte
}

// pauser is a Redactor that can pass on what it holds back of a text that something else
// interrupts, except what may be the beginning of a match. The text may go on after it.
type pauser interface {
	Pause(dst []byte) []byte
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
	o    Options
	in   *wire.Reader
	spec protocol.Spec

	protocol Protocol
	decoder  protocol.Decoder
	steps    protocol.Steps
	step     int   // the next one of steps
	at       int64 // the line that is read
	queue    []Event
	head     int // the next one of queue
	tasks    []task
	task     int // the next one of tasks
	waiting  *call
	state    state
	begun    bool // the start was told

	id, model, role string
	oneID           bool // all chunks up to the finish reason had the same id
	spliced         bool // another message follows the one that finished
	outlets         []*Outlet
	fresh           []Event // of the chunk that is read, which no policy has seen
	seen            []Event // what fresh is next, emptied
	chunk           Chunk   // the one that is read
	unseen          bool    // the policies are still to be asked about it
	asked           *call   // the one that the policies were asked about last
	stopped         bool    // a policy ended the turn
	closing         bool    // the input has ended, and what was open with it
	blocks          int     // that have a number
	size            int     // bytes of content
	choices         map[int]*choice
	first           *choice // the turn
	order           []*choice
	usage           usage
	hosted          []string
	others          map[string]int
	excluded        bool
	malformed       int
	failed          bool
	refused         bool   // nothing more is let through
	ending          bool   // what a finish reason left open was completed
	failure         string // what the turn says of it
	providerCode    string // of the provider's error
	advertised      map[string]bool
	allowed         map[string]bool
	spare           []Redactor
	scratch         []byte
	turn            *Turn
}

// state is how much of what still comes is read.
type state uint8

const (
	reading   state = iota
	usageOnly       // the turn is abandoned or inconsistent; what it cost is still to be known
	deaf            // nothing
	over            // the turn has been told
)

// task is what is left to do after a step: end a call, or let the calls of a choice through.
type task struct {
	call    *call
	release *choice
}

// New returns an Assembler of one turn.
func New(o Options) *Assembler {
	if o.MaxLine == 0 {
		o.MaxLine = maxLineDefault
	}
	a := &Assembler{o: o, in: wire.NewReader(o.MaxLine), choices: make(map[int]*choice), oneID: true}
	if o.Protocol != "" && o.Protocol != Auto {
		a.use(o.Protocol)
	}
	if o.Advertised != nil {
		a.advertised = set(o.Advertised)
		if a.o.Allowed == nil {
			a.o.Allowed = o.Advertised
		}
	}
	if a.o.Allowed != nil {
		a.allowed = set(a.o.Allowed)
	}
	for _, p := range o.Policies {
		a.outlets = append(a.outlets, &Outlet{a: a, policy: p})
	}
	a.first = a.choice(0)
	return a
}

func set(names []string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, name := range names {
		s[name] = true
	}
	return s
}

func (a *Assembler) use(p Protocol) {
	a.protocol, a.spec = p, p.Spec()
	if a.spec.New != nil {
		a.decoder = a.spec.New()
	}
}

// Push takes in the next bytes of the stream, cut anywhere. It does not keep b. While a call awaits a resolution or a
// verdict the error is ErrAwaiting, and nothing was taken in.
func (a *Assembler) Push(b []byte) error { return a.accept(func() { a.in.Push(b) }) }

// PushChunk takes in a chunk that is already cut out of its stream and decoded: a JSON object. It
// does not keep it.
func (a *Assembler) PushChunk(chunk json.RawMessage) error {
	return a.accept(func() { a.in.PushItem(chunk) })
}

// accept calls push, unless input can't be taken now: then it returns why. What comes after the turn has ended is dropped.
func (a *Assembler) accept(push func()) error {
	switch {
	case a.waiting != nil:
		return ErrAwaiting
	case a.in.Ended():
		return ErrClosed
	case a.state < deaf:
		push()
	}
	return nil
}

// Next returns the next event, or false if more has to be pushed, or a call awaits a resolution or a verdict, or the
// turn has been told.
func (a *Assembler) Next() (Event, bool) {
	for a.head == len(a.queue) {
		a.queue, a.head = a.queue[:0], 0
		if !a.advance() {
			return Event{}, false
		}
	}
	next := a.queue[a.head]
	a.queue[a.head] = Event{}
	a.head++
	return next, true
}

// End ends the input. Events still are to be pulled: the last one is the turn.
func (a *Assembler) End() { a.in.End() }

// Close ends the input and returns the turn. A call that awaits an answer gets none: it is not let
// through. Events that were not pulled yet still are.
func (a *Assembler) Close() Turn {
	a.End()
	for a.turn == nil {
		for a.advance() {
		}
		if a.waiting != nil {
			a.unanswered()
		}
	}
	return *a.turn
}

// unanswered answers the call that waits, as nothing else does.
func (a *Assembler) unanswered() {
	var err error
	if a.waiting.complete {
		err = a.Decide(Verdict{Action: Block, Why: "it was not judged", FailSafe: true})
	} else {
		err = a.Resolve(Resolution{Action: Fail})
	}
	if err != nil {
		panic(err) // it is the one that waits
	}
}

// Stopped reports whether the rest of the stream can change nothing, so that it need not be read.
func (a *Assembler) Stopped() bool { return a.state >= deaf }

// advance does the next piece of work, and reports whether there was one.
func (a *Assembler) advance() bool {
	switch {
	case a.state == over:
		return false
	case a.waiting != nil:
		return a.ask()
	case a.task < len(a.tasks):
		next := a.tasks[a.task]
		a.task++
		a.do(next)
		return true
	case a.step < len(a.steps.List):
		next := &a.steps.List[a.step]
		a.step++
		a.apply(next)
		return true
	}
	a.tasks, a.task = a.tasks[:0], 0
	if a.unseen {
		a.unseen = false
		a.consult(a.chunk)
		return true
	}
	if a.state < deaf {
		if next, ok := a.in.Next(); ok {
			a.chunk, a.unseen = Chunk{Event: next.Event, JSON: next.JSON, At: next.At}, len(a.outlets) > 0
			a.take(next)
			return true
		}
	}
	if !a.ending && (a.in.Ended() || a.state >= deaf) {
		a.lastTasks()
		return true
	}
	if a.in.Ended() {
		a.end()
		return true
	}
	return false
}

// take decodes an item.
func (a *Assembler) take(next wire.Item) {
	a.at = next.At
	clear(a.steps.List)
	a.steps.List, a.step = a.steps.List[:0], 0
	switch {
	case next.Done:
		a.steps.Add(protocol.Step{Kind: protocol.DoneStep})
		return
	case next.Fault == wire.Malformed:
		a.malformed++
		a.warn(warnMalformedLine)
		return
	case next.Fault == wire.TooLong:
		a.fail(codeTooLong, "a line is longer than one may be")
		a.state = max(a.state, usageOnly)
		return
	case next.Fault == wire.Corrupt:
		a.fail(codeCorrupt, "a frame of the event stream is broken")
		a.state = max(a.state, deaf)
		return
	}
	chunk := gjson.Parse(next.JSON)
	if a.decoder == nil {
		if p := protocol.Detect(next.Event, chunk); p != Auto {
			a.use(p)
		}
	}
	if a.decoder == nil {
		if !a.providerError(next, chunk) {
			a.steps.Other(chunk.Get("type").String(), false)
		}
		return
	}
	if a.isFromBefore(next.Event, chunk) && a.providerError(next, chunk) {
		return
	}
	a.decoder.Decode(next.Event, chunk, &a.steps)
	looks := !a.spec.FindsErrors && strings.Contains(next.JSON, `"error"`)
	if looks || next.Event == "error" {
		for i := range a.steps.List {
			if a.steps.List[i].Kind == protocol.FailStep {
				return
			}
		}
		a.providerError(next, chunk)
	}
}

// providerError finds an error object where every protocol may have one.
func (a *Assembler) providerError(next wire.Item, chunk gjson.Result) bool {
	failure := chunk.Get("error")
	switch {
	case failure.IsObject(), failure.Type == gjson.String && failure.Str != "":
		a.steps.Fail(protocol.FailureOf(failure))
	case next.Event == "error" || chunk.Get("type").String() == "error":
		a.steps.Fail(protocol.FailureOf(chunk))
	case a.isFromBefore(next.Event, chunk):
		a.steps.Fail("", plainMessage(chunk))
	default:
		return false
	}
	return true
}

// isFromBefore reports whether a chunk is of something that stands before the provider: nothing has
// begun, no protocol has such a chunk, and it has a message.
func (a *Assembler) isFromBefore(event string, chunk gjson.Result) bool {
	return !a.begun && plainMessage(chunk) != "" && protocol.Detect(event, chunk) == Auto
}

// plainMessage is what an object says that has nothing but a message.
func plainMessage(chunk gjson.Result) string {
	for _, name := range []string{"message", "Message", "detail"} {
		if said := chunk.Get(name); said.Type == gjson.String {
			return said.Str
		}
	}
	return ""
}

func (a *Assembler) emit(e Event) {
	if len(a.outlets) > 0 {
		a.fresh = append(a.fresh, e)
		return
	}
	a.queue = append(a.queue, e)
}

func (a *Assembler) warn(code string) { a.emit(Event{Kind: Warned, Code: code, At: a.at}) }

// fail tells that the turn is not going to be complete. Only the first time is told.
func (a *Assembler) fail(code, message string) {
	if a.failed {
		return
	}
	a.failed = true
	a.failure = code
	if message != "" && (code == codeProvider || a.stopped || code == codeDenied) {
		a.failure = message
	}
	a.emit(Event{Kind: Broke, Code: code, Message: message})
}

// refuse is fail for a stream that contradicts itself: nothing more of it is let through.
func (a *Assembler) refuse(message string) {
	a.fail(codeInconsistent, message)
	a.refused = true
	a.state = max(a.state, usageOnly)
}

// begin tells the start of the turn, once: with the first step that says something of it. Some producers send chunks
// without an id before those that have one.
func (a *Assembler) begin(with protocol.StepKind) {
	switch with {
	case protocol.FailStep, protocol.DoneStep, protocol.OtherStep:
		return
	case protocol.BeginStep:
		if a.id == "" && a.spec.LateID || a.step < len(a.steps.List) {
			return
		}
	}
	if !a.begun {
		a.begun = true
		a.emit(Event{Kind: Started, ID: a.id, Model: a.model, Protocol: a.protocol, Framing: a.in.Framing(),
			Usage: string(a.usage.appendJSON(nil))})
	}
}

// apply takes in what a chunk says.
func (a *Assembler) apply(s *protocol.Step) {
	switch {
	case a.state == usageOnly && s.Kind != protocol.UsageStep && s.Kind != protocol.BeginStep &&
		s.Kind != protocol.DoneStep:
		return
	case a.state >= deaf:
		return
	}
	switch s.Kind {
	case protocol.BeginStep:
		a.setIdentity(s)
	case protocol.UsageStep:
		a.takeUsage(s)
	}
	a.begin(s.Kind)
	switch s.Kind {
	case protocol.BeginStep, protocol.UsageStep:
	case protocol.HostedStep:
		a.excluded = a.excluded || s.Flag
		if len(a.hosted) < hostedMax {
			a.hosted = append(a.hosted, a.redactWhole(s.Name))
		}
		a.count(s.Name)
	case protocol.OtherStep:
		a.excluded = a.excluded || s.Flag
		a.count(s.Name)
	case protocol.FailStep:
		if s.Flag {
			a.refuse(s.Text)
			return
		}
		if !a.failed {
			a.providerCode = a.redactWhole(s.Name)
		}
		a.fail(codeProvider, a.redactWhole(cmp.Or(s.Text, s.Name)))
	case protocol.DoneStep:
		a.state = deaf
	default:
		a.applyTo(a.choice(s.Choice), s)
	}
}

func (a *Assembler) takeUsage(s *protocol.Step) {
	switch {
	case s.Name != "":
		a.usage.set(s.Name, s.JSON)
	case s.Text == protocol.WholeUsage:
		a.usage = usage{}
		a.usage.merge(s.JSON)
	case s.Text == protocol.OnlyCounters:
		a.usage.count(s.JSON)
	default:
		a.usage.merge(s.JSON)
	}
}

func (a *Assembler) setIdentity(s *protocol.Step) {
	if s.ID != "" && s.ID != a.id && a.id != "" {
		a.spliced = a.first.finished && a.oneID && !s.Flag
		a.oneID = a.oneID && a.first.finished
	}
	for _, known := range []struct {
		to   *string
		text string
	}{{&a.id, s.ID}, {&a.model, s.Name}, {&a.role, s.Text}} {
		if known.text != "" && *known.to != known.text && (*known.to == "" || s.Flag) {
			*known.to = strings.Clone(known.text)
		}
	}
}

// applyTo takes in what is said of one choice.
func (a *Assembler) applyTo(c *choice, s *protocol.Step) {
	if c == nil {
		a.fail(codeTooLarge, "more answers at once than may be")
		return
	}
	if c.finished && content(s) && !a.afterFinish(c) {
		return
	}
	switch s.Kind {
	case protocol.TextStep:
		a.write(a.open(c, &c.texts, protocol.TextBlock, s.Key), s.Text)
	case protocol.RefusalStep:
		a.write(a.open(c, &c.refusals, protocol.RefusalBlock, s.Key), s.Text)
	case protocol.ReasonStep:
		b := c.reasoning[s.Key]
		if b == nil || s.Text != "" {
			b = a.open(c, &c.reasoning, protocol.ReasoningBlock, s.Key)
		}
		if b != nil {
			b.name = idAfter(s, b.name)
			if s.Name != "" {
				b.kindName = strings.Clone(s.Name)
			}
			if s.ID != "" || s.Name != "" {
				c.group(b) // which is to be known before the first word
			}
		}
		a.write(b, s.Text)
	case protocol.SignStep:
		a.sign(c, s)
	case protocol.FormStep:
		if b := a.open(c, &c.reasoning, protocol.ReasoningBlock, s.Key); b != nil {
			g := c.group(b)
			g.signatureType, g.signatureFormat = strings.Clone(s.Name), cmp.Or(strings.Clone(s.Text), g.signatureFormat)
			g.index = s.Index
		}
	case protocol.SignTextStep:
		c.textSignature = strings.Clone(s.Signature)
	case protocol.RestateStep:
		a.restate(c, s)
	case protocol.CallStep:
		a.callDelta(c, s)
	case protocol.InputStep:
		a.input(c, s)
	case protocol.ItemStep:
		c.setItem(s)
	case protocol.EndStep:
		a.endBlocks(c, s.Key)
	case protocol.NoteStep:
		if s.Name == "grounding" {
			c.grounded = true
		} else {
			c.stopSequence = a.redactWhole(s.Text)
		}
	case protocol.FinishStep:
		a.finish(c, s)
	}
}

// afterFinish takes in that a choice goes on after its finish reason: some producers give one with
// every chunk. It reports false if what follows is of another message.
func (a *Assembler) afterFinish(c *choice) bool {
	if a.spliced {
		a.refuse("another message follows the finish reason")
		return false
	}
	if !c.late {
		c.late = true
		a.warn(warnAfterFinish)
	}
	return true
}

// content reports whether a step adds to a turn.
func content(s *protocol.Step) bool {
	switch s.Kind {
	case protocol.TextStep, protocol.RefusalStep, protocol.CallStep:
		return true
	case protocol.ReasonStep:
		return s.Text != ""
	}
	return false
}

// idAfter is the id of a step, or what was known before.
func idAfter(s *protocol.Step, known string) string {
	if s.ID == "" || known != "" {
		return known
	}
	return strings.Clone(s.ID)
}

// count tells an item that is not part of the turn.
func (a *Assembler) count(kind string) {
	kind = a.redactWhole(kind)
	if a.others == nil {
		a.others = make(map[string]int)
	}
	if _, known := a.others[kind]; !known {
		if len(a.others) == typesMax {
			kind = "other"
		}
	}
	a.others[kind]++
	a.emit(Event{Kind: OtherItem, Type: kind, Count: a.others[kind]})
}

// finish takes in why a choice ended. The last reason counts, as some producers give one with every
// chunk.
func (a *Assembler) finish(c *choice, s *protocol.Step) {
	c.finished = true
	c.reason, c.native, c.class = strings.Clone(s.Text), strings.Clone(s.Name), s.Class
	a.pause(c)
	a.endReasoning(c)
	for _, open := range c.callOrder {
		if !open.complete && (open.custom || open.seemsWhole()) {
			a.tasks = append(a.tasks, task{call: open})
		}
	}
}

// lastTasks completes what a finish reason left open, as more of it might have followed, and lets
// calls through.
func (a *Assembler) lastTasks() {
	a.ending = true
	for _, c := range a.order {
		for _, open := range c.callOrder {
			if c.finished && !open.complete {
				a.tasks = append(a.tasks, task{call: open})
			}
		}
		a.tasks = append(a.tasks, task{release: c})
	}
}

// isWhole reports whether what was read so far may be let through.
func (a *Assembler) isWhole() bool {
	return a.state == reading || a.state == deaf && !a.failed
}

func (a *Assembler) do(next task) {
	if next.release != nil {
		a.release(next.release)
		return
	}
	a.complete(next.call)
}

// end is the end of the input, or of what is read of it.
func (a *Assembler) end() {
	if !a.closing {
		a.closing = true
		a.endChoices()
		if len(a.outlets) > 0 {
			a.chunk = Chunk{At: a.at, Last: true}
			a.consult(a.chunk)
		}
		return
	}
	if a.excluded {
		a.warn(warnExcludedContent)
	}
	if !a.usage.empty() {
		a.emit(Event{Kind: UsageTold, Usage: string(a.usage.appendJSON(nil))})
	}
	a.turn = a.result()
	a.state = over
	a.emit(Event{Kind: TurnEnded, Turn: a.turn, Protocol: a.protocol, Framing: a.in.Framing()})
	a.queue = append(a.queue, a.fresh...)
	a.fresh = a.fresh[:0]
}

// endChoices ends what is open.
func (a *Assembler) endChoices() {
	for _, c := range a.order {
		a.flush(c)
		if !a.refused {
			a.abandonOpen(c)
		}
		a.release(c)
	}
	switch {
	case a.failed:
	case a.decoder == nil:
		a.fail(codeUnknown, "nothing that is known to be a model's answer")
	case !a.first.finished:
		a.fail(codeIncomplete, "the stream ended before the turn did")
	}
	for _, c := range a.order[1:] {
		if !c.finished {
			a.fail(codeIncomplete, "the stream ended before one of the answers did")
		}
	}
}

// result puts the turn together.
func (a *Assembler) result() *Turn {
	t := &Turn{Complete: !a.failed, ID: a.id, Model: a.model, Role: a.role, RawUsage: string(a.usage.appendJSON(nil)),
		Error: a.failure, ErrorCode: a.providerCode, Answer: a.first.answer(a), Hosted: a.hosted, Malformed: a.malformed}
	for _, c := range a.order {
		if c != a.first {
			t.Others = append(t.Others, c.answer(a))
		}
		for _, known := range c.callOrder {
			if known.complete && known.blocked {
				t.Blocked++
			}
		}
	}
	return t
}
