package fit

import (
	"slices"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// Bounds of what a window keeps as it is, in bytes and in chunks. What comes after is counted and summarized, and the
// last chunk is kept.
const (
	windowBytes   = 64 << 10
	notableBytes  = 2 << 10 // of one outlier
	notableChunks = 8       // outliers of a window
)

// leastWindow is the smallest frame of a window, in tokens, that says more than the same tokens in the summary of the
// whole.
const leastWindow = 80

// tableBytes is how many bytes of chunks for each token of the budget may wait to be shown whole as a table.
const tableBytes = 12

// bytesPerToken is more than any text has that is worth a table.
const bytesPerToken = 16

// longestHandle stands for the name of a handle until that is known.
const longestHandle = "h999999"

// window holds the chunks that wait for a frame.
type window struct {
	since       time.Time // when the first one came
	first, last int
	count       int
	size        int        // chunks of a full window, by a plan with phases
	whole       bool       // all of them are held
	raw         rawCost    // of those that are held
	laid        int        // bytes up to which it is taken to fit as a table; 0 while it fits raw
	rawUpTo     float64    // tokens read when it did not fit raw any more
	arena       []byte     // of held
	held        heldList   // chunks from the first on
	more        []heldMore // of some of them
	firstSeq    int        // what their numbers are counted from
	firstTop    int
	lastChunk   heldRaw // the last one, if it is not among them
	lastBytes   []byte
	notable     []encode.Notable   // outliers among the chunks that are not held
	missed      encode.Kinds       // more of these
	facts       *summarize.Summary // of held up to summed, and of what came after held
	summed      int
}

// rawCost is what is known of the cost of the chunks that a window holds, as raw frames.
type rawCost struct {
	measured int // how many of held are known in bytes
	counted  int // how many of these in tokens
	tokens   int // what those cost
	bytes    int // what the others that are measured take
}

// heldRaw is a raw frame whose bytes are in an arena.
type heldRaw struct {
	path   span
	data   span
	isText bool
	goesOn bool
	heldMore
}

// heldMore is what few of the chunks that a window holds need a place for.
type heldMore struct {
	seq       int
	top       int    // number of the value at the top
	why, kind string // if it stands out
	warnings  []split.Warning
}

// packedRaw is a heldRaw in a window, which may hold hundreds of thousands of them.
type packedRaw struct {
	from  int    // where the path is in the arena; the data follow it
	seq   uint32 // from that of the window on
	top   uint32 // the same
	path  uint32 // its length
	data  uint32 // their length
	size  uint32 // bytes as a raw frame, once that is measured
	flags uint32 // and, times flagUnit, the number of its heldMore, from 1; 0 if it has none
}

const (
	flagText = 1 << iota
	flagGoesOn
	flagUnit
)

// pack puts a frame into the window that it stands out in for this reason, if it does.
func (w *window) pack(raw *encode.Frame, why, kind string) {
	var h heldRaw
	w.arena, h = hold(w.arena, raw)
	h.why, h.kind = why, kind
	if w.held.len() == 0 {
		w.firstSeq, w.firstTop = h.seq, h.top
	}
	p := packedRaw{from: h.path.from, seq: uint32(h.seq - w.firstSeq), top: uint32(h.top - w.firstTop),
		path: uint32(len(raw.Path)), data: uint32(len(raw.Data))}
	if h.isText {
		p.flags = flagText
	}
	if h.goesOn {
		p.flags |= flagGoesOn
	}
	isFar := w.firstSeq+int(p.seq) != h.seq || w.firstTop+int(p.top) != h.top
	if why != "" || h.warnings != nil || isFar {
		w.more = append(w.more, h.heldMore)
		p.flags += uint32(len(w.more)) * flagUnit
	}
	w.held.add(p)
}

// at returns the chunk with this index among those that are held.
func (w *window) at(i int) heldRaw {
	p := w.held.at(i)
	data := p.from + int(p.path)
	h := heldRaw{path: span{p.from, data}, data: span{data, data + int(p.data)},
		isText: p.flags&flagText != 0, goesOn: p.flags&flagGoesOn != 0}
	if more := w.moreOf(i); more != nil {
		h.heldMore = *more
	} else {
		h.seq, h.top = w.firstSeq+int(p.seq), w.firstTop+int(p.top)
	}
	return h
}

// moreOf returns what few chunks have, nil if the chunk with this index does not.
func (w *window) moreOf(i int) *heldMore {
	if n := w.held.at(i).flags / flagUnit; n > 0 {
		return &w.more[n-1]
	}
	return nil
}

type span struct{ from, to int }

func (s span) of(arena []byte) []byte { return arena[s.from:s.to] }

// gather puts a chunk into the window, and why it stands out if it does. If holdsAll, the window holds it whatever its
// size. The window returns the warnings of a chunk that it does not hold.
func (w *window) gather(raw *encode.Frame, why, kind string, holdsAll bool) (unheld []split.Warning) {
	if w.count == 0 {
		w.empty()
		w.since, w.first, w.whole = time.Now(), raw.First, true
	}
	w.count++
	w.last = raw.First
	if w.whole = w.whole && (holdsAll || len(w.arena)+len(raw.Data) <= windowBytes); w.whole {
		w.pack(raw, why, kind)
		return nil
	}
	w.sumUp()
	w.facts.Add(summarize.Record{Seq: raw.First, Top: raw.Top, Path: raw.Path, Value: raw.Data, IsText: raw.IsText, GoesOn: raw.GoesOn})
	if why != "" {
		w.notable, w.missed = addOutlier(w.notable, w.missed, raw.First, why, kind, raw.Data, raw.IsText)
	}
	w.lastBytes, w.lastChunk = hold(w.lastBytes[:0], raw)
	return raw.Warnings
}

// empty forgets all that the window holds.
func (w *window) empty() {
	w.facts.Reset()
	w.count, w.summed, w.laid, w.raw = 0, 0, 0, rawCost{}
	clear(w.more)
	w.held.empty()
	w.arena, w.more, w.notable, w.missed = w.arena[:0], w.more[:0], nil, nil
}

// drop forgets the first n chunks, when the window holds all that it has.
func (w *window) drop(n int) {
	if n >= w.count {
		w.count = 0
		return
	}
	from, left, more := w.held.at(n).from, w.held.slice(n, w.held.len()), w.more
	w.arena, w.more = append(w.arena[:0], w.arena[from:]...), nil
	w.held.empty()
	for i := range left.len() {
		p := *left.at(i)
		p.from -= from
		if n := p.flags / flagUnit; n > 0 {
			w.more = append(w.more, more[n-1])
			p.flags = p.flags%flagUnit + uint32(len(w.more))*flagUnit
		}
		w.held.add(p)
	}
	w.count -= n
	w.first = w.at(0).seq
	if w.facts != nil { // of a deferred window there are none
		w.facts.Reset()
	}
	w.summed, w.laid, w.raw = 0, 0, rawCost{}
}

// addOutlier adds a chunk that stands out to those that are kept, or to those that are only counted.
func addOutlier(kept []encode.Notable, missed encode.Kinds, chunk int, why, kind string, data []byte, isText bool) ([]encode.Notable, encode.Kinds) {
	if len(kept) == notableChunks || len(data) > notableBytes {
		return kept, missed.Add(kind, 1)
	}
	return append(kept, encode.Notable{Chunk: chunk, Why: why, Kind: kind, Data: slices.Clone(data), IsText: isText}), missed
}

// outliers returns the chunks that stand out among the first n.
func (w *window) outliers(n int) (kept []encode.Notable, missed encode.Kinds) {
	for i := range min(n, w.held.len()) {
		if h := w.at(i); h.why != "" {
			kept, missed = addOutlier(kept, missed, h.seq, h.why, h.kind, h.data.of(w.arena), h.isText)
		}
	}
	if n < w.count {
		return kept, missed
	}
	for _, later := range w.notable {
		kept, missed = addOutlier(kept, missed, later.Chunk, later.Why, later.Kind, later.Data, later.IsText)
	}
	for _, more := range w.missed {
		missed = missed.Add(more.Rule, more.Count)
	}
	return kept, missed
}

// sumUp adds the chunks that are held to the facts of the window.
func (w *window) sumUp() {
	for ; w.summed < w.held.len(); w.summed++ {
		w.facts.Add(w.at(w.summed).record(w.arena))
	}
}

// recordsOf returns the first n chunks that the window holds, and the last one if it does not hold all.
func (w *window) recordsOf(n int) summarize.Records { return windowRecords{w, min(n, w.held.len())} }

// windowRecords are the first chunks that a window holds, and the last one if it does not hold all.
type windowRecords struct {
	*window
	held int
}

// Len implements summarize.Records.
func (r windowRecords) Len() int {
	if r.whole {
		return r.held
	}
	return r.held + 1
}

// At implements summarize.Records.
func (r windowRecords) At(i int) summarize.Record {
	if i == r.held {
		return r.lastChunk.record(r.lastBytes)
	}
	return r.at(i).record(r.arena)
}

func hold(arena []byte, raw *encode.Frame) ([]byte, heldRaw) {
	h := heldRaw{isText: raw.IsText, goesOn: raw.GoesOn}
	h.seq, h.top = raw.First, raw.Top
	if len(raw.Warnings) > 0 {
		h.warnings = slices.Clone(raw.Warnings)
	}
	h.path.from = len(arena)
	arena = append(arena, raw.Path...)
	h.path.to = len(arena)
	h.data.from = len(arena)
	arena = append(arena, raw.Data...)
	h.data.to = len(arena)
	return arena, h
}

func (h heldRaw) frame(arena []byte) encode.Frame {
	return encode.Frame{Mode: budget.Raw, First: h.seq, Last: h.seq, Path: h.path.of(arena), Data: h.data.of(arena), IsText: h.isText,
		Warnings: h.warnings}
}

func (h heldRaw) record(arena []byte) summarize.Record {
	return summarize.Record{Seq: h.seq, Top: h.top, Path: h.path.of(arena), Value: h.data.of(arena), IsText: h.isText, GoesOn: h.goesOn}
}

// probed encodes a chunk of the window as the raw frame with this number in it, as long as that can get.
func (t *fitter) probed(raw *encode.Frame, number int) []byte {
	t.probe = *raw
	t.probe.Seq, t.probe.Left, t.probe.Filtered, t.probe.SaysLeft = t.seq+number, t.Budget.Tokens, t.Filtered, number <= 1 && t.lastMode != budget.Raw
	t.scratch = t.Encoding.Append(t.scratch[:0], &t.probe)
	return t.scratch
}

// rawFits reports whether the window, all of which is held, costs no more than room as raw frames. Each of them is measured
// and counted once, and only when what is known of them does not decide.
func (t *fitter) rawFits(room int) bool {
	w := &t.window
	for {
		least, most := t.Counter.Bounds(w.raw.bytes)
		switch {
		case least > room-w.raw.tokens:
			return false
		case w.raw.measured < w.held.len():
			frame := w.at(w.raw.measured).frame(w.arena)
			w.raw.measured++
			size := len(t.probed(&frame, w.raw.measured))
			w.held.at(w.raw.measured - 1).size = uint32(size)
			w.raw.bytes += size
		case most <= room-w.raw.tokens:
			return true
		default:
			t.countHeld()
		}
	}
}

// countHeld counts one more of the chunks that are measured.
func (t *fitter) countHeld() {
	w := &t.window
	frame := w.at(w.raw.counted).frame(w.arena)
	w.raw.bytes -= int(w.held.at(w.raw.counted).size)
	w.raw.counted++
	w.raw.tokens += t.Cost(t.probed(&frame, w.raw.counted))
}

// costRaw is what the window, which fits somewhere as raw frames, costs as these.
func (t *fitter) costRaw() int {
	for t.window.raw.counted < t.window.raw.measured {
		t.countHeld()
	}
	return t.window.raw.tokens
}

// sayFrame writes the window as this frame, or raw if that costs no more.
func (t *fitter) sayFrame(frame *encode.Frame, room int) bool {
	if !t.fits(frame, room) {
		return false
	}
	tokens := t.cost(frame)
	if t.allowed() == budget.Raw && t.window.whole && t.rawFits(tokens) && t.sayRaw(room) {
		return true
	}
	if !t.send(frame, room) {
		return false
	}
	t.lossy = t.lossy || frame.Omitted.Omitted != (summarize.Omitted{})
	if frame.Rows != nil {
		t.tabled += tokens
	}
	t.warnings.Clear()
	t.isVerbatim = false
	t.window.count = 0
	return true
}

// sayRaw writes the window as raw frames if they fit, and if the session still allows the last of them.
func (t *fitter) sayRaw(room int) bool {
	w := &t.window
	if !w.whole || !t.rawFits(room) || t.Budget.HasSession() && t.Budget.Allowed(t.left-t.costRaw()) > budget.Raw {
		return false
	}
	for i := range w.held.len() {
		frame := w.at(i).frame(w.arena)
		if !t.send(&frame, t.left) { // by a counter for which a frame costs more than it did before
			w.drop(i)
			return t.stopped
		}
	}
	w.count = 0
	return true
}

// takeWarnings takes the warnings of the chunks of the window.
func (t *fitter) takeWarnings() { t.takeWarningsOf(t.window.held.len()) }

// takeWarningsOf takes the warnings of the first n chunks of the window.
func (t *fitter) takeWarningsOf(n int) {
	for i := range min(n, t.window.held.len()) {
		if more := t.window.moreOf(i); more != nil {
			t.warnings.Add(more.warnings)
			more.warnings = nil
		}
	}
}

// leaveOut leaves the chunks of the window, and their warnings, to the final frame.
func (t *fitter) leaveOut() {
	t.lossy = true
	t.takeWarnings()
	t.window.count = 0
}

// windowFrame begins a frame that speaks for the first n chunks of the window.
func (t *fitter) windowFrame(mode budget.Mode, n int) encode.Frame {
	t.takeWarningsOf(n)
	frame := encode.Frame{Mode: mode, First: t.window.first, Last: t.window.last, Warnings: t.warnings.Kept}
	if n < t.window.count {
		frame.Last = t.window.at(n - 1).seq
	}
	return frame
}

// wholeTable makes a table that shows all of the first n chunks, which the window holds, if that fits in room.
func (t *fitter) wholeTable(n, room int) (frame encode.Frame, ok bool) {
	frame = t.windowFrame(budget.Table, n)
	fits, cheaper := t.layInto(&frame, n, room)
	table, ok := t.tables.TabulateAll(t.window.recordsOf(n), fits, cheaper)
	if ok {
		t.lay(&frame, n, table)
	}
	return frame, ok
}

// table makes the table of the window that says most in room.
func (t *fitter) table(room int) (encode.Frame, bool) {
	n := t.window.count
	frame := t.windowFrame(budget.Table, n)
	fits, cheaper := t.layInto(&frame, n, room)
	table, ok := t.tables.Tabulate(t.window.recordsOf(n), n, room*bytesPerToken, fits, cheaper)
	if !ok {
		return encode.Frame{}, false
	}
	t.lay(&frame, n, table)
	if frame.Handle == "" {
		return frame, true
	}
	return t.withHandle(frame, n, room)
}

// layInto returns what a table is asked for: whether the frame fits in room with it, and with which it costs less.
func (t *fitter) layInto(frame *encode.Frame, n, room int) (fits summarize.Fits, cheaper summarize.Cheaper) {
	fits = func(table summarize.Table) bool {
		t.lay(frame, n, table)
		return t.fits(frame, room)
	}
	cheaper = func(a, b summarize.Table) bool {
		t.lay(frame, n, b)
		tokens := t.cost(frame)
		t.lay(frame, n, a)
		t.encodeScratch(frame)
		if least, _ := t.Counter.Bounds(len(t.scratch)); least >= tokens {
			return false
		}
		other := t.Cost(t.scratch)
		if other < tokens {
			t.encoded, t.scratch, t.tokens = t.scratch, t.encoded, other
		}
		return other < tokens
	}
	return fits, cheaper
}

func (t *fitter) lay(frame *encode.Frame, n int, table summarize.Table) {
	frame.Columns, frame.Rows = table.Columns, table.Rows
	frame.Omitted = encode.Omitted{Omitted: table.Omitted}
	if frame.Handle = ""; table.Omitted != (summarize.Omitted{}) {
		frame.Handle = longestHandle
		frame.Omitted.Notable = encode.KindsOf(t.window.outliers(n))
	}
}

// summary makes the summary of the whole window that says most in room.
func (t *fitter) summary(room int) (encode.Frame, bool) {
	w := &t.window
	w.sumUp()
	frame := t.windowFrame(budget.Summary, w.count)
	frame.Omitted.Rows = w.count
	frame.Omitted.Notable = encode.KindsOf(w.outliers(w.count))
	frame.Handle = longestHandle
	if frame.Facts = w.facts.Facts(func(facts []byte) bool {
		frame.Facts = facts
		return t.fits(&frame, room)
	}); frame.Facts == nil {
		return encode.Frame{}, false
	}
	return t.withHandle(frame, w.count, room)
}

// withHandle puts the handle on a frame that says less than all of the first n chunks, and what stands out in them.
func (t *fitter) withHandle(frame encode.Frame, n, room int) (encode.Frame, bool) {
	name, ok := t.handle()
	frame.Handle = name
	notable, missed := t.window.outliers(n)
	t.addNotable(&frame, notable, missed, room)
	t.tellKinds(&frame, room)
	return frame, ok
}
