package fields

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// Scalar is a value that is added, and what is known of it.
type Scalar struct {
	Value    []byte // canonical JSON
	Kind     jsonx.Kind
	Hash     uint64
	Known    int // where it is counted; -1 if it is not yet
	Times    int // it is known to have come, this time included
	Template int // of a text, -1 if it has none
	IsNumber bool
	Number   float64
	IsTime   bool
	Time     value.Timestamp
}

// LeastOfPlain is how often a value has come at least, to be a plain one.
const LeastOfPlain = 3

// IsPlain says whether to come again changes nothing but counts for a value that is no error: it is neither a number
// nor a time.
func (f *Field) IsPlain(v *Scalar) bool {
	switch {
	case v.Known < 0, v.IsNumber, v.IsTime:
		return false
	case v.Kind != jsonx.String:
		return true
	}
	return f.Written.isProse
}
