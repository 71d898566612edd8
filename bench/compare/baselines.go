package main

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Each baseline shows at most n characters of a text. The marks for omitted parts count.

// cut stands where lines are left out.
const cut = "…"

const (
	longLine          = 300 // a longer one is taken in pieces, in characters
	leastPiece, piece = 100, 240
)

// units returns the lines of a text; one that is long (JSON) in pieces that end after a comma, a brace or a space.
func units(text string) (all []string) {
	for line := range strings.SplitSeq(text, "\n") {
		rest := []rune(line)
		for len(rest) > longLine {
			at := piece
			for i := piece - 1; i >= leastPiece; i-- {
				if strings.ContainsRune(",} ", rest[i]) {
					at = i + 1
					break
				}
			}
			all, rest = append(all, string(rest[:at])), rest[at:]
		}
		all = append(all, string(rest))
	}
	return all
}

// clipped returns the first characters of a text.
func clipped(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n])
	}
	return text
}

func length(text string) int { return len([]rune(text)) }

// show writes the chosen lines in their order.
func show(lines []string, chosen map[int]bool) string {
	var out []string
	last := -1
	for _, i := range slices.Sorted(maps.Keys(chosen)) {
		if i != last+1 {
			out = append(out, cut)
		}
		out, last = append(out, lines[i]), i
	}
	return strings.Join(out, "\n")
}

// ends chooses whole lines from both ends by turns, while they fit in n characters, and returns how many they take.
func ends(lines []string, n int, chosen map[int]bool) (used int) {
	head, tail := 0, 0
	for i, j := 0, len(lines)-1; i <= j; {
		at := i
		if head > tail {
			at = j
		}
		cost := length(lines[at]) + 1
		if used+cost > n {
			break
		}
		chosen[at] = true
		used += cost
		if at == i {
			i, head = i+1, head+cost
		} else {
			j, tail = j-1, tail+cost
		}
	}
	return used
}

func headTail(text string, n int) string {
	if length(text) <= n {
		return text
	}
	lines, chosen := units(text), make(map[int]bool)
	ends(lines, n-2, chosen)
	return clipped(show(lines, chosen), n)
}

var (
	wordForm = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)
	partForm = regexp.MustCompile(`[A-Z]?[a-z]{3,}|[A-Z]{3,}`)
	common   = words("the and for with this that from are was not but you have will can all any has had its our your " +
		"into then than when what which let now use using me check see file files look need should call text")
)

// words returns the words of a text in lower case, and their parts.
func words(text string) map[string]bool {
	all := make(map[string]bool)
	for _, word := range wordForm.FindAllString(text, -1) {
		all[strings.ToLower(word)] = true
		if parts := partForm.FindAllString(word, -1); len(parts) > 1 {
			for _, part := range parts {
				all[strings.ToLower(part)] = true
			}
		}
	}
	return all
}

// older is how much less a word counts for each text or call after the one that it is in.
const older = 0.8

// weights returns how much each word counts of what the agent said last.
func weights(about string) map[string]float64 {
	all := make(map[string]float64)
	parts := strings.Split(about, "\n[")
	slices.Reverse(parts)
	for k, part := range parts {
		for word := range words(part) {
			if !common[word] {
				all[word] = max(all[word], math.Pow(older, float64(k)))
			}
		}
	}
	return all
}

// scores returns what each line is worth: the rarer the words of the agent that it has, the more.
func scores(lines []string, about string) []float64 {
	weight, count := weights(about), make(map[string]int)
	sets := make([]map[string]bool, len(lines))
	for i, line := range lines {
		sets[i] = words(line)
		for word := range sets[i] {
			count[word]++
		}
	}
	all := make([]float64, len(lines))
	for i, set := range sets {
		for _, word := range slices.Sorted(maps.Keys(set)) { // in order, so that sums are equal in each run
			if w, isAsked := weight[word]; isAsked {
				all[i] += w * math.Log(1+float64(len(lines))/float64(count[word]))
			}
		}
		all[i] /= 1 + 0.02*float64(length(lines[i]))
	}
	return all
}

// queried gives half of the characters to both ends, half to the lines with the rarest words of what the agent said
// last, each with its neighbours.
func queried(text, about string, n int) string {
	if length(text) <= n {
		return text
	}
	const mark = 2 // characters of a cut and its line end
	lines, chosen := units(text), make(map[int]bool)
	score := scores(lines, about)
	used := ends(lines, n/2, chosen)
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	take := func(i, more int) {
		if i >= 0 && i < len(lines) && !chosen[i] && used+length(lines[i])+1+mark <= n {
			chosen[i] = true
			used += length(lines[i]) + more
		}
	}
	for _, i := range order {
		if score[i] <= 0 {
			break
		}
		for _, near := range []int{i, i + 1, i - 1} {
			take(near, 1+mark)
		}
	}
	for i := range lines { // what is left, from the beginning
		take(i, 1)
	}
	return clipped(show(lines, chosen), n)
}
