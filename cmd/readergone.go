package cmd

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/kfw-dev/kfw/pipeline"
)

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

// errReaderGone is the error of a write that nobody would read.
func errReaderGone() error { return &pipeline.WriteError{Err: syscall.EPIPE} }
