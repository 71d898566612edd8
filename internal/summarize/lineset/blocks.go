package lineset

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Blocks finds the lines that belong to the one before: the frames of a stack trace. They are in no template: nearly
// each would be one of its own.
type Blocks struct {
	Kind           BlockKind
	Frame          int // of the current trace, from 1
	Traces, Frames int
}

// BlockKind is of what kind a block of lines is.
type BlockKind uint8

// The kinds of blocks.
const (
	NoBlock     BlockKind = iota
	Trace                 // a stack trace: lines with "at" or "from" and a place in code
	sourceTrace           // as of Python: a frame may have lines of source under it
	goTrace               // as of Go: a line that says so, and the calls under it
	rustTrace             // as of Rust: a line that says so, and under it calls with a number, and their places
)

// Add says to which block a line belongs, NoBlock if to none: so it is with the one before a trace.
func (b *Blocks) Add(line []byte) BlockKind {
	if b.Kind == NoBlock && len(line) > 0 && !ascii.IsBlank(line[0]) && line[0] != 'g' && line[0] != 's' {
		return NoBlock // as most lines
	}
	if b.Kind == Trace && bytes.HasPrefix(line, []byte("Caused by: ")) {
		return NoBlock // it is a name and its value, and the trace goes on after it
	}
	kind := frameOf(line)
	switch {
	case b.Kind == goTrace && isGoFrame(line), b.Kind == sourceTrace && IsIndented(line),
		b.Kind == rustTrace && isRustFrame(line):
		kind = b.Kind
	case b.Kind == Trace && bytes.HasPrefix(line, []byte("\t... ")):
		kind = Trace
	case kind != NoBlock && b.Kind != kind:
		b.Frame = 0
	}
	b.Kind = kind
	if kind != NoBlock {
		b.Frames++
		if b.Frame++; b.Frame == 1 {
			b.Traces++
		}
		return kind
	}
	switch {
	case bytes.HasPrefix(line, []byte("goroutine ")) && bytes.HasSuffix(line, []byte("]:")):
		b.Kind, b.Frame = goTrace, 0
	case bytes.Equal(line, []byte("stack backtrace:")):
		b.Kind, b.Frame = rustTrace, 0
	}
	return NoBlock
}

// IsIndented reports whether a line begins with a blank, and has more than that.
func IsIndented(line []byte) bool { return len(line) > 1 && ascii.IsBlank(line[0]) }

// isGoFrame says whether a line is one of those that Go's runtime prints of a call: the function with its arguments,
// the place of it under that, who has created the goroutine, or that more is left out (runtime/traceback.go).
func isGoFrame(line []byte) bool {
	switch {
	case len(line) == 0:
		return false
	case line[0] == '\t', bytes.HasPrefix(line, []byte("created by ")), bytes.HasPrefix(line, []byte("...")):
		return true
	}
	open := bytes.IndexByte(line, '(')
	return open > 0 && line[len(line)-1] == ')' && bytes.IndexByte(line[:open], ' ') < 0
}

// isRustFrame reports whether a line is a call with its number, or the place of one (std::backtrace).
func isRustFrame(line []byte) bool {
	text := bytes.TrimLeft(line, " ")
	n := ascii.LeadingDigits(text)
	return len(text) < len(line) && (n > 0 && bytes.HasPrefix(text[n:], []byte(": ")) ||
		bytes.HasPrefix(text, []byte("at ")))
}

// frameOf says of which kind of trace a line is a frame, by the line alone.
func frameOf(line []byte) BlockKind {
	if !IsIndented(line) {
		return NoBlock
	}
	text := bytes.TrimLeft(line, " \t")
	switch {
	case bytes.HasPrefix(text, []byte(`File "`)) && bytes.Contains(text, []byte(`", line `)):
		return sourceTrace
	case bytes.HasPrefix(text, []byte("from ")) && bytes.Contains(text, []byte(":in ")),
		bytes.HasPrefix(text, []byte("at ")) && isPlaceInCode(text[len("at "):]):
		return Trace
	}
	return NoBlock
}

// isPlaceInCode says whether text names a function with its parentheses, or a file with a line.
func isPlaceInCode(text []byte) bool {
	if open := bytes.IndexByte(text, '('); open > 0 && bytes.IndexByte(text[open:], ')') > 0 {
		return bytes.IndexByte(text[:open], '.') > 0 || bytes.IndexByte(text[open:], ':') > 0
	}
	colon := bytes.LastIndexByte(text, ':')
	return colon > 0 && colon+1 < len(text) && ascii.IsDigit(text[colon+1]) && bytes.IndexByte(text, '/') >= 0
}
