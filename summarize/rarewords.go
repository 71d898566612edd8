package summarize

import (
	"math"

	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// noteLine keeps the current line, and why it may stand out.
func (s *lineReader) noteLine(line []byte, form int, known *drain.KnownLine) {
	s.text.Out.Row.KeepLine(line)
	s.text.Out.Row.Form = form
	var t *drain.Template
	if form >= 0 {
		t = &s.text.Templates.All[form]
	}
	if known != nil {
		s.noteKnownWords(known, t)
	} else {
		came, before := s.text.Uncounted()
		s.noteWords(t, came)
		s.text.Learn(form, before+came)
	}
	if s.text.Count > fields.LeastRecords && (t == nil || t.Count <= surprise.MostOfRare) {
		s.watcher.note(outlier.Reason{By: outlier.ByForm})
	}
	if s.text.Has&mask.Digit != 0 {
		s.watcher.noteTimeOfLine(line)
	}
	if t != nil && t.Odd >= 0 {
		s.watcher.note(outlier.Reason{By: outlier.ByNumber, N: t.Odd, Number: s.text.Line.Words[t.Odd].Value})
	}
	if t != nil && t.Scarce >= 0 && t.Scarce != t.Odd {
		s.watcher.note(outlier.Reason{By: outlier.ByFew, N: t.Scarce, Number: s.text.Line.Words[t.Scarce].Value})
	}
	s.noteLineNumbers(form)
	s.noteLongNumber(line)
	if r := s.text.Out.Row; len(r.Reasons) > 0 && s.text.Has&mask.Colon != 0 && mask.IsHexDump(line) {
		r.Reasons = r.Reasons[:0]
	}
}

// noteLongNumber notes a number that is longer than others.
func (s *lineReader) noteLongNumber(line []byte) {
	if !s.text.Line.HasLong {
		return
	}
	if digits := s.text.Out.LongestNumber(line); digits > 0 {
		s.watcher.note(outlier.Reason{By: outlier.ByLength, N: digits})
	}
}

// noteRow keeps the current row of a table. Why it may stand out is mostly found by column.
func (s *lineReader) noteRow(line []byte) {
	s.text.Out.Row.KeepLine(line)
	s.text.Out.Row.Filled = s.table.Row.Filled
	if s.table.Columns.Separator == 0 { // else what is between blanks is no word
		s.noteWords(nil, 1)
	}
	if s.table.Rows > fields.LeastRecords && s.table.Filled[s.table.Row.Filled] <= surprise.MostOfRare {
		s.watcher.note(outlier.Reason{By: outlier.ByForm})
	}
	s.watcher.noteTimeOfLine(line)
}

// note weighs a reason why the current record may stand out.
func (s *watcher) note(why outlier.Reason) {
	why.Score = s.outliers.weigh(s.text.Out.Row, &why)
	s.text.Out.Row.Because(why)
}

// noteWords counts the words of the current line, which has come so many times more, and notes those that hardly came
// before; t is its form, if it has one.
func (s *lineReader) noteWords(t *drain.Template, came int) {
	o := s.text.Out
	o.Times = o.Times[:0]
	why := outlier.Reason{By: outlier.ByWords, N: len(s.text.Line.Words)}
	for i := range s.text.Line.Words {
		n := came
		if s.text.Line.Words[i].IsPath {
			n = 1 // a path is counted each time
		}
		o.Times = append(o.Times, s.text.NoteWord(&why, i, n, t))
	}
	s.text.NotePhrases(came)
	if why.Count > 0 {
		s.watcher.note(why)
	}
}

// noteError keeps that the current line names an error, one of so many, or the string of a record, where that is.
func (s *watcher) noteError(place int, value []byte, at int, isLevel, isMarked bool) {
	if s.text.Out == nil {
		return
	}
	r := s.text.Out.Row
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

// noteString counts the words of a string that hardly came before, and notes those of a line of it that are rare in
// its field: they tell less in many lines, one of which may well have such. It says whether all came often.
func (s *watcher) noteString(value []byte, f *fields.Field, place int) (areCommon bool) {
	if f.Words >= outlier.LearntWords && 2*f.FreshWords > f.Words {
		return false // a field of ids: that a word is new there tells next to nothing
	}
	best, all := outlier.Reason{}, 0
	areCommon = true
	for from, line := range fields.LinesIn(value) {
		why, common := s.text.RareWordsIn(line, from, f, place)
		areCommon = areCommon && common
		all += why.N
		if why.Count > 0 {
			if why.Score = s.outliers.weigh(s.text.Out.Row, &why); why.Score > best.Score {
				best = why
			}
		}
	}
	if best.Score > 0 {
		best.N = int(math.Sqrt(float64(best.N) * float64(all)))
		best.Score = s.outliers.weigh(s.text.Out.Row, &best)
		best.Text = s.text.Out.Row.PutAround(value, best.Rarest().At, outlier.MaxCellLen)
		s.text.Out.Row.Because(best)
	}
	return areCommon
}
