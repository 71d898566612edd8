// Package fault makes errors that say what to do about them.
//
// In go a reason and a hint, or a name that was typed and those that there are. Out comes an error that carries both.
// It never repeats a value that was given: a name is shown by whoever reports the error. What exit status an error
// has is not known here.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// UsageError is a call that can't be carried out. Nothing was read or started.
type UsageError struct{ what, Hint string }

// Error implements error. The hint is not part of the message.
func (e *UsageError) Error() string { return e.what }

// Usage returns the error for a call that can't be carried out, and what to do about it; the hint may be empty.
func Usage(what, hint string) error { return &UsageError{what, hint} }

// Hinted is a failure, and what to do about it.
type Hinted struct {
	error
	Hint string
}

// Unwrap returns the failure without the hint.
func (e *Hinted) Unwrap() error { return e.error }

// WithHint returns err with what to do about it.
func WithHint(err error, hint string) error { return &Hinted{err, hint} }

// Unwritten returns the failure to write a file or directory of kfw's own, or of a host's settings, with what to do
// about it. It returns nil for nil, and an error of another kind unchanged.
func Unwritten(path string, err error) error {
	reason := WithoutPath(err)
	switch {
	case IsFull(reason):
		return WithHint(fmt.Errorf("%s: cannot be written: %w", path, reason), "make room on the disk")
	case errors.Is(reason, fs.ErrPermission), errors.Is(reason, syscall.EROFS):
		return WithHint(fmt.Errorf("%s: cannot be written: %w", path, reason),
			"make it writable, or set HOME or XDG_STATE_HOME to a directory that is")
	case reason != err:
		return fmt.Errorf("%s: cannot be written: %w", path, reason)
	}
	return err
}

// Parts returns the errors that errors.Join has joined, those of joined ones among them; none for nil.
func Parts(err error) (all []error) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if err != nil {
			all = append(all, err)
		}
		return all
	}
	for _, part := range joined.Unwrap() {
		all = append(all, Parts(part)...)
	}
	return all
}

// WithoutPath returns the reason of an error of a file, without the path that it names.
func WithoutPath(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	if failed, ok := errors.AsType[*os.LinkError](err); ok {
		return failed.Err
	}
	return err
}
