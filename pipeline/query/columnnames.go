package query

import (
	"iter"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// A response may say once what the cells of its rows are:
// {"columns":["at","host"],"rows":[[17,"a"]]}.

// maxColumnNames is how many different ones are gathered.
const maxColumnNames = 512

// columnNames are the places of cells in their rows by what these are called.
type columnNames map[string]string

// called finds those of the paths whose last part is the name of a column, and makes them lead to its cells.
// It returns the others.
func called(sought []*path, chunks, whole iter.Seq2[split.Chunk, error]) (others []*path, err error) {
	all := columnNames{}
	for c, err := range whole {
		if err != nil {
			return nil, err
		}
		if c.Kind == split.JSON {
			var last string
			if len(c.Path) > 0 {
				parts := partsOf(string(c.Path))
				last = parts[len(parts)-1].text
			}
			all.add(last, gjson.Parse(lentString(c.Content())), 0)
		}
	}
	ways := map[*path][]names{}
	for _, p := range sought {
		for i := range p.names {
			var called []string
			for _, n := range p.names[i:] {
				called = append(called, n.text)
			}
			if place, ok := all[strings.Join(called, ".")]; ok && !p.isWild {
				cell := append(names(nil), p.names[:i]...)
				ways[p] = append(ways[p], append(cell, name{text: place}))
			}
		}
	}
	for c, err := range chunks {
		if err != nil {
			return nil, err
		}
		for p, cells := range ways {
			for _, cell := range cells {
				if c.Kind == split.JSON && cell.in(gjson.Parse(lentString(c.Content())), false).Exists() {
					p.cell, p.source = cell, fromColumnName
					delete(ways, p)
					break
				}
			}
		}
		if len(ways) == 0 {
			break
		}
	}
	for _, p := range sought {
		if p.source != fromColumnName {
			others = append(others, p)
		}
	}
	return others, nil
}

// add adds the names of columns in a value with that name.
func (h columnNames) add(name string, value gjson.Result, depth int) {
	if depth == maxPathDepth || !value.IsArray() && !value.IsObject() {
		return
	}
	index, areNames := 0, value.IsArray() && structure.AreColumnNames([]byte(name))
	value.ForEach(func(key, member gjson.Result) bool {
		if areNames {
			columnName := member
			if member.IsObject() {
				member.ForEach(func(key, value gjson.Result) bool {
					if strings.EqualFold(key.Str, "name") {
						columnName = value
					}
					return true
				})
			}
			if columnName.Type == gjson.String && len(h) < maxColumnNames {
				if _, known := h[columnName.Str]; !known {
					h[strings.Clone(columnName.Str)] = string(appendIndex(nil, index))
				}
			}
		}
		index++
		h.add(key.Str, member, depth+1)
		return true
	})
}

// unboxed returns what is in a cell, or in each of a list of them: the value of its only member if
// it is an object of one.
func unboxed(cell gjson.Result) gjson.Result {
	if cell.IsArray() {
		var all []byte
		cell.ForEach(func(_, one gjson.Result) bool {
			all = append(append(all, ','), unboxed(one).Raw...)
			return true
		})
		if len(all) == 0 {
			return cell
		}
		all[0] = '['
		return gjson.Parse(string(append(all, ']')))
	}
	var inside gjson.Result
	members := 0
	if cell.IsObject() {
		cell.ForEach(func(_, value gjson.Result) bool {
			members++
			inside = value
			return true
		})
	}
	if members == 1 {
		return inside
	}
	return cell
}
