package lineset

import (
	"bytes"

	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
)

// IsOfMost reports whether most lines have a time of l.
func (s *Lines) IsOfMost(l *fields.Timeline) bool { return 2*l.Count >= s.Count }

// isInOrder reports whether the times after a few words go on from line to line, or back, as those of the lines do.
func (s *Lines) isInOrder() bool {
	const mostAgainst = 10 // one step in so many
	steps, back := s.Out.AfterText.Count-1, s.Out.GoneBack
	return mostAgainst*min(back, steps-back) <= steps
}

// TimesOfMost returns the times that count as those of the lines, and those that do not.
func (s *Lines) TimesOfMost() (l, other *fields.Timeline) {
	l, other = &s.Out.Timeline, &s.Out.AfterText
	if other.Count > l.Count && s.IsOfMost(other) && s.isInOrder() {
		return other, l
	}
	return l, other
}

// LineTimes returns the times of the lines, and whether they are an estimate; nil where they are unknown.
func (s *Lines) LineTimes() (l *fields.Timeline, isEstimate bool) {
	if s.Out == nil {
		return nil, false
	}
	l, other := s.TimesOfMost()
	if l.Count < 2 {
		return nil, false
	}
	elsewhere := s.Out.TooFar + s.linesWithTimeInText(l.Last.Dateless)
	if other.Count > 0 && (other.Known != l.Known || other.From.Before(l.From) || l.To.Before(other.To)) {
		elsewhere += other.Count
	}
	return l, l.LeftOut || lineclass.LeastMisplaced*elsewhere >= l.Count
}

// linesWithTimeInText counts the lines whose time timeOfLine does not read: it comes after too many
// words, or after any if it is one without a day.
func (s *Lines) linesWithTimeInText(isDateless bool) (lines int) {
	most := lineclass.WordsBefore
	if isDateless {
		most = -1
	}
	for i := range s.Templates.All {
		t := &s.Templates.All[i]
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
