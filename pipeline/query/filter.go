// Package query chooses from the chunks of a response: records by conditions, fields by paths, chunks by a text, and
// the elements of a place within records.
//
// Chunks come in, the chunks that were asked for go out, with the numbers that they had. Paths are those that a summary
// or a table names. Where gjson does not find one, dots may be those of a name, and a string that is JSON is opened. A
// path that leads nowhere is an error that names the nearest ones.
package query

import (
	"iter"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// Filter says which chunks of a handle are shown, and what of them. It is for one reader at a time.
// A chunk that is neither a whole JSON value nor a line that is a row, as a summary reads it, has
// no fields.
type Filter struct {
	Fields     []Field     // the fields to keep of a record; empty keeps all
	Conditions []Condition // that hold for a record, all of them
	Patterns   []Pattern   // that the chunk holds, all of them
	Invert     bool        // the chunk does not hold all patterns
	Before     int         // chunks before each that matches, which are shown with it
	Behind     int         // the same after it
	Ranges     []Range     // that the chunk is in, one of them; empty, or one alone, for all
	First      int         // number of the first chunk that may match or be shown
	Skip       int         // how many of the first that match are not shown
	Order      *Order      // in which they are shown; nil for that of the response

	// After is the number of the last chunk that is read and not shown; in an order, the place of it.
	After int

	// NamesColumns shows before the first row of a table that matches also the line that names its columns.
	NamesColumns bool

	record  []byte // of a chunk: its fields
	decoded []byte // of a chunk: its source without escapes

	readsLines bool        // lines have fields that are asked for
	isAfter    bool        // the last chunk was
	header     split.Chunk // of the last table, if NamesColumns; without a number if there is none or it was shown
}

// IsEmpty reports whether every chunk is shown as it is, in the order of the response.
func (f *Filter) IsEmpty() bool { return len(f.Fields) == 0 && f.Order == nil && !f.Chooses() }

// Chooses reports whether some chunks may not be shown.
func (f *Filter) Chooses() bool {
	return len(f.Conditions)+len(f.Patterns) > 0 || f.Skip > 0 || len(f.Ranges) > 1
}

var noFields = []split.Warning{{What: "matching chunks left out: none of the fields", Count: 1}}

// Names returns what the fields are called, as JSON strings; nil if the chunks are shown as they are.
func (f *Filter) Names() (names [][]byte) {
	for i := range f.Fields {
		names = append(names, f.Fields[i].key)
	}
	return names
}

// ReadsFrom returns after how many chunks reading begins, so that those after f.After are shown as they would be if
// all were read. Where lines are rows the first one may name the columns. Known finds out whether they are.
func (f *Filter) ReadsFrom() int {
	if f.readsLines || f.NamesColumns || f.Skip > 0 || f.Order != nil {
		return 0
	}
	return max(f.First-1, f.After-f.Behind, 0)
}

// Where yields the chunks that the filter lets pass, with the numbers that they have, and instead of one that has none
// of the fields a warning. With a context, or in an order, it reads chunks more than once.
func Where(chunks iter.Seq2[split.Chunk, error], f *Filter) iter.Seq2[split.Chunk, error] {
	switch {
	case f.IsEmpty():
		return chunks
	case f.Order != nil:
		return f.sorted(chunks)
	}
	return func(yield func(split.Chunk, error) bool) {
		isShown := f.isNextMatch()
		if f.Before+f.Behind > 0 && f.Chooses() {
			near := f.nearMatches(chunks)
			defer near.stop()
			isShown = near.isShown
		}
		var current line // one for all chunks: what a function value is given is on the heap
		for l, err := range f.lines(chunks) {
			current = l
			if !f.pass(&current, err, isShown, yield) {
				return
			}
		}
	}
}

// Count returns how many chunks match, and how many bytes they have.
func Count(chunks iter.Seq2[split.Chunk, error], f *Filter) (count int, bytes int64, err error) {
	for l, err := range f.matching(chunks) {
		if err != nil {
			return count, bytes, err
		}
		count++
		bytes += int64(len(l.Source))
	}
	return count, bytes, nil
}

// lines yields the chunks; a line has its fields if a condition needs them.
func (f *Filter) lines(chunks iter.Seq2[split.Chunk, error]) iter.Seq2[line, error] {
	if f.readsLines || f.NamesColumns {
		return linesOf(chunks)
	}
	return func(yield func(line, error) bool) {
		for c, err := range chunks {
			if !yield(line{Chunk: c}, err) {
				return
			}
		}
	}
}

// matching yields the chunks that match, without their context.
func (f *Filter) matching(chunks iter.Seq2[split.Chunk, error]) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		isMatch := f.isNextMatch()
		var current line
		for l, err := range f.lines(chunks) {
			current = l
			if err == nil && (l.Seq == 0 || !isMatch(&current)) {
				continue
			}
			if !yield(current, err) {
				return
			}
		}
	}
}

