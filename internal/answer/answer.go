// Package answer takes one streamed answer of a model from standard input to standard output.
//
// In go the bytes as a provider sends them, the names of the tools that the request offered, and a program that judges
// calls. Out come events, or what a format makes of them, and the cost of the turn on the ledger of a session. What is
// known is written before a question is asked; an answer that is refused ends the reading at once.
package answer

import (
	"cmp"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/turn"
)

// longSize is from where on memory counts more than time, in bytes of an answer.
const longSize = 8 << 20

// turnReadSize is how much is read at once, in bytes.
const turnReadSize = 64 << 10

// Run is one turn on its way through kfw.
type Run struct {
	Assembler   *turn.Assembler // that the answer goes through
	Judge       *Judge          // nil if there is none
	FailOnBlock bool            // a blocked call is an error
	Session     session.Session // where the cost is recorded; nil for nowhere
	In          io.ReadCloser
	Out         io.Writer
	Format      Format
	Ending      *process.Interruption
	// Drain is how long is read on for what the turn cost after its end, and how long a stream is silent that has
	// finished and whose protocol has no end of its own.
	Drain time.Duration

	line    jsonx.Parts // what was not written yet
	failed  error       // of a write
	inLine  bool        // what was written does not end with a line feed
	stopped bool        // In was closed before its end
	result  *turn.Turn
	usage   string // what the turn cost, as the provider told it last
	why     string // the turn is not complete
}

// Run reads the answer to its end. What kfw says of a turn that failed stands on a line of its own.
func (r *Run) Run() (err error) {
	r.line.Flush = r.write
	if r.Judge != nil {
		defer func() { err = errors.Join(err, r.Judge.Close()) }()
	}
	err = r.read()
	if _, unwritten := errors.AsType[*pipeline.WriteError](err); err != nil && !unwritten && r.inLine {
		r.line.B = append(r.line.B[:0], '\n')
		err = errors.Join(err, r.flush())
	}
	return err
}

func (r *Run) read() error {
	in := process.Reader{In: r.In, Buf: make([]byte, turnReadSize)}
	var drained <-chan time.Time // from the end of the turn on
	size := 0                    // of what was read
	var unread error             // why there may be more, or io.EOF
	for !r.stopped && unread == nil {
		patience := drained
		switch {
		case patience != nil:
		case r.result != nil:
			drained = time.After(r.Drain)
			patience = drained
		case r.Assembler.Finished():
			patience = time.After(r.Drain)
		}
		var came []byte
		if came, unread = in.Read(r.Ending, patience); len(came) == 0 {
			continue
		}
		if size += len(came); size > longSize && size-len(came) <= longSize {
			process.CollectMore()
		}
		if err := r.Assembler.Push(came); err != nil {
			return err
		}
		if err := r.drain(); err != nil {
			return err
		}
	}
	r.Assembler.End()
	if err := r.drain(); err != nil {
		return err
	}
	if err := r.record(); err != nil {
		return err
	}
	if unread != nil && unread != io.EOF && unread != process.ErrTime {
		return unread
	}
	switch {
	case !r.result.Complete:
		return &Incomplete{r.why}
	case r.FailOnBlock && r.result.Blocked > 0:
		return &Blocked{r.result.Blocked}
	}
	return nil
}

// drain writes the events that there are. What comes before a question to the judge is written
// before it is asked.
func (r *Run) drain() error {
	for {
		e, ok := r.Assembler.Next()
		if !ok {
			return r.flush()
		}
		switch e.Kind {
		case turn.Broke:
			r.why = whyBroke(&e)
		case turn.UsageTold:
			r.usage = e.Usage
		case turn.TurnEnded:
			r.result = e.Turn
			if r.FailOnBlock && e.Turn.Complete && e.Turn.Blocked > 0 {
				blocked := *e.Turn
				blocked.Code = codeBlocked
				e.Turn = &blocked
			}
			if r.usage != "" {
				if err := r.record(); err != nil {
					return err
				}
			}
		}
		const enough = 32 << 10
		asks := e.Kind == turn.AwaitVerdict || e.Kind == turn.InvalidCall && r.Judge != nil
		if asks || len(r.line.B) > enough {
			if err := r.flush(); err != nil {
				return err
			}
		}
		if fails(&e) && r.Assembler.Stopped() && !r.stopped {
			if err := r.stop(); err != nil {
				return err
			}
		}
		r.Format(&r.line, &e)
	}
}

// fails reports whether an event is an answer about a call that ends the turn.
func fails(e *turn.Event) bool {
	return e.Resolution != nil && e.Resolution.Action == turn.Fail || e.Verdict != nil && e.Verdict.Action == turn.Fail
}

// stop closes standard input at once, before anything of the refusal is written, so that whoever
// writes to it stops, and is not paid for the rest.
func (r *Run) stop() error {
	r.stopped = true
	return r.In.Close()
}

func (r *Run) flush() error {
	if len(r.line.B) > 0 {
		r.line.B = r.write(r.line.B)
	}
	return r.failed
}

// write writes a part of what is to be written, and returns its buffer. After a failure it writes nothing.
func (r *Run) write(part []byte) []byte {
	if r.failed == nil {
		r.inLine = part[len(part)-1] != '\n'
		if _, err := r.Out.Write(part); err != nil {
			r.failed = &pipeline.WriteError{Err: err}
		}
	}
	return part[:0]
}

// record puts on the ledger what the provider says that the turn cost, once.
func (r *Run) record() error {
	if r.Session == nil {
		return nil
	}
	on := r.Session
	r.Session = nil
	model := r.result.Model
	if model == "" {
		model = "unknown model"
	}
	described, err := terminal.Described("turn " + model)
	if err != nil {
		return err
	}
	cost := turn.ParseUsage(r.usage)
	if !cost.Reported {
		described += " (usage unreported)"
	}
	return on.Record(described, cost.Input, cost.Output)
}

// codeBlocked is the code of a turn that is complete, but failed because of calls that were blocked.
const codeBlocked = "blocked"

// Incomplete is a turn that was refused, abandoned or cut off.
type Incomplete struct{ why string }

// Error implements error.
func (e *Incomplete) Error() string { return "the turn is not complete: " + e.why }

// Blocked is the error of a turn with blocked calls, where these are a failure.
type Blocked struct{ count int }

// Error implements error.
func (e *Blocked) Error() string { return "calls were blocked: " + strconv.Itoa(e.count) }

// whyBroke is what an event of the kind turn.Broke says, in a line. Its message is redacted, the
// name of a tool is not yet.
func whyBroke(e *turn.Event) string {
	why := cmp.Or(e.Notice.Message, e.Notice.Code)
	if e.Call.Name != "" {
		why += ": " + terminal.Word(e.Call.Name)
	}
	return why
}
