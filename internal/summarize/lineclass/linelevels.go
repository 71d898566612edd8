package lineclass

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// Bounds of the levels of lines.
const (
	maxLineLevels  = 24 // names, each as often as there are places for it
	wordsToLevel   = 8  // of a line, among which its level is
	LongestLevel   = 8  // bytes of the name of a level: "critical"
	leastWithLevel = 10 // one line in so many has a level, or they are not told
)

// Levels counts lines by the level that a logger wrote into them, as it is written.
type Levels struct {
	used   int
	lines  int // that have one
	counts [maxLineLevels]Level
}

// Level is the name of a level in one of the places of a line, and how many lines have it there.
type Level struct {
	Name  [LongestLevel]byte // as written, with zero bytes after it
	place levelPlace
	Count int
}

// levelPlace is where in a line its level stands. The better the place, the surer it is that the
// line is a record and not one that goes on with the record before it, as "  detail: ERROR state
// kept" does.
type levelPlace uint8

const (
	amongWords levelPlace = iota
	firstInLine
	afterTime
)

// NoLevel is the level of a line that has none.
const NoLevel = -1

// IsLevelName says whether a word is a name that loggers have for a level: those of syslog (RFC 5424, 6.2.1), Log4j,
// java.util.logging, Python, PostgreSQL and the like. It may be in capital letters or not.
func IsLevelName(word []byte) bool {
	if len(word) < 3 || len(word) > LongestLevel {
		return false
	}
	var lower [LongestLevel]byte
	for i, c := range word {
		lower[i] = c | 0x20
	}
	switch string(lower[:len(word)]) {
	case "trace", "debug", "info", "log", "notice", "warn", "warning", "error", "err", "severe", "critical", "crit",
		"fatal", "alert", "emerg", "panic":
		return true
	}
	return false
}

// levelIn returns the level that a word of a line names: INFO, [info], <error>, [core:warn], WARNING:root. What is
// not in capital letters is one in brackets or after a time alone.
func levelIn(word []byte, isAfterTime bool) []byte {
	isBracketed := mask.Parts[word[0]]&(mask.Bracket|mask.Angle) != 0
	if isBracketed {
		word = word[1:]
		if at := bytes.IndexByte(word, ':'); at > 0 && at+1 < len(word) &&
			ascii.IsLetter(word[at+1]) { // the module comes first
			word = word[at+1:]
		}
	}
	end := ascii.LeadingLetters(word)
	if end < len(word) && bytes.IndexByte([]byte("]>):|,"), word[end]) < 0 {
		return nil
	}
	level := word[:end]
	if string(level) == "log" { // as in "10:00 log is full"
		return nil
	}
	if isCapital := len(level) > 1 && ascii.IsUpper(level[0]) && ascii.IsUpper(level[1]); !isCapital && !isBracketed &&
		!isAfterTime || !IsLevelName(level) {
		return nil
	}
	return level
}

// LevelOf returns the index of the level of the current line, which has been cut into words.
func (l *Levels) LevelOf(m *mask.Line) int {
	isAfterTime, hasTime := false, false
	for i := range m.Words[:min(len(m.Words), wordsToLevel)] {
		w := &m.Words[i]
		word := m.Line[w.From:w.To]
		if !w.Variable {
			if level := levelIn(word, isAfterTime); level != nil {
				return l.index(level, placeOfLevel(m, i, hasTime))
			}
		}
		isTime := w.IsTime || w.Variable && endsInClock(word)
		isFirst := i == 0 && w.From == 0
		isAfterTime = isTime && (isAfterTime || isFirst || !isPair(word)) // "  38:58 error" is at a place in a file
		hasTime = hasTime || isAfterTime
	}
	return NoLevel
}

// aroundClocks is what stands around a time of day.
var aroundClocks = ascii.SetOf("[]()<>,:|")

// isPair reports whether a word is two numbers and a colon and no more, which is a time of day or a place in a file.
func isPair(word []byte) bool { return len(aroundClocks.Trim(word)) <= len("10:00") }

// placeOfLevel returns where the word at i, the level of a line, stands.
func placeOfLevel(m *mask.Line, i int, hasTime bool) levelPlace {
	switch {
	case hasTime:
		return afterTime
	case i == 0 && m.Words[0].From == 0:
		return firstInLine
	}
	return amongWords
}

// endsInClock says whether a word is a time, or a part of one: 10:00:59.250, 10:00, 2026-03-01T10:00:59Z, [10:00:59]
func endsInClock(word []byte) bool {
	word = aroundClocks.Trim(word)
	if len(word) == 0 || !ascii.IsDigit(word[0]) {
		return false
	}
	colon := bytes.IndexByte(word, ':')
	return colon > 0 && ascii.Matches(word[max(0, colon-2):], "dd:dd") &&
		(len(word) == len("10:00") || bytes.Count(word, []byte{':'}) > 1)
}

// index returns where a level in a place is counted.
func (l *Levels) index(level []byte, place levelPlace) int {
	var name [LongestLevel]byte
	copy(name[:], level)
	for i := range l.counts[:l.used] {
		if l.counts[i].Name == name && l.counts[i].place == place {
			return i
		}
	}
	if l.used == maxLineLevels {
		return NoLevel
	}
	l.counts[l.used].Name, l.counts[l.used].place = name, place
	l.used++
	return l.used - 1
}

// Name returns the name of a level, as it is written.
func (l *Levels) Name(index int) []byte { return bytes.TrimRight(l.counts[index].Name[:], "\x00") }

// Add counts a line of that level.
func (l *Levels) Add(index int) {
	if index != NoLevel {
		l.lines++
		l.counts[index].Count++
	}
}

// Ranked returns the levels, that of most lines first; none where there is only one, or few lines
// have one. Lines with the level in a worse place than as many others or more have are not counted.
func (l *Levels) Ranked(lines int) (ranked []Level) {
	var in [1 + afterTime]int
	for _, of := range l.counts[:l.used] {
		in[of.place] += of.Count
	}
	least := amongWords
	switch {
	case in[afterTime] > 0 && in[afterTime] >= in[firstInLine]:
		least = afterTime
	case in[firstInLine] > 0 && in[firstInLine] >= in[amongWords]:
		least = firstInLine
	}
	counted := 0
	for _, of := range l.counts[:l.used] {
		if of.place < least {
			continue
		}
		counted += of.Count
		if at := slices.IndexFunc(ranked, func(other Level) bool { return other.Name == of.Name }); at >= 0 {
			ranked[at].Count += of.Count
		} else {
			ranked = append(ranked, of)
		}
	}
	if len(ranked) < 2 || counted*leastWithLevel < lines {
		return nil
	}
	slices.SortStableFunc(ranked, func(a, b Level) int { return cmp.Compare(b.Count, a.Count) })
	return ranked
}
