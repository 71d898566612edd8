package pipeline

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
)

// Page writes kept chunks as they are, as many as fit, and says in the final frame where the next page starts. A chunk
// that does not fit even alone is named and passed over, for which LeastPage is enough. chunks are numbered as in the
// response; name is its handle.
func (f *Firewall) Page(chunks iter.Seq2[Chunk, error], out io.Writer, name string) error {
	return f.Write(out, f.page(chunks, name))
}

// LeastPage returns the smallest budget that a page works with, in tokens.
func (f *Firewall) LeastPage() int {
	const most = math.MaxInt64
	frame := Frame{Seq: most, Mode: budget.HandleOnly, First: most, Last: most, Handle: longestHandle, Left: most}
	return f.Least() + f.count(f.Encoding(nil, &frame))
}

func (f *Firewall) page(chunks iter.Seq2[Chunk, error], name string) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		t := f.newFitter(yield)
		var failed error
		var bytes int64
		last, sent, cut := 0, 0, false
		for c, err := range f.whileCounted(chunks) {
			if failed = err; err != nil {
				break
			}
			if c.Seq == 0 {
				t.passed.add(c.Warnings)
				continue
			}
			if cut = f.Limit > 0 && sent == f.Limit; cut {
				break
			}
			value, isText, warnings := t.present.present(c)
			frame := Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq, Path: c.Path, Data: value, IsText: isText, Warnings: warnings}
			if !t.send(&frame, t.left-t.reserve) {
				if t.stopped {
					return
				}
				if cut = sent > 0; cut {
					break
				}
				t.passOver(c, t.cost(&frame), name)
			}
			t.warnings.take(&t.passed)
			last = c.Seq
			bytes += int64(len(c.Source))
			sent++
		}
		if t.stopped {
			return
		}
		goesOn := last > 0 && (cut || failed != nil)
		if !goesOn {
			t.warnings.take(&t.passed)
		}
		warnings := append(slices.Clip(t.Standing), t.warnings.kept...)
		totals := &Totals{Chunks: sent, Bytes: bytes, SessionLeft: t.Budget.SessionLeft, Estimate: t.Estimate}
		final := Frame{Final: true, Warnings: warnings, Totals: totals}
		if t.Budget.SessionLeft >= 0 {
			final.Totals.SessionLeft -= t.Budget.Tokens - t.left
		}
		if failed != nil {
			failure := t.Explain(failed)
			final.Error = &failure
		}
		if goesOn {
			final.Handle, final.NextOffset = name, last
		}
		t.shrink(&final)
		if !t.send(&final, t.left) {
			failed = cmp.Or(failed, errNoFinal)
		}
		if failed != nil && !t.stopped {
			yield(Frame{}, failed)
		}
	}
}

// passOver names a chunk that does not fit, what it costs, and what would fit of it.
func (t *fitter) passOver(c Chunk, cost int, name string) {
	why := fmt.Sprintf("chunk %d costs %d tokens: give a larger --budget, or --raw", c.Seq, cost)
	frame := Frame{Mode: budget.HandleOnly, First: c.Seq, Last: c.Seq, Handle: name}
	for _, what := range []string{why + inParts(c), why, ""} {
		frame.Warnings = nil
		if what != "" {
			frame.Warnings = []Warning{{What: what}}
		}
		if t.send(&frame, t.left-t.reserve) || t.stopped {
			return
		}
	}
}

// inParts says how to page through the largest array of a chunk, if it has one.
func inParts(c Chunk) string {
	if c.Kind != JSON {
		return ""
	}
	path, elements := largestArray(gjson.ParseBytes(c.Content()))
	if elements < 2 {
		return ""
	}
	if len(c.Path) > 0 {
		path = append(append(bytes.Clone(c.Path), '.'), path...)
	}
	return fmt.Sprintf(", or --at %s for its %d elements", quotedForShell(string(path)), elements)
}
