package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// failureSigns are what a line begins with that reports a failed test or step, whatever words
// follow.
var failureSigns = [...]string{
	"not ok ", "✗", "✘", "✖", "✕", "❌", "×", "FAIL ", "FAIL:", "FAIL\t", "FAILED ", "FAILED:", "--- FAIL", "[FAIL]",
	"[FAILED]", "[  FAILED  ]",
	"npm ERR!", "npm error ", "E: ",
}

// HasFailureSign reports whether a line without the blanks around it begins with a sign of failure.
// A sign in front of a count of none, as in "✖ 7 problems (0 errors, 7 warnings)", is one of
// warnings.
func HasFailureSign(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	if text[len(text)-1] == ')' && bytes.Contains(text, []byte(" (FAILED - ")) { // rspec
		return true
	}
	switch text[0] {
	case 'n', 'F', '-', '[', 'E', "✗"[0], "×"[0]:
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

// HasVerdictOfSuccess reports whether a line says that what it names passed, or was skipped: "test
// x ... ok", "ok 198 - rejects failed batch", "[ OK ] HandlesFailure", "x::test_error PASSED [
// 12%]".
func HasVerdictOfSuccess(text []byte) bool {
	text = withoutCounter(text)
	for _, sign := range successSigns {
		if len(text) > 0 && text[0] == sign[0] && bytes.HasPrefix(text, []byte(sign)) {
			return true
		}
	}
	if rest, isTAP := bytes.CutPrefix(text, []byte("ok ")); isTAP && ascii.LeadingDigits(rest) > 0 {
		return true
	}
	if inside, _, isBracketed := bytes.Cut(text, []byte("]")); isBracketed && len(inside) > 0 &&
		inside[0] == '[' { // [       OK ]
		if word := bytes.TrimSpace(inside[1:]); IsWord(word, "ok") || IsWord(word, "pass") ||
			IsWord(word, "passed") || IsWord(word, "skipped") {
			return true
		}
	}
	return endsInVerdict(text)
}

// withoutCounter returns a line without the bracketed counter that it begins with: "[3/9] ",
// "(3/9) ", "3/9 ", "[ 12%] ".
func withoutCounter(text []byte) []byte {
	at := 0
	for at < len(text) && (ascii.IsDigit(text[at]) || bytes.IndexByte([]byte("[](/%. "), text[at]) >= 0 || at > 0 &&
		text[at] == ')') {
		at++
	}
	if ascii.LeadingDigits(bytes.TrimLeft(text[:at], "[( ")) == 0 || at < 2 || !ascii.IsBlank(text[at-1]) {
		return text
	}
	return text[at:]
}

// failedVerdicts are what a line ends with that reports a test or step that failed.
var failedVerdicts = [...]string{"fail", "failed", "error", "xpass", "[fail]", "[failed]"}

// endsInVerdict reports whether a line ends with a verdict of success. What may follow is a duration or a share, in
// brackets or not.
func endsInVerdict(text []byte) bool { return endsIn(withoutMeasure(text), finalVerdicts[:]) }

// endsIn reports whether a line ends with one of some verdicts that stands apart from a sentence: after dots, a colon,
// a dash or a bracket, after two blanks, or in capital letters.
func endsIn(text []byte, verdicts []string) bool {
	cut := verdictAtEnd(text) - 1
	if cut < 0 {
		return false
	}
	verdict, before := text[cut+1:], text[:cut+1]
	isOne := false
	for _, v := range verdicts {
		isOne = isOne || len(v) == len(verdict) && bytes.EqualFold(verdict, []byte(v))
	}
	if !isOne {
		return false
	}
	isApart := ascii.IsUpper(verdict[0]) && len(verdict) > 1 && ascii.IsUpper(verdict[1]) || verdict[0] >= 0x80 ||
		verdict[0] == '['
	isApart = isApart || bytes.HasSuffix(before, []byte("  ")) || before[cut] == '\t'
	head := bytes.TrimRight(before, " \t")
	if len(head) == 0 {
		return false
	}
	last := head[len(head)-1]
	isOfName := before[cut] == '.' && !bytes.HasSuffix(before, []byte("..")) // color.push.error
	isApart = isApart || !isOfName && bytes.IndexByte([]byte(".:-])'|>"), last) >= 0
	word := head[bytes.LastIndexAny(head, " \t")+1:]
	return isApart && ascii.LeadingDigits(word) < len(word) // "3 passed" is a count
}

// verdictAtEnd returns the start of the last word, which may be a verdict.
func verdictAtEnd(text []byte) int { return bytes.LastIndexAny(text, " \t.:") + 1 }

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
		case isUnitOfTime(last) && len(number) < len(before) && len(number) > 0 && ascii.IsDigit(number[0]):
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
