package report

import "github.com/kfw-dev/kfw/redact/internal/names"

// Held is the value of a pair of JSON that comes before its name, as in {"value":V,"name":N}, and
// what follows it up to that name. The filter holds it back, so that it can still become a marker.
// The zero value holds nothing.
type Held struct {
	state    heldState
	Output   []byte // of the filter since the value began
	from, to int    // the value in output; to is negative until it has ended
	isString bool
	Begin    int64 // of the value in the input, an offset
	end      int64 // the same of its end
	place    Place
	depth    int           // brackets that are open in the object
	Phrase   *names.Phrase // of the name, once it was read and is a sensitive one; else nil
	parts    []Part        // parts that are hidden after the value
	found    []foundMatch  // matches after the value
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

// maxHeld is how much of the input may stand between the begin of a value and its name, in bytes.
const maxHeld = 2 << 10

// Hold begins to hold a value whose output begins at a place of that of the current step.
func (h *Held) Hold(output int, begin int64, isString bool, at Place) {
	*h = Held{state: heldBegins, Output: h.Output[:0], from: output, to: -1, isString: isString, Begin: begin,
		place: at, parts: h.parts[:0], found: h.found[:0]}
}

// Forget makes h hold nothing.
func (h *Held) Forget() { h.state = notHeld }

// Is reports whether a value is held or begins to be.
func (h *Held) Is() bool { return h.state != notHeld }

// IsOpen reports whether a name may still come for the value.
func (h *Held) IsOpen() bool { return h.Is() && h.state != heldDecided }

// EndValue takes in the end of the value.
func (h *Held) EndValue(output int, end int64) {
	if h.Is() && h.to < 0 {
		h.to, h.end = output, end
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

// Name takes in the name of the pair, which is sensitive.
func (h *Held) Name(p *names.Phrase) {
	if h.Is() && h.depth == 0 && h.to >= 0 {
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
	h.Output = append(h.Output, dst[h.from:]...)
	dst = dst[:h.from]
	h.state, h.from = isHeld, 0
	return dst
}

// IsDecided reports whether the name was read, or there is none, where the input was read up to an
// offset.
func (h *Held) IsDecided(offset int64) bool {
	return h.state == heldDecided || h.Is() && offset-h.Begin > maxHeld
}

// Value returns the output of the value.
func (h *Held) Value() []byte { return h.Output[:h.to] }

// Rest returns the output after the value.
func (h *Held) Rest() []byte { return h.Output[h.to:] }

// Quotes returns the quotes around the marker of the value, which is a string or a number.
func (h *Held) Quotes() names.Quotes {
	if h.isString {
		return 0
	}
	return 1
}
