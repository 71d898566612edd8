package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
)

// Options are what a firewall is asked for. The zero value redacts everything that a rule matches, and writes at most
// 4,000 tokens as frames, by plan live.
type Options struct {
	// Budget is how many tokens one response may take; DefaultBudget if 0.
	Budget int
	// Mode is the least strict mode of any frame; budget.Raw if 0.
	Mode budget.Mode
	// Plan is how the budget is divided; fit.Live by default.
	Plan fit.Plan
	// Counter counts tokens; characters / 4 if nil.
	Counter budget.Counter

	// Sensitivity is what is redacted; redact.All if 0.
	Sensitivity redact.Group
	// AllowFields are dotted paths of the only fields of each record that are kept; all if there are none.
	AllowFields []string
	// Rules, if not nil, take the place of Sensitivity and AllowFields.
	Rules *redact.Rules

	// Input is the format of the response; by default it is detected.
	Input redact.Format
	// Encoding is how frames are written; encode.JSON if nil.
	Encoding encode.Encoding
	// FlushAfter is the longest that anything is held in plan live; 1 s if 0. See ReadAhead.
	FlushAfter time.Duration

	// Handle keeps what is left out. If nil, it is lost: the frames say how much that is, and name no handle.
	Handle Handle
	// Ledger records all tokens before they are written. If nil, nothing records them.
	Ledger Ledger
}

// DefaultBudget is the budget of one response, in tokens.
const DefaultBudget = 4000

// New returns a firewall. The error says which option cannot be, and what could.
func New(o Options) (*Firewall, error) {
	f := &Firewall{
		Rules:  o.Rules,
		Fields: o.AllowFields,
		Input:  o.Input,
		Options: fit.Options{
			Plan:       o.Plan,
			Budget:     Budget{Tokens: cmp.Or(o.Budget, DefaultBudget), Mode: o.Mode},
			Counter:    o.Counter,
			Encoding:   o.Encoding,
			FlushAfter: cmp.Or(o.FlushAfter, time.Second),
		},
		Handle: o.Handle,
		Ledger: o.Ledger,
	}
	if f.Rules == nil {
		rules, err := redact.Compile(redact.Options{Groups: o.Sensitivity, AllowFields: o.AllowFields})
		if err != nil {
			return nil, fmt.Errorf("pipeline: %w", err)
		}
		f.Rules = rules
	} else if o.Sensitivity != redact.None || len(o.AllowFields) > 0 {
		return nil, errors.New("pipeline: Sensitivity and AllowFields have no effect beside Rules: leave them out")
	}
	if err := f.complete(); err != nil {
		return nil, err
	}
	switch least := f.Least(); {
	case o.FlushAfter < 0:
		return nil, errors.New("pipeline: FlushAfter is negative")
	case o.Input > redact.YAML:
		return nil, errors.New("pipeline: Input is none of the formats")
	case o.Plan > fit.Digest:
		return nil, errors.New("pipeline: Plan is none of the plans")
	case o.Mode > budget.HandleOnly:
		return nil, errors.New("pipeline: Mode is none of the modes")
	case f.Budget.Tokens < least:
		return nil, fmt.Errorf("pipeline: Budget is too small for a final frame: %d is the smallest that works", least)
	}
	return f, nil
}

// complete gives the parts that are missing their defaults. Rules have none: what is redacted has to be chosen.
func (f *Firewall) complete() error {
	if f.Rules == nil {
		return errors.New("pipeline: a Firewall without Rules: make it with New")
	}
	if f.Counter == nil {
		counter, err := budget.NewCounter("chars")
		if err != nil {
			return err
		}
		f.Counter = counter
	}
	if f.Encoding == nil {
		f.Encoding = encode.JSON{}
	}
	if f.Explain == nil {
		f.Explain = func(err error) Failure {
			return Failure{Code: "failed", Message: "the response could not be read", Exit: 125}
		}
	}
	if f.Handle == nil {
		f.Handle = discarded{}
	}
	if f.Ledger == nil {
		f.Ledger = unrecorded{}
	}
	return nil
}

