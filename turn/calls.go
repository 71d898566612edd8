package turn

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn/protocol"
	"github.com/kfw-dev/kfw/turn/wire"
)

// call is a call of one of the caller's tools.
type call struct {
	number     int
	choice     *choice
	id, itemID string
	minted     bool
	name       string // as it is passed on
	wireName   string // as the model gave it
	signature  string
	arguments  []byte // what came of them
	final      string // once they are complete, as they may be seen
	initial    string // arguments that hold unless others come
	announced  bool   // its name was let through
	told       int    // of arguments
	ended      bool   // nothing more of it comes
	complete   bool   // and its arguments are what they are
	valid      bool   // they are JSON
	incomplete bool   // the input ended before it did
	held       bool   // allowed, and waiting for the end of the text
	through    bool
	blocked    bool
	nameless   bool // it never got a name
	quiet      bool // its arguments are not told as they come
	custom     bool // its arguments are text
	checks     int  // how often its arguments were looked at before it was complete
	halves     protocol.Halves
}

// find returns the call that a step belongs to, or nil if it opens a new one: see the package's documentation.
func (a *Assembler) find(c *choice, s *protocol.Step) *call {
	if s.Flag { // the key alone tells
		known := c.calls[s.Key]
		another := s.Kind == protocol.CallStep && s.ID != "" && s.Name != ""
		if known != nil && (known.complete || known.ended) && another && known.id != s.ID {
			a.warn(warnIndexReused)
			return nil
		}
		return known
	}
	byID := c.byID[s.ID]
	if s.ID == "" {
		byID = nil
	}
	if s.Key.None {
		late := byID == nil && s.Name == "" && c.last != nil && (c.last.id == "" || c.last.minted)
		if s.ID != "" && !late {
			return byID
		}
		return c.last
	}
	known := c.calls[s.Key]
	switch {
	case known == nil:
		if byID != nil && s.Name == "" {
			return byID
		}
		return nil
	case s.ID == "" || s.ID == known.id || known.id == "" || known.minted && known.isUntouchedBy(s.Name):
		return known
	case s.Name != "":
		a.warn(warnIndexReused)
		return nil
	case byID != nil:
		return byID
	}
	a.warn(warnIDRotated)
	return known
}

// isUntouchedBy reports whether a late id with this name can be that of the call: the name is the
// same, and the arguments that came before it are not whole.
func (known *call) isUntouchedBy(name string) bool {
	return name == "" || name == known.wireName && !wire.Valid(string(known.arguments))
}

// callDelta takes in a piece of a call.
func (a *Assembler) callDelta(c *choice, s *protocol.Step) {
	known := a.find(c, s)
	if known == nil {
		if s.ID == "" && s.Name == "" && s.Text == "" {
			return
		}
		if known = a.openCall(c, s); known == nil {
			return
		}
	}
	c.last = known
	if s.Custom && !known.custom && known.wireName != "" {
		a.refuse("a call is of two kinds")
		return
	}
	known.custom = known.custom || s.Custom
	if s.ID != "" && (known.id == "" || known.minted && !known.through) { // the provider's id wins
		known.id, known.minted = strings.Clone(s.ID), false
		if c.byID[known.id] == nil {
			c.byID[known.id] = known
		}
	}
	if s.Signature != "" && known.signature == "" {
		known.signature = strings.Clone(s.Signature)
	}
	if s.Text != "" && !a.addArguments(known, s.Text) {
		return
	}
	switch {
	case s.Name == "" || s.Name == known.wireName:
		a.tellArguments(known)
	case known.wireName != "":
		a.warn(warnNameConflict)
		a.refuse("a call has two names")
	default:
		known.wireName = strings.Clone(s.Name)
		a.check(known)
	}
}

