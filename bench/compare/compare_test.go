package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestDocument: docs/benchmark.md is what the program makes from results.json, and its tables are tables.
func TestDocument(t *testing.T) {
	r, err := read("results.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/benchmark.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, r.document()) {
		t.Error("docs/benchmark.md is of other results: go -C bench run ./compare")
	}
	tables := tablesOf(t, string(got))
	if len(tables) != 6 {
		t.Errorf("%d tables", len(tables))
	}
	for i, table := range tables {
		for _, row := range table[1:] {
			for _, cell := range row[1:] {
				if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "-" && cell != "more than 60" {
					t.Errorf("table %d: %q is no number", i+1, cell)
				}
			}
		}
	}
	for _, name := range []string{"kfw", "head and tail", "query"} {
		if !slices.ContainsFunc(tables[0][1:], func(row []string) bool { return row[0] == name }) {
			t.Errorf("nothing is said of %s", name)
		}
	}
	if regexp.MustCompile(`\b20\d\d-\d\d`).Match(got) {
		t.Error("it has a date")
	}
}

// tablesOf returns the cells of all tables, the header first.
func tablesOf(t *testing.T, document string) (all [][][]string) {
	t.Helper()
	isIn := false
	for n, line := range strings.Split(document, "\n") {
		if !strings.HasPrefix(line, "|") {
			isIn = false
			continue
		}
		inner, isWhole := strings.CutSuffix(strings.TrimPrefix(line, "|"), "|")
		cells := strings.Split(inner, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case !isWhole:
			t.Errorf("line %d does not end its row", n+1)
		case !isIn:
			all, isIn = append(all, [][]string{cells}), true
		case len(cells) != len(all[len(all)-1][0]):
			t.Errorf("line %d has %d cells", n+1, len(cells))
		case strings.HasPrefix(cells[0], "---"):
		default:
			all[len(all)-1] = append(all[len(all)-1], cells)
		}
	}
	return all
}

// TestBetter: each figure in which another tool is better is listed.
func TestBetter(t *testing.T) {
	shares := func(share float64) map[string]float64 {
		all := make(map[string]float64)
		for _, budget := range budgets {
			all[key(budget, "all")] = share
		}
		return all
	}
	cases := make(map[string]int)
	for _, budget := range budgets {
		cases[key(budget, "all")] = leastCases
	}
	r := &Results{
		Replay: Replay{Cases: cases, Kept: []Kept{{"kfw", shares(50)}, {"kfw, no question", shares(90)},
			{"head and tail", shares(40)}, {"other", shares(60)}, {"blind", shares(40)}}},
		Edits: Edits{All: 9, Broken: 2},
		Questions: []Answered{{Tool: "kfw", Right: map[string]float64{"500": 10}},
			{Tool: "other", Right: map[string]float64{"500": 20}}},
		Leaks: []Leaked{{Tool: "kfw", Plain: 12, Changed: 1}},
		Costs: []Cost{{Tool: "kfw", StartMS: 20, LargeMS: 500, LargeMB: 30},
			{Tool: "other", StartMS: 10, LargeMS: 400, LargeMB: 20}, {Tool: "slow", StartMS: 90, LargeMB: 10},
			{Tool: "lets pass", StartMS: 1, LargeMS: 1, LargeOut: 100}},
	}
	var b strings.Builder
	r.better(&b)
	for _, want := range []string{"used next, 500 tokens, all: kfw 50, other 60\n",
		"used next, 4000 tokens, all: kfw 50, other 60\n",
		"edits broken: kfw 2 of 9", "questions, 500 tokens: other 20, kfw 10", "harmless values changed: kfw 1 of 12",
		"start, ms: other 10, kfw 20", "s: other 0.4, kfw 0.5", "MB: other 20, kfw 30"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if n := strings.Count(b.String(), "\n- "); n != 4+1+1+1+3 {
		t.Errorf("%d figures:\n%s", n, &b)
	}
}

// TestBaselines: what they show has a bound, and is of the text.
func TestBaselines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b strings.Builder
		for range random.IntN(60) {
			one := []string{"getName ", "é", "{\"a_b\":1},", "x "}[random.IntN(4)]
			b.WriteString(strings.Repeat(one, random.IntN(90)) + "\n")
		}
		text, n := b.String(), 10+random.IntN(2000)
		for name, shown := range map[string]string{"head and tail": headTail(text, n),
			"query": queried(text, "getName a_b", n)} {
			if length(shown) > max(n, 0) || length(text) <= n && shown != text {
				t.Fatalf("%s: %d characters of %d at %d", name, length(shown), length(text), n)
			}
			for line := range strings.SplitSeq(shown, "\n") {
				if line != cut && !strings.Contains(text, line) {
					t.Fatalf("%s: %q is not in the text", name, line)
				}
			}
		}
	}
	lines := strings.Repeat("nothing of use in this line\n", 200)
	shown := queried(lines+"the retryLimit is 5\n"+lines, "[text] where is retryLimit", 600)
	if !strings.Contains(shown, "retryLimit") {
		t.Errorf("query does not show what is asked for: %s", shown)
	}
}

// TestKept: an atom counts as a whole word, a line in full. What kfw puts before a line does not count.
func TestKept(t *testing.T) {
	need := Needed{Atoms: []string{"getName", "352", "a/b.go"}, Lines: []string{"\treturn x"}}
	for shown, want := range map[string]int{
		"x := getName() // in a/b.go\n": 2, "getNames a/b.gone\n": 0, "kfw: 352 lines\nrest": 0, "352: text": 0, "is 352.": 1,
		"     7→\treturn x\n": 1, "12: \treturn x": 1,
	} {
		if got := need.kept(shown); got != want {
			t.Errorf("%q keeps %d, want %d", shown, got, want)
		}
	}
}

// TestPlanted: each form says the secret as it is, each run the same ones, and a card number is valid.
func TestPlanted(t *testing.T) {
	first, second := made{rand.New(rand.NewPCG(seed, seed))}.secrets(), made{rand.New(rand.NewPCG(seed, seed))}.secrets()
	if !slices.Equal(first, second) {
		t.Error("two runs have other secrets")
	}
	for _, p := range first {
		for _, f := range forms {
			if !strings.Contains(f.write(p), p.value) {
				t.Errorf("%s: %s is not in it", f.name, p.kind)
			}
		}
	}
	number := made{rand.New(rand.NewPCG(3, 4))}.card()
	sum := 0
	for i := range number {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			d = d*2/10 + d*2%10
		}
		sum += d
	}
	if len(number) != 16 || sum%10 != 0 {
		t.Errorf("%s is no card number", number)
	}
}

// TestFirstCommand: a program whose name stands in the recorded command can be stood in for; nothing else is.
func TestFirstCommand(t *testing.T) {
	for line, want := range map[string]string{
		"git diff main...HEAD": "git diff main...HEAD", "cd /x && git log 2>&1 | head -5": "git log",
		"go test ./... > out": "go test ./...", "./run.sh": "", "/bin/rm -rf x": "", "echo $(ls)": "", "grep 'a b' c": "",
		"": "",
	} {
		if got := strings.Join(firstCommand(line), " "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
