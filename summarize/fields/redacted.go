package fields

import "slices"

// WithoutRedacted leaves out the values that are redacted: they need not be the same one.
func WithoutRedacted(entries []ValueCount) []ValueCount {
	return slices.DeleteFunc(entries, func(e ValueCount) bool { return e.IsHidden })
}
