package fit

import (
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/summarize"
)

// What is told of the first window depends on what the summary of the whole response leaves, and that is known at the end. So the
// window is set aside, and the next one after it, as long as nothing waits longer than FlushAfter.

// longestAside is how many times the budget may be read while a window is set aside: what is told of a longer response is not to depend
// on how fast it comes.
const longestAside = 64

// setAside keeps the first window for later. The next one is full when so much more has been read.
func (t *fitter) setAside() {
	count, facts := t.window.count, t.window.facts
	t.close()
	t.window, t.aside = t.aside, t.window
	t.window.facts, t.aside.facts, t.aside.count = facts, nil, count
	t.lossy, t.gathers = true, true
}

// hasAside says whether a window is set aside.
func (t *fitter) hasAside() bool { return t.aside.count > 0 && !t.silent }

// roomOfWindow is what a frame of a window may cost, 0 if that is not worth it.
func (t *fitter) roomOfWindow() int {
	room := t.Budget.Tokens * windowShare / 100
	if room = min(room, t.left-t.keepBack()); room < leastWindow {
		return 0
	}
	return room
}

// hasWaited says whether what is gathered has waited as long as it may. Pauses come every tenth of FlushAfter.
func (t *fitter) hasWaited() bool {
	since := t.window.since
	switch {
	case t.hasAside():
		since = t.aside.since
	case t.window.count == 0:
		return false
	}
	return t.FlushAfter > 0 && time.Since(since) >= t.FlushAfter-t.FlushAfter/10
}

// flushAside says what is set aside because it has waited as long as it may: the first window as a table, the next one, if it is full,
// as a summary, and where the rest is.
func (t *fitter) flushAside() {
	room, second := t.roomOfWindow(), t.window
	t.window = t.aside
	t.aside.count = 0
	if !t.sayTable(room) {
		t.silent = true
		t.sayHandle(encode.Frame{First: t.window.first, Last: t.window.last, Onward: true}, t.left-t.reserve)
		t.leaveOut()
	}
	t.window = second
	switch {
	case t.window.count == 0:
	case t.silent:
		t.leaveOut()
	case t.closed:
		next := t.window.last + 1
		if t.say(budget.Summary, 0, room); !t.silent && t.last >= next {
			t.silent = true
			t.sayHandle(encode.Frame{First: next, Last: t.last, Onward: true}, t.left-t.reserve)
		}
	}
}

// endAside completes the final frame with the summary of the response, and says what is set aside with what that leaves: the first
// lines as they are, records as a table. Then comes the end as it is, if it is short, and else where the rest is.
func (t *fitter) endAside(final *encode.Frame) {
	second, room, forHandle := t.window, t.roomOfWindow(), t.costOfHandle()
	forSummary, forRows, forEnd := 0, 0, 0
	if t.closed {
		forRows = room // of lines that are not told as they are
		if second.count > 0 {
			forSummary = room // none where that is not worth it
		}
	}
	end := t.ending()
	t.summarizeWhole(final, &end, t.roomOfSummary(t.left-forHandle-room-forSummary))
	forFinal := t.costLater(final, len(t.aside.held)+len(second.held)+windowFrames)
	spare := t.left - forHandle - forSummary - forFinal
	if spare < 0 || t.allowed() > budget.Table {
		t.sayHandle(encode.Frame{First: t.aside.first, Last: t.last, Onward: true}, t.left-forFinal)
		return
	}
	isRaw := t.allowed() == budget.Raw
	if isRaw && !t.closed {
		forEnd = t.rawCostAfter(len(t.aside.held)+windowFrames, spare/2)
	}
	if end.isText {
		if final.Tail = nil; forEnd == 0 {
			t.addTail(final, &end, forFinal+max(0, spare-forRows)/2)
		}
		spare += forFinal
		forFinal = t.costLater(final, len(t.aside.held)+len(second.held)+windowFrames)
		spare -= forFinal
	}

	t.window = t.aside
	forTable := spare - forEnd
	if isRaw && t.window.held[0].isText {
		forTable = min(forRows, spare)
		t.sayHeld(spare - forEnd - forTable)
	}
	from := t.window.first
	if t.areDocuments(forTable) {
		from = t.sayDocuments(forTable-forHandle) + 1
	}
	if from == t.window.first && t.sayTable(forTable) {
		from = t.aside.last + 1
	}
	isTold := from > t.window.first
	t.window = second
	if forSummary > 0 && isTold {
		if from <= t.aside.last {
			t.sayHandle(encode.Frame{First: from, Last: t.aside.last}, t.left-forFinal-forSummary)
		}
		from = second.last + 1
		t.say(budget.Summary, 0, forSummary)
	}
	switch {
	case t.silent || from > t.last:
	case forEnd == 0:
		t.sayHandle(encode.Frame{First: from, Last: t.last, Onward: true}, t.left-forFinal)
	case from < second.first:
		t.sayHandle(encode.Frame{First: from, Last: second.first - 1}, t.left-forFinal-forEnd)
		fallthrough
	default:
		t.sayRaw(forEnd)
	}
}

