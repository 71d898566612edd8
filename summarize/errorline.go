package summarize

import "bytes"

// errorMention is an error word in a text. It is empty if the text reports no error.
type errorMention struct {
	start, end int
	isMarked   bool // more than the word says so: see isMarked
}

// errorIn returns the first mention of an error in text that is marked as one, else the first
// mention that nothing contradicts.
//
// The words of a line are weighed as a whole. A line with a verdict of success reports no error,
// and neither does a line of source, a command or the subject of a commit. A level below error
// contradicts every word that is not marked. text may be the inside of a JSON string.
func errorIn(text []byte) (found errorMention) {
	at := 0
	for {
		start, end := nextErrorWord(text, at)
		if start == end && at == 0 {
			return failureSignIn(text)
		}
		if start == end {
			return found
		}
		from, to := lineAround(text, start, end)
		in := errorLine{text: text[from:to]}
		m, after := in.mention(start-from, end-from)
		if m.start < m.end && (m.isMarked || found.start == found.end) {
			found = errorMention{m.start + from, m.end + from, m.isMarked}
		}
		if found.isMarked {
			return found
		}
		at = from + after
	}
}

// failureSignIn returns the sign of failure that text, which has no error word, begins with as a
// mention of an error.
func failureSignIn(text []byte) (found errorMention) {
	start := pastBlanks(text, 0)
	if !hasFailureSign(text[start:]) || bytes.Contains(text, []byte("warning")) {
		return errorMention{}
	}
	end := bytes.IndexByte(text[start:], ' ')
	if end < 0 {
		end = len(text) - start
	}
	return errorMention{start, start + end, true}
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
	standing lineStanding
}

// lineStanding is what a line says of itself, whatever error words it has.
type lineStanding uint8

const (
	saysNothing   lineStanding = iota
	saysNoError                // a verdict of success, a command, a comment, the subject of a commit
	saysNoFailure              // a level below error, a line of source: only a mark beats it
	saysError                  // a level of error or above
)

