package query

import (
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// line is a chunk with the fields that it has as a line: a JSON object of values by whole paths,
// nil if there are none.
type line struct {
	split.Chunk
	fields []byte
	part   summarize.TablePart
}

// linesOf yields chunks as they come, and those that are lines with the fields that a summary reads
// in them, from the first one on. As it may be known only some lines later whether a line has
// fields, it holds copies of a few.
func linesOf(chunks iter.Seq2[split.Chunk, error]) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		r := lineReader{yield: yield}
		for c, err := range chunks {
			if c.Kind == split.Text && c.Seq > 0 && err == nil {
				r.add(c)
			} else if r.settle(); !r.stopped {
				r.stopped = !yield(line{Chunk: c}, err)
			}
			if r.stopped {
				return
			}
		}
		r.settle()
	}
}

// lineReader holds lines until their fields are known.
type lineReader struct {
	yield   func(line, error) bool
	lines   *summarize.LineFields // nil before the first line
	held    []heldLine
	free    [][]byte // of lines that are held no more
	valid   []byte
	stopped bool
}

// heldLine is a chunk whose bytes are copies.
type heldLine struct {
	split.Chunk
	bytes []byte
}

// hold holds a copy of a chunk.
func (r *lineReader) hold(c split.Chunk) *split.Chunk {
	h := heldLine{Chunk: c}
	if last := len(r.free) - 1; last >= 0 {
		h.bytes, r.free = r.free[last], r.free[:last]
	}
	parts := []*[]byte{&h.Path, &h.Lead, &h.Source, &h.LineEnd, &h.Inner}
	size := 0
	for _, part := range parts {
		size += len(*part)
	}
	h.bytes = slices.Grow(h.bytes[:0], size)
	for _, part := range parts {
		if *part == nil {
			continue
		}
		from := len(h.bytes)
		h.bytes = append(h.bytes, *part...)
		*part = h.bytes[from:len(h.bytes):len(h.bytes)]
	}
	r.held = append(r.held, h)
	return &r.held[len(r.held)-1].Chunk
}

// giveFirst yields the first line that is held.
func (r *lineReader) giveFirst(as summarize.Line) {
	first := r.held[0]
	r.stopped = !r.yield(line{Chunk: first.Chunk, fields: as.Fields, part: as.Part}, nil)
	r.free = append(r.free, first.bytes)
	r.held = slices.Delete(r.held, 0, 1)
}

func (r *lineReader) add(c split.Chunk) {
	if r.lines == nil {
		r.lines = summarize.NewLineFields()
	}
	held := r.hold(c)
	text := held.Content()
	if !split.IsValid(text) {
		r.valid, _ = split.ReplaceInvalid(r.valid[:0], text)
		text = r.valid
	}
	r.lines.Add(structure.Record{Seq: c.Seq, Top: c.Top, Path: c.Path, Value: text, IsText: true})
	r.give()
}

// give yields the lines whose fields are known.
func (r *lineReader) give() {
	for next := range r.lines.Read {
		for len(r.held) > 0 && r.held[0].Seq <= next.Seq && !r.stopped {
			if r.held[0].Seq < next.Seq {
				r.giveFirst(summarize.Line{})
			} else {
				r.giveFirst(next)
			}
		}
		if r.stopped {
			return
		}
	}
}

// settle yields all lines that are held: what comes next is none.
func (r *lineReader) settle() {
	if len(r.held) == 0 || r.stopped {
		return
	}
	r.lines.Settle()
	r.give()
	for len(r.held) > 0 && !r.stopped {
		r.giveFirst(summarize.Line{})
	}
}