// rawCostAfter is what the window costs as it is when so many frames have been written before it; 0 if that is more than room.
func (t *fitter) rawCostAfter(frames, room int) int {
	if t.window.count == 0 || !t.window.whole {
		return 0
	}
	t.seq += frames
	defer func() { t.seq -= frames }()
	if !t.rawFits(room) {
		return 0
	}
	return t.rawCost()
}

// roomOfSummary is what of a room is for the summary of the response: the less of it, the more of the response fits as it is. When that
// is half, it is all.
func (t *fitter) roomOfSummary(room int) int {
	asRead, asFrames := 0, 0
	for i, h := range t.aside.held {
		frame := h.frame(t.aside.arena)
		asRead += len(frame.Data)
		asFrames += len(t.probed(&frame, i))
	}
	times := t.read / float64(t.Budget.Tokens) * float64(asFrames) / float64(max(1, asRead))
	return int(float64(room) * max(finalShare/100., min(1, times-1)))
}

// windowFrames is how many frames there are, at most, of windows that are told otherwise than as they are.
const windowFrames = 3

// costLater is what the frame costs at most when so many frames have been written before it.
func (t *fitter) costLater(frame *encode.Frame, frames int) int {
	now := t.cost(frame)
	t.seq += frames
	later := t.cost(frame)
	t.seq -= frames
	return max(now, later)
}

// costOfHandle is what a frame costs at most that says where the rest is.
func (t *fitter) costOfHandle() int {
	name, _ := t.handle()
	frame := encode.Frame{Mode: budget.HandleOnly, First: t.last, Last: t.last, Handle: name}
	tokens := t.costLater(&frame, t.last)
	frame.Onward = true
	return max(tokens, t.costLater(&frame, t.last))
}

// sayHeld writes as many chunks of the window as fit raw, from the first one on.
func (t *fitter) sayHeld(room int) {
	w := &t.window
	for len(w.held) > 0 && t.allowed() == budget.Raw {
		frame, before := w.held[0].frame(w.arena), t.left
		if !t.send(&frame, room) {
			break
		}
		room -= before - t.left
		w.held = w.held[1:]
		w.first, w.count = frame.First+1, w.count-1
	}
	w.measured, w.counted, w.rawTokens, w.rawBytes = 0, 0, 0, 0
}

// sayTable writes the window as a table, and reports whether it did.
func (t *fitter) sayTable(room int) bool {
	if t.window.count == 0 || room < leastWindow {
		return false
	}
	frame, ok := t.table(room)
	return ok && t.sayFrame(&frame, room)
}

// areDocuments says whether the window holds documents whose records had better be the rows: as rows themselves they would have cut cells
// though there is room.
func (t *fitter) areDocuments(room int) bool {
	w := &t.window
	if w.count < 2 || room < leastWindow || w.held[0].isText || !summarize.HoldsRecords(w.held[0].data.of(w.arena)) {
		return false
	}
	frame, ok := t.table(room)
	return ok && frame.Omitted.Cells > 0 && 2*t.cost(&frame) < room
}

// sayDocuments writes tables of the records in the documents of the window, one of each from the first one on, as long as there is room.
// It returns the number of the last document, that before the first one if there is none.
func (t *fitter) sayDocuments(room int) (last int) {
	all := t.window
	last = all.first - 1
	for i := range all.held {
		before := t.left
		t.window = all
		if t.window.keepOnly(i); !t.sayTable(room) {
			break
		}
		room -= before - t.left
		last = all.held[i].seq
	}
	t.window = all
	return last
}

// keepOnly leaves nothing but one of the chunks that the window holds.
func (w *window) keepOnly(i int) {
	w.held, w.count = w.held[i:i+1], 1
	w.first, w.last = w.held[0].seq, w.held[0].seq
	w.measured, w.counted, w.rawTokens, w.rawBytes, w.notable, w.missed = 0, 0, 0, 0, nil, nil
}
