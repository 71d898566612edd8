package excerpt

import (
	"bytes"
	"fmt"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// mostFiles is how many files of a diff are shown with what changed in them.
const mostFiles = 4096

// files counts what changes in each file of a unified diff.
type files struct {
	of  map[int]*change // by the unit that names the file
	now *change

	before, after int // lines of the current hunk to come, of the old text and of the new one
	header        int // the unit that names the current file so far
}

// change is what became of a file.
type change struct {
	kind           string // "new", "deleted", "renamed" or "binary"; empty if its text changed
	added, removed int    // lines
}

// changes are those of a section; lines are all those of hunks.
type changes struct{ files, added, removed, lines int }

// String returns a change as a page shows it: "new, +12 -0".
func (c *change) String() string {
	if c.kind != "" && c.added+c.removed == 0 {
		return c.kind
	}
	text := fmt.Sprintf("+%d -%d", c.added, c.removed)
	if c.kind != "" {
		text = c.kind + ", " + text
	}
	return text
}

// see takes in unit n, and adds what it changes to the totals.
func (f *files) see(n int, line []byte, all *changes) {
	if f.inHunk(line, all) || len(line) == 0 {
		return
	}
	switch {
	case bytes.HasPrefix(line, []byte("diff --git ")):
		f.open(n, all)
	case bytes.HasPrefix(line, []byte("--- ")):
		if f.now == nil || f.now.added+f.now.removed > 0 {
			f.open(n, all)
		}
		f.nameBy(n, line)
	case f.now == nil:
	case bytes.HasPrefix(line, []byte("+++ ")):
		if f.header != n-1 || f.now.kind == "new" {
			f.nameBy(n, line)
		}
	case bytes.HasPrefix(line, []byte("@@ -")):
		f.before, f.after = sidesOf(line)
	case bytes.HasPrefix(line, []byte("new file mode")):
		f.now.kind = "new"
	case bytes.HasPrefix(line, []byte("deleted file mode")):
		f.now.kind = "deleted"
	case bytes.HasPrefix(line, []byte("rename from ")):
		f.now.kind = "renamed"
	case bytes.HasPrefix(line, []byte("Binary files ")):
		f.now.kind = "binary"
	}
}

func (f *files) open(n int, all *changes) {
	f.now, f.header = new(change), n
	all.files++
	if f.of == nil {
		f.of = make(map[int]*change)
	}
	if len(f.of) < mostFiles {
		f.of[n] = f.now
	}
}

// nameBy makes unit n the one that names the current file, unless it names none: "--- a/main.go" is shorter than the
// line of git before it.
func (f *files) nameBy(n int, line []byte) {
	if f.of[f.header] != f.now || bytes.HasSuffix(line, []byte(" /dev/null")) {
		return
	}
	delete(f.of, f.header)
	f.header = n
	f.of[n] = f.now
}

// areUnderWay reports whether the next line is one of a hunk, whatever it looks like.
func (f *files) areUnderWay() bool { return f.before+f.after > 0 }

// inHunk counts a line of the current hunk, and reports whether it is one.
func (f *files) inHunk(line []byte, all *changes) bool {
	if !f.areUnderWay() {
		return false
	}
	sign := byte(' ')
	if len(line) > 0 {
		sign = line[0]
	}
	switch sign {
	case '+':
		f.after--
		f.now.added++
		all.added++
	case '-':
		f.before--
		f.now.removed++
		all.removed++
	case ' ':
		f.before--
		f.after--
	case '\\':
	default:
		f.before, f.after = 0, 0
		return false
	}
	all.lines++
	return true
}

// sidesOf returns how many lines the header of a hunk announces, of the old text and of the new one: "@@ -1,5 +1,6 @@".
func sidesOf(line []byte) (before, after int) {
	old, rest, ok := bytes.Cut(line[len("@@ -"):], []byte(" +"))
	if !ok {
		return 0, 0
	}
	now, _, _ := bytes.Cut(rest, []byte{' '})
	return linesOf(old), linesOf(now)
}

// linesOf returns how many lines a range of a hunk has: "12,5" has 5, "12" has one.
func linesOf(text []byte) (lines int) {
	_, count, found := bytes.Cut(text, []byte{','})
	if !found {
		return 1
	}
	for _, c := range count[:min(ascii.LeadingDigits(count), 9)] {
		lines = 10*lines + int(c-'0')
	}
	return lines
}
