package pipeline

import (
	"slices"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/summarize"
)

// Bounds of what a window keeps as it is, in bytes and in chunks. What comes after is counted and summarized, and the
// last chunk is kept.
const (
	windowBytes   = 64 << 10
	notableBytes  = 2 << 10 // of one
	notableChunks = 8       // of a window
)

// tableBytes is how many bytes of chunks for each token of the budget may wait to be shown whole as a table.
const tableBytes = 12

// bytesPerToken is more than any text has that is worth a table.
const bytesPerToken = 16

// window holds the chunks that wait for a frame.
type window struct {
	since       time.Time
	first, last int
	count       int
	whole       bool      // all of them are held
	measured    int       // how many of held are known in bytes as raw frames
	counted     int       // how many of these in tokens
	rawTokens   int       // what those cost
	rawBytes    int       // what the others that are measured take
	laid        int       // bytes up to which it is taken to fit as a table; 0 while it fits raw
	rawUpTo     float64   // what had been read when it did not any more
	arena       []byte    // of held
	held        []heldRaw // chunks from the first on
	lastChunk   heldRaw   // the last one, if it is not among them
	lastBytes   []byte
	notable     []Notable
	missed      kinds              // of chunks that stand out and are not kept
	facts       *summarize.Summary // of held up to summed, and of what came after held
	summed      int
	records     []summarize.Record
}

// heldRaw is a raw frame whose bytes are in an arena.
type heldRaw struct {
	seq      int
	top      int // number of the value at the top
	path     span
	data     span
	size     int // bytes as a raw frame, once that is measured
	isText   bool
	goesOn   bool
	warnings []Warning
}

type span struct{ from, to int }

func (s span) of(arena []byte) []byte { return arena[s.from:s.to] }

// gather puts a chunk into the window, and why it stands out if it does.
func (t *fitter) gather(raw *Frame, why, kind string) {
	w := &t.window
	if w.count == 0 {
		w.facts.Reset()
		w.since, w.first, w.whole = time.Now(), raw.First, true
		w.measured, w.counted, w.rawTokens, w.rawBytes, w.laid, w.summed = 0, 0, 0, 0, 0, 0
		w.arena, w.held, w.notable, w.missed = w.arena[:0], w.held[:0], w.notable[:0], w.missed[:0]
	}
	w.count++
	w.last = raw.First
	if why != "" {
		n := Notable{Chunk: raw.First, Why: why, Kind: kind, Data: raw.Data, IsText: raw.IsText}
		if len(w.notable) < notableChunks && len(raw.Data) <= notableBytes {
			n.Data = slices.Clone(n.Data)
			w.notable = append(w.notable, n)
		} else {
			w.missed = w.missed.add(kind, 1)
		}
	}
	if w.whole = w.whole && (t.due == 0 || len(w.arena)+len(raw.Data) <= windowBytes); w.whole {
		var held heldRaw
		w.arena, held = hold(w.arena, raw)
		w.held = append(w.held, held)
		return
	}
	w.sumUp()
	w.facts.Add(summarize.Record{Seq: raw.First, Top: raw.top, Path: raw.Path, Value: raw.Data, IsText: raw.IsText, GoesOn: raw.goesOn})
	t.warnings.add(raw.Warnings)
	w.lastBytes, w.lastChunk = hold(w.lastBytes[:0], raw)
}

// probed encodes a chunk of the window as the raw frame with this number in it, as long as that can get.
func (t *fitter) probed(raw *Frame, number int) []byte {
	t.probe = *raw
	t.probe.Seq, t.probe.Left, t.probe.Filtered = t.seq+number, t.Budget.Tokens, t.Filtered
	t.scratch = t.Encoding(t.scratch[:0], &t.probe)
	return t.scratch
}

// sumUp adds the chunks that are held to the facts of the window.
func (w *window) sumUp() {
	for ; w.summed < len(w.held); w.summed++ {
		w.facts.Add(w.held[w.summed].record(w.arena))
	}
}

