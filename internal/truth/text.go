package truth

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// ParseText reads what kfw stream says of a response as text: the page of one that has ended, or what
// is shown as it comes, in which only tables of records have a header.
func ParseText(out string, r *Response, forms *Forms) ([]Said, error) {
	p := textReader{forms: forms, of: r}
	before, page := cutPage(out)
	if before != "" || page == "" {
		p.begin(Said{Mode: "raw", IsRaw: true, First: 1, Offset: -1})
	}
	for line := range strings.Lines(before) {
		if own, ok := strings.CutPrefix(line, "kfw: "); ok {
			p.own(unmarked(strings.TrimSuffix(own, "\n")))
		} else {
			p.line(line)
		}
	}
	if page != "" {
		if len(p.all) > 1 {
			p.dropEmpty()
		}
		p.readPage(page)
	}
	return p.all, errors.Join(p.errs...)
}

// Parts of a text that lines belong to.
const (
	inRaw = iota
	inTable
	inFacts
	inAround
	inNothing
)

type textReader struct {
	forms   *Forms
	of      *Response
	all     []Said
	errs    []error
	in      int
	hasHead bool // of the table
	names   bool // the facts of lines have come: what follows are no fields
	last    *OfName
}

func (p *textReader) fail(format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf(format, args...))
}

func (p *textReader) see(group, name string) {
	if err := p.forms.see(group, name); err != nil {
		p.errs = append(p.errs, err)
	}
}

func (p *textReader) begin(s Said) *Said {
	p.all = append(p.all, s)
	return p.said()
}

func (p *textReader) said() *Said { return &p.all[len(p.all)-1] }

var (
	ofChunks = regexp.MustCompile(
		`^(?:chunk (\d+)|chunks (\d+) to (\d+)|all (\d+) chunks?|(the only chunk))(?: (?:is|are) not shown)?$`)
	aNotable  = regexp.MustCompile(`^chunk (\d+), (.*)$`)
	fromThere = regexp.MustCompile(`^not shown from chunk (\d+) on$`)
	theEnd    = regexp.MustCompile(`^end: (\d+) chunks?, (\d+) bytes?(.*)$`)
	leftOut   = regexp.MustCompile(
		`^(?:(.*?) left out(?:: [^;]*)?; )?(?:(\d+) cells? cut \(…\); )?all of it: kfw expand h\d+(?: --offset (\d+))?$`)
	aWarning  = regexp.MustCompile(`^line \d+, column \d+: broken JSON: `)
	anOmitted = regexp.MustCompile(`^(\d+) (rows?|columns?|blobs?|notable~?)$`)
)

func number(text string) int {
	n, _ := strconv.Atoi(text) // digits, or nothing for none
	return n
}

func rangeOf(text string) (first, last int, ok bool) {
	m := ofChunks.FindStringSubmatch(text)
	switch {
	case m == nil:
		return 0, 0, false
	case m[1] != "":
		return number(m[1]), number(m[1]), true
	case m[2] != "":
		return number(m[2]), number(m[3]), true
	case m[4] != "":
		return 1, number(m[4]), true
	}
	return 1, 1, true
}

