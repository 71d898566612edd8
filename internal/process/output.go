// Package process is what a run has of the operating system: what it reads and writes, the signals that end it, and its
// memory.
//
// In go standard input, a driver, or files; out come bytes, and why there are no more: the end, an error, a signal
// (Interrupted), or a reader of the output that has gone. The first signal ends a response in good order, the second
// one ends the process.
package process

import (
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/term"

	"github.com/kfw-dev/kfw/pipeline"
)

// Output is standard output. It remembers that it could not be written.
type Output struct {
	To  io.Writer
	Err error
}

// Write implements io.Writer. It returns the error of To as it is; Err keeps the first one, as a
// *pipeline.WriteError.
func (o *Output) Write(p []byte) (int, error) {
	n, err := o.To.Write(p)
	if err != nil && o.Err == nil {
		o.Err = &pipeline.WriteError{Err: err}
	}
	return n, err
}

// Terminal returns the terminal on which the output is shown, nil if it is shown on none.
func (o *Output) Terminal() *os.File {
	if file, ok := o.To.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// Regular returns what tells the file that is written from others, or nil if it is no regular file.
func (o *Output) Regular() fs.FileInfo {
	file, ok := o.To.(*os.File)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// WatchReader calls gone once whoever reads the output has closed it. Without it, a run that writes nothing before
// its response ends would not learn that there is no reader. It watches pipes and sockets: what else there is has no
// reader. Windows does not say.
func (o *Output) WatchReader(gone func()) {
	file, ok := o.To.(*os.File)
	if !ok {
		return
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return
	}
	go func() {
		if waitForReader(file) {
			gone()
		}
	}()
}

// errReaderGone is the error of a write after the reader has gone.
func errReaderGone() error { return &pipeline.WriteError{Err: syscall.EPIPE} }
