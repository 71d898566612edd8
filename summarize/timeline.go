package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/value"
)

// noteTimeOfLine notes the time of the current line. One without a day can't be compared with one
// that has it, and counts only where there is none of these.
func (s *Summary) noteTimeOfLine(line []byte) {
	l := &s.text.out.Timeline
	t, text, place := l.TimeOfLine(line)
	switch {
	case place == lineclass.Nowhere:
	case place == lineclass.TooFar:
		s.text.out.TooFar++
	case place == lineclass.AfterText:
		s.noteTimeAfterText(t, text)
	case l.Count == 0 || t.Dateless == l.Last.Dateless:
		s.noteJump(l, t, text, nil, structure.RootNode)
	case t.Dateless:
		l.LeftOut = true
	default:
		l.Restart(t, text)
	}
}

// noteTimeAfterText notes a time that stands after a few words of the current line. Where few lines
// have one, it may be any.
func (s *Summary) noteTimeAfterText(t value.Timestamp, text []byte) {
	l := &s.text.out.AfterText
	if l.Count > 0 && t.Before(l.Last) {
		s.text.out.GoneBack++
	}
	if !t.Dateless && s.text.isOfMost(l) {
		s.noteJump(l, t, text, nil, structure.RootNode)
	} else {
		l.Restart(t, text)
	}
}

// isOfMost reports whether most lines have a time of l.
func (s *textLines) isOfMost(l *fields.Timeline) bool { return 2*l.Count >= s.lines }

// isInOrder reports whether the times after a few words go on from line to line, or back, as those of the lines do.
func (s *textLines) isInOrder() bool {
	const mostAgainst = 10 // one step in so many
	steps, back := s.out.AfterText.Count-1, s.out.GoneBack
	return mostAgainst*min(back, steps-back) <= steps
}

// timesOfMost returns the times that count as those of the lines, and those that do not.
func (s *textLines) timesOfMost() (l, other *fields.Timeline) {
	l, other = &s.out.Timeline, &s.out.AfterText
	if other.Count > l.Count && s.isOfMost(other) && s.isInOrder() {
		return other, l
	}
	return l, other
}

// lineTimes returns the times of the lines, and whether they are an estimate; nil where they are unknown.
func (s *textLines) lineTimes() (l *fields.Timeline, isEstimate bool) {
	if s.out == nil {
		return nil, false
	}
	l, other := s.timesOfMost()
	if l.Count < 2 {
		return nil, false
	}
	elsewhere := s.out.TooFar + s.linesWithTimeInText(l.Last.Dateless)
	if other.Count > 0 && (other.Known != l.Known || other.From.Before(l.From) || l.To.Before(other.To)) {
		elsewhere += other.Count
	}
	return l, l.LeftOut || lineclass.LeastMisplaced*elsewhere >= l.Count
}

// linesWithTimeInText counts the lines whose time timeOfLine does not read: it comes after too many
// words, or after any if it is one without a day.
func (s *textLines) linesWithTimeInText(isDateless bool) (lines int) {
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
func (s *Summary) noteJump(l *fields.Timeline, t value.Timestamp, text, value []byte, place int) {
	r := s.text.out.Row
	if r.IsFirst {
		l.Restart(t, text)
		return
	}
	gap, from := l.Add(t, text)
	if gap == 0 {
		return
	}
	why := outlier.Reason{By: outlier.ByTime, Place: place, Number: gap}
	why.Before = r.Put(from, outlier.MaxCellLen)
	if !r.IsLine {
		why.Text = r.Put(value, fields.MaxValueLen)
	}
	s.note(why)
}
