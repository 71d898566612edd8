package outline

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// What the parts of a document tell. A heading of the first two levels is what most look for; what is deeper tells
// less.
const (
	tellsTitle    = 2.2
	tellsHeading  = 1.6
	shareOfLevel  = 0.75 // of what a heading tells, for each level below the second
	tellsSentence = 0.32 // the first line of a section
	tellsCommand  = 0.36 // in a block of code, or of synopsis
	tellsLink     = 0.2
	tellsCallout  = 0.9 // a warning, set off from the text
	tellsOption   = 0.7 // of a program, described on its line
	tellsSetting  = 1.6 // times as much as without the name of a variable of the environment
	slowdown      = 0.1 // the second line of a kind in a section tells this much less, and so on
)

// section is what shapes of documents know of the section that they are in.
type section struct {
	level int
	begun bool // its first sentence has come
	lines int  // of commands, links and options in it
}

// tells is what a line of a kind tells in its section.
func (s *section) tells(tells float64, text []byte) float64 {
	if s.level > 2 {
		tells *= shareOfLevel
	}
	if hasSetting(text) {
		tells *= tellsSetting
	}
	tells /= 1 + slowdown*float64(s.lines)
	s.lines++
	return tells
}

// tellsOfHeading is what a heading of a level tells, from 1.
func tellsOfHeading(level int) float64 {
	switch {
	case level <= 1:
		return tellsTitle
	case level == 2:
		return tellsHeading
	}
	tells := tellsHeading
	for range level - 2 {
		tells *= shareOfLevel
	}
	return tells
}

// hasSetting reports whether a line has the name of a variable of the environment: capitals with an underscore between
// them.
func hasSetting(text []byte) bool {
	for from := 0; ; {
		at := bytes.IndexByte(text[from:], '_')
		if at < 0 {
			return false
		}
		at += from
		if at >= 2 && at+1 < len(text) && ascii.IsUpper(text[at-1]) && ascii.IsUpper(text[at-2]) &&
			ascii.IsUpper(text[at+1]) {
			return true
		}
		from = at + 1
	}
}

// isProse reports whether a line reads like a sentence: several words, of letters mostly.
func isProse(body []byte) bool {
	letters, blanks := 0, 0
	for _, c := range body {
		switch {
		case ascii.IsLetter(c) || c >= 0x80:
			letters++
		case c == ' ':
			blanks++
		}
	}
	return blanks >= 3 && letters+blanks >= len(body)*4/5
}

// isRuleOf reports whether a line is three or more of one byte, and nothing else.
func isRuleOf(body []byte, signs string) bool {
	if len(body) < 3 || bytes.IndexByte([]byte(signs), body[0]) < 0 {
		return false
	}
	for _, c := range body {
		if c != body[0] {
			return false
		}
	}
	return true
}

// markdown is a text with headings that begin with "#", as CommonMark has them: also those that are underlined.
type markdown struct {
	list
	unsettled
	section
	inFence   bool
	fence     byte
	before    line // the line before, if it may be a heading that is underlined
	buffer    []byte
	wasBlank  bool // the line before was
	headings  int
	marks     int // other lines that only Markdown has: fences, links, lists, tables, quotes
	prose     int
	code      int  // lines outside of blocks of code that look like code, or like settings
	isInFront bool // before the end of the front matter
}

func newMarkdown() *markdown { return &markdown{wasBlank: true} }

func (m *markdown) name() Shape    { return Document }
func (m *markdown) outline() *list { return &m.list }

func (m *markdown) totals(to []Total) []Total { return to }

func (m *markdown) reset() {
	m.list.reset()
	*m = markdown{list: m.list, buffer: m.buffer, wasBlank: true}
}

func (m *markdown) isSure(lines int) bool {
	// in scripts and settings, comments begin with "#", too
	return m.headings >= 2 && m.marks+m.prose >= m.headings && 8*m.code < lines && 3*(m.marks+m.prose+m.headings) >= lines
}

func (m *markdown) add(l *line) {
	switch {
	case l.number == 1 && string(l.text) == "---":
		m.isInFront = true
		return
	case m.isInFront:
		if m.isInFront = string(l.text) != "---"; m.isInFront {
			m.marks++
		}
		return
	case m.fenceAt(l):
		m.marks++
		m.wasBlank = false
		return
	case m.inFence:
		m.marks++
		m.addCode(l.number, l.body)
		return
	case l.isBlank():
		m.wasBlank = true
		m.before.text = nil
		return
	}
	wasBlank := m.wasBlank
	m.wasBlank = false
	if level := levelOfHash(l.text); level > 0 {
		// in code, a comment follows the line before
		if wasBlank || m.headings > 0 {
			m.heading(l.number, l.text, level)
		}
		return
	}
	if m.before.text != nil && l.indent == 0 && isRuleOf(l.body, "=-") {
		level := 1
		if l.body[0] == '-' {
			level = 2
		}
		m.heading(m.before.number, m.before.text, level)
		m.before.text = nil
		return
	}
	m.before.text = nil
	if wasBlank && l.indent == 0 && len(l.text) <= maxText && ascii.IsAlphanumeric(l.text[0]) {
		m.buffer = append(m.buffer[:0], l.text...)
		m.before = line{number: l.number, text: m.buffer}
	}
	m.addText(l, wasBlank)
}

