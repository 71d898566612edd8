package summarize

import (
	"math/bits"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
)

// remembered returns what is remembered of the line at hand, nil if that is nothing.
func (s *textLines) remembered() *drain.KnownLine {
	if s.out == nil {
		return nil
	}
	if k := s.out.Known.Slot(s.line.Hash); k.Hash == s.line.Hash {
		return k
	}
	return nil
}

// drain.KnownLine returns what is remembered of the line at hand, nil if that is nothing, or if it is to be looked at again.
func (s *textLines) knownLine() *drain.KnownLine {
	if s.out == nil {
		return nil
	}
	k := s.out.Known.Slot(s.line.Hash)
	if !k.IsOf(&s.line, &s.templates) || k.Unseen == k.Until {
		return nil
	}
	if k.Unseen++; k.Unseen%drain.LookAgain == 1 && !s.line.IsRecognized {
		if mask.IsAsItIs(s.has) {
			s.out.Matchers.LearnPlain(&s.line)
		} else {
			s.out.Matchers.Learn(&s.line)
		}
	}
	return k
}

// recognize makes a line the one at hand, and says whether it is one that differs from a known one in its variables alone.
func (s *textLines) recognize(line []byte) bool {
	s.line.Take(line)
	switch {
	case s.out == nil:
		return false
	case mask.IsAsItIs(s.has):
		return s.line.RecognizePlain(s.out.Matchers)
	}
	return s.line.Recognize(s.out.Matchers)
}

// look returns what is remembered of the line at hand, nil if that is nothing: then it has been cut into words, which may be
// spared otherwise.
func (s *textLines) look() *drain.KnownLine {
	if s.line.IsRecognized {
		if known := s.knownLine(); known != nil {
			return known
		}
	}
	s.line.CutWords()
	return s.knownLine()
}

// uncounted returns how often the line at hand has come since its words were counted, this time included, and before that;
// and forgets it: they are counted now.
func (s *textLines) uncounted() (came, before int) {
	k := s.out.Known.Slot(s.line.Hash)
	if k.Hash != s.line.Hash {
		return 1, 0
	}
	k.Hash = 0
	return 1 + int(k.Unseen), k.Before
}

// learn remembers the line at hand, of that form, which came so many times, if nothing but its variables can make it stand out
// from now on.
func (s *textLines) learn(form, came int) {
	o, m := s.out, &s.line
	if form < 0 || m.Cut || s.templates.All[form].Count < drain.LeastRepeated || o.Seen.Count > drain.MaxKnownPhrases || o.Seen.HasNew {
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
	if lineclass.HasFailureSign(ascii.TrimBlanks(m.Line)) || lineclass.OutcomeOf(m.Line) != lineclass.NoOutcome {
		return
	}
	k := o.Known.Slot(m.Hash)
	*k = drain.KnownLine{
		KnownForm: s.templates.KnownFormOf(m, form), Phrases: o.Seen,
		Until: uint16(min(max(drain.LookAgain-1, came/drain.LookAgainShare), drain.LookAgainMost)), Before: came,
	}
}

// noteKnownWords counts the words of the line at hand, which is known. Of them only a path may be rare.
func (s *Summary) noteKnownWords(k *drain.KnownLine, t *drain.Template) {
	o := s.text.out
	for i := range k.Phrases.Count {
		o.Phrases.CountAgain(int(k.Phrases.At[i]), k.Phrases.Hashes[i], s.text.lines)
	}
	o.LineWords += len(s.text.line.Words) - s.text.line.Paths
	if s.text.line.Paths == 0 {
		return
	}
	why := outlier.Reason{By: outlier.ByWords, N: len(s.text.line.Words)}
	for left := s.text.line.Variables; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		if w := &s.text.line.Words[i]; w.IsPath {
			s.text.noteWord(&why, i, 1, t)
			s.text.notePath(s.text.line.Line[w.From:w.To])
		}
	}
	if why.Count > 0 {
		s.note(why)
	}
}
