package fit

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// Response says as much of the chunks as there is room for. It yields the frames, the final one last, and then the error
// that the chunks ended with.
//
// The mode of every frame, the final one included, is at least as strict as what the caller asks for, what is left of the
// session allows, and, by a plan with phases, what is left of this budget. Chunks that are not shown raw at once are
// gathered in a window. A response that fits is always shown whole, unless a ceiling forbids that.
func Response(chunks iter.Seq2[split.Chunk, error], clean Source, h Namer, o *Options) iter.Seq2[encode.Frame, error] {
	return func(yield func(encode.Frame, error) bool) {
		t := newFitter(o, h, yield)
		defer t.worker.end()
		var failed error
		for c, err := range chunks {
			if failed = err; err != nil {
				break
			}
			if t.cut = c.Seq > 0 && o.Limit > 0 && t.chunks == o.Limit; t.cut {
				break
			}
			if t.add(c); t.stopped {
				return
			}
			if o.Progress != nil && c.Seq%256 == 0 {
				o.Progress(Progress{t.chunks, clean.BytesRead(), t.left, o.Budget.Tokens, t.mode()})
			}
			if failed = t.failed; failed != nil {
				break
			}
		}
		if !t.cut {
			t.warnings.Take(&t.passed)
		}
		t.worker.wait()
		t.end(failed)
		t.finish(failed, clean)
	}
}

type fitter struct {
	*Options
	namer   Namer
	yield   func(encode.Frame, error) bool
	stopped bool
	failed  error // of the handle

	left     int // tokens of the budget
	reserve  int // tokens that other frames leave, at least
	seq      int // of the frame before
	lastMode budget.Mode
	first    int // number of the first chunk read
	last     int // of the last one
	shown    int // of the last one that was shown raw, like all before it
	named    int // number of the last chunk that a frame says more of than where it is
	chunks   int
	begins   bool // raw chunks may still be written at once
	lossy    bool // less than all was shown
	isLarge  bool // the window holds what did not fit raw, and may if no more comes
	closed   bool // no more chunks are shown before the response has ended
	cut      bool // there are more chunks than the limit
	tabled   int  // tokens of tables that leave nothing out

	warnings split.Warnings
	passed   split.Warnings // that came after the last chunk: they are the next page's, if this one ends there
	read     split.Warnings // of the response itself, not of how it is shown

	present  split.Presenter
	whole    *summarize.Summary // not to be looked at while the worker adds records
	worker   worker
	window   window
	deferred deferred
	tail     tail
	tables   summarize.Tabulator

	isVerbatim bool // the response may still be shown byte for byte
	isWhole    bool // it is
	verbatim   verbatim

	raw     encode.Frame // of the current chunk
	probe   encode.Frame // to see what it would cost later
	encoded []byte       // the frame that was encoded last
	scratch []byte       // for the next one
	tokens  int          // what encoded costs; -1 while that is not known
	rows    []byte       // of a window, to see what its chunks would cost
}

// What waits until the response ends has its place from the start, as it would be there twice when it moves. The memory is
// taken from the system as it is used.
const (
	charsPerToken = 4
	mostReserved  = 4 << 20
)

// noMode is the mode of the frame before the first one.
const noMode = budget.HandleOnly + 1

func newFitter(o *Options, h Namer, yield func(encode.Frame, error) bool) *fitter {
	if o.Plan == (Plan{}) {
		live := *o
		live.Plan = Live()
		o = &live
	}
	whole := summarize.NewWatchfulSummary()
	t := &fitter{
		Options:    o,
		namer:      h,
		yield:      yield,
		left:       o.Budget.Tokens,
		reserve:    o.Least(),
		lastMode:   noMode,
		begins:     true,
		whole:      whole,
		worker:     newWorker(whole),
		window:     window{facts: summarize.NewSummary(), size: leastWindowChunks},
		isVerbatim: o.Encoding.IsVerbatim(),
		verbatim:   verbatim{atStart: true},
	}
	if o.Plan.Phases {
		t.reserve += t.mostOfHandle()
	}
	most := cmp.Or(o.MaxChunk, split.MaxChunkDefault)
	t.present = split.NewPresenter(most)
	t.tail = newTail(min(most, tailBytes*o.Budget.Tokens))
	t.window.arena = make([]byte, 0, most+most/4) // what the largest chunk needs
	if waits := min(tableBytes*t.left, mostReserved); !o.Plan.Phases && waits > most {
		t.window.arena = make([]byte, 0, waits+most)
		if t.isVerbatim {
			t.verbatim.text = make([]byte, 0, min(charsPerToken*t.left, mostReserved))
		}
	}
	return t
}

// allowed is the least strict mode that the caller and the session allow.
func (t *fitter) allowed() budget.Mode { return t.Budget.Allowed(t.left) }

// mode is the least strict mode of the next frame.
func (t *fitter) mode() budget.Mode { return t.modeWith(t.left) }

