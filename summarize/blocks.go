package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// blocks finds the lines that belong to the one before: the frames of a stack trace, and the hunks of a diff.
// They are in no template: nearly each would be a form of its own.
type blocks struct {
	kind           blockKind
	frame          int // of the trace at hand, from 1
	traces, frames int
	freshTraces    int // whose first frame was new when it came

	hunks, added, removed, same int
	before, after               int // lines of the hunk at hand to come, of the old text and of the new one
}

// failure is a line that names an error. What is indented under it says which: the first of those lines are told with
// it.
type failure struct {
	head   int // number of its chunk
	next   int // of the line that may be told with it
	indent int
	told   int
}

const maxUnderFailure = 2 // lines that are told with a failure

type blockKind uint8

const (
	noBlock blockKind = iota
	trace
	sourceTrace // as of Python: a frame may have lines of source under it
	goTrace     // as of Go: a line that says so, and the calls under it
	hunk
)

// add says to which block a line belongs, noBlock if to none: so it is with the one before a trace.
func (b *blocks) add(line []byte) blockKind {
	if b.kind == noBlock && len(line) > 0 && !ascii.IsBlank(line[0]) && line[0] != '@' && line[0] != 'g' {
		return noBlock // as most lines
	}
	if b.kind == hunk && b.addToHunk(line) {
		return hunk
	}
	if b.kind == trace && bytes.HasPrefix(line, []byte("Caused by: ")) {
		return noBlock // it is a name and its value, and the trace goes on after it
	}
	kind := frameOf(line)
	switch {
	case b.kind == goTrace && isGoFrame(line), b.kind == sourceTrace && isIndented(line):
		kind = b.kind
	case b.kind == trace && bytes.HasPrefix(line, []byte("\t... ")):
		kind = trace
	case kind != noBlock && b.kind != kind:
		b.frame = 0
	}
	b.kind = kind
	if kind != noBlock {
		b.frames++
		if b.frame++; b.frame == 1 {
			b.traces++
		}
		return kind
	}
	switch {
	case bytes.HasPrefix(line, []byte("@@ -")) && b.readHunk(line):
		b.kind = hunk
		b.hunks++
		return hunk
	case bytes.HasPrefix(line, []byte("goroutine ")) && bytes.HasSuffix(line, []byte("]:")):
		b.kind, b.frame = goTrace, 0
	}
	return noBlock
}

func isIndented(line []byte) bool { return len(line) > 1 && ascii.IsBlank(line[0]) }

// isGoFrame says whether a line is one of those that Go's runtime prints of a call: the function with its arguments, the place of it
// under that, who has created the goroutine, or that more is left out (runtime/traceback.go).
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

// frameOf says of which kind of trace a line is a frame, by the line alone.
func frameOf(line []byte) blockKind {
	if !isIndented(line) {
		return noBlock
	}
	text := bytes.TrimLeft(line, " \t")
	switch {
	case bytes.HasPrefix(text, []byte(`File "`)) && bytes.Contains(text, []byte(`", line `)):
		return sourceTrace
	case bytes.HasPrefix(text, []byte("from ")) && bytes.Contains(text, []byte(":in ")),
		bytes.HasPrefix(text, []byte("at ")) && isPlaceInCode(text[len("at "):]):
		return trace
	}
	return noBlock
}

// isPlaceInCode says whether text names a function with its parentheses, or a file with a line.
func isPlaceInCode(text []byte) bool {
	if open := bytes.IndexByte(text, '('); open > 0 && bytes.IndexByte(text[open:], ')') > 0 {
		return bytes.IndexByte(text[:open], '.') > 0 || bytes.IndexByte(text[open:], ':') > 0
	}
	colon := bytes.LastIndexByte(text, ':')
	return colon > 0 && colon+1 < len(text) && ascii.IsDigit(text[colon+1]) && bytes.IndexByte(text, '/') >= 0
}

// readHunk reads how many lines a hunk has: "@@ -from,before +from,after @@", where ",1" is left out.
func (b *blocks) readHunk(line []byte) bool {
	rest := line[len("@@ -"):]
	ok := false
	if b.before, rest, ok = rangeOf(rest); !ok || !bytes.HasPrefix(rest, []byte(" +")) {
		return false
	}
	b.after, rest, ok = rangeOf(rest[len(" +"):])
	return ok && bytes.HasPrefix(rest, []byte(" @@"))
}

