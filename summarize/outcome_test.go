package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/summarize/lineclass"
)

var outcomes = map[string]lineclass.Outcome{
	"=== 3 failed, 20 passed in 2.10s ===": lineclass.Verdict, "Ran 482 tests in 31.221s": lineclass.Verdict,
	"OK (skipped=3)": lineclass.Verdict,
	"OK":             lineclass.Verdict, "FAILED (failures=1)": lineclass.Verdict,
	"test result: ok. 45 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.29s": lineclass.Verdict,
	"Tests:       1 failed, 19 passed, 20 total":                                                     lineclass.Verdict,
	"  20 passing (2s)": lineclass.Verdict, "  1 failing": lineclass.Verdict, "# pass 300": lineclass.Verdict,
	"# fail 0":             lineclass.Verdict,
	"[INFO] BUILD SUCCESS": lineclass.Verdict, "BUILD FAILED in 3s": lineclass.Verdict,
	"✖ 7 problems (0 errors, 7 warnings)": lineclass.Verdict, "Found 3 errors in 2 files.": lineclass.Verdict,
	"All checks passed!": lineclass.Verdict, "20 examples, 0 failures": lineclass.Verdict,
	"100% tests passed, 0 tests failed out of 3": lineclass.Verdict, "3 tests, 0 failures": lineclass.Verdict,
	"Test Suites: 1 skipped, 3 passed, 4 total": lineclass.Verdict, "found 0 vulnerabilities": lineclass.Verdict,
	"Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3": lineclass.Verdict,
	"Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.2) seconds": lineclass.Verdict,

	"===== no tests ran in 0.01s =====": lineclass.NoTests, "collected 0 items": lineclass.NoTests,
	"Ran 0 tests in 0.000s": lineclass.NoTests,
	"NO TESTS RAN":          lineclass.NoTests, "?   \tx/y\t[no test files]": lineclass.NoTests,
	"No tests found, exiting with code 1": lineclass.ExitStatus, "1..0": lineclass.NoTests,
	"# tests 0":                         lineclass.NoTests,
	"testing: warning: no tests to run": lineclass.NoTests, "0 examples, 0 failures": lineclass.NoTests,
	"Tests run: 0, Failures: 0, Errors: 0, Skipped: 0": lineclass.NoTests,

	"exit status 1": lineclass.ExitStatus, "Process exited with code 137": lineclass.ExitStatus,
	"##[error]Process completed with exit code 2.": lineclass.ExitStatus,
	"make: *** [x.o] Error 2":                      lineclass.ExitStatus,
	"make: [docs.html] Error 127 (ignored)":        lineclass.ExitStatus,
	"command returned non-zero exit status 3":      lineclass.ExitStatus,
	"exit code: 5": lineclass.ExitStatus, "exit_code=9": lineclass.ExitStatus,

	"[output truncated]": lineclass.Truncation, "... 120 more lines": lineclass.Truncation,
	"(3120 lines omitted)":                        lineclass.Truncation,
	"Output was truncated after 30000 characters": lineclass.Truncation,
	"… +312 lines (ctrl+o)":                       lineclass.Truncation, "<truncated>": lineclass.Truncation,
	"12 lines omitted": lineclass.Truncation,

	"exit status 0": lineclass.NoOutcome, "exited with code 0": lineclass.NoOutcome,
	"exits 3 times":             lineclass.NoOutcome,
	"table users was truncated": lineclass.NoOutcome, "request 12 took 3 ms": lineclass.NoOutcome,
	"GET /tests 200": lineclass.NoOutcome, "exit": lineclass.NoOutcome,
	"user 7 failed to log in from host 3 after 2 attempts": lineclass.NoOutcome,
	"no test of it": lineclass.NoOutcome, "it found 3 errors": lineclass.NoOutcome, "": lineclass.NoOutcome,
	"existing code 5": lineclass.NoOutcome, "node 12 passed": lineclass.NoOutcome,
	"exit 3 on the left": lineclass.NoOutcome,
}

func TestOutcomes(t *testing.T) {
	for line, want := range outcomes {
		if got := lineclass.OutcomeOf([]byte(line)); got != want {
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
		if kind == lineclass.NoOutcome {
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
				if n.Seq == at+2 && strings.Contains(string(shown(n)), line) {
					found = n.Kind
				}
			}
			if found != lineclass.OutcomeNames[kind] && found != "error" {
				t.Errorf("after %q: %q is %q, not %q", body, line, found, lineclass.OutcomeNames[kind])
			}
		}
	}
}
