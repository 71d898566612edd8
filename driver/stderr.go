package driver

import (
	"errors"
	"io"
	"io/fs"
)

// stderr carries a driver's standard error to where it is to go.
type stderr struct {
	from     *output
	filtered io.Reader
	to       io.Writer
	tail     *tail // to, in mode Tail

	done chan struct{} // closed at the end
	err  error         // set before done is closed
}

func newStderr(from *output, o Options) *stderr {
	s := &stderr{from: from, filtered: from, to: o.StderrTo, done: make(chan struct{})}
	if o.StderrFilter != nil {
		s.filtered = o.StderrFilter(from)
	}
	if o.Stderr == Tail {
		s.tail = new(tail)
		s.to = s.tail
	}
	if s.to == nil {
		s.to = io.Discard
	}
	return s
}

// copy runs until the end of the driver's standard error. If it can't be passed on, it is read all the same: a
// driver must not hang at a full pipe.
func (s *stderr) copy() {
	defer close(s.done)
	defer s.from.Close()
	readErr, writeErr := copyAsItComes(s.to, s.filtered)
	if errors.Is(readErr, fs.ErrClosed) {
		return // by Close
	}
	s.err = errors.Join(readErr, writeErr)
	if s.err != nil {
		// Why it could not be passed on says more than how it ended.
		_, _ = copyAsItComes(io.Discard, s.from)
	}
}

// copyAsItComes is io.Copy with a small buffer and a write for every read.
func copyAsItComes(to io.Writer, from io.Reader) (readErr, writeErr error) {
	buffer := make([]byte, 4<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return nil, err
			}
		}
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return err, nil
		}
	}
}
