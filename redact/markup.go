package redact

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
)

// element finds the value of the element of XML whose tag goes on at i, with attributes or after a
// namespace: <ns:password type="x">y</ns:password>.
func (p *phrase) element(w window, i int) finding {
	const longest = 128 // of the attributes
	b := w.text
	end := (lex.Everything &^ (lex.Angle | lex.Newline)).Run(b, i, longest)
	switch {
	case end-i < longest && w.cut(end+1):
		return finding{verdict: undecided, start: i}
	case end == len(b) || b[end] != '>' || b[end-1] == '/':
		return finding{}
	}
	return p.allOfElement(w, end+1)
}

// allOfElement finds the value that is all of what an element has, which begins at i.
func (p *phrase) allOfElement(w window, i int) finding {
	if x, isSection := p.section(w, i); isSection {
		return x
	}
	b := w.text
	start := lex.Blank.Run(b, i, maxAlign)
	class := lex.Everything &^ (lex.Angle | lex.Whitespace)
	end := class.Run(b, start, maxValue)
	next := lex.Blank.Run(b, end, maxApart)
	switch _, decided := w.passes(next, "</"); {
	case end-start == maxValue:
		return finding{verdict: growing, start: start, end: end, class: class}
	case w.cut(next), !decided:
		return finding{verdict: undecided, start: i}
	case end == start, !bytes.HasPrefix(b[next:], []byte("</")), end == w.marker(start),
		!p.accepts(b[start:end], false):
		return finding{}
	}
	return finding{verdict: match, start: start, end: end}
}

// section finds the value that is in a section of XML, <![CDATA[x]]>, if one begins at i.
func (p *phrase) section(w window, i int) (x finding, isSection bool) {
	b := w.text
	begin, decided := w.passes(i, "<![CDATA[")
	if begin == i {
		if !decided {
			x = finding{verdict: undecided, start: i}
		}
		return x, !decided
	}
	class := lex.Everything &^ lex.Newline
	end := class.Run(b, begin, maxValue)
	size := bytes.Index(b[begin:end], []byte("]]>"))
	switch {
	case size >= 0:
		end = begin + size
	case end-begin == maxValue:
		return finding{verdict: growing, start: begin, end: end, class: class &^ lex.Angle}, true
	case w.cut(end):
		return finding{verdict: undecided, start: i}, true
	}
	if end == begin || end == w.marker(begin) || !p.accepts(b[begin:end], true) {
		return finding{}, true
	}
	return finding{verdict: match, start: begin, end: end}, true
}

// property finds the value of a property list (plist(5)) that follows its name's end, at i:
// <key>password</key> <string>x</string>. A word may be a label.
func (p *phrase) property(w window, i int) finding {
	b := w.text
	key, decided := w.passes(i, "</key>")
	if key == i && b[i] == '<' && decided {
		return finding{}
	}
	value, isRead := key, false
	if decided {
		value, isRead = w.passes(lex.Whitespace.Run(b, key, maxAlign), "<string>")
	}
	switch {
	case !isRead:
		return finding{verdict: undecided, start: i}
	case b[value-1] != '>' || value == key:
		return finding{}
	}
	x := p.allOfElement(w, value)
	if x.verdict == match && !candidate.HasDigit(b[x.start:x.end]) && !candidate.IsStrong(b[x.start:x.end]) {
		return finding{}
	}
	return x
}

// isTypeOfInput says whether the name at i is the type of an element of a form.
func isTypeOfInput(b []byte, i int) bool {
	const attribute = "type="
	return i > len(attribute) && lex.Quote.Has(b[i-1]) && bytes.HasSuffix(b[:i-1], []byte(attribute))
}

// input finds the value of an element of a form that is among its attributes from i on.
func (p *phrase) input(w window, i int) finding {
	const longest = 128 // of the attributes before it
	b := w.text
	end := (lex.Everything &^ (lex.Angle | lex.Newline)).Run(b, i, longest)
	at := bytes.Index(b[i:end], []byte(` value="`))
	switch {
	case at >= 0:
		return p.value(w, i+at+len(" value="), false)
	case end-i < longest && w.cut(end):
		return finding{verdict: undecided, start: i}
	}
	return finding{}
}

// followsNamespace says whether the name at i follows that of its namespace in a tag: <ns:name.
func (w window) followsNamespace(i int) bool {
	const longest = 32
	if i == 0 || w.text[i-1] != ':' {
		return false
	}
	start := (lex.Word | lex.Dash).RunBack(w.text, i-1, longest)
	return start > 0 && start < i-1 && w.text[start-1] == '<'
}
