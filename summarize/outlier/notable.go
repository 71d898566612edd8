package outlier

import (
	"github.com/kfw-dev/kfw/summarize/facts"
	"github.com/kfw-dev/kfw/summarize/lineclass"
)

// Bounds of what is told of one record that stands out.
const (
	Identities   = 2   // fields that say which record it is
	LongIdentity = 60  // bytes
	LongName     = 64  // bytes that are told of a name
	LongSecond   = 28  // bytes, when there is one already
	Ordinary     = 56  // bytes of other fields, their names included
	LongOrdinary = 32  // bytes of one of them
	ShortRow     = 200 // bytes of a row of a table that is told as it is
	AlikeErrors  = 3   // of one form that are told
	ManyAlike    = 8   // lines of one form, more than which need not each be told
	// by what a record tells less after others that stand out by the same, as a factor of their logarithm
	LessAlike = 2
)

// Notable is a record that stands out from the response.
type Notable struct {
	Seq    int         // number of its chunk
	Why    string      // a short phrase that may name a field
	Kind   string      // that phrase without what is of this record alone: a word for many
	Data   []byte      // a line; nil of another record
	Fields *facts.Tree // some fields of another record
	More   *facts.Tree // the same with more of them
	Of     int         // bytes at the beginning of Data that are a line which says of which record the line is
	IsText bool
	Again  bool // it is told already, word for word
	Alike  bool // an error of which others of its form tell most
}

// Telling returns the reason that is shown for a record: an error that is marked as one, else the
// best. A rare trace is an error by itself.
func (r *Row) Telling() *Reason {
	if r.Reasons[0].By == ByTrace {
		return &r.Reasons[0]
	}
	best := &r.Reasons[0]
	for i := range r.Reasons {
		switch why := &r.Reasons[i]; {
		case why.Score <= 0:
		case why.By == ByError && why.IsMarked:
			return why
		case why.By == ByOutcome:
			best = why
		}
	}
	return best
}

// IsIdentifier says whether a field is called a name or an id, and no more.
func IsIdentifier(name []byte) bool {
	return lineclass.IsWord(name, "name") || lineclass.IsWord(name, "id")
}
