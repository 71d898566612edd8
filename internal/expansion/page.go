// Package expansion reads on in a response that is kept: pages of a handle, for kfw expand and for the tool of kfw mcp.
//
// In go a handle and what is chosen of it: an offset, a place, fields, conditions and texts. Out come chunks,
// redacted again by the rules of now. A handle from which less was taken out than is asked for now is refused.
package expansion

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// Page reads the chunks of a handle and redacts them again, since a rule may be newer than the
// stored response. Filtering makes it; the caller sets Stored and Offset before the first read.
type Page struct {
	Stored *session.Stored
	Rules  *redact.Rules
	Offset int          // number of the chunk that it begins after; in an order, the place of it
	At     *query.Place // nil: records as they are
	Range  query.Range
	Tail   int // only so many of the last that match; 0 for all
	Filter *query.Filter

	isCount  bool // only how many match is asked for
	bytes    int64
	elements int // at the place, so far
}

// IsSelection reports whether a filter or a place chooses the chunks. If not, the page shows a
// range of the response as it is.
func (p *Page) IsSelection() bool { return p.At != nil || !p.Filter.IsEmpty() }

// Known looks for the paths and the numbers that the page is asked for. found is the place where the records were found
// in which they are, if no place was asked for. notes are to be said on the page.
func (p *Page) Known() (found string, notes []pipeline.Warning, err error) {
	if isWhole := !p.IsSelection() && p.Range == (query.Range{}) && p.Offset+p.Tail == 0 && !p.isCount; isWhole {
		if media, err := fit.NonText(p.All(0)); err != nil || media != "" {
			return "", nil, cmp.Or(err, fault.Usage("no text ("+media+"): nothing of it is shown",
				"--raw writes it; --lines and --grep show lines of it"))
		}
	}
	if p.At != nil {
		if err := p.At.Known(p.ChunksFrom(0)); err != nil {
			return "", nil, err
		}
	}
	err = p.Filter.Known(p.All(0))
	if err == nil {
		found, err = p.findMatch()
	} else if found = p.findPlace(err); found != "" {
		err = nil
	}
	if found != "" {
		notes = append(notes, pipeline.Warning{What: "the records are at " + found + ", as with --at"})
	}
	if err == nil {
		var past []pipeline.Warning
		past, err = p.find()
		notes = append(notes, past...)
	}
	return found, notes, err
}

// find finds the first chunk of the range and of the tail.
func (p *Page) find() (notes []pipeline.Warning, err error) {
	if p.Range == (query.Range{}) && p.Tail == 0 {
		return nil, nil
	}
	all := p.Stored.Info().Chunks
	if p.At != nil {
		for _, err := range p.All(0) {
			if err != nil {
				return nil, err
			}
		}
		all = p.elements
	}
	if last := max(p.Range.First, p.Range.Last); last > all {
		what := fmt.Sprintf("--lines: %d is past the end, ", last) + p.size(all)
		if p.Range.First > all {
			return nil, fault.Usage(what, "")
		}
		notes = append(notes, pipeline.Warning{What: what})
	}
	if p.Range.Last == 0 {
		p.Range.Last = all
	}
	p.Filter.First = p.Range.First
	switch {
	case p.Tail == 0:
	case p.Filter.Chooses():
		matching, _, err := query.Count(p.upToLast(0), p.Filter)
		if err != nil {
			return nil, err
		}
		if matching == 0 {
			why, isChanged, err := p.whyEmpty()
			if err != nil || !isChanged {
				return notes, err
			}
			notes = append(notes, pipeline.Warning{What: why})
			if matching, _, err = query.Count(p.upToLast(0), p.Filter); err != nil {
				return nil, err
			}
		}
		p.Filter.Skip = max(0, matching-p.Tail)
	default:
		p.Range.First = max(p.Range.First, min(p.Range.Last, all)-p.Tail+1)
		p.Filter.First = p.Range.First
	}
	return notes, nil
}

