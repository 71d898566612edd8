// Package answers guards what a model answers on its way to a client.
//
// It passes an answer byte for byte, as it comes, up to the first tool call. It holds the rest until the
// answer ends. If all calls pass, it sends the held bytes as they came. If a call is refused, it sends
// the rest in the provider's form, with a text in place of the call. Pings pass at once.
//
//   - answers.go: Guard: an answer that is streamed; whole.go: one that is not
//   - cut.go: where an event of a stream ends
//   - writeback.go: calls that would write a placeholder back
package answers

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

// Question is the request that an answer belongs to.
type Question struct {
	Body           []byte // as it was sent; nil if it was too long to keep
	HasPlaceholder bool   // the body has a placeholder, or is not known
}

// Guard checks the calls of answers and reports their cost. It is safe for use by several
// goroutines.
type Guard struct {
	// Begin returns the policies for an answer, and the function that ends them. Without policies
	// the answer passes unchecked.
	Begin func(*Question) (policies []turn.Policy, end func() error, err error)
	Tools []string // names that may be called; nil allows all
	// Used receives the cost of each turn, as the provider reports it; nil ignores it.
	Used func(model string, cost turn.Usage)
}

// mostHeld bounds the held part of an answer, in bytes.
const mostHeld = 64 << 20

const readSize = 32 << 10

// errHeld is the error for an answer that exceeds mostHeld.
var errHeld = errors.New("an answer with a call is too long to be judged")

// run is one answer.
type run struct {
	assembler *turn.Assembler
	encoder   encode.Encoder
	cut       func(b []byte, known int) int
	rest      []byte // an incomplete event
	held      []byte // original bytes from the first call on
	instead   []byte // the same events as the encoder writes them
	isJudged  bool   // calls are checked
	isHolding bool
	isChanged bool   // a call was refused or changed
	why       string // reason of the first refusal
	usage     string // JSON
	turn      *turn.Turn
	used      func(model string, cost turn.Usage)
}

// Answer replaces the body of an answer by the guarded one, unless the answer is of a type without calls.
func (g *Guard) Answer(q *Question, answer *http.Response) error {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	cut, isStream := cutters[kind]
	if !isStream && kind != "application/json" {
		return nil
	}
	policies, end, err := g.Begin(q)
	if err != nil || policies == nil && g.Used == nil {
		return err
	}
	r := &run{cut: cut, used: g.Used, isJudged: policies != nil}
	if r.assembler = turn.New(turn.Options{}); r.isJudged {
		r.assembler = turn.New(turn.Options{Advertised: g.Tools, Policies: policies, Judge: true})
	}
	if end == nil {
		end = func() error { return nil }
	}
	if !isStream {
		return errors.Join(r.whole(answer), end())
	}
	body := answer.Body
	out, in := io.Pipe()
	answer.Body = out
	answer.ContentLength = -1
	answer.Header.Del("Content-Length")
	go func() {
		err := r.stream(body, in)
		err = errors.Join(err, end(), body.Close())
		_ = in.CloseWithError(err) // nil is the end
	}()
	return nil
}

// stream passes on an answer.
func (r *run) stream(in io.Reader, out io.Writer) error {
	buf := make([]byte, readSize)
	for {
		n, err := in.Read(buf)
		r.rest = append(r.rest, buf[:n]...)
		whole := r.cut(r.rest, len(r.rest)-n)
		if err == io.EOF {
			whole = len(r.rest)
		}
		if whole > 0 {
			if failed := r.events(r.rest[:whole], out); failed != nil {
				return failed
			}
			r.rest = append(r.rest[:0], r.rest[whole:]...)
		}
		if err == io.EOF {
			return r.end(out)
		}
		if err != nil {
			return err
		}
	}
}

// events takes in events that are whole.
func (r *run) events(b []byte, out io.Writer) error {
	if err := r.push(b); err != nil {
		return err
	}
	if !r.isHolding {
		r.instead = r.instead[:0]
		_, err := out.Write(b)
		return err
	}
	if isPing(b) {
		_, err := out.Write(b)
		return err
	}
	if r.held = append(r.held, b...); len(r.held) > mostHeld {
		return errHeld
	}
	return nil
}

// push has bytes assembled.
func (r *run) push(b []byte) error {
	if err := r.assembler.Push(b); err != nil {
		return err
	}
	r.drain()
	if r.isHolding || !r.isJudged {
		return nil
	}
	for _, o := range r.assembler.Snapshot().Objects() {
		r.isHolding = r.isHolding || o.Kind == turn.CallObject
	}
	return nil
}

// drain takes in what the assembler says.
func (r *run) drain() {
	for {
		e, ok := r.assembler.Next()
		if !ok {
			return
		}
		if isRefusal(&e) {
			r.isChanged, r.isHolding = true, true
			if e.Verdict != nil && r.why == "" {
				r.why = e.Verdict.Why
			}
		}
		r.instead = r.encoder.Append(r.instead, &e)
		switch e.Kind {
		case turn.UsageTold:
			r.usage = e.Usage
		case turn.TurnEnded:
			r.turn = e.Turn
		}
	}
}

// finish ends the turn, and tells what it has cost.
func (r *run) finish() {
	r.assembler.End()
	r.drain()
	if r.used != nil && r.turn != nil && r.turn.Model != "" {
		r.used(r.turn.Model, turn.ParseUsage(r.usage))
	}
}

// isRefusal reports whether an event says that a call is not let through as it came.
func isRefusal(e *turn.Event) bool {
	return e.Resolution != nil || e.Verdict != nil && e.Verdict.Action != turn.Allow
}

// end ends the answer.
func (r *run) end(out io.Writer) error {
	r.finish()
	if !r.isHolding {
		return nil
	}
	if !r.isChanged {
		_, err := out.Write(r.held)
		return err
	}
	_, err := out.Write(r.instead)
	return err
}

// isPing reports whether events only keep the connection alive.
func isPing(b []byte) bool {
	for line := range bytes.Lines(b) {
		line = bytes.TrimRight(line, "\r\n")
		isEmpty := len(line) == 0 || line[0] == ':'
		if !isEmpty && !bytes.Equal(line, []byte("event: ping")) &&
			!bytes.HasPrefix(line, []byte(`data: {"type": "ping"`)) &&
			!bytes.HasPrefix(line, []byte(`data: {"type":"ping"`)) {
			return false
		}
	}
	return len(b) > 0
}
