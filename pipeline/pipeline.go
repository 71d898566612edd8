// Package pipeline is the order of work of kfw: one response in at the top, frames out at the bottom, nothing flows
// back.
//
//	io.Reader          what the tool writes
//	    |
//	redact.NewReader   nothing past this line sees a secret
//	    |
//	split.Chunks       values and lines, one at a time
//	    |
//	query.Missing      says what was asked for and is nowhere
//	    |
//	Keep               nothing past this line is the only copy
//	    |
//	fit.Response       says as much as there is room for, encoded by encode
//	    |
//	Write              on the ledger first, then on the output
//	    |
//	io.Writer          what the model reads
//
// The stages are iterators (iter.Seq2) that call each other directly, without a channel between them. Bytes are lent:
// what a stage yields is valid until it yields again, and whoever keeps it copies it. Two goroutines run beside that
// path: ReadAhead, at the source, so that a reader that blocks does not hold up what is due, and one of package fit,
// which adds records to the summary of the whole.
//
// Page is the same way out for what was kept: chunks of a handle, cut where the room ends. Between the handle and Page,
// or Fit, is query.Where, which passes the chunks that were asked for.
package pipeline

import (
	"errors"
	"io"
	"iter"

	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

// A Firewall filters responses, one at a time. New makes one; whoever needs more sets its fields before the first
// response.
type Firewall struct {
	Rules  *redact.Rules
	Fields []string // that alone are kept of each record by Rules; the final frame says which of them no chunk has
	Input  redact.Format
	Strict bool // broken JSON ends the response

	// OneAnswer is for a source that does not give its response in pieces: an array, or a text, is one chunk.
	OneAnswer bool

	// KeepsHidden passes characters that people do not see as they are. Without it they are made
	// visible: see Visible.
	KeepsHidden bool

	fit.Options

	Handle Handle
	Ledger Ledger
}

// Run filters one response from in to out. It returns the error that the response ended with, after the final frame
// has told it, or the error that kept it from writing one.
func (f *Firewall) Run(in io.Reader, out io.Writer) error { return f.run(in, writeTo(out)) }

func (f *Firewall) run(in io.Reader, take func(*Frame) error) error {
	if in == nil {
		return errors.New("pipeline: no response to read")
	}
	if err := f.complete(); err != nil {
		return err
	}
	redacted := redact.NewReader(in, f.Rules, f.Input) // nothing past this line sees a secret
	// values and lines, one at a time
	chunks := split.ChunksAtOnce(redacted, f.MaxChunk, f.Strict, f.OneAnswer, f.MayHold())
	chunks = query.Missing(chunks, f.Fields, f.Rules) // says what was asked for and is nowhere
	chunks = Keep(chunks, f.Handle)                   // nothing past this line is the only copy
	frames := f.Fit(chunks, redacted)                 // says as much as there is room for
	return f.deliver(frames, take)                    // on the ledger first, then on stdout
}

// Fit says as much of the chunks, which are redacted already, as there is room for: see fit.Response.
func (f *Firewall) Fit(chunks iter.Seq2[split.Chunk, error], redacted fit.Source) iter.Seq2[encode.Frame, error] {
	return fit.Response(f.whileCounted(f.visible(chunks)), redacted, f.Handle, &f.Options)
}

// Page writes kept chunks as they are (see fit.Page), or, if the caller or the session do not allow that, as Fit does.
// f.Handle names them.
func (f *Firewall) Page(chunks iter.Seq2[Chunk, error], redacted Source, out io.Writer) error {
	if !f.AllowsRaw() {
		return f.Write(out, f.Fit(chunks, redacted))
	}
	name, err := f.Handle.Name()
	if err != nil {
		return err
	}
	return f.Write(out, fit.Page(f.whileCounted(f.visible(chunks)), name, &f.Options))
}

// Count writes how many chunks were selected, and how many bytes they have.
func (f *Firewall) Count(chunks int, bytes int64, out io.Writer) error {
	return f.Write(out, fit.Counted(chunks, bytes, &f.Options))
}

// visible makes hidden characters visible, unless they are to be kept.
func (f *Firewall) visible(chunks iter.Seq2[Chunk, error]) iter.Seq2[Chunk, error] {
	if f.KeepsHidden {
		return chunks
	}
	return Visible(chunks)
}

// Ledger learns what is about to be written.
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
	fit.Namer
}
