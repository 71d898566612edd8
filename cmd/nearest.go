package cmd

import (
	"cmp"
	"slices"

	"github.com/agnivade/levenshtein"
)

// nearest returns the names that take the fewest letters to change into name, at most n of them, nearest first.
func nearest(name string, names []string, n int) []string {
	name = cut(name)
	sorted := slices.SortedStableFunc(slices.Values(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(levenshtein.ComputeDistance(name, a), levenshtein.ComputeDistance(name, b)), cmp.Compare(a, b))
	})
	return sorted[:min(n, len(sorted))]
}

// cut bounds a name that is compared: the time is the product of the lengths.
func cut(name string) string { return name[:min(len(name), 256)] }