// rawFits reports whether the window, all of which is held, costs no more than room as raw frames. Each of them is measured
// and counted once, and only when what is known of them does not tell.
func (t *fitter) rawFits(room int) bool {
	w := &t.window
	for {
		least, most := t.Counter.Bounds(w.rawBytes)
		switch {
		case w.rawTokens+least > room:
			return false
		case w.measured < len(w.held):
			h := &w.held[w.measured]
			w.measured++
			frame := h.frame(w.arena)
			h.size = len(t.probed(&frame, w.measured))
			w.rawBytes += h.size
		case most <= room-w.rawTokens: // most may be as large as numbers get
			return true
		default:
			t.countHeld()
		}
	}
}

// countHeld counts one more of the chunks that are measured.
func (t *fitter) countHeld() {
	w := &t.window
	h := &w.held[w.counted]
	w.counted++
	frame := h.frame(w.arena)
	w.rawTokens += t.count(t.probed(&frame, w.counted))
	w.rawBytes -= h.size
}

// rawCost is what the window, which fits somewhere as raw frames, costs as these.
func (t *fitter) rawCost() int {
	for t.window.counted < t.window.measured {
		t.countHeld()
	}
	return t.window.rawTokens
}

func hold(arena []byte, raw *Frame) ([]byte, heldRaw) {
	h := heldRaw{seq: raw.First, top: raw.top, isText: raw.IsText, goesOn: raw.goesOn, warnings: slices.Clone(raw.Warnings)}
	h.path.from = len(arena)
	arena = append(arena, raw.Path...)
	h.path.to = len(arena)
	h.data.from = len(arena)
	arena = append(arena, raw.Data...)
	h.data.to = len(arena)
	return arena, h
}

func (h heldRaw) frame(arena []byte) Frame {
	return Frame{Mode: budget.Raw, First: h.seq, Last: h.seq, Path: h.path.of(arena), Data: h.data.of(arena), IsText: h.isText, Warnings: h.warnings}
}

func (h heldRaw) record(arena []byte) summarize.Record {
	return summarize.Record{Seq: h.seq, Top: h.top, Path: h.path.of(arena), Value: h.data.of(arena), IsText: h.isText, GoesOn: h.goesOn}
}

// flushSlow says what the window holds because it has waited as long as it may: with half of what its phase still has.
func (t *fitter) flushSlow(mode budget.Mode) {
	total := t.Budget.Tokens
	if mode == budget.Raw && t.sayRaw(t.left-total*rawPhase/100) {
		return
	}
	most := t.left - t.keepBack()
	share := total * windowShare / 100
	table := min(max((t.left-total*tablePhase/100)/2, share), most)
	summary := min(max((t.left-total*summaryPhase/100)/2, share), most)
	t.say(max(mode, budget.Table), table, summary)
}

// flushFull does with a window that is full what its turn is. The first one is set aside, if what it holds may be shown as it is, and
// the next one waits with it. Else the first is told as a table, the next as a summary, and of what follows only where it is; if a
// table is the most that the caller or the session allows, the first has half of what there is.
func (t *fitter) flushFull(mode budget.Mode) {
	isFirst := t.next == budget.Table
	switch {
	case t.hasAside():
		t.closed = true
		return
	case isFirst && t.window.whole && !t.lossy && t.allowed() == budget.Raw:
		t.next = budget.Summary
		t.setAside()
		return
	}
	mode = budget.Strictest(mode, t.next)
	t.next = min(t.next+1, budget.HandleOnly)
	room := t.Budget.Tokens * windowShare / 100
	if isFirst && mode == budget.Table && t.allowed() == budget.Table {
		room = max(room, (t.left-t.keepBack())/2)
	}
	if room < leastWindow {
		mode = budget.HandleOnly
	}
	room = min(room, t.left-t.keepBack())
	t.say(mode, room, room)
}

