package encode

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/summarize/tabulate"
)

// tableHeader is what stands above the rows of a table.
type tableHeader struct {
	names   []byte // of the columns that have cells, with tabs between
	same    []byte // what all rows have in common
	path    string // where they stood
	around  gjson.Result
	missing string // JSON of a cell that a record does not have
}

func headerOf(columns []byte) (h tableHeader) {
	gjson.ParseBytes(columns).ForEach(func(_, column gjson.Result) bool {
		if !column.IsObject() {
			if len(h.names) > 0 {
				h.names = append(h.names, '\t')
			}
			h.names = appendCell(h.names, column)
			return true
		}
		column.ForEach(func(name, value gjson.Result) bool {
			switch name.String() {
			case "@missing":
				h.missing = value.Raw
			case "@around":
				h.around = value
			case "@path":
				h.path = value.String()
			default:
				if len(h.same) > 0 {
					h.same = append(h.same, ", "...)
				}
				h.same = append(appendCell(h.same, name), '=')
				h.same = appendListed(h.same, value)
			}
			return true
		})
		return true
	})
	return h
}

// appendTable appends what all rows have in common, a header of the columns that have cells, and the rows. A cell is
// JSON. A string that can't be taken for anything else has no quotes, and a missing cell is empty.
func appendTable(dst []byte, f *Frame) []byte {
	h := headerOf(f.Columns)
	if h.path != "" {
		dst = appendOwn(dst, "rows are at "+h.path)
	}
	if h.around.Exists() {
		dst = appendOwn(dst, "around them: "+string(appendMembers(nil, h.around, "=")))
	}
	if len(h.same) > 0 {
		dst = appendOwn(dst, "all rows below have "+string(h.same))
	}
	if len(h.names) > 0 {
		dst = appendLine(dst, h.names)
	}
	var line []byte
	shown := 0
	for element := range tabulate.Elements(f.Rows) {
		row := gjson.ParseBytes(element)
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
		case row.IsArray() && (len(f.Columns) > len("[]")):
			i := 0
			row.ForEach(func(_, cell gjson.Result) bool {
				if i++; i > 1 {
					line = append(line, '\t')
				}
				if h.missing == "" || cell.Raw != h.missing {
					line = appendCell(line, cell)
				}
				return true
			})
		case row.Type == gjson.String && len(h.names) == 0:
			line = append(line, row.String()...)
		default: // in quotes, it can't be taken for cells
			line = append(line, row.Raw...)
		}
		dst = appendLine(dst, line)
	}
	return dst
}

// appendListed appends a value that others follow after a comma.
func appendListed(dst []byte, value gjson.Result) []byte {
	if readsAsList(value) {
		return append(dst, value.Raw...)
	}
	return appendCell(dst, value)
}

// readsAsList says whether a string needs quotes, as it reads like several values.
func readsAsList(value gjson.Result) bool { return strings.Contains(value.Str, ", ") }

func appendCell(dst []byte, cell gjson.Result) []byte {
	if s := cell.String(); cell.Type == gjson.String && plainCell(s) {
		return append(dst, s...)
	}
	return append(dst, cell.Raw...)
}

// plainCell reports whether s without quotes can be taken for nothing but that string.
func plainCell(s string) bool {
	if s == "" || s == "null" || s == "true" || s == "false" {
		return false
	}
	if c := s[0]; c == '"' || c == '[' || c == '{' || c == '-' || c >= '0' && c <= '9' && gjson.Valid(s) {
		return false
	}
	for _, r := range s {
		if r < ' ' {
			return false
		}
	}
	return true
}
