package fit

import (
	"slices"
	"time"

	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/tabulate"
)

// Bounds of what a window keeps as it is, in bytes and in chunks. Chunks past them are counted and summarized, and the
// last one is kept.
const (
	windowBytes   = 64 << 10
	notableBytes  = 2 << 10 // of one outlier
	notableChunks = 8       // outliers of a window
)

// window holds the chunks that wait for a frame.
type window struct {
	since       time.Duration // what the source had been waited for when the first one came
	first, last int           // their numbers
	count       int
	size        int        // chunks of a full window, by a plan with phases
	whole       bool       // all of them are held
	held        heldChunks // from the first on
	lastChunk   heldChunk  // the last one, if it is not among them
	lastBytes   []byte
	blobs       int      // in all of them
	isLabelled  bool     // raw frames show labels in the place of blobs: not all of the response fits
	outliers    outliers // among the chunks that are not held
	// of the first summed chunks that are held, and of those that are not; nil once deferred
	facts   *summarize.Summary
	summed  int
	raw     rawCost // of those that are held
	laid    int     // bytes up to which it is taken to fit as a table; 0 while it fits raw
	rawUpTo float64 // tokens read when it did not fit raw any more
}

// rawCost is what is known of the cost of the held chunks as raw frames.
type rawCost struct {
	measured int // how many are known in bytes
	frames   int // of these
	counted  int // how many of these in tokens
	sent     int // frames of those
	tokens   int // what those cost
	bytes    int // what the others that are measured take
}

// outliers are chunks that stand out: some to be shown, the others counted by kind.
type outliers struct {
	kept   []encode.Notable
	missed encode.Kinds
}

// add keeps a chunk, or counts it if it is too long or one too many.
func (o *outliers) add(chunk int, why, kind string, data []byte, isText bool) {
	if len(o.kept) == notableChunks || len(data) > notableBytes {
		o.missed = o.missed.Add(kind, 1)
		return
	}
	o.kept = append(o.kept, encode.Notable{Chunk: chunk, Why: why, Kind: kind, Data: slices.Clone(data),
		IsText: isText})
}

// kinds counts all of them by kind.
func (o outliers) kinds() encode.Kinds { return encode.KindsOf(o.kept, o.missed) }

// gather puts a chunk into the window, and why it is an outlier if it is one. If holdsAll, the window holds it whatever
// its size. The window returns the warnings of a chunk that it does not hold.
func (w *window) gather(raw *encode.Frame, why, kind string, holdsAll bool) (unheld []split.Warning) {
	if w.count == 0 {
		w.empty()
		w.first, w.whole = raw.First, true
	}
	w.count++
	w.last = raw.Last
	w.blobs += raw.Omitted.Blobs
	if w.whole = w.whole && (holdsAll || len(w.held.arena)+len(raw.Data) <= windowBytes); w.whole {
		w.held.add(raw, why, kind)
		return nil
	}
	w.sumUp()
	w.facts.Add(structure.Record{Seq: raw.First, Top: raw.Top, Path: raw.Path, Value: raw.Data, IsText: raw.IsText,
		GoesOn: raw.GoesOn})
	if why != "" {
		w.outliers.add(raw.First, why, kind, raw.Data, raw.IsText)
	}
	w.lastBytes, w.lastChunk = hold(w.lastBytes[:0], raw)
	return raw.Warnings
}

// empty forgets all that the window holds.
func (w *window) empty() {
	w.held.empty()
	w.count, w.blobs, w.outliers = 0, 0, outliers{}
	w.changed()
}

// drop forgets the first n chunks of a window that holds all it has.
func (w *window) drop(n int) {
	if n >= w.count {
		w.count = 0
		return
	}
	w.blobs -= w.blobsOf(n)
	w.held.drop(n)
	w.count -= n
	w.first = w.held.at(0).seq
	w.changed()
}

// changed forgets what was known of the chunks that were held before.
func (w *window) changed() {
	if w.facts != nil {
		w.facts.Reset()
	}
	w.summed, w.laid, w.raw = 0, 0, rawCost{}
}

// only returns a window of one of the held chunks, which shares their memory.
func (w *window) only(i int) window {
	one := *w
	one.held.list, one.count = w.held.list.slice(i, i+1), 1
	only := one.held.at(0)
	one.first, one.last, one.blobs = only.seq, only.last, only.blobs
	one.raw, one.outliers = rawCost{}, outliers{}
	return one
}

// dropFirst forgets the first chunk, which is held and was written.
func (w *window) dropFirst() {
	first := w.held.at(0)
	w.first, w.count, w.blobs = first.last+1, w.count-1, w.blobs-first.blobs
	w.held.list = w.held.list.slice(1, w.held.len())
}

// outliersOf returns the outliers among the first n chunks.
func (w *window) outliersOf(n int) (found outliers) {
	for i := range min(n, w.held.len()) {
		if h := w.held.at(i); h.why != "" {
			found.add(h.seq, h.why, h.kind, h.data.of(w.held.arena), h.isText)
		}
	}
	if n < w.count {
		return found
	}
	for _, later := range w.outliers.kept {
		found.add(later.Chunk, later.Why, later.Kind, later.Data, later.IsText)
	}
	for _, more := range w.outliers.missed {
		found.missed = found.missed.Add(more.Rule, more.Count)
	}
	return found
}

// sumUp adds the held chunks to the facts of the window.
func (w *window) sumUp() {
	for ; w.summed < w.held.len(); w.summed++ {
		w.facts.Add(w.held.at(w.summed).record(w.held.arena))
	}
}

// recordsOf returns the first n chunks that the window holds, and the last one if it does not hold all.
func (w *window) recordsOf(n int) tabulate.Records { return windowRecords{w, min(n, w.held.len())} }

// windowRecords are the first chunks that a window holds, and the last one if it does not hold all.
type windowRecords struct {
	*window
	n int // of the held ones
}

// Len implements summarize.Records.
func (r windowRecords) Len() int {
	if r.whole {
		return r.n
	}
	return r.n + 1
}

// At implements summarize.Records.
func (r windowRecords) At(i int) structure.Record {
	if i == r.n {
		return r.lastChunk.record(r.lastBytes)
	}
	return r.held.at(i).record(r.held.arena)
}
