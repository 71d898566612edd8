package truth

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// page judges the excerpt of a response: each line is the one of its number, once and in order, and
// with the gaps they are all lines. Where a line stands follows from those before it, so that one
// that brings its own number is judged as well.
func (j *judge) page(s *Said) {
	p := s.Page
	if want := humanize.Bytes(uint64(len(j.Input))); p.Size != want {
		j.says("%s, of %s", p.Size, want)
	}
	if want := j.noun(); p.Noun != want {
		j.says("units are %ss, not %ss", p.Noun, want)
	}
	shown := j.excerpt(p)
	if p.From == 0 {
		return
	}
	for unit := p.From; unit <= p.To; unit++ {
		if unit > len(j.Chunks) || shown[unit] {
			j.says("lines %d to %d are named as left out, and %d is shown or is none", p.From, p.To, unit)
			return
		}
	}
}

// excerpt judges the lines of an excerpt, and returns which units they show.
func (j *judge) excerpt(p *Page) (shown map[int]bool) {
	shown = map[int]bool{}
	last, done := 0, 0 // the unit that was shown last, how many are accounted for
	var pieces []string
	end := func() {
		if len(pieces) > 0 {
			pieces[len(pieces)-1] = j.noted(last, pieces[len(pieces)-1])
		}
		if len(pieces) > 0 && !j.areOf(pieces, last) {
			j.says("%d: %q is not that of %q", last, pieces, j.shown(last))
		}
		pieces = nil
	}
	for i, line := range p.Lines {
		isLast := i == len(p.Lines)-1
		switch {
		case line.Gap > 0:
			end()
			if line.Text != "" {
				j.filled(line, done+1)
			}
			done += line.Gap
			if p.Noun == "record" && !isLast {
				j.says("a gap of %d records before others", line.Gap)
			}
			continue
		case line.Unit == last && last > 0 && len(pieces) > 0:
			pieces = append(pieces, line.Text)
			continue
		}
		end()
		unit := line.Unit
		if unit == 0 {
			unit = done + 1
			if !j.bringsNumber(unit) {
				j.says("%q has no number, and brings none", line.Text)
			}
		}
		isInOrder := unit > last && (unit == done+1 || p.Noun == "record")
		if !isInOrder || unit > len(j.Chunks) {
			j.says("%d: %q stands where %d would", unit, line.Text, done+1)
			return shown
		}
		last, done = unit, done+1
		shown[unit] = true
		pieces = append(pieces, line.Text)
	}
	end()
	if done != len(j.Chunks) {
		j.says("%d %ss are shown or left out, of %d", done, p.Noun, len(j.Chunks))
	}
	return shown
}

// areOf reports whether pieces are of a unit, one after the other. A frame has them as one text.
func (j *judge) areOf(pieces []string, unit int) bool {
	return j.arePiecesOf(pieces, unit) || !j.isText && j.arePiecesOf(cutPieces(pieces), unit)
}

// cutPieces returns texts with a text for each piece in them.
func cutPieces(texts []string) (pieces []string) {
	for _, text := range texts {
		for {
			_, after, isCut := strings.Cut(strings.TrimPrefix(text, "…"), "…")
			if !isCut || after == "" {
				pieces = append(pieces, text)
				break
			}
			pieces = append(pieces, text[:len(text)-len(after)])
			text = "…" + after
		}
	}
	return pieces
}

func (j *judge) arePiecesOf(pieces []string, unit int) bool {
	if !j.isRecord(unit) {
		return arePieces(pieces, j.shown(unit))
	}
	text := compact(j.Chunks[unit-1])
	if j.Paths != nil {
		text = j.Paths[unit-1] + ": " + text
	}
	if arePieces(pieces, escaped.Replace(text)) {
		return true
	}
	isOf := func(view View, piece string) bool {
		return slices.ContainsFunc(view, func(r Record) bool { return r.hasAll(unescaped.Replace(piece)) })
	}
	if len(pieces) == 1 {
		return isOf(j.recordsOf(unit), pieces[0])
	}
	rest := slices.Clone(pieces) // a document has pieces of its own, and records in it
	rest = slices.DeleteFunc(rest, func(piece string) bool { return len(j.Chunks) == 1 && isOf(j.Inner, piece) })
	return len(rest) < len(pieces) && arePieces(rest, escaped.Replace(text))
}

