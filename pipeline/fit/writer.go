package fit

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
)

// writer encodes frames, counts their tokens, and yields those that fit. It knows nothing of chunks.
type writer struct {
	*Options
	yield   func(encode.Frame, error) bool
	stopped bool // the reader of the frames wants no more
	left    int  // tokens of the budget
	next    position
	shown   coverage

	encoded []byte // the frame that was encoded last
	isLent  bool   // encoded is the text that the frame holds
	scratch []byte // for the next one
	tokens  int    // the cost of encoded; -1 while that is not known
	probe   encode.Frame
}

// position is what the encoding of a frame depends on beside the frame and the tokens left.
type position struct {
	seq  int         // of the frame
	mode budget.Mode // of the frame before
}

// noMode is the mode of the frame before the first one.
const noMode = budget.HandleOnly + 1

// later returns a position so many frames later, behind a frame of another mode.
func (p position) later(frames int) position { return position{p.seq + frames, noMode} }

// coverage is which chunks the frames written so far speak for.
type coverage struct {
	first int // number of the first chunk of the response
	raw   int // of the last chunk that was shown raw, like all before it
	blobs int // labels
}

func (c *coverage) add(frame *encode.Frame) {
	c.blobs += frame.Omitted.Blobs
	if frame.Mode == budget.Raw && frame.First <= max(c.first, c.raw+1) {
		c.raw = frame.Last
	}
}

func newWriter(o *Options, yield func(encode.Frame, error) bool) *writer {
	return &writer{Options: o, yield: yield, left: o.Budget.Tokens, next: position{1, noMode}}
}

// allowed returns the least strict mode that the caller and the session allow.
func (w *writer) allowed() budget.Mode { return w.Budget.Allowed(w.left) }

// mode returns the least strict mode of the next frame.
func (w *writer) mode() budget.Mode { return w.modeWith(w.left) }

// modeWith returns the least strict mode of a frame that is written with so many tokens left.
func (w *writer) modeWith(left int) budget.Mode {
	if w.Plan == Digest {
		return w.Budget.Allowed(left)
	}
	return budget.Strictest(w.Budget.Allowed(left), budget.Phase(left, w.Budget.Tokens))
}

// share returns a percentage of the budget, in tokens.
func (w *writer) share(percent int) int { return w.Budget.Tokens * percent / 100 }

// send writes the frame if it costs no more than room, and reports whether it did.
func (w *writer) send(frame *encode.Frame, room int) bool {
	if w.stopped {
		return false
	}
	w.sayLeft(frame, room)
	if !w.fits(frame, room) {
		return false
	}
	frame.Tokens = w.countEncoded()
	w.left -= frame.Tokens
	w.next = position{w.next.seq + 1, frame.Mode}
	w.shown.add(frame)
	if !w.yield(*frame, nil) {
		w.stopped = true
	}
	return true
}

// sayLeft sets the number of tokens that the session has left after a final frame with totals is
// charged. The number is part of the cost. If both a digit more and a digit less would make it
// false, a blank takes the place of the digit. If no number is true, as by an odd counter, the
// frame has none.
func (w *writer) sayLeft(frame *encode.Frame, room int) {
	if frame.Totals == nil || !w.Budget.HasSession() {
		return
	}
	const mostBlanks, mostTries = 4, 4 // a token has four characters
	before, said := w.Budget.SessionLeft-(w.Budget.Tokens-w.left), &frame.Totals.SessionLeft
	if w.GoesOn {
		*said = -1
		return
	}
	for frame.Totals.Blanks = range mostBlanks {
		for range mostTries {
			cost := w.cost(frame)
			after := max(0, before-cost)
			if after == *said && cost <= room {
				return
			}
			*said = after
		}
	}
	*said, frame.Totals.Blanks = -1, 0
}

// encodeAt encodes the frame at a position, and reports whether it differs from the frame that was encoded last.
func (w *writer) encodeAt(frame *encode.Frame, at position) (isNew bool) {
	frame.Seq, frame.Left, frame.Filtered = at.seq, w.left, w.Filtered
	frame.SaysLeft = frame.Mode != at.mode
	if frame.Whole && frame.Error == nil {
		isNew = w.lend(frame.Source)
	} else if w.encodeScratch(frame); !bytes.Equal(w.scratch, w.encoded) { // else it may have been counted
		w.swap()
		w.tokens, isNew = -1, true
	}
	frame.Text = w.encoded
	return isNew
}

