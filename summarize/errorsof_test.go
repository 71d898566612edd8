package summarize

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
)

// noErrors are lines with an error word that report none.
var noErrors = []string{
	// a verdict of success
	"test x::failed_upload ... ok", "test cargo::grove::reports_error_on_timeout_43 ... ok",
	"ok 198 - rejects failed batch", "    ok 3 - throws on error",
	"[ OK ] HandlesFailure", "[       OK ] Suite.HandlesFailure (0 ms)", "✓ throws an error when empty",
	"    ✔ logs the exception (5ms)",
	"tests/test_x.py::test_error_path PASSED                 [ 12%]", "PASS: error is kept",
	"--- PASS: TestX/on failure (0.00s)", "PASS src/error.test.ts",
	"test_error (x.Y.test_error) ... ok", "3/40 Test #3: error_path ........   Passed    0.01 sec",
	"FooTest > handlesFailure() PASSED",
	"Test Case '-[Foo failure]' passed (0.001 seconds).", "t/error path.t .. ok",
	"[  OK  ] Started Crash recovery service.", "test a::panics - should panic ... ok",
	"  Passed Foo.Handles failure [< 1 ms]", "test error_case ... ignored", "SKIP: on failure",
	"ok: [web1] => failed_when is set", "not ok 3 - error # TODO later",
	"[12/40] checks failed batch ... ok", "checking for error function... OK", "ok 5 # skip no failure to test",
	"retry after failure: passed",
	// a count of none, and nothing
	"# fail 0", "error count 0", "error rate 0.00%", "last error: none", "error=nil", "err=<nil>", "errors: []",
	"Errors: none", "failures: null", "failed: false",
	"0 failed", "no errors", "no known errors", "0 tests failed", "0 of 17 checks failed", "0/200 failed",
	"without any error", "none failed", "error count: 0",
	"failed jobs: 0", "errors | 0", "40 passed 0 failed 7 skipped", "passed 40 failed 0 skipped 7",
	"passed 40, failed 0", "fail 0 pass 3", "did not fail", "error: 0",
	"total errors = 0", "exception: none", "zero failures", `"error": null`, `"errors":[],"ok":true`,
	"last_error=none", `error: ""`, "Failed: 0 Passed: 12",
	"failed requests: 0", "error: null", "0 out of 9 jobs failed", "errors 0 warnings 3", "Failed logins: none",
	// a level below error
	"INFO registered handler ERROR for x", "2026-03-01 10:00:00 INFO retry after failed upload",
	"2026-03-01T10:00:00Z WARN upload failed, will retry",
	"[info] error page is set", "DEBUG failure detector started", "level=info msg=\"upload failed, retry\"",
	"time=10:00:00 level=debug msg=\"last error was cleared\"",
	"x.c:3:1: warning: failure is not checked", "x.c:3:1: note: error is declared here",
	"I0301 12:00:00.000 x.go:12] upload failed, retry", "npm warn failed to remove x",
	`{"level":"info","msg":"request failed, retry"}`,
	"  81:15  warning  error is defined but never used  no-unused-vars", "note: errors are kept",
	"Mar  1 10:00:00 host app[12]: INFO connection failed, retry",
	// source
	"if err != nil {", "\tif err != nil {", "+\tif err != nil {", "x.go:12:\t\treturn err", "return nil, err",
	"throw new Error(\"x\");", "raise ValueError(x)",
	"except Exception as e:", "catch (Exception e) {", "class FooError(Exception):", "def on_error(self):",
	"func handleError(err error) {", "// handle the error",
	"/* on failure */", "log.error(\"x\");", "console.error(e);", "err := run()", "a, err := run()",
	"    } catch (error) {", "#include <errors>", "@@ -3,7 +3,7 @@ func failed(",
	"if (failed) {", "const error = new Error('x');", "x.py:9:    raise Error(x)",
	"src/a.ts(3,1):   throw new FooError(a);",
	// commands
	"run --level error", "$ grep error x.log", "grep -rn error .", "gcc -Werror -o x x.c", "+ test -n failed",
	"go test -run failure ./...", "/usr/bin/agent --log-level error --x",
	"RUN grep -q failed x", "usage: x --on-error ACTION", "http delay=0s #success=1 #failure=3", "ci-run --fail-fast",
	"journalctl -p err", "pytest -x --maxfail 3",
	// subjects
	"a1b2c3d Fix error in the parser", "* a1b2c3d (HEAD -> main) crash on start", "| * 0a1b2c3 handle failed uploads",
	"- fix: error in the parser (a1b2c3d)",
	"- handle failed uploads (#1234)", "stash@{0}: WIP on main: a1b2c3d fix error",
	// names
	"./scripts/invoke_fails.txtar", "src/errors/wrap.go", "/proc/1/oom_adj/x", "https://example.com/error/7",
	"a/b/failed_jobs/c", "/var/log/error", "./error",
	"  12 -rw-r--r-- 1 a a 120 Mar  1 10:00 docs/error-codes.markdown",
	"failover is ready", "maven-failsafe-plugin 3.0",
	"crash-safe and error-free", "installed the error handler", "loads error pages",
}

