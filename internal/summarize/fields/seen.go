package fields

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
)

// Seen is which values of a field came, of which types and how often.
type Seen struct {
	Values       int              // of all types; more than records for elements of arrays
	Types        [jsonx.Kinds]int // values by type
	Counted      int              // values that are scalars or empty containers
	Counts       ValueCounts
	Distinct     sketch.Distinct
	Placeholders int        // strings of which a placeholder is all that is left: they need not be equal
	Blobs        int        // of these, labels of blobs
	IsBlurred    bool       // others have one
	Example      ValueCount // one of the values, when isUnique
	IsUnique     bool       // nearly no value came twice: the most frequent are not counted
	Latest       *latest    // of its values, when isUnique
}
