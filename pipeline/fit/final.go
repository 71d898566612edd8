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

// errNoFinal cannot be: room for the final frame is set aside from the start. If it is after all, that is told.
var errNoFinal = errors.New("no room for the final frame")

// finish writes the final frame: the totals, why the response is not whole if it is not, and, when less than all was
// shown, the summary of all of it, as full as what is left allows. Then it yields what the response failed with.
func (t *fitter) finish(failed error, clean Source) {
	if t.stopped {
		return
	}
	name := ""
	if t.lossy || t.cut {
		name, _ = t.handle()
	}
	failed = cmp.Or(failed, t.failed)
	for _, w := range []window{t.aside, t.window} {
		for i := range w.held[:min(len(w.held), w.count)] {
			t.warnings.Add(w.held[i].warnings)
		}
	}
	frame := encode.Frame{Final: true, Warnings: append(slices.Clip(t.Standing), t.warnings.Kept...), Totals: &encode.Totals{
		Chunks:      t.chunks,
		Bytes:       clean.BytesRead(),
		SessionLeft: t.Budget.SessionLeft,
		Estimate:    t.Estimate,
	}}
	if t.warnings.More > 0 {
		frame.Warnings = append(frame.Warnings, split.Warning{What: "more warnings", Count: t.warnings.More})
	}
	for rule, count := range clean.Counts() {
		frame.Totals.Redactions = append(frame.Totals.Redactions, encode.RuleCount{Rule: rule, Count: count})
	}
	if failed != nil {
		failure := t.Explain(failed)
		frame.Error = &failure
	}
	if t.lossy {
		frame.Mode, frame.First, frame.Last, frame.Handle = budget.HandleOnly, t.first, t.last, name
		t.countLess(&frame)
	}
	if t.cut {
		frame.Handle, frame.NextOffset = name, t.last
	}
	t.shrink(&frame)
	t.whole.Told(t.shown)
	t.warnings = split.Warnings{}
	switch {
	case t.hasAside():
		t.endAside(&frame)
	case t.lossy:
		end := t.ending()
		t.summarizeWhole(&frame, &end, t.left)
		t.addTail(&frame, &end, t.left)
	case t.tabled > 0:
		t.addFacts(&frame)
	}
	if t.Budget.SessionLeft >= 0 {
		frame.Totals.SessionLeft -= t.Budget.Tokens - t.left
	}
	if !t.send(&frame, t.left) {
		failed = cmp.Or(failed, errNoFinal)
	}
	if failed != nil && !t.stopped {
		t.yield(encode.Frame{}, failed)
	}
}

// leastFinal is what the final frame can be shrunk to when all was shown, with what is known of the response now.
func (t *fitter) leastFinal(failed error) int {
	frame := encode.Frame{Final: true, Filtered: t.Filtered, Seq: t.seq + t.window.count + 1, Left: t.left, Warnings: t.Standing, Totals: &encode.Totals{
		Chunks: t.chunks, Bytes: math.MaxInt64, SessionLeft: t.Budget.SessionLeft, Estimate: t.Estimate}}
	if failed = cmp.Or(failed, t.failed); failed != nil {
		failure := t.Explain(failed)
		failure.Message = ""
		frame.Error = &failure
	}
	if t.cut {
		frame.Handle, frame.NextOffset = longestHandle, math.MaxInt64
	}
	return t.Cost(t.Encoding(nil, &frame))
}

// countLess leaves at least half of what is left to the summary, as far as the counts by rule are what takes it.
func (t *fitter) countLess(frame *encode.Frame) {
	all := frame.Totals.Redactions
	for _, n := range []int{len(all), 5, 3, 0} {
		frame.Totals.Redactions = encode.MostFrequent(all, n)
		if t.fits(frame, t.left/2) {
			return
		}
	}
}

// shrink takes from a final frame what can be missed, until it fits.
func (t *fitter) shrink(frame *encode.Frame) {
	all, standing := frame.Totals.Redactions, len(t.Standing)
	for _, less := range []func(){
		func() {},
		func() { frame.Totals.Redactions = encode.MostFrequent(all, 5) },
		func() { frame.Warnings = frame.Warnings[:min(len(frame.Warnings), standing+1)] },
		func() { frame.Totals.Redactions = encode.MostFrequent(all, 0) },
		func() { frame.Warnings = frame.Warnings[:standing] },
		func() { frame.Totals.Redactions = nil },
		func() {
			if frame.Error != nil {
				frame.Error.Message = ""
			}
		},
	} {
		if less(); t.fits(frame, t.left) {
			return
		}
	}
}

// addFacts adds to a final frame the facts of a response that was shown whole as a table, since rows are hard to count
// for a reader. They cost at most a fifth of what the table does.
func (t *fitter) addFacts(frame *encode.Frame) {
	mode := frame.Mode
	frame.Mode = budget.Table
	room := min(t.left, t.cost(frame)+t.tabled/5)
	if frame.Facts = t.whole.Facts(func(facts []byte) bool {
		frame.Facts = facts
		return t.fits(frame, room)
	}); frame.Facts == nil {
		frame.Mode = mode
	}
}

// shareOfNotable is how much of the room of a final frame is for the records that stand out, at first. They get what the
// facts leave, too.
const shareOfNotable = .43

// tailShare is how much of the room of a final frame is for the last lines, in percent, at least. They get a quarter of what the facts leave
// and the records that stand out, but for those that are like others of them.
const tailShare = 5

// summarizeWhole adds to a final frame the facts of the whole response, what stands out in it and its last lines, so that it costs no more
// than room.
func (t *fitter) summarizeWhole(frame *encode.Frame, end *ending, room int) {
	frame.Mode = budget.Summary
	notables, crowded := t.whole.Notables()
	missed := encode.Kinds{{Rule: encode.Weaker, Count: crowded}}
	var first, later []encode.Notable // the others of many that are alike, where there is room in the end
	for _, n := range notables {
		notable := encode.Notable{Chunk: n.Seq, Why: n.Why, Data: n.Data, More: n.More, Kind: n.Kind, IsText: n.IsText, IsPart: !n.IsText, Of: n.Of, Whole: n.Data}
		switch {
		case n.Again:
			missed = missed.Add(n.Kind, 1)
		case n.Alike:
			later = append(later, notable)
		default:
			first = append(first, notable)
		}
	}
	spare := room - t.cost(frame)
	told := t.addNotable(frame, first, encode.KindsOf(later, missed), frame.Tokens+int(shareOfNotable*float64(spare)))
	var lines []int
	for _, n := range frame.Notable {
		if n.IsText {
			lines = append(lines, n.Chunk)
		}
	}
	t.whole.ToldLines(lines)
	forTail := t.roomForLines(frame, end, room*tailShare/100)
	facts := t.whole.Facts(func(facts []byte) bool {
		frame.Facts = facts
		return t.fits(frame, room-forTail)
	})
	if frame.Facts = facts; facts != nil {
		told += t.addNotable(frame, first[told:], encode.KindsOf(later, missed), room-forTail)
		if forTail > 0 {
			now := t.cost(frame)
			t.addTail(frame, end, now+max(forTail, (room-now)/4))
		}
		t.addNotable(frame, append(first[told:], later...), missed, room)
	}
	if facts == nil && len(frame.Notable) == 0 {
		frame.Mode = budget.HandleOnly
	}
	t.tellKinds(frame, room)
	if facts != nil && len(frame.Notable) == len(first)+len(later) {
		t.tellMore(frame, room)
	}
}
