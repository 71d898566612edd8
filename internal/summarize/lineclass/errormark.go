package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// isMarked reports whether more than the error word at start says that a line reports a failure:
// the word comes first in the message with a colon, a code or in capital letters, or last as a
// verdict, or it has a count that is not zero.
func isMarked(line []byte, start, end int) bool {
	if hasCount(line, start, end) {
		return true
	}
	return comesFirst(line[:start]) && (isLabel(line, start, end) || isOfProgram(line, start, end)) ||
		isFinalVerdict(line, start, end)
}

// isOfProgram reports whether a line is an error of the program that it begins with: "dpkg: error processing x".
func isOfProgram(line []byte, start, end int) bool {
	program, isNamed := bytes.CutSuffix(line[:start], []byte(": "))
	isProgram := isNamed && len(program) > 0 && ascii.IsLetter(program[0]) && !bytes.ContainsAny(program, " \t:=/")
	word := line[start:end]
	return isProgram && (IsWord(word, "error") || IsWord(word, "fatal")) && end < len(line) && ascii.IsBlank(line[end])
}

// comesFirst reports whether nothing but a prefix stands before a word: the names of a program, a
// module or an exception with a colon, brackets, times and numbers.
func comesFirst(before []byte) bool {
	text := bytes.TrimLeft(before, " \t\"'>|*#E!│┃║╷╵")
	if len(text) == 0 {
		return true
	}
	if last := text[len(text)-1]; !ascii.IsBlank(last) { // a part of a name: ValueError, java.io.IOException
		text = text[:bytes.LastIndexAny(text, " \t")+1]
	}
	for word := range bytes.FieldsSeq(text) {
		last := word[len(word)-1]
		isPrefix := last == ':' || last == ']' || last == '|' || last == '>' || last == '-' || ascii.IsDigit(word[0]) ||
			endsInClock(word) ||
			mask.Parts[word[0]]&mask.Bracket != 0 || IsLevelName(word)
		if !isPrefix {
			return false
		}
	}
	return true
}

// isLabel reports whether an error word that comes first names what the line is: "error: x",
// "ValueError: x", "error[E0382]: x", "error TS2307: x", "FATAL x", "Traceback (most recent call
// last):".
func isLabel(line []byte, start, end int) bool {
	word, after := line[start:end], line[end:]
	for len(after) > 0 && ascii.IsLetter(after[0]) { // the rest of a name that goes on: ErrorCode
		after = after[1:]
	}
	if len(word) > 2 && ascii.IsUpper(word[0]) && ascii.IsUpper(word[1]) &&
		(len(after) == 0 || ascii.IsBlank(after[0]) ||
			after[0] == ':' || after[0] == ']') {
		return true
	}
	if IsWord(word, "traceback") || IsWord(word, "panic") {
		return true
	}
	if len(after) > 0 && after[0] == '[' {
		if end := bytes.IndexByte(after, ']'); end > 0 {
			after = after[end+1:]
		}
	} else if code, rest, found := bytes.Cut(after, []byte{':'}); found && len(code) > 1 && code[0] == ' ' &&
		isRuleCode(code[1:]) && ascii.IsUpper(code[1]) {
		return len(rest) > 0
	}
	return len(after) > 1 && after[0] == ':' && ascii.IsBlank(after[1])
}

// isFinalVerdict reports whether an error word is what a line ends with after dots, a colon or two
// blanks, or in capital letters: "test x ... FAILED", "build: failed".
func isFinalVerdict(line []byte, start, end int) bool {
	rest := withoutMeasure(line[end:])
	if len(bytes.Trim(rest, "]!. \t\"")) > 0 || start == 0 {
		return false
	}
	head := bytes.TrimRight(line[:start], " \t[")
	isUpperCase := ascii.IsUpper(line[start]) && ascii.IsUpper(line[end-1])
	return len(head) > 0 && (isUpperCase || bytes.HasSuffix(head, []byte("..")) || head[len(head)-1] == ':' ||
		start-len(head) > 1)
}

// countOf returns the count that an error word has, nil if it has none: "3 failed", "failures: 2",
// "# fail 1". Where numbers stand on both sides, the line decides which one belongs to the word.
func countOf(line []byte, start, end int) []byte {
	before, after := countBefore(line[:start]), countAfter(line[end:])
	if len(before) > 0 && (len(after) == 0 || numbersComeFirst(line[:start])) {
		return before
	}
	return after
}

// hasCount reports whether an error word has a count that is not zero.
func hasCount(line []byte, start, end int) bool {
	count := countOf(line, start, end)
	if len(count) == 0 || isZero(count) {
		return false
	}
	if before := countBefore(line[:start]); len(before) == len(count) && len(count) > 0 {
		return isApartCount(bytes.TrimRight(line[:start], " "), len(count))
	}
	return true
}

// isApartCount reports whether the number that a text ends with counts what follows: in "order 31
// failed" it is the number of the order.
func isApartCount(text []byte, digits int) bool {
	text = bytes.TrimRight(text[:len(text)-digits], " ")
	word := lastWord(text)
	if len(word) == 0 || !ascii.IsLetter(word[len(word)-1]) || nounOfOutcome(word) > 0 {
		return true
	}
	for _, verb := range [...]string{"with", "had", "has", "and", "found", "of", "were", "are", "got", "ran"} {
		if IsWord(word, verb) {
			return true
		}
	}
	return false
}

// countBefore returns the integer that stands directly before a word, nil if there is none.
func countBefore(before []byte) []byte {
	text := bytes.TrimRight(before, " ")
	if len(text) == len(before) {
		return nil
	}
	number := text[bytes.LastIndexAny(text, " \t(,;\"[")+1:]
	if n := ascii.LeadingDigits(number); n == 0 || n < len(number) {
		return nil
	}
	return number
}

// countAfter returns the integer that stands directly after a word, or after a colon or an
// equals sign, and is no part of anything longer. It is nil if there is none.
func countAfter(after []byte) []byte {
	text := bytes.TrimLeft(after, "\"'")
	if name := bytes.TrimLeft(text, " _"); len(name) < len(text) {
		for _, noun := range [...]string{"count", "total", "number", "jobs", "tests", "requests", "tasks", "items",
			"checks"} {
			if IsWord(name[:ascii.LeadingLetters(name)], noun) {
				text = name[len(noun):]
			}
		}
	}
	text = bytes.TrimLeft(text, " ")
	if len(text) > 0 && (text[0] == ':' || text[0] == '=') {
		text = bytes.TrimLeft(text[1:], " \"'")
	} else if len(text) == len(after) {
		return nil
	}
	n := ascii.LeadingDigits(text)
	if n == 0 || n < len(text) && bytes.IndexByte([]byte(" ,;)]}\"'|"), text[n]) < 0 {
		return nil
	}
	return text[:n]
}

// numbersComeFirst reports whether words and numbers that alternate up to a word begin with a
// number: in "40 passed 0 failed" they do, in "passed 40 failed 0" they do not.
func numbersComeFirst(before []byte) bool {
	isNumber, wantsNumber := false, true
	for text := before; ; {
		text = bytes.TrimRight(text, " ")
		if len(text) == 0 {
			return isNumber
		}
		word := text[bytes.LastIndexByte(text, ' ')+1:]
		if bytes.IndexByte([]byte(":=|;()[]"), word[len(word)-1]) >= 0 {
			return isNumber
		}
		bare := bytes.TrimRight(word, ",")
		if number := ascii.LeadingDigits(bare) == len(bare); number != wantsNumber {
			return isNumber
		}
		isNumber, wantsNumber = wantsNumber, !wantsNumber
		text = text[:len(text)-len(word)]
	}
}

func isZero(number []byte) bool { return len(bytes.Trim(number, "0")) == 0 }

