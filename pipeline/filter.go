package pipeline

import (
	"bytes"
	"iter"
	"slices"

	"github.com/tidwall/gjson"
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

var noFields = []Warning{{What: "matching chunks left out: none of the fields", Count: 1}}

// Where yields the chunks that the filter lets pass, with the numbers that they have, and instead of one that has none
// of the fields a warning.
func Where(chunks iter.Seq2[Chunk, error], f *Filter) iter.Seq2[Chunk, error] {
	if f.IsEmpty() {
		return chunks
	}
	return func(yield func(Chunk, error) bool) {
		for c, err := range chunks {
			if err == nil && c.Seq > 0 {
				if !f.matches(c) {
					continue
				}
				if len(f.Fields) > 0 && !f.project(&c) {
					c = Chunk{Warnings: noFields}
				}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func (f *Filter) matches(c Chunk) bool {
	if len(f.Conditions) > 0 && c.Kind != JSON {
		return false
	}
	for i := range f.Conditions {
		if !f.Conditions[i].holds(c.Content()) {
			return false
		}
	}
	return f.holdsTexts(c)
}

func (f *Filter) holdsTexts(c Chunk) bool {
	content := c.Content()
	escaped := (c.Kind == JSON || c.Kind == JSONPart) && bytes.IndexByte(content, '\\') >= 0
	f.decoded = f.decoded[:0]
	for _, text := range f.Texts {
		if bytes.Contains(content, text) {
			continue
		}
		if !escaped {
			return false
		}
		if len(f.decoded) == 0 {
			f.decoded = appendUnescaped(f.decoded, content)
		}
		if !bytes.Contains(f.decoded, text) {
			return false
		}
	}
	return true
}

// project makes c the record of its fields, and reports whether it has any.
func (f *Filter) project(c *Chunk) bool {
	if c.Kind != JSON {
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
func (f *Filter) Known(chunks iter.Seq2[Chunk, error]) error {
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
		if c.Kind != JSON {
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
