package turn

import (
	"errors"
	"strings"

	"github.com/tidwall/gjson"
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
	// Judge has every complete call wait for a verdict: see [Assembler.Decide]. What is allowed comes after all text.
	Judge bool
	// StreamArguments has the arguments of a call told as they come, before they are judged.
	StreamArguments bool

	// NewRedactor makes what redacts one block after another; nil if nothing is. RedactArguments returns the arguments of
	// a call as they may be shown; nil if they are shown as they are.
	NewRedactor     func() Redactor
	RedactArguments func(arguments string) string
}

// Redactor takes out of a text what must not be seen.
type Redactor interface {
	// Append redacts src, the next part of the text, and appends what no further part can change.
	Append(dst, src []byte) []byte
	// Flush ends the text, and appends the rest.
	Flush(dst []byte) []byte
}

// Errors of whoever drives an Assembler, and not of the stream.
var (
	ErrAwaiting   = errors.New("turn: a call awaits a resolution or a verdict")
	ErrNotAwaited = errors.New("turn: no call awaits that")
	ErrNotAllowed = errors.New("turn: the call can't be repaired to a name that is not allowed")
	ErrClosed     = errors.New("turn: the input has been closed")
)

// Assembler makes a turn of a stream. It does no I/O: bytes are pushed, events are pulled.
type Assembler struct {
	o     Options
	in    framer
	codec codec

	protocol Protocol
	decoder  decoder
	steps    steps
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
	blocks          int // that have a number
	size            int // bytes of content
	choices         map[int]*choice
	first           *choice // the turn
	order           []*choice
	usage           usage
	hosted          []string
	others          map[string]int
	excluded        bool
	malformed       int
	failed          bool
	failure         string // what the turn says of it
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
	a := &Assembler{o: o, in: framer{maxLine: o.MaxLine}, choices: make(map[int]*choice)}
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
	a.protocol, a.codec = p, p.codec()
	if a.codec.decoder != nil {
		a.decoder = a.codec.decoder()
	}
}

