// Package query chooses from the chunks of a response: records by conditions, fields by paths, chunks by a text, and the
// elements of a place within records.
//
// Chunks come in, the chunks that were asked for go out, with the numbers that they had. Paths are those that a summary
// or a table names. Where gjson does not find one, dots may be those of a name, and a string that is JSON is opened. A
// path that leads nowhere is an error that names the nearest ones.
package query

import (
	"bytes"
	"iter"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/split"
)

// Filter says which chunks of a handle are shown, and what of them. It is for one reader at a time. A chunk that is not
// a whole JSON value has no fields.
type Filter struct {
	Fields     []Field     // of a record only these, and nothing of one that has none of them; all of it without any
	Conditions []Condition // that hold for a record, all of them
	Texts      [][]byte    // that the chunk holds, all of them, as it is written or with the escapes of JSON undone

	record  []byte // of a chunk: its fields
	decoded []byte // of a chunk: its source without escapes
}

// IsEmpty reports whether every chunk is shown as it is.
func (f *Filter) IsEmpty() bool { return len(f.Fields)+len(f.Conditions)+len(f.Texts) == 0 }

var noFields = []split.Warning{{What: "matching chunks left out: none of the fields", Count: 1}}

// Where yields the chunks that the filter lets pass, with the numbers that they have, and instead of one that has none
// of the fields a warning.
func Where(chunks iter.Seq2[split.Chunk, error], f *Filter) iter.Seq2[split.Chunk, error] {
	if f.IsEmpty() {
		return chunks
	}
	return func(yield func(split.Chunk, error) bool) {
		for c, err := range chunks {
			if err == nil && c.Seq > 0 {
				if !f.matches(c) {
					continue
				}
				if len(f.Fields) > 0 && !f.project(&c) {
					c = split.Chunk{Warnings: noFields}
				}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func (f *Filter) matches(c split.Chunk) bool {
	if len(f.Conditions) > 0 && c.Kind != split.JSON {
		return false
	}
	for i := range f.Conditions {
		if !f.Conditions[i].holds(c.Content()) {
			return false
		}
	}
	return f.holdsTexts(c)
}

func (f *Filter) holdsTexts(c split.Chunk) bool {
	content := c.Content()
	escaped := (c.Kind == split.JSON || c.Kind == split.JSONPart) && bytes.IndexByte(content, '\\') >= 0
	f.decoded = f.decoded[:0]
	for _, text := range f.Texts {
		if bytes.Contains(content, text) {
			continue
		}
		if !escaped {
			return false
		}
		if len(f.decoded) == 0 {
			f.decoded = split.AppendUnescaped(f.decoded, content)
		}
		if !bytes.Contains(f.decoded, text) {
			return false
		}
	}
	return true
}

// project makes c the record of its fields, and reports whether it has any.
func (f *Filter) project(c *split.Chunk) bool {
	if c.Kind != split.JSON {
		return false
	}
	f.record = append(f.record[:0], '{')
	for i := range f.Fields {
		value := f.Fields[i].in(c.Content())
		if !isThere(value, f.Fields[i].many) {
			continue
		}
		if len(f.record) > 1 {
			f.record = append(f.record, ',')
		}
		f.record = append(f.record, f.Fields[i].key...)
		f.record = append(f.record, ':')
		f.record = append(f.record, value.Raw...)
	}
	f.record = append(f.record, '}')
	c.Source, c.Inner = f.record, nil
	return len(f.record) > len("{}")
}

// Known looks for the paths of the filter in chunks, from the first on, until each has been seen once as it is written: mostly
// that is in the first. One that is seen only as names that have dots is taken for these from then on. For those that are nowhere
// the error has an *UnknownPath each.
func (f *Filter) Known(chunks iter.Seq2[split.Chunk, error]) error {
	var sought []*path
	for i := range f.Fields {
		sought = append(sought, &f.Fields[i].path)
	}
	for i := range f.Conditions {
		sought = append(sought, &f.Conditions[i].path)
	}
	if len(sought) == 0 {
		return nil
	}
	joined := map[*path]bool{}
	var there pathSet
	for c, err := range chunks {
		if err != nil {
			return err
		}
		if c.Kind != split.JSON {
			continue
		}
		sought = slices.DeleteFunc(sought, func(p *path) bool {
			p.exact = p.isIn(c.Content(), false)
			joined[p] = joined[p] || !p.exact && p.isIn(c.Content(), true)
			return p.exact
		})
		if len(sought) == 0 {
			return nil
		}
		there.add(gjson.Parse(lentString(c.Content())))
	}
	return there.unknown(slices.DeleteFunc(sought, func(p *path) bool { return joined[p] }))
}
