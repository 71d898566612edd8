package cmd

import (
	"cmp"
	"slices"

	"github.com/agnivade/levenshtein"
)

// nearest returns the names that take the fewest letters to change into name, at most n of them, nearest first.
func nearest(name string, names []string, n int) []string {
	if len(name) > 256 { // nobody means that, and the time is the product of the lengths
		name = name[:256]
	}
	sorted := slices.SortedStableFunc(slices.Values(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(levenshtein.ComputeDistance(name, a), levenshtein.ComputeDistance(name, b)), cmp.Compare(a, b))
	})
	return sorted[:min(n, len(sorted))]
}
