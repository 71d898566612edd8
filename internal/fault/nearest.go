package fault

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the names that take the fewest letters to change into name, at most n of them, nearest first. Of
// names that are equally near, one with the same letters comes first: two were exchanged.
func Nearest(name string, names []string, n int) []string {
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

// DidYouMean returns the question whether a name was meant, with what stands before it, or nothing
// if none is close.
func DidYouMean(before, name string, names []string) string {
	if meant := closest(name, names); meant != "" {
		return "did you mean " + before + meant + "?"
	}
	return ""
}

// closest returns the name that a word is most likely a slip for: the nearest of those that begin
// with it, or else the nearest of all, if at most half of the letters of a short word differ, or a
// third of those of a long name.
func closest(word string, names []string) string {
	var begun []string
	for _, name := range names {
		if word != "" && strings.HasPrefix(name, word) {
			begun = append(begun, name)
		}
	}
	if best := Nearest(word, begun, 1); len(best) > 0 {
		return best[0]
	}
	const short = 2 // differences
	best := Nearest(word, names, 1)
	if word == "" || len(best) == 0 {
		return ""
	}
	differ := levenshtein.ComputeDistance(cut(word), best[0])
	// tcsh is no slip for bash
	isOther := !strings.Contains(word[:min(2, len(word))], best[0][:1]) && 2*differ >= len(word)
	if isOther || differ > max(min(short, len(word)/2), len(best[0])/3) {
		return ""
	}
	return best[0]
}

// JoinHints returns two parts of a hint, or the one that there is.
func JoinHints(a, b string) string {
	switch {
	case a == "":
		return b
	case strings.HasSuffix(a, "?"):
		return a + " " + b
	}
	return a + "; " + b
}
