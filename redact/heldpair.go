package redact

import (
	"github.com/kfw-dev/kfw/redact/match"
	"github.com/kfw-dev/kfw/redact/names"
)

// heldPair is the value of a pair of JSON that comes before its name, as in {"value":V,"name":N}, and
// what follows it up to that name. The filter holds it back, so that it can still become a marker. The
// zero value holds nothing.
type heldPair struct {
	state    heldState
	output   []byte // of the filter since the value began
	from, to int    // the value in output; to is negative until it has ended
	isString bool
	begin    int64 // of the value in the input
	end      int64
	place    Place
	depth    int // brackets that are open in the object
	phrase   *names.Phrase
	hidden   []hiddenPart // parts that are hidden after the value
	found    []foundMatch // matches after the value
}

type heldState uint8

const (
	notHeld    heldState = iota
	heldBegins           // with the output of the current step
	isHeld
	heldDecided // the name was read, or there is none
)

type foundMatch struct {
	rule string
	at   Place
	why  names.Reason
}

// maxHeldPair is how much of the input may stand between the begin of a value and its name, in bytes.
const maxHeldPair = 2 << 10

// is reports whether a value is held or begins to be.
func (h *heldPair) is() bool { return h.state != notHeld }

// isOpen reports whether a name may still come for the value.
func (h *heldPair) isOpen() bool { return h.is() && h.state != heldDecided }

// endValue takes in the end of the value.
func (h *heldPair) endValue(output int, end int64) {
	if h.is() && h.to < 0 {
		h.to, h.end = output, end
	}
}

// open takes in a bracket.
func (h *heldPair) open() {
	if h.is() {
		h.depth++
	}
}

// close takes in a closing bracket: with that of the object there is no name.
func (h *heldPair) close() {
	if h.is() {
		if h.depth--; h.depth < 0 {
			h.state = heldDecided
		}
	}
}

// name takes in the name of the pair, which is sensitive.
func (h *heldPair) name(p *names.Phrase) {
	if h.is() && h.depth == 0 && h.to >= 0 {
		h.phrase, h.state = p, heldDecided
	}
}

// holdValue begins to hold a value whose output begins at a place of that of the current step.
func (f *filter) holdValue(output int, begin int64, isString bool) {
	h := &f.held
	if h.is() || f.next.part != names.PairValue || f.next.paired != nil || f.next.under.Depth > 0 {
		return
	}
	*h = heldPair{state: heldBegins, output: h.output[:0], from: output, to: -1, isString: isString, begin: begin,
		place: f.place(begin), hidden: h.hidden[:0], found: h.found[:0]}
	if f.paths.current != nil {
		f.paths.held.CopyFrom(f.paths.current)
	}
}

// stepHolding is step, with the output of what is held apart from dst.
func (f *filter) stepHolding(dst, src []byte) ([]byte, int) {
	h := &f.held
	n := 0
	if h.state == isHeld {
		h.output, n = f.step(h.output, src)
	} else {
		dst, n = f.step(dst, src)
	}
	if h.state == heldBegins {
		h.output = append(h.output, dst[h.from:]...)
		dst = dst[:h.from]
		h.state, h.from = isHeld, 0
	}
	if h.state == heldDecided || h.is() && f.offset+int64(n)-h.begin > maxHeldPair {
		dst = f.release(dst)
	}
	return dst, n
}

// release passes on what is held, with a marker in place of the value if its name is a sensitive one.
func (f *filter) release(dst []byte) []byte {
	h := &f.held
	h.state = notHeld
	if h.phrase == nil || !f.acceptsHeld() {
		dst = append(dst, h.output...)
	} else {
		q := names.Quotes(1)
		if h.isString {
			q = 0
		}
		if f.report.hide != nil {
			f.report.hide(hiddenPart{rule: h.phrase.Rule, from: h.begin, to: h.end, quotes: q})
		}
		why := names.Reason{How: match.OfKey, Name: h.phrase.Words}
		if f.paths.current != nil {
			why.Path = f.paths.held.String()
		}
		f.report.tell(h.phrase.Rule, h.place, why)
		f.text.markers.BeginValue(h.phrase.Rule)
		f.text.markers.ReadString(h.output[:h.to])
		dst = f.text.markers.EndValue(dst, h.phrase.Rule, q)
		dst = append(dst, h.output[h.to:]...)
	}
	for _, m := range h.hidden {
		f.report.hide(m)
	}
	for _, m := range h.found {
		f.report.observed(m.rule, m.at, m.why)
	}
	return dst
}

// acceptsHeld reports whether the value that is held is one that its name makes a secret.
func (f *filter) acceptsHeld() bool {
	h := &f.held
	w := names.Window{Text: h.output[:h.to], End: true, Around: &f.text.around}
	switch {
	case f.paths.current != nil && f.paths.areAllowed(h.phrase.Rule, f.paths.held),
		f.paths.current == nil && f.text.matches.IsLet(h.phrase.Rule):
		return false
	case h.to == 0 || w.Marker(0) == h.to || !h.isString && w.Marker(1) == h.to-1:
		return false
	case h.phrase.Whole:
		return true
	}
	return h.phrase.Value(w, 0, names.ValueOnly).Verdict == names.Match
}