// own reads a line of kfw.
func (p *textReader) own(line string) {
	s := p.said()
	is := func(form string) { p.see("kfw: ", form) }
	if what, ok := strings.CutPrefix(line, "table of "); ok {
		is("table of CHUNKS")
		first, last, ok := rangeOf(what)
		if !ok {
			p.fail("no chunks: %q", line)
		}
		p.begin(Said{Mode: "table", First: first, Last: last, HasTable: true, Offset: -1})
		p.in, p.hasHead = inTable, p.areLines(first, last)
		return
	}
	if what, ok := strings.CutPrefix(line, "summary of "); ok {
		is("summary of CHUNKS")
		first, last, ok := rangeOf(what)
		if !ok {
			p.fail("no chunks: %q", line)
		}
		p.begin(Said{Mode: "summary", First: first, Last: last, Summary: Summary{HasFacts: true}, Offset: -1})
		p.in, p.names, p.last = inFacts, false, nil
		return
	}
	if m := fromThere.FindStringSubmatch(line); m != nil {
		is("not shown from chunk N on")
		p.begin(Said{Mode: "handle_only", First: number(m[1]), Offset: -1})
		p.in = inNothing
		return
	}
	if first, last, ok := rangeOf(line); ok && strings.HasSuffix(line, "not shown") {
		is("CHUNKS are not shown")
		p.begin(Said{Mode: "handle_only", First: first, Last: last, Offset: -1})
		p.in = inNothing
		return
	}
	if what, ok := strings.CutPrefix(line, "rows are at "); ok && p.in == inTable {
		is("rows are at PATH")
		s.Table.path = what
		return
	}
	if what, ok := strings.CutPrefix(line, "around them: "); ok && p.in == inTable {
		is("around them")
		s.Table.around = assignments(what)
		return
	}
	if what, ok := strings.CutPrefix(line, "all rows below have "); ok && p.in == inTable {
		is("all rows below have")
		s.Table.same = assignments(what)
		return
	}
	if m := aNotable.FindStringSubmatch(line); m != nil {
		is("chunk N, WHY: DATA")
		p.notable(s, number(m[1]), m[2])
		p.in = inNothing
		return
	}
	if m := theEnd.FindStringSubmatch(line); m != nil {
		is("end")
		if s = p.dropEmpty(); s.Mode != "raw" && s.First > 0 && (s.First != 1 || s.Last != number(m[1])) {
			s = p.beginEnd()
		}
		s.IsFinal, s.HasTotals, s.Chunks, s.Bytes = true, true, number(m[1]), number(m[2])
		p.redactions(s, m[3])
		p.in = inNothing
		return
	}
	if m := leftOut.FindStringSubmatch(line); m != nil {
		is("all of it")
		if s.Mode == "raw" || s.Offset >= 0 { // it has its own command
			s = p.beginEnd()
		}
		for part := range strings.SplitSeq(m[1], ", ") {
			if o := anOmitted.FindStringSubmatch(part); o != nil {
				name := o[2]
				if name == "row" || name == "column" || name == "blob" {
					name += "s"
				}
				p.see("omitted ", name)
				s.Omitted = append(s.Omitted, Count{name, number(o[1])})
			} else if part != "" {
				p.fail("left out: %q", part)
			}
		}
		if m[2] != "" {
			p.see("omitted ", "cells")
			s.Omitted = append(s.Omitted, Count{"cells", number(m[2])})
		}
		s.Offset = number(m[3])
		if s.Last > 0 {
			p.begin(Said{Mode: "raw", IsRaw: true, First: s.Last + 1, Offset: -1})
			p.in = inRaw
		} else {
			p.in = inNothing
		}
		return
	}
	if n, ok := strings.CutPrefix(line, "exit status "); ok {
		is("exit status N")
		s.Failed = "driver_failed " + n
		return
	}
	if code, ok := p.notWhole(line); ok {
		s.Failed = code
		return
	}
	if aWarning.MatchString(line) {
		is("WARNING")
		s.Warnings = append(s.Warnings, line)
		return
	}
	p.fail("a line of an unknown form: %q", line)
}

// aFailure says that a response is not whole.
var aFailure = regexp.MustCompile(`^not whole: (\w+) \(exit (\d+)\)(?:: .*)?$`)

// notWhole reads why a response is not whole: the code and the exit status.
func (p *textReader) notWhole(text string) (code string, ok bool) {
	m := aFailure.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	p.see("kfw: ", "not whole")
	return m[1] + " " + m[2], true
}

// dropEmpty drops the last part if it is raw chunks that did not come, and returns the last one.
func (p *textReader) dropEmpty() *Said {
	if s := p.said(); s.Mode == "raw" && len(s.Raw) == 0 && len(p.all) > 1 {
		failed := s.Failed
		p.all = p.all[:len(p.all)-1]
		p.said().Failed = cmp.Or(p.said().Failed, failed)
	}
	return p.said()
}

