package report

import (
	"math"

	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Report tells of the matches of a filter and of the parts that it hides, in the order of the input: a report of text
// after a held value waits until that value is decided.
type Report struct {
	Rules    *catalogue.Set
	Held     *Held                                         // the value that is held, if one is
	Observed func(rule string, at Place, why names.Reason) // is called for each match; may be nil
	Hide     func(Part)                                    // is called for each part of a match; may be nil
}

// Tell tells of a match, once what is held before it is decided.
func (r *Report) Tell(rule int, at Place, why names.Reason) {
	switch {
	case r.Observed == nil:
	case r.Held.state == isHeld:
		r.Held.found = append(r.Held.found, foundMatch{r.Rules.Catalogue[rule].Name, at, why})
	default:
		r.Observed(r.Rules.Catalogue[rule].Name, at, why)
	}
}

// HidePart hides a part of a match, once what is held before it is decided.
func (r *Report) HidePart(m Part) {
	h := r.Held
	last := len(h.parts) - 1
	switch {
	case h.state != isHeld:
		r.Hide(m)
	case last >= 0 && h.parts[last].From == m.From:
		h.parts[last] = m
	default:
		h.parts = append(h.parts, m)
	}
}

// TellHeld tells of a value that is held, which is a match, after what came before it.
func (r *Report) TellHeld(v *HeldValue, why names.Reason) {
	h := r.Held
	r.tellBefore(v.begin)
	if r.Hide != nil {
		r.Hide(Part{Rule: h.Phrase.Rule, From: v.begin, To: v.end, Quotes: v.Quotes()})
	}
	r.Tell(h.Phrase.Rule, v.place, why)
}

// TellRest tells of what came after the values that were held.
func (r *Report) TellRest() { r.tellBefore(math.MaxInt64) }

// tellBefore tells of what came after the first value that was held and before an offset.
func (r *Report) tellBefore(offset int64) {
	h := r.Held
	for len(h.parts) > 0 && h.parts[0].From < offset {
		r.Hide(h.parts[0])
		h.parts = h.parts[1:]
	}
	for len(h.found) > 0 && h.found[0].at.Offset < offset {
		m := h.found[0]
		r.Observed(m.rule, m.at, m.why)
		h.found = h.found[1:]
	}
}

// Part is what has been read of a match, at offsets in an input.
type Part struct {
	Rule     int
	From, To int64
	Quotes   names.Quotes // around the marker
	IsText   bool         // it is a string after the name of a secret
}
