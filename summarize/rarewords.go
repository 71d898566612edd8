package summarize

import (
	"math"

	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// noteLine keeps the line at hand, and why it may stand out.
func (s *Summary) noteLine(line []byte, form int, known *drain.KnownLine) {
	s.text.out.Row.KeepLine(line)
	s.text.out.Row.Form = form
	var t *drain.Template
	if form >= 0 {
		t = &s.text.templates.All[form]
	}
	if known != nil {
		s.noteKnownWords(known, t)
	} else {
		came, before := s.text.uncounted()
		s.noteWords(t, came)
		s.text.learn(form, before+came)
	}
	if s.text.lines > fields.LeastRecords && (t == nil || t.Count <= surprise.MostOfRare) {
		s.note(outlier.Reason{By: outlier.ByForm})
	}
	if s.text.has&mask.Digit != 0 {
		s.noteTimeOfLine(line)
	}
	if t != nil && t.Odd >= 0 {
		s.note(outlier.Reason{By: outlier.ByNumber, N: t.Odd, Number: s.text.line.Words[t.Odd].Value})
	}
	if t != nil && t.Scarce >= 0 && t.Scarce != t.Odd {
		s.note(outlier.Reason{By: outlier.ByFew, N: t.Scarce, Number: s.text.line.Words[t.Scarce].Value})
	}
	s.noteLineNumbers(form)
	s.noteLongNumber(line)
	if r := s.text.out.Row; len(r.Reasons) > 0 && s.text.has&mask.Colon != 0 && mask.IsHexDump(line) {
		r.Reasons = r.Reasons[:0]
	}
}

// noteLongNumber notes a number that is longer than others.
func (s *Summary) noteLongNumber(line []byte) {
	if !s.text.line.HasLong {
		return
	}
	if digits := s.text.out.LongestNumber(line); digits > 0 {
		s.note(outlier.Reason{By: outlier.ByLength, N: digits})
	}
}

// noteRow keeps the row of a table at hand. Why it may stand out is mostly found by column.
func (s *Summary) noteRow(line []byte) {
	s.text.out.Row.KeepLine(line)
	s.text.out.Row.Filled = s.table.Row.Filled
	if s.table.Columns.Separator == 0 { // else what is between blanks is no word
		s.noteWords(nil, 1)
	}
	if s.table.Rows > fields.LeastRecords && s.table.Filled[s.table.Row.Filled] <= surprise.MostOfRare {
		s.note(outlier.Reason{By: outlier.ByForm})
	}
	s.noteTimeOfLine(line)
}

// note weighs a reason why the record at hand may stand out.
func (s *Summary) note(why outlier.Reason) {
	why.Score = s.weigh(s.text.out.Row, &why)
	s.text.out.Row.Because(why)
}

// noteWords counts the words of the line at hand, which has come so many times more, and notes those that hardly came
// before; t is its form, if it has one.
func (s *Summary) noteWords(t *drain.Template, came int) {
	o := s.text.out
	o.Times = o.Times[:0]
	why := outlier.Reason{By: outlier.ByWords, N: len(s.text.line.Words)}
	for i := range s.text.line.Words {
		n := came
		if s.text.line.Words[i].IsPath {
			n = 1 // a path is counted each time
		}
		o.Times = append(o.Times, s.text.noteWord(&why, i, n, t))
	}
	s.text.notePhrases(came)
	if why.Count > 0 {
		s.note(why)
	}
}

// noteWord counts a word of the line at hand that has come n times more, this time included. It returns how often it has
// come, and adds it to the reason if that is rare.
func (s *textLines) noteWord(why *outlier.Reason, i, n int, t *drain.Template) (times int) {
	o := s.out
	w := &s.line.Words[i]
	hash := uint64(w.Hash) * sketch.PlaceFactor
	if w.IsPath { // one that differs in its numbers and ids alone is not new, nor is one for a line and a place in it
		word := s.line.Line[w.From:w.To]
		path := mask.WithoutPosition(word)
		if len(path) == len(word) && mask.PartsOf(path)&mask.Digit != 0 {
			s.line.FormText = mask.AppendMasked(s.line.FormText[:0], path)
			path = s.line.FormText
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

// noteError keeps that the line at hand names an error, one of so many, or the string of a record, where that is.
func (s *Summary) noteError(place int, value []byte, at int, isLevel, isMarked bool) {
	if s.text.out == nil {
		return
	}
	r := s.text.out.Row
	why := outlier.Reason{By: outlier.ByError, Place: place, N: s.rows, IsLevel: isLevel, IsMarked: isMarked}
	switch {
	case r.IsLine:
	case isMarked:
		why.Text = r.PutAround(value, at, outlier.MaxCellLen)
	default:
		why.Text = r.PutAround(value, at, fields.MaxValueLen)
	}
	s.note(why)
}

// noteString counts the words of a string that hardly came before, and notes those of a line of it that are rare in its field: they tell
// less in many lines, one of which may well have such. It says whether all came often.
func (s *Summary) noteString(value []byte, f *fields.Field, place int) (areCommon bool) {
	if f.Words >= outlier.LearntWords && 2*f.FreshWords > f.Words {
		return false // a field of ids: that a word is new there tells next to nothing
	}
	best, all := outlier.Reason{}, 0
	areCommon = true
	for from, line := range fields.LinesIn(value) {
		why, common := s.text.rareWordsIn(line, from, f, place)
		areCommon = areCommon && common
		all += why.N
		if why.Count > 0 {
			if why.Score = s.weigh(s.text.out.Row, &why); why.Score > best.Score {
				best = why
			}
		}
	}
	if best.Score > 0 {
		best.N = int(math.Sqrt(float64(best.N) * float64(all)))
		best.Score = s.weigh(s.text.out.Row, &best)
		best.Text = s.text.out.Row.PutAround(value, best.Rarest().At, outlier.MaxCellLen)
		s.text.out.Row.Because(best)
	}
	return areCommon
}

// rareWordsIn counts the words of a line of a string, which begins there, and returns those that hardly came before.
func (s *textLines) rareWordsIn(line []byte, from int, f *fields.Field, place int) (why outlier.Reason, areCommon bool) {
	why = outlier.Reason{By: outlier.ByWords, Place: place}
	areCommon = true
	names := mask.Names{Text: line}
	for name, ok := names.Next(); ok; name, ok = names.Next() {
		hash := sketch.HashWord(name, uint64(place))
		times := s.out.Words.Add(hash, 1)
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

// repeatWords counts the words of a string that is no longer rare, so that they are not, either.
func (s *textLines) repeatWords(value []byte, place int) {
	for _, line := range fields.LinesIn(value) {
		names := mask.Names{Text: line}
		for name, ok := names.Next(); ok; name, ok = names.Next() {
			s.out.Words.Add(sketch.HashWord(name, uint64(place)), 1)
		}
	}
}
