// Package jsonx reads JSON of any size in constant memory, and copies it.
//
// An Editor takes one value after another from a bufio.Reader. What it copies it copies byte for byte: white space,
// the order and the names of members, escapes, the digits of numbers. Its caller walks objects and arrays as far as
// it knows them, and copies, drops or replaces what it finds there. No value, no string and no text is ever held
// whole; of a name the first maxName bytes are.
//
// What is read is checked: a text that is not JSON ends in a *SyntaxError at the first byte that can't be right.
//
//   - editor.go: Editor; object.go: objects and arrays; text.go: strings
//   - structure.go: what stands between scalars; scalar.go: strings, numbers and literals; scan.go: whether a value is
//     JSON, however it is cut; valid.go: whether a text is
//   - escape.go: the escapes of strings, both ways
//
// Of values that are held in memory:
//
//   - cursor.go: Cursor, a walk over a value without copies
//   - canonical.go: strings in the one form in which equal texts are equal bytes
//   - known.go: escapes as text, except for those that may not be one; cut.go: prefixes that split nothing
package jsonx

import (
	"bufio"
	"errors"
	"io"
)

const (
	// maxName is how many bytes of a name are looked at, as it is written. No longer one is equal to any other.
	maxName = 4 << 10
	// maxSpace is how many bytes of white space may stand before a value that can still be dropped.
	maxSpace = 64 << 10
)

// Editor copies a JSON text from a reader to a writer, except for what its caller drops, replaces or adds. Errors of
// the writer come back from the call that writes.
type Editor struct {
	in     *bufio.Reader
	out    io.Writer
	offset int64 // bytes taken from in
	scan   scanner
	depth  int // of the objects and arrays that the caller is in

	lead    []byte // what stands before the next value and is not written yet
	comma   int    // where in lead the comma is that separates it; -1 if there is none
	written *bool  // whether the object or array has a member already; nil if nothing waits in lead
	name    []byte // of the current member
	buf     []byte
}

// NewEditor returns an Editor. If isLine, a line feed ends the text and is not taken.
func NewEditor(isLine bool) *Editor {
	return &Editor{scan: scanner{isLine: isLine}, buf: make([]byte, 0, 32<<10)}
}

// Reset prepares the editor for another text.
func (e *Editor) Reset(in *bufio.Reader, out io.Writer) {
	e.in, e.out, e.offset, e.depth = in, out, 0, 0
	e.lead, e.comma, e.written = e.lead[:0], -1, nil
}

// Offset returns how many bytes of the text were taken.
func (e *Editor) Offset() int64 { return e.offset }

// Out returns the writer, for what takes the place of a value. Keep comes before it.
func (e *Editor) Out() io.Writer { return e.out }

// window returns bytes that can be read, at least one.
func (e *Editor) window() ([]byte, error) {
	if e.in.Buffered() == 0 {
		if _, err := e.in.Peek(1); err != nil {
			return nil, err
		}
	}
	return e.in.Peek(e.in.Buffered())
}

func (e *Editor) take(n int) {
	_, _ = e.in.Discard(n) // of the window: it is there
	e.offset += int64(n)
}

func (e *Editor) wrong(reason string) error { return &SyntaxError{reason, e.offset} }

// ended returns what the end of the input within a value is.
func (e *Editor) ended(err error) error {
	if err == io.EOF {
		return e.wrong("it ends early")
	}
	return err
}

// space takes white space, and returns the byte after it, which is not taken.
func (e *Editor) space() (byte, error) {
	for {
		b, err := e.window()
		if err != nil {
			return 0, e.ended(err)
		}
		n := 0
		for n < len(b) && isSpace(b[n], e.scan.isLine) {
			n++
		}
		if len(e.lead)+n > maxSpace+maxName {
			return 0, e.wrong("too much white space")
		}
		e.lead = append(e.lead, b[:n]...)
		if n < len(b) {
			c := b[n]
			e.take(n)
			return c, nil
		}
		e.take(n)
	}
}

// mark takes one byte, which has been looked at, into lead.
func (e *Editor) mark(c byte) {
	e.lead = append(e.lead, c)
	e.take(1)
}

// Kind returns what the next value is, as far as its first byte says. Nothing of it is taken.
func (e *Editor) Kind() (Kind, error) {
	c, err := e.space()
	if err != nil {
		return 0, err
	}
	switch {
	case c == '{', c == '[', begins[c] != noScalar:
		return KindOf(c), nil
	case c == '\n':
		return 0, e.wrong("the line ends within a value")
	}
	return 0, e.wrong("a value that is none")
}

