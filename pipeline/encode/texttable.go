package encode

import (
	"bytes"
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
)

// tableHeader is what stands above the rows of a table.
type tableHeader struct {
	names   []byte // of the columns that have cells, with tabs between
	same    []byte // what all rows have in common
	path    string // where they stood
	around  []byte // the other members of the document, as a JSON object; nil if there are none
	missing []byte // JSON of a cell that a record does not have
}

func headerOf(columns []byte) (h tableHeader) {
	for column := range tabulate.Elements(columns) {
		if column[0] != '{' {
			if len(h.names) > 0 {
				h.names = append(h.names, '\t')
			}
			h.names = appendCell(h.names, column)
			continue
		}
		for name, value := range members(column) {
			switch string(name) {
			case `"@missing"`:
				h.missing = value
			case `"@around"`:
				h.around = value
			case `"@path"`:
				h.path = string(facts.AppendShown(nil, value))
			default:
				h.same = appendMember(h.same, name, value)
			}
		}
	}
	return h
}

// appendTable appends what all rows have in common, a header of the columns that have cells, and the rows. A cell is
// JSON. A string that can't be taken for anything else has no quotes, and a missing cell is empty.
func appendTable(dst []byte, f *Frame) []byte {
	h := headerOf(f.Columns)
	if h.path != "" {
		dst = appendOwn(dst, "rows are at "+h.path)
	}
	if h.around != nil {
		var around []byte
		for name, value := range members(h.around) {
			around = appendMember(around, name, value)
		}
		dst = appendOwn(dst, "around them: "+string(around))
	}
	if len(h.same) > 0 {
		dst = appendOwn(dst, "all rows below have "+string(h.same))
	}
	if len(h.names) > 0 {
		dst = appendLine(dst, h.names)
	}
	var line []byte
	shown := 0
	for row := range tabulate.Elements(f.Rows) {
		if shown > 0 && shown == f.Omitted.After {
			are := " are"
			if f.Omitted.Rows == 1 {
				are = " is"
			}
			dst = appendOwn(dst, "here "+counted(f.Omitted.Rows, "row")+are+" left out")
		}
		shown++
		line = line[:0]
		switch {
		case row[0] == '[' && len(f.Columns) > len("[]"):
			i := 0
			for cell := range tabulate.Elements(row) {
				if i++; i > 1 {
					line = append(line, '\t')
				}
				if h.missing == nil || !bytes.Equal(cell, h.missing) {
					line = appendCell(line, cell)
				}
			}
		case row[0] == '"' && len(h.names) == 0:
			line = facts.AppendShown(line, row)
		default: // in quotes, it can't be taken for cells
			line = append(line, row...)
		}
		dst = appendLine(dst, line)
	}
	return dst
}

// members yields the names and values of a JSON object, all as JSON.
func members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		c := jsonx.Cursor{Source: object}
		c.Enter()
		for {
			inside, ok := c.Member()
			if !ok || !yield(slices.Concat([]byte{'"'}, inside, []byte{'"'}), c.Take()) {
				return
			}
		}
	}
}

// appendMember appends a name and its value, after a comma if others are before it.
func appendMember(line, name, value []byte) []byte {
	if len(line) > 0 {
		line = append(line, ", "...)
	}
	return appendListed(append(appendCell(line, name), '='), value)
}

// appendListed appends a value that others follow after a comma.
func appendListed(dst, value []byte) []byte {
	if readsAsList(value) {
		return append(dst, value...)
	}
	return appendCell(dst, value)
}

// readsAsList reports whether a string needs quotes, as it reads like several values.
func readsAsList(value []byte) bool { return value[0] == '"' && bytes.Contains(value, []byte(", ")) }

// appendCell appends a value; a string without its quotes where it can be taken for nothing else.
func appendCell(dst, value []byte) []byte {
	if len(value) == 0 || value[0] != '"' {
		return append(dst, value...)
	}
	before := len(dst)
	if dst = facts.AppendShown(dst, value); isPlainCell(dst[before:]) {
		return dst
	}
	return append(dst[:before], value...)
}

// isPlainCell reports whether a text without quotes can be taken for nothing but that text.
func isPlainCell(text []byte) bool {
	if len(text) == 0 || string(text) == "null" || string(text) == "true" || string(text) == "false" {
		return false
	}
	switch c := text[0]; {
	case c == '"', c == '[', c == '{', c == '-', ascii.IsDigit(c) && jsonx.Valid(text, 1):
		return false
	}
	return !bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' })
}
