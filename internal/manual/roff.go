package manual

import (
	"fmt"
	"strings"
)

// roff is a page as man(7) describes it.
type roff struct{ strings.Builder }

// text writes paragraphs, which the reader's program fills, and lines as they are where they are
// indented.
func (p *roff) text(text string) {
	const filled, literal = 1, 2
	now := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		kind := filled
		switch {
		case line == "":
			kind = now
			if now == filled {
				kind = 0 // the next line begins a paragraph
			}
		case strings.HasPrefix(line, " "), strings.HasPrefix(line, "\t"):
			kind = literal
		}
		if now == literal && kind != literal {
			p.macro("fi")
		}
		switch {
		case kind == filled && now != filled:
			p.macro("PP")
			p.WriteString(Escaped(line))
		case kind == filled:
			p.WriteString(" " + Escaped(line))
		case now == filled:
			p.WriteString("\n")
		}
		if kind == literal {
			if now != literal {
				p.macro("PP")
				p.macro("nf")
			}
			p.line(line)
		}
		now = kind
	}
	switch now {
	case filled:
		p.WriteString("\n")
	case literal:
		p.macro("fi")
	}
}

// tagged writes a word and what it means beside it.
func (p *roff) tagged(tag, text string) {
	p.macro("TP")
	p.macro("B", tag)
	p.line(strings.Join(strings.Fields(text), " "))
}

// line writes a line of text.
func (p *roff) line(text string) { p.WriteString(Escaped(text) + "\n") }

// macro writes a request, with arguments that may have blanks in them.
func (p *roff) macro(name string, args ...string) {
	p.WriteString("." + name)
	for _, arg := range args {
		fmt.Fprintf(p, ` "%s"`, strings.ReplaceAll(strings.TrimPrefix(Escaped(arg), `\&`), `"`, `\(dq`))
	}
	p.WriteString("\n")
}

// roffCharacters has the characters that roff would change or obey.
var roffCharacters = strings.NewReplacer(`\`, `\e`, "-", `\-`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`, "'", `\(aq`,
	"\t", "    ")

// Escaped returns text that roff shows as it is.
func Escaped(text string) string {
	text = roffCharacters.Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