// markedErrors are lines that certainly report an error.
var markedErrors = []string{
	"error: x", "Error: cannot open x", "ERROR could not read", "2026-03-01 10:00:00 ERROR x y",
	"FATAL: No space left on device", "fatal: not a git repository", "ValueError: bad",
	"java.lang.NullPointerException: x", "x.go:12:3: error: no such key", "src/a.ts(3,1): error TS2307: no module",
	"error[E0382]: borrow of moved value", "not ok 12 - keeps order",
	"✗ keeps order", "FAIL\tpkg/x\t0.3s", "--- FAIL: TestX (0.00s)", "FAILED tests/x.py::test_y - assert 1 == 2",
	"[  FAILED  ] Suite.Case", "test x::keeps_order ... FAILED",
	"3 failed", "failures: 2", "# fail 1", "failed=3", "error count 3", "40 passed 3 failed 0 skipped",
	"passed 40 failed 3 skipped 0", "test result: FAILED. 3 passed; 1 failed",
	"INFO tests: 3 failed, 40 passed", "ok=3 changed=0 failed=1", "level=error msg=x",
	`{"level":"error","msg":"failed"}`, "[error] failed to bind", "npm ERR! code 1",
	"Traceback (most recent call last):", "panic: no such key", "build: failed", "[12:00:01] Error: x", "sh: error: x",
	"E   AssertionError: 1 == 2", "10 failed",
	"Tests:       1 failed, 19 passed, 20 total", "Mar  1 10:00:00 host app[12]: ERROR failed to read",
	"E0301 12:00:00.000 x.go:12] failed", "FAIL src/x.test.js",
	"  17:9  error  Parsing error: Unexpected token", "INFO error: disk is gone",
}

// errorsInSentences are lines that report an error though nothing marks it.
var errorsInSentences = []string{
	"upload of x failed", "the job crashed", "an error occurred", "worker was killed by signal 9",
	"Error handling request 12", "status: upload_failed", "CrashLoopBackOff",
	"no answer: the upload failed after all", "connection failed for db1", "build failed after 3 passed",
	"curl failed with code 7", "task-failed-permanently: id 5",
}

func TestErrorsOfLines(t *testing.T) {
	for _, line := range noErrors {
		if m := lineclass.ErrorIn([]byte(line)); m.Start < m.End {
			t.Errorf("%q reports %q, marked: %v", line, line[m.Start:m.End], m.IsMarked)
		}
	}
	for _, line := range markedErrors {
		if m := lineclass.ErrorIn([]byte(line)); !m.IsMarked &&
			!lineclass.HasFailureSign([]byte(strings.TrimSpace(line))) {
			t.Errorf("%q has no mark: %+v", line, m)
		}
	}
	for _, line := range errorsInSentences {
		if m := lineclass.ErrorIn([]byte(line)); m.Start == m.End {
			t.Errorf("%q reports no error", line)
		}
	}
}
