package tabulate

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// Bounds of what is said once for all rows, beside their columns.
const (
	mostAround      = 16 // values around the records of a document that was opened
	mostAroundBytes = 8 << 10
	mostElements    = 4096 // records of one document
)

// arranged returns what are the rows of the records: the path of the array that they are in, or with their paths as
// members; and what is around them apart.
func (b *Tabulator) arranged(records Records, total int) (rows Records, array, around []byte, rowsInAll int) {
	if records.Len() == 1 && total == 1 && !records.At(0).IsText {
		if rows, array, around := b.split(records.At(0)); rows != nil {
			return RecordSlice(rows), array, around, len(rows)
		}
	}
	rows, around = b.apart(records)
	total -= records.Len() - rows.Len()
	array = arrayOf(rows.At(0).Path)
	for _, r := range each(rows) {
		if !bytes.Equal(arrayOf(r.Path), array) || r.Kind() == jsonx.Array {
			return b.withPaths(rows), nil, around, total
		}
	}
	if len(array) > 0 { // not a top-level array
		return rows, jsonx.AppendCanonicalText(nil, append(bytes.Clone(array), '#')), around, total
	}
	return b.withPaths(rows), nil, around, total
}

// apart takes the few values apart that are around the elements of one array, of one document.
func (b *Tabulator) apart(records Records) (rows Records, around []byte) {
	array := mostCommonArray(records)
	if len(array) == 0 {
		return records, nil
	}
	isElement := func(r structure.Record) bool {
		return r.Kind() == jsonx.Object && bytes.Equal(arrayOf(r.Path), array)
	}
	size, count := 0, 0
	for _, r := range each(records) {
		if r.Top != records.At(0).Top {
			return records, nil
		}
		if !isElement(r) {
			count++
			size += len(r.Path) + len(r.Value)
		}
	}
	if count == 0 || count > mostAround || size > mostAroundBytes || records.Len()-count < 2 {
		return records, nil
	}
	elements := elementsOf{Records: records}
	around = []byte{'{'}
	for i, r := range each(records) {
		if isElement(r) {
			continue
		}
		elements.others = append(elements.others, i)
		around = append(jsonx.AppendCanonicalString(around, r.Path), ':')
		if r.IsText {
			around = jsonx.AppendCanonicalString(around, r.Value)
		} else {
			around = jsonx.AppendMinified(around, r.Value)
		}
		around = append(around, ',')
	}
	around[len(around)-1] = '}'
	return elements, around
}

// elementsOf is Records without a few.
type elementsOf struct {
	Records
	others []int // in order
}

// Len implements Records.
func (e elementsOf) Len() int { return e.Records.Len() - len(e.others) }

// At implements Records.
func (e elementsOf) At(i int) structure.Record {
	for _, other := range e.others {
		if other <= i {
			i++
		}
	}
	return e.Records.At(i)
}

// mostCommonArray returns the path of the array that most elements among the records are of, if there is one (Boyer,
// Moore: a fast majority vote algorithm).
func mostCommonArray(records Records) (array []byte) {
	votes := 0
	for _, r := range each(records) {
		switch of := arrayOf(r.Path); {
		case of == nil:
		case votes == 0:
			array, votes = of, 1
		case bytes.Equal(of, array):
			votes++
		default:
			votes--
		}
	}
	return array
}

// split returns the records that a document is mostly made of, the path of the array they are in, and the document
// without them. The members of a map have their paths instead. There are no rows when it is not made of records.
func (b *Tabulator) split(document structure.Record) (rows []structure.Record, array, around []byte) {
	if opened, ok := structure.AppendOpened(nil, document.Value); ok {
		document.Value = opened
	}
	in := structure.ContainerOf(document.Value)
	if in.To == 0 {
		return nil, nil, nil
	}
	for c := (jsonx.Cursor{Source: document.Value, At: in.From + 1}); ; c.Take() {
		if _, ok := c.Entry(in.IsMap); !ok {
			break
		}
		if c.Kind() < jsonx.Array || len(rows) == mostElements {
			return nil, nil, nil
		}
		rows = append(rows, structure.Record{})
	}
	path := document.Path
	if array := arrayOf(path); array != nil && len(array) == 0 {
		path = nil // an element of a top-level array
	}
	w := aroundWriter{in: in, path: jsonx.AppendCanonicalText(nil, path)}
	w.add(&jsonx.Cursor{Source: document.Value})
	if string(w.around) == "{}" || string(w.around) == "[]" || len(w.around) == 0 {
		w.around = nil
	}
	c := jsonx.Cursor{Source: document.Value, At: in.From}
	c.Enter()
	for i := range rows {
		rows[i].Seq = document.Seq
		if !in.IsMap {
			c.Element()
			rows[i].Value = c.Take()
			continue
		}
		name, _ := c.Member()
		from := len(b.arena)
		b.arena = withPath(b.arena, structure.JoinPath(w.path, b.layout.canonical(name)),
			structure.Record{Value: c.Take()})
		rows[i].Value = b.arena[from:]
	}
	if !in.IsMap {
		array = structure.JoinPath(w.path, []byte{'#'})
	}
	return rows, array, w.around
}

