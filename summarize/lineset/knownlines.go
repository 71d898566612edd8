package lineset

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
)

// Remembered returns what is remembered of the current line, nil if that is nothing.
func (s *Lines) Remembered() *drain.KnownLine {
	if s.Out == nil {
		return nil
	}
	if k := s.Out.Known.Slot(s.Line.Hash); k.Hash == s.Line.Hash {
		return k
	}
	return nil
}

// knownLine returns what is remembered of the current line, nil if that is nothing, or if it is to be looked at
// again.
func (s *Lines) knownLine() *drain.KnownLine {
	if s.Out == nil {
		return nil
	}
	k := s.Out.Known.Slot(s.Line.Hash)
	if !k.IsOf(&s.Line, &s.Templates) || k.Unseen == k.Until {
		return nil
	}
	s.remembering.pays()
	if k.Unseen++; k.Unseen%drain.LookAgain == 1 && !s.Line.IsRecognized {
		if mask.IsAsItIs(s.Has) {
			s.Out.Matchers.LearnPlain(&s.Line)
		} else {
			s.Out.Matchers.Learn(&s.Line)
		}
	}
	return k
}

// Recognize makes a line the current one, and says whether it is one that differs from a known one in its variables
// alone.
func (s *Lines) Recognize(line []byte) bool {
	s.Line.Take(line)
	switch {
	case s.Out == nil:
		return false
	case mask.IsAsItIs(s.Has):
		return s.Line.RecognizePlain(s.Out.Matchers)
	case !s.recognizing.isDue() || !s.Line.Recognize(s.Out.Matchers):
		return false
	}
	s.recognizing.pays()
	return true
}

// Look returns what is remembered of the current line, nil if that is nothing: then it has been cut into words, which
// may be spared otherwise.
func (s *Lines) Look() *drain.KnownLine {
	if s.Line.IsRecognized {
		if known := s.knownLine(); known != nil {
			return known
		}
	}
	s.Line.CutWords()
	return s.knownLine()
}

// Uncounted returns how often the current line has come since its words were counted, this time included, and before
// that; and forgets it: they are counted now.
func (s *Lines) Uncounted() (came, before int) {
	k := s.Out.Known.Slot(s.Line.Hash)
	if k.Hash != s.Line.Hash {
		return 1, 0
	}
	k.Hash = 0
	return 1 + int(k.Unseen), k.Before
}

// Learn remembers the current line, of that form, which came so many times, if nothing but its variables can make it
// stand out from now on.
func (s *Lines) Learn(form, came int) {
	o, m := s.Out, &s.Line
	if form < 0 || m.Cut || s.Templates.All[form].Count < drain.LeastRepeated ||
		o.Seen.Count > drain.MaxKnownPhrases || o.Seen.HasNew || !s.remembering.isDue() {
		return
	}
	for i, times := range o.Times {
		if times < drain.LeastRepeated && !m.Words[i].IsPath {
			return
		}
	}
	if start, end := lineclass.NextErrorWord(m.Line, 0); start < end { // "3 failed" is an error, "0 failed" is none
		return
	}
	if lineclass.HasFailureSign(ascii.TrimBlanks(m.Line)) ||
		s.Templates.All[form].Count <= lineclass.MostOfOutcomes && lineclass.OutcomeOf(m.Line) != lineclass.NoOutcome {
		return
	}
	k := o.Known.Slot(m.Hash)
	*k = drain.KnownLine{
		KnownForm: s.Templates.KnownFormOf(m, form), Phrases: o.Seen,
		Until: uint16(min(max(drain.LookAgain-1, came/drain.LookAgainShare), drain.LookAgainMost)), Before: came,
	}
}
