// Package expansion reads on in a response that is kept: pages of a handle, for kfw expand and for the tool of kfw mcp.
//
// In go a handle and what is chosen of it: an offset, a place, fields, conditions and texts. Out come chunks,
// redacted again by the rules of now. A handle from which less was taken out than is asked for now is refused.
package expansion

import (
	"errors"
	"fmt"
	"iter"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// Page is what is read of a handle: chunks that are redacted again, since a rule may be newer than what was stored.
type Page struct {
	Stored *session.Stored
	Rules  *redact.Rules
	Offset int
	At     *query.Place // nil: records as they are
	Filter *query.Filter
	bytes  int64

	elements int // at the place, so far
}

// Known looks for the paths that the page is asked for. found is the place where the records were found in which they
// are, if no place was asked for.
func (p *Page) Known() (found string, err error) {
	if p.At != nil {
		if err := p.At.Known(p.ChunksFrom(0)); err != nil {
			return "", err
		}
	}
	err = p.Filter.Known(p.All(0), p.ChunksFrom(0))
	if found = p.findPlace(err); found != "" {
		err = nil
	}
	return found, err
}

// Chunks yields those that match, from the offset on, or why there are none.
func (p *Page) Chunks(yield func(pipeline.Chunk, error) bool) {
	isEmpty := true
	from := p.Offset
	if p.Filter.ReadsLines() {
		from, p.Filter.After = 0, p.Offset
	}
	for c, err := range query.Where(p.All(from), p.Filter) {
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
func (p *Page) findPlace(unknown error) string {
	if _, isUnknown := errors.AsType[*query.UnknownPath](unknown); !isUnknown || p.At != nil {
		return ""
	}
	for _, p.At = range query.Places(p.ChunksFrom(0), p.Rules) {
		if err := p.Filter.Known(p.All(0), p.ChunksFrom(0)); err == nil {
			return p.At.String()
		}
	}
	p.At, p.elements = nil, 0
	return ""
}

func (p *Page) whyEmpty() string {
	what, there, all := "chunk", "", p.Stored.Info().Chunks
	if p.At != nil {
		what, there, all = "element", " there", p.elements
	}
	switch {
	case p.Offset >= all:
		return "the response has " + terminal.Counted(all, what) + there
	case p.Offset+1 == all && p.Offset > 0:
		return fmt.Sprintf("%s %d%s does not match", what, all, there)
	case p.Offset > 0:
		return fmt.Sprintf("none of %ss%s %d to %d match", what, there, p.Offset+1, all)
	case all == 1:
		return fmt.Sprintf("the only %s%s does not match", what, there)
	default:
		return "none of " + terminal.Counted(all, what) + there + " match"
	}
}

// All yields every chunk after an offset, or every element at the place that is asked for.
func (p *Page) All(offset int) iter.Seq2[pipeline.Chunk, error] {
	if p.At == nil {
		return p.ChunksFrom(offset)
	}
	return func(yield func(pipeline.Chunk, error) bool) {
		for c, err := range query.Elements(p.ChunksFrom(0), p.At) {
			p.elements = max(p.elements, c.Seq)
			if (err != nil || c.Seq > offset) && !yield(c, err) {
				return
			}
		}
	}
}

// ChunksFrom yields every chunk after an offset.
func (p *Page) ChunksFrom(offset int) iter.Seq2[pipeline.Chunk, error] {
	return func(yield func(pipeline.Chunk, error) bool) { p.read(offset, yield) }
}

func (p *Page) read(offset int, yield func(pipeline.Chunk, error) bool) {
	var path []byte
	restorer := split.NewRestorer(p.Rules)
	for c, err := range p.Stored.Chunks(offset) {
		if err != nil {
			yield(pipeline.Chunk{}, err)
			return
		}
		if c.Seq == 0 {
			if p.At == nil && p.Filter != nil && p.Filter.IsEmpty() && !yield(pipeline.Chunk{Lead: c.Lead}, nil) {
				return
			}
			continue
		}
		if len(c.Path) > 0 {
			path = p.Rules.Value(path[:0], c.Path, redact.Lines)
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
func (p *Page) BytesRead() int64 { return p.bytes }

// Counts is empty: what was redacted was counted when it was stored.
func (p *Page) Counts() iter.Seq2[string, int] { return func(func(string, int) bool) {} }

// NamedHandle is the ID of a handle that is stored already. It implements pipeline.Handle: the
// response is not stored again.
type NamedHandle string

// Keep implements pipeline.Handle. It stores nothing.
func (NamedHandle) Keep(_, _, _ []byte, _ uint8) error { return nil }

// Tail implements pipeline.Handle. It stores nothing.
func (NamedHandle) Tail([]byte) error { return nil }

// Name implements pipeline.Handle. It returns the ID, and never fails.
func (h NamedHandle) Name() (string, error) { return string(h), nil }

// Standing returns what a page of a handle says in any case.
func Standing(info session.Info) (all []pipeline.Warning) {
	switch {
	case info.Died:
		all = append(all, pipeline.Warning{What: "the run of the response died: this is what there is"})
	case !info.Complete:
		all = append(all, pipeline.Warning{What: "the response is still being kept: this is what there is"})
	}
	return all
}

// RedactedAs refuses a handle from which less was taken out than is asked for now: its parts and paths are not whole
// values, and can't be redacted any more.
func RedactedAs(stored session.Info, asked redact.Group) error {
	done, err := redact.ParseGroups(stored.Redacted)
	if err != nil {
		return fmt.Errorf("%s: what was redacted is not known: %w", stored.ID, err)
	}
	if asked&^done != redact.None {
		return fault.Usage(fmt.Sprintf("%s was stored with --sensitivity %s", stored.ID, done),
			fmt.Sprintf("to read it as it was stored: --sensitivity %s", done))
	}
	return nil
}
