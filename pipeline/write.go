package pipeline

import (
	"errors"
	"io"
	"iter"

	"github.com/kfw-dev/kfw/budget"
)

// Write puts each frame on the ledger and then on out, with one write each. It returns the first error: of the counter,
// of the ledger, of out, or the one that the frames end with. A frame that the ledger refuses is not written; the final
// frame, which says why, takes its place. When the counter has failed, nothing more is written: a final frame could not
// be counted.
func (f *Firewall) Write(out io.Writer, frames iter.Seq2[Frame, error]) error {
	return f.deliver(frames, writeTo(out))
}

// writeTo returns what writes a frame to out.
func writeTo(out io.Writer) func(*Frame) error {
	return func(frame *Frame) error {
		if len(frame.Text) == 0 { // the end of a text that is shown whole
			return nil
		}
		if _, err := out.Write(frame.Text); err != nil {
			return &WriteError{err}
		}
		return nil
	}
}

// deliver is Write to whoever takes a frame.
func (f *Firewall) deliver(frames iter.Seq2[Frame, error], take func(*Frame) error) error {
	for frame, err := range frames {
		if failed := budget.Err(f.Counter); failed != nil {
			return failed
		}
		if err != nil {
			return err
		}
		spend := f.Ledger.Spend
		if frame.Final {
			spend = f.Ledger.Last
		}
		if err := spend(frame.Tokens); err != nil {
			return errors.Join(err, f.deliverRefused(frame, err, take))
		}
		if err := take(&frame); err != nil {
			return err
		}
	}
	return nil
}

// deliverRefused delivers in place of a frame that the ledger refused a final one that costs no more than Least.
func (f *Firewall) deliverRefused(refused Frame, err error, take func(*Frame) error) error {
	failure := f.Explain(err)
	if refused.Error != nil {
		failure = *refused.Error
	}
	frame := Frame{Seq: refused.Seq, Left: refused.Left, Mode: budget.HandleOnly, Warnings: f.Standing,
		Error: &failure, Final: true}
	frame.Text = f.Encoding.Append(nil, &frame)
	if f.Cost(frame.Text) > f.Least() {
		failure.Message = ""
		frame.Text = f.Encoding.Append(nil, &frame)
	}
	frame.Tokens = f.Cost(frame.Text)
	if failed := budget.Err(f.Counter); failed != nil {
		return failed
	}
	if err := f.Ledger.Last(frame.Tokens); err != nil {
		return err
	}
	return take(&frame)
}

// whileCounted yields the chunks, or instead of the next one why the counter has failed.
func (f *Firewall) whileCounted(chunks iter.Seq2[Chunk, error]) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for c, err := range chunks {
			if failed := budget.Err(f.Counter); failed != nil {
				yield(Chunk{}, failed)
				return
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// A WriteError says that the output did not take a frame.
type WriteError struct{ Err error }

// Error implements error.
func (e *WriteError) Error() string { return "stdout: " + e.Err.Error() }

// Unwrap returns Err.
func (e *WriteError) Unwrap() error { return e.Err }