// modeWith is the same if so many tokens were left.
func (t *fitter) modeWith(left int) budget.Mode {
	if !t.Plan.Phases {
		return t.Budget.Allowed(left)
	}
	return budget.Strictest(t.Budget.Allowed(left), budget.Phase(left, t.Budget.Tokens))
}

// share is a percentage of the budget, in tokens.
func (t *fitter) share(percent int) int { return t.Budget.Tokens * percent / 100 }

// keepBack is what the final frame may cost when it is to sum up the response, in tokens.
func (t *fitter) keepBack() int { return t.reserve + t.share(t.Plan.Shares.KeptBack) }

// add takes one chunk, or what stands between chunks, or a pause.
func (t *fitter) add(c split.Chunk) {
	if t.isVerbatim {
		t.completeLine(c)
	}
	if c.Seq == 0 {
		t.addBetween(c)
		return
	}
	t.warnings.Take(&t.passed)
	t.read.Add(c.Warnings)
	if t.chunks++; t.chunks == 1 {
		t.first = c.Seq
	}
	goesOn := c.GoesOn() && c.Seq == t.last+1 // the part before may have been left out by a filter
	t.last = c.Seq
	t.deferred.read += float64(len(c.Source)) / 4
	record := summarize.Record{Seq: c.Seq, Top: c.Top, Path: c.Path, Value: c.Content(),
		IsText: c.Kind == split.Text || c.Kind == split.TextPart, GoesOn: goesOn}
	mode := t.mode()
	if !t.Plan.Phases && mode >= budget.Summary {
		t.showNoMore()
	}
	if !t.closed || c.Hidden || c.Kind >= split.JSONPart || !split.IsValid(record.Value) {
		record.Value, record.IsText, c.Warnings = t.present.Present(c)
	}
	if t.closed {
		t.warnings.Add(c.Warnings)
		if mode < budget.HandleOnly { // else nothing is said of it
			t.tail.add(c)
			t.worker.add(record)
		}
		return
	}
	why, kind := t.whole.Add(record)
	t.raw = encode.Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq, Path: c.Path, Data: record.Value, IsText: record.IsText,
		Warnings: c.Warnings, Top: c.Top, GoesOn: record.GoesOn}
	if t.isVerbatim {
		t.verbatim.add(c)
	} else {
		t.lossy = t.lossy || c.Hidden
		if t.begins && !t.isLarge && mode == budget.Raw && t.send(&t.raw, t.rawRoom()) {
			return
		}
	}
	t.tail.add(c)
	t.warnings.Add(t.window.gather(&t.raw, why, kind, t.deferred.due == 0))
	switch {
	case t.isLarge:
		t.boundLarge()
	case !t.isVerbatim || !t.begins || mode > budget.Raw:
		t.settle(mode == budget.Raw)
	case t.verbatim.endsLine():
		t.passLines()
	default:
		t.boundOpenLine()
	}
}

// addBetween takes what stands between chunks, or a pause.
func (t *fitter) addBetween(c split.Chunk) {
	t.passed.Add(c.Warnings)
	t.read.Add(c.Warnings)
	if t.isVerbatim {
		if t.verbatim.add(c); len(c.Lead) > 0 {
			t.boundOpenLine()
		}
	} else if c.Hidden {
		t.lossy = true
	}
	t.flushIfDue()
}

// settle does with the window what its turn is, now that a chunk was added to it. isLarge says that the window holds what
// did not fit raw while that was allowed: with phases, it waits as long as all of it would fit if the response ended there.
func (t *fitter) settle(isLarge bool) {
	switch {
	case !t.Plan.Phases:
		t.begins = false
		t.deferFull()
	case isLarge:
		t.isLarge = true
	default:
		t.flush(false)
	}
}

// boundLarge writes the window, which holds what did not fit raw, if it would not fit though the response ended here.
func (t *fitter) boundLarge() {
	if t.isVerbatim && t.verbatimFits(t.left, false) || !t.isVerbatim && !t.lossy && t.rawFits(t.left-t.leastFinal(nil)) {
		return
	}
	t.endVerbatim()
	t.flush(true)
}

// completeLine writes the lines that are held if the lead of the next chunk ends the last of them.
func (t *fitter) completeLine(next split.Chunk) {
	if t.window.count > 0 && !t.verbatim.endsLine() && t.verbatim.endLine(next) && t.begins && t.mode() == budget.Raw {
		t.passLines()
	}
}

// passLines writes the lines that are held, and what the window holds with them, as one raw frame, if that fits into the
// beginning.
func (t *fitter) passLines() {
	if !t.verbatimFits(t.rawRoom(), true) {
		t.settle(true)
		return
	}
	frame := encode.Frame{Mode: budget.Raw, First: t.window.first, Last: t.window.last, Source: t.verbatim.text}
	if t.send(&frame, t.left) {
		t.takeWarnings()
		t.verbatim.forget()
		t.window.count = 0
	}
}

