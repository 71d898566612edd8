package gitleaks

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// ruleSource is a file of rules as it was read.
type ruleSource struct {
	path   string
	data   []byte
	config GitleaksConfig
}

// line returns the line of a key, given by the names of tables in lower case and
// by indices of arrays; or of the innermost of these that has a line, or 0. It
// reads the file again, as nothing is kept for errors that there are none of.
func (s *ruleSource) line(at ...any) int {
	wanted := make([]string, len(at))
	for i, part := range at {
		switch part := part.(type) {
		case string:
			wanted[i] = part
		case int:
			wanted[i] = strconv.Itoa(part)
		}
	}
	var p unstable.Parser
	p.Reset(s.data)
	tables := make(map[string]int) // how many of an array there are
	var table []string
	line, best := 0, 0
	for p.NextExpression() {
		e := p.Expression()
		names, offset := keyOf(e)
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = nil
			for i, name := range names {
				table = append(table, name)
				path := strings.Join(table, ".")
				if e.Kind == unstable.ArrayTable && i == len(names)-1 {
					tables[path]++
				}
				if n := tables[path]; n > 0 {
					table = append(table, strconv.Itoa(n-1))
				}
			}
			names = nil
		case unstable.KeyValue:
		default:
			continue
		}
		if n := commonStart(append(table[:len(table):len(table)], names...), wanted); n > best {
			line, best = p.Shape(unstable.Range{Offset: uint32(offset)}).Start.Line, n
		}
	}
	return line
}

// keyOf returns the parts of a key, in lower case, and where it begins.
func keyOf(e *unstable.Node) (names []string, offset int) {
	for key := e.Key(); key.Next(); {
		if names == nil {
			offset = int(key.Node().Raw.Offset)
		}
		names = append(names, strings.ToLower(string(key.Node().Data)))
	}
	return names, offset
}

// commonStart returns the length of path, if wanted begins with it.
func commonStart(path, wanted []string) int {
	if len(path) > len(wanted) {
		return 0
	}
	for i := range path {
		if path[i] != wanted[i] {
			return 0
		}
	}
	return len(path)
}
