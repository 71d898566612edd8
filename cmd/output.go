package cmd

import (
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/pipeline"
)

// output remembers that it could not be written.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if err != nil && o.err == nil {
		o.err = &pipeline.WriteError{Err: err}
	}
	return n, err
}

func (o *output) isTerminal() bool {
	file, ok := o.to.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// regular returns what tells the file that is written from others, or nil if it is no regular file.
func (o *output) regular() fs.FileInfo {
	file, ok := o.to.(*os.File)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// watchReader calls gone once whoever reads the output has closed it. Without it, a run that writes nothing before
// its response ends would not learn that there is no reader. It watches pipes and sockets: what else there is has no
// reader.
func (o *output) watchReader(gone func()) {
	file, ok := o.to.(*os.File)
	if !ok {
		return
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return
	}
	fd := []unix.PollFd{{Fd: int32(file.Fd())}} // no events: poll reports what is wrong, and nothing else
	go func() {
		for {
			_, err := unix.Poll(fd, -1)
			if err == unix.EINTR {
				continue
			}
			if err == nil && fd[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				gone()
			}
			return
		}
	}()
}

// errReaderGone is the error of a write after the reader has gone.
func errReaderGone() error { return &pipeline.WriteError{Err: syscall.EPIPE} }
