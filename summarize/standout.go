package summarize

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/tabulate"
	"github.com/kfw-dev/kfw/summarize/texttable"
	"github.com/kfw-dev/kfw/summarize/value"
)

// Bounds of what is kept to tell which records stand out.
const (
	maxCandidates    = 128  // records that may turn out to stand out; the better half is kept when there are more
	maxReasons       = 4    // of one record
	maxRareWords     = 8    // of one line or string
	maxCells         = 64   // scalars that are kept of one record
	maxCellLen       = 120  // bytes of one of them
	maxRowLen        = 2048 // bytes of all of them without the last one
	maxRows          = 8    // places of records whose first and last one are kept
	manyRare         = 32   // values that came once or twice: where there are more,
	shareOfRare      = 6    // and one in so many records has one, none of them is rare
	rareFieldShare   = 100  // a rare field is in at most one record in so many
	rareKeyShare     = 20   // a name that lines begin with is rare where another came so often
	mostRareKeys     = 8    // and no more than so many are
	sharePerLevel    = 1.2  // what a level of nesting takes from a score
	mostLevels       = 3    // that take from it, beside the first
	sharePerReason   = 0.2  // of a second reason's score is added to the record's, and half as much of each further one
	shareInLine      = 0.5  // likewise of each further reason of a line
	leastBeforeError = 20   // records that are taken to have come before one, however early it is
)

// reasonKind is by what a record stands out.
type reasonKind uint8

const (
	byNothing      reasonKind = iota
	byValue                   // a value that is rare in a field with few
	byNumber                  // a number far from the bulk of them
	byNumberInText            // a number in a string far from those in its place in strings of the same form
	byField                   // a field that few records have
	byType                    // a type that is rare in its field
	byWords                   // words that are rare in a field or in lines of this form
	byForm                    // a form of line that is rare
	byLength                  // a number with more digits than others
	byError                   // a word that names an error
	byTime                    // a time that jumps
	byGap                     // a number that counts, and jumps
	byTrace                   // a stack trace whose first frame is rare
	byMisfit                  // a line among the rows of a table that is none
	byFew                     // a number that hardly came among few in lines of this form
	byOutcome                 // a line that says how a run ended
)

// reason is why a record may stand out. What it says is weighed again when more is known.
type reason struct {
	by     reasonKind
	place  int
	hash   uint64
	kind   jsonx.Kind
	number float64
	score  float64
	text   ascii.Span // of the row's bytes: the value, or the word
	words  [maxRareWords]rareWord
	before ascii.Span // in the row's bytes: the time or number before one that jumps
	count  int        // of words
	form   int        // of a text, -1 if it has none
	n      int        // how many words the line or string has, digits the number, records came before the error; of a line or text which word, or which sequence
	isText bool       // the value is none among strings that are numbers

	isLevel  bool // the error is named by a number
	isMarked bool // more than a word says that it is an error
	isOpen   bool // it can't be weighed until more is known
}

// rareWord is a word that was rare when it came, and how seldom its place had a new word.
type rareWord struct {
	hash   uint64
	at     int // which word of its line or string it is
	weight float64
}

// cell is one scalar of a record.
type cell struct {
	place int
	text  ascii.Span // JSON
}

// row is what is kept of one record: its scalars, shortened, or its line.
type row struct {
	seq      int
	base     int // the place of the record itself
	isLine   bool
	isFirst  bool // of an array in a larger record: it does not go on from the one before
	isAround bool // it is the header of a table, or drawn around rows
	bytes    []byte
	line     ascii.Span // of bytes, when isLine
	cells    []cell
	key      ascii.Span // of a member of a map: its name
	reasons  []reason
	form     int                // of the line: index of its template, -1 if it has none
	text     fields.LongestText // of its strings
	filled   int                // cells of the line, when it is a row of a table
	score    float64

	identity ascii.Span  // the line that says which record a name and its value is of
	owner    ownerOfLine // the same where it is a heading of output
	record   uint64      // the key of that name, or the one that the line leads to; 0 for none
	name     uint64      // the key of the name of this line, if it is to come once in a record
}

