package lineset

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// LineTimes are the times of lines.
type LineTimes struct {
	Timeline  fields.Timeline // of lines that begin with a time, perhaps after labels
	AfterText fields.Timeline // of lines that have their first time after a few words
	GoneBack  int             // of these, times before the last one
	TooFar    int             // lines that may have a time further on than is looked
}

// SeeTime counts the time of a line.
func (s *Whole) SeeTime(line []byte) {
	l := &s.Timeline
	t, text, place := fields.TimeOfLine(line)
	switch {
	case place == lineclass.Nowhere:
	case place == lineclass.TooFar:
		s.TooFar++
	case place == lineclass.AfterText:
		if s.AfterText.Count > 0 && t.Before(s.AfterText.Last) {
			s.GoneBack++
		}
		s.AfterText.Add(t, text)
	default:
		l.Add(t, text)
	}
}

// IsOfMost reports whether most lines have a time of l.
func (s *Set) IsOfMost(l *fields.Timeline) bool { return 2*l.Count >= s.Count }

// isInOrder reports whether the times after a few words go on from line to line, or back, as those of the lines do.
func (s *Set) isInOrder() bool {
	const mostAgainst = 10 // one step in so many
	steps, back := s.Whole.AfterText.Count-1, s.Whole.GoneBack
	return mostAgainst*min(back, steps-back) <= steps
}

// TimesOfMost returns the times that count as those of the lines, and those that do not.
func (s *Set) TimesOfMost() (l, other *fields.Timeline) {
	l, other = &s.Whole.Timeline, &s.Whole.AfterText
	if other.Count > l.Count && s.IsOfMost(other) && s.isInOrder() {
		return other, l
	}
	return l, other
}

// LineTimes returns the times of the lines, and whether they are an estimate; nil where they are unknown.
func (s *Set) LineTimes() (l *fields.Timeline, isEstimate bool) {
	if s.Whole == nil {
		return nil, false
	}
	const linesOfTime = 100 // the most lines for each line with a time
	l, other := s.TimesOfMost()
	if l.Count < 2 || l.Count*linesOfTime < s.Count {
		return nil, false
	}
	elsewhere := s.Whole.TooFar + s.linesWithTimeInText()
	if other.Count > 0 && (other.Known != l.Known || other.From.Before(l.From) || l.To.Before(other.To)) {
		elsewhere += other.Count
	}
	return l, l.LeftOut || lineclass.LeastMisplaced*elsewhere >= l.Count
}

// linesWithTimeInText counts the lines whose time timeOfLine does not read, as it comes after too many words.
func (s *Set) linesWithTimeInText() (lines int) {
	for i := range s.Templates.All {
		t := &s.Templates.All[i]
		words := 0
		for at := range t.Words {
			word := t.Word(at)
			if bytes.Contains(word, []byte(mask.AnyTime)) {
				if at > 0 && words > lineclass.WordsBefore {
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
