package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/internal/names"
)

// ColumnList is the form of the begin of an INSERT, whose list of columns may name a secret. It is
// no match itself.
type ColumnList struct {
	Names *names.Names // the sensitive ones
}

// Anchors returns the anchors of the form, in lower case.
func (ColumnList) Anchors() []string {
	return []string{"insert into ", "replace into ", "ignore into ", "overwrite into "}
}

// Find implements names.Form: it finds nothing.
func (ColumnList) Find(names.Window, int, int) names.Finding { return names.Finding{} }

// Excludes reports whether the list of columns ends on the line and has no sensitive name.
func (f ColumnList) Excludes(b []byte, _, to int) bool {
	rest := b[to:min(len(b), to+MaxHeader)]
	open, end := bytes.IndexByte(rest, '('), bytes.IndexByte(rest, ')')
	if open < 0 || end < open {
		return bytes.IndexByte(rest, ';') >= 0
	}
	for name := range bytes.SplitSeq(rest[open+1:end], []byte{','}) {
		if f.Names.Of(name) != nil {
			return false
		}
	}
	return true
}
