package report

import (
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

// TellHeld tells of the value that is held, which is a match.
func (r *Report) TellHeld(why names.Reason) {
	h := r.Held
	if r.Hide != nil {
		r.Hide(Part{Rule: h.Phrase.Rule, From: h.Begin, To: h.end, Quotes: h.Quotes()})
	}
	r.Tell(h.Phrase.Rule, h.place, why)
}

// TellRest tells of what came after the value that was held.
func (r *Report) TellRest() {
	for _, m := range r.Held.parts {
		r.Hide(m)
	}
	for _, m := range r.Held.found {
		r.Observed(m.rule, m.at, m.why)
	}
}

// Part is what has been read of a match, at offsets in an input.
type Part struct {
	Rule     int
	From, To int64
	Quotes   names.Quotes // around the marker
	IsText   bool         // it is a string after the name of a secret
}
