package fields

import "slices"

// WithoutPlaceholders leaves out the values that a placeholder stands for: they need not be the same one.
func WithoutPlaceholders(entries []ValueCount) []ValueCount {
	return slices.DeleteFunc(entries, func(e ValueCount) bool { return e.HasPlaceholder })
}
