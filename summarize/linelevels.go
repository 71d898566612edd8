package summarize

import (
	"bytes"
	"cmp"
	"slices"
)

const (
	maxLineLevels  = 12
	wordsToLevel   = 8 // of a line, among which its level is
	longestLevel   = 8
	leastWithLevel = 10 // one line in so many has a level, or they are not told
)

// lineLevels counts lines by the level that a logger wrote into them, as it is written.
type lineLevels struct {
	used   int
	lines  int // that have one
	counts [maxLineLevels]lineLevel
}

type lineLevel struct {
	name  [longestLevel]byte
	lines int
}

// noLevel is the level of a line that has none.
const noLevel = -1

// isLevelName says whether a word is a name that loggers have for a level: those of syslog (RFC 5424, 6.2.1), Log4j, java.util.logging,
// Python, PostgreSQL and the like. It may be in capital letters or not.
func isLevelName(word []byte) bool {
	if len(word) < 3 || len(word) > longestLevel {
		return false
	}
	var lower [longestLevel]byte
	for i, c := range word {
		lower[i] = c | 0x20
	}
	switch string(lower[:len(word)]) {
	case "trace", "debug", "info", "log", "notice", "warn", "warning", "error", "err", "severe", "critical", "crit", "fatal", "alert", "emerg", "panic":
		return true
	}
	return false
}

// levelIn returns the level that a word of a line names: INFO, [info], <error>, [core:warn], WARNING:root. What is not in capital letters
// is one in brackets or after a time alone.
func levelIn(word []byte, isAfterTime bool) []byte {
	isBracketed := parts[word[0]]&(bracket|angle) != 0
	if isBracketed {
		word = word[1:]
		if at := bytes.IndexByte(word, ':'); at > 0 && at+1 < len(word) && isLetter(word[at+1]) { // the module comes first
			word = word[at+1:]
		}
	}
	end := leadingLetters(word)
	if end < len(word) && bytes.IndexByte([]byte("]>):|,"), word[end]) < 0 {
		return nil
	}
	level := word[:end]
	if string(level) == "log" { // as in "10:00 log is full"
		return nil
	}
	if isCapital := len(level) > 1 && isUpper(level[0]) && isUpper(level[1]); !isCapital && !isBracketed && !isAfterTime || !isLevelName(level) {
		return nil
	}
	return level
}

// levelOf returns the index of the level of the line at hand, which has been cut into words.
func (l *lineLevels) levelOf(m *maskedLine) int {
	isAfterTime := false
	for i := range m.words[:min(len(m.words), wordsToLevel)] {
		w := &m.words[i]
		word := m.line[w.from:w.to]
		if !w.variable {
			if level := levelIn(word, isAfterTime); level != nil {
				return l.index(level)
			}
		}
		isAfterTime = w.isTime || w.variable && endsInClock(word)
	}
	return noLevel
}

// endsInClock says whether a word is a time, or a part of one: 10:00:59.250, 10:00, 2026-03-01T10:00:59Z, [10:00:59]
func endsInClock(word []byte) bool {
	word = bytes.Trim(word, "[]()<>,:|")
	if len(word) == 0 || !isDigit(word[0]) {
		return false
	}
	colon := bytes.IndexByte(word, ':')
	return colon > 0 && matches(word[max(0, colon-2):], "dd:dd") && (len(word) == len("10:00") || bytes.Count(word, []byte{':'}) > 1)
}

// index returns where a level is counted.
func (l *lineLevels) index(level []byte) int {
	var name [longestLevel]byte
	copy(name[:], level)
	for i := range l.counts[:l.used] {
		if l.counts[i].name == name {
			return i
		}
	}
	if l.used == maxLineLevels {
		return noLevel
	}
	l.counts[l.used].name = name
	l.used++
	return l.used - 1
}

// add counts a line of that level.
func (l *lineLevels) add(index int) {
	if index != noLevel {
		l.lines++
		l.counts[index].lines++
	}
}

// ranked are the levels, that of most lines first; none where there is but one, or few lines have one.
func (l *lineLevels) ranked(lines int) []lineLevel {
	if l.used < 2 || l.lines*leastWithLevel < lines {
		return nil
	}
	ranked := slices.Clone(l.counts[:l.used])
	slices.SortStableFunc(ranked, func(a, b lineLevel) int { return cmp.Compare(b.lines, a.lines) })
	return ranked
}

// lineLevels writes how many lines are of each level.
func (o *object) lineLevels(levels []lineLevel) {
	if len(levels) == 0 {
		return
	}
	o.open("levels")
	for _, l := range levels {
		o.count(lentString(bytes.TrimRight(l.name[:], "\x00")), l.lines)
	}
	o.close()
}
