package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// Outcome is what a line says of how a run ended.
type Outcome uint8

const (
	NoOutcome  Outcome = iota // it says nothing of it
	Verdict                   // what a known tool ends with: "3 failed, 20 passed in 2.1s", "BUILD SUCCESS"
	NoTests                   // a run without a test: it is no success
	ExitStatus                // a status that is not 0
	Truncation                // a part of the output is missing
)

// OutcomeNames are how these kinds are shown.
var OutcomeNames = [...]string{Verdict: "verdict", NoTests: "no tests ran", ExitStatus: "exit status",
	Truncation: "output cut"}

const (
	longestOutcome = 200 // bytes of a line that says how a run ended
)

// OutcomeOf returns what a line says of how a run ended.
func OutcomeOf(line []byte) Outcome {
	if len(line) > longestOutcome {
		return NoOutcome
	}
	text := withoutColor(bytes.TrimSpace(line))
	switch {
	case len(text) == 0:
		return NoOutcome
	case hasExitStatus(text):
		return ExitStatus
	case saysTruncated(text):
		return Truncation
	case saysNoTests(text):
		return NoTests
	case isVerdict(text):
		return Verdict
	}
	return NoOutcome
}

var drawn = ascii.SetOf("=-*#> ")

// withoutColor returns a line without the drawn signs around it: "=== 3 passed in 0.1s ===".
func withoutColor(text []byte) []byte { return drawn.Trim(text) }

// hasExitStatus reports whether a line names the exit status of a program that is not 0: "exit
// status 1", "exited with code 137", "make: *** [x] Error 2".
func hasExitStatus(text []byte) bool {
	if bytes.HasPrefix(text, []byte("make")) {
		if _, after, found := bytes.Cut(text, []byte("] Error ")); found {
			n := ascii.LeadingDigits(after)
			return n > 0 && !isZero(after[:n])
		}
	}
	for rest := text; ; {
		at := bytes.Index(rest, []byte("exit"))
		if at < 0 {
			return false
		}
		isApart := at == 0 || !ascii.IsAlphanumeric(rest[at-1]) && rest[at-1] != '_'
		rest = rest[at+len("exit"):]
		after := bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("ed")), []byte("ing"))
		isNamed := len(after) < len(rest)
		for _, word := range [...]string{" with", " non-zero", " status", " code", "_code", "_status", "Code",
			"Status"} {
			if cut, found := bytes.CutPrefix(after, []byte(word)); found {
				after, isNamed = cut, true
			}
		}
		number := bytes.TrimLeft(after, " :=(\"")
		n := ascii.LeadingDigits(number)
		isEnd := n < len(number) && ascii.IsAlphanumeric(number[n])
		if isApart && isNamed && len(number) < len(after) && n > 0 && n < 4 && !isEnd && !isZero(number[:n]) {
			return true
		}
	}
}

// saysTruncated reports whether a line says that lines or characters of the output are missing.
func saysTruncated(text []byte) bool {
	word := []byte("truncated")
	at := bytes.Index(text, word)
	if at < 0 {
		word = []byte("omitted")
		at = bytes.Index(text, word)
	}
	if at < 0 {
		return isMoreLines(text)
	}
	if bytes.IndexByte([]byte("[(<.\xe2"), text[0]) >= 0 {
		return true
	}
	before := bytes.TrimRight(text[:at], " ")
	for _, what := range [...]string{"output", "Output", "log", "Log", "lines", "characters", "bytes", "was",
		"were", "been", "messages", "tokens"} {
		if lastWordIs(before, what) {
			return bytes.Contains(before, []byte("utput")) || bytes.Contains(before, []byte("og")) ||
				what[len(what)-1] == 's' && what != "was"
		}
	}
	return false
}

func lastWordIs(text []byte, word string) bool { return string(lastWord(text)) == word }

// isMoreLines reports whether a line stands for others: "... 120 more lines", "… +120 lines".
func isMoreLines(text []byte) bool {
	rest, isDots := bytes.CutPrefix(text, []byte("..."))
	if !isDots {
		if rest, isDots = bytes.CutPrefix(text, []byte(jsonx.Ellipsis)); !isDots {
			return false
		}
	}
	rest = bytes.TrimLeft(rest, " +(")
	n := ascii.LeadingDigits(rest)
	rest = bytes.TrimPrefix(bytes.TrimLeft(rest[n:], " "), []byte("more "))
	return n > 0 && (bytes.HasPrefix(rest, []byte("lines")) || bytes.HasPrefix(rest, []byte("rows")))
}

// phrasesOfNoTests are what runners print when they ran no test.
var phrasesOfNoTests = [...]string{
	"no tests ran", "no tests found", "no tests to run", "no tests were", "no test files", "no tests collected",
	"no tests executed", "collected 0 items", "ran 0 tests",
	"0 tests ran", "executed 0 tests", "tests run: 0", "0 examples, 0 failures", "no examples found",
	"no specs found", "no test suites found", "ran 0 of", "0 test cases",
	"no test cases", "tests 0", "0 tests, 0", "no tests matched", "tests: 0 total", "0 passed, 0 failed",
	"no matching tests",
}

