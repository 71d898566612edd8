package lineclass

import (
	"flag"
	"testing"

	"github.com/kfw-dev/kfw/internal/nearmiss"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func yes(is bool) string { return map[bool]string{true: "yes"}[is] }

// readings are what a line is read as.
var readings = []nearmiss.Reading{
	{Name: "file", Of: func(line string) string { d, _ := CutDiagnostic([]byte(line)); return string(d.File) }},
	{Name: "severity", Of: func(line string) string { d, _ := CutDiagnostic([]byte(line)); return string(d.Severity) }},
	{Name: "code", Of: func(line string) string { d, _ := CutDiagnostic([]byte(line)); return string(d.Code) }},
	{Name: "place", Of: func(line string) string { file, _, _ := CutPlace([]byte(line)); return string(file) }},
	{Name: "error", Of: func(line string) string {
		m := ErrorIn([]byte(line))
		return line[m.Start:m.End] + map[bool]string{true: "!"}[m.IsMarked]
	}},
	{Name: "level", Of: func(line string) string {
		m, l := mask.NewLine(), Levels{}
		m.Set([]byte(line))
		if i := l.LevelOf(&m); i != NoLevel {
			return string(l.Name(i))
		}
		return ""
	}},
	{Name: "failure", Of: func(line string) string { return yes(HasFailureSign([]byte(line))) }},
	{Name: "success", Of: func(line string) string { return yes(HasVerdictOfSuccess([]byte(line))) }},
	{Name: "verdict", Of: func(line string) string { return string(VerdictWord([]byte(line))) }},
	{Name: "outcome", Of: func(line string) string { return OutcomeNames[OutcomeOf([]byte(line))] }},
	{Name: "clock", Of: func(line string) string { return yes(HasClock([]byte(line))) }},
}

// lines are as compilers, test runners, linters, servers and shells print them.
var lines = []string{
	"main.go:12:7: undefined: x", "src/a.ts(1,25): error TS2307: no module",
	"a.py:3:1: E501 line too long (88 > 79)", "src/a.c:4:33: warning: unused 'n' [-Wunused-variable]",
	"x.go:195:2: replace this (S1017)", "404 not found",
	"bin/rails:2:10: W: Style/StringLiterals: use single quotes", "  --> src/main.rs:3:5",
	"a.js:1:2: 404 is none", "error[E0382]: borrow of moved value",
	"Gemfile:50:81: C: Line is too long. [83/80]", "a.sh: line 12: x: not found",
	"2026-03-01 10:00:00,123 ERROR [main] could not open a.txt",
	"Mar  1 10:00:00 host app[12]: WARN disk is full",
	"[Sun Dec 04 04:47:44 2025] [error] child in error state 6", "E0301 10:00:00.1 7 a.go:12] failed",
	"10:00 warning it is", "level=error msg=\"connection refused\"", "{\"level\":\"fatal\",\"msg\":\"x\"}",
	"panic: runtime error: index out of range", "Error: Cannot find module 'x'",
	"java.lang.IllegalStateException: no bean", "Caused by: java.io.IOException: broken pipe",
	"Traceback (most recent call last):", "ValueError: invalid literal", "error: failed to push some refs",
	"ERROR 1045 (28000)", "FAIL: TestA (0.01s)", "--- FAIL: TestA (0.01s)", "--- PASS: TestB (0.02s)",
	"ok  \tpkg/a\t0.012s", "FAIL\tpkg/a [build failed]", "3 failed, 20 passed in 2.10s",
	"Tests: 1 failed, 9 passed, 10 total", "test result: FAILED. 3 passed; 1 failed; 0 ignored",
	"BUILD SUCCESSFUL in 3s", "[ERROR] BUILD FAILURE", "0 errors, 2 warnings", "no errors found",
	"2 errors generated.", "Process exited with code 1", "exit status 2", "make: *** [all] Error 2",
	"npm ERR! code ELIFECYCLE", "segmentation fault", "[output truncated: 12000 bytes]", "... 12 more lines",
	"Killed", "not ok 3 - parses", "ok 4 - ends # SKIP", "1..4", "\u2713 adds numbers (3 ms)",
	"\u2717 drops them", "x 1 test failed", "no tests ran in 0.01s", "collected 0 items",
	"PASSED tests/a.py::test_x", "test a::b ... FAILED", "test a::c ... ok", "Finished in 0.1 seconds",
	"warning: unused import", "HTTP/1.1 500 Internal Server Error", "curl: (7) Failed to connect to x",
	"fatal: not a git repository", "time=10:00:00 a=1", "GET /error/x 200", "an error of 3 percent",
	"retry after error", "errors=0 failures=1", "assert a == b, \"differs\"", "permission denied",
	"command not found: foo", "sh: 1: foo: not found", "Timeout waiting for lock", "out of memory",
	"\x1b[31mError\x1b[0m: red", "  at f (a.js:1:2)", "    raise KeyError(k)", "if err != nil {",
	"// an error is returned", "fix: errors of the parser (#12)", "src/errors/wrap.go",
	"DEBUG failed attempts: 0", "+ echo failed", "$ run --fail-fast",
}

// TestNearMisses compares what lines, and those that differ from them by one byte, are read as with testdata. -update
// writes that anew: look at each line that is new.
func TestNearMisses(t *testing.T) {
	nearmiss.Compare(t, "testdata/nearmisses.txt", nearmiss.Readings(lines, readings), *update)
}
