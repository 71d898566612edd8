package process

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// ReserveFiles has nothing to reserve: nothing limits the files of a process.
func ReserveFiles() error { return nil }

// endings are the signals that end kfw: ^C and ^Break, and the end of the console or of the session.
func endings() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// Ends reports whether a signal is to end a program.
func Ends(os.Signal) bool { return true }

// HasEnded reports whether there is no process of this number, for certain.
func HasEnded(pid int) bool {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err == nil {
		_ = windows.CloseHandle(process) // nothing was written
	}
	return err == windows.ERROR_INVALID_PARAMETER
}

// waitForReader does not wait: only a write shows here that the reader of a pipe has gone.
func waitForReader(*os.File) (gone bool) { return false }

// duplicate has nothing to duplicate: no path names an open file.
func duplicate(int) (int, error) { return 0, errors.ErrUnsupported }

// keepOwner has nothing to do: a file gets the ACL of its directory.
func keepOwner(*os.File, fs.FileInfo) {}

// ListenPrivate listens on a socket of the file system, which whoever may write its file can reach.
func ListenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }
