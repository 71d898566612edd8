package outline

import "bytes"

// rst is reStructuredText: headings are underlined with signs, whose order of appearance is that of levels, and
// directives begin with "..".
type rst struct {
	list
	unsettled
	section
	signs      [8]byte // of levels, in their order
	levels     int
	before     line
	buffer     []byte
	wasBlank   bool
	isOver     bool // the line before is a rule over a heading
	headings   int
	overlined  int
	directives int
	prose      int
}

func newRST() *rst { return &rst{wasBlank: true} }

func (r *rst) name() Shape    { return Document }
func (r *rst) outline() *list { return &r.list }

func (r *rst) totals(to []Total) []Total { return to }

func (r *rst) reset() {
	r.list.reset()
	*r = rst{list: r.list, buffer: r.buffer, wasBlank: true}
}

func (r *rst) isSure(lines int) bool {
	return r.headings >= 2 && r.directives+r.overlined >= 1 && 4*(r.directives+r.prose+r.headings) >= lines
}

// signsOfRST are those that docutils has for headings, except the bars of tables.
const signsOfRST = "=-`:'\"~^_*#<>."

func (r *rst) add(l *line) {
	if l.isBlank() {
		r.wasBlank, r.before.text, r.isOver = true, nil, false
		return
	}
	wasBlank, isOver := r.wasBlank, r.isOver
	r.wasBlank, r.isOver = false, false
	if l.indent == 0 && isRuleOf(l.body, signsOfRST) {
		if r.before.text == nil {
			r.isOver = wasBlank && (l.number > 1 || l.body[0] != '-') // which would open what stands before a document
			return
		}
		if len(l.body) >= len(r.before.text) {
			r.heading(l.body[0])
		}
		r.before.text = nil
		return
	}
	r.before.text = nil
	if (wasBlank || isOver) && len(l.text) <= maxText {
		r.buffer = append(r.buffer[:0], l.body...)
		r.before = line{number: l.number, text: r.buffer}
	}
	if isOver {
		r.overlined++
	}
	if bytes.HasPrefix(l.body, []byte(".. ")) || bytes.Contains(l.body, []byte(":`")) ||
		bytes.Contains(l.body, []byte("`_")) {
		r.directives++
	} else if isProse(l.body) {
		r.prose++
	}
	if r.headings > 0 {
		r.addText(l, wasBlank)
	}
}

// heading takes the line before as a heading that is underlined with a sign.
func (r *rst) heading(sign byte) {
	level := bytes.IndexByte(r.signs[:r.levels], sign) + 1
	if level == 0 {
		if r.levels < len(r.signs) {
			r.signs[r.levels] = sign
			r.levels++
		}
		level = r.levels
	}
	r.headings++
	r.list.add(r.before.number, r.before.text, tellsOfHeading(level))
	r.section = section{level: level}
}

func (r *rst) addText(l *line, wasBlank bool) {
	isDirective := bytes.HasPrefix(l.body, []byte(".. "))
	switch {
	case isDirective && bytes.Contains(l.body, []byte("::")):
		name := l.body[len(".. "):]
		tells := tellsLink
		if isCallout(name) {
			tells = tellsCallout
		} else if bytes.Contains(l.body, []byte("(")) || bytes.HasPrefix(name, []byte("py:")) {
			tells = tellsOption // what is documented: a function, a class
		}
		r.list.add(l.number, l.body, r.section.tells(tells, l.body))
	case isDirective:
	case !r.begun && wasBlank && isProse(l.body):
		r.begun = true
		r.list.add(l.number, l.body, r.section.tells(tellsSentence, l.body))
	case hasSetting(l.body), bytes.HasPrefix(l.body, []byte("$ ")):
		r.list.add(l.number, l.body, r.section.tells(tellsCommand, l.body))
	}
}
