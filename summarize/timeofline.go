package summarize

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/value"
)

const shortestInLine = len("060102 150405") // of times

// linePlace is where in a line its first time stands, which says how likely it is that of the line.
type linePlace uint8

const (
	nowhere   linePlace = iota // the line has no time, or only in its message
	atStart                    // at the start, or after labels
	afterText                  // after a few words: of the line where most lines have one there, else of its message
	tooFar                     // a time may come after more labels than timeOfLine reads
)

const usualPrefix = 48 // bytes before the time of a line,

// timeOfLine finds the first time of a line: one of timeLayouts, that of syslog (RFC 3164), which
// has no year, that of glog, and that of access logs (02/Jan/2006:15:04:05). The text has the
// fraction of a second and the zone, which the time may lack. A line may begin with the time of day
// alone. Before the time there may be labels: what is in brackets, names with digits or signs in
// them, numbers, levels. Past more than a few plain words timeOfLine looks for none.
func (l *timeline) timeOfLine(line []byte) (t value.Timestamp, text []byte, place linePlace) {
	if t, text = value.TimeOfDayAlone(line); text != nil {
		return t, text, atStart
	}
	words, inBracket, depth, end := 0, 0, 0, min(len(line), usualPrefix)
	for i, next := 0, 0; ; i = next {
		if i >= end {
			if end != usualPrefix || !hasClock(line[end-len("15:04"):min(len(line), mask.MaxLineLen)]) {
				break
			}
			if end = min(len(line), longestPrefix); i >= end {
				break
			}
		}
		next = i + 1
		switch has := mask.Parts[line[i]]; {
		case has&(mask.Letter|mask.Digit) == 0:
			switch {
			case has == mask.Bracket:
				depth++
			case line[i] == ')' || line[i] == ']' || line[i] == '}':
				depth, inBracket = depth-1, 0
			}
			continue
		case line[i] >= 0x80:
			for next < len(line) && line[next] >= 0x80 {
				next++
			}
			if i == 0 || ascii.IsBlank(line[i-1]) {
				words++
			}
			continue
		}
		for next < len(line) && ascii.IsAlphanumeric(line[next]) { // nothing begins within a word
			next++
		}
		if isTimeBegin := (ascii.IsDigit(line[i]) || ascii.IsUpper(line[i])) &&
			(i == 0 || !mask.GoesOnBefore(line, i)); isTimeBegin {
			rest := line[i:]
			if len(rest) < shortestInLine {
				break
			}
			if t, text = l.timeAt(rest); text != nil {
				return t, text, placeAfter(line[:i], words+inBracket)
			}
		}
		switch {
		case !isPlainWord(line, i, next):
		case depth > 0:
			inBracket++
		case words == wordsBefore:
			return t, nil, nowhere
		default:
			words++
		}
	}
	if len(line) > longestPrefix && end > usualPrefix && hasClock(line[longestPrefix:min(len(line), mask.MaxLineLen)]) {
		return t, nil, tooFar
	}
	return t, nil, nowhere
}

// timeAt reads the time that rest begins with; its text is nil if there is none.
func (l *timeline) timeAt(rest []byte) (t value.Timestamp, text []byte) {
	if !ascii.IsDigit(rest[0]) && rest[3] != ' ' && rest[4] != ' ' && !ascii.IsDigit(rest[1]) {
		return t, nil // neither the name of a month nor a level of glog
	}
	if t, n := value.SameMinute(rest, l.last, l.lastText); n > 0 {
		return t, rest[:n]
	}
	if ascii.IsDigit(rest[0]) {
		return value.TimeOfDigits(rest)
	}
	return value.TimeOfNames(rest)
}

// placeAfter returns the place of a time with so many plain words before it.
func placeAfter(before []byte, words int) linePlace {
	last := len(before) - 1
	switch {
	case last >= 0 && before[last] == '=' && !isTimeName(before[:last]), words >= wordsBefore:
		return afterText
	case words == 0, before[last] == '[': // as in access logs, where the user comes before it
		return atStart
	}
	return afterText
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

// isPlainWord reports whether the letters and digits from i to next are a word of a text: letters
// alone, between blanks, perhaps with a sign after them. The name of a level or of a day of the
// week is none.
func isPlainWord(line []byte, i, next int) bool {
	if i > 0 && !ascii.IsBlank(line[i-1]) || !ascii.IsLetter(line[i]) {
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
	return !isLevelName(line[i:next]) && !value.IsDayOfWeek(line[i:next])
}

// hasClock reports whether a time of day stands in a text.
func hasClock(text []byte) bool {
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
	longestPrefix  = 192 // and where a time of day comes after these
	wordsBefore    = 3   // plain words before it: more are a message
	leastMisplaced = 20  // one time in so many stands elsewhere, or from and to are exact
)
