package turn

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// call is a call of one of the caller's tools.
type call struct {
	in         *choice
	number     int
	id, itemID string
	minted     bool
	name       string // as it is passed on
	wireName   string // as the model gave it
	signature  string
	custom     bool // its arguments are text
	args       arguments
	announced  bool // its name was let through
	displaces  bool // another one had its index
	aliases    int  // ids that it had besides
	ended      bool // nothing more of it comes
	whole      bool // its arguments are final
	cutOff     bool // the input ended before it did
	fate       fate
}

// arguments are those of one call.
type arguments struct {
	raw      strings.Builder // what came of them
	halves   protocol.Halves
	initial  string // what they are unless others come
	final    string // as they may be seen, when the call is whole
	valid    bool   // the final ones are JSON, or text of a custom tool
	reported int    // bytes of raw that events have shown
	quiet    bool   // no event shows them as they come
	checks   int    // how often they were looked at before the call was whole
}

// fate is what became of a call.
type fate uint8

const (
	openCall    fate = iota
	heldCall         // allowed, and waiting for the end of the text
	passedCall       // let through
	blockedCall      // never let through
)

// apply takes in a piece of a call.
func (c *call) apply(s *protocol.Step) {
	t := c.in.core
	if s.Custom && !c.custom && c.wireName != "" {
		t.refuse("a call is of two kinds")
		return
	}
	c.custom = c.custom || s.Custom
	if s.ID != "" && (c.id == "" || c.minted && c.fate != passedCall) { // the provider's id wins
		c.id, c.minted = strings.Clone(s.ID), false
		c.in.calls.know(c)
	}
	if s.Signature != "" && c.signature == "" {
		c.signature = strings.Clone(s.Signature)
	}
	if s.Text != "" && !c.addArguments(s.Text) {
		return
	}
	switch {
	case s.Name == "" || s.Name == c.wireName || c.wireName != "" && t.joined(s.Name) == c.wireName:
		c.reportArguments()
	case c.wireName != "":
		t.warn(warnNameConflict)
		t.refuse("a call has two names")
	default:
		c.wireName = strings.Clone(t.joined(s.Name))
		c.check()
	}
}

// addArguments takes in more of the arguments of a call. It reports false if they can't be.
func (c *call) addArguments(text string) bool {
	a := &c.args
	if c.whole {
		if text == a.raw.String() { // the whole call is said again
			return true
		}
		c.in.core.refuse("more arguments of a call that was complete")
		return false
	}
	text = a.halves.Join(text)
	c.in.core.lost(&a.halves)
	if !c.in.core.grow(len(text)) {
		return false
	}
	a.add(text)
	return true
}

// add adds to arguments. It makes room by doubling: a Builder grows by less, and copies more often.
func (a *arguments) add(text string) {
	if room := a.raw.Cap() - a.raw.Len(); room < len(text) {
		a.raw.Grow(max(len(text), a.raw.Len()))
	}
	a.raw.WriteString(text)
}

// setArguments takes in the arguments of a call as a whole.
func (c *call) setArguments(words string) {
	a, t := &c.args, c.in.core
	had := a.raw.String()
	switch {
	case had == words || c.args.saysSame(words):
	case c.whole:
		t.refuse("the arguments of a call changed after it was complete")
	case !t.grow(len(words)):
	case strings.HasPrefix(words, had):
		a.add(words[len(had):])
		c.reportArguments()
	case a.reported > 0:
		t.refuse("the arguments of a call are not those that were streamed")
	case had != "" && !t.restates:
		t.refuse("the arguments of a call came in two forms")
	default:
		a.raw.Reset()
		a.add(words)
	}
}

// check lets the name of a call through, or has the call wait for a resolution.
func (c *call) check() {
	gate := &c.in.core.gate
	if !gate.allows(c.wireName) {
		gate.waiting = c
		c.mint()
		return
	}
	c.announce(c.wireName)
}

// announce lets a call begin under a name that is allowed.
func (c *call) announce(name string) {
	gate := &c.in.core.gate
	c.mint()
	c.name, c.announced = name, true
	if c.args.quiet = gate.denies(c); c.args.quiet {
		return
	}
	c.in.core.emit(Event{Kind: CallBegan, Block: c.number, Choice: c.in.index,
		Call: Call{ID: c.id, Minted: c.minted, Name: name, RepairedFrom: c.repairedFrom(), Custom: c.custom}})
	c.reportArguments()
}

// mint gives a call an id if the provider gave it none.
func (c *call) mint() {
	if c.id == "" {
		c.id, c.minted = "call_"+strconv.Itoa(c.number), true
	}
}

// repairedFrom returns the name that the model gave, redacted, if the call has another one.
func (c *call) repairedFrom() string {
	if c.name == c.wireName {
		return ""
	}
	return c.in.core.redact.whole(c.wireName)
}

