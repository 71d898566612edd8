package bpefile

import (
	"io"
	"regexp"
	"unicode/utf8"
)

// stage splits each piece that the stage before it made.
type stage struct {
	pattern *regexp.Regexp
	matches bool // what matches is a piece; else it is left out
	between bool // what does not match is a piece
}

// pieces calls use with each piece that the stages from the first on make of text, valid UTF-8.
func pieces(stages []stage, text []byte, use func(piece []byte)) {
	if len(stages) == 0 {
		use(text)
		return
	}
	for len(text) > 0 {
		from, to, _ := stages[0].find(text)
		stages[0].take(stages[1:], text[:from], text[from:to], use)
		text = text[to:]
	}
}

// take makes pieces of what the stage found: a match, and what stands before it.
func (s *stage) take(after []stage, before, match []byte, use func(piece []byte)) {
	if s.between && len(before) > 0 {
		pieces(after, before, use)
	}
	if s.matches && len(match) > 0 {
		pieces(after, match, use)
	}
}

// find returns where the first match in text begins and ends; where there is none, the end of text
// for both. It is sure if that does not depend on what may follow text.
func (s *stage) find(text []byte) (from, to int, sure bool) {
	in := reader{text: text}
	match := s.pattern.FindReaderSubmatchIndex(&in)
	if match == nil {
		return len(text), len(text), false
	}
	from, to = match[0], match[1]
	for group := 2; group < len(match); group += 2 {
		if match[group] >= 0 {
			to = match[group] // of what must follow
		}
	}
	return from, to, !in.ended
}

// reader is a text that remembers whether its end has been seen.
type reader struct {
	text  []byte
	ended bool
}

// ReadRune implements io.RuneReader.
func (r *reader) ReadRune() (rune, int, error) {
	if len(r.text) == 0 {
		r.ended = true
		return 0, 0, io.EOF
	}
	code, size := rune(r.text[0]), 1
	if code >= utf8.RuneSelf {
		code, size = utf8.DecodeRune(r.text)
	}
	r.text = r.text[size:]
	return code, size, nil
}
