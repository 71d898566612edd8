package redact

import (
	"github.com/kfw-dev/kfw/redact/internal/match"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// holdValue begins to hold a value whose output begins at a place of that of the current step.
func (f *filter) holdValue(output int, begin int64, isString bool) {
	part := f.next.part
	mayBeNamed := part == names.PairValue || part == names.KeyNumber && isString
	if !mayBeNamed || f.next.paired != nil || f.next.under.Depth > 0 ||
		!f.held.Hold(part, output, begin, isString, f.PlaceOf(begin)) {
		return
	}
	if f.paths.current != nil {
		f.paths.held[len(f.held.Values)-1].CopyFrom(f.paths.current)
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

// release passes on what is held, with markers in place of the values if their name is a sensitive one.
func (f *filter) release(dst []byte) []byte {
	h := &f.held
	h.Forget()
	passed := 0 // of the output
	for i := range h.Values {
		if h.Phrase == nil || !f.acceptsHeld(i) {
			continue
		}
		v := &h.Values[i]
		why := names.Reason{How: match.OfKey, Name: h.Phrase.Words}
		if f.paths.current != nil {
			why.Path = f.paths.held[i].String()
		}
		f.report.TellHeld(v, why)
		f.text.markers.BeginValue(h.Phrase.Rule)
		f.text.markers.ReadString(h.Value(v))
		dst = append(dst, h.Output[passed:v.From]...)
		dst = f.text.markers.EndValue(dst, h.Phrase.Rule, v.Quotes())
		passed = v.To
	}
	f.report.TellRest()
	return append(dst, h.Output[passed:]...)
}

// acceptsHeld reports whether the value i of those that are held is one that its name makes a secret.
func (f *filter) acceptsHeld(i int) bool {
	h := &f.held
	v := &h.Values[i]
	value := h.Value(v)
	w := names.Window{Text: value, End: true, Around: &f.text.around}
	switch {
	case f.paths.current != nil && f.paths.areAllowed(h.Phrase.Rule, f.paths.held[i]),
		f.paths.current == nil && f.text.matches.IsLet(h.Phrase.Rule):
		return false
	case len(value) == 0 || w.Marker(0) == len(value) || v.Quotes() > 0 && w.Marker(1) == len(value)-1:
		return false
	case h.Phrase.Whole:
		return true
	}
	return h.Phrase.Value(w, 0, names.ValueOnly).Verdict == names.Match
}