// reportArguments emits what is new in the arguments, if they are shown before the call is whole.
func (c *call) reportArguments() {
	a := &c.args
	if !c.in.core.gate.streams || !c.announced || a.quiet || a.reported == a.raw.Len() {
		return
	}
	c.in.core.emit(Event{Kind: ArgsDelta, Block: c.number, Choice: c.in.index, Text: a.raw.String()[a.reported:]})
	a.reported = a.raw.Len()
}

// checksMax is how many finish reasons have the arguments of a call looked at. Past that a call
// waits for the end of the input: time would be the product of both.
const checksMax = 16

// seemsWhole reports whether a call that its choice has finished with is whole: its arguments are
// JSON. More of them may follow where a producer gives a finish reason with every chunk.
func (c *call) seemsWhole() bool {
	if c.custom {
		return true
	}
	if c.args.checks == checksMax {
		return false
	}
	c.args.checks++
	return wire.Valid(c.args.raw.String())
}

// settle makes the arguments of a call final, and lets it through or has it wait for a verdict.
func (c *call) settle() {
	a, t := &c.args, c.in.core
	if c.whole || c.fate == blockedCall || !t.outcome.isWhole() {
		return
	}
	a.add(a.halves.End())
	t.lost(&a.halves)
	if !c.announced {
		t.refuse("a call without a name")
		return
	}
	if a.raw.Len() == 0 && !c.custom {
		switch {
		case a.initial != "":
			a.add(a.initial)
		case c.in.finish.class != Length:
			a.add("{}")
		}
		c.reportArguments()
	}
	c.whole = true
	a.final = t.redact.shown(a.raw.String())
	if a.valid = c.custom || wire.Valid(a.final); !a.valid {
		t.warn(warnTruncatedArgs)
	}
	if t.gate.asks {
		t.gate.waiting = c
		return
	}
	c.allow()
}

// hold keeps a call that is allowed until it may be let through, unless a policy took it back.
func (c *call) hold() {
	if c.fate != blockedCall {
		c.fate = heldCall
	}
}

// allow lets a whole call through as soon as those before it are.
func (c *call) allow() {
	c.hold()
	c.in.calls.passInOrder()
}

// pass lets a call through.
func (c *call) pass() {
	c.fate = passedCall
	c.in.core.emit(c.event(CallEnded))
}

// event returns an event about a whole call.
func (c *call) event(kind Kind) Event {
	return Event{Kind: kind, Block: c.number, Choice: c.in.index, Call: c.result()}
}

// question is what is to be answered about a call that waits: an InvalidCall or an AwaitVerdict.
func (c *call) question() Event {
	if c.whole {
		return c.event(AwaitVerdict)
	}
	t := c.in.core
	return Event{Kind: InvalidCall, Block: c.number, Choice: c.in.index, Tools: t.gate.tools,
		Call: Call{ID: c.id, Name: t.redact.whole(c.wireName), Arguments: t.redact.shown(c.args.raw.String()),
			Custom: c.custom}}
}

// shownArguments returns the arguments of a call so far, as they may be seen.
func (c *call) shownArguments() string {
	if c.whole {
		return c.args.final
	}
	return c.in.core.redact.shown(c.args.raw.String())
}

// result returns a call as the turn has it.
func (c *call) result() Call {
	return Call{ID: c.id, ItemID: c.itemID, Name: c.name, RepairedFrom: c.repairedFrom(), Minted: c.minted,
		Arguments: c.args.final, Valid: c.args.valid && !c.cutOff, Incomplete: c.cutOff, Custom: c.custom,
		Signature: c.signature}
}

// soFar returns a call as far as it came, whole or not.
func (c *call) soFar() Call {
	one := c.result()
	if one.Name == "" {
		one.Name = c.in.core.redact.whole(c.wireName)
	}
	one.Arguments = c.shownArguments()
	one.Valid = c.custom || wire.Valid(one.Arguments)
	one.Incomplete = !c.whole
	return one
}

// isUntouchedBy reports whether a late id with this name can be that of the call: the name is the
// same, and the arguments that came before it are not whole.
func (c *call) isUntouchedBy(name string) bool {
	return name == "" || name == c.wireName && !wire.Valid(c.args.raw.String())
}

// saysSame reports whether JSON is another way to write the arguments that came.
func (a *arguments) saysSame(json string) bool {
	var had, other any
	return a.raw.Len() > 0 && decode(a.raw.String(), &had) && decode(json, &other) && reflect.DeepEqual(had, other)
}

// decode reads JSON with its numbers as they are written.
func decode(text string, to any) bool {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(to) == nil && !d.More()
}

// argumentsOf returns the arguments that a step has as a whole: a value, or the text that a string holds.
func (t *core) argumentsOf(s *protocol.Step) string {
	if s.JSON.Type == gjson.String {
		return t.joined(protocol.Text(s.JSON))
	}
	return t.joined(s.JSON.Raw)
}