// saysNoTests reports whether a line says that no test ran.
func saysNoTests(text []byte) bool {
	if string(text) == "1..0" {
		return true
	}
	if !namesTests(text) {
		return false // as most lines
	}
	for _, phrase := range phrasesOfNoTests {
		if at := indexFold(text, phrase); at >= 0 && (at == 0 || !ascii.IsAlphanumeric(text[at-1])) {
			end := at + len(phrase)
			return end == len(text) || !ascii.IsAlphanumeric(text[end])
		}
	}
	return false
}

// namesTests reports whether a line has a word that every one of these phrases has one of.
func namesTests(text []byte) bool {
	for i := 0; i+len("test") <= len(text); i++ {
		switch text[i] | 0x20 {
		case 't', 's', 'e', 'i', 'p', 'r':
			if i > 0 && ascii.IsLetter(text[i-1]) {
				continue
			}
			for _, start := range [...]string{"test", "spec", "exam", "item", "pass", "ran "} {
				if startsWith(text[i:], start) {
					return true
				}
			}
		}
	}
	return false
}

// indexFold returns where text has a phrase in small letters, without regard to case.
func indexFold(text []byte, phrase string) int {
	for i := 0; i+len(phrase) <= len(text); i++ {
		if text[i]|0x20 == phrase[0]|0x20 && isPhrase(text[i:i+len(phrase)], phrase) {
			return i
		}
	}
	return -1
}

func isPhrase(text []byte, phrase string) bool {
	for i := range len(phrase) {
		if c := text[i]; c != phrase[i] && (!ascii.IsUpper(c) || c|0x20 != phrase[i]) {
			return false
		}
	}
	return true
}

// verdictStarts are what the verdicts of known tools begin with that are no counts.
var verdictStarts = [...]string{
	"BUILD SUCCESS", "BUILD FAIL", "[INFO] BUILD", "[ERROR] BUILD", "OK (", "FAILED (", "test result: ",
	"Build succeeded", "Build FAILED", "All checks passed", "Success: no issues",
	"Apply complete!", "No changes.", "Plan: ", "make: ***", "ninja: build stopped", "ninja: no work to do",
	"Successfully installed", "Finished `", "error: could not compile", "Your code has been rated",
	"up to date", "nothing to commit", "No issues found", "Passed!", "Failed!", "Test Suites: ", "Tests: ",
	"Tests  ", "Test Files  ", "Ran all test suites",
}

// isVerdict reports whether a line is what a known tool ends with: a set phrase, or counts of what
// passed, failed or was found and hardly anything else.
func isVerdict(text []byte) bool {
	switch string(text) {
	case "OK", "PASS", "FAIL", "FAILED", "PASSED", "NO TESTS RAN":
		return true
	}
	for _, start := range verdictStarts {
		if text[0] == start[0] && bytes.HasPrefix(text, []byte(start)) {
			return true
		}
	}
	return isOfCounts(text)
}

// isOfCounts reports whether a line has two counts of outcomes at least, or is one with hardly
// anything around it: "3 failed, 20 passed", "Ran 482 tests in 31.2s", "Found 3 errors in 2
// files.", "pass 300".
func isOfCounts(text []byte) bool {
	if mask.PartsOf(text)&mask.Digit == 0 {
		return false
	}
	counts, strong, words := 0, 0, 0
	before := 0 // the noun before
	wasNumber, isFirst := false, false
	for i := 0; i < len(text); {
		start, end, isName := mask.NextRun(text, i)
		if start == end {
			break
		}
		run := text[start:end]
		isNumber := ascii.LeadingDigits(run) == len(run)
		noun := nounOfOutcome(run)
		if wasNumber && noun > 0 || isNumber && before > 0 && !isFirst {
			counts++
			strong = max(strong, noun, before)
		}
		isFirst = wasNumber && noun > 0
		if isName {
			words++
		}
		wasNumber, before = isNumber, noun
		i = end
	}
	return counts > 1 && words <= 4*counts+2 || counts == 1 && words <= 5 && startsCount(text) && (strong > 1 ||
		startsWith(text, "found "))
}

// startsCount reports whether a line begins with a count, or with a word that runners write before
// one.
func startsCount(text []byte) bool {
	text = bytes.TrimLeft(text, "✖✗✘✓✔ ")
	if len(text) > 0 && ascii.IsDigit(text[0]) {
		return true
	}
	word := text[:ascii.LeadingLetters(text)]
	for _, start := range [...]string{"ran", "found", "collected", "executed", "pass", "fail", "passed", "failed",
		"tests", "added", "skipped", "all"} {
		if IsWord(word, start) {
			return true
		}
	}
	return false
}

// nounOfOutcome returns 2 for a word that runners and linters count outcomes by, 1 for one that
// says so only beside another, 0 for any other.
func nounOfOutcome(word []byte) int {
	if len(word) < 3 || len(word) > 15 {
		return 0
	}
	var lower [15]byte
	for i, c := range word {
		lower[i] = c | 0x20
	}
	switch string(lower[:len(word)]) {
	case "passed", "failed", "passing", "failing", "skipped", "pending", "tests", "examples", "specs", "failures",
		"assertions", "problems", "vulnerabilities", "offenses",
		"pass", "fail", "problem", "failure", "deselected", "xfailed", "xpassed":
		return 2
	case "errors", "warnings", "error", "warning", "suites", "test", "issues", "ignored", "todo", "cancelled",
		"upgraded", "removed", "measured", "items":
		return 1
	}
	return 0
}

// MostOfOutcomes is how many lines of one template are looked at for what they say of the end of a
// run: a run ends a few times.
const MostOfOutcomes = 32
