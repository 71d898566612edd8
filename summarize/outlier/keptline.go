package outlier

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/fields"
)

// Bounds of what is kept of a line, in bytes.
const (
	MaxLineKept  = 240
	MaxLineHead  = 96  // of these, where what it stands out by comes later
	aroundBefore = 48  // before that,
	AroundAfter  = 24  // and at least after it
	maxLineTail  = 120 // of a failure, where what it stands out by comes first
)

// KeepLine makes the current row one of a line.
func (r *Row) KeepLine(line []byte) {
	r.IsLine = true
	if len(line) <= MaxLineKept {
		r.Bytes = append(r.Bytes, line...)
	} else {
		r.Bytes = append(append(r.Bytes, jsonx.WholeCharacters(line, MaxLineKept)...), jsonx.Ellipsis...)
	}
	r.Line = ascii.Span{From: 0, To: len(r.Bytes)}
}

// KeepAround keeps of the line its beginning and what is around a place past that, in no more bytes than before.
func (r *Row) KeepAround(line []byte, at int) {
	head := jsonx.WholeCharacters(line, MaxLineHead)
	from := startAround(line, at-aroundBefore, at)
	around := jsonx.WholeCharacters(line[from:], r.Line.To-len(head)-len(jsonx.Ellipsis+" ")-len(jsonx.Ellipsis))
	kept := append(append(append(r.Bytes[:0], head...), jsonx.Ellipsis+" "...), around...)
	if from+len(around) < len(line) {
		kept = append(kept, jsonx.Ellipsis...)
	}
	r.Line, r.Identity = ascii.Span{From: 0, To: len(kept)}, ascii.Span{}
}

// KeepEnds keeps the beginning and the end of the line, in no more bytes than before: a long failure
// often ends with its cause.
func (r *Row) KeepEnds(line []byte) {
	from := startAround(line, len(line)-maxLineTail, len(line)-maxLineTail/2)
	for from < len(line) && line[from]&0xc0 == 0x80 { // the rest of a character
		from++
	}
	head := jsonx.WholeCharacters(line, r.Line.To-(len(line)-from)-len(jsonx.Ellipsis+" "))
	kept := append(append(append(r.Bytes[:0], head...), jsonx.Ellipsis+" "...), line[from:]...)
	r.Line, r.Identity = ascii.Span{From: 0, To: len(kept)}, ascii.Span{}
}

// startAround is where what is around a place begins: with the first whole word from least on, or at the place.
func startAround(text []byte, least, at int) int {
	blank := bytes.IndexByte(text[least:at], ' ')
	if blank < 0 {
		return at
	}
	return least + blank + len(" ")
}

// PutAround is put for a string of which something is to be seen that begins at a place: of a long one the line of
// that, and of a long line what is around it.
func (r *Row) PutAround(value []byte, at, most int) ascii.Span {
	if len(value) <= most || at <= most-AroundAfter {
		return r.Put(value, most)
	}
	from := 0
	for start, line := range fields.LinesIn(value) {
		if from = start; at < start+len(line) {
			break
		}
	}
	if at-from > most-AroundAfter {
		from = startAround(value, max(from, at-aroundBefore), at)
	}
	start := len(r.Bytes)
	rest := value[from : len(value)-len(`"`)]
	shown := jsonx.CutInside(rest, most-len(jsonx.Ellipsis))
	if start+len(`"`+jsonx.Ellipsis)+len(shown)+len(jsonx.Ellipsis+`"`) > RowCap {
		return ascii.Span{}
	}
	r.Bytes = append(append(append(r.Bytes, '"'), jsonx.Ellipsis...), shown...)
	if len(shown) < len(rest) {
		r.Bytes = append(r.Bytes, jsonx.Ellipsis...)
	}
	r.Bytes = append(r.Bytes, '"')
	return ascii.Span{From: start, To: len(r.Bytes)}
}
