package query

import (
	"bytes"
	"iter"

	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// line is a chunk with the fields that it has as a line: a JSON object of values by whole paths, nil if there are none.
type line struct {
	split.Chunk
	fields []byte
}

// linesOf yields chunks as they come, and those that are lines with the fields that a summary reads in them, from the first one on. As
// it may be known only some lines later whether a line has fields, it holds copies of a few.
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
	lines   *summarize.Lines // nil before the first line
	held    []split.Chunk
	clean   []byte
	stopped bool
}

func (r *lineReader) add(c split.Chunk) {
	if r.lines == nil {
		r.lines = summarize.NewLines()
	}
	for _, bytesOf := range []*[]byte{&c.Path, &c.Lead, &c.Source, &c.LineEnd, &c.Inner} {
		*bytesOf = bytes.Clone(*bytesOf)
	}
	r.held = append(r.held, c)
	text := c.Content()
	if !split.IsValid(text) {
		r.clean, _ = split.ReplaceInvalid(r.clean[:0], text)
		text = r.clean
	}
	r.lines.Add(summarize.Record{Seq: c.Seq, Top: c.Top, Path: c.Path, Value: text, IsText: true})
	r.give()
}

// give yields the lines whose fields are known.
func (r *lineReader) give() {
	for seq, fields := range r.lines.Read {
		for len(r.held) > 0 && r.held[0].Seq <= seq && !r.stopped {
			l := line{Chunk: r.held[0]}
			if l.Seq == seq && len(fields) > 0 {
				l.fields = fields
			}
			r.held = r.held[1:]
			r.stopped = !r.yield(l, nil)
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
		r.stopped = !r.yield(line{Chunk: r.held[0]}, nil)
		r.held = r.held[1:]
	}
}