// isNegated reports whether the text before a word says that there is none of it: "no", "0",
// "without", "did not", "0 of 17", "0/17 tests", "no known".
func isNegated(before []byte) bool {
	text := bytes.TrimRight(before, " ")
	word := lastWord(text)
	switch {
	case isNoneWord(word):
		return true
	case len(word) == 0:
		return false
	}
	rest := bytes.TrimRight(text[:len(text)-len(word)], " ")
	first := lastWord(rest)
	for _, adjective := range [...]string{"any", "known", "new", "more", "further", "other", "such", "critical",
		"fatal", "major", "serious", "obvious", "real"} {
		if IsWord(word, adjective) && isNoneWord(first) {
			return true
		}
	}
	isLower := ascii.LeadingLetters(word) == len(word) && !ascii.IsUpper(word[0])
	if isLower && isZeroCount(first) { // 0 tests failed
		return true
	}
	return isOfZero(text) || isLower && isOfZero(rest)
}

// lastWord returns what a text ends with after its last blank or opening sign.
func lastWord(text []byte) []byte {
	start := len(text)
	for start > 0 {
		switch text[start-1] {
		case ' ', '\t', '(', ',', ';', '"', '\'', '[', '{', '|':
			return text[start:]
		}
		start--
	}
	return text
}

func isZeroCount(word []byte) bool {
	count, _, _ := bytes.Cut(word, []byte{'/'})
	return len(count) > 0 && isZero(count)
}

// isNoneWord reports whether a word says that there is none of what follows.
func isNoneWord(word []byte) bool {
	if isZeroCount(word) {
		return true
	}
	for _, none := range [...]string{"no", "zero", "without", "not", "never", "none", "non", "didn't", "doesn't",
		"hasn't"} {
		if IsWord(word, none) {
			return true
		}
	}
	return false
}

// isOfZero reports whether a text ends with "0 of 17" or "0 out of 17".
func isOfZero(text []byte) bool {
	total := lastWord(text)
	if n := ascii.LeadingDigits(total); n == 0 || n < len(total) {
		return false
	}
	text, ok := bytes.CutSuffix(bytes.TrimRight(text[:len(text)-len(total)], " "), []byte(" of"))
	text = bytes.TrimSuffix(text, []byte(" out"))
	return ok && isZeroCount(lastWord(text))
}

// isCountOfNone reports whether what follows an error word says that there is none: "failures: 0",
// "failed=0", "error count 0", "error rate 0.00%", "last error: none", "err=<nil>". What comes
// after "ERROR: " is no count unless the line ends there.
func isCountOfNone(word, after []byte) bool {
	text := after
	for range 3 { // the words of the name of a count
		trimmed := bytes.TrimLeft(text, " _-.")
		n := ascii.LeadingLetters(trimmed)
		if n == 0 || len(trimmed) == len(text) && len(text) < len(after) || isNothing(trimmed[:n]) &&
			!IsWord(trimmed[:n], "not") {
			break
		}
		if !IsNameOfCount(trimmed[:n]) {
			break
		}
		text = trimmed[n:]
	}
	isNamed := len(text) < len(after)
	text = bytes.TrimLeft(text, "\"'\\")
	sign := byte(0)
	if text = bytes.TrimLeft(text, " \t"); len(text) > 0 && (text[0] == '=' || text[0] == ':' || text[0] == '|') {
		sign = text[0]
		text = text[1:]
	} else if len(text) > 0 && ascii.IsDigit(text[0]) && len(text) == len(after) {
		return false
	}
	value, rest := cutNothing(bytes.TrimLeft(text, " \t"))
	if len(value) == 0 {
		return false
	}
	isPlural := word[len(word)-1]|0x20 == 's' || word[len(word)-1]|0x20 == 'd' || isNamed || IsWord(word, "fail")
	isLast := len(bytes.Trim(rest, " \t.,;)]}\"'\\")) == 0
	switch {
	case sign == '=', sign == ':' && isPlural, isLast && (sign != 0 || ascii.IsDigit(value[0]) || isNamed):
		return true
	}
	return sign == 0 && isPlural && ascii.IsDigit(value[0])
}

