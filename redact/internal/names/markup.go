package names

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

// element finds the value of the element of XML whose tag goes on at i, with attributes or after a
// namespace: <ns:password type="x">y</ns:password>.
func (p *Phrase) element(w Window, i int) Finding {
	const longest = 128 // of the attributes
	b := w.Text
	end := (lex.Everything &^ (lex.Angle | lex.Newline)).Run(b, i, longest)
	switch {
	case end-i < longest && w.Cut(end+1):
		return Finding{Verdict: Undecided, Start: i}
	case end == len(b) || b[end] != '>' || b[end-1] == '/':
		return Finding{}
	}
	return p.allOfElement(w, end+1)
}

// allOfElement finds the value that is all of what an element has, which begins at i.
func (p *Phrase) allOfElement(w Window, i int) Finding {
	if x, isSection := p.section(w, i); isSection {
		return x
	}
	b := w.Text
	start := lex.Blank.Run(b, i, MaxAlign)
	class := lex.Everything &^ (lex.Angle | lex.Whitespace)
	end := class.Run(b, start, MaxValue)
	next := lex.Blank.Run(b, end, MaxApart)
	switch _, decided := w.Passes(next, "</"); {
	case end-start == MaxValue:
		return Finding{Verdict: OpenEnded, Start: start, End: end, Class: class}
	case w.Cut(next), !decided:
		return Finding{Verdict: Undecided, Start: i}
	case end == start, !bytes.HasPrefix(b[next:], []byte("</")), end == w.Marker(start),
		!p.accepts(b[start:end], false):
		return Finding{}
	}
	return Finding{Verdict: Match, Start: start, End: end}
}

// section finds the value that is in a section of XML, <![CDATA[x]]>, if one begins at i.
func (p *Phrase) section(w Window, i int) (x Finding, isSection bool) {
	b := w.Text
	begin, decided := w.Passes(i, "<![CDATA[")
	if begin == i {
		if !decided {
			x = Finding{Verdict: Undecided, Start: i}
		}
		return x, !decided
	}
	class := lex.Everything &^ lex.Newline
	end := class.Run(b, begin, MaxValue)
	size := bytes.Index(b[begin:end], []byte("]]>"))
	switch {
	case size >= 0:
		end = begin + size
	case end-begin == MaxValue:
		return Finding{Verdict: OpenEnded, Start: begin, End: end, Class: class &^ lex.Angle}, true
	case w.Cut(end):
		return Finding{Verdict: Undecided, Start: i}, true
	}
	if end == begin || end == w.Marker(begin) || !p.accepts(b[begin:end], true) {
		return Finding{}, true
	}
	return Finding{Verdict: Match, Start: begin, End: end}, true
}

// property finds the value that is in the element next to that with the name, which ends at i, or on the line after it:
// <key>password</key> <string>x</string>, <name>password</name><value>x</value>. A word may be a label.
func (p *Phrase) property(w Window, i int) Finding {
	const longest = 16
	b := w.Text
	end := i
	if b[i] == '<' {
		end = (lex.Letters | lex.Slash).Run(b, i+1, longest)
		switch {
		case w.Cut(end):
			return Finding{Verdict: Undecided, Start: i}
		case end == len(b) || b[end] != '>' || b[i+1] != '/':
			return Finding{}
		}
		end++
	}
	value, isOnNext, decided := w.valueTag(end)
	switch {
	case !decided:
		return Finding{Verdict: Undecided, Start: i}
	case isOnNext: // 2) "x" of Redis, behind 1) "requirepass"
		switch word, isKnown := w.Passes(value, "string("); { // string(5) "x" of PHP
		case !isKnown:
			return Finding{Verdict: Undecided, Start: i}
		case word > value:
			value = word
		}
		item := lex.Digits.Run(b, value, 4)
		text, decided := w.Passes(item, `) "`)
		switch {
		case !decided:
			return Finding{Verdict: Undecided, Start: i}
		case item == value || text == item:
			return Finding{}
		}
		return p.Value(w, text-1, false)
	case value == end:
		return Finding{}
	}
	typed := *p
	typed.Typed = true
	x := typed.allOfElement(w, value)
	if x.Verdict == Match && !candidate.HasDigit(b[x.Start:x.End]) && !candidate.IsStrong(b[x.Start:x.End]) {
		return Finding{}
	}
	return x
}

// allOfLine finds the value that is a line of its own in an element, which begins at i.
func (p *Phrase) allOfLine(w Window, i int) Finding {
	x := p.typed(w, i, true)
	if x.Verdict != Match {
		return x
	}
	end := lex.Blank.Run(w.Text, x.End, MaxApart)
	switch {
	case w.Cut(end):
		return Finding{Verdict: Undecided, Start: i}
	case end < len(w.Text) && !lex.Newline.Has(w.Text[end]):
		return Finding{}
	}
	return x
}

// isFirstCell reports whether the name at i is in the first cell of a row with bars around it: | name | value |. A table
// within a table has two.
func isFirstCell(b []byte, i int) bool {
	cell := lex.Blank.RunBack(b, i, MaxAlign)
	bar := cell
	for bar > 0 && bar > cell-mostBars && b[bar-1] == '|' {
		bar--
	}
	return bar < cell && startsLine(b, bar)
}

// mostBars is how many bars stand on each side of a row.
const mostBars = 4

// lastCell finds the value in the last cell of such a row, which begins at i. It must be one word that looks like a
// secret, because a table that documents options has the same form.
func (p *Phrase) lastCell(w Window, i int) Finding {
	b := w.Text
	end := lex.NonSpace.Run(b, i, MaxName)
	bar := lex.Blank.Run(b, end, MaxAlign)
	rest := bar
	for rest < len(b) && rest < bar+mostBars && b[rest] == '|' {
		rest++
	}
	if w.Cut(rest) {
		return Finding{Verdict: Undecided, Start: i}
	}
	v := b[i:end]
	if rest == bar || rest < len(b) && !lex.Newline.Has(b[rest]) || w.Marker(i) > 0 ||
		!candidate.IsLikelySecret(v) || !p.accepts(v, false) {
		return Finding{}
	}
	return Finding{Verdict: Match, Start: i, End: end}
}

// isTypeOfInput says whether the name at i is the type of an element of a form.
func isTypeOfInput(b []byte, i int) bool {
	const attribute = "type="
	return i > len(attribute) && lex.Quote.Has(b[i-1]) && bytes.HasSuffix(b[:i-1], []byte(attribute))
}

// input finds the value of an element of a form that is among its attributes from i on.
func (p *Phrase) input(w Window, i int) Finding {
	const longest = 128 // of the attributes before it
	b := w.Text
	end := (lex.Everything &^ (lex.Angle | lex.Newline)).Run(b, i, longest)
	at := bytes.Index(b[i:end], []byte(` value="`))
	switch {
	case at >= 0:
		return p.Value(w, i+at+len(" value="), false)
	case end-i < longest && w.Cut(end):
		return Finding{Verdict: Undecided, Start: i}
	}
	return Finding{}
}
