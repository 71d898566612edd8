package truth

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// notable judges a chunk that stands out: that it has the data, and that an error is one.
func (j *judge) notable(s *Said, n *Notable) {
	if n.Chunk < max(1, s.First) || n.Chunk > s.Last {
		j.says("chunk %d stands out", n.Chunk)
		return
	}
	chunk := j.Chunks[n.Chunk-1]
	if n.Text != chunk && compact(n.Text) != compact(chunk) {
		j.says("chunk %d is not %q", n.Chunk, n.Text)
	}
	if n.Why == "error" && !j.Failures[n.Chunk] {
		j.says("chunk %d, %s: %q is no failure", n.Chunk, n.Why, n.Text)
	}
}

// table judges the cells of a table.
func (j *judge) table(s *Said) {
	t := &s.Table
	view := j.Records.in(s.First, s.Last)
	if j.IsLines {
		view = j.Rows.in(s.First, s.Last)
	}
	if t.path != "" {
		view = j.Inner.in(s.First, s.Last)
		if at := strings.ReplaceAll(j.At, "[]", ".#"); t.path != at {
			j.says("rows are at %s, not at %s", t.path, at)
		}
		if of := j.aroundRecords(); slices.ContainsFunc(t.around, func(f Fact) bool { return !of.has(f) }) {
			j.says("around them: %v", t.around)
		}
	}
	if len(t.columns) == 0 && len(t.same) == 0 && j.IsLines {
		view = nil // lines as they are
		for chunk := s.First; chunk <= s.Last; chunk++ {
			view = append(view, Record{Chunk: chunk})
		}
	}
	for chunk := range j.Texts {
		if s.First <= chunk && chunk <= s.Last {
			view = append(view, Record{Chunk: chunk})
		}
	}
	slices.SortFunc(view, func(a, b Record) int { return a.Chunk - b.Chunk })
	omitted := map[string]int{}
	for _, c := range s.Omitted {
		omitted[c.Value] = c.N
	}
	if len(t.rows)+omitted["rows"] != len(view) {
		j.says("a table of %d rows and %d left out, of %d", len(t.rows), omitted["rows"], len(view))
		return
	}
	after := len(t.rows)
	if omitted["rows"] > 0 {
		after = omitted["after_row"]
	}
	cut := 0
	for i := range t.rows {
		record := view[i]
		if i >= after {
			record = view[len(view)-(len(t.rows)-i)]
		}
		if t.whole[i] != "" {
			row, line := gjson.Parse(t.whole[i]).String(), j.Chunks[record.Chunk-1]
			if !j.isRecord(record.Chunk) && row != line && !(j.isText && plain(row) == line) {
				j.says("row %d: %s is not chunk %d", i, t.whole[i], record.Chunk)
			}
			continue
		}
		for k, column := range t.columns {
			cell := ""
			if k < len(t.rows[i]) {
				cell = t.rows[i][k]
			}
			if strings.Contains(cell, "…") {
				cut++
			}
			j.cell(i, column, cell, record)
		}
		for _, f := range t.same {
			j.cell(i, f.Name, f.Value, record)
		}
	}
	if cells := omitted["cells"]; cells != cut {
		j.says("%d cells are cut, of %d", cells, cut)
	}
}

// aroundRecords returns what is around the records of the only document, with their array left out.
func (j *judge) aroundRecords() Record {
	r := Record{Chunk: 1}
	for _, around := range j.Around {
		r.Values = append(r.Values, around.Values...)
	}
	return r
}

// cell judges one cell of a table.
func (j *judge) cell(row int, column, cell string, record Record) {
	path := j.columnName(column)
	for _, v := range record.Values {
		if v.Path == path {
			if cell == "" || !isValue(cell, v.Raw) {
				j.says("row %d, %s: %q, of %s", row, column, cell, v.Raw)
			}
			return
		}
	}
	isMember := func(v Value) bool {
		return strings.HasPrefix(v.Path, path+".") ||
			strings.HasPrefix(v.Path, path+"[]")
	}
	if slices.ContainsFunc(record.Values, isMember) {
		return // an object or an array
	}
	if cell != "" {
		j.says("row %d, %s: %q, and there is none", row, column, cell)
	}
}