func (r *row) reset(seq, base int) {
	r.seq, r.base, r.form, r.filled, r.score, r.text = seq, base, -1, 0, 0, fields.LongestText{}
	r.isLine, r.isFirst, r.isAround, r.line, r.key, r.identity = false, false, false, ascii.Span{}, ascii.Span{}, ascii.Span{}
	r.owner, r.record, r.name = ownerOfLine{}, 0, 0
	r.bytes, r.cells, r.reasons = r.bytes[:0], r.cells[:0], r.reasons[:0]
}

func (r *row) keep(from *row) {
	kept, cells, reasons := r.bytes, r.cells, r.reasons
	*r = *from
	r.bytes = append(kept[:0], from.bytes...)
	r.cells = append(cells[:0], from.cells...)
	r.reasons = append(reasons[:0], from.reasons...)
}

// addCell keeps a scalar of the record, while there is room.
func (r *row) addCell(place int, value []byte) {
	if len(r.cells) < maxCells && len(r.bytes) < maxRowLen {
		r.cells = append(r.cells, cell{place, r.put(value, maxCellLen)})
	}
}

// put appends a JSON scalar, a long string shortened, and returns where it is: nowhere if there is no room for more.
func (r *row) put(value []byte, most int) ascii.Span {
	from := len(r.bytes)
	if from+min(len(value), most+len(`"`+jsonx.Ellipsis+`"`)) > rowCap {
		return ascii.Span{}
	}
	if len(value) > most && value[0] == '"' {
		r.bytes = append(append(append(r.bytes, '"'), jsonx.CutInside(jsonx.Inside(value), most)...), jsonx.Ellipsis+`"`...)
	} else if len(value) > most {
		r.bytes = append(r.bytes, tabulate.LeftOutCell...)
	} else {
		r.bytes = append(r.bytes, value...)
	}
	return ascii.Span{From: from, To: len(r.bytes)}
}

// because notes a reason if it is among the best. Of those that tell nothing yet, an error may best do so later.
func (r *row) because(why reason) {
	if len(r.reasons) < maxReasons {
		r.reasons = append(r.reasons, why)
		return
	}
	least := 0
	for i := range r.reasons {
		if r.reasons[i].score < r.reasons[least].score {
			least = i
		}
	}
	if of := &r.reasons[least]; why.score > of.score || why.score == of.score && why.by == byError && of.by != byError {
		*of = why
	}
}

// rank puts the best reason first and adds up.
func (r *row) rank() {
	slices.SortStableFunc(r.reasons, func(a, b reason) int { return cmp.Compare(b.score, a.score) })
	r.score = 0
	share, decay := sharePerReason, .5
	if r.isLine && r.filled == 0 {
		share, decay = shareInLine, 1
	}
	for i := range r.reasons {
		switch {
		case r.reasons[i].score <= 0:
		case i == 0:
			r.score = r.reasons[i].score
		default:
			r.score += share * r.reasons[i].score
			share *= decay
		}
	}
}

// ends are the first and the last of the records at one place.
type ends struct {
	base  int
	count int
	first row
	last  *row
}

// outstanding finds, in one pass, the records that stand out from all of the response. Those that are rare when
// they come are candidates; when there are too many, and at the end, they are weighed again by what is known then.
type outstanding struct {
	words          sketch.Counts
	phrases        drain.Phrases
	times          []int               // that the words of the current line have come
	seen           drain.PhrasesOfLine // of the current line
	known          drain.KnownLines
	matchers       *mask.Matchers
	row            *row // the current one
	before         *row // the one before, which may be the last one of its place
	candidates     []*row
	used           int
	early          [maxEarly]*row // the first records
	judged         int            // of them
	threshold      float64        // what a record has to score to be a candidate
	ends           [maxRows]ends
	places         int             // of ends
	timeline       fields.Timeline // of lines that begin with a time, perhaps after labels
	afterText      fields.Timeline // of lines that have their first time after a few words
	goneBack       int             // of these, times before the last one
	tooFar         int             // lines that may have a time further on than is looked
	identity       identityLine
	outputSections outputSections
	failures       [2]*row // the first and the last line that a mark says is an error; seq is 0 for none
	head           blockHead
	sequences      []fields.Sequence // of numbers in lines: by form and place
	lengths        [24]int           // numbers in lines, by how many digits they have
	lineWords      int
	freshWords     int  // of them
	crowded        int  // candidates that stood out and gave way to better ones
	isOver         bool // all records have come
}