// note matches what kfw adds to a line of a diff or a search: the kind of the file, and a count.
var note = regexp.MustCompile(`  ‹(?:(new|deleted|renamed|binary)(?:, )?)?(?:\+(\d+) -(\d+))?` +
	`(?:(\d+) hits?)?(?:(~?)(\d+)(?: lines)?)?›$`)

// noted judges the note of a line, and returns the line without it.
func (j *judge) noted(unit int, text string) string {
	m := note.FindStringSubmatch(text)
	if m == nil || strings.HasSuffix(j.Chunks[unit-1], m[0]) {
		return text
	}
	if m[6] != "" { // the declarations of shapes have indented bodies
		j.length(unit, number(m[6]))
		return strings.TrimSuffix(text, m[0])
	}
	of := j.Outlined[unit]
	for i, name := range []string{2: "added", 3: "removed", 4: "hits"} {
		if i > 1 && number(m[i]) != of.Counts[name] || i == 1 && m[i] != of.Is {
			j.says("%d: %q: it is %q, %v", unit, text, of.Is, of.Counts)
			break
		}
	}
	return strings.TrimSuffix(text, m[0])
}

// length judges how many lines a declaration is said to have: those that are further in, and maybe one that closes it.
func (j *judge) length(unit, said int) {
	body := func(line string) string { return strings.TrimPrefix(line, ownMark.FindString(line)) }
	depth := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	from, last := depth(body(j.shown(unit))), unit
	for n := unit + 1; n <= len(j.Chunks); n++ {
		line := body(j.shown(n))
		if strings.TrimSpace(line) == "" {
			continue
		}
		if depth(line) <= from {
			if strings.HasPrefix(strings.TrimSpace(line), "}") {
				last = n
			}
			break
		}
		last = n
	}
	if last-unit+1 != said {
		j.says("%d: %d lines are said to be in it, and %d are", unit, said, last-unit+1)
	}
}

// arePieces reports whether texts are pieces of a line, one after the other. A piece that is not the
// beginning has an ellipsis before it, one that is not the end one after it.
func arePieces(pieces []string, line string) bool {
	if len(pieces) == 1 && pieces[0] == line {
		return true
	}
	at := 0
	for _, piece := range pieces {
		from := placeOf(piece, line, at)
		if from < 0 {
			return false
		}
		at = from + len(strings.Trim(piece, "…"))
	}
	return true
}

// placeOf returns where a piece of a line begins, at or after a place; -1 if it is none.
func placeOf(piece, line string, after int) int {
	text, isLater := strings.CutPrefix(piece, "…")
	text, isCut := strings.CutSuffix(text, "…")
	for at := after; at+len(text) <= len(line); at++ {
		next := strings.Index(line[at:], text)
		if next < 0 {
			return -1
		}
		at += next
		if isLater == (at > 0) && isCut == (at+len(text) < len(line)) && text != "" {
			return at
		}
	}
	return -1
}

// aRendered is a value of a line that tells a record: its path and the value, a JSON string or one word.
var aRendered = regexp.MustCompile(`^([^ =]+)=("(?:[^"\\\\]|\\\\.)*"?|[^ ]*)(?: |$)`)

// anIndex is that of an element of an array.
var anIndex = regexp.MustCompile(`\[\d+\]`)

// hasAll reports whether a record has every value of a line that tells it, path=value, with the path that they are all
// under before them; the last one may be cut.
func (r *Record) hasAll(told string) bool {
	told = strings.TrimSuffix(told, "…")
	under := ""
	if at, rest, ok := strings.Cut(told, ": "); ok && !strings.ContainsAny(at, " =\"") {
		under, told = at+".", rest
	}
	n := 0
	for rest := told; rest != ""; n++ {
		m := aRendered.FindStringSubmatch(rest)
		if m == nil {
			return n > 0 && !strings.Contains(rest, " ") // the name of a value that is cut
		}
		if rest = rest[len(m[0]):]; !r.says(anIndex.ReplaceAllString(under+m[1], "[]"), m[2], rest == "") {
			return false
		}
	}
	return n > 0
}

