package fit

import (
	"bytes"
	"slices"
	"time"

	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/internal/blob"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// A response that fits is shown with its blobs. In one that does not, each blob has a label in its place: in what is
// summarized, in tables and in raw frames. It is known at the end only whether all fits: a chunk with a blob is held
// both ways until then, so that none is written raw before.

// blobs labels the blobs of a response. A blob that comes in parts has one label, and the parts are one record.
type blobs struct {
	labeler blob.Labeler
	count   int           // so far
	last    int           // number of the last part
	since   time.Duration // what the source had been waited for when the open blob began

	parts part   // those since an open blob began
	path  []byte // of these
	asIs  asIs   // the current chunk, or the parts, with the blobs in them
}

// part is what is known of the parts that one label speaks for.
type part struct {
	chunk  split.Chunk // the first one, without its bytes
	goesOn bool        // it is more of a line that has been shown
}

// asIs are chunks as raw frames show them when a response is shown whole.
type asIs struct {
	arena  []byte
	chunks []heldChunk
}

func (a *asIs) empty() { a.arena, a.chunks = a.arena[:0], a.chunks[:0] }

// continues reports whether a chunk is the next part of the string or the line that the last part was of.
func (b *blobs) continues(c *split.Chunk) bool {
	content := c.Content()
	isString := c.Kind == split.JSONPart && len(content) > 1 && content[0] == '"' // which begins with this part
	return c.Kind >= split.JSONPart && c.Seq == b.last+1 && len(c.Lead) == 0 && !isString
}

// label puts labels in the place of the blobs of a chunk and returns how many there are, and the number of the first
// chunk that it speaks for now. If isOpen, a blob goes on in the next chunk, which is going to speak for this one.
func (b *blobs) label(c *split.Chunk, goesOn bool) (found, first int, isOpen bool) {
	if c.Kind < split.JSONPart {
		labelled, found := b.labeler.Whole(c.Content())
		if found > 0 {
			setContent(c, labelled)
		}
		b.count += found
		return found, c.Seq, false
	}
	wasOpen := b.labeler.IsOpen()
	labelled, found, isOpen := b.labeler.Part(c.Content(), b.continues(c))
	b.last = c.Seq
	switch {
	case isOpen && !wasOpen:
		b.path = append(b.path[:0], c.Path...)
		b.parts, b.since = part{*c, goesOn}, c.Since
		b.parts.chunk.Warnings = slices.Clone(c.Warnings)
		return 0, 0, true
	case isOpen:
		b.take(c)
		return 0, 0, true
	}
	setContent(c, labelled)
	b.count += found
	if !wasOpen {
		return found, c.Seq, false
	}
	isLine := len(c.LineEnd) > 0
	b.take(c)
	*c = b.whole(c.Content(), c.Seq, isLine)
	return found, b.parts.chunk.Seq, false
}

// take takes what a part has beside its bytes.
func (b *blobs) take(c *split.Chunk) {
	b.parts.chunk.Warnings = append(b.parts.chunk.Warnings, c.Warnings...)
	b.parts.chunk.Lossy = b.parts.chunk.Lossy || c.Lossy
}

// end returns the parts since an open blob began, which nothing follows, as one chunk.
func (b *blobs) end() (c split.Chunk, found, first int) {
	labelled, found := b.labeler.End()
	b.count += found
	return b.whole(labelled, b.last, true), found, b.parts.chunk.Seq
}

// whole returns parts as one chunk: it is no part if they are a whole string or a whole line.
func (b *blobs) whole(labelled []byte, last int, isLine bool) split.Chunk {
	c := b.parts.chunk
	switch {
	case c.Kind == split.JSONPart && split.IsString(labelled):
		c.Kind = split.JSON
	case c.Kind == split.TextPart && isLine && !b.parts.goesOn:
		c.Kind = split.Text
	}
	c.Seq, c.Path, c.Source, c.Lead, c.LineEnd, c.Inner = last, b.path, labelled, nil, nil, nil
	return c
}

// setContent gives a chunk another content.
func setContent(c *split.Chunk, content []byte) {
	if c.Inner != nil {
		c.Inner = content
	} else {
		c.Source = content
	}
}

// showsLabels reports whether it is known that not all of the response fits as it is.
func (t *fitter) showsLabels() bool {
	return t.lossy || t.window.isLabelled || t.Encoding.IsVerbatim() && !t.verbatim.isOpen
}

// holdAsIs holds a chunk that has a blob, or a part of one, as it is. If all that is held so does not fit, it is known
// that the response does not.
func (t *fitter) holdAsIs(c *split.Chunk, goesOn bool) {
	if t.showsLabels() || t.verbatim.isOpen { // which has the bytes itself
		return
	}
	value, isText, warnings := t.present.Present(*c)
	raw := encode.Frame{First: c.Seq, Last: c.Seq, Warnings: warnings,
		Raw: encode.Raw{Path: c.Path, Data: value, IsText: isText, GoesOn: goesOn, Top: c.Top}}
	var h heldChunk
	a := &t.blobs.asIs
	a.arena, h = hold(a.arena, &raw)
	a.chunks = append(a.chunks, h)
	if least, _ := t.Counter.Bounds(len(a.arena)); least > t.left || len(a.arena) > mostReserved {
		a.empty()
		t.window.useLabels()
	}
}

// holdOpen takes a part whose blob goes on: nothing more is done with it now.
func (t *fitter) holdOpen() {
	t.isLarge = t.window.count > 0
	if t.verbatim.isOpen && !t.verbatim.fits(t.Options, t.left, false) {
		t.verbatim.end()
	}
	if t.isLarge {
		t.boundLarge()
	}
}

// endBlob adds the record that an open blob is in, since nothing more of it comes.
func (t *fitter) endBlob() {
	goesOn := t.blobs.parts.goesOn
	c, found, first := t.blobs.end()
	t.addRecord(c, first, found, goesOn)
}

// useLabels makes raw frames of the window show labels from now on.
func (w *window) useLabels() {
	if !w.isLabelled {
		w.isLabelled = true
		if w.blobs > 0 {
			w.raw = rawCost{}
		}
	}
}

// blobsOf returns how many blobs the first n chunks have.
func (w *window) blobsOf(n int) (blobs int) {
	if n == w.count || w.blobs == 0 {
		return w.blobs
	}
	for i := range min(n, w.held.len()) {
		if more := w.held.moreOf(i); more != nil {
			blobs += more.blobs
		}
	}
	return blobs
}

// raws returns as how many raw frames a held chunk is shown: one, unless it is several parts as they are.
func (w *window) raws(i int) int {
	if more := w.held.moreOf(i); more != nil && !w.isLabelled && len(more.asIs) > 0 {
		return len(more.asIs)
	}
	return 1
}

// rawFrame returns one of the raw frames of a held chunk.
func (w *window) rawFrame(i, part int) encode.Frame {
	if more := w.held.moreOf(i); more != nil && !w.isLabelled && len(more.asIs) > 0 {
		return more.asIs[part].frame(w.held.arena)
	}
	return w.held.frame(i)
}

// addAsIs adds to the last chunk how it is as it is.
func (c *heldChunks) addAsIs(a *asIs) {
	more := c.moreOf(c.list.len() - 1)
	more.asIs = slices.Clone(a.chunks)
	for i := range more.asIs {
		more.asIs[i].move(len(c.arena))
	}
	c.arena = append(c.arena, a.arena...)
}

// move says that the bytes of a chunk are so much further in its arena.
func (h *heldChunk) move(by int) {
	h.path.from, h.path.to = h.path.from+by, h.path.to+by
	h.data.from, h.data.to = h.data.from+by, h.data.to+by
}

// sendRaw writes a raw frame, which names the handle if it has labels.
func (r *reporter) sendRaw(frame *encode.Frame, room int) bool {
	return r.nameBlobs(frame) && r.send(frame, room)
}

// nameBlobs makes a frame with labels name the handle, which has the blobs. It reports whether there is one.
func (r *reporter) nameBlobs(frame *encode.Frame) bool {
	if frame.Omitted.Blobs == 0 {
		return true
	}
	name, ok := r.handle.name()
	frame.Handle = name
	return ok
}

// labelled returns the only chunk of a page, which does not fit, with labels in the place of its blobs.
func (p *page) labelled(c split.Chunk) (_ split.Chunk, blobs int) {
	var labels blob.Labeler
	var content []byte
	if c.Kind < split.JSONPart {
		content, blobs = labels.Whole(c.Content())
	} else {
		content, blobs = labels.Alone(c.Content(), c.Kind == split.JSONPart && bytes.HasPrefix(c.Content(), []byte{'"'}))
	}
	setContent(&c, content)
	return c, blobs
}
