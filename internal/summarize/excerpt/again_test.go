package excerpt

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

// remembered is the name of the page that has shown a line.
type remembered map[string]string

func lineKey(n int, text []byte) string { return fmt.Sprint(n, ":", string(text)) }

func (m remembered) Where(n int, text []byte) string { return m[lineKey(n, text)] }

// TestAgain: pages of the same response to other questions show no line that one before has shown whole, and what they
// say to be shown in a page was shown there. Each is a page as any other. In the end all is shown, or nothing more
// fits.
func TestAgain(t *testing.T) {
	runs, all := 0, 0
	for seed := range uint64(testdepth.Cases(300)) {
		r := rand.New(rand.NewPCG(seed, 11))
		units := randomUnits(r)
		noun := "line"
		if units[0].IsRecord {
			noun = "record"
		}
		memory, before := remembered{}, map[int]string{}
		for number := 1; number <= 6; number++ {
			about := []string{"", "which bed does the gardener water", "part 17", "what grows in the orchard",
				"ok"}[r.IntN(5)]
			tokens := 60 + r.IntN(1200)
			room := Room{Tokens: float64(tokens), Measure: chars, Noun: noun, Layout: Text{}}
			e := New(question.Parse([]byte(about)), tokens, memory, nil)
			for _, u := range units {
				e.Watch(u)
			}
			for _, u := range units {
				e.Choose(u)
			}
			composed := e.Compose(room)
			page := composed.Append(nil, Text{})
			if cost := chars(page); cost > room.Tokens {
				t.Errorf("seed %d: %v tokens, of %d", seed, cost, tokens)
			}
			read := &reader{units: units, before: before, shown: map[int]bool{}}
			if wrong := read.read(string(page)); wrong != "" {
				t.Fatalf("seed %d, page %d: %s\n%s", seed, number, wrong, page)
			}
			name := fmt.Sprint("h", number)
			for n := range read.shown {
				if before[n] != "" {
					t.Fatalf("seed %d: unit %d is shown by %s and again:\n%s", seed, n, before[n], page)
				}
				before[n] = name
			}
			for _, line := range composed.Shown {
				memory[lineKey(line.N, line.Text)] = name
			}
			known, _ := e.Known(noun)
			for line := range strings.Lines(string(page)) {
				if gap := aGap.FindStringSubmatch(strings.TrimSuffix(line, "\n")); gap != nil && gap[2] != "" {
					runs++
				}
			}
			if known > len(before) {
				t.Errorf("seed %d: %d units are known, of %d", seed, known, len(before))
			}
		}
		if len(before) == len(units) {
			all++
		}
	}
	if runs == 0 || all == 0 {
		t.Errorf("%d lines about runs, %d responses shown whole", runs, all)
	}
}

// TestRead: of a file of which lines were read before under their numbers, those that are unchanged are one line, and
// the others are shown.
func TestRead(t *testing.T) {
	read := func(from, to int, others map[int]string) (lines []string) {
		for i := from; i <= to; i++ {
			line := fmt.Sprintf("%6d\tplant %d of bed %d", i, i*i, i%7)
			if other, isOther := others[i]; isOther {
				line = fmt.Sprintf("%6d\t%s", i, other)
			}
			lines = append(lines, line)
		}
		return lines
	}
	memory := remembered{}
	for _, line := range read(1, 60, nil) {
		memory[line] = "h1"
	}
	for _, line := range read(61, 80, nil) {
		memory[line] = "h2"
	}
	lines := read(40, 100, map[int]string{55: "rake", 56: "dig", 59: "sow"})
	e := New(nil, 1000, byText(memory), nil)
	for _, u := range unitsOf(lines) {
		e.Watch(u)
	}
	for _, u := range unitsOf(lines) {
		e.Choose(u)
	}
	page := e.Compose(Room{Tokens: 1000, Measure: chars, Noun: "line", Layout: Text{}}).Append(nil, Text{})
	want := "… 15 lines as shown in h1\n    55\trake\n    56\tdig\n… 2 lines\n    59\tsow\n… 1 line\n" +
		"… 20 lines as shown in h2\n" + strings.Join(lines[41:], "\n") + "\n"
	if string(page) != want {
		t.Errorf("got\n%s\nwant\n%s", page, want)
	}
	if n, what := e.Known("line"); n != 3 || what != "lines left out, as shown in h1" {
		t.Errorf("%d %s", n, what)
	}
	// What a gap holds follows from its place.
	lines = slices.Concat(read(1, 20, nil), read(40, 50, nil), read(90, 100, nil))
	e = New(nil, 1000, byText(memory), nil)
	for _, u := range unitsOf(lines) {
		e.Watch(u)
	}
	for _, u := range unitsOf(lines) {
		e.Choose(u)
	}
	page = e.Compose(Room{Tokens: 1000, Measure: chars, Noun: "line", Layout: Text{}}).Append(nil, Text{})
	want = "… 20 lines as shown in h1\n… 11 lines as shown in h1\n" + strings.Join(lines[31:], "\n") + "\n"
	if string(page) != want {
		t.Errorf("got\n%s\nwant\n%s", page, want)
	}
	for _, c := range []struct {
		text string
		is   bool
	}{
		{strings.Join(read(40, 100, nil), "\n"), true},
		{strings.Join(lines[:5], "\n"), false},
		{strings.Join(linesAs(lines, "a.go:%d:%s"), "\n"), false},
		{strings.Join(linesAs(lines, "%[1]d%[1]d\t%[2]s"), "\n"), false},
		{strings.Join(linesAs(lines, "%[2]s"), "\n") + strings.Repeat("\nend", 100), false},
	} {
		if got := IsRead(c.text); got != c.is {
			t.Errorf("%v: %.60q", got, c.text)
		}
	}
}

// byText is a memory of lines whatever their place.
type byText remembered

func (m byText) Where(_ int, text []byte) string { return m[string(text)] }

// linesAs returns lines in another form, in which number and text stand.
func linesAs(lines []string, form string) (all []string) {
	for i, line := range lines {
		all = append(all, fmt.Sprintf(form, i+1, line))
	}
	return all
}
