package redact

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/report"
	"github.com/kfw-dev/kfw/redact/internal/selection"
)

// Format is how an input is laid out, as a whole. What a single line is, JSON or text, depends on the line alone: a
// line of text in a document of JSON is redacted as one.
type Format uint8

const (
	// JSON if the first byte after white space and a byte order mark is { or [ and no label in brackets, Lines
	// otherwise
	Auto  Format = iota
	JSON         // JSON values one after another; strings and numbers that are alone on a line are such
	Lines        // lines of text; an object or a list is JSON
	YAML         // lines, for who reads what is redacted: YAML is redacted line by line in any case
)

const (
	inputBuffer  = 256 << 10
	outputBuffer = 72 << 10
	// outputFull is when no more input is looked at before the output is read. What is
	// beyond it is room for one step, and for the markers in it.
	outputFull = 32 << 10
	// A selector makes a marker of as little as one byte and a comma.
	selectStep   = 1 << 10
	chosenBuffer = 16 << 10
)

// Reader redacts a stream. It holds back no byte that is decided, and uses the
// same memory for every input.
type Reader struct {
	in     io.Reader
	rules  *Rules
	filter *filter
	asked  Format
	format Format
	read   int64
	err    error // what in ended with
	ended  bool  // the filter has been told
	last   byte  // that was read
	mark   int   // bytes read of a byte order mark
	begun  bool  // the format is known

	input     []byte // what was read and not looked at, of inBuf
	held      int    // bytes of input that do not tell the format yet
	inBuf     []byte
	selector  *selection.Selector // nil: every field is kept
	chosen    []byte              // what it passed on and was not redacted, of chosenBuf
	chosenBuf []byte
	output    []byte // what was not passed on, of outBuf
	outBuf    []byte
}

// NewReader returns the redaction of in. It reads from in only when it has
// nothing left to pass on. It may be nil for a Reader that is Reset first.
func NewReader(in io.Reader, r *Rules, f Format) *Reader {
	x := &Reader{
		in: in, rules: r, asked: f, format: f, filter: newFilter(r.set, r.Text()),
		inBuf: make([]byte, inputBuffer), outBuf: make([]byte, 0, outputBuffer),
	}
	x.filter.outLimit = outputFull
	if r.allowed != nil {
		counts := x.filter.text.markers.Counts
		x.selector = selection.New(r.allowed, r.set.Catalogue[r.set.Withheld].Marker, &counts[r.set.Dropped],
			&counts[r.set.Withheld])
		x.chosenBuf = make([]byte, 0, chosenBuffer)
	}
	x.setFormat(f)
	return x
}

// Reset goes on with another input, once the one before has ended: counts add up,
// and a secret of both has one number.
func (r *Reader) Reset(in io.Reader, f Format) {
	r.in, r.read, r.err, r.ended = in, 0, nil, false
	r.mark, r.begun, r.held, r.last, r.asked = 0, false, 0, 0, f
	r.filter.Position = report.Position{}
	r.setFormat(f)
}

// Observe has found called, from within Read, with the rule and the place of each
// match, in the order of the input. It is for before the first Read.
// With AllowFields, what is passed on has no place in the input, and there are no
// calls.
func (r *Reader) Observe(found func(rule string, at Place)) {
	r.observe(func(rule string, at Place, _ names.Reason) { found(rule, at) })
}

// Explain is Observe with the reason of each match. It is slower.
func (r *Reader) Explain(found func(rule string, at Place, why names.Reason)) {
	if r.selector == nil {
		r.filter.followPath()
	}
	r.observe(found)
}

func (r *Reader) observe(found func(rule string, at Place, why names.Reason)) {
	if r.selector == nil {
		r.filter.observe(found)
	}
}

// Read implements io.Reader. After the last byte it returns the error that the
// input ended with, again and again. It reads the input once at most: when that
// gives nothing to pass on, as within a private key or half a token, Read returns
// 0 and nil. io.Copy goes on then; bufio gives up after a hundred times.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	err := r.fill()
	n := copy(p, r.output)
	r.output = r.output[n:]
	return n, err
}

// WriteTo implements io.WriterTo: what io.Copy does, without a buffer between.
func (r *Reader) WriteTo(w io.Writer) (written int64, err error) {
	for err == nil {
		if err = r.fill(); err == io.EOF {
			return written, nil
		}
		if len(r.output) == 0 {
			continue
		}
		var n int
		n, err = w.Write(r.output)
		written += int64(n)
		r.output = r.output[n:]
		if err == nil && len(r.output) > 0 {
			err = io.ErrShortWrite
		}
	}
	return written, err
}

