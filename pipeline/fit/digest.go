package fit

import (
	"cmp"
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/internal/blob"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// digest is a response that is shown when it has ended: whole, if that fits, or as a page.
type digest struct {
	overview
	seen    seen
	cut     bool // there are more chunks than the limit
	whole   whole
	blobs   blobs
	nonText nonText
}

// whole is a response as it is shown if it fits: byte for byte, or as raw frames, with the blobs in them.
type whole struct {
	verbatim verbatim
	raw      window
}

// respondWhenEnded yields the frames of a response when that has ended.
func respondWhenEnded(chunks iter.Seq2[split.Chunk, error], redacted Source, h Namer, o *Options,
	yield func(encode.Frame, error) bool) {
	d := &digest{overview: newOverview(newReporter(o, h, yield))}
	d.whole.verbatim = verbatim{isOpen: o.Encoding.IsVerbatim(), atStart: true}
	if !o.Encoding.IsVerbatim() {
		d.whole.raw.held.arena = make([]byte, 0, min(o.Budget.Tokens*bytesPerToken, mostReserved))
	}
	d.run(chunks, redacted)
}

func (d *digest) run(chunks iter.Seq2[split.Chunk, error], redacted Source) {
	defer d.close()
	var failed error
	for c, err := range chunks {
		if failed = err; err != nil {
			break
		}
		if d.cut = c.Seq > 0 && d.Limit > 0 && d.seen.count == d.Limit; d.cut {
			break
		}
		d.add(c)
		if d.Progress != nil && c.Seq%256 == 0 {
			d.Progress(Progress{d.seen.count, redacted.BytesRead(), d.left, d.Budget.Tokens, d.mode()})
		}
	}
	if d.blobs.labeler.IsOpen() {
		c, _, first := d.blobs.end()
		d.addUnit(c, first, d.blobs.parts.goesOn)
	}
	if !d.cut {
		d.notices.take()
	}
	d.finish(failed, redacted)
}

// add takes one chunk, or what stands between chunks.
func (d *digest) add(c split.Chunk) {
	if d.blobs.labeler.IsOpen() && c.Seq > 0 && !d.blobs.continues(&c) {
		open, _, first := d.blobs.end()
		d.addUnit(open, first, d.blobs.parts.goesOn)
	}
	if c.Seq == 0 {
		d.notices.between.Add(c.Warnings)
		d.notices.response.Add(c.Warnings)
		d.hold(c, false)
		return
	}
	d.notices.take()
	d.notices.response.Add(c.Warnings)
	if d.seen.count++; d.seen.count == 1 {
		d.seen.first = c.Seq
	}
	goesOn := c.GoesOn() && c.Seq == d.seen.last+1 // the part before may have been left out by a filter
	d.seen.last = c.Seq
	d.hold(c, goesOn)
	_, first, isOpen := d.blobs.label(&c, goesOn)
	if !isOpen {
		d.addUnit(c, first, goesOn)
	}
}

// hold holds a chunk as it is shown if the response fits. If what is held does not fit any more, all units that came
// so far are watched.
func (d *digest) hold(c split.Chunk, goesOn bool) {
	if d.page != nil {
		return
	}
	w, isText := &d.whole, d.Encoding.IsVerbatim()
	switch {
	case isText:
		w.verbatim.add(c)
	case c.Seq > 0:
		value, isText, _ := d.present.Present(c) // the final frame has the warnings
		w.raw.gather(&encode.Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq,
			Raw: encode.Raw{Path: c.Path, Data: value, IsText: isText, GoesOn: goesOn, Top: c.Top}}, "", "")
	}
	if isText && !w.verbatim.fits(d.Options, d.left, false) || !isText && !d.rawFits(&w.raw, d.left, d.next) {
		d.whole = whole{}
		d.beginPage()
	}
}

// addUnit takes in a unit: a chunk, or several from number first on whose blob has one label.
func (d *digest) addUnit(c split.Chunk, first int, goesOn bool) {
	value, isText, warnings := d.present.Present(c)
	d.notices.due.Add(warnings)
	d.nonText.see(c.Source, value)
	d.overview.add(structure.Record{Seq: first, Top: c.Top, Path: c.Path, Value: value, IsText: isText, GoesOn: goesOn},
		&c)
}

// finish writes the response, or its page.
func (d *digest) finish(failed error, redacted Source) {
	mayFit, held := d.page == nil, d.whole
	frame, isWhole := encode.Frame{}, false
	if mayFit && !d.Again {
		frame, isWhole = d.showWhole(failed, redacted)
	}
	if !isWhole {
		d.beginPage()
		if d.showTable(failed, redacted) {
			frame = d.end(failed, redacted)
		} else {
			frame = d.frame(failed, redacted)
		}
	}
	if d.whole = held; mayFit && d.Again && d.isBetterWhole(&frame) {
		if whole, ok := d.showWhole(failed, redacted); ok {
			frame = whole
		}
	}
	if !d.send(&frame, d.left) {
		failed = cmp.Or(failed, ErrNoFinal)
	} else if frame.Excerpt != nil && frame.Excerpt.Page != nil {
		for _, one := range frame.Excerpt.Page.Shown {
			d.Memory.Show(one.N, one.Text)
		}
	}
	if failed = cmp.Or(failed, d.handle.err); failed != nil && !d.stopped {
		d.yield(encode.Frame{}, failed)
	}
}

