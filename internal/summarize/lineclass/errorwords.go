package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// NextErrorWord returns where the next error word in text is, also one that is denied, as in "no errors"; nowhere if
// there is none.
func NextErrorWord(text []byte, from int) (start, end int) {
	for i := from + 1; i < len(text); i++ {
		if afterInError[text[i-1]%32]>>(text[i]%32)&1 == 0 {
			continue // as nearly always
		}
		start = i - 1
		if !ascii.IsLetter(text[start]) || start > 0 && ascii.IsLetter(text[start-1]) &&
			!startsCapitalized(text, start) && !endsEscape(text[:start]) {
			continue
		}
		end = i
		for end < len(text) && ascii.IsLetter(text[end]) && !startsCapitalized(text, end) {
			end++
		}
		if from := max(0, start-longestToken); IsErrorWord(text[start:end]) {
			near := text[from:min(len(text), end+longestToken)]
			if !isPartOfName(near, start-from, end-from) && !isInToken(near, start-from, end-from) {
				return start, end
			}
		}
		i = max(i, end-1)
	}
	return 0, 0
}

// longestToken is how far around a word the token is followed that the word is in, in bytes.
const longestToken = 512

// endsEscape says whether a text ends with a line feed, a carriage return or a tab as JSON writes it.
func endsEscape(text []byte) bool {
	last := len(text) - 1
	if last < 1 || text[last] != 'n' && text[last] != 'r' && text[last] != 't' {
		return false
	}
	before := bytes.TrimRight(text[:last], `\`)
	return (last-len(before))%2 == 1
}

// isPartOfName says whether a word is part of the name of a test, a package or a symbol, or is that of a file or a
// folder: TestErrorIsKept, test_parse_error, TestParse/error, BenchmarkFail-8, libgpg-error-dev, err@@GLIBC_2.2.5,
// src/errors/wrap.go, error.log, error_unix_test.go, ABORT.7.gz, email.errors.
func isPartOfName(text []byte, start, end int) bool {
	rest := end
	for rest < len(text) && (ascii.IsAlphanumeric(text[rest]) || text[rest] == '_' || text[rest] == '-') {
		rest++
	}
	if hasExtension(text[end:]) || rest > end && (text[end] == '_' || text[end] == '-') && hasExtension(text[rest:]) {
		return true
	}
	after := byte(0)
	if end < len(text) {
		after = text[end]
	}
	switch {
	case after == '@' && end+1 < len(text) && (text[end+1] == '@' || ascii.IsLetter(text[end+1])):
		return true
	case start == 0:
		return false
	}
	before := text[start-1]
	name := nameAtEnd(text[:start])
	isOfTest := startsWith(name, "test")
	switch {
	case before == '.': // of a module, not user.error: x, or an event
		isModule := start > 1 && ascii.IsAlphanumeric(text[start-2]) && after != ':' && after != '='
		word := string(text[start:end])
		return isModule && (word == "errors" || word == "exceptions" || word == "error" && (after == 0 || after == '.'))
	case before == '_':
		return isOfTest && len(name) > len("test") && name[len("test")] == '_'
	case ascii.IsLetter(before):
		return isOfTest && (ascii.IsLetter(after) || len(name) > len("test")) || startsWith(name, "benchmark")
	case before == '-': // not http-error-500
		last := text[rest-1]
		return start > 1 && ascii.IsAlphanumeric(text[start-2]) && bytes.HasPrefix(text[start:], []byte("err")) &&
			rest > end && (after != '-' || !ascii.IsDigit(last))
	case before == '/':
		test := nameAtEnd(text[:start-1])
		return after == '/' || len(test) > len("Test") && bytes.HasPrefix(test, []byte("Test")) &&
			ascii.IsUpper(test[len("Test")])
	}
	return false
}

// nameAtEnd is what a text ends with of letters, digits and underscores.
func nameAtEnd(text []byte) []byte {
	start := len(text)
	for start > 0 && (ascii.IsAlphanumeric(text[start-1]) || text[start-1] == '_') {
		start--
	}
	return text[start:]
}

// hasExtension says whether text begins like what ends the name of a file.
func hasExtension(text []byte) bool {
	const longest = len(".template")
	if len(text) > len(".7.") && text[0] == '.' && ascii.IsDigit(text[1]) && text[2] == '.' { // of a page of a manual
		return bytes.HasPrefix(text[2:], []byte(".gz")) || bytes.HasPrefix(text[2:], []byte(".xz"))
	}
	n := 1
	for n < len(text) && ascii.IsLetter(text[n]) && !ascii.IsUpper(text[n]) {
		n++
	}
	return 1 < n && n <= longest && text[0] == '.' && (n == len(text) || !ascii.IsAlphanumeric(text[n]))
}

// afterInError has, for each letter that IsErrorWord knows words with, a bit for each that may come second there. The
// low five bits of a letter are its number, whatever its case.
var afterInError = func() (t [32]uint32) {
	for _, begin := range []string{"ab", "cr", "co", "er", "ex", "em", "fa", "ki", "oo", "pa", "se", "tr"} {
		t[begin[0]%32] |= 1 << (begin[1] % 32)
	}
	return t
}()

// startsCapitalized says whether a word starts at the letter at i, after another
// letter: TimeoutException, HTTPError.
func startsCapitalized(text []byte, i int) bool {
	return ascii.IsUpper(text[i]) && (!ascii.IsUpper(text[i-1]) || i+1 < len(text) && ascii.IsLetter(text[i+1]) &&
		!ascii.IsUpper(text[i+1]))
}

// IsErrorWord reports whether a word names an error, in letters of any case: one that begins with
// "error", "exception", "fatal", "panic" or the like, or a short form, as "err" and "crit" are. A
// word of less than 3 or more than 12 bytes is none.
func IsErrorWord(word []byte) bool {
	if len(word) < 3 || len(word) > 12 {
		return false
	}
	switch word[0] | 0x20 {
	case 'a':
		return startsWith(word, "abort")
	case 'c':
		return startsWith(word, "crash") || startsWith(word, "corrupt") || startsWith(word, "critical") ||
			IsWord(word, "crit")
	case 'e':
		return startsWith(word, "error") || startsWith(word, "exception") || startsWith(word, "emerg") ||
			IsWord(word, "err")
	case 'f':
		return startsWith(word, "fatal") ||
			startsWith(word, "fail") && !startsWith(word, "failo") && !startsWith(word, "failsafe")
	case 'k':
		return IsWord(word, "killed")
	case 'o':
		return IsWord(word, "oom")
	case 'p':
		return startsWith(word, "panic")
	case 's':
		return startsWith(word, "segfault") || IsWord(word, "severe")
	case 't':
		return startsWith(word, "traceback")
	}
	return false
}

// startsWith compares without regard to case; prefix is in small letters.
func startsWith(word []byte, prefix string) bool {
	if len(word) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if word[i]|0x20 != prefix[i] {
			return false
		}
	}
	return true
}

// IsWord reports whether a word is want, which is in small letters, in letters of any case.
func IsWord(word []byte, want string) bool { return len(word) == len(want) && startsWith(word, want) }
