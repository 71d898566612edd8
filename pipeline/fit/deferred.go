package fit

import (
	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/tabulate"
)

// By a plan without phases, what can be said of the first window depends on what the summary of the whole response
// leaves, and that is known when the response has ended. So that window is deferred, and so is the next one.

// deferred is the first window of a response, which does not fit raw, and when the next one is full.
type deferred struct {
	window window
	read   float64 // about how many tokens the response has so far
	due    float64 // what that must be for the second window to be full; 0 before there is one
}

// reach is how much more than before has to be read for the second window to be full.
const reach = 4

// leastReach is the same after a window that was held for longer than it could be shown raw.
const leastReach = 1.5

// hasDeferred reports whether a window is deferred.
func (t *fitter) hasDeferred() bool { return t.deferred.window.count > 0 }

// deferFull defers the first window when it is full: when it neither fits raw nor as a table that shows all. When the
// second one is full, no more chunks are held.
func (t *fitter) deferFull() {
	if t.hasDeferred() {
		if t.deferred.read >= t.deferred.due {
			t.showNoMore()
		}
		return
	}
	if !t.rawFits(&t.window, t.left, t.next) && !t.waits() {
		t.deferWindow()
	}
}

// deferWindow keeps the first window for later. The next one is full when so much more has been read.
func (t *fitter) deferWindow() {
	d := &t.deferred
	t.window.useLabels()
	d.due = d.read * reach
	if t.window.laid > 0 {
		d.due = max(t.window.rawUpTo*reach, d.read*leastReach)
	}
	facts := t.window.facts
	t.window, d.window = d.window, t.window
	t.window.facts, d.window.facts = facts, nil
	t.lossy = true
	t.worker.begin()
}

// waits reports whether the window, though it is too much to be shown raw, could be shown whole as a table if the
// response ended here. It is laid out again when it has grown by half.
func (t *fitter) waits() bool {
	w := &t.window
	if !w.whole || t.lossy || t.allowed() > budget.Table ||
		len(w.held.arena) > max(windowBytes, tableBytes*t.Budget.Tokens) {
		return false
	}
	if len(w.held.arena) < w.laid {
		return true
	}
	if w.laid == 0 {
		w.rawUpTo = t.deferred.read
	}
	w.laid = len(w.held.arena) + len(w.held.arena)/2
	_, ok := t.wholeTable(w, w.count, t.left-t.reserve)
	return ok
}

// roomOfWindow is what a frame of a window may cost, 0 if that is not worth it.
func (t *fitter) roomOfWindow() int {
	room := t.share(t.Plan.Shares.Window)
	if room = min(room, t.left-t.keepBack()); room < leastWindow {
		return 0
	}
	return room
}

// sayDeferred completes the final frame with the summary of the response, and writes what is deferred with what that
// leaves: the first lines as they are, records as a table. Then it writes the end as it is, if that is short, or else
// where the rest is.
func (t *fitter) sayDeferred(final *encode.Frame) {
	first, second, room, forHandle := &t.deferred.window, &t.window, t.roomOfWindow(), t.costOfHandle()
	frames := first.held.len() + second.held.len() + windowFrames
	forSummary, forRows, forEnd := 0, 0, 0
	if t.closed {
		forRows = room // of lines that are not shown as they are
		if second.count > 0 {
			forSummary = room // none where that is not worth it
		}
	}
	end := t.ending()
	t.summarizeWhole(final, &end, t.roomForWhole(t.left-forHandle-room-forSummary))
	forFinal := t.costLater(final, frames)
	if t.closed && !end.isText {
		forFinal += t.left * t.Plan.Shares.Tail / 100 // for the last records
	}
	spare := t.left - forHandle - forSummary - forFinal
	if spare < 0 {
		t.sayRest(first.first, t.left-forFinal)
		return
	}
	isRaw := t.allowed() == budget.Raw
	if isRaw && !t.closed {
		forEnd = t.costRawAfter(second, first.held.len()+windowFrames, spare/2)
	}
	if end.isText {
		if final.Tail = nil; forEnd == 0 {
			t.addTail(final, &end, forFinal+max(0, spare-forRows)/2)
		}
		spare += forFinal
		forFinal = t.costLater(final, frames)
		spare -= forFinal
	}
	from := t.sayFirst(first, spare-forEnd, forRows, forHandle)
	isSaid := from > first.first
	if forSummary > 0 && isSaid {
		if from <= first.last {
			t.sayHandle(encode.Frame{First: from, Last: first.last}, t.left-forFinal-forSummary)
		}
		from = second.last + 1
		if frame, ok := t.summary(second, forSummary); !ok || !t.sayFrame(&frame, second, forSummary) {
			from = second.first
		}
	}
	switch {
	case from > t.seen.last:
	case forEnd == 0:
		t.sayRest(from, t.left-forFinal)
	case from < second.first:
		// Where the gap before the end can't be said, the end is not shown either.
		if !t.sayHandle(encode.Frame{First: from, Last: second.first - 1}, t.left-forFinal-forEnd) {
			t.sayRest(from, t.left-forFinal)
		} else if !t.sayRaw(second, forEnd) {
			t.sayRest(second.first, t.left-forFinal)
		}
	case !t.sayRaw(second, forEnd):
		t.sayRest(max(from, second.first), t.left-forFinal)
	}
	if t.closed && !end.isText {
		t.addTail(final, &end, t.left)
	}
}

