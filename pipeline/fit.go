package pipeline

import (
	"bytes"
	"cmp"
	"iter"
	"math"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/summarize"
)

// Budget is what one invocation may write, and what it is to heed.
type Budget struct {
	Tokens       int         // of this invocation
	Mode         budget.Mode // the least strict mode that the caller wants
	SessionLeft  int         // tokens of the session before the first frame, this invocation's included; -1 without one
	SessionTotal int
}

// The division of a budget, in percent of it. The summary of the whole response tells more for a token than the beginning
// of it, so most is kept back for it as soon as more has been read than could be shown: the beginning raw, then the summary, and
// what that leaves for what was set aside (aside.go). While a response comes slowly, nothing is known of its length; then it is
// told as it comes, until the phases end.
const (
	rawShare     = 8  // for the beginning
	firstShare   = 25 // for it, if the first chunk alone is more
	windowShare  = 5  // for each of the frames that follow
	finalShare   = 15 // for the summary of a response that all but fits, and the more the less fits
	rawPhase     = 60 // left at which the phase of raw chunks ends
	tablePhase   = 30 // and that of tables
	summaryPhase = 10 // and that of summaries
)

// leastWindow is the smallest frame of a window that tells more than the same tokens in the summary of the whole.
const leastWindow = 80

// keepBack is what the final frame may cost when it is to sum up the response, in tokens.
func (t *fitter) keepBack() int {
	return t.reserve + t.Budget.Tokens*6/100
}

// reach is how much more than before has to be read for the next window to be full.
const reach = 4

// leastReach is the same after a window that was held for longer than it could be shown raw.
const leastReach = 1.5

// Fit says as much of the chunks as there is room for. It yields the frames, the final one last, and then the error
// that the chunks ended with.
//
// The mode of a frame is the strictest of what the caller asks for, what is left of this budget and what is left of the
// session. Chunks that are not shown raw are gathered in a window. The first one is full when what it holds could not be
// shown raw any more; so a response that fits is always shown whole. The ones after it grow.
func (f *Firewall) Fit(chunks iter.Seq2[Chunk, error], clean Source) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		t := f.newFitter(yield)
		defer t.behind.end()
		var failed error
		for c, err := range f.whileCounted(chunks) {
			if failed = err; err != nil {
				break
			}
			if t.cut = c.Seq > 0 && f.Limit > 0 && t.chunks == f.Limit; t.cut {
				break
			}
			if t.add(c); t.stopped {
				return
			}
			if f.Progress != nil && c.Seq%256 == 0 {
				f.Progress(Progress{t.chunks, clean.BytesRead(), t.left, f.Budget.Tokens, t.mode()})
			}
			if failed = t.failed; failed != nil {
				break
			}
		}
		if !t.cut {
			t.warnings.take(&t.passed)
		}
		t.behind.wait()
		t.end(failed)
		t.finish(failed, clean)
	}
}

type fitter struct {
	*Firewall
	yield   func(Frame, error) bool
	stopped bool
	failed  error // of the handle

	left     int // tokens of the budget
	reserve  int // tokens that the smallest final frame may cost
	seq      int // of the frame before
	first    int // number of the first chunk read
	last     int // of the last one
	shown    int // of the last one that was shown raw, like all before it
	chunks   int
	lossy    bool        // less than all was shown
	tabled   int         // tokens of tables that leave nothing out
	cut      bool        // there are more chunks than the limit
	silent   bool        // in handle_only: the handle has been named
	gathers  bool        // a window has been told by less than its chunks
	next     budget.Mode // how the next full window is told
	told     int         // number of the last chunk that a frame says more of than where it is
	warnings warnings
	passed   warnings // that came after the last chunk: they are the next page's, if this one ends there

	present presenter
	whole   *summarize.Summary // not to be looked at while behind takes records in
	behind  behind
	window  window
	aside   window // the first one, until it is known how much of it can be told
	closed  bool   // the second one is full, too: what follows is summarized alone
	tail    tail
	tables  summarize.Tabulator

	read float64 // about how many tokens the response has so far
	due  float64 // what that must be for the window to be full; 0 while a response that ends here could be shown raw

	raw     Frame  // of the chunk at hand
	probe   Frame  // to see what it would cost later
	encoded []byte // the frame that was encoded last
	scratch []byte // for the next one
	tokens  int    // what encoded costs; -1 while that is not known
}

