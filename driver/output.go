package driver

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// largestPipe is how much a pipe can hold: what an unprivileged process may set on Linux, and more than the default
// anywhere.
const largestPipe = 1 << 20

// output is the reading end of a pipe that the driver and its descendants write to.
type output struct {
	file         *os.File // not embedded: its WriteTo would read past us
	closed       atomic.Bool
	pastDeadline bool
	left         int // bytes that may still be read past the deadline
}

func newOutput(f *os.File) *output {
	return &output{file: f, left: largestPipe}
}

// endBy makes the output end at this time, for whoever still has the pipe open. What is in the pipe then is still
// read, so that a reader who is late loses nothing.
func (o *output) endBy(t time.Time) {
	// An error means that it has been closed, or that no pipe of the system has a deadline: see group_windows.go.
	_ = o.file.SetReadDeadline(t)
}

func (o *output) Close() error {
	o.closed.Store(true)
	return o.file.Close()
}

// Read returns what there is, or waits. The end is io.EOF; after Close, also by another goroutine, it is os.ErrClosed.
func (o *output) Read(b []byte) (int, error) {
	n, err := o.read(b)
	if err != nil && err != io.EOF && o.closed.Load() {
		// The methods that reach below os.File.Read have an error of their own for it, which has no name.
		return n, os.ErrClosed
	}
	return n, err
}

func (o *output) read(b []byte) (int, error) {
	if !o.pastDeadline {
		n, err := o.file.Read(b)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		o.pastDeadline = true
		if err := o.file.SetReadDeadline(time.Time{}); err != nil { // or what is left could not be read either
			return 0, err
		}
	}
	return o.readWithoutWaiting(b[:min(len(b), o.left)])
}