// mention returns the best mention in the line, of which the error word at start is the first.
// after is where the line has been read to.
func (l *errorLine) mention(start, end int) (found errorMention, after int) {
	for start < end {
		after = end
		if !isNoneIn(l.text, start, end) {
			if !l.isJudged {
				l.standing, l.isJudged = standingOf(l.text), true
			}
			if l.standing == saysNoError {
				return errorMention{}, len(l.text)
			}
			isMarked := l.standing == saysError || isMarked(l.text, start, end)
			mayCount := isMarked || l.standing == saysNothing && !isNameOfHandling(l.text, start, end) &&
				!isInSource(l.text, start, end)
			if mayCount && (isMarked || found.start == found.end) {
				found = errorMention{start, end, isMarked}
			}
			if isMarked {
				return found, after
			}
		}
		start, end = nextErrorWord(l.text, after)
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
func standingOf(line []byte) lineStanding {
	text := line
	for len(text) > 0 && (isBlank(text[0]) || text[0] == '"') {
		text = text[1:]
	}
	for len(text) > 0 && (isBlank(text[len(text)-1]) || text[len(text)-1] == '"') {
		text = text[:len(text)-1]
	}
	if len(text) > 0 && (isDigit(text[0]) || text[0] == '[') && beginsWithTime(text) { // as in most logs
		if standing := standingOfLevel(levelOfText(text)); standing != saysNothing {
			return standing
		}
	}
	switch {
	case hasFailureSign(text):
		return saysError
	case hasVerdictOfSuccess(text), isExpectedToFail(text), isHunkHeader(text), isCommand(text),
		isSourceComment(text), isSubject(text):
		return saysNoError
	}
	if standing := standingOfLevel(levelOfText(text)); standing != saysNothing {
		return standing
	}
	if isSourceLine(text) {
		return saysNoFailure
	}
	return saysNothing
}

// standingOfLevel returns what a level, nil for none, says of its line.
func standingOfLevel(level []byte) lineStanding {
	switch {
	case len(level) == 0:
		return saysNothing
	case isErrorWord(level), isWord(level, "alert"):
		return saysError
	}
	return saysNoFailure
}

// beginsWithTime reports whether the first word of a line is a date or a clock.
func beginsWithTime(text []byte) bool {
	word, _, _ := bytes.Cut(text, []byte{' '})
	return isDate(word) || endsInClock(word)
}

// failureSigns are what a line begins with that reports a failed test or step, whatever words
// follow.
var failureSigns = [...]string{
	"not ok ", "✗", "✘", "✖", "❌", "×", "FAIL ", "FAIL:", "FAIL\t", "FAILED ", "FAILED:", "--- FAIL", "[FAIL]",
	"[FAILED]", "[  FAILED  ]",
	"npm ERR!", "npm error ",
}

// hasFailureSign reports whether a line without the blanks around it begins with a sign of failure.
// A sign in front of a count of none, as in "✖ 7 problems (0 errors, 7 warnings)", is one of
// warnings.
func hasFailureSign(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch text[0] {
	case 'n', 'F', '-', '[', "✗"[0], "×"[0]:
	default:
		return false // as most lines
	}
	for _, sign := range failureSigns {
		if bytes.HasPrefix(text, []byte(sign)) {
			return !bytes.Contains(text, []byte("(0 errors")) && !isExpectedToFail(text)
		}
	}
	return false
}

// isExpectedToFail reports whether a test of TAP is expected to fail: "not ok 3 # TODO".
func isExpectedToFail(text []byte) bool {
	_, directive, found := bytes.Cut(text, []byte(" # "))
	return found && (startsWith(directive, "todo") || startsWith(directive, "skip"))
}

// successSigns are what a line begins with that reports a test or step that passed or was skipped.
var successSigns = [...]string{
	"✓", "✔", "√", "✅", "☑", "○", "PASS ", "PASS:", "PASS\t", "PASSED ", "PASSED:", "Passed ", "SKIP ",
	"SKIP:",
	"SKIPPED ", "--- PASS",
	"--- SKIP", "[ok]", "[OK]", "[PASS]", "[PASSED]", "[SKIP]", "[SKIPPED]", "ok\t", "ok  ", "ok: ",
}

// finalVerdicts are what a line ends with that reports a test or step that passed or was skipped.
var finalVerdicts = [...]string{"ok", "pass", "passed", "ignored", "skipped", "skip", "success", "succeeded",
	"xfail", "✓", "✔", "✅", "[ok]", "[pass]", "[passed]"}

// hasVerdictOfSuccess reports whether a line says that what it names passed, or was skipped: "test
// x ... ok", "ok 198 - rejects failed batch", "[ OK ] HandlesFailure", "x::test_error PASSED [
// 12%]".
func hasVerdictOfSuccess(text []byte) bool {
	text = withoutCounter(text)
	for _, sign := range successSigns {
		if len(text) > 0 && text[0] == sign[0] && bytes.HasPrefix(text, []byte(sign)) {
			return true
		}
	}
	if rest, isTAP := bytes.CutPrefix(text, []byte("ok ")); isTAP && leadingDigits(rest) > 0 {
		return true
	}
	if inside, _, isBracketed := bytes.Cut(text, []byte("]")); isBracketed && len(inside) > 0 &&
		inside[0] == '[' { // [       OK ]
		if word := bytes.TrimSpace(inside[1:]); isWord(word, "ok") || isWord(word, "pass") ||
			isWord(word, "passed") || isWord(word, "skipped") {
			return true
		}
	}
	return endsInVerdict(text)
}

// withoutCounter returns a line without the bracketed counter that it begins with: "[3/9] ",
// "(3/9) ", "3/9 ", "[ 12%] ".
func withoutCounter(text []byte) []byte {
	at := 0
	for at < len(text) && (isDigit(text[at]) || bytes.IndexByte([]byte("[](/%. "), text[at]) >= 0 || at > 0 &&
		text[at] == ')') {
		at++
	}
	if leadingDigits(bytes.TrimLeft(text[:at], "[( ")) == 0 || at < 2 || !isBlank(text[at-1]) {
		return text
	}
	return text[at:]
}

// endsInVerdict reports whether a line ends with a verdict of success that stands apart from a
// sentence: after dots, a colon, a dash or a bracket, after two blanks, or in capital letters. What
// may follow is a duration or a share, in brackets or not.
func endsInVerdict(text []byte) bool {
	text = withoutMeasure(text)
	cut := bytes.LastIndexAny(text, " \t.:")
	if cut < 0 {
		return false
	}
	verdict, before := text[cut+1:], text[:cut+1]
	isOne := false
	for _, v := range finalVerdicts {
		isOne = isOne || len(v) == len(verdict) && bytes.EqualFold(verdict, []byte(v))
	}
	if !isOne {
		return false
	}
	isApart := isUpper(verdict[0]) && len(verdict) > 1 && isUpper(verdict[1]) || verdict[0] >= 0x80 ||
		verdict[0] == '['
	isApart = isApart || bytes.HasSuffix(before, []byte("  ")) || before[cut] == '\t' || before[cut] == '.'
	head := bytes.TrimRight(before, " \t")
	if len(head) == 0 {
		return false
	}
	last := head[len(head)-1]
	isApart = isApart || bytes.IndexByte([]byte(".:-])'|>"), last) >= 0
	word := head[bytes.LastIndexAny(head, " \t")+1:]
	return isApart && leadingDigits(word) < len(word) // "3 passed" is a count
}

// withoutMeasure returns a line without the duration or share at its end: "(0.00s)", "[ 12%]",
// "0.01 sec", "in 3 ms", and without the period.
func withoutMeasure(text []byte) []byte {
	for range 2 {
		text = bytes.TrimRight(text, " \t.,")
		if len(text) == 0 {
			return text
		}
		if last := text[len(text)-1]; last == ')' || last == ']' {
			open := bytes.LastIndexAny(text, "([")
			if open > 0 && bytes.IndexAny(text[open:], "0123456789") > 0 {
				text = text[:open]
				continue
			}
		}
		last := lastWord(text)
		before := bytes.TrimRight(text[:len(text)-len(last)], " ")
		number := lastWord(before)
		switch {
		case len(before) == 0:
			return text
		case isDuration(last):
			text = before
		case isUnitOfTime(last) && len(number) < len(before) && len(number) > 0 && isDigit(number[0]):
			text = before[:len(before)-len(number)]
		default:
			return text
		}
		text = bytes.TrimSuffix(bytes.TrimRight(text, " "), []byte(" in"))
	}
	return text
}

// isDuration reports whether a word is a number with a unit of time: 3ms, 0.25s.
func isDuration(word []byte) bool {
	unit := bytes.TrimLeft(word, "0123456789.")
	return len(unit) < len(word) && isUnitOfTime(unit)
}

func isUnitOfTime(word []byte) bool {
	switch string(word) {
	case "s", "ms", "us", "µs", "ns", "m", "sec", "secs", "seconds", "min":
		return true
	}
	return false
}

// isHunkHeader reports whether a line is the header of a hunk of a diff, with the name of a
// function.
func isHunkHeader(text []byte) bool { return bytes.HasPrefix(text, []byte("@@ -")) }

// isSourceComment reports whether a line is a comment of source, or an include.
func isSourceComment(text []byte) bool {
	for _, sign := range [...]string{"//", "/*", "*/", "* @", "<!--", "#include", "#define", "#ifdef", "#error "} {
		if bytes.HasPrefix(text, []byte(sign)) {
			return true
		}
	}
	return false
}

// isCommand reports whether a line is a command as a shell or a build tool prints it: after a
// prompt, or a program with an option. "--level error" names no error.
func isCommand(text []byte) bool {
	for _, prompt := range [...]string{"$ ", "% ", "+ ", "> ", "RUN ", "CMD ", "ENTRYPOINT "} {
		if rest, ok := bytes.CutPrefix(text, []byte(prompt)); ok {
			return len(rest) > 0 && (prompt[0] != '+' && prompt[0] != '>' || isLetter(rest[0]) &&
				!isUpper(rest[0]) || rest[0] == '/' || rest[0] == '.')
		}
	}
	program, rest, found := bytes.Cut(text, []byte{' '})
	if !found || len(program) == 0 || bytes.ContainsAny(program, ":=[](){},<>|\"'") || isUpper(program[0]) ||
		isErrorWord(program) {
		return false
	}
	if c := program[0]; !isLetter(c) && c != '/' && c != '.' {
		return false
	}
	for range 3 { // an option among the first words
		var word []byte
		word, rest, _ = bytes.Cut(bytes.TrimLeft(rest, " "), []byte{' '})
		if isOption(word) {
			return true
		}
		if len(word) == 0 || word[len(word)-1] == ':' || isErrorWord(word) || !isLetter(word[0]) &&
			word[0] != '/' && word[0] != '.' {
			return false
		}
	}
	return false
}

// isOption reports whether a word is an option of a command: -x, --level, -Werror, --level=error.
func isOption(word []byte) bool {
	name := bytes.TrimLeft(word, "-")
	return len(name) < len(word) && len(name) > 0 && isLetter(name[0]) && len(word)-len(name) <= 2 &&
		name[len(name)-1] != '-'
}

// isSubject reports whether a line is a commit with its subject, as "git log --oneline" and
// release notes have them: it begins with the hash of the commit, or ends with that or with the
// number of a request.
func isSubject(text []byte) bool {
	for len(text) > 0 && (isBlank(text[0]) || bytes.IndexByte([]byte("*|\\/_"), text[0]) >= 0) {
		text = text[1:]
	}
	hash, rest, found := bytes.Cut(text, []byte{' '})
	if found && isCommitHash(hash) {
		return len(levelOfText(rest)) == 0
	}
	if name, at, isStash := bytes.Cut(text, []byte("@{")); isStash && isWord(name, "stash") && leadingDigits(at) > 0 {
		return true
	}
	open := bytes.LastIndexByte(text, '(')
	if open <= 0 || text[len(text)-1] != ')' || text[open-1] != ' ' {
		return false
	}
	of := text[open+1 : len(text)-1]
	number, isRequest := bytes.CutPrefix(of, []byte{'#'})
	return isRequest && len(number) > 0 && leadingDigits(number) == len(number) || isCommitHash(of)
}

// isCommitHash reports whether a word is the hash of a commit, shortened or not: with letters and
// digits, so that it is no number.
func isCommitHash(word []byte) bool {
	if len(word) < len("0000000") || len(word) > len("da39a3ee5e6b4b0d3255bfef95601890afd80709") {
		return false
	}
	digits := 0
	for _, c := range word {
		switch {
		case isDigit(c):
			digits++
		case c < 'a' || c > 'f':
			return false
		}
	}
	return 0 < digits && digits < len(word)
}

const (
	wordsBeforeLevel = 8   // of a line that may come before its level
	levelWithin      = 200 // bytes of a line that are looked at for its level
)

// levelOfText returns the level that a line gives itself, nil if it gives none. The level comes
// first, after a time, after brackets, or after the place in a file that the line is about; or it
// is the value of a name such as level.
func levelOfText(text []byte) []byte {
	text = text[:min(len(text), levelWithin)]
	if len(text) > 5 && isDigit(text[1]) && isDigit(text[4]) && text[5] == ' ' { // glog: I0301 12:00:00
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
	for rest := text; len(rest) > 0; {
		var word []byte
		rest = withoutBlanks(rest)
		end := 0
		for end < len(rest) && !isBlank(rest[end]) {
			end++
		}
		word, rest = rest[:end], rest[end:]
		if len(word) == 0 {
			break
		}
		if level := levelIn(word, isAfterTime || isAfterPlace); level != nil && (isFirst || isAfterTime ||
			isAfterPlace) {
			return level
		}
		name, hasColon := bytes.CutSuffix(word, []byte{':'})
		if hasColon && (isFirst || isAfterTime || isAfterPlace) && (isLevelName(name) || isWord(name, "note") ||
			isWord(name, "hint") || isWord(name, "help")) {
			return name
		}
		isPlace := hasColon && bytes.IndexByte(name, ':') > 0 && isDigit(name[len(name)-1])
		isPlace = isPlace || isDigit(word[0]) && bytes.IndexByte(word, ':') > 0 &&
			leadingDigits(word[bytes.IndexByte(word, ':')+1:]) > 0
		isAfterPlace = isPlace || isFirst && isWord(word, "npm")
		isAfterTime = isAfterTime || endsInClock(word) || isDate(word)
		isPrefix := parts[word[0]]&(bracket|angle) != 0 || isDigit(word[0]) || isWord(name, "npm") && !hasColon
		isFirst = isFirst && isPrefix
	}
	return namedLevel(text)
}

// isDate reports whether a word is or begins with a date: 2026-03-01, 2026-03-01T10:00:59Z.
func isDate(word []byte) bool {
	word = bytes.TrimLeft(word, "[(")
	return len(word) >= len("2026-03-01") && (matches(word, "dddd-dd-dd") || matches(word, "dddd/dd/dd"))
}

// namesOfLevel are those that loggers have for the level of a line or record.
var namesOfLevel = [...]string{"level", "lvl", "severity", "loglevel", "log_level", "levelname"}

// namedLevel returns the level that a line has as a value: level=info, "severity":"INFO".
func namedLevel(text []byte) []byte {
	for at := 0; at < len(text); at++ {
		if c := text[at] | 0x20; c != 'l' && c != 's' || at > 0 && (isAlphanumeric(text[at-1]) ||
			text[at-1] == '_' || text[at-1] == '-') {
			continue
		}
		for _, name := range namesOfLevel {
			if !startsWith(text[at:], name) {
				continue
			}
			rest := bytes.TrimLeft(text[at+len(name):], `"'\`)
			if len(rest) == 0 || rest[0] != '=' && rest[0] != ':' {
				continue
			}
			rest = bytes.TrimLeft(rest[1:], ` "'\`)
			if word := rest[:leadingLetters(rest)]; isLevelName(word) {
				return word
			}
		}
	}
	return nil
}
