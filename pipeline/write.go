package pipeline

import (
	"io"
	"iter"
)

// Write puts each frame on the ledger and then on out, with one write each. It returns the first error: of the ledger
// (then that frame was not written), of out, or the one that the frames end with.
func Write(out io.Writer, frames iter.Seq2[Frame, error], ledger Ledger) error {
	for frame, err := range frames {
		if err != nil {
			return err
		}
		if err := ledger.Spend(frame.Tokens); err != nil {
			return err
		}
		if _, err := out.Write(frame.Text); err != nil {
			return &WriteError{err}
		}
	}
	return nil
}

// A WriteError says that the output did not take a frame.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return "stdout: " + e.Err.Error() }
func (e *WriteError) Unwrap() error { return e.Err }
