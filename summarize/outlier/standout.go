package outlier

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/texttable"
)

// Bounds of what is kept to tell which records stand out.
const (
	MaxCandidates    = 128  // records that may turn out to stand out; the better half is kept when there are more
	MaxReasons       = 4    // of one record
	maxRareWords     = 8    // of one line or string
	MaxCells         = 64   // scalars that are kept of one record
	MaxCellLen       = 120  // bytes of one of them
	MaxRowLen        = 2048 // bytes of all of them without the last one
	maxRows          = 8    // places of records whose first and last one are kept
	ManyRare         = 32   // values that came once or twice: where there are more,
	ShareOfRare      = 6    // and one in so many records has one, none of them is rare
	RareFieldShare   = 100  // a rare field is in at most one record in so many
	RareKeyShare     = 20   // a name that lines begin with is rare where another came so often
	MostRareKeys     = 8    // and no more than so many are
	SharePerLevel    = 1.2  // what a level of nesting takes from a score
	MostLevels       = 3    // that take from it, beside the first
	sharePerReason   = 0.2  // of a second reason's score is added to the record's, and half as much of each further one
	shareInLine      = 0.5  // likewise of each further reason of a line
	LeastBeforeError = 20   // records that are taken to have come before one, however early it is
)

// ReasonKind is by what a record stands out.
type ReasonKind uint8

const (
	ByNothing      ReasonKind = iota // no reason
	ByValue                          // a value that is rare in a field with few
	ByNumber                         // a number far from the bulk of them
	ByNumberInText                   // a number in a string far from those in its place in strings of the same form
	ByField                          // a field that few records have
	ByType                           // a type that is rare in its field
	ByWords                          // words that are rare in a field or in lines of this form
	ByForm                           // a form of line that is rare
	ByLength                         // a number with more digits than others
	ByError                          // a word that names an error
	ByTime                           // a time that jumps
	ByGap                            // a number that counts, and jumps
	ByTrace                          // a stack trace whose first frame is rare
	ByMisfit                         // a line among the rows of a table that is none
	ByFew                            // a number that hardly came among few in lines of this form
	ByOutcome                        // a line that says how a run ended
)

// Reason is why a record may stand out. What it says is weighed again when more is known.
type Reason struct {
	By     ReasonKind
	Place  int
	Hash   uint64
	Kind   jsonx.Kind
	Number float64
	Score  float64
	Text   ascii.Span // of the row's bytes: the value, or the word
	Words  [maxRareWords]RareWord
	Before ascii.Span // in the row's bytes: the time or number before one that jumps
	Count  int        // of words
	Form   int        // of a text, -1 if it has none
	// how many words the line or string has, digits the number, records came before the error; of a line or text
	// which word, or which sequence
	N      int
	IsText bool // the value is none among strings that are numbers

	IsLevel  bool // the error is named by a number
	IsMarked bool // more than a word says that it is an error
	IsOpen   bool // it can't be weighed until more is known
}

// RareWord is a word that was rare when it came, and how seldom its place had a new word.
type RareWord struct {
	Hash   uint64
	At     int // which word of its line or string it is
	Weight float64
}

// Ends are the first and the last of the records at one place.
type Ends struct {
	Base  int
	Count int
	First Row
	Last  *Row
}

// Candidates finds, in one pass, the records that stand out from all of the response. Those that are rare when
// they come are candidates; when there are too many, and at the end, they are weighed again by what is known then.
type Candidates struct {
	Words   sketch.Counts
	Phrases drain.Phrases
	WordCounts
	LineTimes
	Known          drain.KnownLines
	Matchers       *mask.Matchers
	Row            *Row // the current one
	Before         *Row // the one before, which may be the last one of its place
	Candidates     []*Row
	Used           int
	Early          [MaxEarly]*Row // the first records
	Judged         int            // of them
	Threshold      float64        // what a record has to score to be a candidate
	Ends           [maxRows]Ends
	Places         int // of ends
	Identity       identityLine
	OutputSections outputSections
	Failures       [2]*Row // the first and the last line that a mark says is an error; seq is 0 for none
	Head           blockHead
	Sequences      []fields.Sequence // of numbers in lines: by form and place
	Lengths        [24]int           // numbers in lines, by how many digits they have
	Crowded        int               // candidates that stood out and gave way to better ones
	IsOver         bool              // all records have come
}

// WordCounts is how often the words of the current line came, and how many words of lines were new.
type WordCounts struct {
	Times      []int               // that the words of the current line have come
	Seen       drain.PhrasesOfLine // of the current line
	LineWords  int                 // of all lines
	FreshWords int                 // of them, those that came for the first time
}

