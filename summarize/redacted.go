package summarize

import "slices"

// withoutRedacted leaves out the values that are redacted: they need not be the same one.
func withoutRedacted(entries []valueCount) []valueCount {
	return slices.DeleteFunc(entries, func(e valueCount) bool { return e.isHidden })
}