// addArguments takes in more of the arguments of a call.
func (a *Assembler) addArguments(known *call, text string) bool {
	if known.complete {
		if text == string(known.arguments) { // the whole call is said again
			return true
		}
		a.refuse("more arguments of a call that was complete")
		return false
	}
	if text = known.halves.Join(text); !a.grow(len(text)) {
		return false
	}
	known.arguments = append(room(known.arguments, len(text)), text...)
	return true
}

func (a *Assembler) openCall(c *choice, s *protocol.Step) *call {
	if !a.number() {
		return nil
	}
	if c.empty != nil {
		a.tasks = append(a.tasks, task{call: c.empty})
		c.empty = nil
	}
	a.pause(c)
	opened := &call{number: a.blocks, choice: c, id: strings.Clone(s.ID), custom: s.Custom}
	c.callOrder = append(c.callOrder, opened)
	at := s.Key
	if at.None {
		at = protocol.Key{Index: -len(c.callOrder), None: true}
	}
	c.calls[at] = opened
	if opened.id != "" {
		c.byID[opened.id] = opened
	}
	return opened
}

// check lets the name of a call through, or has the caller resolve it.
func (a *Assembler) check(known *call) {
	if a.allowed != nil && !a.allowed[known.wireName] {
		a.waiting = known
		a.mint(known)
		a.emit(a.invalid(known))
		return
	}
	a.announce(known, known.wireName)
}

// invalid is the question what becomes of a call that is not allowed.
func (a *Assembler) invalid(known *call) Event {
	return Event{Kind: InvalidCall, Block: known.number, Choice: known.choice.index, ID: known.id,
		Name: a.redactWhole(known.wireName), Arguments: a.shown(string(known.arguments)), Advertised: a.o.Advertised,
		Allowed: a.o.Allowed, Custom: known.custom, now: Snapshot{a: a, waiting: known}}
}

func (a *Assembler) announce(known *call, name string) {
	a.mint(known)
	known.name, known.announced = name, true
	known.quiet = a.o.StreamArguments && a.denies(known)
	e := Event{Kind: CallBegan, Block: known.number, Choice: known.choice.index, ID: known.id, Minted: known.minted,
		Name: name}
	if name != known.wireName {
		e.RepairedFrom = a.redactWhole(known.wireName)
	}
	a.emit(e)
	a.tellArguments(known)
}

// mint gives a call an id if the provider gave it none.
func (a *Assembler) mint(known *call) {
	if known.id == "" {
		known.id, known.minted = "call_"+strconv.Itoa(known.number), true
	}
}

// tellArguments tells what is new in the arguments, if they are told before they are complete.
func (a *Assembler) tellArguments(known *call) {
	streams := a.o.StreamArguments && a.o.RedactArguments == nil
	if !streams || !known.announced || known.quiet || known.told == len(known.arguments) {
		return
	}
	a.emit(Event{Kind: ArgsDelta, Block: known.number, Choice: known.choice.index,
		Text: string(known.arguments[known.told:])})
	known.told = len(known.arguments)
}

// input takes in the arguments of a call as a whole.
func (a *Assembler) input(c *choice, s *protocol.Step) {
	known := c.calls[s.Key]
	if s.Key.None {
		known = c.last
		if s.ID != "" && c.byID[s.ID] != nil {
			known = c.byID[s.ID]
		}
	}
	words := s.JSON.Raw
	if s.JSON.Type == gjson.String {
		words = protocol.Joined(protocol.Text(s.JSON))
	}
	if known == nil || s.JSON.Type == gjson.Null {
		return
	}
	had := string(known.arguments)
	switch {
	case s.Flag:
		known.initial = strings.Clone(words)
	case had == words:
	case known.complete:
		a.refuse("the arguments of a call changed after it was complete")
	case !a.grow(len(words)):
	case strings.HasPrefix(words, had):
		known.arguments = append(known.arguments, words[len(had):]...)
		a.tellArguments(known)
	case known.told > 0:
		a.refuse("the arguments of a call are not those that were streamed")
	default:
		known.arguments = append(known.arguments[:0], words...)
	}
}