// boundOpenLine gives up to show the response byte for byte if what is held does not fit any more.
func (t *fitter) boundOpenLine() {
	if t.verbatimFits(t.left, false) {
		return
	}
	t.endVerbatim()
	if t.window.count == 0 {
		t.lossy = true // white space that costs as much as what is left
		return
	}
	t.settle(t.mode() == budget.Raw)
}

// rawRoom is what a chunk may cost that is shown raw before the next one is read.
func (t *fitter) rawRoom() int {
	share := t.Plan.Shares.Beginning
	if t.left == t.Budget.Tokens {
		share = t.Plan.Shares.First
	}
	return t.left - max(t.reserve, t.share(100-share))
}

// showNoMore says that no more chunks are shown before the response has ended.
func (t *fitter) showNoMore() { t.closed, t.lossy, t.isVerbatim = true, true, false }

// sayHandle writes where the chunks that the frame speaks for can be read, if that costs no more than room.
func (t *fitter) sayHandle(frame encode.Frame, room int) bool {
	name, ok := t.handle()
	if !ok {
		return false
	}
	frame.Mode, frame.Handle = budget.HandleOnly, name
	return t.send(&frame, room)
}

// mostOfHandle is what a frame costs at most that names the handle.
func (t *fitter) mostOfHandle() int {
	const most = 1e9
	frame := encode.Frame{Seq: most, Mode: budget.HandleOnly, First: most, Last: most, Handle: longestHandle,
		Left: t.Budget.Tokens, SaysLeft: true}
	return t.Cost(t.Encoding.Append(nil, &frame))
}

// send writes the frame if it costs no more than room, and reports whether it did.
func (t *fitter) send(frame *encode.Frame, room int) bool {
	if t.stopped || !t.fits(frame, room) {
		return false
	}
	t.cost(frame)
	t.seq++
	t.left -= frame.Tokens
	t.lastMode = frame.Mode
	if frame.Mode != budget.HandleOnly {
		t.named = max(t.named, frame.Last)
	}
	if frame.Mode == budget.Raw && frame.First <= max(t.first, t.shown+1) {
		t.shown = frame.Last
	}
	if !t.yield(*frame, nil) {
		t.stopped = true
	}
	return true
}

// encode encodes the frame as the next one, and reports whether it is another one than the last.
func (t *fitter) encode(frame *encode.Frame) (isNew bool) {
	frame.Seq, frame.Left, frame.Filtered = t.seq+1, t.left, t.Filtered
	frame.SaysLeft = frame.Mode != t.lastMode
	t.encodeScratch(frame)
	if isNew = !bytes.Equal(t.scratch, t.encoded); isNew { // else it may have been counted
		t.encoded, t.scratch, t.tokens = t.scratch, t.encoded, -1
	}
	frame.Text = t.encoded
	return isNew
}

// encodeScratch encodes the frame as it is into scratch, which has room for most frames then.
func (t *fitter) encodeScratch(frame *encode.Frame) {
	size := len(frame.Source) + len(frame.Data) + len(frame.Columns) + len(frame.Rows) + len(frame.Facts) + len(frame.Tail)
	t.scratch = t.Encoding.Append(slices.Grow(t.scratch[:0], size), frame)
}

// cost encodes the frame as the next one and counts it, unless that has just been done.
func (t *fitter) cost(frame *encode.Frame) int {
	t.encode(frame)
	frame.Tokens = t.countEncoded()
	return frame.Tokens
}

// countEncoded is what the frame that was encoded last costs.
func (t *fitter) countEncoded() int {
	if t.tokens < 0 {
		t.tokens = t.Cost(t.encoded)
	}
	return t.tokens
}

// fits reports whether the frame would cost no more than room as the next one. Mostly its length tells. A chunk that
// costs more without the rest of the frame is not encoded. A frame that does not fit is forgotten, so that there is
// never more than one that is larger than the room.
func (t *fitter) fits(frame *encode.Frame, room int) bool {
	if least, _ := t.Counter.Bounds(len(frame.Data)); least > room {
		return false
	}
	before := t.tokens
	isNew := t.encode(frame)
	if t.tokens < 0 {
		least, most := t.Counter.Bounds(len(t.encoded))
		if most <= room {
			return true
		}
		if least <= room {
			frame.Tokens = t.countEncoded()
		}
	}
	if t.tokens >= 0 && t.tokens <= room {
		return true
	}
	if isNew {
		t.encoded, t.scratch, t.tokens, frame.Text = t.scratch, t.encoded, before, nil
	}
	return false
}

// handle returns the name of the handle, under which everything so far can be read. If there is none, that ends the
// response: nothing is left out that can't be read.
func (t *fitter) handle() (name string, ok bool) {
	if t.failed == nil {
		name, t.failed = t.namer.Name()
	}
	if t.failed != nil {
		return "", false
	}
	return name, true
}
