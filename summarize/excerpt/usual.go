package excerpt

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
)

// mostUsual is how many templates of a section are told at most.
const mostUsual = 8

// Usual returns how often the templates of the section under way came in it, those that report a failure first and then
// the most frequent: a line for each, with its end. There are none where hardly anything repeats.
func (w *watched) Usual() (lines [][]byte) {
	s := w.sections.last()
	if !s.isRepeating() || s.isQuoting() {
		return nil
	}
	var all []*template
	for i := range w.templates {
		if t := &w.templates[i]; t.here(w.sections.begun) >= leastRepeating && hasWord(t.text) &&
			(t.verdict == "" || t.failures > 0) {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b *template) int {
		return cmp.Or(cmp.Compare(min(b.failures, 1), min(a.failures, 1)), cmp.Compare(b.count, a.count))
	})
	for _, t := range all[:min(len(all), mostUsual)] {
		line := strconv.AppendInt([]byte(factPrefix), int64(t.here(w.sections.begun)), 10)
		line = append(append(line, " x "...), bytes.TrimSpace([]byte(t.text))...)
		lines = append(lines, append(line, '\n'))
	}
	return lines
}

// leastVerdicts is how many lines of a section say how a test or a step ended, at least, for these to be counted.
const leastVerdicts = 5

// verdictCount counts the lines that say by one word how a test or a step ended.
type verdictCount struct {
	word string
	n    int
}

// Verdicts returns how many units of the section under way say how a test or a step ended, by the word or the sign that
// says so, as a line with its end; nil if hardly any do, or if not all were counted. Those that are indented, as parts
// of tests are, are counted for themselves.
func (w *watched) Verdicts() []byte {
	if w.sections.last().isUncounted {
		return nil
	}
	var outer, inner []verdictCount
	sum := 0
	for i := range w.templates {
		t := &w.templates[i]
		n := t.here(w.sections.begun)
		if t.verdict == "" || n == 0 {
			continue
		}
		sum += n
		all := &outer
		if t.isIndented {
			all = &inner
		}
		at := slices.IndexFunc(*all, func(c verdictCount) bool { return c.word == t.verdict })
		if at < 0 {
			at = len(*all)
			*all = append(*all, verdictCount{word: t.verdict})
		}
		(*all)[at].n += n
	}
	if sum < leastVerdicts {
		return nil
	}
	line := appendVerdicts([]byte(factPrefix+"verdicts: "), outer)
	if len(outer) > 0 && len(inner) > 0 {
		line = append(line, "; "...)
	}
	if len(inner) > 0 {
		line = appendVerdicts(append(line, "indented: "...), inner)
	}
	return append(line, '\n')
}

// appendVerdicts appends counts, the largest first.
func appendVerdicts(dst []byte, all []verdictCount) []byte {
	slices.SortStableFunc(all, func(a, b verdictCount) int { return cmp.Compare(b.n, a.n) })
	for i, c := range all {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(append(strconv.AppendInt(dst, int64(c.n), 10), " x "...), c.word...)
	}
	return dst
}

// leastOfWord is how many letters a template has in a row to tell something.
const leastOfWord = 3

func hasWord(template string) bool {
	letters, isVariable := 0, false
	for i := range len(template) {
		switch c := template[i]; {
		case c == '<':
			isVariable, letters = true, 0
		case c == '>':
			isVariable = false
		case !isVariable && (byteClasses[c] == letterByte || byteClasses[c] == hexLetterByte):
			if letters++; letters == leastOfWord {
				return true
			}
		default:
			letters = 0
		}
	}
	return false
}
