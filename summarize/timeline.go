package summarize

import (
	"bytes"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	leastGaps = 5   // a time jumps when it is so many times the longest other gap away from the one before,
	shortGap  = 1   // or this, in seconds,
	finestGap = .05 // where times have fractions of seconds
	maxJumps  = 4   // of one timeline: where there are more, they are the rule
)

// timeline follows times that come one after another, and finds those that jump: one that is far from all others, a gap
// after which it goes on elsewhere, or one where times are missing that came at regular intervals.
type timeline struct {
	count      int
	from, to   value.Timestamp // the earliest and the latest of those of which most is known; without a year the first and the last
	known      int             // how much that is
	leftOut    bool            // there were times of which less is known, or without a year that went back
	fromText   []byte
	toText     []byte          // unless it is that of the last time
	last       value.Timestamp // that was not a jump
	lastText   []byte
	textBefore []byte          // that of the time before one that jumped
	away       value.Timestamp // the last one that was, while isAway
	awayText   []byte
	isAway     bool
	longest    float64   // gap that was no jump, in seconds
	isFine     bool      // some time has a fraction of a second
	jumps      []float64 // the gaps that were
	ticks      sequence  // the seconds of times at regular intervals
}

// add takes in a time. gap is 0 unless it jumps: then it is how far, in seconds; from is the time before it, lent.
func (l *timeline) add(t value.Timestamp, text []byte) (gap float64, from []byte) {
	l.begin(t, text)
	l.isFine = l.isFine || t.Nanos != 0
	_, misses := l.ticks.add(t.Seconds)
	jumps := false
	if l.count > 1 {
		gap = t.Distance(l.last)
		switch {
		case l.count > surprise.Learning && gap > l.leastJump():
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
	l.last = t
	l.lastText = append(l.lastText[:0], text...)
	if !jumps {
		return 0, nil
	}
	return gap, l.textBefore
}

// leastJump is how far a time that jumps is from the one before, in seconds.
func (l *timeline) leastJump() float64 {
	if l.isFine {
		return leastGaps * max(l.longest, finestGap)
	}
	return leastGaps * max(l.longest, shortGap)
}

// begin counts a time, before it is the last one.
func (l *timeline) begin(t value.Timestamp, text []byte) {
	l.count++
	known := t.Known()
	isFirst := l.count == 1 || known > l.known
	if l.count > 1 && (known != l.known || t.Yearless && l.goesBack(t)) {
		l.leftOut = true
	}
	if isFirst || known == l.known && !t.Yearless && t.Before(l.from) {
		l.from, l.fromText = t, append(l.fromText[:0], text...)
	}
	switch {
	case isFirst || known == l.known && (t.Yearless || !t.Before(l.to)):
		l.to, l.toText = t, l.toText[:0]
	case len(l.toText) == 0:
		l.toText = append(l.toText, l.lastOne()...)
	}
	l.known = max(l.known, known)
}

// goesBack says whether a time without a year is earlier than the last one, and not in the year after that, or on the day after.
func (l *timeline) goesBack(t value.Timestamp) bool {
	const mostInYear, mostInDay = 300 * value.SecondsOfDay, value.SecondsOfDay / 2
	last := l.last
	if l.isAway {
		last = l.away
	}
	if t.Dateless {
		return t.Before(last) && last.Seconds-t.Seconds < mostInDay
	}
	return t.Before(last) && last.Seconds-t.Seconds < mostInYear
}

// lastOne returns the text of the last time.
func (l *timeline) lastOne() []byte {
	if l.isAway {
		return l.awayText
	}
	return l.lastText
}

// latest returns the text of the latest time.
func (l *timeline) latest() []byte {
	if len(l.toText) == 0 {
		return l.lastOne()
	}
	return l.toText
}

// addJump keeps the gap of a jump, as long as there are few: those that are hardly longer than others came to be are none, and where
// there are many, so are the shortest.
func (l *timeline) addJump(gap float64) {
	isNone := func(gap float64) bool { return gap <= l.leastJump() }
	l.jumps = append(slices.DeleteFunc(l.jumps, isNone), gap)
	for len(l.jumps) > maxJumps {
		l.longest = slices.Min(l.jumps)
		l.jumps = slices.DeleteFunc(l.jumps, isNone)
	}
}

// weigh says how much a jump tells, by what is known now.
func (l *timeline) weigh(gap float64) float64 {
	if least := l.leastJump(); gap > least || l.ticks.isRule() {
		return surprise.Jump + math.Log(max(1, leastGaps*gap/least))
	}
	return 0
}

// restart takes in a time that is not to be compared with the one before.
func (l *timeline) restart(t value.Timestamp, text []byte) {
	l.begin(t, text)
	l.ticks.restart(t.Seconds)
	l.isAway = false
	l.last = t
	l.lastText = append(l.lastText[:0], text...)
}

// noteTimeOfLine notes the time of the current line. One without a day can't be compared with one
// that has it, and counts only where there is none of these.
func (s *Summary) noteTimeOfLine(line []byte) {
	l := &s.out.timeline
	t, text, place := l.timeOfLine(line)
	switch {
	case place == lineclass.Nowhere:
	case place == lineclass.TooFar:
		s.out.tooFar++
	case place == lineclass.AfterText:
		s.noteTimeAfterText(t, text)
	case l.count == 0 || t.Dateless == l.last.Dateless:
		s.noteJump(l, t, text, nil, structure.RootNode)
	case t.Dateless:
		l.leftOut = true
	default:
		l.restart(t, text)
	}
}

// noteTimeAfterText notes a time that stands after a few words of the current line. Where few lines
// have one, it may be any.
func (s *Summary) noteTimeAfterText(t value.Timestamp, text []byte) {
	l := &s.out.afterText
	if l.count > 0 && t.Before(l.last) {
		s.out.goneBack++
	}
	if !t.Dateless && s.isOfMost(l) {
		s.noteJump(l, t, text, nil, structure.RootNode)
	} else {
		l.restart(t, text)
	}
}

// isOfMost reports whether most lines have a time of l.
func (s *Summary) isOfMost(l *timeline) bool { return 2*l.count >= s.lines }

// isInOrder reports whether the times after a few words go on from line to line, or back, as those of the lines do.
func (s *Summary) isInOrder() bool {
	const mostAgainst = 10 // one step in so many
	steps, back := s.out.afterText.count-1, s.out.goneBack
	return mostAgainst*min(back, steps-back) <= steps
}

// timesOfMost returns the times that count as those of the lines, and those that do not.
func (s *Summary) timesOfMost() (l, other *timeline) {
	l, other = &s.out.timeline, &s.out.afterText
	if other.count > l.count && s.isOfMost(other) && s.isInOrder() {
		return other, l
	}
	return l, other
}

// lineTimes returns the times of the lines, and whether they are an estimate; nil where they are unknown.
func (s *Summary) lineTimes() (l *timeline, isEstimate bool) {
	if s.out == nil {
		return nil, false
	}
	l, other := s.timesOfMost()
	if l.count < 2 {
		return nil, false
	}
	elsewhere := s.out.tooFar + s.linesWithTimeInText(l.last.Dateless)
	if other.count > 0 && (other.known != l.known || other.from.Before(l.from) || l.to.Before(other.to)) {
		elsewhere += other.count
	}
	return l, l.leftOut || lineclass.LeastMisplaced*elsewhere >= l.count
}

// linesWithTimeInText counts the lines whose time timeOfLine does not read: it comes after too many
// words, or after any if it is one without a day.
func (s *Summary) linesWithTimeInText(isDateless bool) (lines int) {
	most := lineclass.WordsBefore
	if isDateless {
		most = -1
	}
	for i := range s.templates.All {
		t := &s.templates.All[i]
		words := 0
		for at := range t.Words {
			word := t.Word(at)
			if bytes.Contains(word, []byte(mask.AnyTime)) {
				if at > 0 && words > most {
					lines += t.Count
				}
				break
			}
			if lineclass.IsPlainWord(word, 0, len(word)) {
				words++
			}
		}
	}
	return lines
}

// noteJump notes a time of the record at hand that jumps: that of a field, with its value in JSON, or one in a line.
func (s *Summary) noteJump(l *timeline, t value.Timestamp, text, value []byte, place int) {
	r := s.out.row
	if r.isFirst {
		l.restart(t, text)
		return
	}
	gap, from := l.add(t, text)
	if gap == 0 {
		return
	}
	why := reason{by: byTime, place: place, number: gap}
	why.before = r.put(from, maxCellLen)
	if !r.isLine {
		why.text = r.put(value, maxValueLen)
	}
	s.note(why)
}