// aroundWriter copies a document without the records that are in it.
type aroundWriter struct {
	in     structure.Container
	path   []byte // of the container, once that has been passed; the inside of a JSON string
	around []byte
}

// add copies the value at the cursor. wrote is false for the container itself.
func (w *aroundWriter) add(c *jsonx.Cursor) (wrote bool) {
	k := c.Kind()
	if c.At == w.in.From {
		c.Take()
		return false
	}
	end := jsonx.Cursor{Source: c.Source, At: c.At}
	end.Take()
	if c.At > w.in.From || end.At < w.in.To {
		w.around = jsonx.AppendMinified(w.around, c.Take())
		return true
	}
	closing := c.Source[c.At] + ('}' - '{') // as ']' of '['
	w.around = append(w.around, c.Source[c.At])
	c.Enter()
	outer, canonical := w.path, []byte(nil)
	for i := 0; ; i++ {
		before := len(w.around)
		if w.around[before-1] != '{' && w.around[before-1] != '[' {
			w.around = append(w.around, ',')
		}
		name, ok := c.Entry(k == jsonx.Object)
		if !ok {
			w.around = append(w.around[:before], closing)
			return true
		}
		if k == jsonx.Object {
			canonical = jsonx.AppendCanonical(canonical[:0], name)
			w.around = append(append(append(w.around, '"'), name...), `":`...)
		} else {
			canonical = strconv.AppendInt(canonical[:0], int64(i), 10)
		}
		c.SkipSpace()
		if isIn := c.At <= w.in.From; isIn {
			w.path = structure.JoinPath(outer, canonical)
		}
		if !w.add(c) {
			w.around = w.around[:before]
		}
	}
}

// withPaths returns the records with their paths as members.
func (b *Tabulator) withPaths(records Records) Records {
	if !some(records, func(r structure.Record) bool { return len(r.Path) > 0 }) {
		return records
	}
	isOnTop := func(r structure.Record) bool { array := arrayOf(r.Path); return array != nil && len(array) == 0 }
	if !some(records, func(r structure.Record) bool { return !isOnTop(r) }) {
		return records // the elements of a top-level array
	}
	size := 0
	for _, r := range each(records) {
		size += len(r.Path) + len(r.Value) + len(`{"@path":"","@value":""}`)
	}
	b.arena = slices.Grow(b.arena[:0], size) // so that it seldom moves
	b.records = b.records[:0]
	for _, r := range each(records) {
		from := len(b.arena)
		if len(r.Path) > 0 {
			b.arena = withPath(b.arena, jsonx.AppendCanonicalText(nil, r.Path), r)
			r = structure.Record{Seq: r.Seq}
		} else {
			b.arena = append(b.arena, r.Value...)
		}
		r.Value = b.arena[from:]
		b.records = append(b.records, r)
	}
	return b.records
}

// withPath appends an object of a path, the inside of a JSON string, and the members of a record or else its value.
func withPath(dst, path []byte, r structure.Record) []byte {
	dst = append(append(append(dst, `{"@path":"`...), path...), `",`...)
	c := jsonx.Cursor{Source: r.Value}
	switch {
	case r.IsText:
		return append(jsonx.AppendCanonicalString(append(dst, `"@value":`...), r.Value), '}')
	case c.Kind() != jsonx.Object:
		return append(append(append(dst, `"@value":`...), c.Take()...), '}')
	case c.IsEmpty():
		dst[len(dst)-1] = '}'
		return dst
	}
	return append(dst, c.Take()[1:]...)
}

// arrayOf returns the path up to an index at its end, nil if there is none.
func arrayOf(path []byte) []byte {
	end := bytes.LastIndexByte(path, '.') + 1
	if _, isIndex := value.ParseDigits(path[end:]); !isIndex || end == len(path) {
		return nil
	}
	return path[:end]
}
