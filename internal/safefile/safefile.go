// Package safefile reads files that somebody else can choose: what a repository has, and what settings name.
//
// In goes a path and what the file may be; out comes all of it, or why not. Three things always hold: a path that
// leads to no regular file is not waited for, no more is held than the limit, and what is nested deeper than a parser
// that recurses can bear never reaches one. No error names the file or quotes it.
//
//   - safefile.go: opening and reading; syntax.go: nesting and size of JSON and TOML
//   - system_unix.go, system_windows.go: whose a file is, and how one takes the place of another
package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/kfw-dev/kfw/internal/fault"
)

// Limit is what a file may be.
type Limit struct {
	Bytes  int
	Syntax Syntax
	Values int // of JSON or TOML, about; 0 for any number
}

var errNotRegular = errors.New("not a regular file")

// patience is how long a read may wait. A file on a disk never waits; some files that the system
// makes up never end.
const patience = 200 * time.Millisecond

// Open opens a regular file for reading. It waits for no other kind of file. flags are added to those of the call, such
// as NoFollow.
func Open(path string, flags ...int) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.WithoutPath(err)
	}
	if !info.Mode().IsRegular() { // to open some devices does something
		return nil, errNotRegular
	}
	mode := os.O_RDONLY | syscall.O_NONBLOCK
	for _, f := range flags {
		mode |= f
	}
	file, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return nil, fault.WithoutPath(err)
	}
	// What the path leads to may be another file by now.
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, fault.WithoutPath(err)
	}
	// A file that can't make anybody wait takes no deadline.
	_ = file.SetReadDeadline(time.Now().Add(patience))
	return file, nil
}

// Read returns what a regular file holds.
func Read(path string, limit Limit) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // nothing was written
	info, err := file.Stat()
	if err != nil {
		return nil, fault.WithoutPath(err)
	}
	if info.Size() > int64(limit.Bytes) {
		return nil, limit.tooLarge()
	}
	return read(file, limit, int(info.Size()))
}

// ReadAll returns all that is left of in.
func ReadAll(in io.Reader, limit Limit) ([]byte, error) { return read(in, limit, 0) }

func (l Limit) tooLarge() error { return fmt.Errorf("larger than %d bytes", l.Bytes) }

// read reads in, which is about so many bytes. It reads no further than to where a limit is passed.
func read(in io.Reader, limit Limit, size int) ([]byte, error) {
	var all bytes.Buffer
	all.Grow(size + bytes.MinRead) // its memory is not touched before there is something to put there
	checked := io.TeeReader(io.LimitReader(inSteps{in}, int64(limit.Bytes)+1), &scanner{limit: limit})
	if _, err := all.ReadFrom(checked); err != nil {
		return nil, fault.WithoutPath(err)
	}
	if all.Len() > limit.Bytes {
		return nil, limit.tooLarge()
	}
	return all.Bytes(), nil
}

// inSteps reads a little at a time, so that what passes a limit early is not held.
type inSteps struct{ io.Reader }

// Read implements io.Reader.
func (r inSteps) Read(b []byte) (int, error) {
	const step = 64 << 10
	return r.Reader.Read(b[:min(len(b), step)])
}