// Keep writes what stands before the next value: what takes its place can be written to Out.
func (e *Editor) Keep() error {
	lead := e.lead
	if e.written != nil {
		if !*e.written && e.comma >= 0 {
			lead = append(lead[:e.comma], lead[e.comma+1:]...)
		}
		*e.written = true
	}
	e.forgetLead()
	if len(lead) == 0 {
		return nil
	}
	_, err := e.out.Write(lead)
	return err
}

func (e *Editor) forgetLead() { e.lead, e.comma, e.written = e.lead[:0], -1, nil }

// Copy copies the next value as it is.
func (e *Editor) Copy() error {
	if err := e.Keep(); err != nil {
		return err
	}
	return e.each(func(b []byte) error {
		_, err := e.out.Write(b)
		return err
	})
}

// Drop takes the next value without copying it, and with it the name that stands before it, or the comma.
func (e *Editor) Drop() error {
	e.forgetLead()
	return e.each(func([]byte) error { return nil })
}

// Capture copies the next value, and returns it as it is written, if it has no more than most bytes: else nil.
func (e *Editor) Capture(most int) (value []byte, err error) {
	if err := e.Keep(); err != nil {
		return nil, err
	}
	isShort := true
	err = e.each(func(b []byte) error {
		if isShort = isShort && len(value)+len(b) <= most; isShort {
			value = append(value, b...)
		} else {
			value = nil
		}
		_, err := e.out.Write(b)
		return err
	})
	return value, err
}

// each passes the bytes of the next value on, from its first one to its last one.
func (e *Editor) each(pass func([]byte) error) error {
	if _, err := e.space(); err != nil {
		return err
	}
	if lead := e.lead; len(lead) > 0 { // white space that no caller has asked for
		e.forgetLead()
		if err := pass(lead); err != nil {
			return err
		}
	}
	e.scan.start(e.depth)
	for {
		b, err := e.next()
		if err != nil {
			return err
		}
		if err := pass(b); err != nil {
			return err
		}
		e.take(len(b))
		if e.scan.ended() {
			return nil
		}
	}
}

// next returns the next bytes of the value that is scanned. They are still to be taken.
func (e *Editor) next() ([]byte, error) {
	b, err := e.window()
	if err == io.EOF && e.scan.finish() {
		return nil, nil
	}
	if err != nil {
		return nil, e.ended(err)
	}
	n, reason := e.scan.feed(b)
	if reason != "" {
		e.offset += int64(n)
		return nil, e.wrong(reason)
	}
	return b[:n], nil
}

// Value returns the next value as a reader of its bytes. They are taken and not copied; white space before it is. It
// is to be read to its end before anything else is done.
func (e *Editor) Value() (io.Reader, error) {
	if _, err := e.space(); err != nil {
		return nil, err
	}
	if err := e.Keep(); err != nil {
		return nil, err
	}
	e.scan.start(e.depth)
	return &valueReader{e: e}, nil
}

type valueReader struct {
	e   *Editor
	err error
}

// Read implements io.Reader. It fills p, unless the value ends, so that its answers do not depend on how the input
// came.
func (r *valueReader) Read(p []byte) (n int, err error) {
	for n < len(p) && r.err == nil {
		if r.e.scan.ended() {
			r.err = io.EOF
			break
		}
		n += r.read(p[n:])
	}
	if n > 0 {
		return n, nil
	}
	return 0, r.err
}

func (r *valueReader) read(p []byte) int {
	b, err := r.e.window()
	switch {
	case err == io.EOF && r.e.scan.finish():
		return 0
	case err != nil:
		r.err = r.e.ended(err)
		return 0
	}
	n, reason := r.e.scan.feed(b[:min(len(b), len(p))])
	if reason != "" {
		r.e.offset += int64(n)
		r.err = r.e.wrong(reason)
		return 0
	}
	copy(p, b[:n])
	r.e.take(n)
	return n
}

// End takes white space after the last value, and reports whether a line feed ends the text, which is taken. All of
// it is copied. Anything else there is an error.
func (e *Editor) End() (isLine bool, err error) {
	for {
		b, err := e.window()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		n := 0
		for n < len(b) && isSpace(b[n], e.scan.isLine) {
			n++
		}
		isLine, isOther := n < len(b) && b[n] == '\n', n < len(b) && b[n] != '\n'
		if isLine {
			n++
		}
		if _, err := e.out.Write(b[:n]); err != nil {
			return false, err
		}
		switch e.take(n); {
		case isLine:
			return true, nil
		case isOther:
			return false, e.wrong("more than one value")
		}
	}
}

// SkipLine takes what is left of a line, and reports whether a line feed ended it.
func (e *Editor) SkipLine() (isLine bool, err error) {
	for {
		b, err := e.in.ReadSlice('\n')
		e.offset += int64(len(b))
		switch {
		case err == nil:
			return true, nil
		case err == io.EOF:
			return false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return false, err
		}
	}
}
