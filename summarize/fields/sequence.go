package fields

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

// Bounds of sequences.
const (
	LineNumbers  = 4                                      // numbers of a line that may count lines or records
	MaxSequences = (1 + drain.MaxTemplates) * LineNumbers // those of each template, and of all lines
	leastSteps   = 20                                     // for each one that is missing
	maxSought    = 1000                                   // numbers after which those that do not count yet are given up
)

// Sequence follows whole numbers that go on by the same step each time, as those that count do, and finds where some
// are missing.
type Sequence struct {
	Count  int
	last   int64
	step   int64
	Steps  int   // that were as long as that, since it is known
	breaks int   // that were not
	before int64 // the last number before a break, while isAway
	isAway bool  // it is not known yet whether the break was one number that did not belong
	IsNone bool  // they are no sequence, and no longer followed
}

// Add takes in the next number. It reports whether the number is further on than the next step where there was no
// reason to expect that, and which one came before it.
func (q *Sequence) Add(n int64) (before int64, jumps bool) {
	if q.IsNone {
		return 0, false
	}
	return q.follow(n)
}

// Restart takes in a number that does not go on from the one before.
func (q *Sequence) Restart(n int64) {
	q.Count++
	q.last, q.isAway = n, false
}

func (q *Sequence) follow(n int64) (before int64, jumps bool) {
	before = q.last
	step := n - before
	q.Count++
	q.last = n
	wasAway := q.isAway
	q.isAway = false
	switch {
	case q.Count == 1:
	case step == q.step && step != 0:
		q.Steps++
	case wasAway && (n == q.before+q.step || n == q.before+2*q.step):
		// The one before did not belong, or took the place of one that did.
	case q.Steps < surprise.Learning:
		q.step, q.Steps = step, 1
		q.IsNone = q.Count > maxSought
	default:
		q.breaks++
		q.IsNone = q.breaks > maxJumps
		q.before, q.isAway = before, true
		return before, q.IsRule() && (step > 0) == (q.step > 0) && max(step, -step) > max(q.step, -q.step)
	}
	return before, false
}

// IsRule says whether the numbers are known to be a sequence.
func (q *Sequence) IsRule() bool {
	return q.Steps >= surprise.Learning && q.Steps >= leastSteps*q.breaks && q.breaks <= maxJumps
}

// Weigh says how much a jump tells.
func (q *Sequence) Weigh() float64 {
	if !q.IsRule() {
		return 0
	}
	return surprise.Gap + surprise.OfNew(q.Steps, q.breaks)
}

// NumberAtEnd is the number that a name ends with: ord_10401.
func NumberAtEnd(text []byte) (n int64, ok bool) {
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
