package fields

import "github.com/kfw-dev/kfw/internal/summarize/formats"

// Naming is how lines name a field: by a key, a pair or a column.
type Naming struct {
	IsKey     bool  // of lines that are a name and its value
	IsPair    bool  // or have such among others
	Column    int32 // of a name that lines begin with: where it begins
	Outermost int   // of the same name: the place in the column where it came first
	IsColumn  bool  // of lines that are rows
	Prose     int   // values of such that are long
}

// IsMostlyProse says whether the values of a name are sentences, of which the templates of their lines tell more.
func (f *Field) IsMostlyProse() bool {
	return f.Named.Prose > formats.LeastOfKey && formats.ProseOfKey*f.Named.Prose > f.Seen.Values
}
