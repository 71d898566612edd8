package summarize

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	lineNumbers  = 4 // of a line that may count lines or records
	maxSequences = (1 + drain.MaxTemplates) * lineNumbers
	leastSteps   = 20   // for each one that is missing
	maxSought    = 1000 // numbers after which those that do not count yet are given up
)

// sequence follows whole numbers that go on by the same step each time, as those that count do, and finds where some are
// missing.
type sequence struct {
	count  int
	last   int64
	step   int64
	steps  int   // that were as long as that, since it is known
	breaks int   // that were not
	before int64 // the last number before a break, while isAway
	isAway bool  // it is not known yet whether the break was one number that did not belong
	isNone bool  // they are no sequence, and no longer followed
}

// add takes in the next number. It reports whether the number is further on than the next step where there was no
// reason to expect that, and which one came before it.
func (q *sequence) add(n int64) (before int64, jumps bool) {
	if q.isNone {
		return 0, false
	}
	return q.follow(n)
}

// restart takes in a number that does not go on from the one before.
func (q *sequence) restart(n int64) {
	q.count++
	q.last, q.isAway = n, false
}

func (q *sequence) follow(n int64) (before int64, jumps bool) {
	before = q.last
	step := n - before
	q.count++
	q.last = n
	wasAway := q.isAway
	q.isAway = false
	switch {
	case q.count == 1:
	case step == q.step && step != 0:
		q.steps++
	case wasAway && (n == q.before+q.step || n == q.before+2*q.step):
		// The one before did not belong, or took the place of one that did.
	case q.steps < surprise.Learning:
		q.step, q.steps = step, 1
		q.isNone = q.count > maxSought
	default:
		q.breaks++
		q.isNone = q.breaks > maxJumps
		q.before, q.isAway = before, true
		return before, q.isRule() && (step > 0) == (q.step > 0) && max(step, -step) > max(q.step, -q.step)
	}
	return before, false
}

// texttable.IsRule says whether the numbers are known to be a sequence.
func (q *sequence) isRule() bool {
	return q.steps >= surprise.Learning && q.steps >= leastSteps*q.breaks && q.breaks <= maxJumps
}

// weigh says how much a jump tells.
func (q *sequence) weigh() float64 {
	if !q.isRule() {
		return 0
	}
	return surprise.Gap + surprise.OfNew(q.steps, q.breaks)
}

// noteSequence notes a number of the record at hand, or one at the end of a string, that jumps where it counts.
func (s *Summary) noteSequence(value []byte, f *field, place int, k jsonx.Kind, number float64) {
	n := int64(0)
	switch {
	case f.values != f.records || f.timeCount > 0:
		return
	case k == jsonx.Number && number == math.Trunc(number) && math.Abs(number) < 1<<53:
		n = int64(number)
	case k == jsonx.String:
		var ok bool
		if n, ok = numberAtEnd(jsonx.Inside(value)); !ok {
			return
		}
	default:
		return
	}
	if f.sequence == nil {
		f.sequence = new(sequence)
	}
	r := s.out.row
	if r.isFirst {
		f.sequence.restart(n)
		return
	}
	before, jumps := f.sequence.add(n)
	if !jumps {
		return
	}
	s.note(reason{by: byGap, place: place, before: r.putNumber(before), text: r.put(value, maxValueLen)})
}

// numberAtEnd is the number that a name ends with: ord_10401.
func numberAtEnd(text []byte) (n int64, ok bool) {
	start := len(text)
	for start > 0 && ascii.IsDigit(text[start-1]) {
		start--
	}
	if len(text) == start || len(text)-start > mask.LongestCount {
		return 0, false
	}
	number, ok := value.ParseDigits(text[start:])
	return int64(number), ok
}

// putNumber keeps a number.
func (r *row) putNumber(n int64) ascii.Span {
	from := len(r.bytes)
	r.bytes = strconv.AppendInt(r.bytes, n, 10)
	return ascii.Span{From: from, To: len(r.bytes)}
}

// noteLineNumbers notes one of the first whole numbers of the line at hand that jumps where they count lines, or lines of
// the same form.
func (s *Summary) noteLineNumbers(form int) {
	o, r := s.out, s.out.row
	isNoted := false
	at := 0
	for left := s.line.Variables; left != 0 && at < lineNumbers; left &= left - 1 {
		w := &s.line.Words[bits.TrailingZeros64(left)]
		if w.Number.IsNone() || w.Number.Decimals > 0 {
			continue
		}
		index, ofForm := at, (1+form)*lineNumbers+at // the same for a line without a form
		at++
		if o.sequences[index].isNone && o.sequences[ofForm].isNone {
			continue
		}
		n := int64(w.Value)
		before, jumps := o.sequences[index].add(n)
		if form >= 0 {
			own := &o.sequences[ofForm]
			steps := own.steps
			beforeOfForm, jumpsOfForm := own.add(n)
			switch {
			case !o.sequences[index].isRule():
				index, before, jumps = ofForm, beforeOfForm, jumpsOfForm
			case own.steps > steps || own.count == 1: // it goes on from the last line of its form, or nothing does
				jumps = false
			default: // what is missing among the lines of a form came in another
			}
		}
		if jumps && !isNoted {
			isNoted = true
			s.note(reason{by: byGap, n: index, before: r.putNumber(before), text: r.putNumber(n)})
		}
	}
}

// cameElsewhere reports whether a number that is missing before a line of a form may have come in a
// line of another form that begins with the same word.
func (s *Summary) cameElsewhere(r *row, why *reason) bool {
	form, at := why.n/lineNumbers-1, why.n%lineNumbers
	if form < 0 {
		form = r.form // among the lines of all
	}
	if form < 0 || form >= len(s.templates.All) || len(s.templates.All[form].Words) == 0 {
		return false
	}
	before, isBefore := value.ParseDigits(why.before.Of(r.bytes))
	after, isAfter := value.ParseDigits(why.text.Of(r.bytes))
	if !isBefore || !isAfter {
		return false
	}
	low, high := float64(min(before, after)), float64(max(before, after))
	first := &s.templates.All[form].Words[0]
	place := s.templates.All[form].WholeNumber(at)
	for i := range s.templates.All {
		t := &s.templates.All[i]
		if i == form || t.Count == 0 || len(t.Words) == 0 || t.Words[0].Hash != first.Hash || t.Words[0].Free {
			continue
		}
		if other := t.WholeNumber(at); other >= 0 && t.Words[other].HasBetween(low, high) {
			return true
		}
		if t.HasFree(place) { // of which the numbers are not kept
			return true
		}
	}
	return false
}