// end says what is still pending when the input has ended: in the least strict mode that the caller and the session
// allow and that fits. What does not is left to the final frame, which speaks for all.
func (t *fitter) end(failed error) {
	if t.window.count == 0 || t.stopped || t.hasAside() {
		return
	}
	allowed := t.allowed()
	final := t.reserve
	most := min(t.Budget.Tokens*rawShare/100, t.left-t.keepBack()) // the rest is for the summary of the whole
	if !t.lossy {
		final = t.leastFinal(failed)
		most = t.left - final
	}
	if allowed == budget.Raw && t.sayRaw(most) {
		return
	}
	if allowed <= budget.Table {
		room := t.left - t.reserve
		if t.lossy { // the other half is for the summary of the whole
			room = (t.left - t.keepBack()) / 2
		}
		if frame, ok := t.wholeTable(room); ok && t.sayFrame(&frame, room) {
			return
		}
	}
	if allowed == budget.Raw && t.window.whole && !t.lossy {
		t.setAside()
		return
	}
	if allowed == budget.Table {
		room := (t.left - t.keepBack()) / 2
		t.say(allowed, room, room)
		return
	}
	if allowed == budget.Summary && t.window.first == t.first {
		if frame, ok := t.summary(t.left - t.keepBack()); ok && t.rawFits(t.cost(&frame)) && t.sayRaw(t.left-final) {
			return // a summary that costs more than what it sums up
		}
	}
	t.leaveOut()
}

// leaveOut leaves the chunks of the window, and what they are warned of, to the final frame.
func (t *fitter) leaveOut() {
	t.lossy = true
	t.takeWarnings()
	t.window.count = 0
}

// say writes the window in this mode or a stricter one, within the room of each.
func (t *fitter) say(mode budget.Mode, table, summary int) {
	if mode <= budget.Table {
		if frame, ok := t.table(table); ok && t.sayFrame(&frame, table) {
			return
		}
	}
	if mode <= budget.Summary {
		if frame, ok := t.summary(summary); ok && t.sayFrame(&frame, summary) {
			return
		}
	}
	t.silent = true // there will not be more room
	t.sayHandle(Frame{First: t.window.first, Last: t.window.last, onward: true}, t.left-t.reserve)
	t.due = t.read
	t.leaveOut()
}

// sayFrame writes the window as this frame, or raw if that costs no more.
func (t *fitter) sayFrame(frame *Frame, room int) bool {
	if !t.fits(frame, room) {
		return false
	}
	tokens := t.cost(frame)
	if t.window.whole && t.rawFits(tokens) && t.sayRaw(room) {
		return true
	}
	if !t.send(frame, room) {
		return false
	}
	t.gathers = true
	t.lossy = t.lossy || frame.Handle != ""
	if frame.Rows != nil {
		t.tabled += tokens
	}
	t.warnings.kept = t.warnings.kept[:0]
	t.close()
	return true
}

// sayRaw writes the window as raw frames if they fit.
func (t *fitter) sayRaw(room int) bool {
	w := &t.window
	if !w.whole || !t.rawFits(room) {
		return false
	}
	for _, h := range w.held {
		frame := h.frame(w.arena)
		if !t.send(&frame, t.left) {
			return t.stopped
		}
	}
	t.close()
	return true
}

// close empties the window. The next one is full when so much more has been read.
func (t *fitter) close() {
	if t.full() {
		t.due = t.read * reach
		if t.window.laid > 0 {
			t.due = max(t.window.rawUpTo*reach, t.read*leastReach)
		}
	}
	t.window.count = 0
}

// takeWarnings takes what the chunks of the window are warned of.
func (t *fitter) takeWarnings() {
	for i := range t.window.held {
		t.warnings.add(t.window.held[i].warnings)
		t.window.held[i].warnings = nil
	}
}

// windowFrame begins a frame that speaks for the window.
func (t *fitter) windowFrame(mode budget.Mode) Frame {
	t.takeWarnings()
	return Frame{Mode: mode, First: t.window.first, Last: t.window.last, Warnings: t.warnings.kept}
}

