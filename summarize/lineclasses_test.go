package summarize

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// TestDiagnostics: of lines of a linter it is shown in which files they are and which codes they have, also where code
// has pairs.
func TestDiagnostics(t *testing.T) {
	text := ""
	for i := range 600 {
		text += fmt.Sprintf("src/%s.go:%d:%d: warning: %s is said of %s, where a=%d b=2 (R%03d)\n",
			nameOf(i%7), i, i%80, nameOf(i), nameOf(i*i), i%3, i%5)
	}
	facts := factsOf(t, watched(linesOf(text)))
	file, code, severity := facts.Keys["file"], facts.Keys["code"], facts.Keys["severity"]
	if file.In != 600 || file.Distinct != 7 || file.Values["src/"+nameOf(6)+".go"] != 85 {
		t.Errorf("file: %+v", file)
	}
	if code.In != 600 || code.Distinct != 5 || code.Values["R004"] != 120 || severity.In != 600 {
		t.Errorf("code: %+v, severity: %+v", code, severity)
	}
	if a := facts.Keys["a"]; a.In != 600 || len(facts.Templates) == 0 {
		t.Errorf("%+v, %+v", a, facts.Templates)
	}
}

// TestLevelsAreExact: lines are counted by level whether they have been seen before or not, and whatever template they
// have.
func TestLevelsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 8))
	s := NewWholeSummary()
	levels := []string{"INFO", "INFO", "INFO", "WARN", "DEBUG", "ERROR"}
	want := map[string]int64{}
	for i := range 6000 {
		level := levels[random.IntN(len(levels))]
		if level == "ERROR" && random.IntN(20) > 0 {
			level = "INFO"
		}
		want[level]++
		text := fmt.Sprintf("took %d jobs from queue %c", random.IntN(90), 'a'+random.IntN(40))
		if random.IntN(3) == 0 {
			text = fmt.Sprintf("%s of %x", [...]string{"start", "end", "no sign"}[random.IntN(3)], random.Uint32())
		}
		s.Add(structure.Record{Seq: i + 1, IsText: true,
			Value: fmt.Appendf(nil, "2026-03-01 10:%02d:%02d,%03d %s [w-%d] %s", i/60%60, i%60, random.IntN(1000),
				level, random.IntN(4), text)})
	}
	facts := s.Facts(anyLength).JSON()
	for level, n := range want {
		if got := gjson.GetBytes(facts, "levels."+level).Int(); got != n {
			t.Errorf("%d lines are %s, not %d: %s", n, level, got, gjson.GetBytes(facts, "levels"))
		}
	}
}

// TestFewLevelsAreNotTold: where hardly a line has a level, or all have the same, nothing is said of it.
func TestFewLevelsAreNotTold(t *testing.T) {
	for share, isShown := range map[int]bool{2: true, 9: true, 40: false} {
		s := NewWholeSummary()
		for i := range 2000 {
			line := fmt.Sprintf("step %d is done", i)
			if i%share == 0 {
				line = fmt.Sprintf("%s: step %d", [...]string{"INFO", "WARN"}[i/share%2], i)
			}
			s.Add(structure.Record{Seq: i + 1, IsText: true, Value: []byte(line)})
		}
		if facts := s.Facts(anyLength).JSON(); gjson.GetBytes(facts, "levels").Exists() != isShown {
			t.Errorf("one in %d: %s", share, facts)
		}
	}
}

// TestLevelsOfContinuationLines: what goes on with a record has no level of its own, whatever level it names.
func TestLevelsOfContinuationLines(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 10))
	heads := []string{"2026-03-01 10:%02d:%02d %s job %d", "[10:%02d:%02d] %s job %d",
		"Mar  1 10:%02d:%02d host app[1]: %s job %d"}
	details := []string{"    detail: ERROR state kept", "  note: WARN x", "    ERROR was seen before",
		"\tat step INFO of it", "cause: [error] of old", "  <error> is a tag"}
	read := 0
	for round := range 60 {
		head := heads[random.IntN(len(heads))]
		want := map[string]int64{}
		s := NewWholeSummary()
		seq := 0
		add := func(line string) {
			seq++
			s.Add(structure.Record{Seq: seq, IsText: true, Value: []byte(line)})
		}
		for i := range 100 + random.IntN(300) {
			level := [...]string{"INFO", "INFO", "INFO", "WARN", "ERROR"}[random.IntN(5)]
			want[level]++
			add(fmt.Sprintf(head, i/60%60, i%60, level, i))
			for range random.IntN(3) {
				add(details[random.IntN(len(details))])
			}
		}
		facts := s.Facts(anyLength).JSON()
		if gjson.GetBytes(facts, "rows").Exists() { // which have columns instead
			continue
		}
		read++
		for level, n := range want {
			if got := gjson.GetBytes(facts, "levels."+level).Int(); got != n {
				t.Fatalf("round %d, %q: %d lines are %s, not %d: %s", round, head, got, level, n,
					gjson.GetBytes(facts, "levels"))
			}
		}
	}
	if read < 50 {
		t.Errorf("%d of 60 are read as lines", read)
	}
}
