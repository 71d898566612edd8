package lineset

import (
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// KeepReason keeps of a line that is too long, besides its beginning, what it stands out by if that comes later: the
// rarest of its words, a number far out or the word for an error.
func (s *Lines) KeepReason(line []byte) {
	r := s.Out.Row
	if len(line) <= outlier.MaxLineKept || len(r.Reasons) == 0 {
		return
	}
	r.Rank()
	for i := range r.Reasons {
		at, ok := s.placeInLine(&r.Reasons[i], line)
		switch {
		case ok && r.Reasons[i].IsMarked && at < outlier.MaxLineHead:
			r.KeepEnds(line)
			return
		case !ok || at < outlier.MaxLineHead:
		case at < outlier.MaxLineKept-outlier.AroundAfter, at >= len(line):
			return
		default:
			r.KeepAround(line, at)
			return
		}
	}
}

// placeInLine is where in the current line what it stands out by is.
func (s *Lines) placeInLine(why *outlier.Reason, line []byte) (at int, ok bool) {
	switch {
	case why.By == outlier.ByError:
		start, end := lineclass.ErrorWordIn(line[:min(len(line), mask.MaxLineLen)])
		return start, start < end
	case why.Place != structure.RootNode:
		return 0, false
	case why.By == outlier.ByWords:
		at = why.Rarest().At
	case why.By == outlier.ByNumber:
		at = why.N
	default:
		return 0, false
	}
	return s.Line.Shift + int(s.Line.Words[at].From), true
}
