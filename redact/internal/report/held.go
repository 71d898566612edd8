package report

import "github.com/kfw-dev/kfw/redact/internal/names"

// Held are values of JSON that come before what names them, and what follows the first of them up to there: the value
// of a pair, as in {"value":V,"name":N}, or numbers of a key before its type. The filter holds them back, so that they
// can still become markers. The zero value holds nothing.
type Held struct {
	state  heldState
	part   names.PairPart // what the values are
	Output []byte         // of the filter since the first value began
	Begin  int64          // of the first value in the input, an offset
	Values []HeldValue
	depth  int           // brackets that are open in the object
	Phrase *names.Phrase // of the name, once it was read and is a sensitive one; else nil
	parts  []Part        // parts that are hidden after the first value
	found  []foundMatch  // matches after the first value
}

// HeldValue is a value that is held.
type HeldValue struct {
	From, To   int // in the output; To is negative until the value has ended
	isString   bool
	begin, end int64 // in the input, offsets
	place      Place
}

type heldState uint8

const (
	notHeld    heldState = iota
	heldBegins           // with the output of the current step
	isHeld
	heldDecided // the name was read, or there is none
)

// foundMatch is a match to be told.
type foundMatch struct {
	rule string
	at   Place
	why  names.Reason
}

const (
	// maxHeld is how much of the input may stand between the begin of the first value and what names it, in bytes.
	maxHeld = 2 << 10
	// MaxValues is how many values of an object may be held.
	MaxValues = 8
)

// Hold begins to hold a value whose output begins at a place of that of the current step. It reports whether the value
// is one to hold: a second one only if both are numbers of a key. The value of a pair goes before these.
func (h *Held) Hold(part names.PairPart, output int, begin int64, isString bool, at Place) bool {
	value := HeldValue{From: output, To: -1, isString: isString, begin: begin, place: at}
	switch {
	case !h.Is():
		*h = Held{state: heldBegins, part: part, Output: h.Output[:0], Begin: begin, Values: h.Values[:0],
			parts: h.parts[:0], found: h.found[:0]}
	case h.state != isHeld || h.depth > 0 || h.part != names.KeyNumber:
		return false
	case part != names.KeyNumber:
		h.part, h.Values = part, h.Values[:0]
	case len(h.Values) == MaxValues:
		return false
	}
	h.Values = append(h.Values, value)
	return true
}

// Forget makes h hold nothing.
func (h *Held) Forget() { h.state = notHeld }

// Is reports whether a value is held or begins to be.
func (h *Held) Is() bool { return h.state != notHeld }

// IsOpen reports whether a name may still come for the value.
func (h *Held) IsOpen() bool { return h.Is() && h.state != heldDecided }

// EndValue takes in the end of the last value, with which the output ends. What can't be a number of a key is not held as one.
func (h *Held) EndValue(output []byte, end int64) {
	last := len(h.Values) - 1
	if !h.Is() || last < 0 || h.Values[last].To >= 0 {
		return
	}
	v := &h.Values[last]
	v.To, v.end = len(output), end
	if h.part != names.KeyNumber || names.MayBeKeyNumber(output[v.From:]) {
		return
	}
	if h.Values = h.Values[:last]; last == 0 {
		h.state = heldDecided
	}
}

// Open takes in a bracket.
func (h *Held) Open() {
	if h.Is() {
		h.depth++
	}
}

// Close takes in a closing bracket: with that of the object there is no name.
func (h *Held) Close() {
	if h.Is() {
		if h.depth--; h.depth < 0 {
			h.state = heldDecided
		}
	}
}

// Name takes in the sensitive name of what is part of its object.
func (h *Held) Name(p *names.Phrase, part names.PairPart) {
	if h.Is() && h.part == part && h.depth == 0 && h.Values[len(h.Values)-1].To >= 0 {
		h.Phrase, h.state = p, heldDecided
	}
}

// GiveUp says that no name comes for the value.
func (h *Held) GiveUp() {
	if h.Is() {
		h.state = heldDecided
	}
}

// TakesOutput reports whether what the filter passes on belongs to Output.
func (h *Held) TakesOutput() bool { return h.state == isHeld }

// TakeOver moves what dst has of a value that began with the current step to Output.
func (h *Held) TakeOver(dst []byte) []byte {
	if h.state != heldBegins {
		return dst
	}
	first := &h.Values[0]
	h.Output = append(h.Output, dst[first.From:]...)
	dst = dst[:first.From]
	h.state, first.From = isHeld, 0
	return dst
}

// IsDecided reports whether the name was read, or there is none, where the input was read up to an
// offset.
func (h *Held) IsDecided(offset int64) bool {
	return h.state == heldDecided || h.Is() && offset-h.Begin > maxHeld
}

// Value returns the output of a value.
func (h *Held) Value(v *HeldValue) []byte { return h.Output[v.From:v.To] }

// Quotes returns the quotes around the marker of the value, which is a string or a number.
func (v *HeldValue) Quotes() names.Quotes {
	if v.isString {
		return 0
	}
	return 1
}
