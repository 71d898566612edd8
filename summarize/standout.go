package summarize

import (
	"cmp"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

// outliers weighs by what records stand out, and says which of them do and why.
type outliers struct{ *Summary }

// watcher notes while a record is read by what it may stand out.
type watcher struct {
	*Summary
	novelty outlier.Novelty // of the current record
}

// begin starts a record.
func (s *watcher) begin(seq, base int) {
	s.rows++
	s.values.depth = s.places.Paths.Nodes[base].Depth
	if s.text.Out != nil {
		s.text.Out.Row.Reset(seq, base)
	}
}

// beginLine starts a record that is a line.
func (s *lineReader) beginLine(seq int) {
	s.text.Count++
	s.lineFields.begin(seq)
	s.watcher.begin(seq, structure.RootNode)
}

// end ends it: it becomes the last one, and perhaps a candidate.
func (s *watcher) end() {
	if s.text.Out == nil {
		return
	}
	o, r := s.text.Out, s.text.Out.Row
	o.Before = r
	if line := r.Line.Of(r.Bytes); r.IsLine &&
		(r.IsAround || outlier.IsBlankLine(line) || outlier.IsDrawn(line) || outlier.OnlyCloses(line)) {
		return
	}
	s.outliers.dropContradicted()
	o.KeepEarly()
	s.offer()
	e := o.EndsOf(r.Base, r.IsLine)
	if e == nil {
		return
	}
	if e.Count++; e.Count == 1 {
		e.First.Keep(r)
	} else {
		e.Last, o.Row = r, e.Last
	}
}

// endFirst ends a record that came before others that have been ended.
func (s *watcher) endFirst() {
	if s.text.Out == nil {
		return
	}
	o, r := s.text.Out, s.text.Out.Row
	o.KeepEarly()
	s.offer()
	if e := o.EndsOf(r.Base, r.IsLine); e != nil {
		if e.Count++; e.Count == 1 || r.Seq < e.First.Seq {
			e.First.Keep(o.Row)
		}
	}
}

// offer makes the current record a candidate if it may stand out.
func (s *watcher) offer() {
	o, r := s.text.Out, s.text.Out.Row
	if len(r.Reasons) == 0 {
		return
	}
	if r.Rank(); r.Score <= o.Threshold {
		return
	}
	if o.Used == outlier.MaxCandidates {
		s.outliers.weighAll()
		kept := outlier.MaxCandidates / 2
		for i := kept; i < o.Used && o.Candidates[i].Score > 0; i++ {
			o.Crowded++
		}
		o.Used = kept
		o.Threshold = max(0, o.Candidates[kept-1].Score)
	}
	o.Candidates[o.Used].Keep(r)
	o.Used++
}

// weighAll weighs the candidates by what is known now, and puts the best first.
func (s *outliers) weighAll() {
	o := s.text.Out
	s.lines.judgeKeys()
	for _, r := range o.Candidates[:o.Used] {
		for j := range r.Reasons {
			r.Reasons[j].Score = s.weigh(r, &r.Reasons[j])
		}
		r.Rank()
	}
	slices.SortStableFunc(o.Candidates[:o.Used], func(a, b *outlier.Row) int { return cmp.Compare(b.Score, a.Score) })
}

// weigh says how much a reason tells, by what is known now.
func (s *outliers) weigh(r *outlier.Row, why *outlier.Reason) float64 {
	f := &s.places.Fields[why.Place]
	score := 0.0
	if f.Named.IsKey && why.By == outlier.ByField {
		if why.IsOpen && !s.text.Out.IsOver && s.places.HasSomeKeys() {
			return surprise.NewField
		}
		return s.places.WeighKey(f)
	}
	if f.Named.IsKey && !s.lines.isToldKey(f) || why.Place == s.strings.textPlace && !r.IsLine { // its lines tell what is in a text
		return score
	}
	switch why.By {
	case outlier.ByValue:
		score = s.weighValue(f, why)
	case outlier.ByNumber:
		if r.IsLine && r.Filled == 0 && why.Place == structure.RootNode {
			score = s.text.Templates.All[r.Form].Words[why.N].Weigh(why.Number)
			break
		}
		if low, high, ok := f.Bulk(); ok {
			score = surprise.OfDistance(low, high, why.Number)
			score = max(0, score-surprise.LessOutside*math.Log(float64(max(1, f.Numbers.Outside))))
		} else if why.IsOpen && !s.text.Out.IsOver && f.Numbers != nil && f.Numbers.Count < fields.LeastNumbers {
			score = surprise.FarOut
		}
		if r.IsLine {
			score = s.weighCell(f, why, score)
		} else if score > 0 {
			score = max(0, score-surprise.LessRepeated*math.Log(float64(max(1, s.text.TimesOf(f, why)))))
		}
	case outlier.ByFew:
		score = s.text.Templates.All[r.Form].Words[why.N].Few.Weigh(why.Number)
	case outlier.ByNumberInText:
		if t := &f.Texts.Templates.All[why.Form]; t.Count > surprise.Learning {
			score = t.Words[why.N].Weigh(why.Number)
		}
	case outlier.ByField:
		score = s.places.WeighField(f, why.Place)
	case outlier.ByType:
		n := f.Seen.Types[why.Kind]
		if why.IsText {
			n = f.NoNumerals()
		}
		if n <= surprise.MostOfRare && f.Seen.Values >= 2*fields.LeastRecords {
			score = surprise.NewType - float64(n-1)
		}
	case outlier.ByWords:
		score = s.weighWords(r, why)
	case outlier.ByForm:
		if !r.IsLine || why.Place != structure.RootNode {
			score = f.WeighForm(why.Form)
			break
		}
		if r.Filled > 0 {
			score = s.lines.table.WeighFilled(r.Filled)
			break
		}
		if n := s.text.OthersOfForm(r); n <= surprise.MostOfRare {
			score = surprise.OfNew(s.text.Count, s.text.Templates.Forms()+s.text.Templates.Others) - n
		}
	case outlier.ByLength:
		if longer := s.text.Out.Lengths[why.N:]; outlier.Sum(longer) <= surprise.MostOfRare {
			score = surprise.LongNumber
		}
	case outlier.ByGap:
		if r.IsLine && why.Place == structure.RootNode {
			if score = s.text.Out.Sequences[why.N].Weigh(); score > 0 && s.text.CameElsewhere(r, why) {
				score = 0
			}
		} else {
			score = f.Sequence.Weigh()
		}
	case outlier.ByTime:
		l := f.Timeline
		if r.IsLine && why.Place == structure.RootNode {
			l, _ = s.text.TimesOfMost()
		}
		if score = l.Weigh(why.Number); score > 0 && !r.IsLine && f.TimeCount == 0 {
			score -= surprise.LessUnixTime
		}
	case outlier.ByError:
		if why.IsLevel && f.Levels == lineclass.NoLevels || s.isConstantOfRecords(r) {
			break
		}
		before, errors := why.N, f.Errors+s.text.LineErrors
		if !r.IsLine && s.inText > 0 { // around a text
			before, errors = s.inText, f.Errors
			score = surprise.Failure
		}
		weight := surprise.ErrorWord
		if why.IsMarked && !why.IsLevel && r.Filled == 0 {
			weight = surprise.MarkedError
			if before = max(before, outlier.LeastBeforeError); s.text.Out.IsOver {
				before = s.rows
			}
			if 2*errors > before { // most lines are errors
				break
			}
		}
		score += weight * math.Log(float64(max(1, before))/float64(max(1, errors)))
	case outlier.ByTrace:
		if n := s.text.Out.Words.Count(why.Hash); n <= surprise.MostOfRare {
			score = surprise.Trace + surprise.OfNew(s.text.Blocks.Traces, s.text.Blocks.FreshTraces) - float64(n-1)
		}
	case outlier.ByOutcome:
		score = s.text.WeighOutcome(r, why)
	case outlier.ByMisfit:
		if n := s.text.OthersOfForm(r); n < surprise.MostOfRare {
			score = surprise.Misfit + surprise.OfNew(s.lines.table.Rows, s.lines.table.Misfits) - n
		}
	}
	if depth := s.places.Paths.Nodes[why.Place].Depth - s.places.Paths.Nodes[r.Base].Depth; depth > 1 {
		score -= outlier.SharePerLevel * float64(min(depth-1, outlier.MostLevels))
	}
	return score
}

// isConstantOfRecords says whether a line is a name with the value that all lines of that name have, and another name
// comes as often, as in records: so it is told, and what is in the value tells nothing of one of them.
func (s *outliers) isConstantOfRecords(r *outlier.Row) bool {
	if !r.IsLine || r.Form < 0 {
		return false
	}
	t := &s.text.Templates.All[r.Form]
	key := &s.places.Fields[t.Key]
	if !s.lines.isToldByKey(t) || !key.Seen.IsConstant() || lineclass.FindErrorWord(s.places.Paths.Nodes[t.Key].Name) != nil {
		return false
	}
	for place := range s.places.Fields {
		if of := &s.places.Fields[place]; place != t.Key && of.Named.IsKey &&
			drain.AreSame(of.Seen.Counted, key.Seen.Counted) {
			return true
		}
	}
	return false
}

// weighWords says how much those words of a line or string tell that are still rare.
func (s *outliers) weighWords(r *outlier.Row, why *outlier.Reason) (score float64) {
	if why.Place == structure.RootNode && r.Form >= 0 && s.lines.isToldByKey(&s.text.Templates.All[r.Form]) {
		return 0 // those of its value are weighed with others of its name
	}
	isOfFew := false
	for _, w := range why.Words[:why.Count] {
		n := s.text.Out.Words.Count(w.Hash)
		if n > surprise.MostOfRare {
			continue
		}
		weight := s.weighWord(r, why, w)
		score += weight / float64(max(1, n))
		isOfFew = isOfFew || weight > 0 && s.text.IsAmongFew(r, why, w)
	}
	score *= surprise.RareWord / math.Sqrt(float64(max(1, why.N)))
	if isOfFew {
		score += surprise.AmongFew
	}
	return score
}

// weighWord says how much a rare word tells: what it did when it came, less if new words turned out to be common
// where it is.
func (s *outliers) weighWord(r *outlier.Row, why *outlier.Reason, w outlier.RareWord) float64 {
	now := w.Weight
	switch {
	// of a record, or of what follows the name in a line
	case !r.IsLine, why.Place != structure.RootNode && r.Form >= 0:
		now = s.places.Fields[why.Place].Surprise()
	case r.Form >= 0 && s.text.Templates.All[r.Form].Count >= surprise.Learning:
		now = s.text.Templates.All[r.Form].SurpriseAt(w.At)
	}
	if now < outlier.LeastWeight {
		return 0
	}
	return min(now, w.Weight)
}

func (s *outliers) weighValue(f *fields.Field, why *outlier.Reason) float64 {
	if !f.MayHaveRare(why.Kind) || f.IsOfCommonForm(why.Form) {
		return 0
	}
	n := s.text.TimesOf(f, why)
	if n > surprise.MostOfRare || f.Seen.Rare > outlier.ManyRare &&
		outlier.ShareOfRare*f.Seen.Rare > f.Seen.Types[why.Kind] {
		return 0
	}
	score := float64(surprise.RareValue)
	if why.Kind == jsonx.Number {
		score = surprise.RareNumber
	}
	return score + math.Log(float64(f.Seen.Types[why.Kind])/float64(max(1,
		f.Seen.Fresh))) - surprise.LessAmongRare*math.Log(float64(max(1, f.Seen.Rare))) - 2*float64(n-1)
}

// weighCell says how much a number tells that is far out in its column: nothing when it came more often.
func (s *outliers) weighCell(f *fields.Field, why *outlier.Reason, score float64) float64 {
	if s.text.TimesOf(f, why) > surprise.MostOfRare {
		return 0
	}
	return min(score, surprise.MostOfCell)
}

// noteScalar keeps a scalar of the current record, and why the record may stand out by it.
func (s *watcher) noteScalar(v *fields.Scalar, f *fields.Field, place int) {
	s.text.Out.Row.AddCell(place, v.Value)
	isText := v.Kind == jsonx.String && f.Written.HasNumerals() && !v.IsNumber
	mayBe := [...]bool{
		outlier.ByValue: v.Times <= surprise.MostOfRare && f.MayHaveRare(v.Kind),
		outlier.ByNumber: v.IsNumber && f.HasNumbers() && f.Numbers.Count >= fields.LeastNumbers &&
			f.IsOutside(v.Number),
		outlier.ByField: s.isRareField(f),
		outlier.ByType:  isText || f.Seen.Types[v.Kind] <= surprise.MostOfRare && f.Seen.Values > f.Seen.Types[v.Kind],
	}
	if mayBe[outlier.ByNumber] {
		f.Numbers.Outside++
	}
	if mayBe != [...]bool{outlier.ByType: false} {
		why := outlier.Reason{Place: place, Kind: v.Kind, Hash: v.Hash, Number: v.Number, Form: v.Form, IsText: isText}
		s.noteReasons(mayBe[:], why, v.Value)
	}
	s.noteUntilMoreIsKnown(v, f, place)
	s.noteSequence(v.Value, f, place, v.Kind, v.Number)
	if f.Seen.Values == f.Records {
		s.noteTime(v, f, place)
	}
}

// noteUntilMoreIsKnown keeps the current record for what can't be weighed yet: a number among the first of a field,
// and a name that only now begins a line.
func (s *watcher) noteUntilMoreIsKnown(v *fields.Scalar, f *fields.Field, place int) {
	r := s.text.Out.Row
	by, score := outlier.ByNothing, 0.
	switch {
	case v.IsNumber && (!r.IsLine || f.Named.IsKey) && f.MayBeFar():
		by, score = outlier.ByNumber, surprise.FarOut
	case f.Named.IsKey && !f.Named.IsPair && f.Records == 1 && s.places.HasSomeKeys():
		by, score = outlier.ByField, surprise.NewField
	default:
		return // as nearly always
	}
	r.Because(outlier.Reason{
		By: by, Place: place, Kind: v.Kind, Hash: v.Hash, Number: v.Number, Form: v.Form, IsOpen: true,
		Score: score, Text: r.Put(v.Value, fields.MaxValueLen),
	})
}

// isRareField is a quick look whether so few records have a field that one may stand out by it.
func (s *watcher) isRareField(f *fields.Field) bool {
	return f.Records <= 1+s.rows/outlier.RareFieldShare && !f.Named.IsPair &&
		(!f.Named.IsKey || f.Records <= surprise.MostOfRare)
}

// noteTime notes a time of the current record that jumps, be it written as a text or as a number.
func (s *watcher) noteTime(v *fields.Scalar, f *fields.Field, place int) {
	t, isTime := v.Time, v.IsTime
	if v.IsNumber {
		t, isTime = value.UnixTime(v.Number)
	}
	if !isTime {
		return
	}
	if f.Timeline == nil {
		f.Timeline = new(fields.Timeline)
	}
	text := v.Value
	if v.Kind == jsonx.String {
		text = jsonx.Inside(text)
	}
	s.noteJump(f.Timeline, t, text, v.Value, place)
}

// noteReasons keeps those of the reasons by which the current record does stand out.
func (s *watcher) noteReasons(mayBe []bool, why outlier.Reason, value []byte) {
	r := s.text.Out.Row
	for by, is := range mayBe {
		if !is {
			continue
		}
		why.By = outlier.ReasonKind(by)
		if why.Score = s.outliers.weigh(r, &why); why.Score > 0 {
			if why.Text == (ascii.Span{}) {
				why.Text = r.Put(value, fields.MaxValueLen)
			}
			r.Because(why)
		}
	}
}
