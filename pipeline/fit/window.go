package fit

import (
	"slices"
	"time"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/summarize"
)

// Bounds of a window, in bytes and in chunks.
const (
	windowBytes   = 64 << 10
	notableBytes  = 2 << 10 // of one outlier
	notableChunks = 8       // outliers of a window
)

// window holds chunks that wait for a frame.
type window struct {
	since       time.Duration // what the source had been waited for when the first one came
	first, last int           // their numbers
	count       int
	size        int // chunks of a full window, by plan live
	held        heldChunks
	blobs       int                // in all of them
	isLabelled  bool               // raw frames show labels in the place of blobs: not all of the response fits
	facts       *summarize.Summary // of the first summed chunks
	summed      int
	raw         rawCost
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

// gather puts a chunk into the window, and why it is an outlier if it is one.
func (w *window) gather(raw *encode.Frame, why, kind string) {
	if w.count == 0 {
		w.empty()
		w.first = raw.First
	}
	w.count++
	w.last = raw.Last
	w.blobs += raw.Omitted.Blobs
	w.held.add(raw, why, kind)
}

// empty forgets all that the window holds.
func (w *window) empty() {
	w.held.empty()
	w.count, w.blobs = 0, 0
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
	w.summed, w.raw = 0, rawCost{}
}

// outliersOf returns the outliers among the first n chunks.
func (w *window) outliersOf(n int) (found outliers) {
	for i := range min(n, w.held.len()) {
		if h := w.held.at(i); h.why != "" {
			found.add(h.seq, h.why, h.kind, h.data.of(w.held.arena), h.isText)
		}
	}
	return found
}

// sumUp adds the held chunks to the facts of the window.
func (w *window) sumUp() {
	for ; w.summed < w.held.len(); w.summed++ {
		w.facts.Add(w.held.at(w.summed).record(w.held.arena))
	}
}

// recordsOf returns the first n chunks that the window holds.
func (w *window) recordsOf(n int) tabulate.Records { return windowRecords{w, min(n, w.held.len())} }

// windowRecords are the first n chunks that a window holds.
type windowRecords struct {
	*window
	n int
}

// Len implements summarize.Records.
func (r windowRecords) Len() int { return r.n }

// At implements summarize.Records.
func (r windowRecords) At(i int) structure.Record {
	return r.held.at(i).record(r.held.arena)
}
