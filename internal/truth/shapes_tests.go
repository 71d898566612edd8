package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// names of tests that sound like failures.
var testNames = []string{"parses_empty", "rejects_failed_batch", "error_when_empty", "upload", "retries_on_timeout",
	"failed_login_is_logged",
	"closes", "panics_without_input", "reads_header", "keeps_order"}

// goTest is go test -v of some packages.
func goTest(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 300)
	failing := map[int]bool{}
	for range b.IntN(4) {
		failing[b.IntN(n)] = true
	}
	for i := range n {
		name := fmt.Sprintf("Test_%s_%d", testNames[b.IntN(len(testNames))], i)
		run := b.line("=== RUN   %s", name)
		took := b.IntN(300)
		seconds := fmt.Sprintf("%d.%02d", took/100, took%100)
		if !failing[i] {
			b.line("--- PASS: %s (%ss)", name, seconds)
			continue
		}
		b.Failures[b.next()] = true
		at := b.line("    x_test.go:%d: got %d, want %d", b.between(10, 90), b.IntN(90), b.between(100, 190))
		b.Owners[at] = []int{run}
		b.Joined[at] = true
		b.Failures[b.next()] = true
		at = b.line("--- FAIL: %s (%ss)", name, seconds)
		b.Owners[at] = []int{run}
	}
	if len(failing) > 0 {
		b.Failures[b.next()] = true
		b.line("FAIL")
		b.Failures[b.next()] = true
		b.line("FAIL\texample.com/x\t%d.%03ds", b.between(1, 90), b.IntN(1000))
	} else {
		b.line("PASS")
		b.line("ok  \texample.com/x\t%d.%03ds", b.between(1, 90), b.IntN(1000))
	}
	return b.done()
}

// pytest is pytest -v, a test a line.
func pytest(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(80, 300)
	b.line("============================= test session starts ==============================")
	b.line("collected %d items", n)
	b.line("")
	failed, skipped := 0, 0
	var names []string
	for i := range n {
		name := fmt.Sprintf("tests/test_%s.py::test_%s_%d", pick(r, "api", "store", "error_pages"),
			testNames[b.IntN(len(testNames))], i)
		share := 100 * (i + 1) / n
		switch {
		case b.chance(40) && failed < 5:
			failed++
			names = append(names, name)
			b.Failures[b.next()] = true
			b.line("%s FAILED [%3d%%]", name, share)
		case b.chance(15):
			skipped++
			b.line("%s SKIPPED [%3d%%]", name, share)
		default:
			b.line("%s PASSED [%3d%%]", name, share)
		}
	}
	if failed > 0 {
		b.line("=========================== short test summary info ============================")
		for _, name := range names {
			b.Failures[b.next()] = true
			b.line("FAILED %s - AssertionError: assert %d == %d", name, b.IntN(9), b.between(10, 20))
		}
		b.Failures[b.next()] = true
		b.line("========= %d failed, %d passed, %d skipped in %d.%02ds =========", failed, n-failed-skipped, skipped,
			b.between(1, 90), b.IntN(100))
	} else {
		b.line("========= %d passed, %d skipped in %d.%02ds =========", n-skipped, skipped, b.between(1, 90),
			b.IntN(100))
	}
	return b.done()
}

// suites are lines with counts whose words stand before or after them.
func suites(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 260)
	wordFirst := b.chance(2)
	labels := [][]string{{"passed", "failed", "skipped"}, {"ok", "errors", "ignored"},
		{"added", "changed", "removed"}}[b.IntN(3)]
	bad := map[int]bool{}
	for range b.IntN(3) {
		bad[b.IntN(n)] = true
	}
	isFailure := labels[1] != "changed"
	for i := range n {
		counts := []int{b.between(20, 99), 0, b.between(0, 9)}
		if bad[i] {
			counts[1] = b.between(1, 5)
			if isFailure {
				b.Failures[b.next()] = true
			}
		}
		var parts []string
		for k, label := range labels {
			if wordFirst {
				parts = append(parts, fmt.Sprintf("%s %d", label, counts[k]))
			} else {
				parts = append(parts, fmt.Sprintf("%d %s", counts[k], label))
			}
		}
		name, text := "suite "+pick(r, "alpha", "beta", "gamma", "delta"), strings.Join(parts, " ")
		b.keys(name, text)
		b.line("%s: %s", name, text)
	}
	return b.done()
}
