// Package fit says as much of a response as a token budget has room for.
//
// Chunks come in, frames go out, the final one last. The frames never cost more than the budget, and what a frame
// leaves out of its chunks it counts, and it names the handle that has them.
package fit

import (
	"bytes"
	"iter"
	"math"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// Options says how a response is fitted into a budget.
type Options struct {
	Plan     Plan
	Budget   Budget
	Counter  budget.Counter
	Estimate bool // the final frame calls the counts an estimate
	Encoding encode.Encoding

	// FlushAfter is, by plan live, the longest that anything is held; 0 is for ever. See
	// MayHold.
	FlushAfter time.Duration

	MaxChunk int // bytes of the largest value or line that is one chunk; MaxChunkDefault if 0
	Limit    int // chunks shown of a handle; 0 for as many as there are

	// Question, if not nil, returns what the reader wants to know, nil if that is not known. It decides what a page
	// shows: it is called at most once for a response, and only for one that does not fit.
	Question func() *question.Question

	// Memory, if not nil, knows what the reader was shown before, and learns what a page shows.
	Memory Memory

	// Again says that Memory knows lines of this response. It is a page of the others then, without facts, also if it
	// fits: unless the page leaves out more, or costs as much.
	Again bool

	// Filtered says that chunks of a handle have been left out on request. A raw frame then says which chunk it shows.
	Filtered bool

	// Names are those of the fields, as JSON strings, to which the chunks of a page have been reduced; nil if they are
	// whole. As text they are a table then.
	Names [][]byte

	Standing []split.Warning // what the final frame says in any case

	// GoesOn says that more is charged after the response: no frame says what the session has left then.
	GoesOn bool

	// Notify, if not nil, is called with each warning that no frame says, because the response was shown byte for byte.
	Notify func(split.Warning)

	// Progress, if not nil, is called now and then with how far the response is.
	Progress func(Progress)

	// Explain turns an error into what the final frame says: a code, a message that quotes nothing, kfw's exit status.
	Explain func(error) encode.Failure
}

// MayHold returns how long a chunk may wait for its frame, or for a decision about its format; 0
// is for ever.
func (o *Options) MayHold() time.Duration {
	if o.Plan == Digest {
		return 0
	}
	return o.FlushAfter
}

// Budget is what one invocation may write, and the ceilings that it heeds.
type Budget struct {
	Tokens       int         // of this invocation
	Mode         budget.Mode // the least strict mode that the caller wants
	SessionLeft  int         // tokens of the session before the first frame, this invocation's included
	SessionTotal int         // tokens of the session in all; 0 without one
}

// HasSession reports whether the budget is part of a session's.
func (b Budget) HasSession() bool { return b.SessionTotal > 0 }

// Allowed is the least strict mode that the caller and the session allow when so many tokens of the budget are left.
func (b Budget) Allowed(left int) budget.Mode {
	if !b.HasSession() {
		return b.Mode
	}
	return budget.SessionPhase(b.SessionLeft-(b.Tokens-left), b.SessionTotal, b.Mode)
}

// sessionLeft is as much as a final frame can say is left of the session; -1 without one. See
// sayLeft.
func (b Budget) sessionLeft() int {
	if !b.HasSession() {
		return -1
	}
	return max(0, b.SessionLeft)
}

// Memory is what the reader of a response is shown, of this one and of those before.
type Memory interface {
	excerpt.Memory
	// Show says that the reader is shown a unit of a page, or a piece of one. It keeps nothing of text.
	Show(n int, text []byte)
}

// Namer names what was kept of a response.
type Namer interface {
	// Name returns the name under which all that was kept so far can be read from now on.
	Name() (string, error)
}

// Progress is how far a response is.
type Progress struct {
	Chunks int
	Bytes  int64 // as read
	Left   int   // tokens of the budget
	Budget int
	Mode   budget.Mode
}

// Source is what is known of a response while it is read.
type Source interface {
	BytesRead() int64
	Counts() iter.Seq2[string, int] // matches by rule
}

// Least returns the smallest budget that works, in tokens: what the smallest final frame can cost.
func (o *Options) Least() int {
	const most = math.MaxInt64
	frame := encode.Frame{
		Warnings: o.Standing,
		Seq:      most, Mode: budget.HandleOnly, First: 1, Last: most, Handle: "h999999999999",
		Error:  &encode.Failure{Code: "longest_of_codes", Exit: 255},
		Totals: &encode.Totals{Chunks: most, Bytes: most, SessionLeft: most, Estimate: o.Estimate},
		Left:   most, Final: true, NextOffset: most, Filtered: o.Filtered,
	}
	return o.Cost(o.Encoding.Append(nil, &frame))
}

// Cost returns how many tokens an output costs: frames line by line, as each is read by itself, and a text as a whole.
func (o *Options) Cost(output []byte) (tokens int) {
	if o.Encoding.IsVerbatim() && len(output) > 0 {
		return o.Counter.Count(output)
	}
	for len(output) > 0 {
		n := bytes.IndexByte(output, '\n') + 1
		if n == 0 {
			n = len(output)
		}
		tokens += o.Counter.Count(output[:n])
		output = output[n:]
	}
	return tokens
}