// isNextMatch returns what reports of one chunk after another whether it matches.
func (f *Filter) isNextMatch() func(*line) bool {
	count := 0
	return func(l *line) bool {
		if l.Seq < f.First || !f.matches(&l.Chunk, l.fields) {
			return false
		}
		count++
		return count > f.Skip
	}
}

// nearMatch finds the chunks that have a match near them. It reads ahead of whoever asks.
type nearMatch struct {
	filter *Filter
	next   func() (int, bool, bool)
	stop   func()
	read   int // number of the last chunk that was read
	last   int // of the last one that matched; 0 for none
	ended  bool
}

func (f *Filter) nearMatches(chunks iter.Seq2[split.Chunk, error]) *nearMatch {
	n := &nearMatch{filter: f}
	n.next, n.stop = iter.Pull2(func(yield func(seq int, isMatch bool) bool) {
		isMatch := f.isNextMatch()
		var current line
		for l, err := range f.lines(chunks) {
			if err != nil { // whoever reads behind comes to it, too
				return
			}
			current = l
			if l.Seq > 0 && !yield(l.Seq, isMatch(&current)) {
				return
			}
		}
	})
	return n
}

// isShown reports whether a chunk, or one so near that it is its context, matches.
func (n *nearMatch) isShown(l *line) bool {
	for !n.ended && n.read < l.Seq+n.filter.Before {
		seq, isMatch, ok := n.next()
		if n.ended = !ok; n.ended {
			break
		}
		if n.read = seq; isMatch {
			n.last = seq
		}
	}
	return n.last > 0 && n.last >= l.Seq-n.filter.Behind && l.Seq >= n.filter.First
}

// pass yields a chunk if it is shown. It reports whether more is wanted.
func (f *Filter) pass(l *line, err error, isShown func(*line) bool, yield func(split.Chunk, error) bool) bool {
	c := &l.Chunk
	if err == nil && c.Seq > 0 {
		shown := isShown(l)
		if l.part == summarize.HeaderPart && f.NamesColumns {
			f.header = copied(c)
		}
		if f.isAfter = c.Seq > f.After; !f.isAfter || !shown {
			return true
		}
		if header := f.header; l.part != summarize.NoPart {
			f.header = split.Chunk{}
			if l.part == summarize.RowPart && header.Seq > 0 && !yield(header, nil) {
				return false
			}
		}
		if len(f.Fields) > 0 && !f.project(c, l.fields) {
			*c = split.Chunk{Warnings: noFields}
		}
	}
	if err == nil && c.Seq == 0 && f.After > 0 && !f.isAfter {
		return true
	}
	return yield(*c, err)
}

// mayBeIn reports whether a chunk may have the path: fields are those of a line.
func (p *path) mayBeIn(c *split.Chunk, fields []byte) bool {
	return c.Kind == split.JSON || fields != nil || p.source == fromItself
}

// valueIn returns the value in a chunk, or of a line in its fields, whose names are the whole path.
func (p *path) valueIn(c *split.Chunk, fields []byte) gjson.Result {
	if fields != nil {
		if value := memberOf(gjson.Parse(lentString(fields)), p.text); value.Exists() {
			return value
		}
	}
	return p.of(c)
}

func (f *Filter) matches(c *split.Chunk, fields []byte) bool {
	if len(f.Ranges) > 1 && !slices.ContainsFunc(f.Ranges, func(r Range) bool { return r.has(c.Seq) }) {
		return false
	}
	for i := range f.Conditions {
		condition := &f.Conditions[i]
		if !condition.mayBeIn(c, fields) ||
			!condition.isMet(condition.valueIn(c, fields)) && !condition.isMetByLack(c) {
			return false
		}
	}
	return len(f.Patterns) == 0 || f.holdsPatterns(c) != f.Invert
}

// project makes c the record of its fields, and reports whether it has any.
func (f *Filter) project(c *split.Chunk, fields []byte) bool {
	f.record = append(f.record[:0], '{')
	for i := range f.Fields {
		field := &f.Fields[i]
		if !field.mayBeIn(c, fields) {
			continue
		}
		value := field.valueIn(c, fields)
		if !isThere(value, field.many && field.source != fromResponse) {
			continue
		}
		if len(f.record) > 1 {
			f.record = append(f.record, ',')
		}
		f.record = append(f.record, field.key...)
		f.record = append(f.record, ':')
		f.record = append(f.record, value.Raw...)
	}
	f.record = append(f.record, '}')
	c.Kind, c.Source, c.Inner, c.Notation = split.JSON, f.record, nil, split.Plain
	return len(f.record) > len("{}")
}
