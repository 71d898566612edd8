package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// noVerdicts are signs of failure that say nothing of a test or a step.
var noVerdicts = [...]string{"npm ERR!", "npm error", "E:"}

// VerdictWord returns the word or sign by which a line says how a test or a step ended, as it stands there: "--- FAIL",
// "PASS", "ok", "not ok", "✓", "[  OK  ]". It is empty for other lines.
func VerdictWord(line []byte) []byte {
	text := ascii.TrimBlanks(line)
	if HasFailureSign(text) {
		word := signOf(text, failureSigns[:])
		for _, other := range noVerdicts {
			if string(word) == other {
				return nil
			}
		}
		return word
	}
	if isErrorOfTest(text) {
		return text[:len("ERROR")]
	}
	text = withoutCounter(text)
	if !HasVerdictOfSuccess(text) {
		if rest := withoutMeasure(text); endsIn(rest, failedVerdicts[:]) {
			return rest[verdictAtEnd(rest):]
		}
		return nil
	}
	if word := signOf(text, successSigns[:]); word != nil {
		return word
	}
	if inside := bytes.IndexByte(text, ']'); text[0] == '[' && inside > 0 {
		return text[:inside+1]
	}
	if bytes.HasPrefix(text, []byte("ok ")) {
		return text[:len("ok")]
	}
	rest := withoutMeasure(text)
	return rest[verdictAtEnd(rest):]
}

// isErrorOfTest reports whether a line says that a test could not be run: "ERROR: test_wet (beds.TestBed)" of unittest,
// "ERROR beds/test_wet.py::test_dry" of pytest.
func isErrorOfTest(text []byte) bool {
	rest, isError := bytes.CutPrefix(text, []byte("ERROR"))
	if !isError || len(rest) == 0 {
		return false
	}
	name, after, _ := bytes.Cut(bytes.TrimLeft(rest, ": "), []byte{' '})
	if rest[0] == ':' {
		return bytes.HasPrefix(name, []byte("test")) && bytes.HasPrefix(after, []byte{'('})
	}
	return bytes.Contains(name, []byte("::")) || bytes.HasSuffix(name, []byte(".py"))
}

// signOf returns the sign that a text begins with, without the blank or the colon after it; nil if it begins with none.
func signOf(text []byte, signs []string) []byte {
	for _, sign := range signs {
		if bytes.HasPrefix(text, []byte(sign)) {
			return bytes.TrimRight(text[:len(sign)], " \t:")
		}
	}
	return nil
}
