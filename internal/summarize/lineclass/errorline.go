package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Mention is an error word in a text. It is empty if the text reports no error.
type Mention struct {
	Start, End int
	IsMarked   bool // more than the word says so: see isMarked
}

// ErrorIn returns the first mention of an error in text that is marked as one, else the first
// mention that nothing contradicts.
//
// The words of a line are weighed as a whole. A line with a verdict of success reports no error,
// and neither does a line of source, a command or the subject of a commit. A level below error
// contradicts every word that is not marked. text may be the inside of a JSON string.
func ErrorIn(text []byte) (found Mention) {
	at := 0
	for range mostErrorWords {
		start, end := NextErrorWord(text, at)
		if start == end && at == 0 {
			return failureSignIn(text)
		}
		if start == end {
			return found
		}
		from, to := lineAround(text, start, end)
		in := errorLine{text: text[from:to]}
		m, after := in.mention(start-from, end-from)
		if m.Start < m.End && (m.IsMarked || found.Start == found.End) {
			found = Mention{m.Start + from, m.End + from, m.IsMarked}
		}
		if found.IsMarked {
			return found
		}
		at = from + after
	}
	return found
}

// mostErrorWords is how many error words of a text are weighed: each with all of its line.
const mostErrorWords = 16

// failureSignIn returns the sign of failure that text, which has no error word, begins with as a
// mention of an error.
func failureSignIn(text []byte) (found Mention) {
	start := len(text) - len(withoutTime(ascii.TrimBlanks(text)))
	if !HasFailureSign(text[start:]) || bytes.Contains(text, []byte("warning")) {
		return Mention{}
	}
	end := bytes.IndexByte(text[start:], ' ')
	if end < 0 {
		end = len(text) - start
	}
	return Mention{start, start + end, true}
}

// lineAround returns where the line begins and ends in which text has a word. A line break may be
// escaped as in JSON.
func lineAround(text []byte, start, end int) (from, to int) {
	for from = start; from > 0; from-- {
		if text[from-1] == '\n' || text[from-1] == 'n' && endsEscape(text[:from]) {
			break
		}
	}
	for to = end; to < len(text); to++ {
		if text[to] == '\n' {
			break
		}
		if text[to] == '\\' && to+1 < len(text) {
			if text[to+1] == 'n' {
				break
			}
			to++
		}
	}
	return from, min(to, len(text))
}

// errorLine judges the error words of one line.
type errorLine struct {
	text     []byte
	isJudged bool
	standing Standing
}

// Standing is what a line says of itself, whatever error words it has.
type Standing uint8

const (
	SaysNothing   Standing = iota // of itself: its error words count
	saysNoError                   // a verdict of success, a command, a comment, the subject of a commit
	SaysNoFailure                 // a level below error, a line of source: only a mark beats it
	SaysError                     // a level of error or above
)

// mention returns the best mention in the line, of which the error word at start is the first.
// after is where the line has been read to.
func (l *errorLine) mention(start, end int) (found Mention, after int) {
	for start < end {
		after = end
		if !isNoneIn(l.text, start, end) {
			if !l.isJudged {
				l.standing, l.isJudged = standingOf(l.text), true
			}
			if l.standing == saysNoError {
				return Mention{}, len(l.text)
			}
			isMarked := l.standing == SaysError || isMarked(l.text, start, end)
			mayCount := isMarked || l.standing == SaysNothing && !isNameOfHandling(l.text, start, end) &&
				!isInSource(l.text, start, end)
			if mayCount && (isMarked || found.Start == found.End) {
				found = Mention{start, end, isMarked}
			}
			if isMarked {
				return found, after
			}
		}
		start, end = NextErrorWord(l.text, after)
	}
	return found, len(l.text)
}

// isNoneIn reports whether a line says that there is none of the error word at start.
func isNoneIn(line []byte, start, end int) bool {
	if count := countBefore(line[:start]); len(count) > 0 && numbersComeFirst(line[:start]) {
		return isZero(count)
	}
	return isNegated(line[:start]) || isCountOfNone(line[start:end], line[end:])
}

// standingOf returns what a line says of itself.
func standingOf(line []byte) Standing {
	text := line
	for len(text) > 0 && (ascii.IsBlank(text[0]) || text[0] == '"') {
		text = text[1:]
	}
	for len(text) > 0 && (ascii.IsBlank(text[len(text)-1]) || text[len(text)-1] == '"') {
		text = text[:len(text)-1]
	}
	if len(text) > 0 && (ascii.IsDigit(text[0]) || text[0] == '[') && beginsWithTime(text) { // as in most logs
		if standing := standingOfLevel(levelOfText(text)); standing != SaysNothing {
			return standing
		}
		text = withoutTime(text)
	}
	if standing := standingOfMatch(text); standing != SaysNothing {
		return standing
	}
	switch {
	case HasFailureSign(text):
		return SaysError
	case HasVerdictOfSuccess(text), isExpectedToFail(text), isHunkHeader(text), isCommand(text),
		isSourceComment(text), isSubject(text):
		return saysNoError
	}
	if standing := standingOfLevel(levelOfText(text)); standing != SaysNothing {
		return standing
	}
	if isSourceLine(text) {
		return SaysNoFailure
	}
	return SaysNothing
}

// standingOfMatch returns what a line that a search has found says of itself, after the place that
// it is at: a comment or a line of source, which is mostly indented, is no failure of the search.
func standingOfMatch(text []byte) Standing {
	_, found, ok := CutPlace(text)
	if !ok {
		found, ok = cutNumber(text)
	}
	if !ok || len(found) == 0 || found[0] == ' ' && (len(found) == 1 || !ascii.IsBlank(found[1])) { // a diagnostic
		return SaysNothing
	}
	trimmed := bytes.TrimSpace(found)
	switch {
	case isSourceComment(trimmed), isCommentOfScript(trimmed):
		return saysNoError
	case ascii.IsBlank(found[0]), isSourceLine(trimmed), isCall(trimmed):
		return SaysNoFailure
	}
	return SaysNothing
}

// standingOfLevel returns what a level, nil for none, says of its line.
func standingOfLevel(level []byte) Standing {
	switch {
	case len(level) == 0:
		return SaysNothing
	case IsErrorWord(level), IsWord(level, "alert"):
		return SaysError
	}
	return SaysNoFailure
}

// withoutTime returns a line without the date and the clock that it begins with.
func withoutTime(text []byte) []byte {
	for beginsWithTime(text) {
		_, text, _ = bytes.Cut(text, []byte{' '})
		text = ascii.TrimBlanks(text)
	}
	return text
}

// beginsWithTime reports whether the first word of a line is a date or a clock.
func beginsWithTime(text []byte) bool {
	word, _, _ := bytes.Cut(text, []byte{' '})
	return isDate(word) || endsInClock(word)
}