func newOutstanding() *outstanding {
	o := &outstanding{
		row: new(row), candidates: make([]*row, maxCandidates), sequences: make([]fields.Sequence, fields.MaxSequences),
		known: drain.KnownLines{All: make([]drain.KnownLine, drain.MaxKnownLines)}, matchers: new(mask.Matchers),
	}
	o.outputSections.sign = -1
	for i := range o.ends {
		o.ends[i].last = new(row)
	}
	o.words = sketch.NewCounts()
	for i := range o.candidates {
		o.candidates[i] = newRow()
	}
	for i := range o.early {
		o.early[i] = newRow()
	}
	for i := range o.failures {
		o.failures[i] = newRow()
	}
	return o
}

// newRow returns a row that has room for any.
func newRow() *row {
	return &row{bytes: make([]byte, 0, rowCap), cells: make([]cell, 0, maxCells), reasons: make([]reason, 0, maxReasons)}
}

// rowCap is more than a row takes: its last cell, its name and its reasons come on top of maxRowLen.
const rowCap = maxRowLen + (2+maxReasons)*(maxCellLen+fields.MaxValueLen)

// begin starts a record.
func (s *Summary) begin(seq, base int) {
	s.rows++
	s.depth = s.paths.Nodes[base].Depth
	if s.out != nil {
		s.out.row.reset(seq, base)
	}
}

// beginLine starts a record that is a line.
func (s *Summary) beginLine(seq int) {
	s.lines++
	s.lineFields.begin(seq)
	s.begin(seq, structure.RootNode)
}

// end ends it: it becomes the last one, and perhaps a candidate.
func (s *Summary) end() {
	if s.out == nil {
		return
	}
	o, r := s.out, s.out.row
	o.before = r
	if line := r.line.Of(r.bytes); r.isLine && (r.isAround || isBlankLine(line) || isDrawn(line) || onlyCloses(line)) {
		return
	}
	s.dropContradicted()
	o.keepEarly()
	s.offer()
	e := o.endsOf(r.base, r.isLine)
	if e == nil {
		return
	}
	if e.count++; e.count == 1 {
		e.first.keep(r)
	} else {
		e.last, o.row = r, e.last
	}
}

// endFirst ends a record that came before others that have been ended.
func (s *Summary) endFirst() {
	if s.out == nil {
		return
	}
	o, r := s.out, s.out.row
	o.keepEarly()
	s.offer()
	if e := o.endsOf(r.base, r.isLine); e != nil {
		if e.count++; e.count == 1 || r.seq < e.first.seq {
			e.first.keep(o.row)
		}
	}
}

// forgetForm makes the lines that are kept have no form whose template is that of others now.
func (o *outstanding) forgetForm(form int) {
	forget := func(r *row) {
		if !r.isLine || r.form != form {
			return
		}
		r.form = -1
		r.reasons = slices.DeleteFunc(r.reasons, func(why reason) bool {
			return (why.by == byNumber || why.by == byFew) && why.place == structure.RootNode
		})
	}
	o.eachKept(forget)
	clear(o.sequences[(1+form)*fields.LineNumbers : (2+form)*fields.LineNumbers])
}

// eachKept calls a function with each record that is kept.
func (o *outstanding) eachKept(do func(*row)) {
	for _, r := range o.candidates[:o.used] {
		do(r)
	}
	if o.before != nil {
		do(o.before)
	}
	for i := range o.ends[:o.places] {
		do(&o.ends[i].first)
		if last := o.ends[i].last; last != nil {
			do(last)
		}
	}
}

// endsOf returns the first and the last record at a place, or line; nil if there are too many places.
func (o *outstanding) endsOf(base int, isLine bool) *ends {
	for i := range o.ends[:o.places] {
		if e := &o.ends[i]; e.base == base && e.first.isLine == isLine {
			return e
		}
	}
	if o.places == maxRows {
		return nil
	}
	e := &o.ends[o.places]
	o.places++
	e.base, e.count = base, 0
	e.first.isLine = isLine
	return e
}

