package summarize

import (
	"math"
	"math/bits"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/outlier"
)

// noteSequence notes a number of the current record, or one at the end of a string, that jumps where it counts.
func (s *watcher) noteSequence(value []byte, f *fields.Field, place int, k jsonx.Kind, number float64) {
	n := int64(0)
	switch {
	case f.Seen.Values != f.Records || f.TimeCount > 0:
		return
	case k == jsonx.Number && number == math.Trunc(number) && math.Abs(number) < 1<<53:
		n = int64(number)
	case k == jsonx.String:
		var ok bool
		if n, ok = fields.NumberAtEnd(jsonx.Inside(value)); !ok {
			return
		}
	default:
		return
	}
	if f.Sequence == nil {
		f.Sequence = new(fields.Sequence)
	}
	r := s.text.Out.Row
	if r.IsFirst {
		f.Sequence.Restart(n)
		return
	}
	before, jumps := f.Sequence.Add(n)
	if !jumps {
		return
	}
	s.note(outlier.Reason{By: outlier.ByGap, Place: place, Before: r.PutNumber(before),
		Text: r.Put(value, fields.MaxValueLen)})
}

// noteLineNumbers notes one of the first whole numbers of the current line that jumps where they count lines, or
// lines of the same form.
func (s *lineReader) noteLineNumbers(form int) {
	o, r := s.text.Out, s.text.Out.Row
	isNoted := false
	at := 0
	for left := s.text.Line.Variables; left != 0 && at < fields.LineNumbers; left &= left - 1 {
		w := &s.text.Line.Words[bits.TrailingZeros64(left)]
		if w.Number.IsNone() || w.Number.Decimals > 0 {
			continue
		}
		index, ofForm := at, (1+form)*fields.LineNumbers+at // the same for a line without a form
		at++
		if o.Sequences[index].IsNone && o.Sequences[ofForm].IsNone {
			continue
		}
		n := int64(w.Value)
		before, jumps := o.Sequences[index].Add(n)
		if form >= 0 {
			own := &o.Sequences[ofForm]
			steps := own.Steps
			beforeOfForm, jumpsOfForm := own.Add(n)
			switch {
			case !o.Sequences[index].IsRule():
				index, before, jumps = ofForm, beforeOfForm, jumpsOfForm
			case own.Steps > steps || own.Count == 1: // it goes on from the last line of its form, or nothing does
				jumps = false
			default: // what is missing among the lines of a form came in another
			}
		}
		if jumps && !isNoted {
			isNoted = true
			s.watcher.note(outlier.Reason{By: outlier.ByGap, N: index, Before: r.PutNumber(before), Text: r.PutNumber(n)})
		}
	}
}
