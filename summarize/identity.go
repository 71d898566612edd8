package summarize

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// What stands out in a line that is a part of something is told with the line that says of what.

// seeHead keeps the line at hand, the next one to be counted, if it is the head of a block.
func (s *textLines) seeHead(line []byte) {
	h := &s.out.Head
	if s.has&(mask.Digit|mask.Letter) == 0 {
		s.out.Identity.Key = 0 // the lines of a record end
		if outlier.IsBlankLine(line) {
			h.After = s.lines + 1
		}
		return
	}
	if s.lines != h.After {
		return
	}
	h.Count++
	if s.out.Words.Add(sketch.Hash(line), 1) == 1 {
		h.Fresh++
	}
	h.Number, h.Indent = s.lines+1, outlier.IndentOf(line)
	h.Text = append(h.Text[:0], bytes.TrimSpace(line[:min(len(line), h.Indent+outlier.LongestHead+1)])...)
}

// forgetIdentity is called for a line that is no name and its value: further out, or where nothing is indented, the lines of the record end.
// One that ends in the sign that comes after names is the name of what is under it, or of nothing.
func (s *textLines) forgetIdentity(line []byte) {
	d := &s.out.Identity
	text := bytes.TrimRight(line, " \t")
	switch isName := len(text) > 0 && strings.IndexByte(":|=", text[len(text)-1]) >= 0; {
	case isName:
		d.Sections.Open(text)
	case d.Key != 0 && outlier.IndentOf(line) < max(1, d.Indent):
		d.Key = 0
	}
}

// isUnderIdentity says whether the line at hand, which may stand out and is no name and its value, is further in than what says which record
// it is of.
func (s *textLines) isUnderIdentity(line []byte) bool {
	h, d := &s.out.Head, &s.out.Identity
	if len(s.out.Row.Reasons) == 0 {
		return false
	}
	indent := outlier.IndentOf(line)
	return indent > h.Indent && h.Identifies(line, s.lines) || d.Key != 0 && indent > d.Indent
}

// keepIdentity keeps the line that says which record the line at hand is of with that, if it may stand out.
func (s *textLines) keepIdentity(line []byte) {
	r, d, text, key := s.out.Row, &s.out.Identity, []byte(nil), uint64(0)
	switch {
	case s.out.Head.Identifies(line, s.lines):
		text = s.out.Head.Text
	case d.Key != 0 && d.Number < s.lines && s.lines-d.Number <= outlier.MostUnderIdentity:
		text, key = d.Text, d.Key
	}
	if len(r.Reasons) == 0 || outlier.AreAlike(text, line) {
		return
	}
	if from := len(r.Bytes); len(text) > 0 && from+len(text) <= outlier.RowCap {
		r.Bytes = append(r.Bytes, text...)
		r.Identity, r.Record = ascii.Span{From: from, To: len(r.Bytes)}, key
	}
}

// isKnownUnderIdentity reports whether the current line, a name and its value, belongs to the
// record that the lines before it say: it is indented deeper, or its name is one that most records
// have. A name that hardly came may begin something else, as "curl: (28) timed out" does, unless
// the record begins with what identifies it.
func (s *textLines) isKnownUnderIdentity(name, line []byte) bool {
	h, d := &s.out.Head, &s.out.Identity
	indent := outlier.IndentOfName(line)
	isOfHead := h.Identifies(line, s.lines)
	if isOfHead && indent > h.Indent || !isOfHead && indent > d.Indent {
		return true
	}
	k := d.ValuesOf(sketch.Hash(name) ^ d.Sections.Around(indent)*sketch.PlaceFactor)
	isFirst := !isOfHead && d.Key == d.First
	if k == nil {
		return isFirst
	}
	s.out.Row.Name = k.Key
	switch {
	case isFirst:
		return k.ComesAlone()
	case isOfHead:
		return k.IsOfEach(h.Count)
	}
	return k.IsOfEach(d.Values)
}
