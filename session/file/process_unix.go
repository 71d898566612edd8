//go:build unix && !linux

package file

import (
	"errors"
	"os"
	"syscall"
)

// machine is not known here: every process is taken to be of this one.
func machine() string { return "" }

// startOf is not known here: a pid that is in use again keeps what its former owner held until that process ends.
func startOf(int) (start string, ended bool) { return "", false }

func (p process) life() life {
	found, err := os.FindProcess(p.pid)
	if err != nil {
		return dead
	}
	defer func() { _ = found.Release() }()
	err = found.Signal(syscall.Signal(0))
	if errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH) {
		return dead
	}
	return alive
}
