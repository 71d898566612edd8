package summarize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/summarize/outlier"
)

// TestCutOut: where numbers that count go on after some that are missing, the record is told first, with both sides, in
// fields, in names, in times and in lines, and it is told once.
func TestCutOut(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	minutes := func(i int) string { return at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339) }
	for _, test := range []struct {
		name string
		why  string
		of   func(i int) string
	}{
		{"field", "jump of seq from 399",
			func(i int) string { return fmt.Sprintf(`{"seq":%d,"state":"s%d"}`, i, i%3) }},
		{"downwards", "jump of left from 9601",
			func(i int) string { return fmt.Sprintf(`{"left":%d,"state":"s%d"}`, 10000-i, i%3) }},
		{"name", "jump of name from 10798",
			func(i int) string { return fmt.Sprintf(`{"name":"ord_%d","state":"s%d"}`, 10000+2*i, i%3) }},
		{"time", "jump of at from " + minutes(399),
			func(i int) string { return fmt.Sprintf(`{"at":%q,"state":"s%d"}`, minutes(i), i%3) }},
		{"line number", "numbers jump from 399 to 406", func(i int) string {
			return fmt.Sprintf("%06d %s of the tale is told", i, [...]string{"part", "bit"}[i%2])
		}},
		{"line", "numbers jump from 133 to 136", func(i int) string {
			forms := [...]string{" cache is %d %% warm", " batch %d is done", " all is well, load %d"}
			number := [...]int{i * i % 101, i / 3, i * i % 17}[i%3]
			return at.Add(time.Duration(7*i+i*i%17)*time.Second).Format(time.DateTime) + fmt.Sprintf(forms[i%3], number)
		}},
	} {
		var b strings.Builder
		odd := 0
		for i := range 1000 {
			if i == 400 && test.name != "line" || i == 401 && test.name == "line" {
				odd = i
			}
			if odd > 0 && i-odd < 6 {
				continue
			}
			b.WriteString(test.of(i) + "\n")
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		told := 0
		for _, n := range notables {
			if strings.Contains(n.Why, "jump") {
				told++
			}
		}
		if told != 1 || notables[0].Why != test.why || notables[0].Seq < 401 || notables[0].Seq > 404 {
			t.Errorf("%s: %d jumps, %v", test.name, told, notables)
		}
	}
}

// TestOrdinaryNumbersDoNotJump: numbers that do not count, that start again, or that often miss some, do not jump.
func TestOrdinaryNumbersDoNotJump(t *testing.T) {
	for _, of := range []func(i int) int{
		func(i int) int { return i * i % 1009 },
		func(i int) int { return i % 24 },
		func(i int) int { return i / 2 },
		func(i int) int { return i + i/50 },
		func(i int) int { return 7 },
		func(i int) int { return i * i },
	} {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, `{"n":%d}`+"\n", of(i))
		}
		for i := range 1000 {
			fmt.Fprintf(&b, "step %d of the walk\n", of(i))
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		for _, n := range notables {
			if strings.Contains(n.Why, "jump") {
				t.Errorf("chunk %d: %s, %s", n.Seq, n.Why, shown(n))
			}
		}
	}
}

// TestStrayNumber: after one number that does not belong, the sequence goes on, and only that one is told.
func TestStrayNumber(t *testing.T) {
	for _, skipped := range []int{0, 1} {
		var b strings.Builder
		for i := range 300 {
			if i == 200 {
				b.WriteString(`{"seq":77000}` + "\n")
				i += skipped
			}
			if i != 200 || skipped == 0 {
				fmt.Fprintf(&b, `{"seq":%d}`+"\n", i)
			}
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		if len(notables) != 1 || notables[0].Seq != 201 {
			t.Errorf("%d skipped: %v", skipped, notables)
		}
	}
}

// TestNumbersOfOtherLinesDoNotJump: where numbers go on after a line of another form that has a number of its own,
// none is missing.
func TestNumbersOfOtherLinesDoNotJump(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "ok pkg/a%d\n", i)
		if i == 99 {
			b.WriteString("hello 77 times\nother 5 words\nhello 500 times\n")
		}
	}
	notables, _ := watched(linesOf(b.String())).Notables()
	for _, n := range notables {
		if strings.Contains(n.Why, "jump") {
			t.Errorf("%d: %s", n.Seq, n.Why)
		}
	}
}

// TestNoGapInOtherForms: a number that came in a line of another form with the same first word is
// not missing, even if it came late. A number that came nowhere is missing.
func TestNoGapInOtherForms(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 41))
	for seed := range 120 {
		others := []string{"queue has %d jobs", "heartbeat", "worker %d is idle"}[random.IntN(3)]
		again := []string{"part %d uploaded on attempt 2", "part %d failed, will be sent again",
			"part %d uploaded (late)"}[random.IntN(3)]
		isMissing, isLate := seed%3 == 0, seed%3 == 1
		odd := map[int]bool{}
		for range 1 + random.IntN(5) {
			odd[60+random.IntN(200)] = true
			if isMissing {
				break
			}
		}
		var lines, late []string
		for i := range 300 {
			switch {
			case !odd[i]:
				lines = append(lines, fmt.Sprintf("part %d uploaded", i))
			case isLate:
				late = append(late, fmt.Sprintf(again, i))
			case !isMissing:
				lines = append(lines, fmt.Sprintf(again, i))
			}
			if i%3 == 0 {
				other := others
				if strings.Contains(other, "%d") {
					other = fmt.Sprintf(other, random.IntN(900))
				}
				lines = append(lines, other)
			}
		}
		lines = append(lines, late...)
		notables, _ := watched(linesOf(strings.Join(lines, "\n") + "\n")).Notables()
		jumps := slices.ContainsFunc(notables, func(n outlier.Notable) bool { return strings.Contains(n.Why, "jump") })
		if jumps && !isMissing || !jumps && isMissing {
			t.Errorf("seed %d, %q, %q: a gap is told: %v: %v", seed, others, again, jumps, notables)
		}
	}
}
