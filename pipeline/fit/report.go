package fit

import (
	"cmp"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// leastWindow is the smallest frame of a window, in tokens, that says more than the same tokens in the summary of the
// whole.
const leastWindow = 80

// bytesPerToken is more than any text has that is worth a table.
const bytesPerToken = 16

// reporter says of a window as much as there is room for: raw, as a table, as a summary, or by its handle.
type reporter struct {
	*writer
	handle  handle
	notices notices
	present split.Presenter
	tables  tabulate.Tabulator
}

func newReporter(o *Options, h Namer, yield func(encode.Frame, error) bool) reporter {
	most := cmp.Or(o.MaxChunk, split.MaxChunkDefault)
	return reporter{writer: newWriter(o, yield), handle: handle{namer: h}, present: split.NewPresenter(most)}
}

// handle names what was kept of the response.
type handle struct {
	namer Namer
	err   error // the first one
}

// name returns the name under which everything so far can be read. If there is none, that ends the response: nothing is
// left out that can't be read.
func (h *handle) name() (name string, ok bool) {
	if h.err == nil {
		name, h.err = h.namer.Name()
	}
	if h.err != nil {
		return "", false
	}
	return name, true
}

// failure returns what the response failed with, as a frame says it; nil if it did not fail.
func (r *reporter) failure(failed error) *encode.Failure {
	if failed = cmp.Or(failed, r.handle.err); failed == nil {
		return nil
	}
	failure := r.Explain(failed)
	return &failure
}

// sayHandle writes where the chunks that the frame speaks for can be read, if that costs no more than room.
func (r *reporter) sayHandle(frame encode.Frame, room int) bool {
	name, ok := r.handle.name()
	if !ok {
		return false
	}
	frame.Mode, frame.Handle = budget.HandleOnly, name
	return r.send(&frame, room)
}

// rawFits reports whether the window, all of which is held, costs no more than room as raw frames from a position on.
// Each chunk is measured and counted once, and only when what is known of the others does not decide.
func (r *reporter) rawFits(w *window, room int, at position) bool {
	for {
		least, most := r.Counter.Bounds(w.raw.bytes)
		switch {
		case least > room-w.raw.tokens:
			return false
		case w.raw.measured < w.held.len():
			size := 0
			for part := range w.raws(w.raw.measured) {
				frame := w.rawFrame(w.raw.measured, part)
				w.raw.frames++
				size += len(r.probed(&frame, w.raw.frames, at))
			}
			w.raw.measured++
			w.held.list.at(w.raw.measured - 1).size = uint32(size)
			w.raw.bytes += size
		case most <= room-w.raw.tokens:
			return true
		default:
			r.countNext(w, at)
		}
	}
}

// countNext counts one more of the chunks that are measured.
func (r *reporter) countNext(w *window, at position) {
	w.raw.bytes -= int(w.held.list.at(w.raw.counted).size)
	for part := range w.raws(w.raw.counted) {
		frame := w.rawFrame(w.raw.counted, part)
		w.raw.sent++
		w.raw.tokens += r.Cost(r.probed(&frame, w.raw.sent, at))
	}
	w.raw.counted++
}

// costRaw returns what the window costs as raw frames from a position on, once rawFits has found that it fits there.
func (r *reporter) costRaw(w *window, at position) int {
	for w.raw.counted < w.raw.measured {
		r.countNext(w, at)
	}
	return w.raw.tokens
}

// sayRaw writes the window as raw frames if they fit, and if the session still allows the last of them.
func (r *reporter) sayRaw(w *window, room int) bool {
	if !r.rawFits(w, room, r.next) ||
		r.Budget.HasSession() && r.Budget.Allowed(r.left-r.costRaw(w, r.next)) > budget.Raw {
		return false
	}
	for i := range w.held.len() {
		for part := range w.raws(i) {
			frame := w.rawFrame(i, part)
			if !r.sendRaw(&frame, r.left) { // by a counter for which a frame costs more than it did before
				w.drop(i)
				return r.stopped
			}
		}
	}
	w.count = 0
	return true
}

// takeWarnings takes the warnings of the first n chunks of the window.
func (r *reporter) takeWarnings(w *window, n int) {
	for i := range min(n, w.held.len()) {
		if more := w.held.moreOf(i); more != nil {
			r.notices.due.Add(more.warnings)
			more.warnings = nil
		}
	}
}

// windowFrame begins a frame that speaks for the first n chunks of the window.
func (r *reporter) windowFrame(w *window, mode budget.Mode, n int) encode.Frame {
	r.takeWarnings(w, n)
	frame := encode.Frame{Mode: mode, First: w.first, Last: w.last, Warnings: r.notices.due.Kept}
	if n < w.count {
		frame.Last = w.held.at(n - 1).last
	}
	return frame
}

// wholeTable returns a table that shows all of the first n chunks, which the window holds, if that fits in room.
func (r *reporter) wholeTable(w *window, n, room int) (frame encode.Frame, ok bool) {
	frame = r.windowFrame(w, budget.Table, n)
	fits, cheaper := r.layInto(&frame, w, n, room)
	table, ok := r.tables.TabulateAll(w.recordsOf(n), fits, cheaper)
	if ok {
		lay(&frame, w, n, table)
	}
	return frame, ok
}

// table returns the table of the window that says most in room.
func (r *reporter) table(w *window, room int) (encode.Frame, bool) {
	n := w.count
	frame := r.windowFrame(w, budget.Table, n)
	fits, cheaper := r.layInto(&frame, w, n, room)
	table, ok := r.tables.Tabulate(w.recordsOf(n), n, room*bytesPerToken, fits, cheaper)
	if !ok {
		return encode.Frame{}, false
	}
	lay(&frame, w, n, table)
	if table.Omitted == (tabulate.Omitted{}) {
		return frame, r.nameBlobs(&frame)
	}
	return r.withHandle(frame, w.outliersOf(n), room)
}

// layInto returns what a tabulator asks of a table: whether the frame fits in room with it, and which of two tables
// makes it cheaper.
func (r *reporter) layInto(frame *encode.Frame, w *window, n, room int) (fits tabulate.Fits,
	cheaper tabulate.Cheaper) {
	fits = func(table tabulate.Table) bool {
		lay(frame, w, n, table)
		return r.fits(frame, room)
	}
	cheaper = func(a, b tabulate.Table) bool {
		lay(frame, w, n, b)
		tokens := r.cost(frame)
		lay(frame, w, n, a)
		return r.isCheaper(frame, tokens)
	}
	return fits, cheaper
}

// lay puts a table of the first n chunks of a window into a frame.
func lay(frame *encode.Frame, w *window, n int, table tabulate.Table) {
	frame.Columns, frame.Rows = table.Columns, table.Rows
	frame.Omitted = encode.Omitted{Omitted: table.Omitted, Blobs: w.blobsOf(n)}
	frame.Handle = ""
	if table.Omitted != (tabulate.Omitted{}) {
		frame.Omitted.Notable = w.outliersOf(n).kinds()
	}
	if frame.Omitted.Blobs > 0 || table.Omitted != (tabulate.Omitted{}) {
		frame.Handle = longestHandle
	}
}

// summary returns the summary of the whole window that says most in room.
func (r *reporter) summary(w *window, room int) (encode.Frame, bool) {
	w.sumUp()
	frame := r.windowFrame(w, budget.Summary, w.count)
	found := w.outliersOf(w.count)
	frame.Omitted.Rows = w.count
	frame.Omitted.Notable = found.kinds()
	frame.Handle = longestHandle
	if frame.Facts = w.facts.Facts(func(tree *facts.Tree) bool {
		frame.Facts = tree
		return r.fits(&frame, room)
	}); frame.Facts == nil {
		return encode.Frame{}, false
	}
	return r.withHandle(frame, found, room)
}

// withHandle completes a frame that leaves chunks out with the handle, and with the outliers among all of them.
func (r *reporter) withHandle(frame encode.Frame, found outliers, room int) (encode.Frame, bool) {
	name, ok := r.handle.name()
	frame.Handle = name
	r.addOutliers(&frame, found.kept, found.missed, room)
	r.sayKinds(&frame, room)
	return frame, ok
}
