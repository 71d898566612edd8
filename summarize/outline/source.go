package outline

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// What declarations tell: each on the scale of package worth.
const (
	tellsType     = 2.6
	tellsFunction = 1.3
	tellsValue    = 0.6
	tellsImport   = 0.3
	tellsPackage  = 1.2
	tellsDoc      = 0.22 // the first line of the comment of a declaration
	tellsFirstDoc = 1.0  // and that of the file
	tellsToDo     = 0.4
	shareOfOwn    = 0.6 // of a name that the language or its custom hides from others, or calls by itself
	shareOfOpen   = 0.6 // of a line that has only the beginning of the declaration
	shareOfInner  = 0.4 // of what is declared in a function
	tellsUpTo     = 8   // columns of a declaration that is in none, or in a type
)

// source is the text of a program, in one of the languages of the table.
type source struct {
	languages [len(languages)]reader
	only      *reader // of the language, once that is settled
	fences    int     // lines that only a document has
}

// reader reads lines as those of a language.
type reader struct {
	of *language
	list
	declared int // lines that declare
	imports  int
	code     int // lines that look like code
	comment  line
	buffer   []byte // of comment
	inBlock  bool   // in a comment of several lines
	wasBlank bool
	awaits   float64 // what the text tells that may follow a declaration, as its documentation
	hasDoc   bool    // of the file
	lines    int     // that are not blank
	begun    int     // of the first of these, those that are code
}

func newSource() *source {
	s := new(source)
	s.reset()
	return s
}

func (s *source) name() Shape    { return Source }
func (s *source) outline() *list { return &s.leading().list }

func (s *source) totals(to []Total) []Total { return to }

func (s *source) reset() {
	s.fences, s.only = 0, nil
	for i := range s.languages {
		r := &s.languages[i]
		r.list.reset()
		*r = reader{of: &languages[i], list: r.list, buffer: r.buffer, wasBlank: true}
	}
}

// leading returns the language that most lines declare something in.
func (s *source) leading() *reader {
	if s.only != nil {
		return s.only
	}
	best := &s.languages[0]
	for i := range s.languages {
		if r := &s.languages[i]; r.marks() > best.marks() {
			best = r
		}
	}
	return best
}

func (r *reader) marks() int { return r.declared + r.imports }

const (
	leastDeclared = 4  // lines that declare something, if nothing is imported
	linesOfMark   = 80 // lines for each that declares, at most
	firstLines    = 4  // that are not blank: half of them are code
)

func (s *source) isSure(lines int) bool {
	r := s.leading()
	isEnough := r.declared >= leastDeclared || r.declared >= 2 && r.imports >= 1
	return s.fences < 2 && isEnough && 2*r.begun >= firstLines && r.marks()*linesOfMark >= lines && 10*r.code >= 7*lines
}

func (s *source) settle() { s.only = s.leading() }

func (s *source) add(l *line) {
	if s.only != nil {
		s.only.add(l)
		return
	}
	if bytes.HasPrefix(l.text, []byte("```")) {
		s.fences++
	}
	for i := range s.languages {
		s.languages[i].add(l)
	}
}

func (r *reader) add(l *line) {
	if l.isBlank() {
		r.wasBlank = true
		if !r.inBlock {
			r.comment.text = nil
		}
		return
	}
	wasBlank := r.wasBlank
	r.wasBlank = false
	before := r.code
	r.take(l, wasBlank)
	if r.lines++; r.lines <= firstLines {
		r.begun += r.code - before
	}
}

// take takes in a line that is not blank.
func (r *reader) take(l *line, wasBlank bool) {
	if r.isComment(l, wasBlank) {
		r.code++
		return
	}
	if r.awaits > 0 && r.of.docAfter != "" && isDocAfter(l.body) {
		r.list.add(l.number, l.text, r.awaits)
	}
	r.awaits = 0
	endsAsCode := strings.IndexByte(r.of.ends, l.body[len(l.body)-1]) >= 0
	isText := !endsAsCode && isProse(l.body) // which may begin with a word that declares
	tells, isImport := 0., false
	if !isText {
		tells, isImport = r.of.declares(l)
	}
	switch {
	case isImport:
		r.imports++
		r.code++
	case tells > 0:
		r.declared++
		r.code++
	case endsAsCode || l.indent > 0 && !isText:
		r.code++
	}
	if tells > 0 {
		if r.comment.text != nil && !isImport {
			r.list.add(r.comment.number, r.comment.text, tells*tellsDoc)
		}
		r.list.add(l.number, withoutBrace(l.text), tells)
		if !isImport {
			r.awaits = tells * tellsDoc
		}
	}
	r.comment.text = nil
}

