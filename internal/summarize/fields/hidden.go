package fields

import "slices"

// WithoutHidden leaves out the values that a placeholder stands for: they need not be the same one.
func WithoutHidden(entries []ValueCount) []ValueCount {
	return slices.DeleteFunc(entries, func(e ValueCount) bool { return e.IsHidden })
}