// sayFirst writes the deferred window with so many tokens: its first lines as they are, of which it keeps forRows for
// the others, or its records as a table. It returns the number of the first chunk that no frame speaks for.
func (t *fitter) sayFirst(w *window, room, forRows, forHandle int) (from int) {
	forTable := room
	if t.allowed() == budget.Raw && w.held.at(0).isText {
		forTable = min(forRows, room)
		t.sayHeld(w, room-forTable)
	}
	from = w.first
	if t.areDocuments(w, forTable) {
		from = t.sayDocuments(w, forTable-forHandle) + 1
	}
	if from == w.first && t.sayTable(w, forTable) {
		from = w.last + 1
	}
	return from
}

// sayRest writes where the chunks from a number on can be read, if that costs no more than room.
func (t *fitter) sayRest(from, room int) {
	t.sayHandle(encode.Frame{First: from, Last: t.seen.last, Onward: true}, room)
}

// roomForWhole is what of a room is for the summary of the response. It shrinks as more of the response fits as it
// is: the summary has all if half of the response fits.
func (t *fitter) roomForWhole(room int) int {
	asRead, asFrames := 0, 0
	held := &t.deferred.window.held
	for i := range held.len() {
		frame := held.frame(i)
		asRead += len(frame.Data)
		asFrames += len(t.probed(&frame, i+1, t.next))
	}
	times := t.deferred.read / float64(t.Budget.Tokens) * float64(asFrames) / float64(max(1, asRead))
	return int(float64(room) * max(float64(t.Plan.Shares.Final)/100, min(1, times-1)))
}

// windowFrames is how many frames there are, at most, of windows that are not shown raw.
const windowFrames = 3

// costOfHandle is what a frame costs at most that says where the rest is, or where several chunks are.
func (t *fitter) costOfHandle() int {
	name, _ := t.handle.name()
	frame := encode.Frame{Mode: budget.HandleOnly, First: max(1, t.seen.last-1), Last: t.seen.last, Handle: name}
	tokens := t.costLater(&frame, t.seen.last)
	frame.Onward = true
	return max(tokens, t.costLater(&frame, t.seen.last))
}

// sayFrame writes the window as this frame, or raw if that costs no more.
func (t *fitter) sayFrame(frame *encode.Frame, w *window, room int) bool {
	if !t.nameBlobs(frame) || !t.fits(frame, room) {
		return false
	}
	tokens := t.cost(frame)
	if t.allowed() == budget.Raw && w.whole && t.rawFits(w, tokens, t.next) && t.sayRaw(w, room) {
		return true
	}
	if !t.send(frame, room) {
		return false
	}
	t.lossy = t.lossy || frame.Omitted.Omitted != (tabulate.Omitted{})
	if frame.Rows != nil {
		t.tabled += tokens
	}
	t.notices.due.Clear()
	t.verbatim.end()
	w.count = 0
	return true
}

// sayHeld writes as many chunks of the window as fit raw, from the first one on.
func (t *fitter) sayHeld(w *window, room int) {
	for w.held.len() > 0 && t.allowed() == budget.Raw {
		frame, before := w.held.frame(0), t.left
		if !t.sendRaw(&frame, room) {
			break
		}
		room -= before - t.left
		w.dropFirst()
	}
	w.raw = rawCost{}
}

// sayTable writes the window as a table, and reports whether it did.
func (t *fitter) sayTable(w *window, room int) bool {
	if w.count == 0 || room < leastWindow {
		return false
	}
	frame, ok := t.table(w, room)
	return ok && t.sayFrame(&frame, w, room)
}

// areDocuments reports whether the window holds documents whose records had better be the rows: as rows themselves they
// would have cut cells though there is room.
func (t *fitter) areDocuments(w *window, room int) bool {
	if w.count < 2 || room < leastWindow {
		return false
	}
	if first := w.held.at(0); first.isText || !structure.HoldsRecords(first.data.of(w.held.arena)) {
		return false
	}
	frame, ok := t.table(w, room)
	return ok && frame.Omitted.Cells > 0 && 2*t.cost(&frame) < room
}

// sayDocuments writes tables of the records in the documents of the window, one of each from the first one on, as
// long as there is room. It returns the number of the last document, that before the first one if there is none.
func (t *fitter) sayDocuments(w *window, room int) (last int) {
	last = w.first - 1
	for i := range w.held.len() {
		before, one := t.left, w.only(i)
		if !t.sayTable(&one, room) {
			break
		}
		room -= before - t.left
		last = w.held.at(i).last
	}
	return last
}
