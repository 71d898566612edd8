package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// linter is eslint's output: the path of a file, and under it lines with a place, a severity, a
// text and a rule.
func linter(r *rand.Rand) Response {
	b := newBuilder(r)
	errors, warnings := 0, 0
	for range b.between(8, 30) {
		file := b.line("/app/src/%s-%d.js", pick(r, "amber", "birch", "cedar"), b.IntN(900))
		for range b.between(1, 9) {
			severity := "warning"
			if b.chance(6) {
				severity = "error"
				errors++
				b.Failures[b.next()] = true
			} else {
				warnings++
			}
			b.Levels[b.next()] = severity
			at := b.line("  %d:%-3d  %-7s  %s  %s", b.between(1, 400), b.between(1, 99), severity,
				pick(r, "'x' is assigned a value but never used", "Unexpected console statement"),
				pick(r, "no-unused-vars", "no-console"))
			b.Owners[at] = []int{file}
		}
		b.line("")
	}
	if errors > 0 {
		b.Failures[b.next()] = true
	}
	b.line("✖ %d problems (%d errors, %d warnings)", errors+warnings, errors, warnings)
	return b.done()
}

// ctest prints a test a line, with a verdict between dots and its duration.
func ctest(r *rand.Rand) Response {
	b := newBuilder(r)
	n, failed := b.between(110, 220), 0
	for i := range n {
		verdict := "   Passed"
		if b.chance(60) {
			verdict = "***Failed"
			failed++
			b.Failures[b.next()] = true
		}
		took := b.between(1, 999)
		number := fmt.Sprintf("#%d", i+1)
		b.line("%3d/%d Test %-4s: t%d_%s %s %s  %5.2f sec", i+1, n, number, i+1,
			pick(r, "reads", "writes", "error_path"),
			"........", verdict, float64(took)/100)
	}
	b.line("")
	if failed > 0 {
		b.Failures[b.next()] = true
	}
	b.line("%d%% tests passed, %d tests failed out of %d", 100*(n-failed)/n, failed, n)
	return b.done()
}

// jobLog is a test run with the time before each line, as hosts of continuous integration print it.
func jobLog(r *rand.Rand) Response {
	b := newBuilder(r)
	hasSign := b.chance(2)
	for i := range b.between(60, 250) {
		b.clock = b.clock.Add(1000000 * 1000)
		stamp := b.clock.Format("2006-01-02T15:04:05.0000000Z")
		b.timed(stamp, b.clock)
		name := fmt.Sprintf("%s_%d", testNames[b.IntN(len(testNames))], i)
		isFailed := b.chance(60)
		if isFailed {
			b.Failures[b.next()] = true
		}
		switch {
		case hasSign && isFailed:
			b.line("%s   ✗ %s", stamp, name)
		case hasSign:
			b.line("%s   ✓ %s", stamp, name)
		case isFailed:
			b.line("%s not ok %d - %s", stamp, i+1, name)
		default:
			b.line("%s ok %d - %s", stamp, i+1, name)
		}
	}
	return b.done()
}

// commits are those of git log, with messages that speak of failures.
func commits(r *rand.Rand) Response {
	b := newBuilder(r)
	for range b.between(20, 70) {
		b.Total["commits"]++
		hash := b.line("commit %08x%08x%08xab%06x", b.Uint32(), b.Uint32(), b.Uint32(), b.IntN(1<<24))
		author := pick(r, "Ann Ash <ann@kfw.example>", "Bob Birch <bob@kfw.example>")
		b.Redacted["email"]++
		b.line("Author: %s", strings.Split(author, " <")[0]+" <[REDACTED:email]>")
		b.Input = b.Input[:len(b.Input)-len("[REDACTED:email]>\n")]
		b.Input = append(b.Input, strings.SplitN(author, "<", 2)[1]+"\n"...)
		b.keys("Author", strings.Split(author, " <")[0]+" <[REDACTED:email]>")
		b.line("")
		subject := pick(r, "crash on an empty file", "revert failed migration", "error: say why",
			"add a page of errors",
			"tidy") + fmt.Sprintf(" (%s)", pick(r, "core", "web"))
		if name, value, isNamed := strings.Cut(subject, ": "); isNamed {
			b.keys(name, value)
		}
		text := b.line("    %s", subject)
		b.Owners[text] = []int{hash}
		b.line("")
	}
	return b.done()
}

// totalRow are values between commas, with their sums in the last row.
func totalRow(r *rand.Rand) Response {
	b := newBuilder(r)
	b.Columns = []string{"host", "cpu", "mem"}
	b.Headers[1] = true
	b.line("host,cpu,mem")
	cpu, mem := 0, 0
	for i := range b.between(60, 250) {
		x, y := b.IntN(99), b.IntN(999)
		cpu, mem = cpu+x, mem+y
		name := fmt.Sprintf("%s-%d", pick(r, "alpha", "bravo"), i)
		b.row(name, fmt.Sprint(x), fmt.Sprint(y))
		b.line("%s,%d,%d", name, x, y)
	}
	b.line("%s,%d,%d", pick(r, "TOTAL", "total", "Sum"), cpu, mem)
	return b.done()
}