// LineTimes is the times of lines.
type LineTimes struct {
	Timeline  fields.Timeline // of lines that begin with a time, perhaps after labels
	AfterText fields.Timeline // of lines that have their first time after a few words
	GoneBack  int             // of these, times before the last one
	TooFar    int             // lines that may have a time further on than is looked
}

// NewCandidates returns Candidates without a record.
func NewCandidates() *Candidates {
	o := &Candidates{
		Row: new(Row), Candidates: make([]*Row, MaxCandidates), Sequences: make([]fields.Sequence, fields.MaxSequences),
		Known: drain.KnownLines{All: make([]drain.KnownLine, drain.MaxKnownLines)}, Matchers: new(mask.Matchers),
	}
	o.OutputSections.Sign = -1
	for i := range o.Ends {
		o.Ends[i].Last = new(Row)
	}
	o.Words = sketch.NewCounts()
	for i := range o.Candidates {
		o.Candidates[i] = newRow()
	}
	for i := range o.Early {
		o.Early[i] = newRow()
	}
	for i := range o.Failures {
		o.Failures[i] = newRow()
	}
	return o
}

// ForgetForm makes the lines that are kept have no form whose template is that of others now.
func (o *Candidates) ForgetForm(form int) {
	forget := func(r *Row) {
		if !r.IsLine || r.Form != form {
			return
		}
		r.Form = -1
		r.Reasons = slices.DeleteFunc(r.Reasons, func(why Reason) bool {
			return (why.By == ByNumber || why.By == ByFew) && why.Place == structure.RootNode
		})
	}
	o.EachKept(forget)
	clear(o.Sequences[(1+form)*fields.LineNumbers : (2+form)*fields.LineNumbers])
}

// EachKept calls a function with each record that is kept.
func (o *Candidates) EachKept(do func(*Row)) {
	for _, r := range o.Candidates[:o.Used] {
		do(r)
	}
	if o.Before != nil {
		do(o.Before)
	}
	for i := range o.Ends[:o.Places] {
		do(&o.Ends[i].First)
		if last := o.Ends[i].Last; last != nil {
			do(last)
		}
	}
}

// EndsOf returns the first and the last record at a place, or line; nil if there are too many places.
func (o *Candidates) EndsOf(base int, isLine bool) *Ends {
	for i := range o.Ends[:o.Places] {
		if e := &o.Ends[i]; e.Base == base && e.First.IsLine == isLine {
			return e
		}
	}
	if o.Places == maxRows {
		return nil
	}
	e := &o.Ends[o.Places]
	o.Places++
	e.Base, e.Count = base, 0
	e.First.IsLine = isLine
	return e
}

// IsDrawn says whether a line is drawn around what has something to tell.
func IsDrawn(line []byte) bool {
	return len(line) > 0 && (line[0] == '+' || line[0] == '-' || line[0] == '=' || line[0] == "─"[0]) &&
		texttable.IsRule(line)
}

var closers = ascii.SetOf(")]},;")

// OnlyCloses says whether a line does nothing but close what lines before it have opened: brackets, or an element of
// XML.
func OnlyCloses(line []byte) bool {
	line = bytes.TrimSpace(line)
	if name, isElement := bytes.CutPrefix(line, []byte("</")); isElement {
		return string(bytes.TrimSpace(name[len(formats.MarkupName(name)):])) == ">"
	}
	return len(line) > 0 && len(closers.Trim(line)) == 0
}

// IsBlankLine says whether a line has nothing but blanks.
func IsBlankLine(line []byte) bool {
	if len(line) > 0 && ' ' < line[0] && line[0] < 0x7f {
		return false // as most lines
	}
	return len(bytes.TrimSpace(line)) == 0
}

// Sum is that of all counts.
func Sum(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// KeepFailure keeps the current line as the last failure, and as the first if there was none, if a
// mark says that it is an error.
func (o *Candidates) KeepFailure() {
	if !slices.ContainsFunc(o.Row.Reasons, func(why Reason) bool { return why.By == ByError && why.IsMarked }) {
		return
	}
	if o.Failures[0].Seq == 0 {
		o.Failures[0].Keep(o.Row)
	}
	o.Failures[1].Keep(o.Row)
}

// Latest is the record that came last.
func (e *Ends) Latest() *Row {
	if e.Count == 1 {
		return &e.First
	}
	return e.Last
}
