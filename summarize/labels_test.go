package summarize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestLabelsOfAlternatingWords checks each number of lines in which words and numbers alternate:
// a number has the word that it belongs to, or no label.
func TestLabelsOfAlternatingWords(t *testing.T) {
	for _, test := range []struct{ line, labels string }{
		{"suite NAME: N passed M failed O skipped", "failed=M passed=N skipped=O"},
		{"passed N failed M skipped O", "failed=M passed=N skipped=O"},
		{"suite NAME: N passed, M failed, O skipped", "failed=M passed=N skipped=O"},
		{"Tests run: N, Failures: M, Errors: O", "Errors=O Failures=M run=N"},
		{"passed: N failed: M skipped: O in all", "failed=M passed=N skipped=O"},
		{"N passed M failed O", ""},                     // the direction is unknown
		{"suite alpha N passed M failed O skipped", ""}, // and so it is here
		{"suite alpha N passed, M failed", "alpha passed=N failed=M"},
		{"retries N of M", "retries=N"},
		{"read N ms wrote M ms", "read=N wrote=M"},
		{"read Nms wrote Mms", "read ms=N wrote ms=M"},
		{"Nms read Mms written", "read ms=N written ms=M"},
		{"took N ms M rows O pages", "pages=O rows=M took=N"},
		{"NAME: took N then took M", ""}, // two numbers of one line have the same label
		{"finished (N retries) for NAME", "retries=N"},
	} {
		var b strings.Builder
		numbers := map[string][]int{}
		for i := range 300 {
			of := map[string]int{"N": 20 + i*i%41, "M": i * 7 % 19, "O": 100 + i*i%83}
			for name, n := range of {
				numbers[name] = append(numbers[name], n)
			}
			line := strings.ReplaceAll(test.line, "NAME", nameOf(i%5))
			for name, n := range of {
				line = strings.ReplaceAll(line, name, fmt.Sprint(n))
			}
			b.WriteString(line + "\n")
		}
		var got []string
		for label, m := range measuresOf(t, watched(linesOf(b.String()))).Measures {
			name := "?"
			for of, all := range numbers {
				if int(m.N) == len(all) && int(m.Min) == slices.Min(all) && int(m.Max) == slices.Max(all) {
					name = of
				}
			}
			got = append(got, label+"="+name)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != test.labels {
			t.Errorf("%s: %q, not %q", test.line, strings.Join(got, " "), test.labels)
		}
	}
}

// TestLabelsAreTrue generates templates with a known label for each number: no measure has numbers
// of another label, and none counts a number twice.
func TestLabelsAreTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 1))
	words := strings.Fields("passed failed skipped errors rows pages retries hits misses queued dropped active")
	heads := []string{"", "suite NAME: ", "run of NAME ", "[NAME] ", "job NAME done, ", "total: ", "NAME ", "all went "}
	tails := []string{"", " for NAME", ".", " (NAME)", " well"}
	separators := []string{" ", ", ", "; "}
	shown := 0
	for seed := range 300 {
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		count := 1 + random.IntN(4)
		form := heads[random.IntN(len(heads))]
		isAfter, separator := random.IntN(2) == 0, separators[random.IntN(len(separators))]
		colon := []string{"", ":"}[random.IntN(2)]
		for i := range count {
			if i > 0 {
				form += separator
			}
			if isAfter {
				form += fmt.Sprintf("#%d %s", i, words[i])
			} else {
				form += fmt.Sprintf("%s%s #%d", words[i], colon, i)
			}
		}
		form += tails[random.IntN(len(tails))]
		numbers := map[string][]float64{}
		var b strings.Builder
		for line := range 200 {
			name := nameOf(line % 6)
			text := strings.ReplaceAll(form, "NAME", name)
			for i := range count {
				n := (random.IntN(50) + 7) * (i + 1)
				if random.IntN(3) == 0 {
					n = i
				}
				for _, label := range []string{words[i], name + " " + words[i]} {
					numbers[label] = append(numbers[label], float64(n))
				}
				text = strings.ReplaceAll(text, fmt.Sprintf("#%d", i), fmt.Sprint(n))
			}
			b.WriteString(text + "\n")
		}
		for label, m := range measuresOf(t, watched(linesOf(b.String()))).Measures {
			shown++
			isTrue := slices.ContainsFunc(append(strings.Fields(label), label), func(label string) bool {
				all := numbers[label]
				return len(all) == int(m.N) && slices.Min(all) == m.Min && slices.Max(all) == m.Max
			})
			if !isTrue {
				t.Errorf("seed %d, %q: %s: %+v", seed, form, label, m)
			}
		}
	}
	if shown < 300 {
		t.Errorf("only %d measures", shown)
	}
}
