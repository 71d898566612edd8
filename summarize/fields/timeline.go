package fields

import (
	"math"
	"slices"

	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	leastGaps = 5   // a time jumps when it is so many times the longest other gap away from the one before,
	shortGap  = 1   // or this, in seconds,
	finestGap = .05 // where times have fractions of seconds
	maxJumps  = 4   // of one timeline: where there are more, they are the rule
)

// Timeline follows times that come one after another, and finds those that jump: one that is far from all others, a gap
// after which it goes on elsewhere, or one where times are missing that came at regular intervals.
type Timeline struct {
	Count      int
	From, To   value.Timestamp // the earliest and the latest of those of which most is known; without a year the first and the last
	Known      int             // how much that is
	LeftOut    bool            // there were times of which less is known, or without a year that went back
	FromText   []byte
	toText     []byte          // unless it is that of the last time
	Last       value.Timestamp // that was not a jump
	lastText   []byte
	textBefore []byte          // that of the time before one that jumped
	away       value.Timestamp // the last one that was, while isAway
	awayText   []byte
	isAway     bool
	longest    float64   // gap that was no jump, in seconds
	isFine     bool      // some time has a fraction of a second
	jumps      []float64 // the gaps that were
	ticks      Sequence  // the seconds of times at regular intervals
}

// Add takes in a time. gap is 0 unless it jumps: then it is how far, in seconds; from is the time before it, lent.
func (l *Timeline) Add(t value.Timestamp, text []byte) (gap float64, from []byte) {
	l.begin(t, text)
	l.isFine = l.isFine || t.Nanos != 0
	_, misses := l.ticks.Add(t.Seconds)
	jumps := false
	if l.Count > 1 {
		gap = t.Distance(l.Last)
		switch {
		case l.Count > surprise.Learning && gap > l.leastJump():
			if !l.isAway || t.Distance(l.away) > l.leastJump() {
				l.isAway, l.away, l.awayText = true, t, append(l.awayText[:0], text...)
				l.addJump(gap)
				return gap, l.lastText
			}
		case misses:
			jumps = true
			l.textBefore = append(l.textBefore[:0], l.lastText...)
		case gap > l.longest:
			l.longest = gap
		}
	}
	l.isAway = false
	l.Last = t
	l.lastText = append(l.lastText[:0], text...)
	if !jumps {
		return 0, nil
	}
	return gap, l.textBefore
}

// leastJump is how far a time that jumps is from the one before, in seconds.
func (l *Timeline) leastJump() float64 {
	if l.isFine {
		return leastGaps * max(l.longest, finestGap)
	}
	return leastGaps * max(l.longest, shortGap)
}

// begin counts a time, before it is the last one.
func (l *Timeline) begin(t value.Timestamp, text []byte) {
	l.Count++
	known := t.Known()
	isFirst := l.Count == 1 || known > l.Known
	if l.Count > 1 && (known != l.Known || t.Yearless && l.goesBack(t)) {
		l.LeftOut = true
	}
	if isFirst || known == l.Known && !t.Yearless && t.Before(l.From) {
		l.From, l.FromText = t, append(l.FromText[:0], text...)
	}
	switch {
	case isFirst || known == l.Known && (t.Yearless || !t.Before(l.To)):
		l.To, l.toText = t, l.toText[:0]
	case len(l.toText) == 0:
		l.toText = append(l.toText, l.lastOne()...)
	}
	l.Known = max(l.Known, known)
}

// goesBack says whether a time without a year is earlier than the last one, and not in the year after that, or on the day after.
func (l *Timeline) goesBack(t value.Timestamp) bool {
	const mostInYear, mostInDay = 300 * value.SecondsOfDay, value.SecondsOfDay / 2
	last := l.Last
	if l.isAway {
		last = l.away
	}
	if t.Dateless {
		return t.Before(last) && last.Seconds-t.Seconds < mostInDay
	}
	return t.Before(last) && last.Seconds-t.Seconds < mostInYear
}

// lastOne returns the text of the last time.
func (l *Timeline) lastOne() []byte {
	if l.isAway {
		return l.awayText
	}
	return l.lastText
}

// Latest returns the text of the latest time.
func (l *Timeline) Latest() []byte {
	if len(l.toText) == 0 {
		return l.lastOne()
	}
	return l.toText
}

// addJump keeps the gap of a jump, as long as there are few: those that are hardly longer than others came to be are none, and where
// there are many, so are the shortest.
func (l *Timeline) addJump(gap float64) {
	isNone := func(gap float64) bool { return gap <= l.leastJump() }
	l.jumps = append(slices.DeleteFunc(l.jumps, isNone), gap)
	for len(l.jumps) > maxJumps {
		l.longest = slices.Min(l.jumps)
		l.jumps = slices.DeleteFunc(l.jumps, isNone)
	}
}

// Weigh says how much a jump tells, by what is known now.
func (l *Timeline) Weigh(gap float64) float64 {
	if least := l.leastJump(); gap > least || l.ticks.IsRule() {
		return surprise.Jump + math.Log(max(1, leastGaps*gap/least))
	}
	return 0
}

// Restart takes in a time that is not to be compared with the one before.
func (l *Timeline) Restart(t value.Timestamp, text []byte) {
	l.begin(t, text)
	l.ticks.Restart(t.Seconds)
	l.isAway = false
	l.Last = t
	l.lastText = append(l.lastText[:0], text...)
}
