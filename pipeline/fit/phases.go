package fit

import (
	"sort"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// By plan live, a window of chunks is written as soon as it is full: as a table that shows all of it while
// 30 % of the budget are left, then as a summary, and at last by its handle.

// Bounds of the chunks of a full window. It doubles with each frame: the first ones come soon, the later ones say more
// for a token.
const (
	leastWindowChunks = 2
	mostWindowChunks  = 64
)

// shareOfWindow is the part of the budget, in percent, for the summary of a window: enough to say something of some
// dozens of chunks, and several of them fit.
const shareOfWindow = 5

// isFull reports whether the window holds as much as one frame is to speak for.
func (w *window) isFull() bool { return w.count >= w.size || len(w.held.arena) >= windowBytes }

// flush writes the window if it is full, as far as it goes, in the mode that the share left allows. If isForced, it
// writes a window that is not full, too. What is left in the window after that waits for more chunks.
func (t *fitter) flush(isForced bool) {
	t.isLarge = false
	t.window.useLabels()
	for t.window.count > 0 && !t.closed && !t.stopped && t.handle.err == nil {
		mode := t.mode()
		switch {
		case mode == budget.HandleOnly:
			t.sayNoMore()
		case !isForced && !t.window.isFull():
			return
		case mode <= budget.Table && t.flushTable():
		case mode <= budget.Table: // the first chunk alone does not fit as a table
			t.flushSummary(1, true)
		case !t.flushSummary(t.window.count, isForced):
			return
		}
	}
}

// wrote forgets the first n chunks of the window, for which a frame has spoken. The next window is larger.
func (t *fitter) wrote(n int) {
	t.notices.due.Clear()
	t.verbatim.end()
	t.window.drop(n)
	t.window.size = min(2*t.window.size, mostWindowChunks)
}

// flushTable writes a table of the first chunks of the window: of all, or of as many as there is room for in this
// phase, and the one that ends it. It reports whether it wrote one.
func (t *fitter) flushTable() bool {
	mode := max(t.mode(), budget.Table)
	tableOf := func(n int) (frame encode.Frame, endsPhase bool) {
		frame, _ = t.wholeTable(&t.window, n, maxTokens)
		return frame, t.modeWith(t.left-t.cost(&frame)) > mode
	}
	n := t.window.count
	frame, endsPhase := tableOf(n)
	if endsPhase {
		n = 1 + sort.Search(n-1, func(i int) bool {
			_, ends := tableOf(i + 1)
			return ends
		})
		if frame, _ = tableOf(n); n > 1 && !t.fits(&frame, t.left-t.reserve) {
			n--
			frame, _ = tableOf(n)
		}
	}
	if !t.nameBlobs(&frame) || !t.send(&frame, t.left-t.reserve) {
		return false
	}
	t.tabled = true
	t.wrote(n)
	return true
}

// maxTokens is more than any budget.
const maxTokens = 1 << 62

// flushSummary writes a summary of the first n chunks of the window, which never costs more than they would in its
// place. If no fact has room, the window waits until it is twice as large, or, if isForced or at its largest, the
// summary only counts. It reports whether the window has become smaller.
func (t *fitter) flushSummary(n int, isForced bool) bool {
	w := &t.window
	frame := t.windowFrame(w, budget.Summary, n)
	frame.Omitted.Rows, frame.Handle = n, longestHandle
	found := w.outliersOf(n)
	frame.Omitted.Notable = found.kinds()
	w.facts.Reset()
	for i := range n {
		w.facts.Add(w.held.at(i).record(w.held.arena))
	}
	w.summed = 0
	room := t.roomOfSummary(frame, n)
	if frame.Facts = w.facts.Facts(func(tree *facts.Tree) bool {
		frame.Facts = tree
		return t.fits(&frame, room)
	}); frame.Facts == nil {
		if !isForced && w.size < mostWindowChunks {
			w.size *= 2
			return false
		}
		frame.Omitted.Notable = nil
		room = t.left - t.reserve
	}
	name, ok := t.handle.name()
	if !ok {
		return false
	}
	frame.Handle = name
	if frame.Facts != nil {
		t.addOutliers(&frame, found.kept, found.missed, room)
		t.sayKinds(&frame, room)
	}
	if !t.send(&frame, room) {
		t.sayNoMore()
		return false
	}
	t.lossy = true
	t.wrote(n)
	return true
}

// roomOfSummary is what a summary of the first n chunks of the window may cost: a share of the budget that keeps it
// within its phase, if that is enough to say something, and no more than the chunks would cost in the same frame.
func (t *fitter) roomOfSummary(frame encode.Frame, n int) int {
	mode := t.mode()
	inPhase := sort.Search(t.left, func(tokens int) bool { return t.modeWith(t.left-tokens) > mode }) - 1
	room := max(t.share(shareOfWindow), leastWindow)
	if inPhase >= leastWindow {
		room = min(room, inPhase)
	}
	room = min(room, t.left-t.reserve)
	records, size := t.window.recordsOf(n), 0
	for i := range records.Len() {
		size += len(records.At(i).Value)
	}
	if least, _ := t.Counter.Bounds(size); least >= room {
		return room // the chunks cost more
	}
	frame.Rows = append(t.rows[:0], '[')
	for i := range records.Len() {
		if i > 0 {
			frame.Rows = append(frame.Rows, ',')
		}
		r := records.At(i)
		frame.Rows = encode.AppendData(frame.Rows, r.Value, r.IsText)
	}
	frame.Rows = append(frame.Rows, ']')
	t.rows = frame.Rows
	return min(room, t.cost(&frame))
}

// sayNoMore names the handle of the chunks that wait. No frame follows but the final one, which speaks for all.
func (t *fitter) sayNoMore() {
	t.sayHandle(encode.Frame{First: t.window.first, Last: t.window.last, Onward: true}, t.left-t.Least())
	t.leaveOut()
	t.showNoMore()
}

// flushIfDue writes what has waited as long as it may: the window, and a blob that goes on.
func (t *fitter) flushIfDue() {
	flushAfter := t.MayHold()
	isDue := split.IsDue(t.window.since, t.waited, flushAfter)
	if t.blobs.labeler.IsOpen() && split.IsDue(t.blobs.since, t.waited, flushAfter) {
		t.endBlob()
		isDue = true
	}
	if isDue && t.window.count > 0 {
		t.flush(true)
	}
}

// leaveOut leaves the chunks of the window, and their warnings, to the final frame.
func (t *fitter) leaveOut() {
	t.lossy = true
	t.takeWarnings(&t.window, t.window.held.len())
	t.window.count = 0
}