// isDrawn says whether a line is drawn around what has something to tell.
func isDrawn(line []byte) bool {
	return len(line) > 0 && (line[0] == '+' || line[0] == '-' || line[0] == '=' || line[0] == "─"[0]) && texttable.IsRule(line)
}

// onlyCloses says whether a line does nothing but close what lines before it have opened: brackets, or an element of XML.
func onlyCloses(line []byte) bool {
	line = bytes.TrimSpace(line)
	if name, isElement := bytes.CutPrefix(line, []byte("</")); isElement {
		return string(bytes.TrimSpace(name[len(formats.MarkupName(name)):])) == ">"
	}
	return len(line) > 0 && len(bytes.Trim(line, ")]},;")) == 0
}

// isBlankLine says whether a line has nothing but blanks.
func isBlankLine(line []byte) bool {
	if len(line) > 0 && ' ' < line[0] && line[0] < 0x7f {
		return false // as most lines
	}
	return len(bytes.TrimSpace(line)) == 0
}

// offer makes the record at hand a candidate if it may stand out.
func (s *Summary) offer() {
	o, r := s.out, s.out.row
	if len(r.reasons) == 0 {
		return
	}
	if r.rank(); r.score <= o.threshold {
		return
	}
	if o.used == maxCandidates {
		s.weighAll()
		kept := maxCandidates / 2
		for i := kept; i < o.used && o.candidates[i].score > 0; i++ {
			o.crowded++
		}
		o.used = kept
		o.threshold = max(0, o.candidates[kept-1].score)
	}
	o.candidates[o.used].keep(r)
	o.used++
}

// weighAll weighs the candidates by what is known now, and puts the best first.
func (s *Summary) weighAll() {
	o := s.out
	s.judgeKeys()
	for _, r := range o.candidates[:o.used] {
		for j := range r.reasons {
			r.reasons[j].score = s.weigh(r, &r.reasons[j])
		}
		r.rank()
	}
	slices.SortStableFunc(o.candidates[:o.used], func(a, b *row) int { return cmp.Compare(b.score, a.score) })
}

