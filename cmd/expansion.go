package cmd

import (
	"errors"
	"fmt"
	"iter"

	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// page is what is read of a handle: chunks that are redacted again, since a rule may be newer than what was stored.
type page struct {
	stored *session.Stored
	rules  *redact.Rules
	offset int
	at     *query.Place // nil: records as they are
	filter *query.Filter
	bytes  int64

	elements int // at the place, so far
}

// known looks for the paths that the page is asked for. found is the place where the records were found in which they
// are, if no place was asked for.
func (p *page) known() (found string, err error) {
	if p.at != nil {
		if err := p.at.Known(p.chunksFrom(0)); err != nil {
			return "", err
		}
	}
	err = p.filter.Known(p.all(0), p.chunksFrom(0))
	if found = p.findPlace(err); found != "" {
		err = nil
	}
	return found, err
}

// chunks yields those that match, from the offset on, or why there are none.
func (p *page) chunks(yield func(pipeline.Chunk, error) bool) {
	isEmpty := true
	from := p.offset
	if p.filter.ReadsLines() {
		from, p.filter.After = 0, p.offset
	}
	for c, err := range query.Where(p.all(from), p.filter) {
		isEmpty = isEmpty && c.Seq == 0 && len(c.Warnings) == 0 && err == nil
		if !yield(c, err) {
			return
		}
		p.bytes += int64(len(c.Source))
	}
	if isEmpty {
		yield(pipeline.Chunk{Warnings: []pipeline.Warning{{What: p.whyEmpty()}}}, nil)
	}
}

// findPlace makes the page one of the elements at the place where a summary finds records in
// chunks, if the paths of the filter are not found in these, as unknown says, but in the elements.
// It returns the place as --at names it; empty if there is none.
func (p *page) findPlace(unknown error) string {
	if _, isUnknown := errors.AsType[*query.UnknownPath](unknown); !isUnknown || p.at != nil {
		return ""
	}
	for _, p.at = range query.Places(p.chunksFrom(0), p.rules) {
		if err := p.filter.Known(p.all(0), p.chunksFrom(0)); err == nil {
			return p.at.String()
		}
	}
	p.at, p.elements = nil, 0
	return ""
}

func (p *page) whyEmpty() string {
	what, there, all := "chunk", "", p.stored.Info().Chunks
	if p.at != nil {
		what, there, all = "element", " there", p.elements
	}
	switch {
	case p.offset >= all:
		return "the response has " + terminal.Counted(all, what) + there
	case p.offset+1 == all && p.offset > 0:
		return fmt.Sprintf("%s %d%s does not match", what, all, there)
	case p.offset > 0:
		return fmt.Sprintf("none of %ss%s %d to %d match", what, there, p.offset+1, all)
	case all == 1:
		return fmt.Sprintf("the only %s%s does not match", what, there)
	default:
		return "none of " + terminal.Counted(all, what) + there + " match"
	}
}

// all yields every chunk after an offset, or every element at the place that is asked for.
func (p *page) all(offset int) iter.Seq2[pipeline.Chunk, error] {
	if p.at == nil {
		return p.chunksFrom(offset)
	}
	return func(yield func(pipeline.Chunk, error) bool) {
		for c, err := range query.Elements(p.chunksFrom(0), p.at) {
			p.elements = max(p.elements, c.Seq)
			if (err != nil || c.Seq > offset) && !yield(c, err) {
				return
			}
		}
	}
}

// chunksFrom yields every chunk after an offset.
func (p *page) chunksFrom(offset int) iter.Seq2[pipeline.Chunk, error] {
	return func(yield func(pipeline.Chunk, error) bool) { p.read(offset, yield) }
}

func (p *page) read(offset int, yield func(pipeline.Chunk, error) bool) {
	var path []byte
	restorer := split.NewRestorer(p.rules)
	for c, err := range p.stored.Chunks(offset) {
		if err != nil {
			yield(pipeline.Chunk{}, err)
			return
		}
		if c.Seq == 0 {
			if p.at == nil && p.filter != nil && p.filter.IsEmpty() && !yield(pipeline.Chunk{Lead: c.Lead}, nil) {
				return
			}
			continue
		}
		if len(c.Path) > 0 {
			path = p.rules.Value(path[:0], c.Path, redact.Lines)
			c.Path = path
		}
		chunk := restorer.Chunk(c.Path, c.Source, c.Kind)
		chunk.Seq, chunk.Lead = c.Seq, c.Lead
		if !yield(chunk, nil) {
			return
		}
	}
}

// BytesRead is how much of the handle was taken into the page.
func (p *page) BytesRead() int64 { return p.bytes }

// Counts is empty: what was redacted was counted when it was stored.
func (p *page) Counts() iter.Seq2[string, int] { return func(func(string, int) bool) {} }

// namedHandle is a handle that is there already.
type namedHandle string

func (namedHandle) Keep(_, _, _ []byte, _ uint8) error { return nil }
func (namedHandle) Tail([]byte) error                  { return nil }
func (h namedHandle) Name() (string, error)            { return string(h), nil }