// lend writes a text that is its own encoding without copying it. It reports whether the text
// differs from the last frame.
func (w *writer) lend(text []byte) (isNew bool) {
	if w.isLent && bytes.Equal(text, w.encoded) {
		return false
	}
	if !w.isLent {
		w.scratch = w.encoded
	}
	w.encoded, w.isLent, w.tokens = text, true, -1
	return true
}

// swap exchanges the frame that was encoded last and the scratch. A text that was lent is not written over.
func (w *writer) swap() {
	w.encoded, w.scratch = w.scratch, w.encoded
	if w.isLent {
		w.scratch, w.isLent = nil, false
	}
}

// encodeScratch encodes the frame as it is into scratch, which has room for most frames then.
func (w *writer) encodeScratch(frame *encode.Frame) {
	size := len(frame.Source) + len(frame.Data) + len(frame.Columns) + len(frame.Rows) + frame.Facts.Size()
	w.scratch = w.Encoding.Append(slices.Grow(w.scratch[:0], size), frame)
}

// cost returns what the frame costs as the next one.
func (w *writer) cost(frame *encode.Frame) int { return w.costAt(frame, w.next) }

// costAt encodes the frame at a position and counts it, unless that was the last thing done.
func (w *writer) costAt(frame *encode.Frame, at position) int {
	w.encodeAt(frame, at)
	frame.Tokens = w.countEncoded()
	return frame.Tokens
}

// costLater returns what the frame costs at most after so many more frames.
func (w *writer) costLater(frame *encode.Frame, frames int) int {
	return max(w.cost(frame), w.costAt(frame, w.next.later(frames)))
}

// countEncoded returns the cost of the frame that was encoded last.
func (w *writer) countEncoded() int {
	if w.tokens < 0 {
		w.tokens = w.Cost(w.encoded)
	}
	return w.tokens
}

// fits reports whether the frame costs no more than room as the next one. Mostly its length tells. A chunk that
// costs more without the rest of the frame is not encoded. A frame that does not fit is forgotten, so that at most
// one frame in memory is larger than the room.
func (w *writer) fits(frame *encode.Frame, room int) bool {
	if least, _ := w.Counter.Bounds(len(frame.Data)); least > room {
		return false
	}
	before := w.tokens
	isNew := w.encodeAt(frame, w.next)
	if w.tokens < 0 {
		least, most := w.Counter.Bounds(len(w.encoded))
		if most <= room {
			return true
		}
		if least <= room {
			frame.Tokens = w.countEncoded()
		}
	}
	if w.tokens >= 0 && w.tokens <= room {
		return true
	}
	if isNew {
		w.swap()
		w.tokens, frame.Text = before, nil
	}
	return false
}

// isCheaper reports whether the frame costs less than a number of tokens with its present content and the position and
// the mode it was last encoded with. If so, it becomes the frame that was encoded last.
func (w *writer) isCheaper(frame *encode.Frame, tokens int) bool {
	w.encodeScratch(frame)
	if least, _ := w.Counter.Bounds(len(w.scratch)); least >= tokens {
		return false
	}
	other := w.Cost(w.scratch)
	if other >= tokens {
		return false
	}
	w.swap()
	w.tokens = other
	return true
}

// probed encodes a frame as the nth of several raw frames that begin at a position, as long as it can get.
func (w *writer) probed(raw *encode.Frame, n int, at position) []byte {
	w.probe = *raw
	w.probe.Seq, w.probe.Left, w.probe.Filtered = at.seq+n-1, w.Budget.Tokens, w.Filtered
	w.probe.SaysLeft = n <= 1 && at.mode != budget.Raw
	w.scratch = w.Encoding.Append(w.scratch[:0], &w.probe)
	return w.scratch
}

// mostOfHandle returns what a frame costs at most that names the handle and nothing else.
func (w *writer) mostOfHandle() int {
	const most = 1e9
	frame := encode.Frame{Seq: most, Mode: budget.HandleOnly, First: most, Last: most, Handle: longestHandle,
		Left: w.Budget.Tokens, SaysLeft: true}
	return w.Cost(w.Encoding.Append(nil, &frame))
}

// longestHandle stands for the name of a handle until that is known.
const longestHandle = "h999999"
