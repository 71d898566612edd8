package fields

import (
	"math"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/worth"
)

// MaxFewValues is how many different values a field has at most for each of them to be shown; of
// more, the most frequent ones are, or a range.
const MaxFewValues = 8

// spread is how evenly the few values of a field come, from 0 to 1: their entropy in bits, 1 at most.
func (f *Seen) spread() float64 {
	bits := 0.0
	for _, e := range f.Counts.Entries {
		share := float64(e.Count) / float64(f.Counted)
		bits -= share * math.Log2(share)
	}
	return min(1, bits)
}

// IsOneTypeOrNull says whether some of the values are null and all others of one type.
func (f *Seen) IsOneTypeOrNull() bool {
	return f.Types[jsonx.Null] > 0 && f.TypesSeen() == 2 && f.Counted > f.Types[jsonx.Null]
}

// ValuesShown is how many of few values are shown at a level.
func (f *Seen) ValuesShown(l worth.Level) int {
	if l == worth.Basic {
		return min(len(f.Counts.Entries), MaxFewValues/2)
	}
	return len(f.Counts.Entries)
}

// ListsNull reports whether null is one of the few values that are shown at a level.
func (f *Seen) ListsNull(l worth.Level) bool {
	return f.HasFewValues() && f.RankOfNull() < f.ValuesShown(l)
}

// RankOfNull is how many of the values came as often as null, or more often.
func (f *Seen) RankOfNull() (rank int) {
	for _, e := range f.Counts.Entries {
		if string(e.Text) != "null" && e.Count >= f.Types[jsonx.Null] {
			rank++
		}
	}
	return rank
}

// IsConstant reports whether every value was counted, and all are the same.
func (f *Seen) IsConstant() bool {
	return f.IsExact() && len(f.Counts.Entries) == 1 && f.Counted == f.Values
}

// HasFewValues reports whether no more than MaxFewValues different values were counted, and none
// lost its place to another.
func (f *Seen) HasFewValues() bool { return f.IsExact() && len(f.Counts.Entries) <= MaxFewValues }