func rangeOf(text []byte) (lines int, rest []byte, ok bool) {
	text = text[ascii.LeadingDigits(text):]
	if len(text) == 0 || text[0] != ',' {
		return 1, text, true
	}
	text = text[1:]
	n := ascii.LeadingDigits(text)
	for _, c := range text[:min(n, 9)] {
		lines = 10*lines + int(c-'0')
	}
	return lines, text[n:], 0 < n && n < 10
}

// isContext says whether a line that neither adds nor removes goes on with a hunk.
func (b *blocks) isContext() bool { return b.kind == hunk && b.before > 0 && b.after > 0 }

// addToHunk counts a line of a hunk. An editor may have taken the blank of an empty one away.
func (b *blocks) addToHunk(line []byte) bool {
	mark := byte(' ')
	if len(line) > 0 {
		mark = line[0]
	}
	switch {
	case mark == '+' && b.after > 0:
		b.after--
		b.added++
	case mark == '-' && b.before > 0:
		b.before--
		b.removed++
	case mark == ' ' && b.before > 0 && b.after > 0:
		b.before--
		b.after--
		b.same++
	case mark == '\\':
		b.same++
	default:
		return false
	}
	return true
}

// addBlockLine takes in a line of a block.
func (s *Summary) addBlockLine(r structure.Record, kind blockKind) {
	if kind != hunk && s.blocks.frame == 1 && s.out != nil {
		s.noteTrace(r)
	}
	s.beginLine(r.Seq)
	if kind == hunk {
		s.line.Set(r.Value)
	}
	if s.out != nil {
		s.out.row.keepLine(r.Value)
		if kind == hunk {
			s.noteWords(nil, 1)
			s.noteLongNumber(r.Value)
		}
	}
	s.end()
}

// noteTrace makes one record of the line before a trace and its first frame, r. It stands out if that frame is rare.
func (s *Summary) noteTrace(r structure.Record) {
	o := s.out
	s.line.Set(r.Value)
	hash := uint64(len(s.line.Words))
	for i := range s.line.Words {
		hash = (hash ^ uint64(s.line.Words[i].Hash)) * sketch.PlaceFactor
	}
	times := o.words.Add(hash, 1)
	if times == 1 {
		s.blocks.freshTraces++
	}
	head := o.before
	if times > surprise.MostOfRare || head == nil || head.seq != r.Seq-1 || !head.isLine || head.filled > 0 {
		return
	}
	if head != o.row {
		o.row.keep(head)
		head = o.row
	}
	if o.used > 0 && o.candidates[o.used-1].seq == head.seq {
		o.used-- // it comes back with its frame
	}
	head.addLine(r.Value)
	s.note(reason{by: byTrace, hash: hash})
	s.offer()
}

// tellUnderFailure tells a line with the failure that it is indented under, if that stands out, and
// reports whether it did. What succeeded there, as another test of the same file, explains nothing.
func (s *Summary) tellUnderFailure(r structure.Record) bool {
	o, f := s.out, &s.failure
	if o == nil || r.Seq != f.next || f.told == maxUnderFailure || indentOf(r.Value) <= f.indent ||
		o.used == 0 || o.candidates[o.used-1].seq != f.head {
		return false
	}
	if lineclass.HasVerdictOfSuccess(bytes.TrimSpace(r.Value)) {
		f.next = 0
		return false
	}
	f.next++
	f.told++
	o.candidates[o.used-1].addLine(r.Value)
	for _, failure := range o.failures {
		if failure.seq == f.head {
			failure.addLine(r.Value)
		}
	}
	return true
}

// leaveTo leaves what a line stands out by to the failure that it is told with, but for a number far out that tells more.
func (r *row) leaveTo(failure *row) {
	r.reasons = slices.DeleteFunc(r.reasons, func(why reason) bool { return why.by != byNumber || why.score <= failure.score })
}

// addLine puts another line under the one that is told of r.
func (r *row) addLine(line []byte) {
	from := len(r.bytes)
	r.bytes = append(append(r.bytes, r.line.Of(r.bytes)...), '\n')
	r.bytes = append(r.bytes, jsonx.WholeCharacters(bytes.TrimSpace(line), maxCellLen)...)
	r.line = ascii.Span{From: from, To: len(r.bytes)}
}

// indentOf is how many blanks a line begins with; 0 if it is nothing else.
func indentOf(line []byte) int {
	n := len(line) - len(bytes.TrimLeft(line, " \t"))
	if n == len(line) {
		return 0
	}
	return n
}