// weigh says how much a reason tells, by what is known now.
func (s *Summary) weigh(r *row, why *reason) float64 {
	f := &s.fields[why.place]
	score := 0.0
	if f.IsKey && why.by == byField {
		if why.isOpen && !s.out.isOver && s.hasSomeKeys() {
			return surprise.NewField
		}
		return s.weighKey(f)
	}
	if f.IsKey && !s.isToldKey(f) || why.place == s.textPlace && !r.isLine { // its lines tell what is in a text
		return score
	}
	switch why.by {
	case byValue:
		score = s.weighValue(f, why)
	case byNumber:
		if r.isLine && r.filled == 0 && why.place == structure.RootNode {
			score = s.templates.All[r.form].Words[why.n].Weigh(why.number)
			break
		}
		if low, high, ok := f.Bulk(); ok {
			score = surprise.OfDistance(low, high, why.number)
			score = max(0, score-surprise.LessOutside*math.Log(float64(max(1, f.Numbers.Outside))))
		} else if why.isOpen && !s.out.isOver && f.Numbers != nil && f.Numbers.Count < fields.LeastNumbers {
			score = surprise.FarOut
		}
		if r.isLine {
			score = s.weighCell(f, why, score)
		} else if score > 0 {
			score = max(0, score-surprise.LessRepeated*math.Log(float64(max(1, s.timesOf(f, why)))))
		}
	case byFew:
		score = s.templates.All[r.form].Words[why.n].Few.Weigh(why.number)
	case byNumberInText:
		if t := &f.Texts.Templates.All[why.form]; t.Count > surprise.Learning {
			score = t.Words[why.n].Weigh(why.number)
		}
	case byField:
		score = s.weighField(f, why.place)
	case byType:
		n := f.Types[why.kind]
		if why.isText {
			n = f.NoNumerals()
		}
		if n <= surprise.MostOfRare && f.Values >= 2*fields.LeastRecords {
			score = surprise.NewType - float64(n-1)
		}
	case byWords:
		score = s.weighWords(r, why)
	case byForm:
		if !r.isLine || why.place != structure.RootNode {
			score = f.WeighForm(why.form)
			break
		}
		if r.filled > 0 {
			score = s.table.WeighFilled(r.filled)
			break
		}
		if n := s.othersOfForm(r); n <= surprise.MostOfRare {
			score = surprise.OfNew(s.lines, s.templates.Forms()+s.templates.Others) - n
		}
	case byLength:
		if longer := s.out.lengths[why.n:]; sum(longer) <= surprise.MostOfRare {
			score = surprise.LongNumber
		}
	case byGap:
		if r.isLine && why.place == structure.RootNode {
			if score = s.out.sequences[why.n].Weigh(); score > 0 && s.cameElsewhere(r, why) {
				score = 0
			}
		} else {
			score = f.Sequence.Weigh()
		}
	case byTime:
		l := f.Timeline
		if r.isLine && why.place == structure.RootNode {
			l, _ = s.timesOfMost()
		}
		if score = l.Weigh(why.number); score > 0 && !r.isLine && f.TimeCount == 0 {
			score -= surprise.LessUnixTime
		}
	case byError:
		if why.isLevel && f.Levels == lineclass.NoLevels || s.isConstantOfRecords(r) {
			break
		}
		before, errors := why.n, f.Errors+s.lineErrors
		if !r.isLine && s.inText > 0 { // around a text
			before, errors = s.inText, f.Errors
			score = surprise.Failure
		}
		weight := surprise.ErrorWord
		if why.isMarked && !why.isLevel && r.filled == 0 {
			weight = surprise.MarkedError
			if before = max(before, leastBeforeError); s.out.isOver {
				before = s.rows
			}
			if 2*errors > before { // most lines are errors
				break
			}
		}
		score += weight * math.Log(float64(max(1, before))/float64(max(1, errors)))
	case byTrace:
		if n := s.out.words.Count(why.hash); n <= surprise.MostOfRare {
			score = surprise.Trace + surprise.OfNew(s.blocks.traces, s.blocks.freshTraces) - float64(n-1)
		}
	case byOutcome:
		score = s.weighOutcome(r, why)
	case byMisfit:
		if n := s.othersOfForm(r); n < surprise.MostOfRare {
			score = surprise.Misfit + surprise.OfNew(s.table.Rows, s.table.Misfits) - n
		}
	}
	if depth := s.paths.Nodes[why.place].Depth - s.paths.Nodes[r.base].Depth; depth > 1 {
		score -= sharePerLevel * float64(min(depth-1, mostLevels))
	}
	return score
}

// isConstantOfRecords says whether a line is a name with the value that all lines of that name have, and another name comes as often, as in
// records: so it is told, and what is in the value tells nothing of one of them.
func (s *Summary) isConstantOfRecords(r *row) bool {
	if !r.isLine || r.form < 0 {
		return false
	}
	t := &s.templates.All[r.form]
	key := &s.fields[t.Key]
	if !s.isToldByKey(t) || !key.IsConstant() || lineclass.FindErrorWord(s.paths.Nodes[t.Key].Name) != nil {
		return false
	}
	for place := range s.fields {
		if of := &s.fields[place]; place != t.Key && of.IsKey && drain.AreSame(of.Counted, key.Counted) {
			return true
		}
	}
	return false
}

// othersOfForm counts the other lines of the form of a line.
func (s *Summary) othersOfForm(r *row) float64 {
	if r.form < 0 {
		return 0
	}
	return float64(s.templates.All[r.form].Count - 1)
}

// weighWords says how much those words of a line or string tell that are still rare.
func (s *Summary) weighWords(r *row, why *reason) (score float64) {
	if why.place == structure.RootNode && r.form >= 0 && s.isToldByKey(&s.templates.All[r.form]) {
		return 0 // those of its value are weighed with others of its name
	}
	isOfFew := false
	for _, w := range why.words[:why.count] {
		n := s.out.words.Count(w.hash)
		if n > surprise.MostOfRare {
			continue
		}
		weight := s.weighWord(r, why, w)
		score += weight / float64(max(1, n))
		isOfFew = isOfFew || weight > 0 && s.isAmongFew(r, why, w)
	}
	score *= surprise.RareWord / math.Sqrt(float64(max(1, why.n)))
	if isOfFew {
		score += surprise.AmongFew
	}
	return score
}

