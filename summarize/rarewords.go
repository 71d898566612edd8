package summarize

import (
	"cmp"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

const (
	mostWeight  = 4  // of one rare word
	leastWeight = .7 // a word that is new where half of the words are tells nothing
	leastWords  = 40 // before a word can be rare
	learntWords = 2000
)

// add notes a rare word if it is among those that tell most.
func (why *reason) add(hash uint64, at int, weight float64) {
	if weight < leastWeight {
		return
	}
	w := rareWord{hash, at, min(weight, mostWeight)}
	if why.count < maxRareWords {
		why.words[why.count] = w
		why.count++
		return
	}
	least := 0
	for i := range why.words {
		if why.words[i].weight < why.words[least].weight {
			least = i
		}
	}
	if w.weight > why.words[least].weight {
		why.words[least] = w
	}
}

// noteLine keeps the line at hand, and why it may stand out.
func (s *Summary) noteLine(line []byte, form int, known *drain.KnownLine) {
	s.out.row.keepLine(line)
	s.out.row.form = form
	var t *drain.Template
	if form >= 0 {
		t = &s.templates.All[form]
	}
	if known != nil {
		s.noteKnownWords(known, t)
	} else {
		came, before := s.uncounted()
		s.noteWords(t, came)
		s.learn(form, before+came)
	}
	if s.lines > fields.LeastRecords && (t == nil || t.Count <= surprise.MostOfRare) {
		s.note(reason{by: byForm})
	}
	if s.has&mask.Digit != 0 {
		s.noteTimeOfLine(line)
	}
	if t != nil && t.Odd >= 0 {
		s.note(reason{by: byNumber, n: t.Odd, number: s.line.Words[t.Odd].Value})
	}
	if t != nil && t.Scarce >= 0 && t.Scarce != t.Odd {
		s.note(reason{by: byFew, n: t.Scarce, number: s.line.Words[t.Scarce].Value})
	}
	s.noteLineNumbers(form)
	s.noteLongNumber(line)
	if r := s.out.row; len(r.reasons) > 0 && s.has&mask.Colon != 0 && mask.IsHexDump(line) {
		r.reasons = r.reasons[:0]
	}
}

// noteLongNumber notes a number that is longer than others.
func (s *Summary) noteLongNumber(line []byte) {
	if !s.line.HasLong {
		return
	}
	if digits := s.out.longestNumber(line); digits > 0 {
		s.note(reason{by: byLength, n: digits})
	}
}

// noteRow keeps the row of a table at hand. Why it may stand out is mostly found by column.
func (s *Summary) noteRow(line []byte) {
	s.out.row.keepLine(line)
	s.out.row.filled = s.table.Row.Filled
	if s.table.Columns.Separator == 0 { // else what is between blanks is no word
		s.noteWords(nil, 1)
	}
	if s.table.Rows > fields.LeastRecords && s.table.Filled[s.table.Row.Filled] <= surprise.MostOfRare {
		s.note(reason{by: byForm})
	}
	s.noteTimeOfLine(line)
}

// note weighs a reason why the record at hand may stand out.
func (s *Summary) note(why reason) {
	why.score = s.weigh(s.out.row, &why)
	s.out.row.because(why)
}

// noteWords counts the words of the line at hand, which has come so many times more, and notes those that hardly came
// before; t is its form, if it has one.
func (s *Summary) noteWords(t *drain.Template, came int) {
	o := s.out
	o.times = o.times[:0]
	why := reason{by: byWords, n: len(s.line.Words)}
	for i := range s.line.Words {
		n := came
		if s.line.Words[i].IsPath {
			n = 1 // a path is counted each time
		}
		o.times = append(o.times, s.noteWord(&why, i, n, t))
	}
	s.notePhrases(came)
	if why.count > 0 {
		s.note(why)
	}
}

// noteWord counts a word of the line at hand that has come n times more, this time included. It returns how often it has
// come, and adds it to the reason if that is rare.
func (s *Summary) noteWord(why *reason, i, n int, t *drain.Template) (times int) {
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
	times = o.words.Add(hash, n)
	if o.lineWords++; times == 1 {
		o.freshWords++
	}
	if times <= surprise.MostOfRare && t != nil {
		t.Words[i].Fresh++
	}
	if times > surprise.MostOfRare || o.lineWords < leastWords {
		return times
	}
	weight := surprise.OfNew(o.lineWords, o.freshWords)
	if t != nil && t.Count >= surprise.Learning {
		weight = t.SurpriseAt(i)
	}
	why.add(hash, i, weight)
	return times
}

// longestNumber counts the long numbers of a line by their length, and returns the greatest length that is rare.
func (o *outstanding) longestNumber(line []byte) (longest int) {
	line = line[:min(len(line), mask.MaxLineLen)]
	for start, end := mask.NextLongNumber(line, 0); start < end; start, end = mask.NextLongNumber(line, end) {
		if n := end - start; n < len(o.lengths) {
			if o.lengths[n]++; o.lengths[n] <= surprise.MostOfRare {
				longest = max(longest, n)
			}
		}
	}
	return longest
}

// noteError keeps that the line at hand names an error, one of so many, or the string of a record, where that is.
func (s *Summary) noteError(place int, value []byte, at int, isLevel, isMarked bool) {
	if s.out == nil {
		return
	}
	r := s.out.row
	why := reason{by: byError, place: place, n: s.rows, isLevel: isLevel, isMarked: isMarked}
	switch {
	case r.isLine:
	case isMarked:
		why.text = r.putAround(value, at, maxCellLen)
	default:
		why.text = r.putAround(value, at, fields.MaxValueLen)
	}
	s.note(why)
}

// noteString counts the words of a string that hardly came before, and notes those of a line of it that are rare in its field: they tell
// less in many lines, one of which may well have such. It says whether all came often.
func (s *Summary) noteString(value []byte, f *fields.Field, place int) (areCommon bool) {
	if f.Words >= learntWords && 2*f.FreshWords > f.Words {
		return false // a field of ids: that a word is new there tells next to nothing
	}
	best, all := reason{}, 0
	areCommon = true
	for from, line := range fields.LinesIn(value) {
		why, common := s.rareWordsIn(line, from, f, place)
		areCommon = areCommon && common
		all += why.n
		if why.count > 0 {
			if why.score = s.weigh(s.out.row, &why); why.score > best.score {
				best = why
			}
		}
	}
	if best.score > 0 {
		best.n = int(math.Sqrt(float64(best.n) * float64(all)))
		best.score = s.weigh(s.out.row, &best)
		best.text = s.out.row.putAround(value, best.rarest().at, maxCellLen)
		s.out.row.because(best)
	}
	return areCommon
}

// rareWordsIn counts the words of a line of a string, which begins there, and returns those that hardly came before.
func (s *Summary) rareWordsIn(line []byte, from int, f *fields.Field, place int) (why reason, areCommon bool) {
	why = reason{by: byWords, place: place}
	areCommon = true
	names := mask.Names{Text: line}
	for name, ok := names.Next(); ok; name, ok = names.Next() {
		hash := sketch.HashWord(name, uint64(place))
		times := s.out.words.Add(hash, 1)
		if f.Words++; times == 1 {
			f.FreshWords++
		}
		areCommon = areCommon && times >= drain.LeastRepeated
		if times <= surprise.MostOfRare && f.Words >= leastWords {
			why.add(hash, from+names.At-len(name), f.Surprise())
		}
	}
	why.n = names.Runs
	return why, areCommon
}

// rarest is the word that tells most.
func (why *reason) rarest() rareWord {
	return slices.MaxFunc(why.words[:why.count], func(a, b rareWord) int { return cmp.Compare(a.weight, b.weight) })
}

// repeatWords counts the words of a string that is no longer rare, so that they are not, either.
func (s *Summary) repeatWords(value []byte, place int) {
	for _, line := range fields.LinesIn(value) {
		names := mask.Names{Text: line}
		for name, ok := names.Next(); ok; name, ok = names.Next() {
			s.out.words.Add(sketch.HashWord(name, uint64(place)), 1)
		}
	}
}
