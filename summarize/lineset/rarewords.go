package lineset

import (
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// NoteWord counts a word of the current line that has come n times more, this time included. It returns how often it
// has come, and adds it to the reason if that is rare.
func (s *Lines) NoteWord(why *outlier.Reason, i, n int, t *drain.Template) (times int) {
	o := s.Out
	w := &s.Line.Words[i]
	hash := uint64(w.Hash) * sketch.PlaceFactor
	if w.IsPath { // one that differs in its numbers and ids alone is not new, nor is one for a line and a place in it
		word := s.Line.Line[w.From:w.To]
		path := mask.WithoutPosition(word)
		if len(path) == len(word) && mask.PartsOf(path)&mask.Digit != 0 {
			s.Line.FormText = mask.AppendMasked(s.Line.FormText[:0], path)
			path = s.Line.FormText
		}
		hash = sketch.HashWord(path, 0)
	}
	times = o.Words.Add(hash, n)
	if o.LineWords++; times == 1 {
		o.FreshWords++
	}
	if times <= surprise.MostOfRare && t != nil {
		t.Words[i].Fresh++
	}
	if times > surprise.MostOfRare || o.LineWords < outlier.LeastWords {
		return times
	}
	weight := surprise.OfNew(o.LineWords, o.FreshWords)
	if t != nil && t.Count >= surprise.Learning {
		weight = t.SurpriseAt(i)
	}
	why.Add(hash, i, weight)
	return times
}

// RareWordsIn counts the words of a line of a string, which begins there, and returns those that hardly came before.
func (s *Lines) RareWordsIn(line []byte, from int, f *fields.Field, place int) (why outlier.Reason, areCommon bool) {
	why = outlier.Reason{By: outlier.ByWords, Place: place}
	areCommon = true
	names := mask.Names{Text: line}
	for name, ok := names.Next(); ok; name, ok = names.Next() {
		hash := sketch.HashWord(name, uint64(place))
		times := s.Out.Words.Add(hash, 1)
		if f.Words++; times == 1 {
			f.FreshWords++
		}
		areCommon = areCommon && times >= drain.LeastRepeated
		if times <= surprise.MostOfRare && f.Words >= outlier.LeastWords {
			why.Add(hash, from+names.At-len(name), f.Surprise())
		}
	}
	why.N = names.Runs
	return why, areCommon
}

// RepeatWords counts the words of a string that is no longer rare, so that they are not, either.
func (s *Lines) RepeatWords(value []byte, place int) {
	for _, line := range fields.LinesIn(value) {
		names := mask.Names{Text: line}
		for name, ok := names.Next(); ok; name, ok = names.Next() {
			s.Out.Words.Add(sketch.HashWord(name, uint64(place)), 1)
		}
	}
}

// IsAmongFew says whether a rare word of a line is where lines of its form have one of few.
func (s *Lines) IsAmongFew(r *outlier.Row, why *outlier.Reason, w outlier.RareWord) bool {
	if !r.IsLine || r.Filled > 0 || r.Form < 0 || why.Place != structure.RootNode {
		return false
	}
	t := &s.Templates.All[r.Form]
	return t.Count > drain.LeastOfFew && t.Words[w.At].FewWords.AreTold()
}

// TimesOf is how often the value of a reason came.
func (s *Lines) TimesOf(f *fields.Field, why *outlier.Reason) int {
	if i := f.Seen.Counts.Index(why.Hash); i >= 0 {
		return f.Seen.Counts.Entries[i].Count
	}
	return s.Out.Words.Count(why.Hash + uint64(why.Place)*sketch.PlaceFactor)
}
