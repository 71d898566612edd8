package fit

import (
	"cmp"
	"iter"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// Response says as much of the chunks as there is room for. It yields the frames, the final one last, and then the
// error that the chunks ended with.
//
// The mode of every frame, the final one included, is at least as strict as what the caller asks for, what is left of
// the session allows, and, by plan live, what is left of this budget. Chunks that plan live does not show raw at once
// are gathered in a window. A response that fits is always shown whole, unless a ceiling forbids that.
func Response(chunks iter.Seq2[split.Chunk, error], redacted Source, h Namer, o *Options,
) iter.Seq2[encode.Frame, error] {
	return func(yield func(encode.Frame, error) bool) {
		if o.Plan == Digest {
			respondWhenEnded(chunks, redacted, h, o, yield)
			return
		}
		t := newFitter(o, h, yield)
		defer t.close()
		var failed error
		for c, err := range chunks {
			if failed = err; err != nil {
				break
			}
			if t.cut = c.Seq > 0 && o.Limit > 0 && t.seen.count == o.Limit; t.cut {
				break
			}
			if t.add(c); t.stopped {
				return
			}
			if o.Progress != nil && c.Seq%256 == 0 {
				o.Progress(Progress{t.seen.count, redacted.BytesRead(), t.left, o.Budget.Tokens, t.mode()})
			}
			if failed = t.handle.err; failed != nil {
				break
			}
		}
		if t.blobs.labeler.IsOpen() {
			t.endBlob()
		}
		if !t.cut {
			t.notices.take()
		}
		t.finish(failed, redacted, t.end(failed))
	}
}

// fitter is one response on its way into a budget, by plan live.
type fitter struct {
	overview
	reserve int           // tokens that other frames leave, at least
	seen    seen          // of the response
	waited  time.Duration // for the source, until the current chunk

	lossy   bool // less than all was shown
	isLarge bool // the window holds what did not fit raw, and may if no more comes
	closed  bool // no more chunks are shown before the response has ended
	tabled  bool // a table that leaves nothing out was written
	cut     bool // there are more chunks than the limit

	verbatim verbatim
	blobs    blobs
	window   window
	novelty  excerpt.Novelty
	raw      encode.Frame // of the current chunk; a field, so that none is allocated
	rows     []byte       // of a window, to see what its chunks would cost
}

// seen is which chunks of a response have been read.
type seen struct{ first, last, count int }

// Bounds of what waits until the response ends. It is never moved, as it would be in memory twice then; the system
// gives the memory as it is used.
const mostReserved = 4 << 20 // bytes

func newFitter(o *Options, h Namer, yield func(encode.Frame, error) bool) *fitter {
	t := &fitter{
		overview: newOverview(newReporter(o, h, yield)),
		novelty:  excerpt.NewNovelty(),
		window:   window{facts: summarize.NewSummary(), size: leastWindowChunks},
		verbatim: verbatim{isOpen: o.Encoding.IsVerbatim(), atStart: true},
	}
	t.reserve = o.Least() + t.mostOfHandle()
	most := cmp.Or(o.MaxChunk, split.MaxChunkDefault)
	t.window.held.arena = make([]byte, 0, most+most/4) // what the largest chunk needs
	return t
}

// add takes one chunk, or what stands between chunks, or a pause.
func (t *fitter) add(c split.Chunk) {
	t.waited = c.Waited
	if t.blobs.labeler.IsOpen() && c.Seq > 0 && !t.blobs.continues(&c) {
		t.endBlob()
	}
	if t.verbatim.isOpen {
		t.completeLine(c)
	}
	if c.Seq == 0 {
		t.addBetween(c)
		return
	}
	t.notices.take()
	t.notices.response.Add(c.Warnings)
	if t.seen.count++; t.seen.count == 1 {
		t.seen.first, t.shown.first = c.Seq, c.Seq
	}
	goesOn := c.GoesOn() && c.Seq == t.seen.last+1 // the part before may have been left out by a filter
	t.seen.last = c.Seq
	if t.verbatim.isOpen {
		t.verbatim.add(c)
	}
	asIs := c
	found, first, isOpen := t.blobs.label(&c, goesOn)
	if isOpen || found > 0 {
		t.holdAsIs(&asIs, goesOn)
	}
	if isOpen {
		t.holdOpen()
		return
	}
	if first < asIs.Seq {
		goesOn = t.blobs.parts.goesOn
	}
	t.addRecord(c, first, found, goesOn)
}

// addRecord takes what is shown of a chunk, or of several from the first one on, with so many labels.
func (t *fitter) addRecord(c split.Chunk, first, labels int, goesOn bool) {
	record := structure.Record{Seq: first, Top: c.Top, Path: c.Path, GoesOn: goesOn}
	mode := t.mode()
	record.Value, record.IsText, c.Warnings = t.present.Present(c)
	if t.closed {
		t.notices.due.Add(c.Warnings)
		t.overview.add(record, &c)
		return
	}
	t.overview.add(record, &c)
	why, kind := t.novelty.See(excerpt.Unit{Text: record.Value, Path: record.Path, IsRecord: !record.IsText,
		GoesOn: record.GoesOn})
	t.raw = encode.Frame{Mode: budget.Raw, First: first, Last: c.Seq, Warnings: c.Warnings, Raw: encode.Raw{
		Path: c.Path, Data: record.Value, IsText: record.IsText, GoesOn: record.GoesOn, Top: c.Top}}
	t.raw.Omitted.Blobs = labels
	if !t.verbatim.isOpen {
		t.lossy = t.lossy || c.Lossy
		if !t.isLarge && mode == budget.Raw && (labels == 0 || t.showsLabels()) &&
			t.sendRaw(&t.raw, t.rawRoom()) {
			return
		}
	}
	if t.window.count == 0 {
		t.window.since = c.Since
	}
	t.window.gather(&t.raw, why, kind)
	if labels > 0 {
		t.window.held.addAsIs(&t.blobs.asIs)
	}
	t.blobs.asIs.empty()
	switch {
	case t.isLarge:
		t.boundLarge()
	case !t.verbatim.isOpen || mode > budget.Raw:
		t.settle(mode == budget.Raw)
	case t.verbatim.endsLine():
		t.passLines()
	default:
		t.boundOpenLine()
	}
}

// addBetween takes what stands between chunks, or a pause.
func (t *fitter) addBetween(c split.Chunk) {
	t.notices.between.Add(c.Warnings)
	t.notices.response.Add(c.Warnings)
	if t.verbatim.isOpen {
		if t.verbatim.add(c); len(c.Lead) > 0 {
			t.boundOpenLine()
		}
	} else if c.Lossy {
		t.lossy = true
	}
	t.flushIfDue()
}

// settle writes the window if it is due, after a chunk was added to it. isLarge says that the window holds what did not
// fit raw while raw was allowed: it waits as long as all of it would fit if the response ended there.
func (t *fitter) settle(isLarge bool) {
	if isLarge {
		t.isLarge = true
	} else {
		t.flush(false)
	}
}

// boundLarge writes the window, which holds what did not fit raw, if it would not fit though the response ended here.
func (t *fitter) boundLarge() {
	if t.verbatim.isOpen && t.verbatim.fits(t.Options, t.left, false) ||
		!t.verbatim.isOpen && !t.lossy && t.rawFits(&t.window, t.left-t.leastFinal(nil), t.next) {
		return
	}
	t.verbatim.end()
	t.flush(true)
}

// completeLine writes the lines that are held if the lead of the next chunk ends the last of them.
func (t *fitter) completeLine(next split.Chunk) {
	if t.window.count > 0 && !t.verbatim.endsLine() && t.verbatim.endLine(next) && t.mode() == budget.Raw {
		t.passLines()
	}
}

// passLines writes the lines that are held, and what the window holds with them, as one raw frame, if that fits into
// the beginning.
func (t *fitter) passLines() {
	if t.window.blobs > 0 || t.blobs.labeler.IsOpen() || !t.verbatim.fits(t.Options, t.rawRoom(), true) {
		t.settle(true)
		return
	}
	frame := encode.Frame{Mode: budget.Raw, First: t.window.first, Last: t.window.last, Source: t.verbatim.text}
	if t.send(&frame, t.left) {
		t.takeWarnings(&t.window, t.window.held.len())
		t.verbatim.forget()
		t.window.count = 0
	}
}

// boundOpenLine gives up to show the response byte for byte if what is held does not fit any more.
func (t *fitter) boundOpenLine() {
	if t.verbatim.fits(t.Options, t.left, false) {
		return
	}
	t.verbatim.end()
	if t.window.count == 0 {
		t.lossy = true // white space that costs as much as what is left
		return
	}
	t.settle(t.mode() == budget.Raw)
}

// rawRoom is what a chunk may cost that is shown raw before the next one is read.
func (t *fitter) rawRoom() int { return t.left - t.reserve }

// showNoMore says that no more chunks are shown before the response has ended.
func (t *fitter) showNoMore() {
	t.closed, t.lossy = true, true
}
