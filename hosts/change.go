package hosts

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/kfw-dev/kfw/pipeline/encode"
)

// change is a run of lines of a text that stand in the place of a run of lines of an older text.
// One of the two may be empty.
type change struct {
	oldLine, newLine int // the first line of each run, from 1; of an empty run, where it would stand
	old, new         []string
}

// changes returns what makes a newer text of an older one, in order. Both texts end in a line feed.
// The time that it takes grows as n log n, so the changes are not always the fewest. That an
// unchanged line is passed over is never wrong.
func changes(older, newer string) []change {
	var all []change
	oldLine, newLine := 0, 0
	isOpen := false // the last change goes on
	for line := range bytes.Lines(diff.Diff("", []byte(older), "", []byte(newer))) {
		text := string(line[1:])
		switch {
		case line[0] == '@':
			oldLine, newLine = firstLines(line)
			isOpen = false
			continue
		case oldLine == 0: // the names of the texts
			continue
		case line[0] == ' ':
			oldLine++
			newLine++
			isOpen = false
			continue
		case !isOpen:
			all = append(all, change{oldLine: oldLine, newLine: newLine})
			isOpen = true
		}
		last := &all[len(all)-1]
		if line[0] == '-' {
			last.old = append(last.old, text)
			oldLine++
		} else {
			last.new = append(last.new, text)
			newLine++
		}
	}
	return all
}

// firstLines reads "@@ -first,count +first,count @@". Of a run without lines, first is the line
// before it.
func firstLines(header []byte) (oldLine, newLine int) {
	var first [2]int
	for i, field := range bytes.Fields(header)[1:3] {
		from, count, _ := strings.Cut(string(field[1:]), ",")
		first[i], _ = strconv.Atoi(from) // the header is of this form
		if count == "0" {
			first[i]++
		}
	}
	return first[0], first[1]
}

// appendChanges writes changes as diff -U0 does, the lines as the model is shown them.
func appendChanges(dst []byte, all []change) []byte {
	for _, c := range all {
		dst = append(dst, "@@ -"...)
		dst = appendRun(dst, c.oldLine, len(c.old))
		dst = append(dst, " +"...)
		dst = appendRun(dst, c.newLine, len(c.new))
		dst = append(dst, " @@\n"...)
		for _, line := range c.old {
			dst, _ = encode.AppendVerbatim(append(dst, '-'), []byte(line), false)
		}
		for _, line := range c.new {
			dst, _ = encode.AppendVerbatim(append(dst, '+'), []byte(line), false)
		}
	}
	return dst
}

func appendRun(dst []byte, first, count int) []byte {
	if count == 0 {
		first--
	}
	dst = strconv.AppendInt(dst, int64(first), 10)
	if count != 1 {
		dst = strconv.AppendInt(append(dst, ','), int64(count), 10)
	}
	return dst
}
