package redact

import (
	"github.com/kfw-dev/kfw/redact/catalogue"
	"github.com/kfw-dev/kfw/redact/names"
)

// report tells of the matches of a filter and of what it hides, in the order of the input: what comes after a value
// that is held waits for that.
type report struct {
	rules    *catalogue.Set
	held     *heldPair
	observed func(rule string, at Place, why names.Reason)
	hide     func(hiddenPart)
}

func (r *report) tell(rule int, at Place, why names.Reason) {
	switch {
	case r.observed == nil:
	case r.held.state == isHeld:
		r.held.found = append(r.held.found, foundMatch{r.rules.Catalogue[rule].Name, at, why})
	default:
		r.observed(r.rules.Catalogue[rule].Name, at, why)
	}
}

// hidePart hides a part of a match, once what is held before it is decided.
func (r *report) hidePart(m hiddenPart) {
	h := r.held
	last := len(h.hidden) - 1
	switch {
	case h.state != isHeld:
		r.hide(m)
	case last >= 0 && h.hidden[last].from == m.from:
		h.hidden[last] = m
	default:
		h.hidden = append(h.hidden, m)
	}
}