// isAmongFew says whether a rare word of a line is where lines of its form have one of few.
func (s *Summary) isAmongFew(r *row, why *reason, w rareWord) bool {
	if !r.isLine || r.filled > 0 || r.form < 0 || why.place != structure.RootNode {
		return false
	}
	t := &s.templates.All[r.form]
	return t.Count > drain.LeastOfFew && t.Words[w.at].FewWords.AreTold()
}

// weighWord says how much a rare word tells: what it did when it came, less if new words turned out to be common where it is.
func (s *Summary) weighWord(r *row, why *reason, w rareWord) float64 {
	now := w.weight
	switch {
	case !r.isLine, why.place != structure.RootNode && r.form >= 0: // of a record, or of what follows the name in a line
		now = s.fields[why.place].Surprise()
	case r.form >= 0 && s.templates.All[r.form].Count >= surprise.Learning:
		now = s.templates.All[r.form].SurpriseAt(w.at)
	}
	if now < leastWeight {
		return 0
	}
	return min(now, w.weight)
}

// weighField says how much it tells that a record has a field that few have: little of a map most of whose keys are rare.
func (s *Summary) weighField(f *fields.Field, place int) float64 {
	if n := s.rowsOf(place); n < fields.LeastRecords || f.Records > max(1, n/rareFieldShare) || s.isInKeyOfMap(place) {
		return 0
	}
	around, rare := s.rareSiblings(place, f.Records)
	score := surprise.OfNew(around, rare) - math.Log(float64(f.Records))
	if isKeyOfMap := s.mayBeKey(place) && 2*rare >= s.paths.Nodes[s.paths.Nodes[place].Parent].Members; !isKeyOfMap {
		score += surprise.NewField
	}
	return score
}

// weighKey says how much it tells that a line begins with a name that hardly any does: nothing where several are as rare.
func (s *Summary) weighKey(f *fields.Field) float64 {
	if f.Records > surprise.MostOfRare || f.IsPair {
		return 0
	}
	usual, rare := s.usualKey()
	if usual < rareKeyShare || rare > mostRareKeys {
		return 0
	}
	return surprise.NewField + surprise.OfNew(usual, rare) - float64(f.Records-1)
}

// usualKey is how many lines begin with the name that most begin with, and how many names hardly any line begins with.
func (s *Summary) usualKey() (usual, rare int) {
	for i := range s.fields {
		if key := &s.fields[i]; key.IsKey && !key.IsPair {
			usual = max(usual, key.Records)
			if key.Records <= surprise.MostOfRare {
				rare++
			}
		}
	}
	return usual, rare
}

// rareSiblings counts how often the object around a field came, and how many of its fields are as rare.
func (s *Summary) rareSiblings(place, records int) (around, rare int) {
	parent := s.paths.Nodes[place].Parent
	for id := range s.fields {
		if s.paths.Nodes[id].Parent == parent && id != structure.RootNode && !s.paths.IsKeys(id) && s.fields[id].Records <= records {
			rare++
		}
	}
	return max(s.fields[parent].Values, rare), rare
}

// timesOf is how often the value of a reason came.
func (s *Summary) timesOf(f *fields.Field, why *reason) int {
	if i := f.Counts.Index(why.hash); i >= 0 {
		return f.Counts.Entries[i].Count
	}
	return s.out.words.Count(why.hash + uint64(why.place)*sketch.PlaceFactor)
}

func (s *Summary) weighValue(f *fields.Field, why *reason) float64 {
	if !f.MayHaveRare(why.kind) || f.IsOfCommonForm(why.form) {
		return 0
	}
	n := s.timesOf(f, why)
	if n > surprise.MostOfRare || f.Rare > manyRare && shareOfRare*f.Rare > f.Types[why.kind] {
		return 0
	}
	score := float64(surprise.RareValue)
	if why.kind == jsonx.Number {
		score = surprise.RareNumber
	}
	return score + math.Log(float64(f.Types[why.kind])/float64(max(1, f.Fresh))) - surprise.LessAmongRare*math.Log(float64(max(1, f.Rare))) - 2*float64(n-1)
}

