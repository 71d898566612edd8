package fit

import (
	"slices"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// heldChunks are chunks that wait, with bytes of their own. A budget of a hundred thousand tokens has hundreds of
// thousands of them, so each takes little more than its bytes.
type heldChunks struct {
	arena    []byte
	list     heldList
	more     []heldMore // of some of them
	firstSeq int        // what their numbers are counted from
	firstTop int
}

// heldChunk is a chunk whose bytes are in an arena.
type heldChunk struct {
	path   span
	data   span
	isText bool
	goesOn bool
	heldMore
}

// heldMore is what only few chunks need a place for.
type heldMore struct {
	seq       int
	last      int    // number of its last chunk, if it is of several
	top       int    // number of the value at the top
	why, kind string // if it is an outlier
	warnings  []split.Warning
	blobs     int         // labels in it
	asIs      []heldChunk // the chunk, or the parts, with the blobs in them; none if they would not fit
}

// packedChunk is a heldChunk in a list.
type packedChunk struct {
	from  int    // where the path is in the arena; the data follow it
	seq   uint32 // from firstSeq on
	top   uint32 // from firstTop on
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

type span struct{ from, to int }

func (s span) of(arena []byte) []byte { return arena[s.from:s.to] }

func (c *heldChunks) len() int { return c.list.len() }

// add adds a chunk, and why it is an outlier if it is one.
func (c *heldChunks) add(raw *encode.Frame, why, kind string) {
	var h heldChunk
	c.arena, h = hold(c.arena, raw)
	h.why, h.kind = why, kind
	if c.list.len() == 0 {
		c.firstSeq, c.firstTop = h.seq, h.top
	}
	p := packedChunk{from: h.path.from, seq: uint32(h.seq - c.firstSeq), top: uint32(h.top - c.firstTop),
		path: uint32(len(raw.Path)), data: uint32(len(raw.Data))}
	if h.isText {
		p.flags = flagText
	}
	if h.goesOn {
		p.flags |= flagGoesOn
	}
	isFar := c.firstSeq+int(p.seq) != h.seq || c.firstTop+int(p.top) != h.top
	if why != "" || h.warnings != nil || isFar || h.blobs > 0 || h.last != h.seq {
		c.more = append(c.more, h.heldMore)
		p.flags += uint32(len(c.more)) * flagUnit
	}
	c.list.add(p)
}

// at returns the chunk with this index.
func (c *heldChunks) at(i int) heldChunk {
	p := c.list.at(i)
	data := p.from + int(p.path)
	h := heldChunk{path: span{p.from, data}, data: span{data, data + int(p.data)},
		isText: p.flags&flagText != 0, goesOn: p.flags&flagGoesOn != 0}
	if more := c.moreOf(i); more != nil {
		h.heldMore = *more
	} else {
		h.seq, h.top = c.firstSeq+int(p.seq), c.firstTop+int(p.top)
		h.last = h.seq
	}
	return h
}

// frame returns the chunk with this index as a raw frame.
func (c *heldChunks) frame(i int) encode.Frame { return c.at(i).frame(c.arena) }

// moreOf returns what only few chunks have; nil if the chunk with this index has none of it.
func (c *heldChunks) moreOf(i int) *heldMore {
	if n := c.list.at(i).flags / flagUnit; n > 0 {
		return &c.more[n-1]
	}
	return nil
}

// empty forgets all chunks. Their memory serves the next ones.
func (c *heldChunks) empty() {
	clear(c.more)
	c.list.empty()
	c.arena, c.more = c.arena[:0], c.more[:0]
}

// drop forgets the first n of more than n chunks.
func (c *heldChunks) drop(n int) {
	from, left, more := c.list.at(n).from, c.list.slice(n, c.list.len()), c.more
	c.arena, c.more = append(c.arena[:0], c.arena[from:]...), nil
	c.list.empty()
	for i := range left.len() {
		p := *left.at(i)
		p.from -= from
		if n := p.flags / flagUnit; n > 0 {
			for i := range more[n-1].asIs {
				more[n-1].asIs[i].move(-from)
			}
			c.more = append(c.more, more[n-1])
			p.flags = p.flags%flagUnit + uint32(len(c.more))*flagUnit
		}
		c.list.add(p)
	}
}

// hold appends the bytes of a raw frame to an arena.
func hold(arena []byte, raw *encode.Frame) ([]byte, heldChunk) {
	h := heldChunk{isText: raw.IsText, goesOn: raw.GoesOn}
	h.seq, h.last, h.top, h.blobs = raw.First, raw.Last, raw.Top, raw.Omitted.Blobs
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

func (h heldChunk) frame(arena []byte) encode.Frame {
	frame := encode.Frame{Mode: budget.Raw, First: h.seq, Last: h.last, Warnings: h.warnings,
		Raw: encode.Raw{Path: h.path.of(arena), Data: h.data.of(arena), IsText: h.isText}}
	if frame.Omitted.Blobs = h.blobs; h.blobs > 0 {
		frame.Handle = longestHandle
	}
	return frame
}

func (h heldChunk) record(arena []byte) structure.Record {
	return structure.Record{Seq: h.seq, Top: h.top, Path: h.path.of(arena), Value: h.data.of(arena), IsText: h.isText,
		GoesOn: h.goesOn}
}