// beginEnd begins the statements about the whole response, where no summary has begun them.
func (p *textReader) beginEnd() *Said {
	last := p.dropEmpty()
	failed := last.Failed
	last.Failed = ""
	return p.begin(Said{Mode: "handle_only", Failed: failed, Offset: -1})
}

func (p *textReader) redactions(s *Said, list string) {
	list, ok := strings.CutPrefix(list, ", redacted ")
	if !ok {
		return
	}
	for part := range strings.SplitSeq(list, ", ") {
		n, rule, _ := strings.Cut(part, " ")
		s.Redactions = append(s.Redactions, Count{rule, number(n)})
	}
}

// marked is a word with a backslash that tells it from one that a line of kfw's own begins with.
var marked = regexp.MustCompile(`(^|[\v\f\r\x{85}\x{2028}\x{2029}])\\(\\*kfw:)`)

// unmarked returns a line without the backslashes that it was not written with.
func unmarked(line string) string { return marked.ReplaceAllString(line, "$1$2") }

// line reads a line that is not of kfw alone.
func (p *textReader) line(line string) {
	s := p.said()
	text := strings.TrimSuffix(line, "\n")
	if p.in != inRaw {
		text = unmarked(text)
	}
	switch p.in {
	case inRaw:
		s.Raw = append(s.Raw, line)
	case inTable:
		if t := &s.Table; t.path == "" && len(t.rows) > s.Last-s.First { // it has ended
			p.in = inRaw
			p.begin(Said{Mode: "raw", IsRaw: true, First: s.Last + 1, Offset: -1, Raw: []string{line}})
		} else {
			p.row(s, text)
		}
	case inFacts, inAround:
		p.fact(s, text)
	default:
		p.fail("a line of no part: %q", text)
	}
}

// areLines reports whether no chunk of a range is a record, so that a table of them has no header.
func (p *textReader) areLines(first, last int) bool {
	for chunk := first; chunk <= last; chunk++ {
		if p.of.isRecord(chunk) {
			return false
		}
	}
	return true
}

func (p *textReader) row(s *Said, text string) {
	t := &s.Table
	if !p.hasHead {
		p.hasHead = true
		if !strings.HasPrefix(text, "{") {
			t.columns = strings.Split(text, "\t")
			return
		}
	}
	if !p.of.isRecord(s.First + len(t.rows)) {
		t.rows, t.whole = append(t.rows, nil), append(t.whole, quoted(text))
		return
	}
	if strings.HasPrefix(text, "{") && gjson.Valid(text) && !strings.Contains(text, "\t") {
		t.rows, t.whole = append(t.rows, nil), append(t.whole, text)
		return
	}
	var cells []string
	for cell := range strings.SplitSeq(text, "\t") {
		if cell != "" {
			cell = rawOfToken(cell)
		}
		cells = append(cells, cell)
	}
	t.rows, t.whole = append(t.rows, cells), append(t.whole, "")
}

// notable reads a chunk that stands out: why, and the data.
func (p *textReader) notable(s *Said, chunk int, rest string) {
	why, data, _ := strings.Cut(rest, ": ")
	if strings.HasPrefix(data, `"`) && gjson.Valid(data) {
		data = gjson.Parse(data).String()
	}
	p.see("why ", formOfWhy(why))
	s.Notables = append(s.Notables, Notable{Chunk: chunk, Why: why, Text: data})
}

var (
	aTemplate = regexp.MustCompile(`^(\d+)(~?) x (.*?)(?: \((\d+)~?(?: to (\d+))?\))?$`)
	ofLines   = "lines rows headers more_keys traces trace_lines hits commits files added removed levels start " +
		"more_templates more_lines from to from~ to~"
	ofRecords = "records at more_fields more_fields~"
)

// constantMembers are members of an object, each with the one value that it has.
var constantMembers = regexp.MustCompile(`^(\S+|"(?:[^"\\]|\\.)*")\.\{(.+: .+)\}$`)

