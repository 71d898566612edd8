package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// ErrNoFinal is the error when the final frame does not fit. Room for it is reserved from the start, so it takes a
// counter by which it costs more than Least.
var ErrNoFinal = errors.New("no room for the final frame")

// end shows what still waits when the response has ended. It reports whether the final frame is to show all that is
// held byte for byte, which makes the response whole.
func (t *fitter) end(failed error) (isWhole bool) {
	if t.stopped || t.closed {
		return false
	}
	if t.showWhole(failed) {
		return true
	}
	if t.window.count > 0 {
		t.sayWaiting(failed)
	}
	return false
}

// sayWaiting shows the window when the response has ended: raw if all of it was shown so and it fits.
func (t *fitter) sayWaiting(failed error) {
	t.verbatim.end()
	if t.window.blobs > 0 && t.Encoding.IsVerbatim() {
		t.window.useLabels()
	}
	if !t.lossy && t.allowed() == budget.Raw && t.sayRaw(&t.window, t.left-t.leastFinal(failed)) {
		return
	}
	if t.flush(true); t.window.count > 0 {
		t.leaveOut()
	}
}

// showWhole shows the response byte for byte, with what is still held in the final frame, if that fits. It reports
// whether it does.
func (t *fitter) showWhole(failed error) bool {
	isAllowed := t.window.count == 0 || t.allowed() == budget.Raw
	if t.verbatim.isOpen && !t.lossy && !t.cut && isAllowed && t.verbatim.fits(t.Options, t.left, true) &&
		t.Cost(t.Encoding.Append(nil, t.wholeFrame(failed))) <= t.left {
		t.window.count = 0
		return true
	}
	if t.verbatim.isOpen && t.window.count == 0 { // no room to say why the response did not end well
		t.lossy = true
	}
	return false
}

// wholeFrame is the final frame of a response that was shown byte for byte. If there is no room for the message of the
// failure, it has the code alone.
func (t *fitter) wholeFrame(failed error) *encode.Frame {
	frame := &encode.Frame{Final: true, Whole: true, Source: t.verbatim.text, Error: t.failure(failed)}
	if frame.Error != nil && t.Cost(t.Encoding.Append(nil, frame)) > t.left {
		frame.Error.Message = ""
	}
	return frame
}

// finish writes the final frame, byte for byte if isWhole. Then it yields what the response failed with.
func (t *fitter) finish(failed error, redacted Source, isWhole bool) {
	if t.stopped {
		return
	}
	var frame encode.Frame
	if isWhole {
		frame = *t.wholeFrame(failed)
		t.notices.notify(t.Options, t.verbatim.invalid)
	} else {
		frame = t.finalFrame(failed, redacted)
		failed = cmp.Or(failed, t.handle.err)
	}
	if !t.send(&frame, t.left) {
		failed = cmp.Or(failed, ErrNoFinal)
	}
	if failed != nil && !t.stopped {
		t.yield(encode.Frame{}, failed)
	}
}

// finalFrame returns the final frame: the totals, what the response ended with if that was not well, and, when less
// than all was shown, the summary of all of it, as full as its mode and what is left allow.
func (t *fitter) finalFrame(failed error, redacted Source) encode.Frame {
	name, isLess := "", t.lossy || t.shown.blobs > 0
	if isLess || t.cut {
		name, _ = t.handle.name()
	}
	t.takeWarnings(&t.window, t.window.count)
	frame := encode.Frame{Final: true, Error: t.failure(failed), Totals: &encode.Totals{
		Chunks:      t.seen.count,
		Bytes:       redacted.BytesRead(),
		SessionLeft: t.Budget.sessionLeft(),
		Estimate:    t.Estimate,
	}}
	frame.Warnings = append(slices.Clip(t.Standing), t.notices.due.All()...)
	for rule, count := range redacted.Counts() {
		frame.Totals.Redactions = append(frame.Totals.Redactions, encode.RuleCount{Rule: rule, Count: count})
	}
	t.notices.due = split.Warnings{}
	if isLess {
		frame.Mode, frame.First, frame.Last, frame.Handle = budget.HandleOnly, t.seen.first, t.seen.last, name
		t.countLess(&frame)
		frame.Omitted.Blobs = t.blobs.count
	}
	if t.cut {
		frame.Handle, frame.NextOffset = name, t.seen.last
	}
	room := t.left
	if !isLess && !t.tabled {
		room = min(room, envelopeOfFinal)
	}
	t.shrink(&frame, room)
	switch {
	case t.mode() == budget.HandleOnly:
		t.strip(&frame)
	case t.lossy:
		frame.Excerpt = &encode.Excerpt{Noun: t.units.noun()}
		t.beginPage()
		t.compose(&frame)
	}
	frame.Mode = budget.Strictest(frame.Mode, t.mode())
	return frame
}

// Bounds of a final frame in tokens.
const (
	envelopeOfFinal = 60  // of a response that was shown whole
	handleOfFinal   = 100 // in handle_only
)

// strip leaves in a final frame only the handle, counts, totals, warnings, which quote nothing, and the code and the
// status of the error.
func (w *writer) strip(frame *encode.Frame) {
	frame.Mode = budget.HandleOnly
	if frame.Error != nil {
		frame.Error.Message = ""
	}
	w.shrink(frame, min(w.left, handleOfFinal))
}

// leastFinal is the least cost of the final frame if all chunks are shown, by the totals up to now.
func (t *fitter) leastFinal(failed error) int {
	frame := encode.Frame{Final: true, Filtered: t.Filtered, Seq: t.next.seq + t.window.count, Left: t.left,
		Warnings: t.Standing,
		Error:    t.failure(failed), Mode: budget.HandleOnly, // as it may be when all is shown
		Totals: &encode.Totals{Chunks: t.seen.count, Bytes: math.MaxInt64, SessionLeft: t.Budget.sessionLeft(),
			Estimate: t.Estimate}}
	if frame.Error != nil {
		frame.Error.Message = ""
	}
	if t.cut {
		frame.Handle, frame.NextOffset = longestHandle, math.MaxInt64
	}
	return t.Cost(t.Encoding.Append(nil, &frame))
}

// countLess drops counts by rule until at least half of the room that is left is free for the summary.
func (w *writer) countLess(frame *encode.Frame) {
	all := frame.Totals.Redactions
	for _, n := range []int{len(all), 5, 3, 0} {
		frame.Totals.Redactions = encode.MostFrequent(all, n)
		if w.fits(frame, w.left/2) {
			return
		}
	}
}

// shrink takes from a final frame what can be missed, until it costs no more than room.
func (w *writer) shrink(frame *encode.Frame, room int) {
	all, standing := frame.Totals.Redactions, len(w.Standing)
	for _, less := range []func(){
		func() {},
		func() { frame.Totals.Redactions = encode.MostFrequent(all, 5) },
		func() { frame.Warnings = frame.Warnings[:min(len(frame.Warnings), standing+1)] },
		func() { frame.Totals.Redactions = encode.MostFrequent(all, 0) },
		func() { frame.Warnings = frame.Warnings[:standing] },
		func() { frame.Totals.Redactions = nil },
		func() { frame.Omitted.Blobs = 0 },
		func() {
			if frame.Error != nil {
				frame.Error.Message = ""
			}
		},
	} {
		if less(); w.fits(frame, room) {
			return
		}
	}
}
