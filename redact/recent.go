package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/code"
)

// recent keeps the last bytes that were read: the lines before the current one tell what kind of text it is in.
type recent struct {
	part    []byte // being read
	tail    []byte // the bytes before part, twice code.Look at most
	before  []byte // of that, the lines before the current one
	scratch []byte

	current []byte // the current line, with its blanks

	line     int  // where the current line begins in part, of which the following is known
	isKnown  bool // anything of it
	hasVotes bool
	votes    int // of the lines before it
	indent   int // which it has, or -1
	block    int // what Block returns for that

	inString *bool // the text is a string of JSON
}

// begin forgets the input.
func (r *recent) begin() { r.part, r.tail, r.before, r.isKnown = nil, r.tail[:0], r.before[:0], false }

// read keeps the end of a part that was read.
func (r *recent) read(part []byte) {
	r.part, r.isKnown = nil, false
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

// AreOfText implements names.LinesBefore: a string of JSON has its lines.
func (r *recent) AreOfText() bool { return *r.inString }

// WithIndent implements names.LinesBefore.
func (r *recent) WithIndent(line []byte) []byte {
	begin := r.part
	if at := bytes.LastIndexByte(begin, '\n') + 1; at > 0 {
		begin = begin[at:]
	} else if at := bytes.LastIndexByte(r.tail, '\n') + 1; at > 0 || len(r.tail) < code.Look {
		begin = append(r.scratch[:0], r.tail[at:]...)
		begin = append(begin, r.part...)
	}
	if blanks := lex.Blank.Run(begin, 0, len(begin)); blanks > 0 && (len(line) == 0 || !lex.Blank.Has(line[0])) {
		r.current = append(append(r.current[:0], begin[:blanks]...), line...)
		return r.current
	}
	return line
}

// Votes implements code.Lines.
func (r *recent) Votes() int {
	if r.look(); !r.hasVotes {
		r.votes, r.hasVotes = code.Votes(r.lines()), true
	}
	return r.votes
}

// Block implements code.Lines.
func (r *recent) Block(indent int) int {
	if r.look(); r.indent != indent {
		r.block, r.indent = code.Block(r.lines(), indent), indent
	}
	return r.block
}

// Last implements names.LinesBefore.
func (r *recent) Last() []byte {
	r.look()
	b := bytes.TrimSuffix(r.lines(), []byte{'\n'})
	return b[bytes.LastIndexByte(b, '\n')+1:]
}

// look forgets what it knows of the lines before another line.
func (r *recent) look() {
	if line := bytes.LastIndexByte(r.part, '\n') + 1; line != r.line || !r.isKnown {
		r.line, r.isKnown, r.hasVotes, r.indent = line, true, false, -1
	}
}

// lines returns the lines before the current one.
func (r *recent) lines() []byte {
	if r.line == 0 {
		return r.before
	}
	return r.last(r.part[:r.line])
}
