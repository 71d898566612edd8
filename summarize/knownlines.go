package summarize

import (
	"math/bits"

	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/outlier"
)

// noteKnownWords counts the words of the current line, which is known. Of them only a path may be rare.
func (s *lineReader) noteKnownWords(k *drain.KnownLine, t *drain.Template) {
	o := s.text.Out
	for i := range k.Phrases.Count {
		o.Phrases.CountAgain(int(k.Phrases.At[i]), k.Phrases.Hashes[i], s.text.Count)
	}
	o.LineWords += len(s.text.Line.Words) - s.text.Line.Paths
	if s.text.Line.Paths == 0 {
		return
	}
	why := outlier.Reason{By: outlier.ByWords, N: len(s.text.Line.Words)}
	for left := s.text.Line.Variables; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		if w := &s.text.Line.Words[i]; w.IsPath {
			s.text.NoteWord(&why, i, 1, t)
			s.text.NotePath(s.text.Line.Line[w.From:w.To])
		}
	}
	if why.Count > 0 {
		s.watcher.note(why)
	}
}