func (f *Firewall) newFitter(yield func(Frame, error) bool) *fitter {
	whole := summarize.NewWatchfulSummary()
	t := &fitter{
		Firewall: f,
		yield:    yield,
		left:     f.Budget.Tokens,
		reserve:  f.Least(),
		next:     budget.Table,
		whole:    whole,
		behind:   newBehind(whole),
		window:   window{facts: summarize.NewSummary()},
	}
	most := cmp.Or(f.MaxChunk, MaxChunkDefault)
	t.tail = newTail(min(most, tailBytes*f.Budget.Tokens))
	for _, buffer := range []*[]byte{&t.present.value, &t.window.arena, &t.window.lastBytes, &t.aside.arena, &t.aside.lastBytes} {
		*buffer = taken[byte](most + most/4) // what the largest chunk needs
	}
	t.encoded, t.scratch = taken[byte](6*most+most/4), taken[byte](6*most+most/4) // as \u0000 in JSON
	return t
}

// Least returns the smallest budget that works, in tokens: what the smallest final frame can cost.
func (f *Firewall) Least() int {
	const most = math.MaxInt64
	frame := Frame{
		Warnings: f.Standing,
		Seq:      most, Mode: budget.HandleOnly, First: 1, Last: most, Handle: "h999999999999",
		Error:  &Failure{Code: "longest_of_codes", Exit: 255},
		Totals: &Totals{Chunks: most, Bytes: most, SessionLeft: most, Estimate: f.Estimate},
		Left:   most, Final: true, NextOffset: most, Filtered: f.Filtered,
	}
	return f.count(f.Encoding(nil, &frame))
}

// count is what text costs, line by line.
func (f *Firewall) count(text []byte) (tokens int) {
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		tokens += f.Counter.Count(text[:n])
		text = text[n:]
	}
	return tokens
}

// allowed is the least strict mode that the caller and the session allow.
func (t *fitter) allowed() budget.Mode {
	if t.Budget.SessionLeft < 0 {
		return t.Budget.Mode
	}
	spent := t.Budget.Tokens - t.left
	return budget.SessionPhase(t.Budget.SessionLeft-spent, t.Budget.SessionTotal, t.Budget.Mode)
}

func (t *fitter) mode() budget.Mode {
	return budget.Strictest(t.allowed(), budget.Phase(t.left, t.Budget.Tokens))
}

// add takes one chunk, or a pause.
func (t *fitter) add(c Chunk) {
	if c.Hidden {
		t.lossy = true
	}
	if c.Seq == 0 {
		t.passed.add(c.Warnings)
		t.flushIfDue()
		return
	}
	t.warnings.take(&t.passed)
	if t.chunks++; t.chunks == 1 {
		t.first = c.Seq
	}
	goesOn := c.goesOn() && c.Seq == t.last+1 // the part before may have been left out by a filter
	t.last = c.Seq
	t.read += float64(len(c.Source)) / 4
	record := summarize.Record{Seq: c.Seq, Top: c.Top, Path: c.Path, Value: c.Content(), IsText: c.Kind == Text || c.Kind == TextPart, GoesOn: goesOn}
	mode := budget.HandleOnly
	if !t.silent && !t.closed {
		mode = t.mode()
	}
	if mode != budget.HandleOnly || c.Hidden || c.Kind >= JSONPart || !isValid(record.Value) {
		record.Value, record.IsText, c.Warnings = t.present.present(c)
	}
	if mode == budget.HandleOnly {
		t.tail.add(c)
		t.behind.add(record)
		t.nameHandle(c)
		return
	}
	why, kind := t.whole.Add(record)
	t.raw = Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq, Path: c.Path, Data: record.Value, IsText: record.IsText, Warnings: c.Warnings, top: c.Top, goesOn: record.GoesOn}
	if mode == budget.Raw && t.window.count == 0 && !t.gathers && t.send(&t.raw, t.rawRoom()) {
		return
	}
	t.tail.add(c)
	t.gather(&t.raw, why, kind)
	if t.full() && !t.waits() {
		t.flushFull(mode)
		return
	}
	t.flushIfDue()
}