// upToLast yields the chunks after an offset up to the end of the range, and what ends the line of the last one.
func (p *Page) upToLast(offset int) iter.Seq2[pipeline.Chunk, error] {
	if p.Range.Last == 0 {
		return p.All(offset)
	}
	return func(yield func(pipeline.Chunk, error) bool) {
		for c, err := range p.All(offset) {
			if err == nil && c.Seq > p.Range.Last {
				yield(pipeline.Chunk{Lead: split.EndOfLine(c.Lead)}, nil)
				return
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Write writes the page, or how many chunks match.
func (p *Page) Write(f *pipeline.Firewall, out io.Writer) error {
	if !p.isCount {
		return f.Page(p.chunks(f.AllowsRaw()), p, out)
	}
	p.Filter.First = max(p.Filter.First, min(p.Offset, mostChunks)+1)
	count, bytes, err := query.Count(p.upToLast(0), p.Filter)
	if err != nil {
		return err
	}
	if count == 0 {
		why, isChanged, err := p.whyEmpty()
		if err != nil {
			return err
		}
		if f.Notify != nil {
			f.Notify(pipeline.Warning{What: why})
		}
		if isChanged {
			if count, bytes, err = query.Count(p.upToLast(0), p.Filter); err != nil {
				return err
			}
		}
	}
	return f.Count(count, bytes, out)
}

// chunks yields the chunks that match, from the offset on, or a warning that says why none does.
// It sorts them only if raw frames are allowed.
func (p *Page) chunks(allowsRaw bool) iter.Seq2[pipeline.Chunk, error] {
	return func(yield func(pipeline.Chunk, error) bool) {
		if p.Filter.Order != nil && !allowsRaw {
			p.Filter.Order = nil
			if !yield(pipeline.Chunk{Warnings: []pipeline.Warning{{What: "not sorted: that takes mode raw"}}}, nil) {
				return
			}
		}
		from := max(p.Offset, p.Range.First-1)
		p.Filter.After, p.Filter.NamesColumns = from, !allowsRaw && len(p.Filter.Fields) == 0
		if p.Filter.Order != nil {
			p.Filter.After = p.Offset
		}
		if !p.Filter.IsEmpty() {
			from = p.Filter.ReadsFrom()
		}
		isEmpty, goesOn := p.matching(from, yield)
		if !isEmpty || !goesOn {
			return
		}
		why, isChanged, err := p.whyEmpty()
		if yield(pipeline.Chunk{Warnings: []pipeline.Warning{{What: why}}}, err) && isChanged {
			p.matching(from, yield)
		}
	}
}

// matching yields the chunks from one on that match. goesOn says that yield asks for more.
func (p *Page) matching(from int, yield func(pipeline.Chunk, error) bool) (isEmpty, goesOn bool) {
	isEmpty = true
	for c, err := range query.Where(p.upToLast(from), p.Filter) {
		isEmpty = isEmpty && c.Seq == 0 && len(c.Warnings) == 0 && err == nil
		if !yield(c, err) {
			return isEmpty, false
		}
		p.bytes += int64(len(c.Source))
	}
	return isEmpty, true
}

// findPlace makes the page one of the elements at the place where a summary finds records in
// chunks, if the paths of the filter are not found in these, as unknown says, but in the elements.
// It returns the place as --at names it; empty if there is none.
func (p *Page) findPlace(unknown error) string {
	if _, isUnknown := errors.AsType[*query.UnknownPath](unknown); !isUnknown || p.At != nil {
		return ""
	}
	for _, p.At = range query.Places(p.ChunksFrom(0), p.Rules) {
		if err := p.Filter.Known(p.All(0)); err == nil {
			return p.At.String()
		}
	}
	p.At, p.elements = nil, 0
	return ""
}

// findMatch looks for records within a response that is one document, if only patterns choose. If
// a pattern matches one of the records, the page is one of these, and findMatch returns their
// place; otherwise it returns "".
func (p *Page) findMatch() (string, error) {
	f := p.Filter
	if p.At != nil || p.Stored.Info().Chunks != 1 || len(f.Patterns) == 0 || f.Invert ||
		len(f.Conditions)+len(f.Fields) > 0 || f.Order != nil {
		return "", nil
	}
	for _, p.At = range query.Places(p.ChunksFrom(0), p.Rules) {
		count, _, err := query.Count(p.All(0), f)
		if err != nil || count > 0 {
			return p.At.String(), err
		}
	}
	p.At, p.elements = nil, 0
	return "", nil
}

// size says how many chunks there are.
func (p *Page) size(all int) string {
	if p.At != nil {
		return "the response has " + terminal.Counted(all, "element") + " there"
	}
	return "the response has " + terminal.Counted(all, "chunk")
}

// whyEmpty says why nothing matches. It changes the filter if the syntax of its patterns was meant otherwise.
func (p *Page) whyEmpty() (why string, isChanged bool, err error) {
	what, there, all := "chunk", "", p.Stored.Info().Chunks
	if p.At != nil {
		what, there, all = "element", " there", p.elements
	}
	first, last := 1+max(p.Offset, p.Range.First-1), all
	if p.Filter.Order != nil {
		first = max(1, p.Range.First)
	}
	if p.Range.Last > 0 {
		last = min(last, p.Range.Last)
	}
	switch {
	case p.Offset >= all:
		return p.size(all), false, nil
	case p.Filter.Order != nil && p.Offset > 0:
		return fmt.Sprintf("no more than %d match", p.Offset), false, nil
	case first > last || p.Filter.IsEmpty():
		return fmt.Sprintf("no %s%s comes after %d", what, there, p.Offset), false, nil
	case first == last && all > 1:
		why = fmt.Sprintf("%s %d%s does not match", what, first, there)
	case first > 1 || last < all:
		why = fmt.Sprintf("none of %ss%s %d to %d match", what, there, first, last)
	case all == 1:
		why = fmt.Sprintf("the only %s%s does not match", what, there)
	default:
		why = "none of " + terminal.Counted(all, what) + there + " match"
	}
	p.Filter.First = first
	other, err := p.Filter.Meant(p.upToLast(p.Filter.ReadsFrom()))
	switch {
	case err != nil || other == nil:
		return why, false, err
	case other.IsSyntax:
		p.Filter = &other.Filter
		return why + "; these do " + other.How, true, nil
	}
	return why + "; some do " + other.How, false, nil
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

// Handle returns the response of a handle in a session, or of the last one that was named there if id is empty. The
// error is a *session.Gone if it is not there.
func Handle(file session.Session, id string) (*session.Stored, error) {
	if id == "" {
		last, err := file.LastHandle()
		if err == nil && last == "" || errors.Is(err, fs.ErrNotExist) {
			err = fault.Usage("there is no handle yet", "kfw handles lists them")
		}
		if err != nil {
			return nil, err
		}
		id = last
	}
	stored, err := file.Handle(id)
	if errors.Is(err, fs.ErrNotExist) {
		err = &session.Gone{ID: id, Reason: "unknown"}
	}
	return stored, err
}

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
