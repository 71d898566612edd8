package excerpt

import (
	"fmt"
	"strings"
	"testing"
)

// hunkOf returns a hunk of one changed line, with so many lines of context on each side.
func hunkOf(at, context int, before, after string) (lines []string) {
	lines = append(lines, fmt.Sprintf("@@ -%d,%d +%d,%d @@ func step%d() {", at, 2*context+1, at, 2*context+1, at))
	for i := range context {
		lines = append(lines, fmt.Sprintf(" \tkeep(%d, %d)", at, i))
	}
	lines = append(lines, "-"+before, "+"+after)
	for i := range context {
		lines = append(lines, fmt.Sprintf(" \tstay(%d, %d)", at, i))
	}
	return lines
}

// diffOf returns the diff of a file: what git writes above the hunks, and these.
func diffOf(name string, hunks ...[]string) (lines []string) {
	lines = append(lines, "diff --git a/"+name+" b/"+name, "index 4ab1055e..4654ada2 100644", "--- a/"+name, "+++ b/"+name)
	for _, hunk := range hunks {
		lines = append(lines, hunk...)
	}
	return lines
}

// changesOn returns how many of the changed lines of a diff a page shows.
func changesOn(page string, lines []string) (shown int) {
	for i, line := range lines {
		isChange := line[0] == '+' && !strings.HasPrefix(line, "+++ ") || line[0] == '-' && !strings.HasPrefix(line, "--- ")
		if isChange && strings.Contains(page, fmt.Sprintf("%d: %s\n", i+1, line)) {
			shown++
		}
	}
	return shown
}

// TestChangesBeforeContext: where not all of a diff fits, the page shows the changes of each hunk before its context,
// whatever stands in that.
func TestChangesBeforeContext(t *testing.T) {
	var hunks [][]string
	for i := range 5 {
		hunk := hunkOf(100*i+1, 12, fmt.Sprintf("\tlimit = %d", 10+i), fmt.Sprintf("\tlimit = %d", 20+i))
		hunk[2] = fmt.Sprintf(" struct part%d {", i)
		hunks = append(hunks, hunk)
	}
	lines := diffOf("steps/run.go", hunks...)
	page := pageOf("", 250, lines)
	if shown := changesOn(page, lines); shown != 10 {
		t.Errorf("%d of 10 changed lines are shown:\n%s", shown, page)
	}
	if !strings.Contains(page, "--- a/steps/run.go  ‹+5 -5›\n") {
		t.Errorf("the file is not named:\n%s", page)
	}
}

// TestChangesOfAskedFile: of a file that the question names, the page shows what changed in it before its context.
func TestChangesOfAskedFile(t *testing.T) {
	var lines []string
	for i := range 40 {
		name := fmt.Sprintf("cmd/part%d.go", i)
		if i == 25 {
			name = "cmd/expand.go"
		}
		hunk := hunkOf(30, 6, fmt.Sprintf("\tsend(%d)", i), fmt.Sprintf("\tsendAll(%d)", i))
		hunk[3] = fmt.Sprintf(" \texpand go of part %d", i)
		lines = append(lines, diffOf(name, hunk)...)
	}
	page := pageOf("what changed in cmd/expand.go?", 500, lines)
	for _, want := range []string{"--- a/cmd/expand.go  ‹+1 -1›\n", ": -\tsend(25)\n", ": +\tsendAll(25)\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
}

// TestFileIsNamedOnce: of the lines that name a file of a diff one is shown, and the subjects of commits are shown
// before files that changed in the commits above as well.
func TestFileIsNamedOnce(t *testing.T) {
	var lines, subjects []string
	for i := range 20 {
		subject := fmt.Sprintf("    client: word%d is renamed in all of its files", i)
		subjects = append(subjects, subject)
		lines = append(lines, fmt.Sprintf("commit %040x", i+1000), "Author: Ann Example <ann>",
			"Date:   Thu May 14 13:30:24 2026 +0000", "", subject, "")
		for _, name := range []string{"client/tax.go", "client/claim.go", "client/audit.go", "client/pay.go"} {
			lines = append(lines, diffOf(name, hunkOf(7, 3, fmt.Sprintf("\tword%d()", i), fmt.Sprintf("\tterm%d()", i)))...)
		}
	}
	page := pageOf("", 700, lines)
	for _, subject := range subjects {
		if !strings.Contains(page, subject) {
			t.Errorf("the page has no %q:\n%s", subject, page)
		}
	}
	repeated := 0
	for _, sign := range []string{": index ", ": +++ ", ": diff --git "} {
		repeated += strings.Count(page, sign)
	}
	if repeated > 1 { // one may stand in the place of a gap
		t.Errorf("the page has %d lines that repeat the name of a file:\n%s", repeated, page)
	}
}