// isComment takes in a line of a comment, and reports whether it is one.
func (r *reader) isComment(l *line, wasBlank bool) bool {
	isOne := r.inBlock
	if !isOne {
		for _, c := range r.of.comments {
			isOne = isOne || len(l.body) >= len(c) && string(l.body[:len(c)]) == c
		}
		if isOne && bytes.HasPrefix(l.body, []byte("/*")) {
			r.inBlock = true
		}
	}
	if r.of.docAfter != "" && isDocAfter(l.body) && !r.hasDoc && r.declared == 0 {
		r.hasDoc = true
		r.list.add(l.number, l.body, tellsFirstDoc)
	}
	if !isOne {
		return false
	}
	if r.inBlock && bytes.Contains(l.body, []byte("*/")) {
		r.inBlock = false
	}
	if (wasBlank || r.comment.text == nil) && isProse(l.body) {
		r.buffer = append(r.buffer[:0], l.text[:min(len(l.text), maxText)]...)
		r.comment = line{number: l.number, text: r.buffer}
		if !r.hasDoc && r.declared == 0 {
			r.hasDoc = true
			r.list.add(l.number, l.text, tellsFirstDoc)
		}
	}
	if hasFlag(l.body) {
		r.list.add(l.number, l.body, tellsToDo)
	}
	return true
}

// isDocAfter reports whether a line begins a text of several lines, which under a declaration documents it.
func isDocAfter(body []byte) bool {
	for len(body) > 0 && (body[0] == 'r' || body[0] == 'u' || body[0] == 'b') {
		body = body[1:]
	}
	return len(body) > 3 && (string(body[:3]) == `"""` || string(body[:3]) == "'''")
}

// withoutBrace returns a declaration without the brace that opens its body.
func withoutBrace(text []byte) []byte {
	if n := len(text); n > 2 && text[n-1] == '{' && text[n-2] == ' ' {
		return text[:n-2]
	}
	return text
}

// declares returns what a line tells if it declares something, else 0, and whether it brings in others.
func (g *language) declares(l *line) (tells float64, isImport bool) {
	rest := l.body
	if !g.begins[rest[0]] {
		if g.callsDeclare(l, rest, false) {
			return g.weighed(tellsFunction, rest, l), false
		}
		return 0, false
	}
	if l.indent == 0 || g.importsWithin {
		for _, word := range g.imports {
			if startsWith(rest, word) {
				return tellsImport, true
			}
		}
	}
	modified := false
	for again := true; again; {
		again = false
		for _, m := range g.modifiers {
			if startsWith(rest, m) && len(rest) > len(m) && !g.isDeclaredBy(rest[len(m):], m) {
				rest = ascii.TrimBlanks(rest[len(m):])
				modified, again = true, true
			}
		}
		if modified && len(rest) > 0 && rest[0] == '(' && g.visibility { // pub(crate)
			if end := bytes.IndexByte(rest, ')'); end > 0 {
				rest, again = ascii.TrimBlanks(rest[end+1:]), true
			}
		}
	}
	for i := range g.heads {
		h := &g.heads[i]
		if !startsWith(rest, h.word) || h.onlyAtStart && l.indent > 0 {
			continue
		}
		after := ascii.TrimBlanks(rest[len(h.word):])
		last := l.body[len(l.body)-1]
		isParameter := (last == ')' || last == ',') && bytes.IndexByte(rest, '(') < 0 // of the type that the word names
		if !mayBeNamed(after, h.opens) || isParameter {
			continue
		}
		return g.weighed(h.tells, after, l), false
	}
	if g.callsDeclare(l, rest, modified) {
		return g.weighed(tellsFunction, rest, l), false
	}
	return 0, false
}

