package summarize

import (
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/value"
)

// noteTimeOfLine notes the time of the current line. One without a day can't be compared with one
// that has it, and counts only where there is none of these.
func (s *watcher) noteTimeOfLine(line []byte) {
	l := &s.text.Out.Timeline
	t, text, place := l.TimeOfLine(line)
	switch {
	case place == lineclass.Nowhere:
	case place == lineclass.TooFar:
		s.text.Out.TooFar++
	case place == lineclass.AfterText:
		s.noteTimeAfterText(t, text)
	case l.Count == 0 || t.Dateless == l.Last.Dateless:
		s.watcher.noteJump(l, t, text, nil, structure.RootNode)
	case t.Dateless:
		l.LeftOut = true
	default:
		l.Restart(t, text)
	}
}

// noteTimeAfterText notes a time that stands after a few words of the current line. Where few lines
// have one, it may be any.
func (s *watcher) noteTimeAfterText(t value.Timestamp, text []byte) {
	l := &s.text.Out.AfterText
	if l.Count > 0 && t.Before(l.Last) {
		s.text.Out.GoneBack++
	}
	if !t.Dateless && s.text.IsOfMost(l) {
		s.watcher.noteJump(l, t, text, nil, structure.RootNode)
	} else {
		l.Restart(t, text)
	}
}

// noteJump notes a time of the current record that jumps: that of a field, with its value in JSON, or one in a line.
func (s *watcher) noteJump(l *fields.Timeline, t value.Timestamp, text, value []byte, place int) {
	r := s.text.Out.Row
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
