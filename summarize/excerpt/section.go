package excerpt

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Bounds of sections.
const (
	maxSections   = 64  // if there are more, none is told: the lines of several programs are mixed
	longestLabel  = 80  // bytes of one part of a label
	leastLabelled = 0.9 // of all units, to have labels
)

// sections are runs of lines that begin with the same label, such as job and step in the output of
// gh run view --log. A page says a label once.
type sections struct {
	all      []section
	labelled int
	tooMany  bool
}

type section struct {
	label    string
	from, to int // numbers of units
}

// labelLen returns the length of what a line begins with that is no part of its text, and of the label in it: two
// fields and a time, with tabs between them. Both are 0 if there is none.
func labelLen(line []byte) (prefix, label int) {
	first := bytes.IndexByte(line[:min(len(line), longestLabel)], '\t')
	if first <= 0 {
		return 0, 0
	}
	rest := line[first+1:]
	second := bytes.IndexByte(rest[:min(len(rest), longestLabel)], '\t')
	if second <= 0 {
		return 0, 0
	}
	label = first + 1 + second
	if end := timeLen(line[label+1:]); end > 0 {
		return label + 1 + end, label
	}
	return 0, 0
}

// timeLen returns the length of a time of RFC 3339 at the beginning of a text, with the blank after it.
func timeLen(text []byte) int {
	const shortest = len("2006-01-02T15:04:05Z")
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(text) < shortest || !ascii.IsDigit(text[0]) || text[4] != '-' || text[7] != '-' || text[10] != 'T' {
		return 0
	}
	end := bytes.IndexByte(text[:min(len(text), 2*shortest)], ' ')
	if end < 0 || text[end-1] != 'Z' {
		return 0
	}
	return end + 1
}

// see takes in the label of a unit.
func (s *sections) see(n int, label []byte) {
	s.labelled++
	if s.tooMany {
		return
	}
	if last := len(s.all) - 1; last >= 0 && s.all[last].label == string(label) {
		s.all[last].to = n
		return
	}
	if s.tooMany = len(s.all) == maxSections; s.tooMany {
		s.all = nil
		return
	}
	s.all = append(s.all, section{label: string(label), from: n, to: n})
}

// areTold reports whether a page of so many units says the labels of its sections.
func (s *sections) areTold(units int) bool {
	return len(s.all) > 0 && float64(s.labelled) >= leastLabelled*float64(units)
}

// of returns the index of the section that a unit is in, -1 if it is in none.
func (s *sections) of(n int) int {
	for i := range s.all {
		if s.all[i].from <= n && n <= s.all[i].to {
			return i
		}
	}
	return -1
}

// name returns the label as a page says it.
func (s *section) name() string { return strings.ReplaceAll(s.label, "\t", " / ") }