// isDeclaredBy reports whether a modifier is the word that declares: "const X" in Rust, while "const fn" is a function.
func (g *language) isDeclaredBy(after []byte, word string) bool {
	for i := range g.heads {
		if g.heads[i].word != word {
			continue
		}
		after = ascii.TrimBlanks(after)
		for j := range g.heads {
			if j != i && startsWith(after, g.heads[j].word) {
				return false
			}
		}
		return true
	}
	return false
}

// weighed is what a declaration tells where it stands.
func (g *language) weighed(tells float64, name []byte, l *line) float64 {
	switch {
	case l.indent > tellsUpTo:
		tells *= shareOfInner
	case g.isOwn != nil && g.isOwn(name):
		tells *= shareOfOwn
	}
	if last := l.body[len(l.body)-1]; last == '(' || last == ',' {
		tells *= shareOfOpen
	}
	return tells
}

// startsWith reports whether a text begins with a word, and not with one that goes on.
func startsWith(text []byte, word string) bool {
	if len(text) < len(word) || text[0] != word[0] || string(text[:len(word)]) != word {
		return false
	}
	return len(text) == len(word) || !isNameByte(word[len(word)-1]) || !isNameByte(text[len(word)])
}

func isNameByte(c byte) bool { return ascii.IsAlphanumeric(c) || c == '_' || c == '$' || c >= 0x80 }

// mayBeNamed reports whether what follows the word that declares begins with a name, or with one of these bytes.
func mayBeNamed(after []byte, opens string) bool {
	if len(after) == 0 {
		return false
	}
	return opens != onlyCalls && isNameByte(after[0]) && !ascii.IsDigit(after[0]) ||
		strings.IndexByte(opens, after[0]) >= 0
}

// style is how a language declares a function without a word for it.
type style uint8

const (
	byWord   style = iota
	atStart        // type name(...), at the start of a line, as C
	inType         // type name(...) {, indented, as Java
	asMethod       // name(...) {, indented, as JavaScript
	asShell        // name() {, at the start of a line
)

// isControl are words before a parenthesis that declare nothing.
var isControl = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "catch": true, "return": true, "else": true, "do": true,
	"try": true, "throw": true, "new": true, "case": true, "using": true, "lock": true, "synchronized": true,
	"foreach": true, "with": true, "function": true, "await": true, "yield": true, "typeof": true, "delete": true,
	"assert": true, "goto": true, "elif": true, "sizeof": true, "super": true, "this": true,
}

// callsDeclare reports whether a line declares a function by its form alone: names and types, then the parameters, and
// what opens the body or goes on with them.
func (g *language) callsDeclare(l *line, rest []byte, modified bool) bool {
	isLeft := g.style == atStart || g.style == asShell
	if g.style == byWord || isLeft && l.indent > 0 || l.indent > tellsUpTo ||
		g.style == asMethod && l.indent == 0 {
		return false
	}
	last := l.body[len(l.body)-1]
	if last != '{' && last != ')' && last != ',' && last != ';' {
		return false
	}
	open := bytes.IndexByte(rest, '(')
	if g.style == asShell && !bytes.HasPrefix(rest[max(0, open):], []byte("()")) {
		return false
	}
	if open <= 0 || !(last == '{' || g.style == atStart && (last == ')' || last == ',' || modified && last == ';') ||
		g.style == inType && modified && (last == ')' || last == ',' || last == ';')) {
		return false
	}
	words, at := 0, 0
	for at < open {
		c := rest[at]
		switch {
		case isNameByte(c) || c == '~' || c == '#':
			end := at
			for end < open && (isNameByte(rest[end]) || strings.IndexByte(":.~#", rest[end]) >= 0) {
				end++
			}
			if isControl[ascii.LentString(rest[at:end])] {
				return false
			}
			words++
			at = end
		case c == ' ', c == '*', c == '&', c == '<', c == '>', c == '[', c == ']', c == ',', c == '?', c == '@':
			at++
		default:
			return false // an expression
		}
	}
	before := open - 1
	if rest[before] == ' ' && before > 0 && g.style == atStart && modified { // as GNU writes it
		before--
	}
	if !isNameByte(rest[before]) && rest[before] != '>' {
		return false
	}
	switch g.style {
	case asMethod, asShell:
		return words == 1
	case inType:
		return words >= 2 || modified && words == 1 // a constructor
	}
	return words >= 2
}
