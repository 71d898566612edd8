package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// Bounds of what is kept of a line, in bytes.
const (
	maxLineKept  = 240
	maxLineHead  = 96  // of these, where what it stands out by comes later
	aroundBefore = 48  // before that,
	aroundAfter  = 24  // and at least after it
	maxLineTail  = 120 // of a failure, where what it stands out by comes first
)

// keepLine makes the row at hand one of a line.
func (r *row) keepLine(line []byte) {
	r.isLine = true
	if len(line) <= maxLineKept {
		r.bytes = append(r.bytes, line...)
	} else {
		r.bytes = append(append(r.bytes, jsonx.WholeCharacters(line, maxLineKept)...), jsonx.Ellipsis...)
	}
	r.line = ascii.Span{From: 0, To: len(r.bytes)}
}

// keepReason keeps of a line that is too long, besides its beginning, what it stands out by if that comes later: the rarest of its words, a
// number far out or the word for an error.
func (s *Summary) keepReason(line []byte) {
	r := s.out.row
	if len(line) <= maxLineKept || len(r.reasons) == 0 {
		return
	}
	r.rank()
	for i := range r.reasons {
		at, ok := s.placeInLine(&r.reasons[i], line)
		switch {
		case ok && r.reasons[i].isMarked && at < maxLineHead:
			r.keepEnds(line)
			return
		case !ok || at < maxLineHead:
		case at < maxLineKept-aroundAfter, at >= len(line):
			return
		default:
			r.keepAround(line, at)
			return
		}
	}
}

// placeInLine is where in the line at hand what it stands out by is.
func (s *Summary) placeInLine(why *reason, line []byte) (at int, ok bool) {
	switch {
	case why.by == byError:
		start, end := lineclass.ErrorWordIn(line[:min(len(line), mask.MaxLineLen)])
		return start, start < end
	case why.place != structure.RootNode:
		return 0, false
	case why.by == byWords:
		at = why.rarest().at
	case why.by == byNumber:
		at = why.n
	default:
		return 0, false
	}
	return s.line.Shift + int(s.line.Words[at].From), true
}

// keepAround keeps of the line its beginning and what is around a place past that, in no more bytes than before.
func (r *row) keepAround(line []byte, at int) {
	head := jsonx.WholeCharacters(line, maxLineHead)
	from := startAround(line, at-aroundBefore, at)
	around := jsonx.WholeCharacters(line[from:], r.line.To-len(head)-len(jsonx.Ellipsis+" ")-len(jsonx.Ellipsis))
	kept := append(append(append(r.bytes[:0], head...), jsonx.Ellipsis+" "...), around...)
	if from+len(around) < len(line) {
		kept = append(kept, jsonx.Ellipsis...)
	}
	r.line, r.identity = ascii.Span{From: 0, To: len(kept)}, ascii.Span{}
}

// keepEnds keeps the beginning and the end of the line, in no more bytes than before: a long failure
// often ends with its cause.
func (r *row) keepEnds(line []byte) {
	from := startAround(line, len(line)-maxLineTail, len(line)-maxLineTail/2)
	for from < len(line) && line[from]&0xc0 == 0x80 { // the rest of a character
		from++
	}
	head := jsonx.WholeCharacters(line, r.line.To-(len(line)-from)-len(jsonx.Ellipsis+" "))
	kept := append(append(append(r.bytes[:0], head...), jsonx.Ellipsis+" "...), line[from:]...)
	r.line, r.identity = ascii.Span{From: 0, To: len(kept)}, ascii.Span{}
}

// startAround is where what is around a place begins: with the first whole word from least on, or at the place.
func startAround(text []byte, least, at int) int {
	blank := bytes.IndexByte(text[least:at], ' ')
	if blank < 0 {
		return at
	}
	return least + blank + len(" ")
}

// putAround is put for a string of which something is to be seen that begins at a place: of a long one the line of that, and of a long
// line what is around it.
func (r *row) putAround(value []byte, at, most int) ascii.Span {
	if len(value) <= most || at <= most-aroundAfter {
		return r.put(value, most)
	}
	from := 0
	for start, line := range fields.LinesIn(value) {
		if from = start; at < start+len(line) {
			break
		}
	}
	if at-from > most-aroundAfter {
		from = startAround(value, max(from, at-aroundBefore), at)
	}
	start := len(r.bytes)
	rest := value[from : len(value)-len(`"`)]
	shown := jsonx.CutInside(rest, most-len(jsonx.Ellipsis))
	if start+len(`"`+jsonx.Ellipsis)+len(shown)+len(jsonx.Ellipsis+`"`) > rowCap {
		return ascii.Span{}
	}
	r.bytes = append(append(append(r.bytes, '"'), jsonx.Ellipsis...), shown...)
	if len(shown) < len(rest) {
		r.bytes = append(r.bytes, jsonx.Ellipsis...)
	}
	r.bytes = append(r.bytes, '"')
	return ascii.Span{From: start, To: len(r.bytes)}
}