// sum is that of all counts.
func sum(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// weighCell says how much a number tells that is far out in its column: nothing when it came more often.
func (s *Summary) weighCell(f *fields.Field, why *reason, score float64) float64 {
	if s.timesOf(f, why) > surprise.MostOfRare {
		return 0
	}
	return min(score, surprise.MostOfCell)
}

// rowsOf is how many records there are that may have a place.
func (s *Summary) rowsOf(place int) int { return s.fields[s.baseOf(place)].Rows }

// baseOf is the place of the records that a place is in.
func (s *Summary) baseOf(place int) int {
	for place > structure.RootNode && s.fields[place].Rows == 0 {
		place = s.paths.Nodes[place].Parent
	}
	return max(place, structure.RootNode)
}

// noteScalar keeps a scalar of the record at hand, and why the record may stand out by it.
func (s *Summary) noteScalar(v *fields.Scalar, f *fields.Field, place int) {
	s.out.row.addCell(place, v.Value)
	isText := v.Kind == jsonx.String && f.HasNumerals() && !v.IsNumber
	mayBe := [...]bool{
		byValue:  v.Times <= surprise.MostOfRare && f.MayHaveRare(v.Kind),
		byNumber: v.IsNumber && f.HasNumbers() && f.Numbers.Count >= fields.LeastNumbers && f.IsOutside(v.Number),
		byField:  s.isRareField(f),
		byType:   isText || f.Types[v.Kind] <= surprise.MostOfRare && f.Values > f.Types[v.Kind],
	}
	if mayBe[byNumber] {
		f.Numbers.Outside++
	}
	if mayBe != [...]bool{byType: false} {
		why := reason{place: place, kind: v.Kind, hash: v.Hash, number: v.Number, form: v.Form, isText: isText}
		s.noteReasons(mayBe[:], why, v.Value)
	}
	s.noteUntilMoreIsKnown(v, f, place)
	s.noteSequence(v.Value, f, place, v.Kind, v.Number)
	if f.Values == f.Records {
		s.noteTime(v, f, place)
	}
}

// noteUntilMoreIsKnown keeps the record at hand for what can't be weighed yet: a number among the first of a field, and a name that only now
// begins a line.
func (s *Summary) noteUntilMoreIsKnown(v *fields.Scalar, f *fields.Field, place int) {
	r := s.out.row
	by, score := byNothing, 0.
	switch {
	case v.IsNumber && (!r.isLine || f.IsKey) && f.MayBeFar():
		by, score = byNumber, surprise.FarOut
	case f.IsKey && !f.IsPair && f.Records == 1 && s.hasSomeKeys():
		by, score = byField, surprise.NewField
	default:
		return // as nearly always
	}
	r.because(reason{
		by: by, place: place, kind: v.Kind, hash: v.Hash, number: v.Number, form: v.Form, isOpen: true, score: score, text: r.put(v.Value, fields.MaxValueLen),
	})
}

// hasSomeKeys says whether some name has begun a few lines, but none enough for another to be rare.
func (s *Summary) hasSomeKeys() bool {
	usual, _ := s.usualKey()
	return fields.LeastRecords <= usual && usual < rareKeyShare
}

// isRareField is a quick look whether so few records have a field that one may stand out by it.
func (s *Summary) isRareField(f *fields.Field) bool {
	return f.Records <= 1+s.rows/rareFieldShare && !f.IsPair && (!f.IsKey || f.Records <= surprise.MostOfRare)
}

// noteTime notes a time of the record at hand that jumps, be it written as a text or as a number.
func (s *Summary) noteTime(v *fields.Scalar, f *fields.Field, place int) {
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

// noteReasons keeps those of the reasons by which the record at hand does stand out.
func (s *Summary) noteReasons(mayBe []bool, why reason, value []byte) {
	r := s.out.row
	for by, is := range mayBe {
		if !is {
			continue
		}
		why.by = reasonKind(by)
		if why.score = s.weigh(r, &why); why.score > 0 {
			if why.text == (ascii.Span{}) {
				why.text = r.put(value, fields.MaxValueLen)
			}
			r.because(why)
		}
	}
}