// fill makes output what is to be passed on next. It reads the input once at
// most, so there may be nothing, and returns what the input ended with once there
// is nothing more.
func (r *Reader) fill() error {
	for asked := false; len(r.output) == 0; {
		switch {
		case len(r.input) > r.held || len(r.chosen) > 0:
			r.process()
		case r.err == nil:
			if asked {
				return nil
			}
			asked = true
			copy(r.inBuf, r.input)
			room := r.inBuf[r.held:]
			n, err := r.in.Read(room)
			if n < 0 || n > len(room) {
				n, err = 0, errors.New("redact: input: impossible length of a read")
			}
			r.input, r.err = r.inBuf[:r.held+n], err
			r.read += int64(n)
			if n > 0 {
				r.last = room[n-1]
			}
		case r.held > 0: // nothing follows it
			r.process()
		case !r.ended:
			r.ended = true
			r.finish()
		default:
			return r.err
		}
	}
	return nil
}

// process redacts some of the input.
func (r *Reader) process() {
	if !r.begun {
		if n := r.lead(r.input); n > 0 {
			r.filter.lead(r.input[:n])
			r.output, r.input = r.input[:n], r.input[n:]
			return
		}
		if r.held = 0; !r.decide() {
			r.held = len(r.input)
			return
		}
		r.begun = true
	}
	source := &r.input
	if r.selector != nil {
		if len(r.chosen) == 0 {
			n := min(len(r.input), selectStep)
			r.chosen = r.selector.Feed(r.chosenBuf[:0], r.input[:n])
			r.input = r.input[n:]
		}
		source = &r.chosen
	}
	if n := r.filter.feedClean(*source); n > 0 {
		r.output, *source = (*source)[:n], (*source)[n:]
		return
	}
	dst, n := r.filter.feed(r.outBuf[:0], *source)
	r.output, *source = dst, (*source)[n:]
}

// finish passes on what is left at the end of the input.
func (r *Reader) finish() {
	dst := r.outBuf[:0]
	if r.selector != nil {
		r.chosen = r.selector.Finish(r.chosenBuf[:0])
		dst, _ = r.filter.feed(dst, r.chosen) // at most one byte
		r.chosen = nil
	}
	r.output = r.filter.finish(dst)
}

// lead returns the length of the white space and the byte order mark at the start
// of b, which is at the start of the input, except for the same.
func (r *Reader) lead(b []byte) int {
	for i, c := range b {
		switch {
		case r.mark < len(lex.ByteOrderMark) && c == lex.ByteOrderMark[r.mark]:
			r.mark++
		case r.mark%len(lex.ByteOrderMark) == 0 && lex.Whitespace.Has(c):
		default:
			return i
		}
	}
	return len(b)
}

// decide settles the format by what the input begins with; false means that more of it has to be read.
func (r *Reader) decide() bool {
	if r.format != Auto {
		return true
	}
	format := Lines
	switch r.input[0] {
	case '{':
		format = JSON
	case '[':
		isLabel, decided := BeginsLabel(r.input)
		if !decided && r.err == nil {
			return false
		}
		if !isLabel {
			format = JSON
		}
	}
	indent, isIndented := r.filter.text.lines.Indent(), r.filter.seen.indented // by white space that was passed on
	r.setFormat(format)
	r.filter.text.lines.SetIndent(indent)
	r.filter.seen.indented = isIndented
	return true
}

func (r *Reader) setFormat(f Format) {
	if f == YAML {
		f = Lines
	}
	r.format = f
	r.filter.start(f)
	if r.selector != nil {
		r.selector.Start(f == Lines)
	}
}

// Format returns JSON or Lines; Auto as long as that is not known, and nothing but white space and a byte order mark
// was passed on.
func (r *Reader) Format() Format { return r.format }

// Asked returns the format that the reader was made for, or Reset to.
func (r *Reader) Asked() Format { return r.asked }

// Rules returns the rules that the reader redacts by.
func (r *Reader) Rules() *Rules { return r.rules }

// EndsLine reports whether the last byte that was taken from the input is a line feed. The line may
// not be passed on yet.
func (r *Reader) EndsLine() bool { return r.last == '\n' }

// BytesRead returns how many bytes were taken from the input.
func (r *Reader) BytesRead() int64 { return r.read }

// Counts yields how many matches were replaced so far, by rule, sorted by name.
func (r *Reader) Counts() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		byName := make(map[string]int)
		var order []string
		for i, n := range r.filter.text.markers.Counts {
			if n == 0 {
				continue
			}
			name := r.rules.set.Catalogue[i].Name
			if byName[name] == 0 {
				order = append(order, name)
			}
			byName[name] += n
		}
		slices.Sort(order)
		for _, name := range order {
			if !yield(name, byName[name]) {
				return
			}
		}
	}
}
