package lineset

import (
	"bytes"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

// TellUnderFailure tells a line with the failure that it is indented under, if that stands out, and
// reports whether it did. What succeeded there, as another test of the same file, explains nothing.
func (s *Lines) TellUnderFailure(r structure.Record) bool {
	o, f := s.Out, &s.Failure
	if o == nil || r.Seq != f.Next || f.Told == outlier.MaxUnderFailure || outlier.IndentOf(r.Value) <= f.Indent ||
		o.Used == 0 || o.Candidates[o.Used-1].Seq != f.Head {
		return false
	}
	if lineclass.HasVerdictOfSuccess(bytes.TrimSpace(r.Value)) {
		f.Next = 0
		return false
	}
	f.Next++
	f.Told++
	o.Candidates[o.Used-1].AddLine(r.Value)
	for _, failure := range o.Failures {
		if failure.Seq == f.Head {
			failure.AddLine(r.Value)
		}
	}
	return true
}

// AreFewFailures reports whether at most half of the lines are failures: else they are what is
// usual.
func (s *Lines) AreFewFailures() bool {
	return s.Out.Failures[0].Seq > 0 && 2*s.LineErrors <= s.Count
}

// FailuresFirst puts the first and the last failure before all that stands out otherwise.
func (s *Lines) FailuresFirst(rows []*outlier.Row) []*outlier.Row {
	if !s.AreFewFailures() {
		return rows
	}
	at := 0
	for _, failure := range s.Out.Failures {
		i := slices.IndexFunc(rows, func(r *outlier.Row) bool { return r.Seq == failure.Seq && r.IsLine })
		if i >= at {
			r := rows[i]
			rows = slices.Insert(slices.Delete(rows, i, i+1), at, r)
			at++
		}
	}
	return rows
}

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
	}
	return s.Line.Recognize(s.Out.Matchers)
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
		o.Seen.Count > drain.MaxKnownPhrases || o.Seen.HasNew {
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
		KnownForm: s.Templates.KnownFormOf(m, form), Phrases: o.Seen,
		Until: uint16(min(max(drain.LookAgain-1, came/drain.LookAgainShare), drain.LookAgainMost)), Before: came,
	}
}

// IsOwned reports whether a line says which record a row is of, by all that has come.
func (s *Lines) IsOwned(r *outlier.Row) bool {
	switch {
	case r.Identity.To == 0:
		return false
	case r.Owner.Number > 0:
		return s.owns(r.Owner)
	}
	return s.Out.Identity.TellsApart(r.Record) && s.Out.Identity.ComesAlone(r.Name)
}

// FormOfMany returns the form of the text that a record has, or of a line that is one of many.
func (s *Lines) FormOfMany(r *outlier.Row) (form fields.TextForm, ok bool) {
	if r.IsLine && r.Filled == 0 && r.Form >= 0 {
		return fields.TextForm{Place: structure.RootNode, Form: r.Form},
			s.Templates.All[r.Form].Count > outlier.ManyAlike
	}
	return r.Text.TextForm, r.Text.Bytes > 0
}

// InOrder are the candidates that stand out, the most telling first. Each one tells less after others that stand out by
// the same.
func (s *Lines) InOrder() (ordered []*outlier.Row) {
	type sameness struct {
		by    outlier.ReasonKind
		place int
	}
	type group struct {
		told int     // of the rows that stand out by the same
		less float64 // that another one tells
	}
	type grouped struct {
		*outlier.Row
		*group
	}
	groups := map[sameness]*group{}
	var rest []grouped
	for _, r := range s.Out.Candidates[:s.Out.Used] {
		if r.Score <= 0 {
			continue
		}
		why := r.Telling()
		by := sameness{why.By, why.Place}
		if groups[by] == nil {
			groups[by] = new(group)
		}
		rest = append(rest, grouped{r, groups[by]})
	}
	for len(rest) > 0 {
		best, most := 0, math.Inf(-1)
		for i, r := range rest {
			if score := r.Score - r.less; score > most {
				best, most = i, score
			}
		}
		r := rest[best]
		r.told++
		r.less = outlier.LessAlike * math.Log(float64(1+r.told))
		ordered = append(ordered, r.Row)
		rest = slices.Delete(rest, best, best+1)
	}
	return ordered
}

// WeighOutcome returns how much it tells that a line says how a run ended.
func (s *Lines) WeighOutcome(r *outlier.Row, why *outlier.Reason) float64 {
	score := float64(surprise.Outcome)
	if lineclass.Outcome(why.N) == lineclass.Verdict {
		score = surprise.Verdict
	}
	return score - surprise.LessOfForm*math.Log(1+s.OthersOfForm(r))
}

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

