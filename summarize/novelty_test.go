package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

func TestNovelty(t *testing.T) {
	usual := func(i int) string {
		return fmt.Sprintf(`{"id":"%x","level":%q,"n":%d,"o":{"on":true}}`, i*7919, []string{"info", "warn"}[i%2], 100+i%10)
	}
	for _, test := range []struct{ name, record, want string }{
		{"nothing", usual(7), ""},
		{"value", `{"id":"z","level":"quiesced","n":100,"o":{"on":true}}`, "new value level=quiesced"},
		{"literal", `{"id":"z","level":"info","n":100,"o":{"on":false}}`, "new value o.on=false"},
		{"number", `{"id":"z","level":"info","n":5000000,"o":{"on":true}}`, "new value n=5000000"},
		{"field", `{"id":"z","level":"info","n":100,"o":{"on":true,"retries":1}}`, "field o.retries first seen"},
		{"type", `{"id":7,"level":"info","n":100,"o":{"on":true}}`, "field id first has type number"},
		{"error", `{"id":"request failed","level":"info","n":100,"o":{"on":true}}`, "error: failed in id"},
		{"long value", `{"id":"z","level":"` + strings.Repeat("x", 100) + `","n":100,"o":{"on":true}}`, "new value level=" + strings.Repeat("x", 40) + "…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := NewSummary()
			for i := range 150 {
				if why, _ := s.Add(structure.Record{Seq: i + 1, Value: []byte(usual(i))}); why != "" {
					t.Fatalf("record %d: %q", i, why)
				}
			}
			if why, _ := s.Add(structure.Record{Seq: 151, Value: []byte(test.record)}); why != test.want {
				t.Errorf("got %q, want %q", why, test.want)
			}
		})
	}
}

func TestNumberFarOut(t *testing.T) {
	s := NewSummary()
	add := func(i int, n float64) string {
		why, _ := s.Add(structure.Record{Seq: i, Value: fmt.Appendf(nil, `{"ms":%.3f}`, n)})
		return why
	}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 500 {
		if why := add(i, 10+random.Float64()); why != "" {
			t.Fatalf("%d: %q", i, why)
		}
	}
	for _, far := range []float64{1000, -20, 990} {
		if why, want := add(501, far), fmt.Sprintf("number ms far out: %.3f", far); why != want {
			t.Errorf("got %q, want %q", why, want)
		}
	}
	if why := add(502, 11.5); why != "" {
		t.Errorf("a number near the others: %q", why)
	}
}

func TestNewLine(t *testing.T) {
	s := NewSummary()
	for i := range 50 {
		if why, _ := s.Add(structure.Record{Seq: i, Value: fmt.Appendf(nil, "task %d of %x is done", i, i*77), IsText: true}); why != "" {
			t.Fatalf("line %d: %q", i, why)
		}
	}
	if why, _ := s.Add(structure.Record{Seq: 51, Value: []byte("disk quota reached, pausing"), IsText: true}); why != "new kind of line" {
		t.Errorf("got %q", why)
	}
}

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

func TestErrorsDoNotDrown(t *testing.T) {
	s := NewSummary()
	stoodOut := 0
	const n = 5000
	for i := range n {
		if why, _ := s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, "request %d failed", i), IsText: true}); why != "" {
			stoodOut++
		}
	}
	if stoodOut > surprise.FirstErrors {
		t.Errorf("%d of %d lines full of errors stand out, want at most %d", stoodOut, n, surprise.FirstErrors)
	}
	if why, _ := s.Add(structure.Record{Seq: n, Value: []byte("leader gave up its lease early"), IsText: true}); why == "" {
		t.Error("the line that differs does not stand out")
	}
}

// TestOrdinaryDataIsNotNovel bounds how often data that is different in each
// record stands out.
func TestOrdinaryDataIsNotNovel(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	s := NewSummary()
	stoodOut := 0
	const n = 20_000
	for i := range n {
		value := fmt.Appendf(nil, `{"id":"%016x","at":"2026-01-%02dT%02d:%02d:%02dZ","name":"n%d","heavy":%.3f,"level":"l%d","exp":%.4f,"word":"w%d"}`,
			random.Uint64(), 1+i/86400%28, i/3600%24, i/60%60, i%60, random.IntN(5000), 1/(random.Float64()+1e-6), random.IntN(12),
			random.ExpFloat64(), int(random.ExpFloat64()*20))
		if why, _ := s.Add(structure.Record{Seq: i + 1, Value: value}); why != "" {
			stoodOut++
		}
	}
	if stoodOut > n/500 {
		t.Errorf("%d of %d records stand out", stoodOut, n)
	}
}

// TestNoveltyIsOfTheLineAtHand: what is held until it is known to be a table is told of none of its lines.
func TestNoveltyIsOfTheLineAtHand(t *testing.T) {
	s := NewSummary()
	for _, r := range linesOf("NAME  STATE   AGE\na     failed  3\nb     up      4\nc     up      5\nd     failed  6") {
		why, _ := s.Add(r)
		if isFailed := r.Seq == 5; (why != "") != isFailed {
			t.Errorf("line %d: %q", r.Seq, why)
		}
	}
}