// fact reads a line of facts.
func (p *textReader) fact(s *Said, text string) {
	if text == "around them:" {
		p.see("fact ", "around")
		p.in = inAround
		return
	}
	if m := aTemplate.FindStringSubmatch(text); m != nil {
		t := Template{N: number(m[1]), IsEstimate: m[2] == "~", Line: m[3], First: number(m[4]), Last: number(m[5])}
		if t.Last == 0 {
			t.Last = t.First
		}
		if strings.HasPrefix(t.Line, `"`) && gjson.Valid(t.Line) {
			t.Line = gjson.Parse(t.Line).String()
		}
		if p.last != nil && t.First == 0 && len(s.Templates) == 0 && p.last.mayHaveTemplates() {
			p.see("field ", "forms")
			p.last.Forms = append(p.last.Forms, t)
			return
		}
		p.see("fact ", "templates")
		p.names = true
		s.Templates = append(s.Templates, t)
		return
	}
	if m := constantMembers.FindStringSubmatch(text); m != nil {
		for _, item := range items(m[2]) {
			name, value, _ := cutName(item)
			p.named(s, plain(m[1])+"."+plain(name), text, "const "+value)
		}
		return
	}
	name, value, found := cutName(text)
	if !found {
		p.fail("no fact: %q", text)
		return
	}
	isListed := func(names string) bool { return strings.Contains(" "+names+" ", " "+name+" ") }
	switch {
	case name == "other_fields", name == "other_around":
		p.see("fact ", name)
		if name == "other_fields" {
			s.OtherFields = names(value)
		} else {
			s.OtherAround = names(value)
		}
		p.last = nil
	case name == "levels":
		p.see("fact ", name)
		f := Fact{Name: name}
		for _, item := range items(value) {
			if value, n, ok := cutCount(item); ok {
				f.Counts = append(f.Counts, Count{quoted(plain(value)), n})
			} else {
				p.fail("no count: %q", text)
			}
		}
		s.Facts = append(s.Facts, f)
	case name == "verdicts" && s.Mode != "raw" && strings.Contains(value, " x "):
		p.see("fact ", name)
		f := Fact{Name: name}
		value = strings.ReplaceAll(strings.TrimPrefix(value, "indented: "), "; indented: ", ", ")
		for item := range strings.SplitSeq(value, ", ") {
			n, word, _ := strings.Cut(item, " x ")
			f.Counts = append(f.Counts, Count{quoted(word), number(n)})
		}
		s.Facts = append(s.Facts, f)
	case name == "at" && (s.Page == nil && len(s.Facts) != 1 || strings.Contains(value, " ")): // a field of that name
		p.named(s, name, text, value)
	// a label of that name
	case strings.Contains(" hits commits files added removed ", " "+name+" ") && !isDigit(value[0]):
		p.named(s, name, text, value)
	case isListed(ofLines) || isListed(ofRecords):
		p.see("fact ", name)
		s.Facts = append(s.Facts, Fact{Name: name, Value: rawOfToken(value)})
		if name == "lines" {
			p.in = inFacts
		}
		p.last = nil
	default:
		p.named(s, name, text, value)
	}
}

// named reads what is said of a field, a key or a label.
func (p *textReader) named(s *Said, name, text, value string) {
	of := OfName{Name: plain(name), Facts: p.factsOf("field ", text, value)}
	if p.in == inAround {
		s.Around = append(s.Around, of)
		p.last = &s.Around[len(s.Around)-1]
		return
	}
	s.Unclear = append(s.Unclear, of)
	p.last = &s.Unclear[len(s.Unclear)-1]
}

// mayHaveTemplates reports whether a field is told by the forms of its texts.
func (o *OfName) mayHaveTemplates() bool {
	for _, f := range o.Facts {
		switch strings.TrimSuffix(f.Name, "~") {
		case "const", "values", "top", "min", "from", "folders":
			return false
		}
	}
	return true
}

// factNames are the names of what may be said of a field.
var factNames = strings.Fields(
	"const const~ top top~ values~ more_values numerals blobs distinct distinct~ unit min min~ max max~ mean mean~ sum sum~ " +
		"from to more_forms more_texts folders~ example len in in~ n n~ types nulls keys keys~ other_keys other_keys~ redacted records")

