package lineclass

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

const ShortestInLine = len("060102 150405") // of times

// Place is where in a line its first time stands, which says how likely it is that of the line.
type Place uint8

const (
	Nowhere   Place = iota // the line has no time, or only in its message
	AtStart                // at the start, or after labels
	AfterText              // after a few words: of the line where most lines have one there, else of its message
	TooFar                 // a time may come after more labels than timeOfLine reads
)

const UsualPrefix = 48 // bytes before the time of a line,

// PlaceAfter returns the place of a time with so many plain words before it.
func PlaceAfter(before []byte, words int) Place {
	last := len(before) - 1
	switch {
	case last >= 0 && before[last] == '=' && !isTimeName(before[:last]), words >= WordsBefore:
		return AfterText
	case words == 0, before[last] == '[': // as in access logs, where the user comes before it
		return AtStart
	}
	return AfterText
}

// isTimeName reports whether a text ends with a name for the time of a record.
func isTimeName(text []byte) bool {
	start := len(text)
	for start > 0 && (ascii.IsLetter(text[start-1]) || text[start-1] == '_') {
		start--
	}
	switch string(bytes.ToLower(text[start:])) {
	case "time", "ts", "timestamp", "date", "datetime", "at", "t", "when":
		return true
	}
	return false
}

// IsPlainWord reports whether the letters and digits from i to next are a word of a text: letters
// alone, one or more, between blanks, perhaps with a sign after them. The name of a level or of a
// day of the week is none.
func IsPlainWord(line []byte, i, next int) bool {
	if i == next || i > 0 && !ascii.IsBlank(line[i-1]) || !ascii.IsLetter(line[i]) {
		return false
	}
	if ascii.LeadingLetters(line[i:next]) < next-i {
		return false
	}
	if next < len(line) && !ascii.IsBlank(line[next]) {
		isSign := strings.IndexByte(",;:.", line[next]) >= 0
		if !isSign || next+1 < len(line) && !ascii.IsBlank(line[next+1]) {
			return false
		}
	}
	return !IsLevelName(line[i:next]) && !value.IsDayOfWeek(line[i:next])
}

// HasClock reports whether a time of day stands in a text.
func HasClock(text []byte) bool {
	for at := 0; ; at++ {
		colon := bytes.IndexByte(text[at:], ':')
		if colon < 0 {
			return false
		}
		if at += colon; at >= 2 && value.StartsWithClock(text[at-2:]) {
			return true
		}
	}
}

const (
	LongestPrefix  = 192 // and where a time of day comes after these
	WordsBefore    = 3   // plain words before it: more are a message
	LeastMisplaced = 20  // one time in so many stands elsewhere, or from and to are exact
)
