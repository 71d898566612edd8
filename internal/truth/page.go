package truth

import (
	"regexp"
	"strings"
)

// Page is the excerpt of a response that does not fit, as it is shown.
type Page struct {
	Noun     string // what its units are: "line", "record" or "chunk"
	Size     string // of the response
	From, To int    // the units that its command names, 0 for none
	Lines    []PageLine
}

// PageLine is a line of a page: a unit of the response, a piece of one, or a gap.
type PageLine struct {
	Unit int    // its number; 0 for a gap, and for a line that brings its own
	Gap  int    // units that are left out
	Text string // of the unit; of a gap, the templates that fill it
}

var (
	pageHead = regexp.MustCompile(`^kfw: (\d+) (line|record|chunk)(s?), (\d+(?:\.\d)? [kMG]?B)(.*)$`)
	pageHow  = regexp.MustCompile(
		`^any of it: kfw expand h\d+(?: --where NAME=VALUE| --lines (\d+)-(\d+), or --grep WORD -C 3)?$`)
	pageGap     = regexp.MustCompile(`^… (\d+) (line|record|chunk)s?(?:: (.*))?$`)
	pageSection = regexp.MustCompile(`^(?:.+ / .+, )?(\d+) to (\d+)(?:: (.*))?$`)
	pageOf      = regexp.MustCompile(`^(\d+): (.*)$`)
	ownMark     = regexp.MustCompile(`^(?: *\d+(?:→|\t)|[^ \t]+?(?::\d+:|-\d+-))`) // of a line that brings its number
	aBreak      = regexp.MustCompile(`[\r\v\f\x{85}\x{2028}\x{2029}]`)
)

// cutPage returns what comes before the page in a text, and the page, which begins with a line of its own; what
// imitates that on a page has a number before it.
func cutPage(out string) (before, page string) {
	at := 0
	for line := range strings.Lines(out) {
		if pageHead.MatchString(strings.TrimSuffix(line, "\n")) {
			before, page = out[:at], out[at:]
		}
		at += len(line)
	}
	if page == "" {
		return out, ""
	}
	return before, page
}

// readPage reads a page: its first lines, the facts, and the excerpt, in which facts of a section follow the line
// that begins it.
func (p *textReader) readPage(out string) {
	page := &Page{}
	begun := len(p.all)
	p.begin(Said{Mode: "page", IsFinal: true, First: 1, Offset: -1, Page: page, Summary: Summary{HasFacts: true}})
	p.in = inFacts
	const (
		inHead = iota
		inFacts
		inExcerpt
	)
	in := inHead
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
		if aBreak.MatchString(line) {
			p.fail("a line break within a line: %q", line)
		}
		own, isOwn := strings.CutPrefix(line, "kfw: ")
		said, isFact := strings.CutPrefix(line, "= ")
		switch {
		case isOwn && page.Noun == "":
			p.head(p.said(), line)
		case isOwn && in == inHead:
			p.see("", "kfw: WARNING")
			p.said().Warnings = append(p.said().Warnings, own)
		case isFact && pageSection.MatchString(said):
			in = inFacts
			p.section(said)
		case isFact && in <= inFacts:
			in = inFacts
			p.fact(p.said(), unmarked(unescaped.Replace(said)))
		case isOwn, isFact:
			p.fail("after the beginning of a page: %q", line)
		default:
			in = inExcerpt
			p.ofExcerpt(page, line)
		}
	}
	p.all[begun].Last = p.all[begun].Chunks
}

// section begins what is said of a section.
func (p *textReader) section(line string) {
	m := pageSection.FindStringSubmatch(line)
	p.see("", "= A to B")
	p.begin(Said{Mode: "summary", First: number(m[1]), Last: number(m[2]), Summary: Summary{HasFacts: true}, Offset: -1})
	p.in, p.names, p.last = inFacts, false, nil
	if m[3] != "" {
		p.fact(p.said(), unmarked(unescaped.Replace(m[3])))
	}
}

// head reads the first line of a page.
func (p *textReader) head(s *Said, line string) {
	m := pageHead.FindStringSubmatch(line)
	p.see("", "kfw: N lines, SIZE")
	s.HasTotals, s.Chunks = true, number(m[1])
	s.Page.Noun, s.Page.Size = m[2], m[4]
	if (s.Chunks == 1) != (m[3] == "") {
		p.fail("not the form for so many: %q", line)
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(m[5], "; "), "; ") {
		if rules, ok := strings.CutPrefix(part, "redacted: "); ok {
			for counted := range strings.SplitSeq(rules, ", ") {
				rule, n, _ := strings.Cut(counted, " ")
				s.Redactions = append(s.Redactions, Count{rule, number(n)})
			}
		} else if n, ok := strings.CutPrefix(part, "exit status "); ok {
			s.Failed = "driver_failed " + n
		} else if code, ok := p.notWhole(part); ok {
			s.Failed = code
		} else if how := pageHow.FindStringSubmatch(part); how != nil {
			s.Page.From, s.Page.To = number(how[1]), number(how[2])
		} else if part != "" {
			p.fail("in the first line of a page: %q", part)
		}
	}
}

// ofExcerpt reads a line of the excerpt.
func (p *textReader) ofExcerpt(page *Page, line string) {
	if m := pageGap.FindStringSubmatch(line); m != nil {
		form := "… K lines"
		if m[3] != "" {
			form = "… K lines: TEMPLATES"
		}
		if p.see("", form); m[2] != page.Noun {
			p.fail("a gap of %ss in a page of %ss", m[2], page.Noun)
		}
		page.Lines = append(page.Lines, PageLine{Gap: number(m[1]), Text: m[3]})
		return
	}
	p.see("", "N: LINE")
	if m := pageOf.FindStringSubmatch(line); m != nil {
		page.Lines = append(page.Lines, PageLine{Unit: number(m[1]), Text: m[2]})
	} else if ownMark.MatchString(line) && page.Noun == "line" {
		page.Lines = append(page.Lines, PageLine{Text: line})
	} else {
		p.fail("a line without a number: %q", line)
	}
}
