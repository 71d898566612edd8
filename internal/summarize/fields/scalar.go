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
	IsNumber bool
	IsTime   bool
	Time     value.Timestamp
}
