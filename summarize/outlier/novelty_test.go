package outlier

import (
	"testing"

	"github.com/kfw-dev/kfw/summarize/lineclass"
)

func TestErrorWords(t *testing.T) {
	for text, want := range map[string]string{
		"an Error occurred":                                 "Error",
		"java.lang.NullPointerException":                    "Exception",
		"CrashLoopBackOff":                                  "Crash",
		"FATAL: role is missing":                            "FATAL",
		"2 failed, 3 passed":                                "failed",
		"0 failed, no errors":                               "",
		"completed without error":                           "",
		"Tests run: 14, Failures: 0, Errors: 0, Skipped: 0": "",
		"ok=3 failed=0 error=0":                             "",
		"{'errors': 0}":                                     "",
		"FAILED: 0, ERRORS: 0":                              "",
		"ERROR: 0 bytes were sent":                          "ERROR",
		"Errors: 0.5 a day":                                 "Errors",
		"failed: 07":                                        "failed",
		"terror, interrupt, critic, error":                  "error",
		"HTTPError":                                         "Error",
		"all is well":                                       "",
		"=== RUN TestErrorIsKept":                           "",
		"test_parse_error ... ok":                           "",
		"tests_failed: 3":                                   "failed",
		"latest: upload_failed":                             "failed",
		"src/errors/wrap.go and error.log":                  "",
		"IOError.java: compiled":                            "",
		"IOErrorInPipe":                                     "Error",
		"errors.go:12: panic: no such key":                  "panic",
		"ErrImagePull, FailedMount":                         "Err",
		"job ended in an error. Next one":                   "error",
		"job ended in an error.":                            "error",
		"3 errors/minute":                                   "errors",
		"src/os/error_unix_test.go":                         "",
		"killed-by-all.sh ran":                              "",
		"error_rate.5m is high":                             "error",
		"failed_jobs: 3":                                    "failed",
		"ii  libgpg-error-dev 1.2":                          "",
		"ii  libgpg-error0 1.2":                             "",
		"ii  libcom-err2 1.47":                              "",
		"0000 T err@@GLIBC_2.2.5":                           "",
		"/usr/share/man7/ABORT.7.gz":                        "",
		"=== RUN TestParseError":                            "",
		"BenchmarkSuffixFail-8 100":                         "",
		"LatestError":                                       "Error",
		"TestFailure: expected 3":                           "Failure",
		"unittest.TestError: x":                             "Error",
		"ERROR@12:00 disk full":                             "ERROR",
		"exit error.3.x y":                                  "error",
		"x-ERROR-12":                                        "ERROR",
		"job -error- or - error -":                          "error",
		"--- PASS: TestWords/error (0.00s)":                 "",
		"a/error (1)":                                       "error",
		"task-failed-permanently: id 5":                     "failed",
		"http-error-500 of it":                              "error",
		"tests/error: bad":                                  "error",
		"test_runner/error: bad":                            "error",
		`wrote 3 of 4\nfatal: no space`:                     "fatal",
		`a\\\terror: b`:                                     "error",
		`C:\\nerror`:                                        "",
		"import time: 23 | 51 | concurrent.futures.errors":  "",
		"urllib.error":                                      "",
		"user.error: no such disk":                          "error",
		"event payment.error for order 7":                   "error",
		"payment.failed for order 7":                        "failed",
		"it stopped.errors were seen:":                      "",
		"":                                                  "",
	} {
		if got := string(lineclass.FindErrorWord([]byte(text))); got != want {
			t.Errorf("in %q: %q, want %q", text, got, want)
		}
	}
}
