package lineset

import (
	"github.com/kfw-dev/kfw/internal/summarize/drain"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// Remembered returns what is remembered of the current line, nil if that is nothing.
func (s *Lines) Remembered() *drain.KnownLine {
	if s.Whole == nil {
		return nil
	}
	if k := s.Whole.Known.Slot(s.Line.Hash); k.Hash == s.Line.Hash {
		return k
	}
	return nil
}

// knownLine returns what is remembered of the current line, nil if that is nothing.
func (s *Lines) knownLine() *drain.KnownLine {
	if s.Whole == nil {
		return nil
	}
	k := s.Whole.Known.Slot(s.Line.Hash)
	if !k.IsOf(&s.Line, &s.Templates) {
		return nil
	}
	s.remembering.pays()
	if !k.IsMatched && !s.Line.IsRecognized {
		k.IsMatched = true
		if mask.IsAsItIs(s.Has) {
			s.Whole.Matchers.LearnPlain(&s.Line)
		} else {
			s.Whole.Matchers.Learn(&s.Line)
		}
	}
	return k
}

// Recognize makes a line the current one, and says whether it is one that differs from a known one in its variables
// alone.
func (s *Lines) Recognize(line []byte) bool {
	s.Line.Take(line)
	switch {
	case s.Whole == nil:
		return false
	case mask.IsAsItIs(s.Has):
		return s.Line.RecognizePlain(s.Whole.Matchers)
	case !s.recognizing.isDue() || !s.Line.Recognize(s.Whole.Matchers):
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

// Learn remembers the current line, of that template, if that has come several times.
func (s *Lines) Learn(template int) {
	if s.Whole == nil || template < 0 || s.Line.Cut || s.Templates.All[template].Count < drain.LeastRepeated ||
		!s.remembering.isDue() {
		return
	}
	*s.Whole.Known.Slot(s.Line.Hash) = drain.KnownLine{KnownTemplate: s.Templates.KnownTemplateOf(&s.Line, template)}
}
