package excerpt

import (
	"bytes"
	"fmt"
)

// mostFiles is how many files of a diff are shown with what changed in them.
const mostFiles = 4096

// files counts what changes in each file of a unified diff.
type files struct {
	hunks
	of     map[int]*change // by the unit that names the file
	now    *change
	header int // the unit that names the current file so far
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
	switch f.hunks.see(line) {
	case addedLine:
		f.now.added++
		all.added++
		all.lines++
	case removedLine:
		f.now.removed++
		all.removed++
		all.lines++
	case contextLine:
		all.lines++
	case noDiff, headOfFile:
		f.seeHead(n, line, all)
	}
}

// seeHead takes in a line that is in no hunk.
func (f *files) seeHead(n int, line []byte, all *changes) {
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
