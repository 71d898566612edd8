package excerpt

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Bounds of sections.
const (
	maxSections   = 64  // past them, the smallest one is joined with the one before
	mostBegun     = 512 // past them, none begins
	longestLabel  = 80  // bytes of one part of a label
	leastColumns  = 3   // of a header of a table
	leastOfTable  = 2   // units above the header of another table
	longestHeader = 400
)

// section is a run of units of one origin: what one command wrote, one table, one step of a build. Its shape is its
// own: source in one section does not make another one source.
type section struct {
	from, to    int    // numbers of units
	first, last int    // the numbers of these that are shown
	label       string // that its lines begin with, and that a page says once; empty if there is none
	header      uint64 // hash of the header of its table, 0 if it has none
	facts       Facts
	verdicts    verdicts
	shape
}

// Facts are what holds for a section, as the layout of the page writes it: first in full, then in less and less detail.
type Facts [][]byte

// sections are all sections of a response, in order. Each unit is in one.
type sections struct {
	all          []section
	begun        int
	isTranscript bool // the first one begins with a prompt
}

// begins reports whether a unit begins a section: with another label, as the prompt of a transcript, as the caption of
// a file or a group, or as the header of another table.
func (s *sections) begins(label, text []byte) bool {
	if len(s.all) == 0 {
		return true
	}
	now := s.last()
	if len(label) > 0 && string(label) != now.label {
		return true
	}
	if len(label) == 0 && now.label != "" || s.begun > mostBegun {
		return false
	}
	if s.isTranscript && isPrompt(text) {
		return true
	}
	header := headerOf(text)
	return (header != 0 && header != now.header && now.units() >= leastOfTable || isCaption(text)) && !now.isQuoting()
}

// last returns the section that is under way.
func (s *sections) last() *section { return &s.all[len(s.all)-1] }

// Sections returns how many sections there are.
func (w *watched) Sections() int { return len(w.sections.all) }

// Tell says what holds for the section that is under way.
func (w *watched) Tell(facts Facts) { w.sections.last().facts = facts }

// open begins a section with a unit.
func (s *sections) open(n, shown int, label, text []byte) {
	if len(s.all) == maxSections {
		s.joinSmallest()
	}
	if s.begun++; s.begun == 1 {
		s.isTranscript = isPrompt(text)
	}
	s.all = append(s.all, section{from: n, to: n, first: shown, last: shown, label: string(label),
		header: headerOf(text)})
}

// joinSmallest joins the two neighbours, the last section excepted, that have the fewest units together. The joined
// section has no facts: those of its halves hold for the halves alone.
func (s *sections) joinSmallest() {
	at := 1
	for i := 2; i < len(s.all); i++ {
		if s.all[i-1].units()+s.all[i].units() < s.all[at-1].units()+s.all[at].units() {
			at = i
		}
	}
	into, one := &s.all[at-1], &s.all[at]
	into.to, into.last, into.header, into.facts = one.to, one.last, 0, nil
	if into.label != one.label {
		into.label = ""
	}
	into.add(&one.shape)
	s.all = slices.Delete(s.all, at, at+1)
}

// of returns the index of the section that a unit is in.
func (s *sections) of(n int) int {
	i, _ := slices.BinarySearchFunc(s.all, n, func(one section, n int) int { return one.to - n })
	return min(i, len(s.all)-1)
}

func (s *section) units() int { return s.to - s.from + 1 }

// name returns the label as a page says it.
func (s *section) name() string { return strings.ReplaceAll(s.label, "\t", " / ") }

// labelLen returns the lengths of the prefix of a line and of the label in it; both are 0 if the line has none. The
// label is two fields, and the prefix is these and a time, with tabs between them: gh run view --log writes job and
// step so.
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

// isPrompt reports whether a line is a prompt with the command after it, as a transcript has them: "$ df -h".
func isPrompt(line []byte) bool {
	return len(line) > 2 && line[0] == '$' && line[1] == ' ' && (ascii.IsLetter(line[2]) || line[2] == '.' ||
		line[2] == '/')
}

// isCaption reports whether a line stands before what a tool writes of one file or group: "==> a.log <==" of tail,
// "##[group]Run npm ci" of a workflow.
func isCaption(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	return line[0] == '=' && bytes.HasPrefix(line, []byte("==> ")) && bytes.HasSuffix(line, []byte(" <==")) ||
		bytes.HasPrefix(line[timeLen(line):], []byte("##[group]"))
}

// headerOf returns a hash of a line that is the header row of a table, 0 for other lines. A header row has at least
// three words, most with a capital letter first, none with a digit, and two of them more than one blank apart.
func headerOf(line []byte) uint64 {
	if len(line) == 0 || len(line) > longestHeader || line[0] < 'A' || line[0] > 'Z' {
		return 0
	}
	hash, gaps := uint64(14695981039346656037), 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case ascii.IsDigit(c), c == ':' || c == '.' || c == ';' || c == '{' || c == ')' && i == len(line)-1:
			return 0
		case c == '\t', c == ' ' && i > 0 && line[i-1] == ' ' && (i == 1 || line[i-2] != ' '):
			gaps++
		case c != ' ':
			hash = (hash ^ uint64(c)) * 1099511628211
		}
	}
	if gaps == 0 {
		return 0
	}
	words, large := 0, 0
	for word := range bytes.FieldsSeq(line) {
		words++
		if first, _ := utf8.DecodeRune(word); unicode.IsUpper(first) || !unicode.IsLetter(first) {
			large++
		}
	}
	if words < leastColumns || 4*large < 3*words {
		return 0
	}
	return hash
}
