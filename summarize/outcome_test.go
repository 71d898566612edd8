package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var outcomes = map[string]outcomeKind{
	"=== 3 failed, 20 passed in 2.10s ===": verdict, "Ran 482 tests in 31.221s": verdict, "OK (skipped=3)": verdict,
	"OK": verdict, "FAILED (failures=1)": verdict,
	"test result: ok. 45 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.29s": verdict,
	"Tests:       1 failed, 19 passed, 20 total":                                                     verdict,
	"  20 passing (2s)": verdict, "  1 failing": verdict, "# pass 300": verdict, "# fail 0": verdict,
	"[INFO] BUILD SUCCESS": verdict, "BUILD FAILED in 3s": verdict,
	"✖ 7 problems (0 errors, 7 warnings)": verdict, "Found 3 errors in 2 files.": verdict,
	"All checks passed!": verdict, "20 examples, 0 failures": verdict,
	"100% tests passed, 0 tests failed out of 3": verdict, "3 tests, 0 failures": verdict,
	"Test Suites: 1 skipped, 3 passed, 4 total": verdict, "found 0 vulnerabilities": verdict,
	"Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3": verdict,
	"Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.2) seconds": verdict,

	"===== no tests ran in 0.01s =====": noTests, "collected 0 items": noTests, "Ran 0 tests in 0.000s": noTests,
	"NO TESTS RAN": noTests, "?   \tx/y\t[no test files]": noTests,
	"No tests found, exiting with code 1": exitStatus, "1..0": noTests, "# tests 0": noTests,
	"testing: warning: no tests to run": noTests, "0 examples, 0 failures": noTests,
	"Tests run: 0, Failures: 0, Errors: 0, Skipped: 0": noTests,

	"exit status 1": exitStatus, "Process exited with code 137": exitStatus,
	"##[error]Process completed with exit code 2.": exitStatus, "make: *** [x.o] Error 2": exitStatus,
	"make: [docs.html] Error 127 (ignored)": exitStatus, "command returned non-zero exit status 3": exitStatus,
	"exit code: 5": exitStatus, "exit_code=9": exitStatus,

	"[output truncated]": truncation, "... 120 more lines": truncation, "(3120 lines omitted)": truncation,
	"Output was truncated after 30000 characters": truncation,
	"… +312 lines (ctrl+o)":                       truncation, "<truncated>": truncation, "12 lines omitted": truncation,

	"exit status 0": noOutcome, "exited with code 0": noOutcome, "exits 3 times": noOutcome,
	"table users was truncated": noOutcome, "request 12 took 3 ms": noOutcome,
	"GET /tests 200": noOutcome, "exit": noOutcome, "user 7 failed to log in from host 3 after 2 attempts": noOutcome,
	"no test of it": noOutcome, "it found 3 errors": noOutcome, "": noOutcome,
	"existing code 5": noOutcome, "node 12 passed": noOutcome, "exit 3 on the left": noOutcome,
}

func TestOutcomes(t *testing.T) {
	for line, want := range outcomes {
		if got := outcomeOf([]byte(line)); got != want {
			t.Errorf("%q: %d, not %d", line, got, want)
		}
	}
}

// TestOutcomesAreShown: what a run says of its end is shown as it stands, whatever comes before and after it, and is
// called a verdict, an error, or what is missing.
func TestOutcomesAreShown(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 44))
	bodies := []string{"step %d of %s is done", "ok %d - %s", "test %[2]s ... ok", "  ✓ keeps %[2]s (%[1]d ms)",
		"INFO job %d took %s"}
	for line, kind := range outcomes {
		if kind == noOutcome {
			continue
		}
		for _, body := range bodies {
			var lines []string
			n := 80 + random.IntN(200)
			for i := range n {
				lines = append(lines, fmt.Sprintf(body, i, nameOf(random.IntN(50))))
			}
			at := n - random.IntN(3)
			lines = append(lines[:at], append([]string{"", line}, lines[at:]...)...)
			notables, _ := watched(linesOf(strings.Join(lines, "\n"))).Notables()
			found := ""
			for _, n := range notables {
				if n.Seq == at+2 && strings.Contains(string(n.Data), line) {
					found = n.Kind
				}
			}
			if found != outcomeNames[kind] && found != "error" {
				t.Errorf("after %q: %q is %q, not %q", body, line, found, outcomeNames[kind])
			}
		}
	}
}