// IsNameOfCount reports whether a word after an error word makes both the name of a count or a
// state.
func IsNameOfCount(word []byte) bool {
	for _, name := range [...]string{
		"count", "counts", "rate", "rates", "ratio", "total", "totals", "number", "num", "percent", "percentage",
		"pct", "code", "codes", "status", "state", "is", "was",
		"message", "msg", "tests", "jobs", "requests", "tasks", "items", "found", "reported", "detected", "seconds",
		"bytes", "retries", "events", "logins", "checks", "packets", "steps", "files",
	} {
		if IsWord(word, name) {
			return true
		}
	}
	return false
}

// isNothing reports whether a word is a value that says that there is none.
func isNothing(word []byte) bool {
	for _, none := range [...]string{"none", "null", "nil", "no", "false", "nothing", "undefined", "na", "empty",
		"never", "not"} {
		if IsWord(word, none) {
			return true
		}
	}
	return false
}

// cutNothing cuts a value that says that there is none off a text: 0, 0.00%, none, null, <nil>, [],
// "", (none), n/a. It returns an empty value if text does not begin with one.
func cutNothing(text []byte) (value, rest []byte) {
	for _, none := range [...]string{"<nil>", "<none>", "(none)", "(null)", "[]", "{}", `""`, "''", `\"\"`, "n/a",
		"N/A", "--"} {
		if bytes.HasPrefix(text, []byte(none)) {
			return text[:len(none)], text[len(none):]
		}
	}
	bare := bytes.TrimLeft(text, "\"'\\")
	n := ascii.LeadingLetters(bare)
	if n > 0 && isNothing(bare[:n]) {
		if IsWord(bare[:n], "no") || IsWord(bare[:n], "not") || IsWord(bare[:n], "never") { // "no route to host"
			if len(bytes.Trim(bare[n:], " .,;)\"'")) > 0 {
				return nil, nil
			}
		}
		if n == len(bare) || bytes.IndexByte([]byte(" ,;.)]}\"'|\\\t"), bare[n]) >= 0 {
			return bare[:n], bare[n:]
		}
		return nil, nil
	}
	for n = 0; n < len(bare) && (bare[n] == '0' || n > 0 && bare[n] == '.' && n+1 < len(bare) &&
		bare[n+1] == '0'); n++ {
	}
	if n == 0 {
		return nil, nil
	}
	if n < len(bare) && bare[n] == '%' {
		return bare[:n+1], bare[n+1:]
	}
	if n < len(bare) && (ascii.IsAlphanumeric(bare[n]) || bare[n] == '.' && n+1 < len(bare) &&
		ascii.IsAlphanumeric(bare[n+1])) {
		return nil, nil
	}
	return bare[:n], bare[n:]
}

// isNameOfHandling reports whether an error word in a sentence is the first half of a name of what
// handles errors: "the error handler", "crash recovery". "Error handling request" begins a message,
// and is an error.
func isNameOfHandling(line []byte, start, end int) bool {
	if ascii.IsUpper(line[start]) && comesFirst(line[:start]) {
		return false
	}
	next := bytes.TrimLeft(line[end:], " -_")
	if len(next) == len(line[end:]) {
		return false
	}
	next = next[:ascii.LeadingLetters(next)]
	for _, noun := range [...]string{
		"handler", "handlers", "handling", "reporter", "reporting", "recovery", "correction", "page", "pages",
		"budget", "boundary", "detector", "detection", "tracker",
		"tracking", "logger", "logging", "free", "safe", "tolerant", "tolerance", "fast", "over", "proof", "prone",
		"domain", "domains",
	} {
		if IsWord(next, noun) {
			return start > 0 || line[end] == '-'
		}
	}
	return false
}
