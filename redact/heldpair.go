package redact

import (
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// holdValue begins to hold a value whose output begins at a place of that of the current step.
func (f *filter) holdValue(output int, begin int64, isString bool) {
	h := &f.held
	if h.Is() || f.next.part != names.PairValue || f.next.paired != nil || f.next.under.Depth > 0 {
		return
	}
	h.Hold(output, begin, isString, f.PlaceOf(begin))
	if f.paths.current != nil {
		f.paths.held.CopyFrom(f.paths.current)
	}
}

// stepHolding is step, with the output of what is held apart from dst.
func (f *filter) stepHolding(dst, src []byte) ([]byte, int) {
	h := &f.held
	n := 0
	if h.TakesOutput() {
		h.Output, n = f.step(h.Output, src)
	} else {
		dst, n = f.step(dst, src)
	}
	if dst = h.TakeOver(dst); h.IsDecided(f.Offset + int64(n)) {
		dst = f.release(dst)
	}
	return dst, n
}

// release passes on what is held, with a marker in place of the value if its name is a sensitive one.
func (f *filter) release(dst []byte) []byte {
	h := &f.held
	h.Forget()
	if h.Phrase == nil || !f.acceptsHeld() {
		dst = append(dst, h.Output...)
	} else {
		why := names.Reason{How: match.OfKey, Name: h.Phrase.Words}
		if f.paths.current != nil {
			why.Path = f.paths.held.String()
		}
		f.report.TellHeld(why)
		f.text.markers.BeginValue(h.Phrase.Rule)
		f.text.markers.ReadString(h.Value())
		dst = f.text.markers.EndValue(dst, h.Phrase.Rule, h.Quotes())
		dst = append(dst, h.Rest()...)
	}
	f.report.TellRest()
	return dst
}

// acceptsHeld reports whether the value that is held is one that its name makes a secret.
func (f *filter) acceptsHeld() bool {
	h := &f.held
	value := h.Value()
	w := names.Window{Text: value, End: true, Around: &f.text.around}
	switch {
	case f.paths.current != nil && f.paths.areAllowed(h.Phrase.Rule, f.paths.held),
		f.paths.current == nil && f.text.matches.IsLet(h.Phrase.Rule):
		return false
	case len(value) == 0 || w.Marker(0) == len(value) || h.Quotes() > 0 && w.Marker(1) == len(value)-1:
		return false
	case h.Phrase.Whole:
		return true
	}
	return h.Phrase.Value(w, 0, names.ValueOnly).Verdict == names.Match
}
