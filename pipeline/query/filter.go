// Package query chooses from the chunks of a response: records by conditions, fields by paths, chunks by a text, and
// the elements of a place within records.
//
// Chunks come in, the chunks that were asked for go out, with the numbers that they had. Paths are those that a summary
// or a table names. Where gjson does not find one, dots may be those of a name, and a string that is JSON is opened. A
// path that leads nowhere is an error that names the nearest ones.
package query

import (
	"bytes"
	"iter"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/split"
)

// Filter says which chunks of a handle are shown, and what of them. It is for one reader at a time.
// A chunk that is neither a whole JSON value nor a line that is a row, as a summary reads it, has
// no fields.
type Filter struct {
	Fields     []Field     // the fields to keep of a record; empty keeps all
	Conditions []Condition // that hold for a record, all of them
	Texts      [][]byte    // that the chunk holds, all of them, as it is written or with the escapes of JSON undone
	After      int         // number of the last chunk that is read and not shown

	record  []byte // of a chunk: its fields
	decoded []byte // of a chunk: its source without escapes

	readsLines bool // lines have fields that are asked for
	isAfter    bool // the last chunk was
}

// IsEmpty reports whether every chunk is shown as it is.
func (f *Filter) IsEmpty() bool { return len(f.Fields)+len(f.Conditions)+len(f.Texts) == 0 }

var noFields = []split.Warning{{What: "matching chunks left out: none of the fields", Count: 1}}

// ReadsLines reports whether the filter reads lines as rows: then it needs all of them, from the
// first one on, as the first may name the columns. Known finds out.
func (f *Filter) ReadsLines() bool { return f.readsLines }

// Where yields the chunks that the filter lets pass, with the numbers that they have, and instead of one that has none
// of the fields a warning.
func Where(chunks iter.Seq2[split.Chunk, error], f *Filter) iter.Seq2[split.Chunk, error] {
	if f.IsEmpty() {
		return chunks
	}
	return func(yield func(split.Chunk, error) bool) {
		if f.readsLines {
			for l, err := range linesOf(chunks) {
				if !f.pass(l.Chunk, l.fields, err, yield) {
					return
				}
			}
			return
		}
		for c, err := range chunks {
			if !f.pass(c, nil, err, yield) {
				return
			}
		}
	}
}

// pass yields a chunk if the filter lets it pass; fields are those of a line. It reports whether
// more is wanted.
func (f *Filter) pass(c split.Chunk, fields []byte, err error, yield func(split.Chunk, error) bool) bool {
	if err == nil && c.Seq > 0 {
		if f.isAfter = c.Seq > f.After; !f.isAfter {
			return true
		}
		if !f.matches(&c, fields) {
			return true
		}
		if len(f.Fields) > 0 && !f.project(&c, fields) {
			c = split.Chunk{Warnings: noFields}
		}
	}
	if err == nil && c.Seq == 0 && f.After > 0 && !f.isAfter {
		return true
	}
	return yield(c, err)
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
	for i := range f.Conditions {
		condition := &f.Conditions[i]
		if !condition.mayBeIn(c, fields) || !condition.isMet(condition.valueIn(c, fields)) {
			return false
		}
	}
	return f.holdsTexts(c)
}

func (f *Filter) holdsTexts(c *split.Chunk) bool {
	content := c.Content()
	escaped := (c.Kind == split.JSON || c.Kind == split.JSONPart) && bytes.IndexByte(content, '\\') >= 0
	f.decoded = f.decoded[:0]
	for _, text := range f.Texts {
		if bytes.Contains(content, text) || c.Form.IsYAML() && bytes.Contains(c.Source, text) {
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
	c.Kind, c.Source, c.Inner, c.Form = split.JSON, f.record, nil, split.Plain
	return len(f.record) > len("{}")
}