// waits reports whether the window, though it is too much to be shown raw, could be shown whole as a table if the
// response ended here. It is laid out again when it has grown by half.
func (t *fitter) waits() bool {
	w := &t.window
	if !w.whole || t.lossy || t.allowed() > budget.Table || len(w.arena) > max(windowBytes, tableBytes*t.Budget.Tokens) {
		return false
	}
	if len(w.arena) < w.laid {
		return true
	}
	if w.laid == 0 {
		w.rawUpTo = t.read
	}
	w.laid = len(w.arena) + len(w.arena)/2
	_, ok := t.wholeTable(t.left - t.reserve)
	return ok
}

// wholeTable makes a table of all that the window holds, if that fits in room.
func (t *fitter) wholeTable(room int) (frame Frame, ok bool) {
	if !t.window.whole {
		return Frame{}, false
	}
	frame = t.windowFrame(budget.Table)
	fits, cheaper := t.layInto(&frame, room)
	table, ok := t.tables.TabulateAll(t.heldRecords(), fits, cheaper)
	if ok {
		t.lay(&frame, table)
	}
	return frame, ok
}

// table makes the table that says most in room.
func (t *fitter) table(room int) (Frame, bool) {
	frame := t.windowFrame(budget.Table)
	fits, cheaper := t.layInto(&frame, room)
	table, ok := t.tables.Tabulate(t.heldRecords(), t.window.count, room*bytesPerToken, fits, cheaper)
	if !ok {
		return Frame{}, false
	}
	t.lay(&frame, table)
	if frame.Handle == "" {
		return frame, true
	}
	return t.named(frame, room)
}

// heldRecords returns the chunks that the window holds, and the last one.
func (t *fitter) heldRecords() []summarize.Record {
	w := &t.window
	w.records = w.records[:0]
	for _, h := range w.held {
		w.records = append(w.records, h.record(w.arena))
	}
	if !w.whole {
		w.records = append(w.records, w.lastChunk.record(w.lastBytes))
	}
	return w.records
}

// layInto returns what a table is asked for: whether the frame fits in room with it, and with which it costs less.
func (t *fitter) layInto(frame *Frame, room int) (fits summarize.Fits, cheaper summarize.Cheaper) {
	fits = func(table summarize.Table) bool {
		t.lay(frame, table)
		return t.fits(frame, room)
	}
	cheaper = func(a, b summarize.Table) bool {
		t.lay(frame, b)
		tokens := t.cost(frame)
		t.lay(frame, a)
		t.scratch = t.Encoding(t.scratch[:0], frame)
		if least, _ := t.Counter.Bounds(len(t.scratch)); least >= tokens {
			return false
		}
		other := t.count(t.scratch)
		if other < tokens {
			t.encoded, t.scratch, t.tokens = t.scratch, t.encoded, other
		}
		return other < tokens
	}
	return fits, cheaper
}

// longestHandle stands for the name of a handle until that is known.
const longestHandle = "h999999"

func (t *fitter) lay(frame *Frame, table summarize.Table) {
	frame.Columns, frame.Rows = table.Columns, table.Rows
	frame.Omitted = Omitted{Omitted: table.Omitted}
	if frame.Handle = ""; table.Omitted != (summarize.Omitted{}) {
		frame.Handle = longestHandle
		frame.Omitted.Notable = kindsOf(t.window.notable, t.window.missed)
	}
}

// summary makes the summary of the window that says most in room.
func (t *fitter) summary(room int) (Frame, bool) {
	w := &t.window
	w.sumUp()
	frame := t.windowFrame(budget.Summary)
	frame.Omitted.Rows = w.count
	frame.Omitted.Notable = kindsOf(w.notable, w.missed)
	frame.Handle = longestHandle
	if frame.Facts = w.facts.Facts(func(facts []byte) bool {
		frame.Facts = facts
		return t.fits(&frame, room)
	}); frame.Facts == nil {
		return Frame{}, false
	}
	return t.named(frame, room)
}

// named puts the handle on a frame that says less than all of the window, and what stands out in it.
func (t *fitter) named(frame Frame, room int) (Frame, bool) {
	name, ok := t.handle()
	frame.Handle = name
	t.addNotable(&frame, t.window.notable, t.window.missed, room)
	t.tellKinds(&frame, room)
	return frame, ok
}
