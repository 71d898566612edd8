package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// The messages name argv[0] and no other argument: those may hold secrets.

// NotFound is a program that there is none of.
type NotFound struct {
	Name   string // argv[0]
	Reason string
}

// Error implements error.
func (e *NotFound) Error() string {
	if e.Name == "" {
		return "driver not found: " + e.Reason
	}
	return e.Name + ": not found: " + e.Reason
}

// ExitCode returns 127, which shells use for it.
func (e *NotFound) ExitCode() int { return 127 }

// NotExecutable is a file that cannot be run.
type NotExecutable struct {
	Name string // argv[0]
	Err  error  // why
}

// Error implements error.
func (e *NotExecutable) Error() string { return fmt.Sprintf("%s: cannot be run: %v", e.Name, e.Err) }

// Unwrap returns Err.
func (e *NotExecutable) Unwrap() error { return e.Err }

// ExitCode returns 126, which shells use for it.
func (e *NotExecutable) ExitCode() int { return 126 }

// ExitError is a program that ran and failed.
type ExitError struct {
	Name   string         // argv[0]
	Status int            // 1 to 255: what it exited with, or 128 and the number of the signal that ended it
	Signal syscall.Signal // that ended it, as the operating system says; 0 if it exited, with whatever status
}

// Error implements error.
func (e *ExitError) Error() string {
	if e.Signal != 0 {
		return fmt.Sprintf("%s: ended by a signal: %v", e.Name, e.Signal)
	}
	return fmt.Sprintf("%s: failed: exit status %d", e.Name, e.Status)
}

// ExitCode returns Status.
func (e *ExitError) ExitCode() int { return e.Status }

// Timeout is a program that was ended because it took longer than it may.
type Timeout struct {
	Name  string        // argv[0]
	Limit time.Duration // Options.Timeout
}

// Error implements error.
func (e *Timeout) Error() string { return fmt.Sprintf("%s: took longer than %v", e.Name, e.Limit) }

// signalStatus is the exit status of a program that a signal ended, less the number of the signal.
const signalStatus = 128

// exitError returns how the program failed, nil if it did not.
func exitError(name string, state *os.ProcessState) *ExitError {
	if state.Success() {
		return nil
	}
	if by := endedBy(state); by != 0 {
		return &ExitError{Name: name, Status: signalStatus + int(by), Signal: by}
	}
	return &ExitError{Name: name, Status: int(min(uint32(state.ExitCode()), 255))} // Windows has more than a byte
}

// lookPath is exec.LookPath, with our errors.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, exec.ErrDot):
		return "", &NotFound{Name: name, Reason: "it is in the current directory only, which needs ./ before the name"}
	case errors.Is(err, exec.ErrNotFound):
		return "", &NotFound{Name: name, Reason: "no such program in PATH"}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", &NotFound{Name: name, Reason: "no such file"}
	}
	return "", &NotExecutable{Name: name, Err: withoutPath(err)}
}

// startError tells a program that cannot be run from a system that can run no more programs.
func startError(name string, err error) error {
	reason := withoutPath(err)
	failed, isExec := errors.AsType[*fs.PathError](err)
	if isExec && failed.Op == "fork/exec" {
		switch reason {
		case syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE:
		default:
			return &NotExecutable{Name: name, Err: reason}
		}
	}
	return fmt.Errorf("%s: starting it: %w", name, reason)
}

// withoutPath returns the innermost reason, without the paths and the names of calls around it.
func withoutPath(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
