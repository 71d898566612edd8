package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

const (
	wordsBeforeLevel = 8   // of a line that may come before its level
	levelWithin      = 200 // bytes of a line that are looked at for its level
)

// levelOfText returns the level that a line gives itself, nil if it gives none. The level comes
// first, after a time, after brackets, or after the place in a file that the line is about; or it
// is the value of a name such as level.
func levelOfText(text []byte) []byte {
	text = text[:min(len(text), levelWithin)]
	if len(text) > 5 && ascii.IsDigit(text[1]) && ascii.IsDigit(text[4]) && text[5] == ' ' { // glog: I0301 12:00:00
		switch text[0] {
		case 'I':
			return []byte("info")
		case 'W':
			return []byte("warning")
		case 'E':
			return []byte("error")
		}
	}
	isAfterTime, isFirst, isAfterPlace := false, true, false
	isNext := false // directly after a time or a prefix: only there a small letter begins a level
	for rest := text; len(rest) > 0; {
		var word []byte
		rest = ascii.TrimBlanks(rest)
		end := 0
		for end < len(rest) && !ascii.IsBlank(rest[end]) {
			end++
		}
		word, rest = rest[:end], rest[end:]
		if len(word) == 0 {
			break
		}
		if level := levelIn(word, isNext || isAfterPlace); level != nil && (isFirst || isAfterTime ||
			isAfterPlace) {
			return level
		}
		name, hasColon := bytes.CutSuffix(word, []byte{':'})
		if hasColon && (isFirst || isAfterTime || isAfterPlace) && (IsLevelName(name) || IsWord(name, "note") ||
			IsWord(name, "hint") || IsWord(name, "help")) {
			return name
		}
		isPlace := hasColon && bytes.IndexByte(name, ':') > 0 && ascii.IsDigit(name[len(name)-1])
		isPlace = isPlace || ascii.IsDigit(word[0]) && bytes.IndexByte(word, ':') > 0 &&
			ascii.LeadingDigits(word[bytes.IndexByte(word, ':')+1:]) > 0
		isAfterPlace = isPlace || isFirst && IsWord(word, "npm")
		isTime := endsInClock(word) || isDate(word)
		isAfterTime = isAfterTime || isTime
		isPrefix := mask.Parts[word[0]]&(mask.Bracket|mask.Angle) != 0 || ascii.IsDigit(word[0]) ||
			IsWord(name, "npm") && !hasColon
		isNext = isTime || isNext && isPrefix
		isFirst = isFirst && isPrefix
	}
	return namedLevel(text)
}

var beforeDates = ascii.SetOf("[(")

// isDate reports whether a word is or begins with a date: 2026-03-01, 2026-03-01T10:00:59Z.
func isDate(word []byte) bool {
	word = beforeDates.TrimLeft(word)
	return len(word) >= len("2026-03-01") && (ascii.Matches(word, "dddd-dd-dd") || ascii.Matches(word, "dddd/dd/dd"))
}

// NamesOfLevel are those that loggers have for the level of a line or record.
var NamesOfLevel = [...]string{"level", "lvl", "severity", "loglevel", "log_level", "levelname"}

// namedLevel returns the level that a line has as a value: level=info, "severity":"INFO".
func namedLevel(text []byte) []byte {
	for at := 0; at < len(text); at++ {
		if c := text[at] | 0x20; c != 'l' && c != 's' || at > 0 && (ascii.IsAlphanumeric(text[at-1]) ||
			text[at-1] == '_' || text[at-1] == '-') {
			continue
		}
		for _, name := range NamesOfLevel {
			if !startsWith(text[at:], name) {
				continue
			}
			rest := bytes.TrimLeft(text[at+len(name):], `"'\`)
			if len(rest) == 0 || rest[0] != '=' && rest[0] != ':' {
				continue
			}
			rest = bytes.TrimLeft(rest[1:], ` "'\`)
			if word := rest[:ascii.LeadingLetters(rest)]; IsLevelName(word) {
				return word
			}
		}
	}
	return nil
}
