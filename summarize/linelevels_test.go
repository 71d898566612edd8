package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
)

func TestLevelOfLine(t *testing.T) {
	for line, want := range map[string]string{
		"2026-03-01 10:00:00,123 INFO [main] started":                       "INFO",
		"2026-03-01T10:00:00Z warning: disk is nearly full":                 "warning",
		"2026-03-01 10:00:00, Info                  CBS    Loaded it":       "Info",
		"[Sun Dec 04 04:47:44 2025] [error] mod_jk child in error state 6":  "error",
		"[Sun Dec 04 04:47:44.123 2025] [core:warn] [pid 12] something":     "warn",
		"2026-03-01 10:00:00.100 UTC [17] app@db FATAL:  no such role":      "FATAL",
		"WARNING:root:nothing to do":                                        "WARNING",
		"<notice> all is well":                                              "notice",
		"DEBUG|net|connected to 10.0.0.1":                                   "DEBUG",
		"Mar  1 10:00:00 host app[12]: ERROR could not read":                "ERROR",
		"an error occurred and a warning was given":                         "",
		"Info about this tool":                                              "",
		"the INFORMATION desk, INFOSEC":                                     "",
		"one two three four five six seven eight ERROR comes too late here": "",
		"test 12: panic in the 3rd run":                                     "",
		"10:00:59.250 log is full":                                          "",
		"10:00 warning it is":                                               "warning",
		"http://10.0.0.1:80 error page":                                     "",
		"10.0.0.1:8080 info page":                                           "",
		"level=info msg=x":                                                  "",
		"[1/3] fetching":                                                    "",
		"":                                                                  "",
	} {
		m := mask.NewLine()
		m.Set([]byte(line))
		var l lineclass.Levels
		got := ""
		if i := l.LevelOf(&m); i != lineclass.NoLevel {
			got = strings.TrimRight(string(l.Counts[i].Name[:]), "\x00")
		}
		if got != want {
			t.Errorf("%q: level %q, want %q", line, got, want)
		}
	}
}

// TestLevelsAreExact: lines are counted by level whether they have been seen before or not, and whatever form they have.
func TestLevelsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 8))
	s := NewWatchfulSummary()
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
		s.Add(Record{Seq: i + 1, IsText: true, Value: fmt.Appendf(nil, "2026-03-01 10:%02d:%02d,%03d %s [w-%d] %s", i/60%60, i%60, random.IntN(1000), level, random.IntN(4), text)})
	}
	facts := s.Facts(anyLength)
	for level, n := range want {
		if got := gjson.GetBytes(facts, "levels."+level).Int(); got != n {
			t.Errorf("%d lines are %s, not %d: %s", n, level, got, gjson.GetBytes(facts, "levels"))
		}
	}
}

// TestFewLevelsAreNotTold: where hardly a line has a level, or all have the same, nothing is said of it.
func TestFewLevelsAreNotTold(t *testing.T) {
	for share, isTold := range map[int]bool{2: true, 9: true, 40: false} {
		s := NewWatchfulSummary()
		for i := range 2000 {
			line := fmt.Sprintf("step %d is done", i)
			if i%share == 0 {
				line = fmt.Sprintf("%s: step %d", [...]string{"INFO", "WARN"}[i/share%2], i)
			}
			s.Add(Record{Seq: i + 1, IsText: true, Value: []byte(line)})
		}
		if facts := s.Facts(anyLength); gjson.GetBytes(facts, "levels").Exists() != isTold {
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
		s := NewWatchfulSummary()
		seq := 0
		add := func(line string) {
			seq++
			s.Add(Record{Seq: seq, IsText: true, Value: []byte(line)})
		}
		for i := range 100 + random.IntN(300) {
			level := [...]string{"INFO", "INFO", "INFO", "WARN", "ERROR"}[random.IntN(5)]
			want[level]++
			add(fmt.Sprintf(head, i/60%60, i%60, level, i))
			for range random.IntN(3) {
				add(details[random.IntN(len(details))])
			}
		}
		facts := s.Facts(anyLength)
		if gjson.GetBytes(facts, "rows").Exists() { // which have columns instead
			continue
		}
		read++
		for level, n := range want {
			if got := gjson.GetBytes(facts, "levels."+level).Int(); got != n {
				t.Fatalf("round %d, %q: %d lines are %s, not %d: %s", round, head, got, level, n, gjson.GetBytes(facts, "levels"))
			}
		}
	}
	if read < 50 {
		t.Errorf("%d of 60 are read as lines", read)
	}
}
