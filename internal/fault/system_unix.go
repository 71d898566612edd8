//go:build unix

package fault

import (
	"errors"
	"syscall"
)

// IsReaderGone reports whether an error of a write says that what read the pipe has gone.
func IsReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// IsFull reports whether an error says that there is no room on the disk.
func IsFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