// factsOf reads what is said of one field, key or label.
func (p *textReader) factsOf(group, text, value string) (facts []Fact) {
	var open *Fact // counts may follow
	for _, item := range items(value) {
		name, rest, _ := strings.Cut(item, " ")
		isNamed := rest != "" && strings.Contains(" "+strings.Join(factNames, " ")+" ", " "+name+" ")
		if value, n, ok := cutCount(item); ok && !isNamed {
			if open == nil {
				p.see(group, "values")
				facts = append(facts, Fact{Name: "values"})
				open = &facts[len(facts)-1]
			}
			open.Counts = append(open.Counts, Count{rawOfToken(value), n})
			continue
		}
		if !isNamed {
			p.fail("no fact %q in %q", item, text)
			return facts
		}
		p.see(group, name)
		f := Fact{Name: name, Value: rawOfToken(rest)}
		open = nil
		switch strings.TrimSuffix(name, "~") {
		case "top", "values", "folders", "types":
			if value, n, ok := cutCount(rest); ok {
				f.Value, f.Counts = "", []Count{{rawOfToken(value), n}}
			} else {
				p.fail("no count %q in %q", item, text)
			}
			facts = append(facts, f)
			open = &facts[len(facts)-1]
			continue
		}
		facts = append(facts, f)
	}
	return facts
}

// cutName cuts a line of facts after its name, which is in quotes if it could be taken for more.
func cutName(text string) (name, rest string, found bool) {
	if end := endOfQuotes(text); end > 0 && strings.HasPrefix(text[end:], ": ") {
		return text[:end], text[end+len(": "):], true
	}
	return strings.Cut(text, ": ")
}

// cutCount cuts a value and how often it came.
func cutCount(item string) (value string, n int, ok bool) {
	at := strings.LastIndex(item, ": ")
	if at < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(item[at+len(": "):])
	return item[:at], n, err == nil
}

// plain returns a text without the quotes that it has if it reads like a list.
func plain(token string) string {
	if strings.HasPrefix(token, `"`) && gjson.Valid(token) {
		return gjson.Parse(token).String()
	}
	return token
}

// endOfQuotes returns where the JSON string ends that a text begins with, 0 if there is none.
func endOfQuotes(text string) int {
	if !strings.HasPrefix(text, `"`) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// items cuts a list at its commas, except those in quotes or brackets.
func items(list string) (all []string) {
	start, depth := 0, 0
	for i := 0; i < len(list); i++ {
		begins := i == start || list[i-1] == ' ' || list[i-1] == '=' || depth > 0
		switch c := list[i]; {
		case c == '"' && begins:
			if end := endOfQuotes(list[i:]); end > 0 {
				i += end - 1
			}
		case (c == '[' || c == '{') && begins:
			if depth > 0 || isJSONAt(list[i:]) {
				depth++
			}
		case (c == ']' || c == '}') && depth > 0:
			depth--
		case c == ',' && depth == 0 && strings.HasPrefix(list[i:], ", "):
			all = append(all, list[start:i])
			start = i + len(", ")
			i = start - 1
		}
	}
	return append(all, list[start:])
}

// isJSONAt reports whether a text begins with an object or an array.
func isJSONAt(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if end := endOfQuotes(text[i:]); end > 0 {
				i += end - 1
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return gjson.Valid(text[:i+1])
			}
		}
	}
	return false
}

// names reads a list of paths; those with braces stay whole.
func names(list string) (all []string) {
	depth, start := 0, 0
	for i := range len(list) {
		switch {
		case list[i] == '{':
			depth++
		case list[i] == '}':
			depth--
		case depth == 0 && strings.HasPrefix(list[i:], ", "):
			all = append(all, plain(list[start:i]))
			start = i + len(", ")
		}
	}
	return append(all, plain(list[start:]))
}

// assignments reads name=value, ...
func assignments(list string) (facts []Fact) {
	for _, item := range items(list) {
		name, value, found := strings.Cut(item, "=")
		if !found {
			return nil
		}
		facts = append(facts, Fact{Name: plain(name), Value: rawOfToken(value)})
	}
	return facts
}
