package fault

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// IsReaderGone reports whether an error of a write says that what read the pipe has gone.
func IsReaderGone(err error) bool {
	return errors.Is(err, syscall.EPIPE) || // of kfw itself
		errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE)
}

// IsFull reports whether an error says that there is no room on the disk.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
