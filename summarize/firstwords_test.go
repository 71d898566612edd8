package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFirstWords: where lines of many forms begin with one of a few words, it is told how many begin with each.
func TestFirstWords(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	forms := []string{"served page %d", "cache has no key k%d", "took %d ms in all", "is up"}
	for round := range 20 {
		var text strings.Builder
		counts := map[string]int{}
		for range 300 {
			first := []string{"api-1", "db-1", "worker", "api-2"}[min(random.IntN(4), random.IntN(4))]
			counts[first]++
			form := forms[random.IntN(len(forms))]
			if strings.Contains(form, "%") {
				form = fmt.Sprintf(form, random.IntN(1000))
			}
			fmt.Fprintf(&text, "%-8s %s\n", first, form)
		}
		others := round % 2 * 10
		for i := range others {
			fmt.Fprintf(&text, "%d others\n", i)
		}
		var facts map[string]any
		decode(t, watched(linesOf(text.String())).Facts(anyLength).JSON(), &facts)
		name := "first_words"
		if others > 0 {
			name += "~"
		}
		told, _ := facts[name].(map[string]any)
		for word, n := range counts {
			if fmt.Sprint(told[word]) != fmt.Sprint(n) {
				t.Errorf("%d lines begin with %s: %v", n, word, facts)
			}
		}
	}
}

// TestNoFirstWords: words that each begin one form, and too many of them, are told with the forms alone.
func TestNoFirstWords(t *testing.T) {
	var one, many strings.Builder
	for i := range 400 {
		fmt.Fprintf(&one, "%s of %d\n", []string{"read", "write", "seek"}[i%3], i)
		fmt.Fprintf(&many, "%s %s of it\n", nameOf(i%40), []string{"read", "all"}[i/40%2])
	}
	for _, text := range []string{one.String(), many.String()} {
		if facts := string(watched(linesOf(text)).Facts(anyLength).JSON()); strings.Contains(facts, "first_words") {
			t.Error(facts)
		}
	}
}
