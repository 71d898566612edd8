package query

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

// field is one of those that alone are kept of each record, as redact.Options has them: arrays are no part of its path.
type field struct {
	path  string
	names []string
}

// Missing yields the chunks, and at the end of a response that is whole a warning of the fields asked for that none
// of them has.
func Missing(chunks iter.Seq2[split.Chunk, error], fields []string, rules *redact.Rules) iter.Seq2[split.Chunk, error] {
	if len(fields) == 0 {
		return chunks
	}
	return func(yield func(split.Chunk, error) bool) {
		var missing []field
		for _, path := range fields {
			// else it is another one in the chunks, too
			if string(rules.Value(nil, []byte(path), redact.Lines)) == path {
				missing = append(missing, field{path, strings.Split(path, ".")})
			}
		}
		isEmpty := true
		for c, err := range chunks {
			if c.Seq > 0 {
				isEmpty = false
				missing = slices.DeleteFunc(missing, func(f field) bool { return f.isIn(c) })
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
		if len(missing) > 0 && !isEmpty {
			yield(split.Chunk{Warnings: []split.Warning{{What: "no chunk has " + listed(missing)}}}, nil)
		}
	}
}

// isIn reports whether the chunk has the field, or stood in it.
func (f *field) isIn(c split.Chunk) bool {
	names := f.names
	if len(c.Path) > 0 {
		for _, above := range namesOf(string(c.Path)) {
			switch {
			case len(names) == 0:
				return true
			case above.text == names[0]:
				names = names[1:]
			case !isInteger(above.text): // else it is an element
				return false
			}
		}
	}
	return len(names) == 0 || c.Kind == split.JSON && leadsOn(gjson.Parse(lentString(c.Content())), names, 0)
}

// leadsOn reports whether the names lead to something in value, or may: arrays are looked into only so far.
func leadsOn(value gjson.Result, names []string, depth int) (found bool) {
	switch {
	case len(names) == 0 || depth == maxNested:
		return true
	case value.IsArray():
		value.ForEach(func(_, element gjson.Result) bool {
			found = leadsOn(element, names, depth+1)
			return !found
		})
	case value.IsObject():
		value.ForEach(func(key, member gjson.Result) bool {
			found = key.Str == names[0] && leadsOn(member, names[1:], depth)
			return !found
		})
	}
	return found
}

func listed(fields []field) string {
	const most = 3
	text := "the field "
	if len(fields) > 1 {
		text = "the fields "
	}
	for i, f := range fields[:min(len(fields), most)] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q", f.path)
	}
	if more := len(fields) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