// isBetterWhole reports whether a response that fits is shown whole, though the reader was shown lines of it: the page
// leaves out others, too, or costs as much.
func (d *digest) isBetterWhole(frame *encode.Frame) bool {
	page := frame.Excerpt.Page
	return page == nil || page.Missing > 0 ||
		d.cost(frame) >= d.cost(&encode.Frame{Final: true, Whole: true, Source: d.whole.verbatim.text})
}

// showWhole shows the response as it is if the mode allows that and it fits, and reports whether it does. It returns
// the final frame, which shows what is left to show.
func (d *digest) showWhole(failed error, redacted Source) (final encode.Frame, ok bool) {
	if d.seen.count > 0 && d.mode() > budget.Raw {
		return final, false
	}
	if !d.Encoding.IsVerbatim() {
		return d.showRaw(failed, redacted)
	}
	final = encode.Frame{Final: true, Whole: true, Source: d.whole.verbatim.text, Error: d.failure(failed)}
	if final.Error != nil && !d.fits(&final, d.left) {
		final.Error.Message = ""
	}
	if d.cut || !d.fits(&final, d.left) {
		return final, false
	}
	d.notices.notify(d.Options, d.whole.verbatim.invalid)
	return final, true
}

// showRaw writes the response as raw frames if they fit, and reports whether it did. It returns the final frame.
func (d *digest) showRaw(failed error, redacted Source) (final encode.Frame, ok bool) {
	w, least := &d.whole.raw, d.final(failed, redacted)
	d.shrink(&least, 0)
	if w.count > 0 && !d.sayRaw(w, d.left-d.costLater(&least, w.count)) {
		return final, false
	}
	return d.end(failed, redacted), true
}

// end returns the final frame of a response that was shown whole.
func (d *digest) end(failed error, redacted Source) encode.Frame {
	frame := d.final(failed, redacted)
	frame.Mode = d.mode()
	warnings := frame.Warnings
	frame.Warnings = d.Standing
	d.shrink(&frame, min(d.left, envelopeOfFinal))
	if frame.Warnings = warnings; !d.fits(&frame, d.left) {
		d.shrink(&frame, d.left)
	}
	return frame
}

// final begins the final frame.
func (d *digest) final(failed error, redacted Source) encode.Frame {
	frame := encode.Frame{Final: true, Error: d.failure(failed), Totals: &encode.Totals{Chunks: d.seen.count,
		Bytes: redacted.BytesRead(), SessionLeft: d.Budget.sessionLeft(), Estimate: d.Estimate}}
	for rule, count := range redacted.Counts() {
		frame.Totals.Redactions = append(frame.Totals.Redactions, encode.RuleCount{Rule: rule, Count: count})
	}
	frame.Warnings = append(slices.Clip(d.Standing), d.notices.due.All()...)
	if d.cut {
		frame.Handle, _ = d.handle.name()
		frame.NextOffset = d.seen.last
	}
	return frame
}

// frame returns the frame of a page, which is all that is written, or what ends a table.
func (d *digest) frame(failed error, redacted Source) encode.Frame {
	name, _ := d.handle.name()
	frame := d.final(failed, redacted)
	frame.Mode, frame.First, frame.Last = budget.HandleOnly, d.seen.first, d.seen.last
	frame.Handle, frame.Excerpt = name, &encode.Excerpt{Noun: d.units.noun()}
	frame.Omitted.Blobs = d.blobs.count
	if d.units.err != nil {
		frame.Warnings = append(frame.Warnings, split.Warning{
			What: "the lines shown are of the beginning: the rest could not be kept for a second look"})
	}
	switch isBare := d.mode() == budget.HandleOnly; {
	case isBare && frame.Error != nil:
		frame.Error.Message = ""
	case isBare:
	case d.nonText.is():
		d.nameMedia(&frame)
	case d.seen.count > 0:
		d.compose(&frame)
	}
	d.fitHead(&frame)
	return frame
}

// nameMedia says of a response that is no text what it is.
func (d *digest) nameMedia(frame *encode.Frame) {
	frame.Excerpt.Media = blob.MediaOf(d.nonText.head)
	frame.Warnings = slices.Clip(d.Standing)
	if !d.Encoding.IsVerbatim() {
		frame.Warnings = append(frame.Warnings, split.Warning{What: "no text (" + frame.Excerpt.Media + ")"})
	}
}

// fitHead shortens the first lines of a frame until it fits.
func (d *digest) fitHead(frame *encode.Frame) {
	if d.cost(frame) <= d.left {
		return
	}
	d.show(frame, nil)
	d.shrink(frame, d.left)
}
