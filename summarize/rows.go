package summarize

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
)

// named keeps the name of a record that is the member of a map.
func (r *row) named(name []byte) {
	from := len(r.bytes)
	r.bytes = append(append(append(r.bytes, '"'), jsonx.CutInside(name, maxCellLen)...), '"')
	r.key = ascii.Span{From: from, To: len(r.bytes)}
}
