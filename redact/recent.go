package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/code"
)

// recent keeps the end of what was read of an input: the lines before the current one tell what kind of
// text it is in.
type recent struct {
	part    []byte // what is being read
	tail    []byte // the last of what was read before part, twice code.Look at most
	before  []byte // of that, the lines before the current one
	scratch []byte

	line int // where a line begins in part, with the votes of those before it; 0: none is known
	n    int
}

// begin forgets the input.
func (r *recent) begin() { r.part, r.tail, r.before, r.line = nil, r.tail[:0], r.before[:0], 0 }

// read keeps the end of a part that was read.
func (r *recent) read(part []byte) {
	r.part, r.line = nil, 0
	if line := bytes.LastIndexByte(part, '\n') + 1; line > 0 {
		r.before = append(r.before[:0], r.last(part[:line])...)
	}
	if len(part) >= code.Look {
		r.tail = append(r.tail[:0], part[len(part)-code.Look:]...)
		return
	}
	if len(r.tail)+len(part) > 2*code.Look {
		r.tail = r.tail[:copy(r.tail, r.tail[len(r.tail)-code.Look:])]
	}
	r.tail = append(r.tail, part...)
}

// last returns the end of what was read before, with read behind it.
func (r *recent) last(read []byte) []byte {
	if len(read) >= code.Look {
		return read[len(read)-code.Look:]
	}
	r.scratch = append(r.scratch[:0], r.tail[max(0, len(r.tail)-(code.Look-len(read))):]...)
	r.scratch = append(r.scratch, read...)
	return r.scratch
}

// votes returns the votes of package code for the lines before the last line of part.
func (r *recent) votes() int {
	line := bytes.LastIndexByte(r.part, '\n') + 1
	if line == 0 {
		return code.Votes(r.before)
	}
	if line != r.line {
		r.line, r.n = line, code.Votes(r.last(r.part[:line]))
	}
	return r.n
}
