package truth

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// notable judges a chunk that stands out: that it has the data, that it is under the line that is
// shown over it, and that an error is one.
func (j *judge) notable(s *Said, n *Notable) {
	if n.Chunk < max(1, s.First) || n.Chunk > s.Last {
		j.says("chunk %d stands out", n.Chunk)
		return
	}
	isText := func() { j.notableText(s, n) }
	isFields := func() { j.notableFields(s, n) }
	switch {
	case !j.IsLines || len(n.Fields) > 0 && !n.IsText:
		isFields()
	case n.IsText && len(n.Fields) > 0:
		j.either(isFields, isText)
	default:
		isText()
	}
	j.why(s, n)
}

// notableText judges a line that stands out, with what is shown before and after it.
func (j *judge) notableText(s *Said, n *Notable) {
	lines := strings.Split(n.Text, "\n")
	is := func(text string, chunk int) bool {
		return chunk >= 1 && chunk <= len(j.Chunks) &&
			(isCutOf(text, j.Chunks[chunk-1]) || isCutOf(text, strings.TrimSpace(j.Chunks[chunk-1])) ||
				text == oneBlank(j.Chunks[chunk-1]))
	}
	at := slices.IndexFunc(lines, func(line string) bool { return is(line, n.Chunk) })
	if at < 0 {
		j.says("chunk %d is not %q", n.Chunk, n.Text)
		return
	}
	if at > 1 {
		j.says("chunk %d: %d lines before it: %q", n.Chunk, at, n.Text)
	} else if at == 1 {
		isOwner := slices.ContainsFunc(j.Owners[n.Chunk], func(owner int) bool { return is(lines[0], owner) })
		if !isOwner {
			j.says("chunk %d, %q, is under %q; its own: %v", n.Chunk, lines[1], lines[0], j.ownersOf(n.Chunk))
		}
	}
	for i, line := range lines[at+1:] {
		if chunk := n.Chunk + 1 + i; !is(line, chunk) || !j.Joined[chunk] {
			j.says("chunk %d, %q, goes on with %q", n.Chunk, lines[at], line)
		}
	}
}

func oneBlank(line string) string { return strings.Join(strings.Fields(line), " ") }

func (j *judge) ownersOf(chunk int) (lines []string) {
	for _, owner := range j.Owners[chunk] {
		lines = append(lines, j.Chunks[owner-1])
	}
	return lines
}

// notableFields judges what is told of a record that stands out.
func (j *judge) notableFields(s *Said, n *Notable) {
	if len(n.Fields) == 1 && n.Fields[0].Name == "@all" {
		if compact(n.Fields[0].Value) != compact(j.Chunks[n.Chunk-1]) {
			j.says("chunk %d is not %s", n.Chunk, n.Fields[0].Value)
		}
		return
	}
	told := slices.Clone(n.Fields)
	for i := range told {
		told[i].Name = j.columnName(told[i].Name)
	}
	j.recordFacts("chunk "+number0(n.Chunk), told, j.recordsOf(n.Chunk))
}

func number0(n int) string { return gjson.Parse(jsonOf(n, "")).Raw }

// why judges the reason by which a chunk stands out: an error has to be one, numbers and times have
// to be those of the data.
func (j *judge) why(s *Said, n *Notable) {
	form := formOfWhy(n.Why)
	switch {
	case form == "error" || form == "error in FIELD" || form == "rare trace":
		if !j.Failures[n.Chunk] {
			j.says("chunk %d, %s: %q is no failure", n.Chunk, n.Why, n.Text+factsText(n.Fields))
		}
	case form == "number far out" && strings.Contains(n.Why, ": "), form == "rare number", form == "numbers jump":
		value := n.Why[strings.LastIndexAny(n.Why, " ")+1:]
		if j.IsLines && !strings.Contains(strings.ReplaceAll(j.Chunks[n.Chunk-1], ",", ""), value) {
			j.says("chunk %d, %s: there is no %s in it", n.Chunk, n.Why, value)
		}
	case form == "no row of the table":
		if slices.ContainsFunc(j.Rows, func(r Record) bool { return r.Chunk == n.Chunk }) {
			j.says("chunk %d, %s: it is one", n.Chunk, n.Why)
		}
	}
	if form == "numbers jump" {
		j.jump(s, n)
	}
}

// jump judges a gap in numbers that count: no number between may be in another line.
func (j *judge) jump(s *Said, n *Notable) {
	words := strings.Fields(n.Why) // numbers jump from A to B
	from, to := number(words[3]), number(words[5])
	if to != from+2 {
		return
	}
	between := number0(from + 1)
	first, _, _ := strings.Cut(j.Chunks[n.Chunk-1], " ")
	for _, line := range j.Chunks[s.First-1 : n.Chunk] {
		if strings.HasPrefix(line, first+" ") && slices.Contains(strings.FieldsFunc(line,
			func(r rune) bool { return r < '0' || r > '9' }), between) {
			j.says("chunk %d, %s: and there is %q", n.Chunk, n.Why, line)
			return
		}
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
		j.recordFacts("around them", t.around, []Record{j.aroundRecords()})
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
