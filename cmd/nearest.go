package cmd

import (
	"cmp"
	"slices"

	"github.com/agnivade/levenshtein"
)

// nearest returns the names that take the fewest letters to change into name, at most n of them, nearest first. Of
// names that are equally near, one with the same letters comes first: two were exchanged.
func nearest(name string, names []string, n int) []string {
	name = cut(name)
	letters := sortedLetters(name)
	differs := func(other string) int {
		if sortedLetters(other) == letters {
			return 0
		}
		return 1
	}
	sorted := slices.SortedStableFunc(slices.Values(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(levenshtein.ComputeDistance(name, a), levenshtein.ComputeDistance(name, b)),
			cmp.Compare(differs(a), differs(b)), cmp.Compare(a, b))
	})
	return sorted[:min(n, len(sorted))]
}

func sortedLetters(name string) string { return string(slices.Sorted(slices.Values([]rune(name)))) }

// cut bounds a name that is compared: the time is the product of the lengths.
func cut(name string) string { return name[:min(len(name), 256)] }
