package texttable

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
)

// doubtfulHeader is the header of a table of texts, as long as it may be the first row.
type doubtfulHeader struct {
	Line   textLine
	IsKept bool
	Times  int                         // that it came
	again  [formats.MaxTextColumns]int // rows that have the same cell as the header, by column
	rows   int                         // since the header
}

const (
	leastAgain = 3  // rows that have the cell of the header in the only column where any has,
	shareAgain = 20 // and of so many rows one
)

// Keep keeps a header, if it may be a row.
func (h *doubtfulHeader) Keep(line *textLine, mayBeRow bool) {
	*h = doubtfulHeader{Line: textLine{Seq: line.Seq, Text: append(h.Line.Text[:0], line.Text...)}, IsKept: mayBeRow,
		Times: 1}
}

// ComesAgain counts the row that has been cut, and reports whether the rows have had the cells of the
// header so often that it is one of them.
func (t *Table) ComesAgain(line []byte) bool {
	h, c := &t.Header, &t.Columns
	h.rows++
	isSame := false
	for i := range c.All {
		if bytes.Equal(formats.Unquoted(t.Row.Spans[i].Of(line)), c.All[i].Name) {
			h.again[i]++
			isSame = true
		}
	}
	return isSame && c.isHeaderAgainIn(h.again[:len(c.All)], h.rows)
}

// isHeaderAgainIn reports whether so many rows had the cell of the header in each column that it is a
// row. One column alone may have its own name as a value.
func (c *columns) isHeaderAgainIn(again []int, rows int) bool {
	columns, only := 0, 0
	for i, n := range again {
		if n > 0 && !c.isStateName(i) {
			columns++
			only = i
		}
	}
	switch columns {
	case 0:
		return false
	case 1:
		isOften := again[only] >= leastAgain && shareAgain*again[only] >= rows || rows <= MaxHeld
		return isOften && !IsUsualName(c.All[only].Name)
	}
	return true
}

// isStateName reports whether a column has a name of one letter, which may be one of its values: S of top.
func (c *columns) isStateName(i int) bool { return c.Separator == 0 && len(c.All[i].Name) == 1 }

// IsUsualName reports whether a name is one that columns have and that is a value of a column of names, too.
func IsUsualName(name []byte) bool {
	switch string(bytes.ToLower(name)) {
	case "name", "id", "type", "kind", "status", "state", "key", "value", "path", "user", "date", "time", "title",
		"description", "version", "label", "code", "group", "role", "url", "email", "message", "level", "size",
		"count", "total", "source", "target", "namespace", "region", "host", "service", "column", "field", "default":
		return true
	}
	return false
}

// readsAsRow reports whether what reads like a header is a row: others have the same cells, or all have
// cells of its shape with other digits in a column.
func (c *columns) readsAsRow(e *evidence) bool {
	for i := range c.All {
		if e.likeName[i] == e.rows {
			return true
		}
	}
	return c.isHeaderAgainIn(e.same[:len(c.All)], e.rows)
}

// hasShapeOf reports whether a cell and a name have the same marks and runs of digits and letters in the
// same order, and digits among them.
func hasShapeOf(cell, name []byte) bool {
	i, j, digits := 0, 0, false
	for i < len(cell) && j < len(name) {
		a, b := shapeOf(cell[i]), shapeOf(name[j])
		if a != b {
			return false
		}
		digits = digits || a == '0'
		i, j = i+1, j+1
		if a != '0' && a != 'a' {
			continue
		}
		for i < len(cell) && shapeOf(cell[i]) == a {
			i++
		}
		for j < len(name) && shapeOf(name[j]) == a {
			j++
		}
	}
	return digits && i == len(cell) && j == len(name)
}

// shapeOf returns a byte that stands for any digit or any letter, and other bytes as they are.
func shapeOf(c byte) byte {
	switch {
	case ascii.IsDigit(c):
		return '0'
	case ascii.IsLetter(c), c >= 0x80:
		return 'a'
	}
	return c
}