// says reports whether a record has a value at a path, or one that begins so, if it may be cut.
func (r *Record) says(path, value string, mayBeCut bool) bool {
	raw := value
	if !strings.HasPrefix(value, `"`) {
		raw = rawOfToken(value)
	}
	return slices.ContainsFunc(r.Values, func(v Value) bool {
		return (v.Path == path || strings.HasSuffix(path, "."+v.Path)) &&
			(isValue(raw, v.Raw) || mayBeCut && strings.Contains(v.Raw, strings.TrimSuffix(strings.Trim(value, `"`), `\`)))
	})
}

// filled judges the templates that are said to fill a gap from a unit on: each has a line there, and
// together they have half of them or more.
func (j *judge) filled(gap PageLine, from int) {
	lines := make([]string, 0, gap.Gap)
	for unit := from; unit < from+gap.Gap && unit <= len(j.Chunks); unit++ {
		lines = append(lines, j.shown(unit))
	}
	count := func(template string) (n int) {
		e := ofGap(template)
		for _, line := range lines {
			if e.MatchString(strings.TrimSpace(line)) ||
				e.MatchString(strings.TrimSpace(strings.TrimPrefix(line, ownMark.FindString(line)))) {
				n++
			}
		}
		return n
	}
	if 2*count(gap.Text) >= len(lines) {
		return
	}
	for at := range gap.Text { // a template may have a comma of its own
		if !strings.HasPrefix(gap.Text[at:], ", ") {
			continue
		}
		a, b := count(gap.Text[:at]), count(gap.Text[at+len(", "):])
		if a > 0 && b > 0 && 2*(a+b) >= len(lines) {
			return
		}
	}
	j.says("%d lines from %d on are not of %q", gap.Gap, from, gap.Text)
}

// cutInName is a variable at the end of a template that was cut within its name.
var cutInName = regexp.MustCompile(`<[a-z]*$`)

// ofGap returns the expression of a template in a gap.
func ofGap(template string) *regexp.Regexp {
	text, isCut := strings.CutSuffix(template, "…")
	if isCut {
		text = cutInName.ReplaceAllString(text, "")
	}
	text = regexp.QuoteMeta(text)
	text = strings.ReplaceAll(text, "<num>", `\d(?:[.:,T-]?\d)*`)
	text = strings.ReplaceAll(text, "<hex>", `[0-9a-f]{6,}`)
	if !isCut {
		text += "$"
	}
	return regexp.MustCompile("^" + text)
}

var (
	escapes = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\))")
	escaped = strings.NewReplacer("\r", `\r`, "\v", `\v`, "\f", `\f`, "\u0085", `\u0085`, "\u2028", `\u2028`,
		"\u2029", `\u2029`)
	unescaped = strings.NewReplacer(`\v`, "\v", `\f`, "\f", `\u0085`, "\u0085", `\u2028`, "\u2028", `\u2029`, "\u2029")
)

// shown returns a line as a page shows it: what a terminal shows of it, on one line.
func (j *judge) shown(unit int) string {
	line := strings.TrimRight(j.Chunks[unit-1], "\r")
	line = line[strings.LastIndexByte(line, '\r')+1:]
	return escaped.Replace(escapes.ReplaceAllString(line, ""))
}

// text returns a chunk without codes for colours, as facts see it.
func (j *judge) text(chunk int) string { return escapes.ReplaceAllString(j.Chunks[chunk-1], "") }

// bringsNumber reports whether a unit brings its own number, and whether most lines do.
func (j *judge) bringsNumber(unit int) bool {
	n := 0
	for i := range j.Chunks {
		if ownMark.MatchString(j.shown(i + 1)) {
			n++
		}
	}
	return unit <= len(j.Chunks) && ownMark.MatchString(j.shown(unit)) && 2*n > len(j.Chunks)
}

// isRecord reports whether a chunk is a JSON value, and no line.
func (r *Response) isRecord(chunk int) bool { return !r.IsLines && !r.Texts[chunk] }

// noun returns what a page calls the chunks.
func (r *Response) noun() string {
	switch {
	case !r.IsLines && len(r.Texts) == 0:
		return "record"
	case r.IsUneven:
		return "chunk"
	}
	return "line"
}

// recordsOf returns the records that a chunk is, or has in it.
func (j *judge) recordsOf(chunk int) (of []Record) {
	for _, view := range []View{j.Records, j.Inner, j.Rows, j.Keys} {
		of = append(of, view.in(chunk, chunk)...)
	}
	return of
}

// warning judges a warning about a broken line.
func (j *judge) warning(text string) {
	at, found := strings.CutPrefix(text, "line ")
	at, _, isPlace := strings.Cut(at, ", column ")
	if n, err := strconv.Atoi(at); !found || !isPlace || err != nil || !j.Broken[n] {
		j.says("a warning: %s", text)
	}
}
