package outline

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// manual is a page of a manual, as man prints it, or what a program says of how it is used: headings that stand out to
// the left, and options by name that are indented under them.
type manual struct {
	list
	unsettled
	section
	wasBlank bool
	isUsage  bool // it says how a program is used
	headings int
	capitals int // of these
	options  int
	indented int
}

func newManual() *manual { return &manual{wasBlank: true} }

func (m *manual) name() Shape    { return Document }
func (m *manual) outline() *list { return &m.list }

func (m *manual) totals(to []Total) []Total { return to }

func (m *manual) reset() {
	m.list.reset()
	*m = manual{list: m.list, wasBlank: true}
}

func (m *manual) isSure(lines int) bool {
	isPage := m.capitals >= 3 && 2*m.indented >= lines
	isHelp := m.isUsage && m.options >= 3 && 2*m.indented >= lines
	return isPage || isHelp
}

func (m *manual) add(l *line) {
	if l.isBlank() {
		m.wasBlank = true
		return
	}
	wasBlank := m.wasBlank
	m.wasBlank = false
	isOption := isOptionOf(l.body) &&
		(wasBlank || !isProse(l.body) || bytes.Contains(l.body, []byte("  "))) // else a sentence goes on with it
	if l.indent > 0 {
		m.indented++
	}
	switch {
	case m.isUsageLine(l):
		m.isUsage = true
		m.list.add(l.number, l.text, tellsTitle)
	case l.indent == 0 && isCapitals(l.body):
		m.capitals++
		m.heading(l, 1+min(m.capitals, 1)) // the page has no title
	case l.indent == 0 && wasBlank && len(l.body) <= 60 && l.body[len(l.body)-1] == ':':
		m.heading(l, 2)
	case l.indent == 0 && m.headings == 0 && l.number <= 3 && bytes.IndexByte(l.body, '(') > 0:
		m.list.add(l.number, l.body, tellsTitle) // as LS(1) has it
	case l.indent > 0 && l.indent <= 4 && wasBlank && m.headings > 0 && !isOption && len(l.body) <= 50 &&
		!isProse(l.body) && ascii.IsUpper(l.body[0]):
		m.heading(l, 3)
	case isOption && l.indent > 0:
		m.options++
		m.list.add(l.number, l.body, m.section.tells(tellsOption, l.body))
	case m.headings+m.options == 0 && !m.isUsage: // what it is
		m.list.add(l.number, l.body, tellsHeading)
	case !m.begun && l.indent > 0:
		m.begun = true
		m.list.add(l.number, l.body, m.section.tells(2*tellsSentence, l.body))
	case l.indent > 0 && l.indent <= 4 && hasGap(l.body): // a command and what it does
		m.list.add(l.number, l.body, m.section.tells(tellsOption, l.body))
	case hasSetting(l.body):
		m.list.add(l.number, l.body, m.section.tells(tellsCommand, l.body))
	}
}

func (m *manual) heading(l *line, level int) {
	m.headings++
	m.list.add(l.number, l.text, tellsOfHeading(level))
	m.section = section{level: level}
}

// isUsageLine reports whether a line says how the program is called.
func (m *manual) isUsageLine(l *line) bool {
	const usage = "usage"
	if l.indent > 0 || len(l.body) < len(usage) || !bytes.EqualFold(l.body[:len(usage)], []byte(usage)) {
		return false
	}
	return len(l.body) == len(usage) || l.body[len(usage)] == ':' || string(l.body) == "USAGE"
}

// isCapitals reports whether a line is a heading as manuals have them: words in capitals.
func isCapitals(body []byte) bool {
	letters := 0
	for _, c := range body {
		switch {
		case ascii.IsUpper(c):
			letters++
		case c == ' ' || c == '-' || c == '&' || c == '/' || ascii.IsDigit(c) && letters > 0:
		default:
			return false
		}
	}
	return letters >= 3 && len(body) <= 60 && ascii.IsUpper(body[0])
}

// isOptionOf reports whether a line begins with an option: "-x", "--long".
func isOptionOf(body []byte) bool {
	dashes := 0
	for dashes < len(body) && body[dashes] == '-' {
		dashes++
	}
	return dashes > 0 && dashes <= 2 && dashes < len(body) && ascii.IsAlphanumeric(body[dashes])
}

// hasGap reports whether a line is a word or a few and, after a gap, what it means.
func hasGap(body []byte) bool {
	at := bytes.Index(body, []byte("   "))
	return at > 0 && at <= 32 && bytes.Count(body[:at], []byte(" ")) <= 2
}
