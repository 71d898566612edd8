package fields

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
)

const (
	LeastRecords = 5  // before anything can stand out
	timesOfEach  = 8  // that each of few times comes, on average
	LeastNumbers = 12 // before a number can be far out
)

// MayHaveRare says whether a value of a kind can be rare in the field: not where most are different.
func (f *Field) MayHaveRare(k jsonx.Kind) bool {
	total, different := f.Seen.Types[k], max(1, f.Seen.Fresh) // null is no value that others differ from
	switch {
	case f.Seen.Latest != nil: // not all have been counted
		return false
	case total < 2*LeastRecords && !f.Named.IsKey:
		return false
	// times differ as ids do, except that of one event
	case k == jsonx.String && 2*f.TimeCount > total && timesOfEach*different > total:
		return false
	case f.Named.IsKey && 4*different > total:
		return false
	case k == jsonx.Number || k == jsonx.String && f.Written.HasNumerals():
		return float64(different) <= max(4, float64(total)*.06) || f.Seen.hasUsualValue(total)
	}
	return 2*different <= total
}
