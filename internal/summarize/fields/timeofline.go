package fields

import (
	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// TimeOfLine finds the first time of a line: one of timeLayouts, that of syslog (RFC 3164), which
// has no year, that of glog, and that of access logs (02/Jan/2006:15:04:05). The text has the
// fraction of a second and the zone, which the time may lack. Before the time there may be labels:
// what is in brackets, names with digits or signs in them, numbers, levels. Past more than a few plain words
// TimeOfLine looks for none.
func TimeOfLine(line []byte) (t value.Timestamp, text []byte, place lineclass.Place) {
	words, inBracket, depth, end := 0, 0, 0, min(len(line), lineclass.UsualPrefix)
	for i, next := 0, 0; ; i = next {
		if i >= end {
			if end != lineclass.UsualPrefix ||
				!lineclass.HasClock(line[end-len("15:04"):min(len(line), mask.MaxLineLen)]) {
				break
			}
			if end = min(len(line), lineclass.LongestPrefix); i >= end {
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
			if len(rest) < lineclass.ShortestInLine {
				break
			}
			if t, text = timeAt(rest); text != nil {
				return t, text, lineclass.PlaceAfter(line[:i], words+inBracket)
			}
		}
		switch {
		case !lineclass.IsPlainWord(line, i, next):
		case depth > 0:
			inBracket++
		case words == lineclass.WordsBefore:
			return t, nil, lineclass.Nowhere
		default:
			words++
		}
	}
	if len(line) > lineclass.LongestPrefix && end > lineclass.UsualPrefix &&
		lineclass.HasClock(line[lineclass.LongestPrefix:min(len(line), mask.MaxLineLen)]) {
		return t, nil, lineclass.TooFar
	}
	return t, nil, lineclass.Nowhere
}

// timeAt reads the time that rest begins with; its text is nil if there is none.
func timeAt(rest []byte) (t value.Timestamp, text []byte) {
	if !ascii.IsDigit(rest[0]) && rest[3] != ' ' && rest[4] != ' ' && !ascii.IsDigit(rest[1]) {
		return t, nil // neither the name of a month nor a level of glog
	}
	if ascii.IsDigit(rest[0]) {
		return value.TimeOfDigits(rest)
	}
	return value.TimeOfNames(rest)
}
