package clean

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// isSettled says whether a line does not end in a name that has no value yet, nor at the begin of
// an array.
func isSettled(line []byte) bool {
	if n := len(line); n > 0 && (line[n-1] == '}' || line[n-1] == ']' || line[n-1] == ',') {
		return true // as nearly always
	}
	line = bytes.TrimRight(line, " \t\r")
	if n := len(line); n > 0 && line[n-1] == '"' {
		line = bytes.TrimRight(line[:max(0, bytes.LastIndexByte(line[:n-1], '"'))], " \t\r")
		return bytes.HasSuffix(line, []byte{':'})
	}
	return !bytes.HasSuffix(line, []byte{':'}) && !bytes.HasSuffix(line, []byte{'['})
}

// isPartOfKey says whether an anchor in a line of JSON may stand in a string of more than one word
// that is a key, what names the value of a pair, or the first of a row: {"stripe live key":"..."}.
func isPartOfKey(line []byte, at, to int) bool {
	size := bytes.IndexByte(line[to:], '"')
	if size < 0 {
		return true
	}
	end := to + size
	start := bytes.LastIndexByte(line[:at], '"') + 1
	if lex.NameOfKey.Run(line, start, end-start) == end {
		return false // all of it was looked at
	}
	after := lex.Whitespace.Run(line, end+1, len(line))
	isValue := after < len(line) && strings.IndexByte(",}]", line[after]) >= 0
	return !isValue || start > 0 && (isPairName(line[:start-1]) || isFirstOfArray(line[:start-1]))
}

// isTokens says whether a line is a sequence of JSON's tokens.
func isTokens(line []byte) bool {
	var l lex.JSONLines
	return l.ReadLine(line)
}

// stringIn is where a string without escapes stands in a line of JSON:
// line[start:end], between its quotes.
type stringIn struct {
	start, end int
	isKey      bool // if only of a broken line
}

// seek moves on to the string in which an anchor ends at to; false means that it
// stands in none. No anchor has a quote in it. However often seek is asked, it
// goes over the line once.
func (s *stringIn) seek(line []byte, to int) bool {
	if to <= s.end {
		return true
	}
	passed := line[s.end+1 : to]
	size := bytes.IndexByte(line[to:], '"')
	if size < 0 || bytes.Count(passed, []byte{'"'})%2 == 0 {
		return false
	}
	s.start = s.end + 1 + bytes.LastIndexByte(passed, '"') + 1
	s.end = to + size
	after := lex.Whitespace.Run(line, s.end+1, len(line))
	s.isKey = after == len(line) || strings.IndexByte(",}]", line[after]) < 0
	return true
}

// isListOfWords says whether the first string of an array, which is the name p, is followed by one
// that can't be its value.
func isListOfWords(p *names.Phrase, after []byte) bool {
	next, isList := bytes.CutPrefix(after, []byte{','})
	next, isString := bytes.CutPrefix(bytes.TrimLeft(next, " \t\r"), []byte{'"'})
	if !isList || !isString {
		return false
	}
	next, _, _ = bytes.Cut(next, []byte{'"'})
	row := p.OfRow()
	return row.Value(names.Window{Text: next, End: true, Around: &detect.Nothing}, 0,
		names.ValueOnly).Verdict == names.NoMatch
}

// isFirstOfArray says whether what follows b is the first of an array.
func isFirstOfArray(b []byte) bool {
	end := lex.Whitespace.RunBack(b, len(b), len(b))
	return end > 0 && b[end-1] == '['
}

// isPairName says whether b ends with the key of what names the other value of a pair.
func isPairName(b []byte) bool { return names.PartOf(structure.KeyBefore(b)) == names.PairName }

// isKind says whether b ends with the key of the kind of an object.
func isKind(b []byte) bool { return names.PartOf(structure.KeyBefore(b)) == names.KindKey }

// mayHaveValue says whether the value of a pair may stand in b, which ends a line of
// JSON's tokens and begins after the name, or on the next line.
func mayHaveValue(b []byte) bool {
	if names.MayNameValue(b) {
		return true
	}
	open, isString := 0, false
	for _, c := range b {
		switch {
		case c == '"':
			isString = !isString
		case isString:
		case c == '{', c == '[':
			open++
		case c == '}', c == ']':
			if open--; open < 0 {
				return false
			}
		}
	}
	return true
}