// rawRoom is what a chunk may cost that is shown raw before the next one is read.
func (t *fitter) rawRoom() int {
	share := rawShare
	if t.left == t.Budget.Tokens {
		share = firstShare
	}
	return t.left - max(t.reserve, t.Budget.Tokens*(100-share)/100)
}

// nameHandle says once where the rest can be read: at the end, while something is set aside.
func (t *fitter) nameHandle(c Chunk) {
	t.lossy = true
	t.warnings.add(c.Warnings)
	switch {
	case t.hasAside():
		t.closed = true
		if t.flushIfDue(); t.hasAside() && t.read > longestAside*float64(t.Budget.Tokens) {
			t.flushAside()
		}
	case !t.silent:
		t.silent = true
		t.sayHandle(Frame{First: c.Seq, Last: c.Seq, onward: true}, t.left-t.reserve)
	}
}

// sayHandle writes where the chunks that the frame speaks for can be read, if that costs no more than room. If it does, no frame
// follows but the final one, which speaks for all.
func (t *fitter) sayHandle(frame Frame, room int) {
	name, ok := t.handle()
	if !ok {
		return
	}
	frame.Mode, frame.Handle = budget.HandleOnly, name
	if !t.send(&frame, room) {
		t.silent = true
	}
}

// send writes the frame if it costs no more than room, and reports whether it did.
func (t *fitter) send(frame *Frame, room int) bool {
	if t.stopped || !t.fits(frame, room) {
		return false
	}
	t.cost(frame)
	t.seq++
	t.left -= frame.Tokens
	if frame.Mode != budget.HandleOnly {
		t.told = max(t.told, frame.Last)
	}
	if frame.Mode == budget.Raw && frame.First <= max(t.first, t.shown+1) {
		t.shown = frame.Last
	}
	if !t.yield(*frame, nil) {
		t.stopped = true
	}
	return true
}

// encode encodes the frame as the next one.
func (t *fitter) encode(frame *Frame) {
	frame.Seq, frame.Left, frame.Filtered = t.seq+1, t.left, t.Filtered
	t.scratch = t.Encoding(t.scratch[:0], frame)
	if !bytes.Equal(t.scratch, t.encoded) { // else it may have been counted
		t.encoded, t.scratch, t.tokens = t.scratch, t.encoded, -1
	}
	frame.Text = t.encoded
}

// cost encodes the frame as the next one and counts it, unless that has just been done.
func (t *fitter) cost(frame *Frame) int {
	if t.encode(frame); t.tokens < 0 {
		t.tokens = t.count(t.encoded)
	}
	frame.Tokens = t.tokens
	return t.tokens
}

// fits reports whether the frame would cost no more than room as the next one. Mostly its length tells.
func (t *fitter) fits(frame *Frame, room int) bool {
	if t.encode(frame); t.tokens < 0 {
		if least, most := t.Counter.Bounds(len(t.encoded)); most <= room || least > room {
			return most <= room
		}
	}
	return t.cost(frame) <= room
}

// handle returns the name of the handle, under which everything so far can be read. If there is none, that ends the
// response: nothing is left out that can't be read.
func (t *fitter) handle() (name string, ok bool) {
	if t.failed == nil {
		name, t.failed = t.Handle.Name()
	}
	if t.failed != nil {
		return "", false
	}
	return name, true
}

// flushIfDue says what is gathered when it has waited as long as it may.
func (t *fitter) flushIfDue() {
	if !t.hasWaited() {
		return
	}
	if t.hasAside() {
		t.flushAside()
	}
	if t.window.count > 0 && !t.silent {
		t.flushSlow(t.mode())
	}
}

// full reports whether the window holds as much as it is to hold.
func (t *fitter) full() bool {
	if t.due == 0 {
		return !t.rawFits(t.left)
	}
	return t.read >= t.due
}