// shown is the arguments of a call as they may be seen.
func (a *Assembler) shown(arguments string) string {
	if a.o.RedactArguments == nil || arguments == "" {
		return arguments
	}
	return a.o.RedactArguments(arguments)
}

// checksMax is how many finish reasons have the arguments of a call looked at. Past that a call
// waits for the end of the input: time would be the product of both.
const checksMax = 16

// seemsWhole reports whether the arguments of a call that its choice has finished with are JSON:
// more of them may follow where a producer gives a finish reason with every chunk.
func (known *call) seemsWhole() bool {
	if known.checks == checksMax {
		return false
	}
	known.checks++
	return wire.Valid(string(known.arguments))
}

// complete settles the arguments of a call, and lets it through or has it judged.
func (a *Assembler) complete(known *call) {
	if known.complete || known.blocked || !a.isWhole() {
		return
	}
	known.arguments = append(known.arguments, known.halves.End()...)
	if !known.announced {
		known.nameless = true
		a.refuse("a call without a name")
		return
	}
	if len(known.arguments) == 0 && !known.custom {
		switch {
		case known.initial != "":
			known.arguments = []byte(known.initial)
		case known.choice.class != Length:
			known.arguments = []byte("{}")
		}
		a.tellArguments(known)
	}
	known.complete = true
	known.final = a.shown(string(known.arguments))
	if known.valid = known.custom || wire.Valid(known.final); !known.valid {
		a.warn(warnTruncatedArgs)
	}
	if a.o.Judge || len(a.outlets) > 0 {
		a.waiting = known
		a.emit(a.event(AwaitVerdict, known))
		return
	}
	known.held = true
	a.inOrder(known.choice)
}

// inOrder lets calls through in the order that they began in: one that was complete before those
// before it waits for them.
func (a *Assembler) inOrder(c *choice) {
	for c.passed < len(c.callOrder) {
		next := c.callOrder[c.passed]
		if !next.held && !next.through && !next.blocked {
			return
		}
		c.passed++
		if next.held {
			next.held = false
			a.letThrough(next)
		}
	}
}

func (a *Assembler) event(kind Kind, known *call) Event {
	e := Event{Kind: kind, Block: known.number, Choice: known.choice.index, ID: known.id, Minted: known.minted,
		Name:      known.name,
		Arguments: known.final, Valid: known.valid, Custom: known.custom, Signature: known.signature}
	e.Item = known.itemID
	if kind == AwaitVerdict {
		e.now = Snapshot{a: a, waiting: known}
	}
	if known.name != known.wireName {
		e.RepairedFrom = a.redactWhole(known.wireName)
	}
	return e
}

func (a *Assembler) letThrough(known *call) {
	known.through = true
	a.emit(a.event(CallEnded, known))
}

// release lets the calls of a choice through that were allowed.
func (a *Assembler) release(c *choice) {
	if !a.isWhole() {
		return
	}
	for _, known := range c.callOrder {
		if known.held {
			known.held = false
			a.letThrough(known)
		}
	}
}

// abandonOpen marks the calls that the end of the input has cut off.
func (a *Assembler) abandonOpen(c *choice) {
	for _, known := range c.callOrder {
		switch {
		case known.complete || known.blocked:
		case !known.announced:
			a.refuse("a call without a name")
		default:
			known.incomplete = true
			known.final = a.shown(string(known.arguments))
			a.warn(warnTruncatedArgs)
		}
	}
}

func (a *Assembler) callOf(known *call) Call {
	r := Call{ID: known.id, ItemID: known.itemID, Name: known.name, Minted: known.minted, Arguments: known.final,
		Valid: known.valid && !known.incomplete, Incomplete: known.incomplete, Custom: known.custom,
		Signature: known.signature}
	if known.name != known.wireName {
		r.RepairedFrom = a.redactWhole(known.wireName)
	}
	return r
}
