package excerpt

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// diffPart is what a line is in a unified diff.
type diffPart uint8

const (
	noDiff      diffPart = iota
	headOfFile           // after "diff --git", above the hunks; or the second name, if it is the first one again
	headOfHunk           // "@@ -1,5 +1,6 @@"
	addedLine            // of a hunk
	removedLine          // of a hunk
	contextLine          // of a hunk
)

func (p diffPart) isChange() bool { return p == addedLine || p == removedLine }

// hunks follows the lines of a unified diff.
type hunks struct {
	hasFile       bool
	inHead        bool   // after "diff --git", above the first hunk
	name          uint64 // hash of the name after "--- " in the last line, 0 if it had none
	before, after int    // lines of the current hunk to come, of the old text and of the new one
}

// areUnderWay reports whether the next line is one of a hunk, whatever it looks like.
func (h *hunks) areUnderWay() bool { return h.before+h.after > 0 }

// see takes in a line.
func (h *hunks) see(line []byte) diffPart {
	if h.areUnderWay() {
		if part := h.inHunk(line); part != noDiff {
			return part
		}
	}
	name := h.name
	h.name = 0
	switch {
	case bytes.HasPrefix(line, []byte("diff --git ")):
		h.hasFile, h.inHead = true, true
	case bytes.HasPrefix(line, []byte("--- ")):
		h.hasFile, h.name = true, nameOfSide(line)
	case !h.hasFile:
	case bytes.HasPrefix(line, []byte("@@ -")):
		h.inHead = false
		h.before, h.after = sidesOf(line)
		return headOfHunk
	case bytes.HasPrefix(line, []byte("+++ ")) && name != 0:
		if name == nameOfSide(line) {
			return headOfFile
		}
		return noDiff
	case h.inHead:
		h.inHead = isInHead(line)
	}
	if h.inHead {
		return headOfFile
	}
	return noDiff
}

// inHunk takes in a line of the current hunk; noDiff if it is none.
func (h *hunks) inHunk(line []byte) diffPart {
	sign := byte(' ')
	if len(line) > 0 {
		sign = line[0]
	}
	switch sign {
	case '+':
		h.after--
		return addedLine
	case '-':
		h.before--
		return removedLine
	case ' ':
		h.before--
		h.after--
		return contextLine
	case '\\':
		return contextLine
	}
	h.before, h.after = 0, 0
	return noDiff
}

// isInHead reports whether a line stands between "diff --git" and the names of a file.
func isInHead(line []byte) bool {
	for _, sign := range [...]string{"index ", "new file mode ", "deleted file mode ", "old mode ", "new mode ",
		"similarity index ", "dissimilarity index "} {
		if bytes.HasPrefix(line, []byte(sign)) {
			return true
		}
	}
	return false
}

// nameOfSide returns a hash of the name of a file in a line "--- a/main.go" or "+++ b/main.go", which is the same for
// both; a time may follow it after a tab.
func nameOfSide(line []byte) uint64 {
	name, _, _ := bytes.Cut(line[len("--- "):], []byte{'\t'})
	if len(name) > 2 && (name[0] == 'a' || name[0] == 'b') && name[1] == '/' {
		name = name[2:]
	}
	return hashOf(name)
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