// discarded is a handle that keeps nothing. It has no name.
type discarded struct{}

func (discarded) Keep(_, _, _ []byte, _ uint8) error { return nil }
func (discarded) Tail([]byte) error                  { return nil }
func (discarded) Name() (string, error)              { return "", nil }

// unrecorded is a ledger that keeps nothing.
type unrecorded struct{}

func (unrecorded) Spend(int) error { return nil }
func (unrecorded) Last(int) error  { return nil }

// Frames yields the frames of a response, the final one last. They are on the ledger before they are yielded. Their
// bytes are valid until the next one. An error, of the response or of the ledger, is the last thing that it yields.
func (f *Firewall) Frames(in io.Reader) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		out := &yielded{yield: yield}
		if err := f.run(in, out.write); err != nil && !out.isStopped {
			yield(Frame{}, err)
		}
	}
}

// yielded hands frames on until the consumer wants no more.
type yielded struct {
	yield     func(Frame, error) bool
	isStopped bool
}

var errStopped = errors.New("the consumer wants no more frames")

func (y *yielded) write(frame *Frame) error {
	if y.isStopped = !y.yield(*frame, nil); y.isStopped {
		return errStopped
	}
	return nil
}

// Records returns a reader of records, each of them a JSON value on one line or a line of text without its end, for
// whoever has an iterator and no stream. An error of the iterator is one of the reader. Closing it ends the iterator.
func Records(records iter.Seq2[[]byte, error]) io.ReadCloser {
	next, stop := iter.Pull2(records)
	return &recordReader{next: next, stop: stop}
}

type recordReader struct {
	next func() ([]byte, error, bool)
	stop func()
	rest []byte
	err  error
}

func (r *recordReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 && r.err == nil {
		record, err, ok := r.next()
		switch {
		case !ok:
			r.err = io.EOF
		case err != nil:
			r.err = err
		default:
			r.rest = append(append(r.rest[:0], record...), '\n')
		}
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *recordReader) Close() error {
	r.stop()
	return nil
}

// Driver is a tool that answers one request. Streaming and Whole make one of a function.
type Driver interface {
	// Open starts the tool and returns its response. Closing that ends the tool.
	Open(ctx context.Context, request []byte) (io.ReadCloser, error)
	// IsStreaming reports whether the response comes in pieces. If not, an array or a text is one chunk.
	IsStreaming() bool
}

// Streaming is a driver whose response comes in pieces.
type Streaming func(ctx context.Context, request []byte) (io.ReadCloser, error)

// Open implements Driver.
func (d Streaming) Open(ctx context.Context, request []byte) (io.ReadCloser, error) {
	return d(ctx, request)
}

// IsStreaming implements Driver.
func (Streaming) IsStreaming() bool { return true }

// Whole is a driver that has its whole response at once.
type Whole func(ctx context.Context, request []byte) ([]byte, error)

// Open implements Driver.
func (d Whole) Open(ctx context.Context, request []byte) (io.ReadCloser, error) {
	response, err := d(ctx, request)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(response)), nil
}

// IsStreaming implements Driver.
func (Whole) IsStreaming() bool { return false }

func (f *Firewall) invoke(ctx context.Context, d Driver, request []byte, take func(*Frame) error) (err error) {
	if d == nil {
		return errors.New("pipeline: no driver")
	}
	response, err := d.Open(ctx, request)
	if err != nil {
		return err
	}
	if response == nil {
		return errors.New("pipeline: the driver has no response")
	}
	defer func() { err = errors.Join(err, response.Close()) }()
	one := *f
	one.OneAnswer = !d.IsStreaming()
	return one.run(response, take)
}

// Invoke asks a driver and yields the frames of its response, as Frames does.
func (f *Firewall) Invoke(ctx context.Context, d Driver, request []byte) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		out := &yielded{yield: yield}
		if err := f.invoke(ctx, d, request, out.write); err != nil && !out.isStopped {
			yield(Frame{}, err)
		}
	}
}
