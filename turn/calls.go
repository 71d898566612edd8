package turn

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// calls are the calls of one choice.
type calls struct {
	in          *choice
	order       []*call
	byKey       map[protocol.Key]*call // the newest with each key
	byID        map[string]*call
	settled     int // how many of order were let through, or are not going to be
	lastTouched *call
	empty       *call // at its end without arguments: what it means shows when another one follows, or the turn ends
}

// add takes in a piece of a call.
func (all *calls) add(s *protocol.Step) {
	c := all.find(s)
	if c == nil {
		if s.ID == "" && s.Name == "" && s.Text == "" {
			return
		}
		if c = all.open(s); c == nil {
			return
		}
	}
	all.lastTouched = c
	c.apply(s)
}

// find returns the call that a step belongs to, or nil if it opens a new one: see the package's documentation.
func (all *calls) find(s *protocol.Step) *call {
	known := all.byKey[s.Key]
	if s.Flag { // the key alone counts
		another := s.Kind == protocol.CallStep && s.ID != "" && s.Name != ""
		if known != nil && (known.whole || known.ended) && another && known.id != s.ID {
			all.in.core.warn(warnIndexReused)
			return nil
		}
		return known
	}
	var byID *call
	if s.ID != "" {
		byID = all.byID[s.ID]
	}
	if s.Key.None {
		last := all.lastTouched
		switch {
		case byID != nil || last == nil || last.whole, s.ID != "" && s.Name != "":
			if s.ID == "" {
				return last
			}
			return byID
		case s.ID == "" && s.Key.Index > 0 && s.Name != "" && last.wireName != "":
			return nil // another one of those that came at once
		case s.ID != "" && last.id != "" && !last.minted: // no call begins without a name
			all.alias(s.ID, last)
		}
		return last
	}
	switch {
	case known == nil:
		if byID != nil && s.Name == "" {
			return byID
		}
		if last := all.lastTouched; s.ID+s.Name == "" && last != nil && last.displaces && last.args.raw.Len() == 0 {
			last.displaces = false
			all.byKey[s.Key] = last // only its head had another's index
			return last
		}
		return nil
	case s.ID == "" || s.ID == known.id || known.id == "" || known.minted && known.isUntouchedBy(s.Name):
		return known
	case s.Name != "":
		all.in.core.warn(warnIndexReused)
		return nil
	case byID != nil:
		return byID
	}
	all.alias(s.ID, known)
	return known
}

// alias takes in that a call has another id in one of its pieces.
func (all *calls) alias(id string, c *call) {
	all.in.core.warn(warnIDRotated)
	if c.aliases < aliasesMax {
		c.aliases++
		all.byID[strings.Clone(id)] = c
	}
}

// aliasesMax is how many ids of one call are remembered: whoever gives each piece another one uses none again.
const aliasesMax = 16

// open makes a call that begins with a step; nil if there are too many.
func (all *calls) open(s *protocol.Step) *call {
	t := all.in.core
	number, ok := t.number()
	if !ok {
		return nil
	}
	if all.empty != nil {
		t.due.add(task{settle: all.empty})
		all.empty = nil
	}
	all.in.prose.pause()
	opened := &call{in: all.in, number: number, id: strings.Clone(t.joined(s.ID)), custom: s.Custom,
		displaces: all.byKey[s.Key] != nil}
	all.order = append(all.order, opened)
	at := s.Key
	if at.None {
		at = protocol.Key{Index: -len(all.order), None: true}
	}
	all.byKey[at] = opened
	if opened.id != "" {
		if all.byID[opened.id] != nil {
			t.warn(warnIDTwice)
		}
		all.byID[opened.id] = opened
	}
	return opened
}

// know remembers a call by its id, unless another one has it.
func (all *calls) know(c *call) {
	if all.byID[c.id] == nil {
		all.byID[c.id] = c
	}
}

// input takes in the arguments of a call as a whole, or those that it has unless others come.
func (all *calls) input(s *protocol.Step) {
	c := all.byKey[s.Key]
	if s.Key.None {
		c = all.lastTouched
		if s.ID != "" && all.byID[s.ID] != nil {
			c = all.byID[s.ID]
		}
	}
	switch {
	case c == nil || s.JSON.Type == gjson.Null:
	case s.Flag:
		c.args.initial = strings.Clone(all.in.core.argumentsOf(s))
	default:
		c.setArguments(all.in.core.argumentsOf(s))
	}
}

// setItem takes in the id of the item of a call. It reports false if the step is about no call.
func (all *calls) setItem(s *protocol.Step) bool {
	c := all.byKey[s.Key]
	if c == nil {
		return false
	}
	c.itemID = cmp.Or(c.itemID, strings.Clone(s.ID))
	return true
}

// end takes in that nothing more comes of the call with a key.
func (all *calls) end(at protocol.Key) {
	c := all.byKey[at]
	if c == nil || c.ended {
		return
	}
	c.ended = true
	if c.args.raw.Len() > 0 || c.args.initial != "" || all.in.finish.reached {
		all.in.core.due.add(task{settle: c})
	} else {
		all.empty = c
	}
}

// finish takes in a finish reason: calls that seem whole are.
func (all *calls) finish() {
	for _, c := range all.order {
		if !c.whole && c.seemsWhole() {
			all.in.core.due.add(task{settle: c})
		}
	}
}

// passInOrder lets calls through in the order that they began in: one that was allowed before those
// before it waits for them.
func (all *calls) passInOrder() {
	if all.in.finish.reached && all.in.prose.holds() {
		return // what is held of the text before them goes out with the end of the input
	}
	for ; all.settled < len(all.order); all.settled++ {
		switch next := all.order[all.settled]; next.fate {
		case openCall:
			return
		case heldCall:
			next.pass()
		}
	}
}

// release lets the calls through that were allowed.
func (all *calls) release() {
	if !all.in.core.outcome.isWhole() {
		return
	}
	for _, c := range all.order {
		if c.fate == heldCall {
			c.pass()
		}
	}
}

// cutOff marks the calls that the end of the input has cut off.
func (all *calls) cutOff() {
	t := all.in.core
	for _, c := range all.order {
		switch {
		case c.whole || c.fate == blockedCall:
		case !c.announced:
			t.refuse("a call without a name")
		default:
			c.cutOff = true
			c.args.final = t.redact.shown(c.args.raw.String())
			t.warn(warnTruncatedArgs)
		}
	}
}
