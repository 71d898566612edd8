package pipeline

import (
	"fmt"
	"io"
	"iter"

	"github.com/kfw-dev/kfw/budget"
)

// Page writes kept chunks as they are, as many as fit, and says in the final frame where the next page starts. A chunk
// that does not fit even alone is named and passed over. chunks are numbered as in the response; total is how many that
// has, and name its handle.
func (f *Firewall) Page(chunks iter.Seq2[Chunk, error], out io.Writer, name string, total int) error {
	return Write(out, f.page(chunks, name, total), f.Ledger)
}

func (f *Firewall) page(chunks iter.Seq2[Chunk, error], name string, total int) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		t := f.newFitter(yield)
		var failed error
		var bytes int64
		last, sent := 0, 0
		for c, err := range chunks {
			if failed = err; err != nil {
				break
			}
			value, isText, warnings := t.present.present(c)
			frame := Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq, Path: c.Path, Data: value, IsText: isText, Warnings: warnings}
			if !t.send(&frame, t.left-t.reserve) {
				if t.stopped {
					return
				}
				if sent > 0 {
					break
				}
				frame = Frame{Mode: budget.HandleOnly, First: c.Seq, Last: c.Seq, Handle: name,
					Warnings: []Warning{{What: fmt.Sprintf("chunk %d costs %d tokens: give a larger --budget, or --raw", c.Seq, frame.Tokens)}}}
				if !t.send(&frame, t.left-t.reserve) {
					frame.Warnings = nil
					t.send(&frame, t.left-t.reserve)
				}
			}
			last = c.Seq
			bytes += int64(len(c.Source))
			sent++
		}
		if t.stopped {
			return
		}
		final := Frame{Final: true, Warnings: t.standing(), Totals: &Totals{Chunks: sent, Bytes: bytes, SessionLeft: t.Budget.SessionLeft}}
		if t.Budget.SessionLeft >= 0 {
			final.Totals.SessionLeft -= t.Budget.Tokens - t.left
		}
		if failed != nil {
			failure := t.Explain(failed)
			final.Error = &failure
		}
		if last > 0 && last < total {
			final.Handle, final.NextOffset = name, last
		}
		t.shrink(&final)
		t.send(&final, t.left)
		if failed != nil && !t.stopped {
			yield(Frame{}, failed)
		}
	}
}
