package fit

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// LeastPage returns the smallest budget that a page works with, in tokens.
func (o *Options) LeastPage() int {
	const most = math.MaxInt64
	frame := encode.Frame{Seq: most, Mode: budget.HandleOnly, First: most, Last: most, Handle: longestHandle, Left: most}
	return o.Least() + o.Cost(o.Encoding(nil, &frame))
}

// PageFrames yields kept chunks as they are, as many as fit, and says in the final frame where the next page starts. A chunk that
// does not fit even alone is named and passed over, for which LeastPage is enough. chunks are numbered as in the
// response; name is its handle.
func Page(chunks iter.Seq2[split.Chunk, error], name string, o *Options) iter.Seq2[encode.Frame, error] {
	return func(yield func(encode.Frame, error) bool) {
		t := newFitter(o, nil, yield)
		var failed error
		var bytes int64
		last, sent, cut := 0, 0, false
		for c, err := range chunks {
			if failed = err; err != nil {
				break
			}
			if c.Seq == 0 {
				t.passed.Add(c.Warnings)
				continue
			}
			if cut = o.Limit > 0 && sent == o.Limit; cut {
				break
			}
			value, isText, warnings := t.present.Present(c)
			frame := encode.Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq, Path: c.Path, Data: value, IsText: isText, Warnings: warnings}
			if !t.send(&frame, t.left-t.reserve) {
				if t.stopped {
					return
				}
				if cut = sent > 0; cut {
					break
				}
				t.passOver(c, t.cost(&frame), name)
			}
			t.warnings.Take(&t.passed)
			last = c.Seq
			bytes += int64(len(c.Source))
			sent++
		}
		if t.stopped {
			return
		}
		goesOn := last > 0 && (cut || failed != nil)
		if !goesOn {
			t.warnings.Take(&t.passed)
		}
		warnings := append(slices.Clip(t.Standing), t.warnings.Kept...)
		totals := &encode.Totals{Chunks: sent, Bytes: bytes, SessionLeft: t.Budget.SessionLeft, Estimate: t.Estimate}
		final := encode.Frame{Final: true, Warnings: warnings, Totals: totals}
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
			yield(encode.Frame{}, failed)
		}
	}
}

// passOver names a chunk that does not fit, what it costs, and what would fit of it.
func (t *fitter) passOver(c split.Chunk, cost int, name string) {
	why := fmt.Sprintf("chunk %d costs %d tokens: give a larger --budget, or --raw", c.Seq, cost)
	frame := encode.Frame{Mode: budget.HandleOnly, First: c.Seq, Last: c.Seq, Handle: name}
	for _, what := range []string{why + inParts(c), why, ""} {
		frame.Warnings = nil
		if what != "" {
			frame.Warnings = []split.Warning{{What: what}}
		}
		if t.send(&frame, t.left-t.reserve) || t.stopped {
			return
		}
	}
}

// inParts says how to page through the largest array of a chunk, if it has one.
func inParts(c split.Chunk) string {
	if c.Kind != split.JSON {
		return ""
	}
	path, elements := query.LargestArray(gjson.ParseBytes(c.Content()))
	if elements < 2 {
		return ""
	}
	if len(c.Path) > 0 {
		path = append(append(bytes.Clone(c.Path), '.'), path...)
	}
	return fmt.Sprintf(", or --at %s for its %d elements", encode.QuotedForShell(string(path)), elements)
}
