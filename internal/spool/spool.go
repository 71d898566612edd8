// Package spool keeps a message of any size between two passes: in memory, and from 64 KiB on in a file of which nothing
// is left when the process ends, however that ends: it has no name, or on Windows the system deletes it.
package spool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// keptFile is how large the file of a spool may stay between messages, in bytes.
const keptFile = 1 << 20

// bufferSize is how much of a message is in memory, in bytes.
const bufferSize = 64 << 10

// Spool holds one message. It is written, read as often as needed, and emptied for the next one.
type Spool struct {
	dir     string
	file    *os.File // nil until it is needed
	flushed int64    // bytes in file; those after them are in tail
	tail    []byte
}

// New returns an empty spool, whose file is made in this directory, which is made too if need be; an empty name is the
// directory for temporary files.
func New(dir string) *Spool { return &Spool{dir: dir} }

// Write implements io.Writer.
func (s *Spool) Write(b []byte) (n int, err error) {
	for n < len(b) {
		if s.tail == nil {
			s.tail = make([]byte, 0, bufferSize)
		}
		k := min(len(b)-n, cap(s.tail)-len(s.tail))
		s.tail = append(s.tail, b[n:n+k]...)
		if n += k; n == len(b) {
			break
		}
		if err := s.flush(); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (s *Spool) flush() error {
	if s.file == nil {
		if err := s.create(); err != nil {
			return &Error{err}
		}
	}
	if _, err := s.file.WriteAt(s.tail, s.flushed); err != nil {
		return &Error{err}
	}
	s.flushed += int64(len(s.tail))
	s.tail = s.tail[:0]
	return nil
}

func (s *Spool) create() error {
	if s.dir != "" {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return err
		}
	}
	file, err := os.CreateTemp(s.dir, "kfw-*.spool") // mode 0600
	if err != nil {
		return err
	}
	s.file, err = passing(file)
	return err
}

// Size returns how many bytes were written.
func (s *Spool) Size() int64 { return s.flushed + int64(len(s.tail)) }

// ReadAt implements io.ReaderAt.
func (s *Spool) ReadAt(p []byte, off int64) (n int, err error) {
	if off < s.flushed {
		n, err = s.file.ReadAt(p[:min(int64(len(p)), s.flushed-off)], off)
		if err != nil && n < len(p) {
			return n, &Error{err}
		}
	}
	if off += int64(n); n < len(p) && off < s.Size() {
		n += copy(p[n:], s.tail[off-s.flushed:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// From returns a reader of the bytes from begin up to end.
func (s *Spool) From(begin, end int64) io.Reader { return io.NewSectionReader(s, begin, end-begin) }

// Reset empties the spool.
func (s *Spool) Reset() error {
	large := s.flushed > keptFile
	s.flushed, s.tail = 0, s.tail[:0]
	if !large {
		return nil
	}
	if err := s.file.Truncate(0); err != nil {
		return &Error{err}
	}
	return nil
}

// Close implements io.Closer.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// Error is why a message can't be spooled. It does not name the file, which has no name.
type Error struct{ err error }

// Error implements error.
func (e *Error) Error() string {
	err := e.err
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return fmt.Sprintf("a large message can't be spooled: %v", err)
}

// Unwrap returns what the system reported.
func (e *Error) Unwrap() error { return e.err }
