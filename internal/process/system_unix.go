//go:build unix

package process

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ReserveFiles takes the files that the Go runtime needs to wait for others. It can't go on without them, and would
// find out with a crash when it first waits. An error says that fewer may be open.
func ReserveFiles() error {
	const least = 4 // of the runtime, of the file that makes it take them, and one to work with
	var taken []int
	var err error
	for range least {
		var n int
		if n, err = syscall.Dup(2); err != nil {
			break
		}
		taken = append(taken, n)
	}
	for _, n := range taken {
		_ = syscall.Close(n) // it is a copy
	}
	if err == syscall.EMFILE || err == syscall.ENFILE {
		return fmt.Errorf("starting: %w", err)
	}
	if file, err := os.Open(os.DevNull); err == nil { // else whoever opens a file finds out
		_ = file.Close() // nothing was written
	}
	return nil
}

// endings are the signals that end kfw.
func endings() []os.Signal {
	return []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGALRM,
		syscall.SIGUSR1,
		syscall.SIGUSR2}
}

// Ends reports whether a signal is to end a program, and does not mean something else to each.
func Ends(sig os.Signal) bool {
	return sig != syscall.SIGUSR1 && sig != syscall.SIGUSR2 && sig != syscall.SIGALRM
}

// HasEnded reports whether there is no process of this number, for certain.
func HasEnded(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// waitForReader waits until what reads a pipe has closed it. It returns false if it can't wait.
func waitForReader(file *os.File) (gone bool) {
	fd := []unix.PollFd{{Fd: int32(file.Fd())}} // no events: poll reports what is wrong, and nothing else
	for {
		_, err := unix.Poll(fd, -1)
		if err == unix.EINTR {
			continue
		}
		return err == nil && fd[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
	}
}

// duplicate returns another number of an open file.
func duplicate(n int) (int, error) { return syscall.Dup(n) }

// keepOwner gives file the owner of another, where this process may; else it belongs to whoever rewrote it.
func keepOwner(file *os.File, of fs.FileInfo) {
	if owner, isKnown := of.Sys().(*syscall.Stat_t); isKnown {
		_ = file.Chown(int(owner.Uid), int(owner.Gid))
	}
}

// ListenPrivate listens on a socket of the file system that only this user can reach.
func ListenPrivate(path string) (net.Listener, error) {
	before := syscall.Umask(0o177)
	defer syscall.Umask(before)
	return net.Listen("unix", path)
}