// fenceAt reports whether a line opens or closes a block of code.
func (m *markdown) fenceAt(l *line) bool {
	isFence := bytes.HasPrefix(l.body, []byte("```")) || bytes.HasPrefix(l.body, []byte("~~~"))
	switch {
	case !isFence:
		return false
	case !m.inFence && bytes.IndexByte(l.body[3:], '`') < 0:
		m.inFence, m.fence = true, l.body[0]
		return true
	case m.inFence && l.body[0] == m.fence && len(bytes.TrimLeft(l.body, string(rune(m.fence)))) == 0:
		m.inFence = false
		return true
	}
	return false
}

// levelOfHash returns the level of a heading that begins with "#", 0 if the line is none.
func levelOfHash(text []byte) int {
	level := 0
	for level < len(text) && text[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level+1 >= len(text) || text[level] != ' ' {
		return 0
	}
	return level
}

func (m *markdown) heading(number int, text []byte, level int) {
	m.headings++
	tells := tellsOfHeading(level)
	if level == 1 && m.headings > 1 { // a title is one
		tells = tellsHeading
	}
	m.list.add(number, text, tells)
	m.section = section{level: level}
}

// addCode takes in a line of a block of code: a command, if it is no comment and no output.
func (m *markdown) addCode(number int, body []byte) {
	if len(body) == 0 || body[0] == '#' || body[0] == '/' || m.headings == 0 || isClosing(body) {
		return
	}
	m.list.add(number, body, m.section.tells(tellsCommand, body))
}

// isClosing reports whether a line has signs only, as one that closes braces.
func isClosing(body []byte) bool {
	for _, c := range body {
		if ascii.IsAlphanumeric(c) || c >= 0x80 {
			return false
		}
	}
	return true
}

// addText takes in a line outside of blocks of code.
func (m *markdown) addText(l *line, wasBlank bool) {
	body := l.body
	isItem := len(body) > 2 && (body[0] == '-' || body[0] == '*' || body[0] == '+') && body[1] == ' '
	digits := ascii.LeadingDigits(body)
	isItem = isItem || digits > 0 && digits+1 < len(body) && (body[digits] == '.' || body[digits] == ')') &&
		body[digits+1] == ' '
	isQuote, isBold := body[0] == '>', bytes.HasPrefix(body, []byte("**"))
	hasLink := bytes.Contains(body, []byte("](")) || bytes.Contains(body, []byte("http"))
	hasCode := bytes.IndexByte(body, '`') >= 0
	switch {
	case isItem, isQuote, isBold, hasLink, hasCode, body[0] == '|':
		m.marks++
	case isProse(body):
		m.prose++
	}
	if isCodeOrSetting(body) {
		m.code++
	}
	if m.headings == 0 {
		return
	}
	switch {
	case isQuote && len(body) > 2, isBold && !isItem && isCallout(body):
		m.list.add(l.number, body, m.section.tells(tellsCallout, body))
	case !m.begun && wasBlank && body[0] != '|' && body[0] != '<' && body[0] != '!' && body[0] != '[':
		m.begun = true
		tells := m.section.tells(tellsSentence, body)
		if m.level == 1 {
			tells = tellsHeading // what the document is about
		}
		m.list.add(l.number, body, tells)
	case hasSetting(body):
		m.list.add(l.number, body, m.section.tells(tellsCommand, body))
	case hasLink:
		m.list.add(l.number, body, m.section.tells(tellsLink, body))
	case isItem && l.indent == 0, isBold:
		m.list.add(l.number, body, m.section.tells(tellsLink, body))
	}
}

// isCodeOrSetting reports whether a line ends as code does, or begins with a name and its value.
func isCodeOrSetting(body []byte) bool {
	if last := body[len(body)-1]; last == ';' || last == '{' || last == '}' || last == '\\' {
		return true
	}
	body = bytes.TrimPrefix(body, []byte("- "))
	n := 0
	for n < len(body) && (isNameByte(body[n]) || body[n] == '-' || body[n] == '.') {
		n++
	}
	rest := body[n:]
	return n > 0 && (len(rest) > 0 && rest[0] == '=' || bytes.HasPrefix(rest, []byte(" = ")) ||
		len(rest) > 0 && rest[0] == ':' && !isProse(rest))
}

// isCallout reports whether a line warns: it begins with one of the words that set a note off from the text.
func isCallout(body []byte) bool {
	body = bytes.TrimLeft(body, "*_ >[!")
	for len(body) > 0 && !ascii.IsAlphanumeric(body[0]) { // a sign, such as one that warns
		body = body[1:]
	}
	for _, word := range [...]string{"Warning", "Note", "Important", "Caution", "Danger", "Attention", "Deprecated",
		"Breaking", "Required"} {
		if len(body) >= len(word) && bytes.EqualFold(body[:len(word)], []byte(word)) {
			return true
		}
	}
	return false
}