// Push takes in the next bytes of the stream, cut anywhere. It does not keep b. While a call awaits a resolution or a
// verdict the error is ErrAwaiting, and nothing was taken in.
func (a *Assembler) Push(b []byte) error {
	switch {
	case a.waiting != nil:
		return ErrAwaiting
	case a.in.ended:
		return ErrClosed
	case a.state < deaf:
		a.in.push(b)
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

// Close ends the input and returns the turn. Events that were not pulled yet still are: the last one is the turn. While
// a call awaits a resolution or a verdict the error is ErrAwaiting: Close is to be called again after it.
func (a *Assembler) Close() (Turn, error) {
	a.in.ended = true
	for a.advance() {
	}
	if a.turn == nil {
		return Turn{}, ErrAwaiting
	}
	return *a.turn, nil
}

// Stopped reports whether the rest of the stream can change nothing, so that it need not be read.
func (a *Assembler) Stopped() bool { return a.state >= deaf }

// advance does the next piece of work, and reports whether there was one.
func (a *Assembler) advance() bool {
	switch {
	case a.waiting != nil || a.state == over:
		return false
	case a.task < len(a.tasks):
		next := a.tasks[a.task]
		a.task++
		a.do(next)
		return true
	case a.step < len(a.steps.list):
		next := &a.steps.list[a.step]
		a.step++
		a.apply(next)
		return true
	}
	a.tasks, a.task = a.tasks[:0], 0
	if a.state < deaf {
		if next, ok := a.in.next(); ok {
			a.take(next)
			return true
		}
	}
	if a.in.ended {
		a.end()
		return true
	}
	return false
}

// take decodes an item.
func (a *Assembler) take(next item) {
	a.at = next.at
	clear(a.steps.list)
	a.steps.list, a.step = a.steps.list[:0], 0
	switch {
	case next.done:
		a.steps.add(step{kind: doneStep})
		return
	case next.broken == malformed:
		a.malformed++
		a.warn(warnMalformedLine)
		return
	case next.broken == tooLong:
		a.fail(codeTooLong, "a line is longer than one may be")
		a.state = max(a.state, usageOnly)
		return
	case next.broken == corrupt:
		a.fail(codeCorrupt, "a frame of the event stream is broken")
		a.state = max(a.state, deaf)
		return
	}
	chunk := gjson.Parse(next.json)
	if a.decoder == nil {
		if p := detect(next.event, chunk); p != Auto {
			a.use(p)
		}
	}
	if a.decoder == nil {
		if !a.providerError(next, chunk) {
			a.steps.other(chunk.Get("type").String(), false)
		}
		return
	}
	a.decoder.decode(next.event, chunk, &a.steps)
	looks := !a.codec.tellsErrors && strings.Contains(next.json, `"error"`)
	if looks || next.event == "error" {
		for i := range a.steps.list {
			if a.steps.list[i].kind == failStep {
				return
			}
		}
		a.providerError(next, chunk)
	}
}

// providerError finds an error object where every protocol may have one.
func (a *Assembler) providerError(next item, chunk gjson.Result) bool {
	failure := chunk.Get("error")
	switch {
	case failure.IsObject(), failure.Type == gjson.String && failure.Str != "":
		a.steps.fail(failureOf(failure))
	case next.event == "error" || chunk.Get("type").String() == "error":
		a.steps.fail(failureOf(chunk))
	default:
		return false
	}
	return true
}

func (a *Assembler) emit(e Event) { a.queue = append(a.queue, e) }

func (a *Assembler) warn(code string) { a.emit(Event{Kind: Warned, Code: code, At: a.at}) }

// fail tells that the turn is not going to be complete. Only the first time is told.
func (a *Assembler) fail(code, message string) {
	if a.failed {
		return
	}
	a.failed = true
	a.failure = code
	if code == codeProvider && message != "" {
		a.failure = message
	}
	a.emit(Event{Kind: Broke, Code: code, Message: message})
}

// refuse is fail for a stream that contradicts itself: nothing more of it is let through.
func (a *Assembler) refuse(message string) {
	a.fail(codeInconsistent, message)
	a.state = max(a.state, usageOnly)
}

// begin tells the start of the turn, once: with the first step that says something of it. Some producers send chunks
// without an id before those that have one.
func (a *Assembler) begin(with stepKind) {
	switch with {
	case failStep, doneStep, otherStep:
		return
	case beginStep:
		if a.id == "" && a.protocol == OpenAIChat || a.step < len(a.steps.list) {
			return
		}
	}
	if !a.begun {
		a.begun = true
		a.emit(Event{Kind: Started, ID: a.id, Model: a.model, Protocol: a.protocol, Framing: a.in.framing,
			Usage: string(a.usage.appendJSON(nil))})
	}
}

// apply takes in what a chunk says.
func (a *Assembler) apply(s *step) {
	switch {
	case a.state == usageOnly && s.kind != usageStep && s.kind != beginStep && s.kind != doneStep:
		return
	case a.state >= deaf:
		return
	}
	switch s.kind {
	case beginStep:
		a.setIdentity(s)
	case usageStep:
		a.takeUsage(s)
	}
	a.begin(s.kind)
	switch s.kind {
	case beginStep, usageStep:
	case hostedStep:
		a.excluded = a.excluded || s.flag
		if len(a.hosted) < hostedMax {
			a.hosted = append(a.hosted, a.redactWhole(s.name))
		}
		a.count(s.name)
	case otherStep:
		a.excluded = a.excluded || s.flag
		a.count(s.name)
	case failStep:
		if s.name == codeInconsistent {
			a.refuse(s.text)
		} else {
			a.fail(codeProvider, a.redactWhole(providerMessage(s.name, s.text)))
		}
	case doneStep:
		a.state = deaf
	default:
		a.applyTo(a.choice(s.choice), s)
	}
}

func (a *Assembler) takeUsage(s *step) {
	switch {
	case s.name != "":
		a.usage.set(s.name, s.json)
	case s.text == wholeUsage:
		a.usage = usage{}
		a.usage.merge(s.json)
	case s.text == onlyCounters:
		a.usage.count(s.json)
	default:
		a.usage.merge(s.json)
	}
}

func providerMessage(code, message string) string {
	if message == "" {
		return code
	}
	return message
}

func (a *Assembler) setIdentity(s *step) {
	for _, known := range []struct {
		to   *string
		text string
	}{{&a.id, s.id}, {&a.model, s.name}, {&a.role, s.text}} {
		if known.text != "" && *known.to != known.text && (*known.to == "" || s.flag) {
			*known.to = strings.Clone(known.text)
		}
	}
}

// applyTo takes in what is said of one choice.
func (a *Assembler) applyTo(c *choice, s *step) {
	if c == nil {
		a.fail(codeTooLarge, "more answers at once than may be")
		return
	}
	if c.finished && content(s) {
		if !c.spliced {
			c.spliced = true
			a.warn(warnAfterFinish)
			a.refuse("content after the finish reason")
		}
		return
	}
	switch s.kind {
	case textStep:
		a.write(a.open(c, &c.texts, textBlock, s.key), s.text)
	case refusalStep:
		a.write(a.open(c, &c.refusals, refusalBlock, s.key), s.text)
	case reasonStep:
		b := c.reasoning[s.key]
		if b == nil || s.text != "" {
			b = a.open(c, &c.reasoning, reasoningBlock, s.key)
		}
		if b != nil {
			b.name = s.idAfter(b.name)
			if s.name != "" {
				b.kindName = strings.Clone(s.name)
			}
			if s.id != "" || s.name != "" {
				c.group(b) // which is to be known before the first word
			}
		}
		a.write(b, s.text)
	case signStep:
		a.sign(c, s)
	case signTextStep:
		c.textSignature = strings.Clone(s.signature)
	case restateStep:
		a.restate(c, s)
	case callStep:
		a.callDelta(c, s)
	case inputStep:
		a.input(c, s)
	case itemStep:
		c.setItem(s)
	case endStep:
		a.endBlocks(c, s.key)
	case noteStep:
		if s.name == "grounding" {
			c.grounded = true
		} else {
			c.stopSequence = a.redactWhole(s.text)
		}
	case finishStep:
		a.finish(c, s)
	}
}

// content reports whether a step adds to a turn.
func content(s *step) bool {
	switch s.kind {
	case textStep, refusalStep, callStep:
		return true
	case reasonStep:
		return s.text != ""
	}
	return false
}

// idAfter is the id of a step, or what was known before.
func (s *step) idAfter(known string) string {
	if s.id == "" || known != "" {
		return known
	}
	return strings.Clone(s.id)
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

// finish takes in why a choice ended. The first reason counts.
func (a *Assembler) finish(c *choice, s *step) {
	if c.finished {
		return
	}
	c.finished = true
	c.reason, c.native, c.class = strings.Clone(s.text), strings.Clone(s.name), s.class
	a.flush(c)
	for _, open := range c.callOrder {
		if !open.complete {
			a.tasks = append(a.tasks, task{call: open})
		}
	}
	a.tasks = append(a.tasks, task{release: c})
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
	for _, c := range a.order {
		a.flush(c)
		if a.state < deaf || a.state == deaf && !a.failed {
			a.abandonOpen(c)
			a.release(c)
		}
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
	if a.excluded {
		a.warn(warnExcludedContent)
	}
	if !a.usage.empty() {
		a.emit(Event{Kind: UsageTold, Usage: string(a.usage.appendJSON(nil))})
	}
	a.turn = a.result()
	a.state = over
	a.emit(Event{Kind: TurnEnded, Turn: a.turn})
}

// result puts the turn together.
func (a *Assembler) result() *Turn {
	t := &Turn{Complete: !a.failed, ID: a.id, Model: a.model, Role: a.role, Usage: string(a.usage.appendJSON(nil)),
		Error: a.failure, Answer: a.first.answer(a), Hosted: a.hosted, Malformed: a.malformed}
	for _, c := range a.order[1:] {
		t.Others = append(t.Others, c.answer(a))
	}
	return t
}