// CameElsewhere reports whether a number that is missing before a line of a form may have come in a
// line of another form that begins with the same word.
func (s *Lines) CameElsewhere(r *outlier.Row, why *outlier.Reason) bool {
	form, at := why.N/fields.LineNumbers-1, why.N%fields.LineNumbers
	if form < 0 {
		form = r.Form // among the lines of all
	}
	if form < 0 || form >= len(s.Templates.All) || len(s.Templates.All[form].Words) == 0 {
		return false
	}
	before, isBefore := value.ParseDigits(why.Before.Of(r.Bytes))
	after, isAfter := value.ParseDigits(why.Text.Of(r.Bytes))
	if !isBefore || !isAfter {
		return false
	}
	low, high := float64(min(before, after)), float64(max(before, after))
	first := &s.Templates.All[form].Words[0]
	place := s.Templates.All[form].WholeNumber(at)
	for i := range s.Templates.All {
		t := &s.Templates.All[i]
		if i == form || t.Count == 0 || len(t.Words) == 0 || t.Words[0].Hash != first.Hash || t.Words[0].Free {
			continue
		}
		if other := t.WholeNumber(at); other >= 0 && t.Words[other].HasBetween(low, high) {
			return true
		}
		if t.HasFree(place) { // of which the numbers are not kept
			return true
		}
	}
	return false
}

// OthersOfForm counts the other lines of the form of a line.
func (s *Lines) OthersOfForm(r *outlier.Row) float64 {
	if r.Form < 0 {
		return 0
	}
	return float64(s.Templates.All[r.Form].Count - 1)
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

// AddLevel counts the current line by its level, and returns that.
func (s *Lines) AddLevel(known *drain.KnownLine) (level int) {
	if s.Out == nil {
		return lineclass.NoLevel
	}
	if known != nil {
		level = int(known.Level)
	} else {
		level = s.Levels.LevelOf(&s.Line)
	}
	s.Levels.Add(level)
	return level
}

// HasForm reports whether a line that came before has the form of this one.
func (s *Lines) HasForm(line []byte) bool {
	s.Line.Set(line)
	return s.Templates.MostSimilar(drain.ByFirst, s.Line.HashWith(0), &s.Line) >= 0
}

// IsOfMost reports whether most lines have a time of l.
func (s *Lines) IsOfMost(l *fields.Timeline) bool { return 2*l.Count >= s.Count }

// isInOrder reports whether the times after a few words go on from line to line, or back, as those of the lines do.
func (s *Lines) isInOrder() bool {
	const mostAgainst = 10 // one step in so many
	steps, back := s.Out.AfterText.Count-1, s.Out.GoneBack
	return mostAgainst*min(back, steps-back) <= steps
}

// TimesOfMost returns the times that count as those of the lines, and those that do not.
func (s *Lines) TimesOfMost() (l, other *fields.Timeline) {
	l, other = &s.Out.Timeline, &s.Out.AfterText
	if other.Count > l.Count && s.IsOfMost(other) && s.isInOrder() {
		return other, l
	}
	return l, other
}

// LineTimes returns the times of the lines, and whether they are an estimate; nil where they are unknown.
func (s *Lines) LineTimes() (l *fields.Timeline, isEstimate bool) {
	if s.Out == nil {
		return nil, false
	}
	l, other := s.TimesOfMost()
	if l.Count < 2 {
		return nil, false
	}
	elsewhere := s.Out.TooFar + s.linesWithTimeInText(l.Last.Dateless)
	if other.Count > 0 && (other.Known != l.Known || other.From.Before(l.From) || l.To.Before(other.To)) {
		elsewhere += other.Count
	}
	return l, l.LeftOut || lineclass.LeastMisplaced*elsewhere >= l.Count
}

// linesWithTimeInText counts the lines whose time timeOfLine does not read: it comes after too many
// words, or after any if it is one without a day.
func (s *Lines) linesWithTimeInText(isDateless bool) (lines int) {
	most := lineclass.WordsBefore
	if isDateless {
		most = -1
	}
	for i := range s.Templates.All {
		t := &s.Templates.All[i]
		words := 0
		for at := range t.Words {
			word := t.Word(at)
			if bytes.Contains(word, []byte(mask.AnyTime)) {
				if at > 0 && words > most {
					lines += t.Count
				}
				break
			}
			if lineclass.IsPlainWord(word, 0, len(word)) {
				words++
			}
		}
	}
	return lines
}
