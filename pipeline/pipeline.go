// Package pipeline is the order of work of kfw: one response in at the top, frames out at the bottom, nothing flows back.
//
//	    io.Reader                          what the tool writes
//	        │
//	redact.NewReader                       nothing past this line sees a secret
//	        │
//	     Chunks      chunks.go, json.go    values and lines, one at a time
//	        │        paths.go, cuts.go     and where they stood, and where a large one is cut
//	        │        payload.go            and what is in the string of an envelope
//	    Missing      missing.go            says what was asked for and is nowhere
//	        │
//	      Keep       keep.go               nothing past this line is the only copy
//	        │
//	      Fit        fit.go, window.go     says as much as there is room for
//	        │        final.go, page.go
//	        │        notable.go            and what stands out
//	        │        behind.go             summed up while the response is read on
//	        │        warning.go            and what was odd about the input
//	        │        present.go, frame.go  as lines of JSON
//	        │        text.go, texttable.go or of text
//	      Write      write.go              on the ledger first, then on the output
//	        │
//	    io.Writer                          what the model reads
//
// The stages are iterators (iter.Seq2) that call each other directly, without a channel between them. Bytes are lent:
// what a stage yields is valid until it yields again, and whoever keeps it copies it. There are two goroutines beside
// that path: ReadAhead, at the source, so that a reader that blocks does not hold up what is due; and behind.go, which
// sums up what is only told at the end.
//
// Page is the same way out for what was kept: chunks of a handle, cut where the room ends. Between the handle and Page, or
// Fit, is Where (filter.go), which lets pass the chunks that were asked for: condition.go tests them, query.go takes paths
// apart, names.go leads where gjson does not, and nearest.go finds what a mistaken one may have meant.
package pipeline

import (
	"io"
	"iter"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/redact"
)

// A Firewall filters one response.
type Firewall struct {
	Rules    *redact.Rules
	Fields   []string // that alone are kept of each record by Rules; the final frame says which of them no chunk has
	Input    redact.Format
	MaxChunk int  // bytes of the largest value or line that is one chunk; MaxChunkDefault if 0
	Strict   bool // broken JSON ends the response

	// OneAnswer is for a source that does not give its response in pieces: an array, or a text, is one chunk.
	OneAnswer bool

	Standing []Warning // what the final frame is to say in any case

	Budget     Budget
	Counter    budget.Counter
	Estimate   bool // its counts are called an estimate in the final frame
	Encoding   Encoding
	FlushAfter time.Duration // the longest that a gathered chunk waits for its frame

	Handle Handle
	Ledger Ledger

	Limit    int  // chunks shown of a handle; 0 for as many as there are
	Filtered bool // chunks of a handle have been left out: a raw frame says which one it shows

	// Progress, if not nil, is told now and then how far the response is.
	Progress func(Progress)

	// Explain tells an error in the final frame: a code, a message that quotes nothing, and kfw's exit status.
	Explain func(error) Failure
}

// Run filters one response from in to out. It returns the error that the response ended with, after the final frame
// has told it, or the error that kept it from writing one.
func (f *Firewall) Run(in io.Reader, out io.Writer) error {
	clean := redact.NewReader(in, f.Rules, f.Input)            // nothing past this line sees a secret
	chunks := Chunks(clean, f.MaxChunk, f.Strict, f.OneAnswer) // values and lines, one at a time
	chunks = Missing(chunks, f.Fields, f.Rules)                // says what was asked for and is nowhere
	chunks = Keep(chunks, f.Handle)                            // nothing past this line is the only copy
	frames := f.Fit(chunks, clean)                             // says as much as there is room for
	return f.Write(out, frames)                                // on the ledger first, then on stdout
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

// Ledger is told what is about to be written.
type Ledger interface {
	Spend(tokens int) error // recorded before it returns
	Last(tokens int) error  // the same for the final frame, for which Least is set aside from the start
}

// Handle keeps the redacted response for whoever wants to read what was left out.
type Handle interface {
	// Keep stores one chunk: the bytes between the chunk before and this one, its own, and where it stood.
	Keep(lead, source, path []byte, kind uint8) error
	// Tail stores bytes that follow the last chunk.
	Tail(b []byte) error
	// Name returns the name under which all that was kept so far can be read from now on.
	Name() (string, error)
}

// Failure is why a response is not whole, as the final frame tells it.
type Failure struct {
	Code    string
	Message string
	Exit    int
}
