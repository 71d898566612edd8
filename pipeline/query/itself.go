package query

import (
	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// itself returns what a table or a summary calls by a name of its own: of a chunk that stood at a
// path, this (@path) and the last part of it (@key), and of one that is no object what it is
// (@value).
func itself(name string, c *split.Chunk) (value gjson.Result) {
	var text []byte
	switch {
	case name == "@path" && len(c.Path) > 0:
		text = c.Path
	case name == "@key" && len(c.Path) > 0:
		parts := partsOf(string(c.Path))
		text = []byte(parts[len(parts)-1].text)
	case name == "@value" && c.Kind == split.Text:
		text = c.Content()
	case name == "@value" && c.Kind == split.JSON:
		if of := gjson.Parse(lentString(c.Content())); !of.IsObject() {
			return of
		}
		return value
	default:
		return value
	}
	return gjson.Parse(lentString(jsonx.AppendCanonicalString(nil, text)))
}
