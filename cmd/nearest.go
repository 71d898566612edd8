package cmd

import (
	"cmp"
	"slices"
)

// nearest returns the names that take the fewest letters to change into name, at most n of them, nearest first.
func nearest(name string, names []string, n int) []string {
	if len(name) > 256 { // nobody means that, and the time is the product of the lengths
		name = name[:256]
	}
	sorted := slices.SortedStableFunc(slices.Values(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(distance(name, a), distance(name, b)), cmp.Compare(a, b))
	})
	return sorted[:min(n, len(sorted))]
}

// distance is how many bytes have to be put in, taken out or replaced to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0] // of the row before, one to the left
		row[0] = i + 1
		for j := range len(b) {
			replaced := above
			if a[i] != b[j] {
				replaced++
			}
			above = row[j+1]
			row[j+1] = min(replaced, row[j]+1, above+1)
		}
	}
	return row[len(b)]
}
