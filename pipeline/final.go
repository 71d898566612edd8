package pipeline

import (
	"github.com/kfw-dev/kfw/budget"
)

// finish writes the final frame: the totals, why the response is not whole if it is not, and, when less than all was
// shown, the summary of all of it, as full as what is left allows. Then it yields what the response failed with.
func (t *fitter) finish(failed error, clean Source) {
	if t.stopped {
		return
	}
	frame := Frame{Final: true, Warnings: append(t.standing(), t.warnings.kept...), Totals: &Totals{
		Chunks:      t.chunks,
		Bytes:       clean.BytesRead(),
		SessionLeft: t.Budget.SessionLeft,
	}}
	if t.warnings.more > 0 {
		frame.Warnings = append(frame.Warnings, Warning{What: "more warnings", Count: t.warnings.more})
	}
	if t.Budget.SessionLeft >= 0 {
		frame.Totals.SessionLeft -= t.Budget.Tokens - t.left
	}
	for rule, count := range clean.Counts() {
		frame.Totals.Redactions = append(frame.Totals.Redactions, RuleCount{rule, count})
	}
	if failed != nil {
		failure := t.Explain(failed)
		frame.Error = &failure
	}
	if t.lossy {
		frame.Mode, frame.First, frame.Last = budget.HandleOnly, min(1, t.chunks), t.chunks
		frame.Handle, _ = t.handle()
	}
	t.shrink(&frame)
	if t.lossy {
		t.summarizeWhole(&frame)
	}
	t.send(&frame, t.left)
	if failed != nil && !t.stopped {
		t.yield(Frame{}, failed)
	}
}

// shrink takes from a final frame what can be missed, until it fits.
func (t *fitter) shrink(frame *Frame) {
	all, standing := frame.Totals.Redactions, len(t.standing())
	for _, less := range []func(){
		func() {},
		func() { frame.Totals.Redactions = most(all, 5) },
		func() { frame.Warnings = frame.Warnings[:min(len(frame.Warnings), standing+1)] },
		func() { frame.Totals.Redactions = most(all, 0) },
		func() { frame.Warnings = frame.Warnings[:standing] },
		func() { frame.Totals.Redactions = nil },
		func() {
			if frame.Error != nil {
				frame.Error.Message = ""
			}
		},
	} {
		if less(); t.cost(frame) <= t.left {
			return
		}
	}
}

// summarizeWhole adds to a final frame the facts of the whole response and what stood out and was not shown.
func (t *fitter) summarizeWhole(frame *Frame) {
	room := t.left
	if len(t.unseen) > 0 {
		room -= min((t.left-frame.Tokens)/3, t.costOf(t.unseen))
	}
	frame.Mode = budget.Summary
	frame.Facts = t.whole.Facts(func(facts []byte) bool {
		frame.Facts = facts
		return t.cost(frame) <= room
	})
	if frame.Facts == nil {
		frame.Mode = budget.HandleOnly
	}
	t.addNotable(frame, t.unseen, t.missed, t.left)
	if t.cost(frame) > t.left { // the count of what did not fit is one more key
		frame.Omitted = Omitted{}
	}
}

// costOf is about what these chunks cost in a frame.
func (t *fitter) costOf(notable []Notable) int {
	frame := Frame{Notable: notable}
	return t.count(t.Encoding(nil, &frame))
}
