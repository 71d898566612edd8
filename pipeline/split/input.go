package split

import (
	"bytes"
	"io"

	"github.com/kfw-dev/kfw/redact"
)

// source is what is cut into chunks.
type source interface {
	io.Reader
	Format() redact.Format // of what is read, as soon as it is known
	Asked() redact.Format  // what it is to be read as
	Rules() *redact.Rules  // by which it was redacted
	EndsLine() bool        // whether what was read so far, redacted or not yet, ends a line
}

// input is the part of a source that is in memory.
type input struct {
	source source
	err    error // of the source
	buf    []byte
	lead   int   // buf[lead:] has not been yielded
	pos    int   // buf[pos:end] has not been looked at
	end    int   // of what has been read
	base   int64 // offset of buf[0] in the source
	lineCount
}

// lineCount is in which line an offset of the source is.
type lineCount struct {
	counted    int64 // offset up to which line feeds have been counted
	lines      int   // line feeds before that
	lineOffset int64 // where the line begins that counted is in
	indent     int   // blanks that it begins with
	isIndented bool  // all of them are counted
}

// readOn reads more into the buffer, and says how much and whether it is the last.
func (in *input) readOn() (n int, isLast bool) {
	n, in.err = in.source.Read(in.buf[in.end:])
	in.end += n
	return n, in.err != nil
}

// makeRoom moves what has not been yielded to the beginning of the buffer, if the rest of it is too small to read a
// block into. It returns by how many bytes.
func (in *input) makeRoom() (moved int) {
	if len(in.buf)-in.end >= BlockSize/2 || in.lead == 0 {
		return 0
	}
	moved = in.lead
	in.countLines(moved)
	in.base += int64(moved)
	copy(in.buf, in.buf[moved:in.end])
	in.end -= moved
	in.pos -= moved
	in.lead = 0
	return moved
}

// offset returns where buf[pos] is in the source.
func (in *input) offset(pos int) int64 { return in.base + int64(pos) }

// place returns the line and the column of buf[pos], from 1.
func (in *input) place(pos int) (line, column int) {
	in.countLines(pos)
	return in.lines + 1, int(in.offset(pos)-in.lineOffset) + 1
}

// countLines counts the line feeds before buf[to], if that is further than before.
func (in *input) countLines(to int) {
	from := int(in.counted - in.base)
	if to <= from {
		return
	}
	if n := bytes.Count(in.buf[from:to], []byte{'\n'}); n > 0 {
		in.lines += n
		from += bytes.LastIndexByte(in.buf[from:to], '\n') + 1
		in.lineOffset = in.offset(from)
		in.indent, in.isIndented = 0, false
	}
	if !in.isIndented {
		n := blanks(in.buf[from:to])
		in.indent += n
		in.isIndented = from+n < to
	}
	in.counted = in.offset(to)
}
